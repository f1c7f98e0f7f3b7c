#pragma once

// Products with AMX: tiles of 16 rows of activations, a run of each, and of 16 rows of weights. The integers are those of
// products.h, and what is done with them is done in its order, so that bits are equal.

#include "products.h"

namespace {

constexpr int tile = 16; // rows of activations

// written tells the compiler that tiles read what was written there: gcc's intrinsics do not.
inline void written(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }

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
	written(&c);
	_tile_loadconfig(&c);
}

constexpr int slab   = 8;          // tiles of activations that share a block of weights
constexpr int blocks = 256;        // activations of a block
constexpr int inside = blocks / run; // its runs

typedef int32_t whole[tile * count]; // products
typedef float   real[tile * count];  // results

inline const nl2sql_rounded *tile_of(const nl2sql_rounded *x, size_t row, int t) {
	return reinterpret_cast<const nl2sql_rounded *>(reinterpret_cast<const char *>(x) + t * tile * row);
}

// of_row returns that of the m-th row, where at is that of the first.
inline floats of_row(const float *at, size_t row, int m) { return every(*reinterpret_cast<const float *>(reinterpret_cast<const char *>(at) + m * row)); }

// by_runs is how weights are multiplied whose products are added up run by run.
template <class W> struct by_runs {
	static constexpr int most = 6 * inside; // runs that are prepared at once: the first cache holds them

	static void configure() { ::configure(32, 32); }

	// prepared is some runs of a group as tiles read them: codes less their offset, scales and least weights.
	struct prepared {
		int8_t code[most][quads * 64];
		float  scale[most][count], least[W::leasts ? most : 0][count];
	};

	static void prepare(const uint8_t *p, int runs, prepared *to) {
		for (int i = 0; i < runs;) {
			const W head(p, 0);
			p += W::head;
			for (const int end = i + W::length / run; i < end; i++, p += run_size<W>) {
				floats scale, least = zero();
				ints   code[quads];
				head.read(p, 0, &scale, &least);
				W::codes::read(p + W::extra, 0, code);
				for (int q = 0; q < quads; q++) _mm512_store_si512(to->code[i] + 64 * q, _mm512_sub_epi8(code[q].v, _mm512_set1_epi8(int8_t(W::offset))));
				store(to->scale[i], scale);
				if constexpr (W::leasts) store(to->least[i], least);
			}
		}
	}

	// multiply multiplies the i-th run and, if both are wanted, the next.
	static void multiply(const prepared &w, const nl2sql_rounded *x, size_t row, int i, bool both, whole *to) {
		_tile_loadd(4, x[i / inside].q + i % inside * run, row);
		_tile_loadd(6, w.code[i], 64);
		_tile_zero(0);
		_tile_dpbssd(0, 4, 6);
		if (both) {
			_tile_loadd(5, x[(i + 1) / inside].q + (i + 1) % inside * run, row);
			_tile_loadd(7, w.code[i + 1], 64);
			_tile_zero(1);
			_tile_dpbssd(1, 5, 7);
		}
		_tile_stored(0, to[0], 64);
		if (both) _tile_stored(1, to[1], 64);
	}

	static void add(floats *sum, const prepared &w, const nl2sql_rounded *x, size_t row, int i, const int32_t *products) {
		const floats scale = load(w.scale[i]);
		floats       least = zero();
		if constexpr (W::leasts) least = load(w.least[i]);
#pragma GCC unroll 16
		for (int m = 0; m < tile; m++) {
			const ints p = {_mm512_load_si512(products + count * m)};
			sum[m]       = fma(to_floats(p), scale * of_row(x[i / inside].scale + i % inside, row, m), sum[m]);
			if constexpr (W::leasts) sum[m] = fma(least, of_row(x[i / inside].part + i % inside, row, m), sum[m]);
		}
	}

	// add_all adds products to tiles of results. While some are added, the next are computed.
	static void add_all(const prepared &w, int runs, const nl2sql_rounded *x, size_t row, int tiles, real *results) {
		alignas(64) whole products[2][2];
		int               at = 0;
		multiply(w, x, row, 0, runs > 1, products[0]);
		for (int t = 0; t < tiles; t++) {
			const nl2sql_rounded *here = tile_of(x, row, t);
			floats                sum[tile];
			for (int m = 0; m < tile; m++) sum[m] = load(results[t] + count * m);
			for (int i = 0; i < runs; i += 2, at = 1 - at) {
				if (i + 2 < runs) multiply(w, here, row, i + 2, i + 3 < runs, products[1 - at]);
				else if (t + 1 < tiles) multiply(w, tile_of(x, row, t + 1), row, 0, runs > 1, products[1 - at]);
				add(sum, w, here, row, i, products[at][0]);
				if (i + 1 < runs) add(sum, w, here, row, i + 1, products[at][1]);
			}
			for (int m = 0; m < tile; m++) store(results[t] + count * m, sum[m]);
		}
	}
};

// by_blocks is how those are multiplied whose products are added up by blocks of 256: codes times scales are whole numbers of up to 13 bits, and go
// through tiles as two of 8, low and high, so that a block needs no other sum.
template <class W> struct by_blocks {
	static constexpr int bits = W::leasts ? 7 : 6; // of low
	static constexpr int most = inside;

	static void configure() { ::configure(64, 8); }

	struct prepared {
		int8_t low[blocks * count], high[blocks * count], least[W::leasts ? 2 * 64 : 0];
		float  d[count], dmin[W::leasts ? count : 0];
	};

	static void prepare(const uint8_t *p, int, prepared *to) {
		const W head(p, 0);
		store(to->d, head.d);
		if constexpr (W::leasts) store(to->dmin, head.dmin);
		p += W::head;
		const __m512i byte = _mm512_set1_epi16(255), mask = _mm512_set1_epi16((1 << bits) - 1), offset = _mm512_set1_epi16(W::offset);
		for (int i = 0; i < inside; i++, p += run_size<W>) {
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

	static void multiply(const prepared &w, const nl2sql_rounded *x, size_t row, whole *to) {
		_tile_zero(0);
		_tile_zero(1);
		for (int i = 0; i < blocks / 64; i++) {
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

	static void add(float *results, const prepared &w, const nl2sql_rounded *x, size_t row, const whole *from) {
		const floats d = load(w.d);
		floats       dmin = zero();
		if constexpr (W::leasts) dmin = load(w.dmin);
#pragma GCC unroll 4
		for (int m = 0; m < tile; m++, results += count) {
			auto both = [&](int t, int bits) {
				return ints{_mm512_add_epi32(_mm512_slli_epi32(_mm512_load_si512(from[t + 1] + count * m), bits), _mm512_load_si512(from[t] + count * m))};
			};
			const floats scale = of_row(x->scale, row, m);
			floats       sum   = fma(to_floats(both(0, bits)), d * scale, load(results));
			if constexpr (W::leasts) sum = fma(to_floats(both(2, 6)), dmin * scale, sum);
			store(results, sum);
		}
	}

	static void add_all(const prepared &w, int, const nl2sql_rounded *x, size_t row, int tiles, real *results) {
		alignas(64) whole products[2][4];
		multiply(w, x, row, products[0]);
		for (int t = 0; t < tiles; t++) {
			if (t + 1 < tiles) multiply(w, tile_of(x, row, t + 1), row, products[(t + 1) % 2]);
			add(results[t], w, tile_of(x, row, t), row, products[t % 2]);
		}
	}
};

template <class W, bool runs = W::in_runs> struct by_tiles : by_runs<W> {};
template <class W> struct by_tiles<W, false> : by_blocks<W> {};

// multiply_tiles computes the products of groups with as many rows of activations as tiles take, and returns their number.
template <class W> int64_t multiply_tiles(const nl2sql_product *p, int64_t first, int64_t end) {
	using T = by_tiles<W>;
	const int64_t rows = p->n / tile * tile, runs = p->k / run;
	if (rows == 0) return 0;
	alignas(64) typename T::prepared w;
	alignas(64) real                 results[slab];
	T::configure();
	for (int64_t i = 0; i < rows; i += slab * tile) {
		const int tiles = rows - i < slab * tile ? int((rows - i) / tile) : slab;
		for (int64_t g = first; g < end; g++) {
			const uint8_t *weights = p->weights + g * p->stride;
			memset(results, 0, tiles * sizeof *results);
			for (int64_t at = 0; at < runs; at += T::most) {
				const int now = runs - at < T::most ? int(runs - at) : T::most;
				T::prepare(weights + at * run / W::length * block_size<W>, now, &w);
				written(&w);
				T::add_all(w, now, rounded_row(p, i) + at / inside, p->row, tiles, results);
			}
			for (int m = 0; m < tiles * tile; m++) memcpy(result_row(p, i + m) + g * count, results[m / tile] + m % tile * count, sizeof(float) * count);
		}
	}
	_tile_release();
	return rows;
}

int64_t peak(int64_t rounds) {
	alignas(64) uint8_t some[1024] = {};
	tile_config c;
	for (int t = 0; t < 6; t++) {
		c.rows[t]  = 16;
		c.bytes[t] = 64;
	}
	written(&c);
	_tile_loadconfig(&c);
	written(some);
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
