//go:build cgo && llamacpp

// Other types for weights. No function lets a C++ exception out.
#ifndef NL2SQL_QUANTIZE_H
#define NL2SQL_QUANTIZE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// nl2sql_quantize writes a model file with weights of another type (an llama_ftype). It ends soon after *stop is no
// longer 0. Returns 0, or -1 and says why in the log.
int nl2sql_quantize(const char *in, const char *out, int ftype, int threads, const int32_t *stop);

// nl2sql_dequantize turns the blocks of n values of a ggml type into numbers. Returns 0, or -1 if there is no way.
int nl2sql_dequantize(int type, const void *from, float *to, int64_t n);

#ifdef __cplusplus
}
#endif
#endif
