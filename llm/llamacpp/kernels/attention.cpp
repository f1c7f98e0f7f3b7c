//go:build cgo && llamacpp

#include "operations.h"

#include "kernels.h"

#include <algorithm>
#include <cstring>

// Attention as an operation of llama.cpp: which parts of it each thread has computed (kernels/source/attention.h).

namespace {

struct attention : ggml::cpu::tensor_traits {
	// heads_of returns how many heads have the same keys.
	static int64_t heads_of(const ggml_tensor *op) { return op->src[0]->ne[2] / op->src[1]->ne[2]; }

	// memory is a thread's, in numbers: a block's keys, and the values of the queries that share them.
	static int64_t memory(const ggml_tensor *op) { return op->src[1]->ne[0] * NL2SQL_CELLS + NL2SQL_TOGETHER * heads_of(op) * op->src[2]->ne[0]; }

	bool work_size(int threads, const ggml_tensor *op, size_t &bytes) override {
		bytes = threads * (memory(op) * sizeof(float) + NL2SQL_TOGETHER * heads_of(op) * sizeof(nl2sql_query)) + 64;
		return true;
	}

	bool compute_forward(ggml_compute_params *params, ggml_tensor *op) override {
		const nl2sql_set  *set = nl2sql_kernels_set();
		const ggml_tensor *q = op->src[0], *k = op->src[1], *v = op->src[2], *mask = op->src[3];
		const int64_t tokens = q->ne[1], streams = q->ne[3], groups = k->ne[2], same = heads_of(op), parts = (tokens + NL2SQL_TOGETHER - 1) / NL2SQL_TOGETHER;
		float scale;
		memcpy(&scale, op->op_params, sizeof scale);
		// With few groups of heads and tokens, threads share a group.
		int64_t split = 1;
		while (split < same && streams * groups * parts * split < params->nth) split++;
		const int64_t heads = (same + split - 1) / split;
		auto *keys    = reinterpret_cast<float *>(aligned(reinterpret_cast<uintptr_t>(params->wdata))) + params->ith * memory(op);
		auto *sums    = keys + k->ne[0] * NL2SQL_CELLS;
		auto *queries = reinterpret_cast<nl2sql_query *>(keys + (params->nth - params->ith) * memory(op)) + params->ith * NL2SQL_TOGETHER * same;
		auto  at      = [](const ggml_tensor *t, int64_t i2, int64_t i3) { return static_cast<char *>(t->data) + i2 * t->nb[2] + i3 * t->nb[3]; };
		share(params, streams * groups * parts * split, 1, [&](int64_t u, int64_t) {
			const int64_t stream = u / split / parts / groups, group = u / split / parts % groups;
			const int64_t from = u / split % parts * NL2SQL_TOGETHER, first = group * same + u % split * heads;
			const nl2sql_heads s = {at(q, 0, stream), at(k, group, stream), at(v, group, stream), at(mask, 0, stream % mask->ne[3]),
				static_cast<char *>(op->data) + stream * tokens * q->ne[2] * op->nb[1], q->nb[1], q->nb[2], k->nb[1], v->nb[1], mask->nb[1],
				q->ne[2] * op->nb[1], op->nb[1], k->ne[0], v->ne[0], k->ne[1], scale};
			set->attend(&s, from, std::min(tokens, from + NL2SQL_TOGETHER), first, std::min((group + 1) * same, first + heads), keys, sums, queries);
		});
		return true;
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
		k->ne[0] % 16 == 0 && v->ne[0] % 16 == 0 && k->ne[0] <= NL2SQL_SIZE && v->ne[0] <= NL2SQL_SIZE && k->ne[1] % NL2SQL_CELLS == 0 &&
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
