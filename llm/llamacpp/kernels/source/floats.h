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

// few is how many columns the second matrix of an adapter has at most, for whose products multiply_block would spend its time on sums over lanes.
constexpr int few = 4 * count;

// multiply_few does the same for groups of 16 rows of few columns: they are turned into columns once, and each token's products have rows in their lanes.
// The sums are those of multiply_block, in its order; sums that no column adds to are zero, which is never -0, and are left out.
template <nl2sql_floats T> void multiply_few(const nl2sql_product *p, int64_t first, int groups, floats (*columns)[passes]) {
	using N = number<T>;
	for (int g = 0; g < groups; g++) {
		const char *weights = reinterpret_cast<const char *>(p->weights) + (first + count * g) * p->stride;
		for (int64_t from = 0; from < p->k; from += count) {
			const int64_t left                           = p->k - from < count ? p->k - from : count;
			char          rows[count][N::size * count] = {};
			for (int r = 0; r < count; r++) memcpy(rows[r], weights + r * p->stride + N::size * from, N::size * left);
			for (int of = 0; of < passes; of++) {
				for (int column = 0; column < count; column += width) {
					floats x[width];
					for (int i = 0; i < width; i++) x[i] = N::read(rows[width * of + i] + N::size * column);
					transpose(x);
					for (int i = 0; i < width && column + i < left; i++) columns[p->k * g + from + column + i][of] = x[i];
				}
			}
		}
	}
	for (int64_t token = 0; token < p->n; token++) {
		const float *x   = reinterpret_cast<const float *>(static_cast<const char *>(p->x) + token * p->row);
		float       *out = reinterpret_cast<float *>(reinterpret_cast<char *>(p->out) + token * p->result) + first;
		for (int g = 0; g < groups; g++, out += count) {
			const floats(*w)[passes] = columns + p->k * g;
			for (int of = 0; of < passes; of++) {
				floats sum[count]; // in registers, if all loops over it are unrolled
#pragma GCC unroll 16
				for (int i = 0; i < count; i++) sum[i] = i < p->k ? fma(w[i][of], every(x[i]), zero()) : zero();
				for (int64_t from = count; from < p->k; from += count) {
#pragma GCC unroll 16
					for (int i = 0; i < count; i++) {
						if (from + i < p->k) sum[i] = fma(w[from + i][of], every(x[from + i]), sum[i]);
					}
				}
				auto add = [&](int half) {
#pragma GCC unroll 8
					for (int i = 0; i < half; i++) sum[i] = sum[i] + sum[i + half];
				};
				if (p->k > 8) add(8);
				if (p->k > 4) add(4);
				add(2);
				add(1);
				store(out + width * of, sum[0]);
			}
		}
	}
}

template <nl2sql_floats T> void multiply_floats_of(const nl2sql_product *p, int64_t first, int64_t end) {
	if (p->k <= few) {
		floats    columns[4 * few][passes]; // of as many groups as fit
		const int most = int(4 * few / p->k);
		while (first + count <= end) {
			const int groups = int(end - first) / count < most ? int(end - first) / count : most;
			multiply_few<T>(p, first, groups, columns);
			first += groups * count;
		}
	}
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
