//go:build cgo && llamacpp

#include "adapter.h"

#include "../kernels/kernels.h"
#include "part.h"
#include "shim.h"

#include "llama.h"
#include "llama.cpp/src/llama-adapter.h"

extern "C" llama_adapter_lora *nl2sql_adapt(llama_context *ctx, const char *path, long start, bool ours) {
	struct guard {
		guard(long start) { nl2sql_guard(true), nl2sql_part(start); }
		~guard() { nl2sql_guard(false), nl2sql_part(0); }
	} g(start);
	try {
		llama_adapter_lora *adapter = llama_adapter_lora_init(const_cast<llama_model *>(llama_get_model(ctx)), path);
		if (adapter != nullptr && llama_set_adapter_lora(ctx, adapter, 1.0f) != 0) {
			llama_adapter_lora_free(adapter);
			return nullptr;
		}
		if (adapter != nullptr && ours) {
			for (const auto &[name, matrices] : adapter->ab_map) nl2sql_adapts(matrices.b);
		}
		return adapter;
	} catch (...) {
		return nullptr;
	}
}

extern "C" void nl2sql_adapter_free(llama_adapter_lora *adapter) { llama_adapter_lora_free(adapter); }
