#pragma once

// Attention over keys and values of 16 bits, in blocks of 64 cells: scores of a block, their softmax beside what the
// blocks before gave, and the sum of values. A query's result depends on its cells and their numbers alone, whatever
// other queries share a block.

#include "lanes.h"

namespace {

using namespace lanes;

constexpr int cells = NL2SQL_CELLS;
constexpr int wide  = cells / width; // registers of a block's scores

#if defined(__AVX512F__)
constexpr int share = 6; // queries that share a walk over a block: as many as registers allow
#else
constexpr int share = 1;
#endif

// transpose_keys writes the keys of a block so that a vector has one number of several keys.
inline void transpose_keys(const char *key, size_t stride, int64_t dk, float *to) {
	for (int c = 0; c < cells; c += width) {
		for (int64_t d = 0; d < dk; d += width) {
			floats x[width];
			for (int i = 0; i < width; i++) x[i] = load_halves(key + (c + i) * stride + 2 * d);
			transpose(x);
			for (int i = 0; i < width; i++) store(to + (d + i) * cells + c, x[i]);
		}
	}
}

// add_values adds N times 16 numbers of a block's values, from the d-th, each times its weight.
template <int R, int N> void add_values(const nl2sql_heads *s, const char *values, nl2sql_query *const *row, const float (*weight)[cells], const float *keep, int64_t d) {
	constexpr int n = N * passes;
	floats        sum[R][n];
	for (int r = 0; r < R; r++) {
		for (int i = 0; i < n; i++) sum[r][i] = load(row[r]->sum + d + width * i) * every(keep[r]);
	}
	for (int c = 0; c < cells; c++) {
		floats v[n];
		for (int i = 0; i < n; i++) v[i] = load_halves(values + c * s->v_cell + 2 * (d + width * i));
		for (int r = 0; r < R; r++) {
			for (int i = 0; i < n; i++) sum[r][i] = fma(every(weight[r][c]), v[i], sum[r][i]);
		}
	}
	for (int r = 0; r < R; r++) {
		for (int i = 0; i < n; i++) store(row[r]->sum + d + width * i, sum[r][i]);
	}
}

// add_block adds a block of cells to R queries.
template <int R> void add_block(const nl2sql_heads *s, const float *keys, const char *values, nl2sql_query *const *row) {
	floats score[R][wide];
	for (int r = 0; r < R; r++) {
		for (int i = 0; i < wide; i++) score[r][i] = zero();
	}
	for (int64_t d = 0; d < s->dk; d++) {
		floats k[wide];
		for (int i = 0; i < wide; i++) k[i] = load(keys + d * cells + width * i);
		for (int r = 0; r < R; r++) {
			const floats q = every(row[r]->q[d]);
			for (int i = 0; i < wide; i++) score[r][i] = fma(q, k[i], score[r][i]);
		}
	}
	float weight[R][cells], keep[R];
	for (int r = 0; r < R; r++) {
		nl2sql_query &at  = *row[r];
		floats        top = every(-INFINITY);
		for (int i = 0; i < wide; i++) {
			score[r][i] = fma(score[r][i], every(s->scale), load_halves(at.mask + 2 * width * i));
			top         = larger(top, score[r][i]);
		}
		const float here = largest(top), most = at.most > here ? at.most : here;
		if (most == -INFINITY) { // nothing is seen yet
			keep[r] = 1;
			memset(weight[r], 0, sizeof weight[r]);
			continue;
		}
		keep[r] = first(exponential(every(at.most - most)));
		floats all[passes];
		for (int i = 0; i < passes; i++) all[i] = zero();
		for (int i = 0; i < wide; i++) {
			const floats w = exponential(score[r][i] - every(most));
			store(weight[r] + width * i, w);
			all[i % passes] = all[i % passes] + w;
		}
		at.all  = __builtin_fmaf(at.all, keep[r], total(all));
		at.most = most;
	}
	for (int64_t d = 0; d < s->dv; d += cells) {
		const int64_t left = s->dv - d;
		if (left >= 64) add_values<R, 4>(s, values, row, weight, keep, d);
		else if (left == 48) add_values<R, 3>(s, values, row, weight, keep, d);
		else if (left == 32) add_values<R, 2>(s, values, row, weight, keep, d);
		else add_values<R, 1>(s, values, row, weight, keep, d);
	}
}

template <int R = share> void add_block_to(int n, const nl2sql_heads *s, const float *keys, const char *values, nl2sql_query *const *row) {
	if constexpr (R > 0) {
		if (n == R) return add_block<R>(s, keys, values, row);
		add_block_to<R - 1>(n, s, keys, values, row);
	}
}

void attend(const nl2sql_heads *s, int64_t from, int64_t to, int64_t first, int64_t last, float *keys, float *sums, nl2sql_query *queries) {
	const int64_t heads = last - first;
	if (heads <= 0) return;
	for (int64_t i = 0; i < (to - from) * heads; i++) {
		const char *q = s->q + (from + i / heads) * s->q_token + (first + i % heads) * s->q_head;
		queries[i]    = {reinterpret_cast<const float *>(q), nullptr, sums + i * s->dv, -INFINITY, 0};
	}
	memset(sums, 0, (to - from) * heads * s->dv * sizeof *sums);
	for (int64_t cell = 0; cell < s->cells; cell += cells) {
		bool          ready = false;
		nl2sql_query *row[share];
		int           n = 0;
		auto flush = [&] {
			add_block_to(n, s, keys, s->v + cell * s->v_cell, row);
			n = 0;
		};
		for (int64_t token = from; token < to; token++) {
			const char *mask = s->mask + token * s->mask_token + 2 * cell;
			if (all_are(mask, 0xfc00)) continue; // minus infinity: it sees none of them
			if (!ready) {
				transpose_keys(s->k + cell * s->k_cell, s->k_cell, s->dk, keys);
				ready = true;
			}
			for (int64_t h = 0; h < heads; h++) {
				nl2sql_query &q = queries[(token - from) * heads + h];
				q.mask          = mask;
				row[n++]        = &q;
				if (n == share) flush();
			}
		}
		if (n > 0) flush();
	}
	for (int64_t i = 0; i < (to - from) * heads; i++) {
		float       *out = reinterpret_cast<float *>(s->out + (from + i / heads) * s->out_token + (first + i % heads) * s->out_head);
		const float  all = queries[i].all > 0 ? 1 / queries[i].all : 0;
		for (int64_t d = 0; d < s->dv; d++) out[d] = queries[i].sum[d] * all;
	}
}

} // namespace
