#pragma once

// Products of quantized weights and batches of rows, and attention, faster than llama.cpp's own on processors with
// AVX-512 VNNI or AVX2, and the same to the bit for a row alone and for the same row among others.

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// nl2sql_kernels_register makes models that are loaded from now on use them. It does nothing on other processors.
void nl2sql_kernels_register(void);

// nl2sql_kernels names these kernels as they are on this processor, or returns "". Whoever changes a bit of a result
// changes the name: what was evaluated is kept under it.
const char *nl2sql_kernels(void);

// nl2sql_kernels_use is for tests: it says whether models that are loaded from now on use these kernels.
void nl2sql_kernels_use(bool use);

// nl2sql_products_test is for tests: it quantizes 16 rows of k weights, writes back what they have become, and multiplies them
// with n rows of x; out has 16 numbers for each. It returns false where llama.cpp does that.
bool nl2sql_products_test(int32_t type, int64_t k, int32_t n, float *weights, const float *x, float *out);

// nl2sql_attention_test is for tests: attention of tokens of heads with size numbers each, over cells of groups, with a
// mask of 0 and minus infinity for each token and cell. out has size numbers for each head of each token.
bool nl2sql_attention_test(int32_t threads, int32_t size, int32_t heads, int32_t groups, int32_t tokens, int32_t cells,
	const float *q, const uint16_t *k, const uint16_t *v, const uint16_t *mask, float scale, float *out);

#ifdef __cplusplus
}
#endif
