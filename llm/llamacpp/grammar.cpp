//go:build cgo && llamacpp

#include "grammar.h"

#include "../src/llama-grammar.h" // beside llama.h's folder
#include "llama.h"

#include <algorithm>
#include <cmath>
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

extern "C" llama_grammar *nl2sql_grammar_new(const llama_model *model, const char *text, char *why, size_t size) {
	nl2sql_guard(true);
	llama_grammar *g = nullptr;
	try {
		g = read(llama_model_get_vocab(model), text);
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

extern "C" void nl2sql_grammar_free(llama_grammar *g) { llama_grammar_free_impl(g); }

extern "C" size_t nl2sql_best(const float *logits, int32_t n_vocab, int32_t *tokens, size_t n) {
	const auto better = [logits](int32_t a, int32_t b) { return logits[a] != logits[b] ? logits[a] > logits[b] : a < b; };
	try {
		std::vector<int32_t> best; // a heap with the least likely on top
		for (int32_t t = 0; t < n_vocab; t++) {
			if (std::isnan(logits[t]) || (best.size() == n && !better(t, best.front()))) continue;
			if (best.size() == n) {
				std::pop_heap(best.begin(), best.end(), better);
				best.pop_back();
			}
			best.push_back(t);
			std::push_heap(best.begin(), best.end(), better);
		}
		std::sort_heap(best.begin(), best.end(), better);
		std::copy(best.begin(), best.end(), tokens);
		return best.size();
	} catch (...) {
		return 0;
	}
}
