//go:build cgo && llamacpp

// What the Go package github.com/ollama/ollama/llama leaves out of llama.h. No function lets a C++ exception out.
#ifndef NL2SQL_SHIM_H
#define NL2SQL_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct llama_context;
struct llama_model;
struct llama_vocab;

// nl2sql_init starts llama.cpp with the processor's backend that is linked in. Unlike the Go package's BackendInit it looks
// for no other backend in folders beside the program.
void nl2sql_init(void);

// nl2sql_guard makes failed assertions of llama.cpp on this thread C++ exceptions, which its own functions that load a
// model or make a context turn into errors. Elsewhere they end the program in one line.
void nl2sql_guard(bool on);

// nl2sql_hold lets backends that this thread frees wait until it is called with false: around what makes a context.
void nl2sql_hold(bool hold);

// nl2sql_fail lets allocations fail behind so many that go well; -1 lets none fail.
void nl2sql_fail(int32_t after);

// nl2sql_one_by_one says whether pages of files that this thread maps come when they are read, and not all at once.
void nl2sql_one_by_one(bool yes);

// nl2sql_adopt sets a new context up: no embeddings, and every decode ends soon after *stop is no longer 0.
void nl2sql_adopt(struct llama_context *ctx, const int32_t *stop);

// nl2sql_vectors makes a context that makes a vector of each of so many texts, of that many tokens together: by the pooling
// that the model's file names, or as the mean of all tokens' states. They share one memory, so that they may share a batch,
// whatever their lengths. Every decode ends soon after *stop is no longer 0. Returns NULL if it cannot; the log says why.
struct llama_context *nl2sql_vectors(struct llama_model *model, int32_t tokens, int32_t texts, int32_t threads, bool mean, const int32_t *stop);

// nl2sql_embedding returns the vector of a sequence of the last decode, as wide as nl2sql_width says and valid until the next one, or NULL.
const float *nl2sql_embedding(struct llama_context *ctx, int32_t seq);
int32_t nl2sql_width(const struct llama_context *ctx);

void nl2sql_forget(struct llama_context *ctx); // all sequences
void nl2sql_free(struct llama_context *ctx);

void nl2sql_threads(struct llama_context *ctx, int32_t n);

// nl2sql_decode evaluates n tokens, each at a position of a sequence, and keeps the logits after those that want them.
// Returns 0, or llama_decode's code, or -100 for a C++ exception.
int32_t nl2sql_decode(struct llama_context *ctx, const int32_t *tokens, const int32_t *pos, const int32_t *seq, const int8_t *want, int32_t n);

// nl2sql_logits returns the logits after the i-th token of the last decode, valid until the next one, or NULL.
const float *nl2sql_logits(struct llama_context *ctx, int32_t i);

// nl2sql_state writes what the context holds of a sequence and returns its bytes, or 0 if it cannot. Without buf it
// only counts.
size_t nl2sql_state(struct llama_context *ctx, int32_t seq, uint8_t *buf, size_t size);

// nl2sql_set_state puts what nl2sql_state wrote in the place of a sequence.
bool nl2sql_set_state(struct llama_context *ctx, int32_t seq, const uint8_t *buf, size_t size);

// nl2sql_piece writes a token's text, control tokens as nothing, and returns its length or minus the length needed.
int32_t nl2sql_piece(const struct llama_vocab *vocab, int32_t token, char *buf, int32_t size);

int32_t nl2sql_bos(const struct llama_vocab *vocab); // the token that begins a text, or -1
uint32_t nl2sql_window(const struct llama_context *ctx); // tokens of a sequence
const char *nl2sql_system_info(void);
const char *nl2sql_commit(void);

#ifdef __cplusplus
}
#endif
#endif
