//go:build cgo && llamacpp

// Grammars in llama.cpp's form (GBNF) and where an answer stands in one. No function lets a C++ exception out.
#ifndef NL2SQL_GRAMMAR_H
#define NL2SQL_GRAMMAR_H

#include "shim.h"

#ifdef __cplusplus
extern "C" {
#endif

struct llama_grammar;

// nl2sql_grammar_new reads a grammar whose first rule is root. Without success it returns NULL and writes why into
// at most size bytes. It must not outlive the model.
struct llama_grammar *nl2sql_grammar_new(const struct llama_vocab *vocab, const char *text, char *why, size_t size);

// nl2sql_grammar_allows tells of each of n tokens whether it may come next, tokens that end an answer where the grammar
// may end, other control tokens never. Returns false if llama.cpp failed.
bool nl2sql_grammar_allows(struct llama_grammar *g, const int32_t *tokens, size_t n, bool *may);

// nl2sql_grammar_accept moves on behind a token that is allowed and ends no answer. Returns false if llama.cpp failed.
bool nl2sql_grammar_accept(struct llama_grammar *g, int32_t token);

// nl2sql_grammar_forced writes whole characters, in at most size bytes, that every text begins with that may still come,
// and returns their bytes. It stops early where that would take long, and changes nothing.
size_t nl2sql_grammar_forced(struct llama_grammar *g, char *text, size_t size);

void nl2sql_grammar_free(struct llama_grammar *g);

#ifdef __cplusplus
}
#endif
#endif
