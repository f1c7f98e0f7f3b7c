#pragma once

// Products of weights that are not quantized, as they lie in a file, and rows of floats: those of adapters and of models
// of 16 or 32 bits. A product is summed in 16 lanes, then over them.

#include "lanes.h"

namespace {

using namespace lanes;

template <nl2sql_floats T> struct number;
template <> struct number<NL2SQL_F32> {
	static constexpr int size = 4;
	static floats        read(const char *p) { return load(reinterpret_cast<const float *>(p)); }
};
template <> struct number<NL2SQL_F16> {
	static constexpr int size = 2;
	static floats        read(const char *p) { return load_halves(p); }
};
template <> struct number<NL2SQL_BF16> {
	static constexpr int size = 2;
	static floats        read(const char *p) { return load_brains(p); }
};

#if defined(__AVX512F__)
constexpr int block_rows = 4, block_tokens = 4;
#else
constexpr int block_rows = 2, block_tokens = 2;
#endif

// multiply_block computes the products of R rows of weights and M rows of activations.
template <nl2sql_floats T, int R, int M> void multiply_block(const nl2sql_product *p, int64_t row, int64_t token) {
	using N = number<T>;
	const char  *w[R];
	const float *x[M];
	for (int r = 0; r < R; r++) w[r] = reinterpret_cast<const char *>(p->weights) + (row + r) * p->stride;
	for (int m = 0; m < M; m++) x[m] = reinterpret_cast<const float *>(static_cast<const char *>(p->x) + (token + m) * p->row);
	floats sum[R][M][passes];
	for (int r = 0; r < R; r++) {
		for (int m = 0; m < M; m++) {
			for (int i = 0; i < passes; i++) sum[r][m][i] = zero();
		}
	}
	auto add = [&](const char *const *from, const float *const *a) {
		for (int i = 0; i < passes; i++) {
			floats v[M];
			for (int m = 0; m < M; m++) v[m] = load(a[m] + width * i);
			for (int r = 0; r < R; r++) {
				const floats weight = N::read(from[r] + N::size * width * i);
				for (int m = 0; m < M; m++) sum[r][m][i] = fma(weight, v[m], sum[r][m][i]);
			}
		}
	};
	int64_t k = 0;
	for (; k + count <= p->k; k += count) {
		const char  *from[R];
		const float *a[M];
		for (int r = 0; r < R; r++) from[r] = w[r] + N::size * k;
		for (int m = 0; m < M; m++) a[m] = x[m] + k;
		add(from, a);
	}
	if (k < p->k) { // the rest, and zeros
		char         rest[R][N::size * count] = {};
		float        last[M][count]           = {};
		const char  *from[R];
		const float *a[M];
		for (int r = 0; r < R; r++) {
			memcpy(rest[r], w[r] + N::size * k, N::size * (p->k - k));
			from[r] = rest[r];
		}
		for (int m = 0; m < M; m++) {
			memcpy(last[m], x[m] + k, sizeof(float) * (p->k - k));
			a[m] = last[m];
		}
		add(from, a);
	}
	for (int m = 0; m < M; m++) {
		float *out = reinterpret_cast<float *>(reinterpret_cast<char *>(p->out) + (token + m) * p->result) + row;
		for (int r = 0; r < R; r++) out[r] = total(sum[r][m]);
	}
}

template <nl2sql_floats T, int M> void multiply_tokens(const nl2sql_product *p, int64_t first, int64_t end, int64_t token) {
	int64_t row = first;
	for (; row + block_rows <= end; row += block_rows) multiply_block<T, block_rows, M>(p, row, token);
	for (; row < end; row++) multiply_block<T, 1, M>(p, row, token);
}

template <nl2sql_floats T> void multiply_floats_of(const nl2sql_product *p, int64_t first, int64_t end) {
	int64_t token = 0;
	for (; token + block_tokens <= p->n; token += block_tokens) multiply_tokens<T, block_tokens>(p, first, end, token);
	for (; token < p->n; token++) multiply_tokens<T, 1>(p, first, end, token);
}

void multiply_floats(nl2sql_floats type, const nl2sql_product *p, int64_t first, int64_t end) {
	switch (type) {
	case NL2SQL_F32: return multiply_floats_of<NL2SQL_F32>(p, first, end);
	case NL2SQL_F16: return multiply_floats_of<NL2SQL_F16>(p, first, end);
	case NL2SQL_BF16: return multiply_floats_of<NL2SQL_BF16>(p, first, end);
	}
}

} // namespace
