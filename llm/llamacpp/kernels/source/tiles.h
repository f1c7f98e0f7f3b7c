#pragma once

// Products with AMX: tiles of 16 rows of activations, a run of each, and of 16 rows of weights. The integers are those of
// products.h, and what is done with them is done in its order, so that bits are equal.

#include "products.h"

namespace {

constexpr int tile = 16; // rows of activations

struct tile_config {
	uint8_t  palette = 1, start = 0, reserved[14] = {};
	uint16_t bytes[16] = {};
	uint8_t  rows[16]  = {};
};

// Tiles 0 to 3 are sums. Of weights in blocks of 32, a product is of 32 bytes: tiles 4 and 5 are activations, 6 and 7 weights.
// Of those in blocks of 256 it is of 64 bytes: tile 4 is activations and 6 weights times their scales, while 5 is sums of
// activations and 7 least weights, 8 bytes of each.
inline void configure(int depth, int other) {
	tile_config c;
	for (int t = 0; t < 8; t++) {
		const int bytes = t % 2 == 0 ? depth : other;
		c.rows[t]  = t < 6 ? tile : bytes / 4;
		c.bytes[t] = t < 4 || t > 5 ? 64 : bytes;
	}
	_tile_loadconfig(&c);
}

// in_runs is how weights in blocks of 32 are multiplied.
template <class W> struct in_runs {
	static void configure() { ::configure(32, 32); }

	// prepared is a run of a group as tiles read it: codes less their offset, scales and least weights.
	struct prepared {
		int8_t code[quads * 64];
		float  scale[count], least[W::leasts ? count : 0];
	};

	static void prepare(const uint8_t *p, prepared *to) {
		floats scale, least = zero();
		ints   code[quads];
		W(p, 0).read(p, 0, &scale, &least);
		W::codes::read(p + W::extra, 0, code);
		for (int q = 0; q < quads; q++) _mm512_store_si512(to->code + 64 * q, _mm512_sub_epi8(code[q].v, _mm512_set1_epi8(int8_t(W::offset))));
		store(to->scale, scale);
		if constexpr (W::leasts) store(to->least, least);
	}

	// A product waits for the one before in the same tile, so that some are worked on in turn.
	static constexpr int some = 2;

	template <int N> static void multiply(const prepared *w, const nl2sql_rounded *x, size_t row, int64_t at, int32_t (*to)[tile * count]) {
		_tile_loadd(4, x[at / 8].q + at % 8 * run, row);
		_tile_loadd(6, w[at].code, 64);
		_tile_zero(0);
		_tile_dpbssd(0, 4, 6);
		if constexpr (N > 1) {
			_tile_loadd(5, x[(at + 1) / 8].q + (at + 1) % 8 * run, row);
			_tile_loadd(7, w[at + 1].code, 64);
			_tile_zero(1);
			_tile_dpbssd(1, 5, 7);
		}
		_tile_stored(0, to[0], 64);
		if constexpr (N > 1) _tile_stored(1, to[1], 64);
	}

	static void add(floats *sum, const prepared &w, const nl2sql_rounded *x, size_t row, int64_t at, const int32_t *products) {
		const floats scale = load(w.scale);
		floats       least = zero();
		if constexpr (W::leasts) least = load(w.least);
		const char *a = reinterpret_cast<const char *>(x[at / 8].scale + at % 8), *parts = reinterpret_cast<const char *>(x[at / 8].part + at % 8);
#pragma GCC unroll 16
		for (int m = 0; m < tile; m++) {
			const ints p = {_mm512_load_si512(products + count * m)};
			sum[m]       = fma(to_floats(p), scale * every(*reinterpret_cast<const float *>(a + m * row)), sum[m]);
			if constexpr (W::leasts) sum[m] = fma(least, every(*reinterpret_cast<const float *>(parts + m * row)), sum[m]);
		}
	}

	// all computes the products of a group and 16 rows of activations. While those of some runs are added, those of the next
	// are multiplied.
	static void all(floats *sum, const prepared *w, int64_t runs, const nl2sql_rounded *x, size_t row) {
		alignas(64) int32_t two[2][some][tile * count];
		int64_t             at = 0;
		if (some <= runs) multiply<some>(w, x, row, 0, two[0]);
		for (; at + some <= runs; at += some) {
			const int now = at / some % 2;
			if (at + 2 * some <= runs) multiply<some>(w, x, row, at + some, two[1 - now]);
			for (int i = 0; i < some; i++) add(sum, w[at + i], x, row, at + i, two[now][i]);
		}
		for (; at < runs; at++) {
			multiply<1>(w, x, row, at, two[0]);
			add(sum, w[at], x, row, at, two[0][0]);
		}
	}
};

// in_blocks is how weights in blocks of 256 are multiplied: codes times scales are whole numbers of up to 13 bits, and go
// through tiles as two of 8, low and high, so that a block needs no other sum.
template <class W> struct in_blocks {
	static constexpr int runs = QK_K / run, bits = W::leasts ? 7 : 6; // of low

	static void configure() { ::configure(64, 8); }

	struct prepared {
		int8_t low[runs * quads * 64], high[runs * quads * 64], least[W::leasts ? 2 * 64 : 0];
		float  d[count], dmin[W::leasts ? count : 0];
	};

	static void prepare(const uint8_t *p, prepared *to) {
		const W head(p, 0);
		store(to->d, head.d);
		if constexpr (W::leasts) store(to->dmin, head.dmin);
		p += W::head;
		const __m512i byte = _mm512_set1_epi16(255), mask = _mm512_set1_epi16((1 << bits) - 1), offset = _mm512_set1_epi16(W::offset);
		for (int i = 0; i < runs; i++, p += run_size<W>) {
			ints code[quads], scale[W::scales];
			for (int s = 0; s < W::scales; s++) {
				scale[s] = W::scale(p, s, 0);
				scale[s] = pair(scale[s], scale[s]);
			}
			W::codes::read(p + W::extra, 0, code);
			for (int q = 0; q < quads; q++) {
				const __m512i s    = scale[q * W::scales / quads].v;
				const __m512i even = _mm512_mullo_epi16(_mm512_sub_epi16(_mm512_and_si512(code[q].v, byte), offset), s);
				const __m512i odd  = _mm512_mullo_epi16(_mm512_sub_epi16(_mm512_srli_epi16(code[q].v, 8), offset), s);
				const int     at   = (i * quads + q) * 64;
				_mm512_store_si512(to->low + at, _mm512_or_si512(_mm512_and_si512(even, mask), _mm512_slli_epi16(_mm512_and_si512(odd, mask), 8)));
				_mm512_store_si512(to->high + at, _mm512_or_si512(_mm512_and_si512(_mm512_srai_epi16(even, bits), byte), _mm512_slli_epi16(_mm512_srai_epi16(odd, bits), 8)));
			}
			if constexpr (W::leasts) {
				for (int lane = 0; lane < count; lane++) to->least[i / 4 * 64 + 4 * lane + i % 4] = int8_t(p[16 + lane]);
			}
		}
	}

	static void multiply(const prepared &w, const nl2sql_rounded *x, size_t row, int32_t (*to)[tile * count]) {
		_tile_zero(0);
		_tile_zero(1);
		for (int i = 0; i < QK_K / 64; i++) {
			_tile_loadd(4, x->q + 64 * i, row);
			_tile_loadd(6, w.low + i * 1024, 64);
			_tile_dpbssd(0, 4, 6);
			_tile_loadd(6, w.high + i * 1024, 64);
			_tile_dpbssd(1, 4, 6);
		}
		_tile_stored(0, to[0], 64);
		_tile_stored(1, to[1], 64);
		if constexpr (W::leasts) {
			_tile_zero(2);
			_tile_zero(3);
			_tile_loadd(7, w.least, 64);
			_tile_loadd(5, x->low, row);
			_tile_dpbssd(2, 5, 7);
			_tile_loadd(5, x->high, row);
			_tile_dpbssd(3, 5, 7);
			_tile_stored(2, to[2], 64);
			_tile_stored(3, to[3], 64);
		}
	}

	static void add(floats *sum, const prepared &w, const nl2sql_rounded *x, size_t row, const int32_t (*from)[tile * count]) {
		const floats d = load(w.d);
		floats       dmin = zero();
		if constexpr (W::leasts) dmin = load(w.dmin);
		const char *a = reinterpret_cast<const char *>(x->scale);
#pragma GCC unroll 16
		for (int m = 0; m < tile; m++) {
			auto both = [&](int t, int bits) {
				return ints{_mm512_add_epi32(_mm512_slli_epi32(_mm512_load_si512(from[t + 1] + count * m), bits), _mm512_load_si512(from[t] + count * m))};
			};
			const floats scale = every(*reinterpret_cast<const float *>(a + m * row));
			sum[m]             = fma(to_floats(both(0, bits)), d * scale, sum[m]);
			if constexpr (W::leasts) sum[m] = fma(to_floats(both(2, 6)), dmin * scale, sum[m]);
		}
	}

	static void all(floats *sum, const prepared *w, int64_t k, const nl2sql_rounded *x, size_t row) {
		alignas(64) int32_t two[2][4][tile * count];
		multiply(w[0], x, row, two[0]);
		for (int64_t b = 0; b < k / runs; b++) {
			if (b + 1 < k / runs) multiply(w[b + 1], x + b + 1, row, two[(b + 1) % 2]);
			add(sum, w[b], x + b, row, two[b % 2]);
		}
	}
};

template <class W, bool runs = W::length == run> struct by_tiles : in_runs<W> {};
template <class W> struct by_tiles<W, false> : in_blocks<W> {};

// multiply_tiles computes the products of groups with as many rows of activations as tiles take, and returns their number.
template <class W> int64_t multiply_tiles(const nl2sql_product *p, int64_t first, int64_t end) {
	using T = by_tiles<W>;
	const int64_t rows = p->n / tile * tile;
	if (rows == 0) return 0;
	auto *w = static_cast<typename T::prepared *>(p->memory);
	T::configure();
	for (int64_t g = first; g < end; g++) {
		const uint8_t *weights = p->weights + g * p->stride;
		for (int64_t b = 0; b < p->k / W::length; b++) T::prepare(weights + b * block_size<W>, w + b);
		for (int64_t i = 0; i < rows; i += tile) {
			floats sum[tile];
			for (int m = 0; m < tile; m++) sum[m] = zero();
			T::all(sum, w, p->k / run, rounded_row(p, i), p->row);
			for (int m = 0; m < tile; m++) store(result_row(p, i + m) + g * count, sum[m]);
		}
	}
	_tile_release();
	return rows;
}

size_t tiles_memory(int64_t k) {
	size_t most = 0; // for a run
#define SIZE(type, ...) { \
		using T           = by_tiles<__VA_ARGS__>; \
		const size_t size = sizeof(T::prepared) / (__VA_ARGS__::length / run); \
		most              = size > most ? size : most; \
	}
	KINDS(SIZE)
#undef SIZE
	return k / run * most;
}

int64_t peak(int64_t rounds) {
	alignas(64) uint8_t some[1024] = {};
	tile_config c;
	for (int t = 0; t < 6; t++) {
		c.rows[t]  = 16;
		c.bytes[t] = 64;
	}
	_tile_loadconfig(&c);
	_tile_loadd(4, some, 64);
	_tile_loadd(5, some, 64);
	for (int64_t r = 0; r < rounds; r++) {
		_tile_dpbssd(0, 4, 5);
		_tile_dpbssd(1, 4, 5);
		_tile_dpbssd(2, 4, 5);
		_tile_dpbssd(3, 4, 5);
	}
	_tile_release();
	return rounds * 4 * 16 * 16 * 64;
}

} // namespace
