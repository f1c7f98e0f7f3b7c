//go:build cgo && llamacpp

#include "shim.h"

#include "../kernels/kernels.h"
#include "llama.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <stdio.h>
#include <unistd.h>

// Set by llama.cpp's build-info.cpp.
extern const char *LLAMA_COMMIT;

extern "C" void goLlamaLog(int level, char *text); // logs.go

extern "C" void nl2sql_on_log(ggml_log_level level, const char *text, void *) { goLlamaLog(level, const_cast<char *>(text)); }

static bool on_abort(void *stop) { return __atomic_load_n(static_cast<const int32_t *>(stop), __ATOMIC_RELAXED) != 0; }

static thread_local bool guarded;

extern "C" void nl2sql_on_fatal(const char *message) {
	if (guarded) {
		goLlamaLog(GGML_LOG_LEVEL_ERROR, const_cast<char *>((std::string(message) + "\n").c_str()));
		throw std::runtime_error(message);
	}
	fprintf(stderr, "nl2sql: llama.cpp failed: %s\n", message);
	_exit(1);
}

extern "C" void nl2sql_guard(bool on) { guarded = on; }

namespace {
// guard makes failed assertions exceptions while it lives.
struct guard {
	guard() { guarded = true; }
	~guard() { guarded = false; }
};

struct hold {
	hold() { nl2sql_hold(true); }
	~hold() { nl2sql_hold(false); }
};
}

extern "C" void nl2sql_init(void) {
	llama_log_set(nl2sql_on_log, nullptr);
	ggml_set_abort_callback(nl2sql_on_fatal);
	nl2sql_kernels_register();
	llama_backend_init();
}

extern "C" void nl2sql_adopt(llama_context *ctx, const int32_t *stop) {
	llama_set_embeddings(ctx, false);
	llama_set_abort_callback(ctx, on_abort, const_cast<int32_t *>(stop));
}

extern "C" llama_context *nl2sql_vectors(llama_model *model, int32_t tokens, int32_t texts, int32_t threads, bool mean, const int32_t *stop) {
	guard g;
	hold h;
	try {
		llama_context_params params = llama_context_default_params();
		params.n_ctx = params.n_batch = params.n_ubatch = tokens;
		params.n_seq_max = texts;
		params.n_threads = params.n_threads_batch = threads;
		params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_ENABLED;
		params.embeddings = params.kv_unified = true;
		if (mean) params.pooling_type = LLAMA_POOLING_TYPE_MEAN;
		llama_context *ctx = llama_init_from_model(model, params);
		if (ctx != nullptr) llama_set_abort_callback(ctx, on_abort, const_cast<int32_t *>(stop));
		return ctx;
	} catch (...) {
		return nullptr;
	}
}

extern "C" const float *nl2sql_embedding(llama_context *ctx, int32_t seq) {
	try {
		return llama_get_embeddings_seq(ctx, seq);
	} catch (...) {
		return nullptr;
	}
}

extern "C" int32_t nl2sql_width(const llama_context *ctx) { return llama_model_n_embd(llama_get_model(ctx)); }

extern "C" void nl2sql_forget(llama_context *ctx) { llama_memory_clear(llama_get_memory(ctx), true); }

extern "C" void nl2sql_threads(llama_context *ctx, int32_t n) { llama_set_n_threads(ctx, n, n); }

extern "C" int32_t nl2sql_decode(llama_context *ctx, const int32_t *tokens, const int32_t *pos, const int32_t *seq, const int8_t *want, int32_t n) {
	guard g;
	try {
		std::vector<llama_token> token(tokens, tokens + n);
		std::vector<llama_pos> at(pos, pos + n);
		std::vector<llama_seq_id> id(seq, seq + n);
		std::vector<int32_t> one(n, 1);
		std::vector<llama_seq_id *> ids(n);
		std::vector<int8_t> logits(want, want + n);
		for (int32_t i = 0; i < n; i++) ids[i] = &id[i];
		llama_batch batch = {};
		batch.n_tokens = n;
		batch.token = token.data();
		batch.pos = at.data();
		batch.n_seq_id = one.data();
		batch.seq_id = ids.data();
		batch.logits = logits.data();
		return llama_decode(ctx, batch);
	} catch (...) {
		return -100;
	}
}

extern "C" const float *nl2sql_logits(llama_context *ctx, int32_t i) {
	try {
		return llama_get_logits_ith(ctx, i);
	} catch (...) {
		return nullptr;
	}
}

extern "C" size_t nl2sql_state(llama_context *ctx, int32_t seq, uint8_t *buf, size_t size) {
	guard g;
	try {
		return buf == nullptr ? llama_state_seq_get_size(ctx, seq) : llama_state_seq_get_data(ctx, buf, size, seq);
	} catch (...) {
		return 0;
	}
}

extern "C" bool nl2sql_set_state(llama_context *ctx, int32_t seq, const uint8_t *buf, size_t size) {
	guard g;
	try {
		return llama_state_seq_set_data(ctx, buf, size, seq) == size;
	} catch (...) {
		return false;
	}
}

extern "C" int32_t nl2sql_piece(const llama_vocab *vocab, int32_t token, char *buf, int32_t size) {
	try {
		return llama_token_to_piece(vocab, token, buf, size, 0, false);
	} catch (...) {
		return 0;
	}
}

extern "C" int32_t nl2sql_bos(const llama_vocab *vocab) { return llama_vocab_bos(vocab); }
extern "C" uint32_t nl2sql_window(const llama_context *ctx) { return llama_n_ctx_seq(ctx); }
extern "C" const char *nl2sql_system_info(void) { return llama_print_system_info(); }
extern "C" const char *nl2sql_commit(void) { return LLAMA_COMMIT; }
