//go:build cgo && llamacpp

#include "grammar.h"

#include "llama.cpp/src/llama-grammar.h"
#include "llama.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <stdio.h>

// read does what llama_grammar_parser::parse does, which prints its errors.
static llama_grammar *read(const llama_vocab *vocab, const char *text) {
	llama_grammar_parser parser(vocab);
	const std::string source = std::string("nl2sql-start ::= root\n") + text;
	for (const char *at = source.c_str(); *at != 0;) at = parser.parse_rule(at);
	for (const auto &symbol : parser.symbol_ids) {
		if (symbol.second >= parser.rules.size() || parser.rules[symbol.second].empty()) throw std::runtime_error("no rule " + symbol.first);
	}
	std::vector<const llama_grammar_element *> rules(parser.c_rules());
	return llama_grammar_init_impl(vocab, nullptr, rules.data(), rules.size(), parser.symbol_ids.at("nl2sql-start"));
}

extern "C" llama_grammar *nl2sql_grammar_new(const llama_vocab *vocab, const char *text, char *why, size_t size) {
	nl2sql_guard(true);
	llama_grammar *g = nullptr;
	try {
		g = read(vocab, text);
		if (g == nullptr) snprintf(why, size, "a rule begins with itself");
	} catch (const std::exception &e) {
		snprintf(why, size, "%s", e.what());
	}
	nl2sql_guard(false);
	return g;
}

extern "C" bool nl2sql_grammar_allows(llama_grammar *g, const int32_t *tokens, size_t n, bool *may) {
	nl2sql_guard(true);
	bool ok = true;
	try {
		std::vector<llama_token_data> data(n);
		for (size_t i = 0; i < n; i++) data[i] = {tokens[i], 0, 0};
		llama_token_data_array array = {data.data(), n, -1, false};
		llama_grammar_apply_impl(*g, &array);
		for (size_t i = 0; i < n; i++) {
			const bool control = (llama_vocab_get_attr(g->vocab, tokens[i]) & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) != 0;
			may[i] = data[i].logit == 0 && (!control || llama_vocab_is_eog(g->vocab, tokens[i]));
		}
	} catch (...) {
		ok = false;
	}
	nl2sql_guard(false);
	return ok;
}

extern "C" bool nl2sql_grammar_accept(llama_grammar *g, int32_t token) {
	nl2sql_guard(true);
	bool ok = true;
	try {
		llama_grammar_accept_impl(*g, token);
	} catch (...) {
		ok = false;
	}
	nl2sql_guard(false);
	return ok;
}

// only returns the one character that an element of a rule admits, or 0 if it admits others or the end of a text.
static uint32_t only(const llama_grammar_stack &stack) {
	if (stack.empty() || stack.back()->type != LLAMA_GRETYPE_CHAR) return 0;
	const llama_grammar_element *at = stack.back();
	const uint32_t c = at->value;
	for (at++; at->type == LLAMA_GRETYPE_CHAR_ALT || at->type == LLAMA_GRETYPE_CHAR_RNG_UPPER; at++) {
		if (at->value != c) return 0;
	}
	return c;
}

// only returns the one character that may come next, or 0 if others may, too.
static uint32_t only(const llama_grammar_stacks &stacks) {
	uint32_t c = 0;
	for (const auto &stack : stacks) {
		const uint32_t one = only(stack);
		if (one == 0 || (c != 0 && one != c)) return 0;
		c = one;
	}
	return c;
}

// utf8 writes a character and returns its bytes, 0 if it is none.
static size_t utf8(uint32_t c, char *out) {
	if (c < 0x80) return out[0] = char(c), 1;
	if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return 0;
	const size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	for (size_t i = n; --i > 0; c >>= 6) out[i] = char(0x80 | (c & 0x3f));
	out[0] = char((0xf00 >> n) | c);
	return n;
}

namespace {
// unmoved puts a grammar back to where it stood.
struct unmoved {
	llama_grammar_stacks &now, then;
	~unmoved() { now.swap(then); }
};
}

extern "C" size_t nl2sql_grammar_forced(llama_grammar *g, char *text, size_t size) {
	uint32_t c = only(g->stacks);
	if (c == 0 || g->partial_utf8.n_remain != 0) return 0;
	size_t used = 0, work = 1024; // stacks that are moved on
	nl2sql_guard(true);
	try {
		const unmoved after{g->stacks, g->stacks};
		for (; c != 0 && g->stacks.size() <= work; c = only(g->stacks)) {
			char bytes[4];
			const size_t n = utf8(c, bytes);
			if (n == 0 || n > size - used) break;
			std::copy(bytes, bytes + n, text + used);
			used += n;
			work -= g->stacks.size();
			llama_grammar_accept(g, c);
		}
	} catch (...) {
		used = 0; // it works without
	}
	nl2sql_guard(false);
	return used;
}

extern "C" void nl2sql_grammar_free(llama_grammar *g) { llama_grammar_free_impl(g); }
