//go:build cgo && llamacpp

#include "kernels.h"
#include "operations.h"

#include "source/weights.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

// Products of weights and rows of activations. Quantized weights are reordered while they are loaded (kernels/source/weights.h)
// and lie in buffers of their own; others are used where llama.cpp put them.

namespace {

// reorder writes 16 rows of k weights in our order.
template <class W> void reorder(uint8_t *p, const void *rows, int64_t k) {
	auto *block = static_cast<const typename W::block *>(rows);
	const int64_t n = k / W::length;
	for (int64_t b = 0; b < n; b++) {
		uint8_t *head = p;
		p += W::head;
		for (int i = 0; i < W::length / run; i++) {
			for (int row = 0; row < count; row++) {
				W::write(block[row * n + b], i, row, head, p);
				W::pack(block[row * n + b], i, row, p + W::extra);
			}
			p += run_size<W>;
		}
	}
}

// kind is what is done with a type of tensors.
struct kind {
	ggml_type type;
	int       length;
	size_t    block; // bytes of 16 rows of length weights
	void (*reorder)(uint8_t *p, const void *rows, int64_t k);

	size_t group(int64_t k) const { return k / length * block; } // bytes of 16 rows of k weights
};

template <class W> constexpr kind of(ggml_type type) { return {type, W::length, block_size<W>, reorder<W>}; }

const kind kinds[] = {
#define F(type, ...) of<__VA_ARGS__>(type),
	KINDS(F)
#undef F
};

// find returns how a tensor's products are computed, or NULL if llama.cpp is to do it.
const kind *find(const ggml_tensor *t) {
	if (ggml_n_dims(t) != 2 || t->ne[1] % count != 0) return nullptr;
	for (const kind &k : kinds) {
		if (k.type == t->type && t->ne[0] % k.length == 0) return &k;
	}
	return nullptr;
}

ggml_tensor matrix(int32_t type, int64_t k, int64_t rows) {
	ggml_tensor t = {};
	t.type  = ggml_type(type);
	t.ne[0] = k;
	t.ne[1] = rows;
	t.ne[2] = t.ne[3] = 1;
	return t;
}

// weights_of returns the type of weights that are used as they lie, or -1.
int weights_of(const ggml_tensor *t) {
	switch (t->type) {
	case GGML_TYPE_F32: return NL2SQL_F32;
	case GGML_TYPE_F16: return NL2SQL_F16;
	case GGML_TYPE_BF16: return NL2SQL_BF16;
	default: return -1;
	}
}

// slices calls f with each matrix of a tensor's rows.
template <class F> void slices(const ggml_tensor *t, F f) {
	for (int64_t i = 0; i < t->ne[2] * t->ne[3]; i++) f(i % t->ne[2], i / t->ne[2]);
}

char *at(const ggml_tensor *t, int64_t i2, int64_t i3) { return static_cast<char *>(t->data) + i2 * t->nb[2] + i3 * t->nb[3]; }

// quantized computes products of reordered weights.
struct quantized : ggml::cpu::tensor_traits {
	int number;
	explicit quantized(int number) : number(number) {}

	bool work_size(int, const ggml_tensor *op, size_t &size) override {
		size = 64 + ggml_nrows(op->src[1]) * nl2sql_rounded_size(op->src[1]->ne[0]);
		return true;
	}

	bool compute_forward(ggml_compute_params *params, ggml_tensor *op) override {
		const nl2sql_set  *set = nl2sql_kernels_set();
		const ggml_tensor *weights = op->src[0], *in = op->src[1];
		const int64_t      k = in->ne[0], n = in->ne[1], groups = weights->ne[1] / count, length = kinds[number].length, blocks = k / length;
		const size_t       bytes = nl2sql_rounded_size(k);
		auto              *x     = reinterpret_cast<char *>(aligned(reinterpret_cast<uintptr_t>(params->wdata)));
		const int64_t      from = blocks * params->ith / params->nth * length / run, to = blocks * (params->ith + 1) / params->nth * length / run;
		auto              *row = x;
		slices(in, [&](int64_t i2, int64_t i3) {
			for (int64_t i = 0; i < n; i++, row += bytes) {
				set->round(reinterpret_cast<const float *>(at(in, i2, i3) + i * in->nb[1]), from, to, length / run, reinterpret_cast<nl2sql_rounded *>(row));
			}
		});
		// A part of the groups fits into the second cache, and there are enough parts for threads that are not equally fast.
		const size_t  size = kinds[number].group(k);
		const int64_t part = std::clamp<int64_t>(groups / (8 * params->nth), 1, std::max<int64_t>(1, (256 << 10) / size));
		share(params, groups, part, [&](int64_t first, int64_t end) {
			const char *rows = x;
			slices(in, [&](int64_t i2, int64_t i3) {
				const nl2sql_product p = {static_cast<const uint8_t *>(weights->data), size, k, n, rows, bytes,
					reinterpret_cast<float *>(at(op, i2, i3)), op->nb[1]};
				set->multiply(number, &p, first, end);
				rows += n * bytes;
			});
		});
		return true;
	}
};

// plain_floats computes products of weights that are not quantized.
struct plain_floats : ggml::cpu::tensor_traits {
	bool work_size(int, const ggml_tensor *, size_t &size) override {
		size = 0;
		return true;
	}

	bool compute_forward(ggml_compute_params *params, ggml_tensor *op) override {
		const nl2sql_set  *set = nl2sql_kernels_set();
		const ggml_tensor *weights = op->src[0], *in = op->src[1];
		const int64_t      rows = weights->ne[1], n = in->ne[1], step = rows < 8 * count ? 4 : count; // what kernels take at once
		if (step < count && n >= 16 * params->nth) { // an adapter's first matrix: activations are read once, by tokens
			share(params, n, 16, [&](int64_t first, int64_t end) {
				slices(in, [&](int64_t i2, int64_t i3) {
					const nl2sql_product p = {static_cast<const uint8_t *>(weights->data), weights->nb[1], in->ne[0], end - first, at(in, i2, i3) + first * in->nb[1],
						in->nb[1], reinterpret_cast<float *>(at(op, i2, i3) + first * op->nb[1]), op->nb[1]};
					set->multiply_floats(nl2sql_floats(weights_of(weights)), &p, 0, rows);
				});
			});
			return true;
		}
		share(params, rows, std::max(step, (rows / (8 * params->nth) + step - 1) / step * step), [&](int64_t first, int64_t end) {
			slices(in, [&](int64_t i2, int64_t i3) {
				const nl2sql_product p = {static_cast<const uint8_t *>(weights->data), weights->nb[1], in->ne[0], in->ne[1], at(in, i2, i3), in->nb[1],
					reinterpret_cast<float *>(at(op, i2, i3)), op->nb[1]};
				set->multiply_floats(nl2sql_floats(weights_of(weights)), &p, first, end);
			});
		});
		return true;
	}

	// does reports whether an operation is one of these.
	static bool does(const ggml_tensor *op) {
		const ggml_tensor *weights = op->src[0], *in = op->src[1];
		return op->op == GGML_OP_MUL_MAT && weights_of(weights) >= 0 && in->type == GGML_TYPE_F32 && in->nb[0] == sizeof(float) && op->nb[0] == sizeof(float) &&
			weights->nb[0] == ggml_type_size(weights->type) && weights->ne[2] == 1 && weights->ne[3] == 1;
	}
};

// The buffers that hold reordered weights.

ggml_backend_buffer_type buffers();
ggml_backend_buffer_type_t ours() {
	static ggml_backend_buffer_type type = buffers();
	return &type;
}

quantized *find_quantized(const ggml_tensor *t) {
	static std::vector<quantized> all = [] {
		std::vector<quantized> all;
		for (size_t i = 0; i < std::size(kinds); i++) all.emplace_back(int(i));
		return all;
	}();
	const kind *k = find(t);
	return k == nullptr ? nullptr : &all[k - kinds];
}

bool is_ours(const ggml_tensor *op) {
	return op->op == GGML_OP_MUL_MAT && op->src[0]->buffer != nullptr && op->src[0]->buffer->buft == ours();
}

std::atomic<bool> used{true}; // by models that are loaded now

struct type_context : ggml::cpu::extra_buffer_type {
	bool supports_op(ggml_backend_dev_t, const ggml_tensor *op) override {
		return used && is_ours(op) && find(op->src[0]) != nullptr && op->src[1]->type == GGML_TYPE_F32 && op->src[1]->nb[0] == sizeof(float) &&
			(op->src[1]->buffer == nullptr || ggml_backend_buft_is_host(op->src[1]->buffer->buft));
	}
	ggml::cpu::tensor_traits *get_tensor_traits(const ggml_tensor *op) override {
		static plain_floats floats;
		if (is_ours(op)) return find_quantized(op->src[0]);
		if (ggml::cpu::tensor_traits *step = nl2sql_adapted(op)) return step;
		if (!used) return nullptr;
		if (op->op == GGML_OP_FLASH_ATTN_EXT) return nl2sql_attention(op);
		return plain_floats::does(op) ? &floats : nullptr;
	}
};

#ifdef __linux__
// advise tells what is done with the pages that lie whole in a piece of memory (madvise(2)). A system may pass it over.
void advise(const void *start, size_t size, int advice) {
	const uintptr_t page = sysconf(_SC_PAGESIZE), first = (reinterpret_cast<uintptr_t>(start) + page - 1) / page * page, end = (reinterpret_cast<uintptr_t>(start) + size) / page * page;
	if (first < end) madvise(reinterpret_cast<void *>(first), end - first, advice);
}
#endif

// give_back says that what was reordered is not read again: pages of a mapped file leave the memory of this process, and
// come back from the file should somebody read them all the same. Where the model is no mapped file, it lies in a
// buffer that the next weights are read into.
void give_back(const void *start, size_t size) {
#ifdef __linux__
	advise(start, size, MADV_DONTNEED);
#endif
}

void set_tensor(ggml_backend_buffer_t, ggml_tensor *t, const void *data, size_t offset, size_t size) {
	GGML_ASSERT(offset == 0 && size == ggml_nbytes(t));
	const kind   *k      = find(t);
	const int64_t groups = t->ne[1] / count, threads = std::clamp<int64_t>(std::thread::hardware_concurrency(), 1, 8);
	const size_t  bytes  = k->group(t->ne[0]);
	std::atomic<int64_t> next{0};
	auto some = [&] {
		for (int64_t g = next++; g < groups; g = next++) {
			k->reorder(static_cast<uint8_t *>(t->data) + g * bytes, static_cast<const char *>(data) + g * count * t->nb[1], t->ne[0]);
		}
	};
	std::vector<std::thread> others;
	try {
		for (int64_t i = 1; i < threads; i++) others.emplace_back(some);
	} catch (const std::system_error &) { // those that could be started do it
	}
	some();
	for (std::thread &o : others) o.join();
	give_back(data, size);
}

// large_pages asks for them. Weights are read from end to end for each token, a tenth to a fifth faster with them (2 cores
// with AVX-512, models of 0.5 and 1.5 billion weights). It is advice: a system that has none goes on without.
void large_pages(const void *start, size_t size) {
#ifdef __linux__
	advise(start, size, MADV_HUGEPAGE);
#endif
}

ggml_backend_buffer_t allocate(size_t size) {
	ggml_backend_buffer_t b = ggml_backend_buft_alloc_buffer(ggml_backend_cpu_buffer_type(), size);
	if (b != nullptr) large_pages(ggml_backend_buffer_get_base(b), size);
	return b;
}

// room is a buffer for weights that are still to come. The system clears a page when it is touched first, which takes as long
// as filling it: a thread of its own touches them while llama.cpp reads the vocabulary with one.
struct room {
	ggml_backend_buffer_t buffer;
	std::atomic<bool>     enough{false};
	std::thread           touching;

	explicit room(size_t size) : buffer(allocate(size)) {
		if (buffer == nullptr) return;
		auto *start = static_cast<volatile char *>(ggml_backend_buffer_get_base(buffer));
		try {
			touching = std::thread([this, start, size] {
				constexpr size_t page = 4096; // the smallest that any system has
				for (size_t i = 0; i < size && !enough; i += page) start[i] = 0;
			});
		} catch (const std::system_error &) { // they are cleared when they are filled
		}
	}

	// take returns the buffer if it is large enough, or NULL.
	ggml_backend_buffer_t take(size_t size) {
		if (buffer == nullptr || ggml_backend_buffer_get_size(buffer) < size) return nullptr;
		buffer->size = size;
		return std::exchange(buffer, nullptr);
	}

	~room() {
		enough = true;
		if (touching.joinable()) touching.join();
		ggml_backend_buffer_free(buffer); // which may be NULL
	}
};

thread_local std::unique_ptr<room> ahead; // of the model that this thread loads

ggml_backend_buffer_t alloc(ggml_backend_buffer_type_t type, size_t size) {
	std::unique_ptr<room> r = std::move(ahead);
	ggml_backend_buffer_t b = r == nullptr ? nullptr : r->take(size);
	if (b == nullptr) b = allocate(size);
	if (b == nullptr) return nullptr;
	b->buft              = type;
	b->iface.set_tensor  = set_tensor;
	b->iface.get_tensor  = nullptr;
	b->iface.cpy_tensor  = nullptr;
	return b;
}

ggml_backend_buffer_type buffers() {
	ggml_backend_buffer_type type = {};
	type.iface.get_name       = [](ggml_backend_buffer_type_t) { return "CPU_LANES"; };
	type.iface.alloc_buffer   = alloc;
	type.iface.get_alignment  = [](ggml_backend_buffer_type_t) -> size_t { return 64; };
	type.iface.get_alloc_size = [](ggml_backend_buffer_type_t, const ggml_tensor *t) {
		const kind *k = find(t);
		return k == nullptr ? ggml_nbytes(t) : t->ne[1] / count * k->group(t->ne[0]);
	};
	type.device  = ggml_backend_reg_dev_get(ggml_backend_cpu_reg(), 0);
	type.context = new type_context();
	return type;
}

} // namespace

extern "C" bool nl2sql_products_test(int32_t type, int64_t k, int32_t n, float *weights, const float *x, float *out) {
	std::vector<char> stored(ggml_row_size(ggml_type(type), k) * count);
	ggml_quantize_chunk(ggml_type(type), weights, stored.data(), 0, count, k, nullptr);
	if (auto to_float = ggml_get_type_traits(ggml_type(type))->to_float) to_float(stored.data(), weights, count * k);
	ggml_tensor       t   = matrix(type, k, count);
	const nl2sql_set *set = nl2sql_kernels_set();
	nl2sql_product    p   = {reinterpret_cast<const uint8_t *>(stored.data()), stored.size() / count, k, n, x, k * sizeof(float), out, count * sizeof(float)};
	const kind       *kind = find(&t);
	if (kind == nullptr) {
		if (weights_of(&t) < 0) return false;
		set->multiply_floats(nl2sql_floats(weights_of(&t)), &p, 0, count);
		return true;
	}
	std::vector<uint8_t> ordered(kind->group(k));
	std::vector<char>    rounded(n * nl2sql_rounded_size(k) + 64);
	kind->reorder(ordered.data(), stored.data(), k);
	char *rows = reinterpret_cast<char *>(aligned(reinterpret_cast<uintptr_t>(rounded.data())));
	for (int64_t i = 0; i < n; i++) set->round(x + i * k, 0, k / run, kind->length / run, reinterpret_cast<nl2sql_rounded *>(rows + i * nl2sql_rounded_size(k)));
	p = {ordered.data(), ordered.size(), k, n, rows, nl2sql_rounded_size(k), out, count * sizeof(float)};
	set->multiply(int(kind - kinds), &p, 0, 1);
	return true;
}

extern "C" size_t nl2sql_kernels_size(int32_t type, int64_t k, int64_t rows) {
	const ggml_tensor t     = matrix(type, k, rows);
	const kind       *found = used ? find(&t) : nullptr;
	return found == nullptr ? 0 : aligned(rows / count * found->group(k));
}

extern "C" void nl2sql_kernels_ahead(size_t size) { ahead = size == 0 ? nullptr : std::make_unique<room>(size); }

extern "C" bool nl2sql_kernels_used(void) { return used; }

extern "C" void nl2sql_kernels_use(bool use) { used = use; }

extern "C" void nl2sql_kernels_register(void) {
	auto &types = ggml_backend_cpu_get_extra_buffer_types();
	types.insert(types.begin(), ours());
}
