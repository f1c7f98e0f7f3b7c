//go:build cgo && llamacpp

#include "attention.h"

#include "kernels.h"

#ifdef NL2SQL_LANES

#include <algorithm>
#include <cmath>
#include <cstring>

// Attention over keys and values of 16 bits, in blocks of 64 cells: scores of a block, their softmax beside what the
// blocks before gave, and the sum of values. A query's result depends on its cells and their numbers alone, whatever
// other queries share a block.

namespace {

using namespace lanes;

constexpr int cells = 64; // of a block
constexpr int wide  = cells / count;
constexpr int most  = 6;   // queries that share a walk over a block
constexpr int size  = 256; // longest keys and values

// shape is what of the operation's tensors is needed.
struct shape {
	const ggml_tensor *q, *k, *v, *mask;
	ggml_tensor       *out;
	int64_t            dk, dv, tokens, heads, streams, n, share; // n: cells; share: heads that have the same keys
	float              scale;

	explicit shape(ggml_tensor *op)
		: q(op->src[0]), k(op->src[1]), v(op->src[2]), mask(op->src[3]), out(op), dk(k->ne[0]), dv(v->ne[0]), tokens(q->ne[1]),
		  heads(q->ne[2]), streams(q->ne[3]), n(k->ne[1]), share(heads / k->ne[2]) {
		memcpy(&scale, op->op_params, sizeof scale);
	}
	static const char *at(const ggml_tensor *t, int64_t i1, int64_t i2, int64_t i3) {
		return static_cast<const char *>(t->data) + i1 * t->nb[1] + i2 * t->nb[2] + i3 * t->nb[3];
	}
	const float *query(int64_t token, int64_t head, int64_t stream) const { return reinterpret_cast<const float *>(at(q, token, head, stream)); }
	const char *key(int64_t cell, int64_t group, int64_t stream) const { return at(k, cell, group, stream); }
	const char *value(int64_t cell, int64_t group, int64_t stream) const { return at(v, cell, group, stream); }
	const char *masks(int64_t token, int64_t cell, int64_t stream) const {
		return at(mask, token, 0, stream % mask->ne[3]) + cell * sizeof(ggml_fp16_t);
	}
	float *result(int64_t token, int64_t head, int64_t stream) const {
		return reinterpret_cast<float *>(static_cast<char *>(out->data) + ((stream * tokens + token) * heads + head) * out->nb[1]);
	}
};

// transpose writes the keys of a block so that a vector has one number of 16 keys.
void transpose(const char *key, size_t stride, int64_t dk, float *to) {
	for (int c = 0; c < cells; c += 16) {
		for (int64_t d = 0; d < dk; d += 16) {
#ifdef NL2SQL_512
			__m512 a[16], b[16];
			for (int i = 0; i < 16; i++) a[i] = _mm512_cvtph_ps(load32(key + (c + i) * stride + d * sizeof(ggml_fp16_t)));
			for (int i = 0; i < 16; i += 2) { // pairs, then fours of numbers within each quarter of a vector
				b[i]     = _mm512_unpacklo_ps(a[i], a[i + 1]);
				b[i + 1] = _mm512_unpackhi_ps(a[i], a[i + 1]);
			}
			for (int i = 0; i < 16; i += 4) {
				auto pair = [&](int j) { return _mm512_castps_pd(b[j]); };
				a[i]     = _mm512_castpd_ps(_mm512_unpacklo_pd(pair(i), pair(i + 2)));
				a[i + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(pair(i), pair(i + 2)));
				a[i + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(pair(i + 1), pair(i + 3)));
				a[i + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(pair(i + 1), pair(i + 3)));
			}
			for (int i = 0; i < 4; i++) { // quarters
				__m512 even = _mm512_shuffle_f32x4(a[i], a[i + 4], 0x88), odd = _mm512_shuffle_f32x4(a[i], a[i + 4], 0xdd);
				__m512 more = _mm512_shuffle_f32x4(a[i + 8], a[i + 12], 0x88), rest = _mm512_shuffle_f32x4(a[i + 8], a[i + 12], 0xdd);
				_mm512_storeu_ps(to + (d + i) * cells + c, _mm512_shuffle_f32x4(even, more, 0x88));
				_mm512_storeu_ps(to + (d + i + 4) * cells + c, _mm512_shuffle_f32x4(odd, rest, 0x88));
				_mm512_storeu_ps(to + (d + i + 8) * cells + c, _mm512_shuffle_f32x4(even, more, 0xdd));
				_mm512_storeu_ps(to + (d + i + 12) * cells + c, _mm512_shuffle_f32x4(odd, rest, 0xdd));
			}
#else
			for (int i = 0; i < 16; i++) {
				float number[16];
				store(number, load_halves(key + (c + i) * stride + d * sizeof(ggml_fp16_t)));
				for (int j = 0; j < 16; j++) to[(d + j) * cells + c + i] = number[j];
			}
#endif
		}
	}
}

// sees reports whether a token sees any cell of a block.
bool sees(const char *mask) {
	const __m256i hidden = _mm256_set1_epi16(short(0xfc00)); // minus infinity
	__m256i       all    = hidden;
	for (int i = 0; i < cells / count; i++) all = _mm256_and_si256(all, _mm256_cmpeq_epi16(load32(mask + 32 * i), hidden));
	return _mm256_movemask_epi8(_mm256_cmpeq_epi16(all, hidden)) != -1;
}

// query is one that is worked on.
struct query {
	const float *q;
	const char  *mask; // of the block's cells
	float       *sum;  // of values, each times its weight
	float        most, all; // the largest score, and the sum of weights
};

// attend adds a block of cells to R queries.
template <int R> void attend(const shape &s, const float *keys, const char *values, query *const *row) {
	floats score[R][wide];
	for (int r = 0; r < R; r++) {
		for (int i = 0; i < wide; i++) score[r][i] = zero();
	}
	for (int64_t d = 0; d < s.dk; d++) {
		floats k[wide];
		for (int i = 0; i < wide; i++) k[i] = load(keys + d * cells + 16 * i);
		for (int r = 0; r < R; r++) {
			const floats q = every(row[r]->q[d]);
			for (int i = 0; i < wide; i++) score[r][i] = fma(q, k[i], score[r][i]);
		}
	}
	float weight[R][cells], keep[R];
	for (int r = 0; r < R; r++) {
		query &at = *row[r];
		floats top = every(-INFINITY);
		for (int i = 0; i < wide; i++) {
			score[r][i] = fma(score[r][i], every(s.scale), load_halves(at.mask + 32 * i));
			top         = larger(top, score[r][i]);
		}
		const float most = std::max(at.most, lanes::largest(top));
		if (most == -INFINITY) { // nothing is seen yet
			keep[r] = 1;
			memset(weight[r], 0, sizeof weight[r]);
			continue;
		}
		keep[r] = first(exponential(every(at.most - most)));
		floats all = zero();
		for (int i = 0; i < wide; i++) {
			const floats w = exponential(score[r][i] - every(most));
			store(weight[r] + 16 * i, w);
			all = all + w;
		}
		at.all  = std::fma(at.all, keep[r], total(all));
		at.most = most;
	}
	for (int64_t d = 0; d < s.dv; d += cells) {
		const int n = std::min<int64_t>(wide, (s.dv - d) / 16);
		floats sum[R][wide];
		for (int r = 0; r < R; r++) {
			for (int i = 0; i < n; i++) sum[r][i] = load(row[r]->sum + d + 16 * i) * every(keep[r]);
		}
		auto add = [&](auto width) {
			for (int c = 0; c < cells; c++) {
				floats v[width];
				for (int i = 0; i < width; i++) v[i] = load_halves(values + c * s.v->nb[1] + (d + 16 * i) * sizeof(ggml_fp16_t));
				for (int r = 0; r < R; r++) {
					for (int i = 0; i < width; i++) sum[r][i] = fma(every(weight[r][c]), v[i], sum[r][i]);
				}
			}
		};
		switch (n) {
		case 1: add(std::integral_constant<int, 1>()); break;
		case 2: add(std::integral_constant<int, 2>()); break;
		case 3: add(std::integral_constant<int, 3>()); break;
		default: add(std::integral_constant<int, wide>());
		}
		for (int r = 0; r < R; r++) {
			for (int i = 0; i < n; i++) store(row[r]->sum + d + 16 * i, sum[r][i]);
		}
	}
}

template <int R = most> void attend_any(int n, const shape &s, const float *keys, const char *values, query *const *row) {
	if constexpr (R > 0) {
		if (n == R) return attend<R>(s, keys, values, row);
		attend_any<R - 1>(n, s, keys, values, row);
	}
}

constexpr int together = 16; // tokens that share transposed keys

struct attention : ggml::cpu::tensor_traits {
	// memory is a thread's, in numbers.
	static int64_t memory(const shape &s) { return s.dk * cells + together * s.share * s.dv; }

	bool work_size(int threads, const ggml_tensor *op, size_t &bytes) override {
		const shape s(const_cast<ggml_tensor *>(op));
		bytes = threads * (memory(s) * sizeof(float) + together * s.share * sizeof(query)) + 64;
		return true;
	}

	bool compute_forward(ggml_compute_params *params, ggml_tensor *op) override {
		const shape s(op);
		const int64_t groups = s.k->ne[2], parts = (s.tokens + together - 1) / together;
		// With few groups of heads and tokens, threads share a group.
		int64_t split = 1;
		while (split < s.share && s.streams * groups * parts * split < params->nth) split++;
		const int64_t heads = (s.share + split - 1) / split;
		auto *keys    = reinterpret_cast<float *>((reinterpret_cast<uintptr_t>(params->wdata) + 63) / 64 * 64) + params->ith * memory(s);
		auto *sums    = keys + s.dk * cells;
		auto *queries = reinterpret_cast<query *>(keys + (params->nth - params->ith) * memory(s)) + params->ith * together * s.share;
		if (params->ith == 0) ggml_threadpool_chunk_set(params->threadpool, params->nth);
		ggml_barrier(params->threadpool);
		for (int64_t u = params->ith; u < s.streams * groups * parts * split; u = ggml_threadpool_chunk_add(params->threadpool, 1)) {
			const int64_t stream = u / split / parts / groups, group = u / split / parts % groups;
			const int64_t from = u / split % parts * together, to = std::min(s.tokens, from + together);
			const int64_t first = group * s.share + u % split * heads, last = std::min((group + 1) * s.share, first + heads);
			work(s, stream, group, from, to, first, last, keys, sums, queries);
		}
		return true;
	}

	// work computes the results of some tokens' and heads' queries.
	static void work(const shape &s, int64_t stream, int64_t group, int64_t from, int64_t to, int64_t first, int64_t last, float *keys, float *sums, query *queries) {
		const int64_t heads = last - first;
		if (heads <= 0) return;
		for (int64_t i = 0; i < (to - from) * heads; i++) {
			queries[i] = {s.query(from + i / heads, first + i % heads, stream), nullptr, sums + i * s.dv, -INFINITY, 0};
		}
		memset(sums, 0, (to - from) * heads * s.dv * sizeof *sums);
		for (int64_t cell = 0; cell < s.n; cell += cells) {
			bool ready = false;
			query *row[most];
			int    n = 0;
			auto flush = [&] {
				attend_any(n, s, keys, s.value(cell, group, stream), row);
				n = 0;
			};
			for (int64_t token = from; token < to; token++) {
				const char *mask = s.masks(token, cell, stream);
				if (!sees(mask)) continue;
				if (!ready) {
					transpose(s.key(cell, group, stream), s.k->nb[1], s.dk, keys);
					ready = true;
				}
				for (int64_t h = 0; h < heads; h++) {
					query &q = queries[(token - from) * heads + h];
					q.mask   = mask;
					row[n++] = &q;
					if (n == most) flush();
				}
			}
			if (n > 0) flush();
		}
		for (int64_t i = 0; i < (to - from) * heads; i++) {
			float      *out = s.result(from + i / heads, first + i % heads, stream);
			const float all = queries[i].all > 0 ? 1 / queries[i].all : 0;
			for (int64_t d = 0; d < s.dv; d++) out[d] = queries[i].sum[d] * all;
		}
	}
};

} // namespace

ggml::cpu::tensor_traits *nl2sql_attention(const ggml_tensor *op) {
	static attention ours;
	const ggml_tensor *q = op->src[0], *k = op->src[1], *v = op->src[2], *mask = op->src[3];
	float more[2]; // ALiBi's largest bias, and the limit of scores
	memcpy(more, op->op_params + 1, sizeof more);
	const bool good = mask != nullptr && op->src[4] == nullptr && more[0] == 0 && more[1] == 0 && q->type == GGML_TYPE_F32 &&
		k->type == GGML_TYPE_F16 && v->type == GGML_TYPE_F16 && mask->type == GGML_TYPE_F16 && mask->ne[2] == 1 &&
		k->nb[0] == sizeof(ggml_fp16_t) && v->nb[0] == sizeof(ggml_fp16_t) && q->nb[0] == sizeof(float) &&
		k->ne[0] % 16 == 0 && v->ne[0] % 16 == 0 && k->ne[0] <= size && v->ne[0] <= size && k->ne[1] % cells == 0 &&
		k->ne[2] == v->ne[2] && q->ne[2] % k->ne[2] == 0 && k->ne[3] == q->ne[3] && v->ne[3] == q->ne[3];
	return good ? &ours : nullptr;
}

extern "C" bool nl2sql_attention_test(int32_t threads, int32_t size, int32_t heads, int32_t groups, int32_t tokens, int32_t cells,
	const float *q, const uint16_t *k, const uint16_t *v, const uint16_t *mask, float scale, float *out) {
	ggml_context *c = ggml_init({size_t(256) << 20, nullptr, false});
	auto tensor = [&](ggml_type type, int64_t n1, int64_t n2, const void *data, int64_t n0) {
		ggml_tensor *t = ggml_new_tensor_3d(c, type, n0, n1, n2);
		memcpy(t->data, data, ggml_nbytes(t));
		return t;
	};
	ggml_tensor *op = ggml_flash_attn_ext(c, tensor(GGML_TYPE_F32, tokens, heads, q, size), tensor(GGML_TYPE_F16, cells, groups, k, size),
		tensor(GGML_TYPE_F16, cells, groups, v, size), tensor(GGML_TYPE_F16, tokens, 1, mask, cells), scale, 0, 0);
	const bool ours = nl2sql_attention(op) != nullptr;
	ggml_cgraph *graph = ggml_new_graph(c);
	ggml_build_forward_expand(graph, op);
	ggml_graph_compute_with_ctx(c, graph, threads);
	memcpy(out, op->data, ggml_nbytes(op));
	ggml_free(c);
	return ours;
}

#else

extern "C" bool nl2sql_attention_test(int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, const float *, const uint16_t *, const uint16_t *,
	const uint16_t *, float, float *) {
	return false;
}

#endif
