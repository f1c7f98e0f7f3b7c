//go:build cgo && llamacpp

#include "kernels.h"
#include "operations.h"

#include <cstring>

// What an adapter adds to a product, W x + scale * B (A x), as three operations of llama.cpp: the product with B, the scaling, the
// addition. They would write and read the rows of the result six times. Here the first two hand on A x, in the first of their
// room, and the addition computes all of it.

namespace {

char adapts; // where extra of a B points

// second returns the product with B that op is a step after, or is; NULL if it is none.
const ggml_tensor *second(const ggml_tensor *op) {
	if (op->op == GGML_OP_ADD) op = op->src[1];
	if (op->op == GGML_OP_SCALE) op = op->src[0];
	return op->op == GGML_OP_MUL_MAT && op->src[0]->extra == &adapts ? op : nullptr;
}

struct step : ggml::cpu::tensor_traits {
	bool work_size(int, const ggml_tensor *op, size_t &size) override {
		size = op->op == GGML_OP_ADD ? ggml_nbytes(second(op)->src[1]) : 0;
		return true;
	}

	bool compute_forward(ggml_compute_params *params, ggml_tensor *op) override {
		const ggml_tensor *product = second(op), *b = product->src[0], *in = product->src[1];
		const size_t       bytes   = ggml_nbytes(in);
		if (op->op != GGML_OP_ADD) {
			const void *from = op == product ? in->data : product->data;
			if (params->ith == 0 && op->data != from) memcpy(op->data, from, bytes);
			return true;
		}
		// The result may lie where A x does.
		if (params->ith == 0) memcpy(params->wdata, op->src[1]->data, bytes);
		float scale;
		memcpy(&scale, op->src[1]->op_params, sizeof scale);
		const ggml_tensor *to     = op->src[0];
		const nl2sql_set  *set    = nl2sql_kernels_set();
		const int64_t      groups = b->ne[1] / NL2SQL_ROWS;
		share(params, groups, std::max<int64_t>(1, groups / (4 * params->nth)), [&](int64_t first, int64_t end) {
			const nl2sql_adaption a = {static_cast<const char *>(b->data), b->ne[0], in->ne[1], static_cast<const float *>(params->wdata),
				static_cast<const char *>(to->data), to->nb[1], static_cast<char *>(op->data), op->nb[1], scale};
			set->adapt(b->type == GGML_TYPE_F16 ? NL2SQL_F16 : NL2SQL_F32, &a, first * NL2SQL_ROWS, end * NL2SQL_ROWS);
		});
		return true;
	}
};

} // namespace

ggml::cpu::tensor_traits *nl2sql_adapted(const ggml_tensor *op) {
	static step ours;
	if (op->op != GGML_OP_MUL_MAT && op->op != GGML_OP_SCALE && (op->op != GGML_OP_ADD || op->src[1]->op != GGML_OP_SCALE)) return nullptr;
	return second(op) != nullptr ? &ours : nullptr;
}

extern "C" void nl2sql_adapts(ggml_tensor *b) {
	const bool type = b->type == GGML_TYPE_F16 || b->type == GGML_TYPE_F32;
	if (type && b->ne[0] <= NL2SQL_FEW && b->ne[1] % NL2SQL_ROWS == 0) b->extra = &adapts;
}
