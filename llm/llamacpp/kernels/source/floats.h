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

// As many sums as registers hold, of as many rows of weights and of activations.
#if defined(__AVX512F__)
constexpr int block_rows = 4, block_tokens = 4;
#else
constexpr int block_rows = 4, block_tokens = 3;
#endif
constexpr int64_t held = 64 << 10; // bytes of weights that stay in a cache while all tokens pass
constexpr int64_t part = 512;      // weights of a row that stay there while the registers for 16 lanes take their turns

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
	// add adds the products of weights from k, of which all registers together take count at a time. With one token the
	// registers of all sums take them at once: weights come from memory then, and keep coming.
	constexpr int turn = M == 1 ? passes : 1;
	auto          add  = [&](const char *const *from, const float *const *a, int64_t k, int64_t end) {
		for (int first = 0; first < passes; first += turn) {
			floats s[R][M][turn];
			for (int r = 0; r < R; r++) {
				for (int m = 0; m < M; m++) {
					for (int i = 0; i < turn; i++) s[r][m][i] = sum[r][m][first + i];
				}
			}
			for (int64_t at = k + width * first; at < end; at += count) {
				floats v[M][turn];
				for (int m = 0; m < M; m++) {
					for (int i = 0; i < turn; i++) v[m][i] = load(a[m] + at + width * i);
				}
				for (int r = 0; r < R; r++) {
					for (int i = 0; i < turn; i++) {
						const floats weight = N::read(from[r] + N::size * (at + width * i));
						for (int m = 0; m < M; m++) s[r][m][i] = fma(weight, v[m][i], s[r][m][i]);
					}
				}
			}
			for (int r = 0; r < R; r++) {
				for (int m = 0; m < M; m++) {
					for (int i = 0; i < turn; i++) sum[r][m][first + i] = s[r][m][i];
				}
			}
		}
	};
	const int64_t whole = p->k / count * count;
	for (int64_t k = 0; k < whole; k += part) add(w, x, k, k + part < whole ? k + part : whole);
	if (whole < p->k) { // the rest, and zeros
		char         rest[R][N::size * count] = {};
		float        last[M][count]           = {};
		const char  *from[R];
		const float *a[M];
		for (int r = 0; r < R; r++) {
			memcpy(rest[r], w[r] + N::size * whole, N::size * (p->k - whole));
			from[r] = rest[r];
		}
		for (int m = 0; m < M; m++) {
			memcpy(last[m], x[m] + whole, sizeof(float) * (p->k - whole));
			a[m] = last[m];
		}
		add(from, a, 0, count);
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
	const int64_t fit = held / int64_t(p->stride) / block_rows * block_rows, rows = fit > block_rows ? fit : block_rows;
	for (int64_t row = first; row < end; row += rows) {
		const int64_t last = row + rows < end ? row + rows : end;
		int64_t token = 0;
		for (; token + block_tokens <= p->n; token += block_tokens) multiply_tokens<T, block_tokens>(p, row, last, token);
		for (; token < p->n; token++) multiply_tokens<T, 1>(p, row, last, token);
	}
}

void multiply_floats(nl2sql_floats type, const nl2sql_product *p, int64_t first, int64_t end) {
	switch (type) {
	case NL2SQL_F32: return multiply_floats_of<NL2SQL_F32>(p, first, end);
	case NL2SQL_F16: return multiply_floats_of<NL2SQL_F16>(p, first, end);
	case NL2SQL_BF16: return multiply_floats_of<NL2SQL_BF16>(p, first, end);
	}
}

// adapt_tokens adds the products of M tokens with groups of rows that lie in columns.
template <int M> void adapt_tokens(const nl2sql_adaption *a, int64_t token, int64_t first, int groups, const floats (*columns)[passes]) {
	for (int g = 0; g < groups; g++) {
		const floats(*w)[passes] = columns + a->k * g;
		for (int of = 0; of < passes; of++) {
			floats sum[M];
#pragma GCC unroll 8
			for (int m = 0; m < M; m++) sum[m] = zero();
			for (int64_t i = 0; i < a->k; i++) {
#pragma GCC unroll 8
				for (int m = 0; m < M; m++) sum[m] = fma(w[i][of], every(a->x[(token + m) * a->k + i]), sum[m]);
			}
			const int64_t row = first + count * g + width * of;
#pragma GCC unroll 8
			for (int m = 0; m < M; m++) {
				const float *to = reinterpret_cast<const float *>(a->to + (token + m) * a->from) + row;
				store(reinterpret_cast<float *>(a->out + (token + m) * a->result) + row, fma(sum[m], every(a->scale), load(to)));
			}
		}
	}
}

template <nl2sql_floats T> void adapt_rows(const nl2sql_adaption *a, int64_t first, int64_t end) {
	using N = number<T>;
	floats columns[4 * NL2SQL_FEW][passes]; // of as many groups as fit
	while (first < end) {
		const int groups = int((end - first) / count < 4 * NL2SQL_FEW / a->k ? (end - first) / count : 4 * NL2SQL_FEW / a->k);
		for (int g = 0; g < groups; g++) {
			const char *weights = a->weights + (first + count * g) * a->k * N::size;
			for (int64_t from = 0; from < a->k; from += count) {
				const int64_t left                         = a->k - from < count ? a->k - from : count;
				char          rows[count][N::size * count] = {};
				for (int r = 0; r < count; r++) memcpy(rows[r], weights + N::size * (r * a->k + from), N::size * left);
				for (int of = 0; of < passes; of++) {
					for (int column = 0; column < count; column += width) {
						floats x[width];
						for (int i = 0; i < width; i++) x[i] = N::read(rows[width * of + i] + N::size * column);
						transpose(x);
						for (int i = 0; i < width && column + i < left; i++) columns[a->k * g + from + column + i][of] = x[i];
					}
				}
			}
		}
		int64_t token = 0;
		for (; token + 8 <= a->n; token += 8) adapt_tokens<8>(a, token, first, groups, columns);
		for (; token < a->n; token++) adapt_tokens<1>(a, token, first, groups, columns);
		first += groups * count;
	}
}

void adapt(nl2sql_floats type, const nl2sql_adaption *a, int64_t first, int64_t end) {
	switch (type) {
	case NL2SQL_F32: return adapt_rows<NL2SQL_F32>(a, first, end);
	case NL2SQL_F16: return adapt_rows<NL2SQL_F16>(a, first, end);
	case NL2SQL_BF16: return adapt_rows<NL2SQL_BF16>(a, first, end);
	}
}

} // namespace
