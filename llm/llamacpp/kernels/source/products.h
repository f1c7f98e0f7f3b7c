#pragma once

// Products of quantized weights and rows of rounded activations. Products of 32 are summed as integers, without rounding;
// a row of a result is summed in one order, whatever is computed beside it and by whichever set.

#include "weights.h"

namespace {

// round_runs rounds activations to 8 bits: ggml's Q8_0, or Q8_K, with a float's precision.
void round_runs(const float *x, int64_t first, int64_t end, int together, nl2sql_rounded *to) {
	for (; first < end; first += together) {
		const float *from = x + first * run;
		floats       peak = every(0.f);
		for (int i = 0; i < together * run; i += width) peak = larger(peak, magnitude(load(from + i)));
		const float  most = largest(peak), scale = most / 127;
		const floats inverse = every(most > 0 ? 127 / most : 0);
		for (int64_t r = first; r < first + together; r++, from += run) {
			nl2sql_rounded &block = to[r / 8];
			const int       at = r % 8;
			int32_t         half[2];
			for (int i = 0; i < run; i += width) store_bytes(block.q + at * run + i, nearest(load(from + i) * inverse));
			for (int i = 0; i < 2; i++) half[i] = total16(block.q + at * run + 16 * i);
			const int32_t sum = half[0] + half[1];
			block.scale[at]   = scale;
			block.part[at]    = scale * float(sum);
			block.sum[at]     = int16_t(sum);
			block.low[at]     = int8_t(sum & 63);
			block.high[at]    = int8_t(sum >> 6);
			for (int i = 0; i < 2; i++) block.half[2 * at + i] = int16_t(half[i]);
		}
	}
}

#if defined(__AVX512F__) || defined(__ARM_NEON)
constexpr int most = 8; // rows of activations that share a walk over the weights: as many as registers allow
#else
constexpr int most = 4;
#endif

// add_run adds to M rows of results the products of a run of weights, the i-th of a block of activations.
template <class W, int M> inline void add_run(floats *sum, const W &head, const uint8_t *p, int part, int i, const nl2sql_rounded *const *x) {
	floats scale[1], least = zero();
	ints   code[quads];
	head.read(p, part, scale, &least);
	W::codes::read(p + W::extra, part, code);
	ints          products[M];
	const int8_t *q[M];
	for (int m = 0; m < M; m++) q[m] = x[m]->q + i * run;
	if constexpr (by_sign && W::codes::bits == 8) {
		multiply_bytes<quads, M>(products, code, q);
	} else {
		for (int m = 0; m < M; m++) products[m] = dot<W::codes::bits, quads>(every(-W::offset * int32_t(x[m]->sum[i])), code, q[m]);
	}
	for (int m = 0; m < M; m++) {
		sum[m] = fma(to_floats(products[m]), scale[0] * every(x[m]->scale[i]), sum[m]);
		if constexpr (W::leasts) sum[m] = fma(least, every(x[m]->part[i]), sum[m]);
	}
}

// finish adds to a result the products of a block of 256, summed as whole numbers, and what the least weights, or the
// offset, make of the sums of activations.
template <class W> inline floats finish(const W &head, floats sum, ints products, ints sums, float scale) {
	if constexpr (W::leasts) return fma(to_floats(sums), head.dmin * every(scale), fma(to_floats(products), head.d * every(scale), sum));
	else return fma(to_floats(less(products, sums, 5)), head.d * every(scale), sum);
}

// add_block adds to M rows of results the products of a block of 256.
template <class W, int M> inline void add_block(floats *sum, const uint8_t *p, int part, const nl2sql_rounded *const *x) {
	constexpr int n = quads / W::scales;
	const W       head(p, part);
	ints          products[M], sums[M];
	for (int m = 0; m < M; m++) products[m] = sums[m] = every(int32_t(0));
	p += W::head;
	for (int i = 0; i < W::length / run; i++, p += run_size<W>) {
		ints code[quads], scale[W::scales];
		for (int s = 0; s < W::scales; s++) scale[s] = W::scale(p, s, part);
		W::codes::read(p + W::extra, part, code);
		for (int m = 0; m < M; m++) {
			for (int s = 0; s < W::scales; s++) {
				products[m] = scaled<W::codes::bits, n>(products[m], code + n * s, x[m]->q + i * run + 4 * n * s, pair(scale[s], scale[s]));
			}
		}
		if constexpr (!W::leasts) {
			for (int m = 0; m < M; m++) sums[m] = dot_words(sums[m], pair(scale[0], scale[1]), x[m]->half + 2 * i);
		} else if (i % 2 == 1) {
			const ints two = pair(W::least(p - run_size<W>, part), W::least(p, part));
			for (int m = 0; m < M; m++) sums[m] = dot_words(sums[m], two, x[m]->sum + i - 1);
		}
	}
	for (int m = 0; m < M; m++) sum[m] = finish(head, sum[m], products[m], sums[m], x[m]->scale[0]);
}

// add_runs adds those of a block whose runs are added up by themselves, the first the i-th of a block of activations.
template <class W, int M> inline void add_runs(floats *sum, const uint8_t *p, int part, int i, const nl2sql_rounded *const *x) {
	const W head(p, part);
	p += W::head;
	for (const int end = i + W::length / run; i < end; i++, p += run_size<W>) add_run<W, M>(sum, head, p, part, i, x);
}

// multiply computes the products of a group of rows of k weights and M rows of activations, in the registers from part on.
template <class W, int M, int turn> void multiply(const uint8_t *p, int part, int64_t k, const nl2sql_rounded *const *rows, float *const *out) {
	const nl2sql_rounded *x[M];
	floats                sum[turn][M];
	for (int m = 0; m < M; m++) {
		x[m] = rows[m];
		for (int t = 0; t < turn; t++) sum[t][m] = zero();
	}
	for (int64_t runs = k / run; runs > 0; runs -= 8) {
		if constexpr (W::in_runs) {
			for (int i = 0; i < 8 && i < runs; i += W::length / run, p += block_size<W>) {
				for (int t = 0; t < turn; t++) add_runs<W, M>(sum[t], p, part + t, i, x);
			}
		} else {
			for (int t = 0; t < turn; t++) add_block<W, M>(sum[t], p, part + t, x);
			p += block_size<W>;
		}
		for (int m = 0; m < M; m++) x[m]++;
	}
	for (int m = 0; m < M; m++) {
		for (int t = 0; t < turn; t++) store(out[m] + width * (part + t), sum[t][m]);
	}
}

// With one row of activations the registers for 16 lanes take turns at each block: weights come from memory then, and keep
// coming. With more, they take turns at a group of rows, which a cache holds.
template <class W, int M = most> void multiply_any(int m, const uint8_t *p, int64_t k, const nl2sql_rounded *const *x, float *const *out) {
	if constexpr (M > 0) {
		if (m == M) {
			constexpr int turn = M == 1 ? passes : 1;
			for (int part = 0; part < passes; part += turn) multiply<W, M, turn>(p, part, k, x, out);
			return;
		}
		multiply_any<W, M - 1>(m, p, k, x, out);
	}
}

inline const nl2sql_rounded *rounded_row(const nl2sql_product *p, int64_t i) {
	return reinterpret_cast<const nl2sql_rounded *>(static_cast<const char *>(p->x) + i * p->row);
}
inline float *result_row(const nl2sql_product *p, int64_t i) { return reinterpret_cast<float *>(reinterpret_cast<char *>(p->out) + i * p->result); }

// multiply_rows computes the products of groups with the rows of activations from the i-th.
template <class W> void multiply_rows(const nl2sql_product *p, int64_t first, int64_t end, int64_t i) {
	for (; i < p->n; i += most) {
		const int             m = p->n - i < most ? int(p->n - i) : most;
		const nl2sql_rounded *x[most];
		float                *out[most];
		for (int j = 0; j < m; j++) x[j] = rounded_row(p, i + j);
		for (int64_t g = first; g < end; g++) {
			for (int j = 0; j < m; j++) out[j] = result_row(p, i + j) + g * count;
			multiply_any<W>(m, p->weights + g * p->stride, p->k, x, out);
		}
	}
}

} // namespace
