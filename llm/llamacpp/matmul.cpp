//go:build cgo && llamacpp

#include "attention.h"
#include "kernels.h"

#ifdef NL2SQL_LANES

#define GGML_COMMON_DECL_C
#include "ggml-common.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

// Weights are reordered while they are loaded: 16 rows of a matrix lie together, one in each lane of a vector, so that
// a product needs no sum over lanes. Activations are rounded to 8 bits with a scale for each 32 (ggml's Q8_0 with a
// float's precision), and products of 32 are summed as integers, without rounding. A row of a result is summed in one
// order, whatever is computed beside it.

namespace {

using namespace lanes;

constexpr int run   = 32; // weights of a row that one scale, or two, hold for
constexpr int quads = run / 4;
constexpr int most  = 8; // rows of activations that share a walk over the weights

// activations are 32 of a row.
struct activations {
	int8_t  q[run];
	float   scale;
	float   sum;     // scale times the sum of q
	int32_t half[2]; // sums of the first and the last 16 of q
};

// Codes are what a weight is stored as, from 0. packed<N> reads N bits of each: a vector has 4 codes of each of 16 rows.
template <int N> struct packed {
	static constexpr int    bits = N;
	static constexpr size_t size = count * run * N / 8;

	static void read(const uint8_t *p, ints *code) {
		if constexpr (N == 8) {
			for (int i = 0; i < quads; i++) code[i] = load(p + 64 * i);
			return;
		}
		const ints four = every_byte(15);
		for (int i = 0; i < 4; i++) {
			ints two = load(p + 64 * i);
			code[i]     = two & four;
			code[i + 4] = right(two, 4) & four;
		}
		if constexpr (N == 5) {
			const ints high = load(p + 256), bit = every_byte(16);
			for (int i = 0; i < quads; i++) {
				ints at = i < 4 ? left(high, 4 - i) : right(high, i - 4);
				code[i]    = code[i] | (at & bit);
			}
		}
		if constexpr (N == 6) {
			const ints two = every_byte(48);
			for (int i = 0; i < quads; i++) {
				ints high = load(p + 256 + 64 * (i / 4));
				int     at   = 2 * (i % 4);
				high         = at < 4 ? left(high, 4 - at) : right(high, at - 4);
				code[i]      = code[i] | (high & two);
			}
		}
	}

	// write is the reverse, for one row.
	static void write(uint8_t *p, int row, const uint8_t *code) {
		uint32_t four[quads], high[2] = {};
		memcpy(four, code, sizeof four);
		auto to = [&](int vector, uint32_t v) { memcpy(p + 64 * vector + 4 * row, &v, 4); };
		if constexpr (N == 8) {
			for (int i = 0; i < quads; i++) to(i, four[i]);
			return;
		}
		for (int i = 0; i < 4; i++) to(i, (four[i] & 0x0f0f0f0f) | (four[i + 4] & 0x0f0f0f0f) << 4);
		for (int i = 0; i < quads; i++) {
			if constexpr (N == 5) high[0] |= (four[i] >> 4 & 0x01010101) << i;
			if constexpr (N == 6) high[i / 4] |= (four[i] >> 4 & 0x03030303) << (2 * (i % 4));
		}
		for (int i = 0; i < N - 4; i++) to(4 + i, high[i]);
	}
};

void put(uint8_t *p, int lane, ggml_half v) { memcpy(p + 2 * lane, &v, 2); }

// One struct for each kind of quantization: block is ggml's, length its weights, head what precedes its runs in our
// order, extra what precedes the codes of a run. A weight is scale * (code - offset), or scale * code + least where
// leasts is true.

// plain has a scale, and perhaps a least weight, for each run.
template <class B, int N, int Z, bool L> struct plain {
	using block = B;
	using codes = packed<N>;
	static constexpr int    length = run, offset = Z, scales = 1;
	static constexpr bool   leasts = L;
	static constexpr size_t head = 0, extra = L ? 64 : 32;

	plain(const uint8_t *) {}
	void read(const uint8_t *p, floats *scale, floats *least) const {
		scale[0] = load_halves(p);
		if constexpr (L) *least = load_halves(p + 32);
	}
	static void write(const B &b, int, int lane, uint8_t *, uint8_t *p) {
		put(p, lane, b.d);
		if constexpr (L) put(p + 32, lane, b.m);
	}
	static void code(const B &b, int, uint8_t *c) {
		if constexpr (N == 8) {
			for (int k = 0; k < run; k++) c[k] = uint8_t(b.qs[k] + Z);
		} else {
			uint32_t high = 0;
			if constexpr (N == 5) memcpy(&high, b.qh, 4);
			for (int k = 0; k < 16; k++) {
				c[k]      = (b.qs[k] & 15) | ((high >> k & 1) << 4);
				c[k + 16] = (b.qs[k] >> 4) | ((high >> (k + 16) & 1) << 4);
			}
		}
	}
};

// k45 is Q4_K and Q5_K: scales and least weights of 6 bits, themselves scaled.
template <class B, int N> struct k45 {
	using block = B;
	using codes = packed<N>;
	static constexpr int    length = QK_K, offset = 0, scales = 1;
	static constexpr bool   leasts = true;
	static constexpr size_t head = 64, extra = 32;
	floats                  d, dmin;

	k45(const uint8_t *p) : d(load_halves(p)), dmin(load_halves(p + 32)) {}
	void read(const uint8_t *p, floats *scale, floats *least) const {
		scale[0] = d * load_bytes(p);
		*least   = dmin * load_bytes(p + 16);
	}
	static void write(const B &b, int i, int lane, uint8_t *head, uint8_t *p) {
		put(head, lane, b.d);
		put(head + 32, lane, b.dmin ^ 0x8000); // the least weight is -dmin * m
		const uint8_t *s = b.scales;
		p[lane]          = i < 4 ? s[i] & 63 : (s[i + 4] & 15) | (s[i - 4] >> 6 << 4);
		p[lane + 16]     = i < 4 ? s[i + 4] & 63 : (s[i + 4] >> 4) | (s[i] >> 6 << 4);
	}
	static void code(const B &b, int i, uint8_t *c) {
		for (int k = 0; k < run; k++) {
			c[k] = b.qs[i / 2 * run + k] >> (i % 2 * 4) & 15;
			if constexpr (N == 5) c[k] |= (b.qh[k] >> i & 1) << 4;
		}
	}
};

// k6 is Q6_K: a scale of 8 bits for each 16, themselves scaled.
struct k6 {
	using block = block_q6_K;
	using codes = packed<6>;
	static constexpr int    length = QK_K, offset = 32, scales = 2;
	static constexpr bool   leasts = false;
	static constexpr size_t head = 32, extra = 32;
	floats                  d;

	k6(const uint8_t *p) : d(load_halves(p)) {}
	void read(const uint8_t *p, floats *scale, floats *) const {
		scale[0] = d * load_signed(p);
		scale[1] = d * load_signed(p + 16);
	}
	static void write(const block &b, int i, int lane, uint8_t *head, uint8_t *p) {
		put(head, lane, b.d);
		p[lane]      = b.scales[2 * i];
		p[lane + 16] = b.scales[2 * i + 1];
	}
	static void code(const block &b, int i, uint8_t *c) {
		int half = i / 4, part = i % 4;
		for (int k = 0; k < run; k++) {
			uint8_t low  = b.ql[64 * half + part % 2 * 32 + k] >> (part / 2 * 4) & 15;
			uint8_t high = b.qh[32 * half + k] >> (2 * part) & 3;
			c[k]         = low | high << 4;
		}
	}
};

template <class W> constexpr size_t group_size(int64_t k) { // bytes of 16 rows of k weights
	return k / W::length * W::head + k / run * (W::extra + W::codes::size);
}

// reorder writes 16 rows of k weights in our order.
template <class W> void reorder(uint8_t *p, const void *rows, int64_t k) {
	auto *block = static_cast<const typename W::block *>(rows);
	const int64_t n = k / W::length;
	for (int64_t b = 0; b < n; b++) {
		uint8_t *head = p;
		p += W::head;
		for (int i = 0; i < W::length / run; i++) {
			for (int row = 0; row < count; row++) {
				uint8_t code[run];
				W::write(block[row * n + b], i, row, head, p);
				W::code(block[row * n + b], i, code);
				W::codes::write(p + W::extra, row, code);
			}
			p += W::extra + W::codes::size;
		}
	}
}

// multiply computes the products of 16 rows of k weights and M rows of activations.
template <class W, int M> void multiply(const uint8_t *p, int64_t k, const activations *const *x, float *const *out) {
	floats sum[M];
	for (int m = 0; m < M; m++) sum[m] = zero();
	int64_t at = 0;
	for (int64_t b = 0; b < k / W::length; b++) {
		const W head(p);
		p += W::head;
		for (int i = 0; i < W::length / run; i++, at++) {
			floats  scale[W::scales], least;
			ints code[quads];
			head.read(p, scale, &least);
			p += W::extra;
			W::codes::read(p, code);
			p += W::codes::size;
			for (int m = 0; m < M; m++) {
				const activations &a = x[m][at];
				for (int s = 0; s < W::scales; s++) {
					ints sums = every(-W::offset * (W::scales == 1 ? a.half[0] + a.half[1] : a.half[s]));
					for (int q = s * quads / W::scales; q < (s + 1) * quads / W::scales; q++) {
						int32_t four;
						memcpy(&four, a.q + 4 * q, 4);
						sums = dot<W::codes::bits>(sums, code[q], four);
					}
					sum[m] = fma(to_floats(sums), scale[s] * every(a.scale), sum[m]);
				}
				if constexpr (W::leasts) sum[m] = fma(least, every(a.sum), sum[m]);
			}
		}
	}
	for (int m = 0; m < M; m++) store(out[m], sum[m]);
}

template <class W, int M = most> void multiply_any(int m, const uint8_t *p, int64_t k, const activations *const *x, float *const *out) {
	if constexpr (M > 0) {
		if (m == M) return multiply<W, M>(p, k, x, out);
		multiply_any<W, M - 1>(m, p, k, x, out);
	}
}

// kind is what is done with a type of tensors.
struct kind {
	ggml_type type;
	int       length;
	size_t (*group)(int64_t k);
	void (*reorder)(uint8_t *p, const void *rows, int64_t k);
	void (*multiply)(int m, const uint8_t *p, int64_t k, const activations *const *x, float *const *out);
};

template <class W> constexpr kind of(ggml_type type) { return {type, W::length, group_size<W>, reorder<W>, multiply_any<W>}; }

const kind kinds[] = {
	of<plain<block_q4_0, 4, 8, false>>(GGML_TYPE_Q4_0),
	of<plain<block_q4_1, 4, 0, true>>(GGML_TYPE_Q4_1),
	of<plain<block_q5_0, 5, 16, false>>(GGML_TYPE_Q5_0),
	of<plain<block_q5_1, 5, 0, true>>(GGML_TYPE_Q5_1),
	of<plain<block_q8_0, 8, 128, false>>(GGML_TYPE_Q8_0),
	of<k45<block_q4_K, 4>>(GGML_TYPE_Q4_K),
	of<k45<block_q5_K, 5>>(GGML_TYPE_Q5_K),
	of<k6>(GGML_TYPE_Q6_K),
};

// find returns how a tensor's products are computed, or NULL if llama.cpp is to do it.
const kind *find(const ggml_tensor *t) {
	if (ggml_n_dims(t) != 2 || t->ne[1] % count != 0) return nullptr;
	for (const kind &k : kinds) {
		if (k.type == t->type && t->ne[0] % k.length == 0) return &k;
	}
	return nullptr;
}

void round_run(const float *x, activations *a) {
	const floats low = load(x), high = load(x + count);
	const float  peak = largest(larger(magnitude(low), magnitude(high)));
	const floats inverse = every(peak > 0 ? 127 / peak : 0);
	a->half[0] = round(low * inverse, a->q);
	a->half[1] = round(high * inverse, a->q + count);
	a->scale   = peak / 127;
	a->sum     = a->scale * float(a->half[0] + a->half[1]);
}

// multiply_rows computes the products of groups of 16 rows of k weights and n rows of activations; out(i) is where those
// of the i-th begin.
template <class Out>
void multiply_rows(const kind &kind, const uint8_t *weights, int64_t first, int64_t end, int64_t k, const activations *x, int64_t n, Out out) {
	const size_t size = kind.group(k);
	for (int64_t i = 0; i < n; i += most) {
		const int          m = std::min<int64_t>(most, n - i);
		const activations *from[most];
		float             *to[most];
		for (int j = 0; j < m; j++) from[j] = x + (i + j) * (k / run);
		for (int64_t g = first; g < end; g++) {
			for (int j = 0; j < m; j++) to[j] = out(i + j) + g * count;
			kind.multiply(m, weights + g * size, k, from, to);
		}
	}
}

int64_t rows(const ggml_tensor *t) { return t->ne[1] * t->ne[2] * t->ne[3]; }

char *row(const ggml_tensor *t, int64_t i) {
	return static_cast<char *>(t->data) + i % t->ne[1] * t->nb[1] + i / t->ne[1] % t->ne[2] * t->nb[2] + i / t->ne[1] / t->ne[2] * t->nb[3];
}

struct products : ggml::cpu::tensor_traits {
	const kind &k;
	explicit products(const kind &k) : k(k) {}

	bool work_size(int, const ggml_tensor *op, size_t &size) override {
		size = rows(op->src[1]) * (op->src[1]->ne[0] / run) * sizeof(activations) + 64;
		return true;
	}

	bool compute_forward(ggml_compute_params *params, ggml_tensor *op) override {
		const ggml_tensor *weights = op->src[0], *in = op->src[1];
		const int64_t      length = in->ne[0], runs = length / run, n = rows(in), groups = weights->ne[1] / count;
		auto              *x = reinterpret_cast<activations *>((reinterpret_cast<uintptr_t>(params->wdata) + 63) / 64 * 64);
		for (int64_t i = params->ith; i < n * runs; i += params->nth) {
			round_run(reinterpret_cast<const float *>(row(in, i / runs)) + i % runs * run, x + i);
		}
		// A part of the groups fits into the second cache, and there are enough parts for threads that are not equally fast.
		const size_t  size = k.group(length);
		const int64_t part = std::clamp<int64_t>(groups / (8 * params->nth), 1, std::max<int64_t>(1, (256 << 10) / size));
		if (params->ith == 0) ggml_threadpool_chunk_set(params->threadpool, params->nth);
		ggml_barrier(params->threadpool);
		for (int64_t c = params->ith; c * part < groups; c = ggml_threadpool_chunk_add(params->threadpool, 1)) {
			multiply_rows(k, static_cast<const uint8_t *>(weights->data), c * part, std::min(groups, (c + 1) * part), length, x, n,
				[&](int64_t i) { return reinterpret_cast<float *>(row(op, i)); });
		}
		return true;
	}
};

// The buffers that hold reordered weights.

ggml_backend_buffer_type buffers();
ggml_backend_buffer_type_t ours() {
	static ggml_backend_buffer_type type = buffers();
	return &type;
}

products *find_products(const ggml_tensor *t) {
	static std::vector<products> all(std::begin(kinds), std::end(kinds));
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
		if (op->op == GGML_OP_FLASH_ATTN_EXT) return used ? nl2sql_attention(op) : nullptr;
		return is_ours(op) ? find_products(op->src[0]) : nullptr;
	}
};

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
}

// large_pages asks for them. Weights are read from end to end for each token, a tenth to a fifth faster with them (2 cores
// with AVX-512, models of 0.5 and 1.5 billion weights). It is advice: a system that has none goes on without.
void large_pages(void *start, size_t size) {
#ifdef __linux__
	const uintptr_t page = 4096, first = (reinterpret_cast<uintptr_t>(start) + page - 1) / page * page, end = (reinterpret_cast<uintptr_t>(start) + size) / page * page;
	if (first < end) madvise(reinterpret_cast<void *>(first), end - first, MADV_HUGEPAGE);
#endif
}

ggml_backend_buffer_t alloc(ggml_backend_buffer_type_t type, size_t size) {
	ggml_backend_buffer_t b = ggml_backend_buft_alloc_buffer(ggml_backend_cpu_buffer_type(), size);
	if (b == nullptr) return nullptr;
	large_pages(ggml_backend_buffer_get_base(b), size);
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
	ggml_tensor t = {};
	t.type  = ggml_type(type);
	t.ne[0] = k;
	t.ne[1] = count;
	t.ne[2] = t.ne[3] = 1;
	const kind *kind = find(&t);
	if (kind == nullptr) return false;
	std::vector<char>        quantized(ggml_row_size(t.type, k) * count);
	std::vector<uint8_t>     ours(kind->group(k));
	std::vector<activations> rounded(n * k / run);
	ggml_quantize_chunk(t.type, weights, quantized.data(), 0, count, k, nullptr);
	ggml_get_type_traits(t.type)->to_float(quantized.data(), weights, count * k);
	kind->reorder(ours.data(), quantized.data(), k);
	for (size_t i = 0; i < rounded.size(); i++) round_run(x + i * run, &rounded[i]);
	multiply_rows(*kind, ours.data(), 0, 1, k, rounded.data(), n, [=](int64_t i) { return out + i * count; });
	return true;
}

extern "C" const char *nl2sql_kernels(void) { return used ? "NL2SQL_LANES = " NL2SQL_LANES " 1" : ""; }

extern "C" void nl2sql_kernels_use(bool use) { used = use; }

extern "C" void nl2sql_kernels_register(void) {
	auto &types = ggml_backend_cpu_get_extra_buffer_types();
	types.insert(types.begin(), ours());
}

#else

extern "C" bool nl2sql_products_test(int32_t, int64_t, int32_t, float *, const float *, float *) { return false; }
extern "C" const char *nl2sql_kernels(void) { return ""; }
extern "C" void nl2sql_kernels_use(bool) {}
extern "C" void nl2sql_kernels_register(void) {}

#endif
