#pragma once

// What the operations that we compute ourselves share.

#include "source/set.h"

#include "ggml-backend-impl.h"
#include "ggml-cpu.h"
#include "ggml-cpu/traits.h"

#include <algorithm>

// nl2sql_kernels_set returns the set that is chosen. An operation asks for it anew.
const nl2sql_set *nl2sql_kernels_set();

// nl2sql_attention returns what computes an operation of attention, or NULL if llama.cpp is to do it.
ggml::cpu::tensor_traits *nl2sql_attention(const ggml_tensor *op);

// nl2sql_adapted returns what computes a step of an adapter whose second matrices were given to nl2sql_adapts, or NULL if op is none.
ggml::cpu::tensor_traits *nl2sql_adapted(const ggml_tensor *op);

// aligned returns the next multiple of 64, a cache's line.
inline size_t aligned(size_t n) { return (n + 63) / 64 * 64; }

// share calls f with parts of n things, as the threads of an operation have time for them.
template <class F> void share(const ggml_compute_params *params, int64_t n, int64_t part, F f) {
	if (params->ith == 0) ggml_threadpool_chunk_set(params->threadpool, params->nth);
	ggml_barrier(params->threadpool);
	for (int64_t c = params->ith; c * part < n; c = ggml_threadpool_chunk_add(params->threadpool, 1)) f(c * part, std::min(n, (c + 1) * part));
}
