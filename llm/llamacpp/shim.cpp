//go:build cgo && llamacpp

#include "shim.h"

#include "llama.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <stdio.h>
#include <unistd.h>

// Set by llama.cpp's build-info.cpp.
extern const char *LLAMA_COMMIT;

extern "C" void goLlamaLog(int level, char *text); // logs.go

static void on_log(ggml_log_level level, const char *text, void *) { goLlamaLog(level, const_cast<char *>(text)); }

static bool on_abort(void *stop) { return __atomic_load_n(static_cast<const int32_t *>(stop), __ATOMIC_RELAXED) != 0; }

static thread_local bool guarded;

// on_fatal is called by failed assertions, before abort.
static void on_fatal(const char *message) {
	if (guarded) {
		goLlamaLog(GGML_LOG_LEVEL_ERROR, const_cast<char *>((std::string(message) + "\n").c_str()));
		throw std::runtime_error(message);
	}
	fprintf(stderr, "nl2sql: llama.cpp failed: %s\n", message);
	_exit(1);
}

extern "C" void nl2sql_guard(bool on) { guarded = on; }

extern "C" void nl2sql_init(void) {
	llama_log_set(on_log, nullptr);
	ggml_set_abort_callback(on_fatal);
	llama_backend_init();
}

extern "C" void nl2sql_adopt(llama_context *ctx, const int32_t *stop) {
	llama_set_embeddings(ctx, false);
	llama_set_abort_callback(ctx, on_abort, const_cast<int32_t *>(stop));
}

extern "C" void nl2sql_threads(llama_context *ctx, int32_t n) { llama_set_n_threads(ctx, n, n); }

extern "C" int32_t nl2sql_decode(llama_context *ctx, const int32_t *tokens, int32_t n, int32_t pos, bool logits) {
	struct guard {
		guard() { guarded = true; }
		~guard() { guarded = false; }
	} g;
	try {
		std::vector<llama_token> token(tokens, tokens + n);
		std::vector<llama_pos> at(n);
		std::vector<int8_t> want(n, 0);
		for (int32_t i = 0; i < n; i++) at[i] = pos + i;
		want[n - 1] = logits;
		llama_batch batch = {};
		batch.n_tokens = n;
		batch.token = token.data();
		batch.pos = at.data();
		batch.logits = want.data(); // no sequence ids: all tokens belong to sequence 0
		return llama_decode(ctx, batch);
	} catch (...) {
		return -100;
	}
}

extern "C" const float *nl2sql_logits(llama_context *ctx) {
	try {
		return llama_get_logits_ith(ctx, -1);
	} catch (...) {
		return nullptr;
	}
}

extern "C" int32_t nl2sql_argmax(llama_context *ctx, int32_t n_vocab) {
	const float *logit = nl2sql_logits(ctx);
	int32_t best = -1;
	if (logit == nullptr) return best;
	for (int32_t i = 0; i < n_vocab; i++) {
		if (logit[i] == logit[i] && (best < 0 || logit[i] > logit[best])) best = i;
	}
	return best;
}

extern "C" int32_t nl2sql_piece(const llama_model *model, int32_t token, char *buf, int32_t size) {
	try {
		return llama_token_to_piece(llama_model_get_vocab(model), token, buf, size, 0, false);
	} catch (...) {
		return 0;
	}
}

extern "C" int32_t nl2sql_bos(const llama_model *model) { return llama_vocab_bos(llama_model_get_vocab(model)); }
extern "C" uint32_t nl2sql_window(const llama_context *ctx) { return llama_n_ctx(ctx); }
extern "C" int32_t nl2sql_trained(const llama_model *model) { return llama_model_n_ctx_train(model); }
extern "C" void nl2sql_free(llama_context *ctx) { llama_free(ctx); }
extern "C" const char *nl2sql_system_info(void) { return llama_print_system_info(); }
extern "C" const char *nl2sql_commit(void) { return LLAMA_COMMIT; }
