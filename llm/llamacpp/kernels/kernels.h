#pragma once

// Products of weights and batches of rows, and attention, faster than llama.cpp's own, and the same to the bit for a row
// alone and for the same row among others, with every set of kernels (kernels/).

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ggml_tensor;

// nl2sql_adapts has our kernels add what the second matrix of a LoRA yields, if they can.
void nl2sql_adapts(struct ggml_tensor *b);

// nl2sql_kernels_register makes models that are loaded from now on use them.
void nl2sql_kernels_register(void);

// nl2sql_kernels names the set that is used: the one that was chosen, or the best that this machine can run.
const char *nl2sql_kernels(void);

// nl2sql_kernels_choose takes the set of that name and reports whether this machine can run it. No model may be at work.
bool nl2sql_kernels_choose(const char *name);

// nl2sql_kernels_name returns the name of the i-th set, the best first, and whether this machine can run it; NULL if there
// are no more.
const char *nl2sql_kernels_name(int32_t i, bool *can);

// nl2sql_kernels_use is for tests: it says whether models that are loaded from now on use these kernels.
void nl2sql_kernels_use(bool use);
bool nl2sql_kernels_used(void);

// nl2sql_kernels_size returns the bytes that a matrix takes in our order, or 0 if it stays as it is.
size_t nl2sql_kernels_size(int32_t type, int64_t k, int64_t rows);

// nl2sql_kernels_ahead begins to clear memory for the weights of the model that this thread loads next; 0 gives back what was
// not used.
void nl2sql_kernels_ahead(size_t size);

// nl2sql_products_test is for tests: it stores 16 rows of k weights as a type, writes back what they have become, and multiplies
// them with n rows of x; out has 16 numbers for each. It returns false where llama.cpp does that.
bool nl2sql_products_test(int32_t type, int64_t k, int32_t n, float *weights, const float *x, float *out);

// nl2sql_attention_test is for tests: attention of tokens of heads with size numbers each, over cells of groups, with a
// mask of 0 and minus infinity for each token and cell. out has size numbers for each head of each token.
bool nl2sql_attention_test(int32_t threads, int32_t size, int32_t heads, int32_t groups, int32_t tokens, int32_t cells,
	const float *q, const uint16_t *k, const uint16_t *v, const uint16_t *mask, float scale, float *out);

#ifdef __cplusplus
}
#endif
