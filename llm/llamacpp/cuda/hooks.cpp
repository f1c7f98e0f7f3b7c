// What is added to libggml-cuda (scripts/fetch/cuda.go): the library holds a copy of ggml of its own, which must speak
// through the program's, and may only be used by a program that was built from the same sources.

#include "ggml.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

// nl2sql_gpu_version returns what the library was built from: the Go module's version and llama.cpp's commit.
EXPORT const char *nl2sql_gpu_version(void) { return NL2SQL_VERSION; }

// nl2sql_gpu_hooks sends log lines and failed assertions to the program.
EXPORT void nl2sql_gpu_hooks(ggml_log_callback log, ggml_abort_callback_t fatal) {
	ggml_log_set(log, nullptr);
	ggml_set_abort_callback(fatal);
}
