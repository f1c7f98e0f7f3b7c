//go:build cgo && llamacpp && cuda

#include "gpu.h"

#include "ggml-backend.h"

#include <exception>
#include <string>

#include <dlfcn.h>
#include <string.h>

// shim.cpp
extern "C" void nl2sql_on_log(ggml_log_level level, const char *text, void *);
extern "C" void nl2sql_on_fatal(const char *message);

static ggml_backend_reg_t loaded; // NULL: not among llama.cpp's

static char *why(const std::string &text) { return strdup(text.c_str()); }

extern "C" char *nl2sql_gpu_load(const char *path, const char *version) {
	if (loaded != nullptr) return nullptr;
	try {
		// Never closed: CUDA's own threads may live on.
		void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
		if (library == nullptr) return why(dlerror());
		auto built = reinterpret_cast<const char *(*)()>(dlsym(library, "nl2sql_gpu_version"));
		auto hooks = reinterpret_cast<void (*)(ggml_log_callback, ggml_abort_callback_t)>(dlsym(library, "nl2sql_gpu_hooks"));
		if (built == nullptr || hooks == nullptr || strcmp(built(), version) != 0) {
			return why(std::string(path) + " was not built for " + version);
		}
		hooks(nl2sql_on_log, nl2sql_on_fatal);
		loaded = ggml_backend_load(path);
		return loaded == nullptr ? why(std::string(path) + " is no backend of ggml") : nullptr;
	} catch (const std::exception &e) {
		return why(e.what());
	} catch (...) {
		return why("it fails");
	}
}

extern "C" void nl2sql_gpu_unload(void) {
	if (loaded != nullptr) ggml_backend_unload(loaded);
	loaded = nullptr;
}

extern "C" int32_t nl2sql_gpu_count(void) { return loaded == nullptr ? 0 : ggml_backend_reg_dev_count(loaded); }

extern "C" void nl2sql_gpu_device(int32_t i, nl2sql_gpu *gpu) {
	size_t free = 0, total = 0;
	ggml_backend_dev_t device = ggml_backend_reg_dev_get(loaded, i);
	gpu->name = ggml_backend_dev_name(device);
	gpu->description = ggml_backend_dev_description(device);
	ggml_backend_dev_memory(device, &free, &total);
	gpu->free = free;
	gpu->total = total;
}
