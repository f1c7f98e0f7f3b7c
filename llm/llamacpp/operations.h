#pragma once

// What the operations that we compute ourselves share.

#include "kernels/source/set.h"

#include "ggml-backend-impl.h"
#include "ggml-cpu.h"
#include "ggml-cpu/traits.h"

// nl2sql_kernels_set returns the set that is chosen. An operation asks for it anew.
const nl2sql_set *nl2sql_kernels_set();

// nl2sql_attention returns what computes an operation of attention, or NULL if llama.cpp is to do it.
ggml::cpu::tensor_traits *nl2sql_attention(const ggml_tensor *op);
