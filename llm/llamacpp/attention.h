#pragma once

#include "lanes.h"

#ifdef NL2SQL_LANES

#include "ggml-backend-impl.h"
#include "ggml-cpu.h"
#include "ggml-cpu/traits.h"

// nl2sql_attention returns what computes an operation of attention, or NULL if llama.cpp is to do it.
ggml::cpu::tensor_traits *nl2sql_attention(const ggml_tensor *op);

#endif
