//go:build cgo && llamacpp

// LoRA adapters. No function lets a C++ exception out.
#ifndef NL2SQL_ADAPTER_H
#define NL2SQL_ADAPTER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct llama_adapter_lora;
struct llama_context;

// nl2sql_adapt loads a GGUF LoRA, which begins start bytes behind the beginning of its file, for the context's model and applies it to the context for good; ours says that our kernels do all of the model's work.
// Returns NULL if it cannot; the log says why. Free the context first, then the adapter, then the model.
struct llama_adapter_lora *nl2sql_adapt(struct llama_context *ctx, const char *path, long start, bool ours);
void nl2sql_adapter_free(struct llama_adapter_lora *adapter);

#ifdef __cplusplus
}
#endif
#endif
