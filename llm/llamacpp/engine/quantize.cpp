//go:build cgo && llamacpp

#include "quantize.h"

#include "shim.h"

#include "llama.h"

#include <stdexcept>

#include <string.h>

struct log_before {
	ggml_log_callback call;
	void *data;
	const int32_t *stop;
};

// on_line is called before and after each tensor, outside of other threads: the one place where llama.cpp's loop can be
// left. The exception ends llama_model_quantize.
static void on_line(ggml_log_level level, const char *text, void *data) {
	const log_before *before = static_cast<const log_before *>(data);
	before->call(level, text, before->data);
	if (__atomic_load_n(before->stop, __ATOMIC_RELAXED) != 0 && level != GGML_LOG_LEVEL_ERROR) throw std::runtime_error("interrupted");
}

extern "C" int nl2sql_quantize(const char *in, const char *out, int ftype, int threads, const int32_t *stop) {
	log_before before = {nullptr, nullptr, stop};
	llama_log_get(&before.call, &before.data);
	llama_log_set(on_line, &before);
	nl2sql_guard(true);
	int code = -1;
	try {
		llama_model_quantize_params params = llama_model_quantize_default_params();
		params.ftype = static_cast<llama_ftype>(ftype);
		params.nthread = threads;
		params.allow_requantize = true;
		code = llama_model_quantize(in, out, &params) == 0 ? 0 : -1;
	} catch (...) {
	}
	nl2sql_guard(false);
	llama_log_set(before.call, before.data);
	return code;
}

extern "C" int nl2sql_dequantize(int type, const void *from, float *to, int64_t n) {
	if (type == GGML_TYPE_F32) {
		memcpy(to, from, n * sizeof(float));
		return 0;
	}
	if (type < 0 || type >= GGML_TYPE_COUNT) return -1;
	const ggml_type_traits *traits = ggml_get_type_traits(static_cast<ggml_type>(type));
	if (traits == nullptr || traits->to_float == nullptr) return -1;
	traits->to_float(from, to, n);
	return 0;
}
