//go:build cgo && llamacpp && cuda

// The library for NVIDIA GPUs: cuda/hooks.cpp is its side.
#ifndef NL2SQL_GPU_H
#define NL2SQL_GPU_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nl2sql_gpu {
	const char *name, *description; // of the library
	int64_t free, total;            // bytes
};

// nl2sql_gpu_load loads the library of that version and makes its devices llama.cpp's. Returns NULL, or why it cannot,
// to be freed.
char *nl2sql_gpu_load(const char *path, const char *version);

// nl2sql_gpu_unload takes the devices away. No model may use them.
void nl2sql_gpu_unload(void);

int32_t nl2sql_gpu_count(void);
void nl2sql_gpu_device(int32_t i, struct nl2sql_gpu *gpu);

#ifdef __cplusplus
}
#endif
#endif
