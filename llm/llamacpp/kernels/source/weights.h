#pragma once

// How quantized weights lie in memory once they are loaded: 16 rows of a matrix together, one in each lane of a vector, so
// that a product needs no sum over lanes. The order is the same for all sets.

#include "lanes.h"

#define GGML_COMMON_DECL_C
#include "ggml-common.h"

namespace {

using namespace lanes;

constexpr int run   = NL2SQL_RUN;
constexpr int quads = run / 4;

// Codes are what a weight is stored as, from 0. packed<N> reads N bits of each: a vector has 4 codes of each row. part is the
// pass over the lanes: a register has those of rows from part * width.
template <int N> struct packed {
	static constexpr int    bits = N;
	static constexpr size_t size = count * run * N / 8;

	static void read(const uint8_t *p, int part, ints *code) {
		p += 4 * width * part;
		if constexpr (N == 8) {
			for (int i = 0; i < quads; i++) code[i] = load(p + 64 * i);
			return;
		}
		const ints four = every_byte(15);
		for (int i = 0; i < 4; i++) {
			const ints two = load(p + 64 * i);
			code[i]        = two & four;
			code[i + 4]    = right(two, 4) & four;
		}
		if constexpr (N == 5) {
			const ints high = load(p + 256), bit = every_byte(16);
			for (int i = 0; i < quads; i++) code[i] = code[i] | ((i < 4 ? left(high, 4 - i) : right(high, i - 4)) & bit);
		}
		if constexpr (N == 6) {
			const ints two = every_byte(48);
			for (int i = 0; i < quads; i++) {
				const ints high = load(p + 256 + 64 * (i / 4));
				const int  at   = 2 * (i % 4);
				code[i]         = code[i] | ((at < 4 ? left(high, 4 - at) : right(high, at - 4)) & two);
			}
		}
	}

	// write is the reverse, for one row: four codes in each number.
	static void write(uint8_t *p, int row, const uint32_t *four) {
		uint32_t high[2] = {};
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

// listed are codes of 4 bits that stand for one of 16 numbers, here with 128 added: GGML_TYPE_IQ4_NL's.
struct listed : packed<4> {
	static constexpr int bits = 8;

	static void read(const uint8_t *p, int part, ints *code) {
		static constexpr uint8_t numbers[16] = {1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241};
		packed<4>::read(p, part, code);
		for (int i = 0; i < quads; i++) code[i] = look_up(numbers, code[i]);
	}
};

inline void put(uint8_t *p, int lane, ggml_half v) { memcpy(p + 2 * lane, &v, 2); }

// One struct for each kind of quantization: block is ggml's, length its weights, head what precedes its runs in our
// order, extra what precedes the codes of a run. scales is the number of scales of a run. A weight is
// scale * (code - offset), or scale * code + least where leasts is true. In blocks of 256 the scales of runs, and the least
// weights of runs, are whole numbers times one float of the block.
// Where in_runs is true, the products of a run, times its scale, are added to a result by themselves, and not those of a block.

// pack_halves writes codes of 4 bits that lie in the file as packed has them: k and k + 16 in a byte.
inline void pack_halves(const uint8_t *from, int row, uint8_t *p) {
	for (int i = 0; i < 4; i++) memcpy(p + 64 * i + 4 * row, from + 4 * i, 4);
}

// plain has a scale, and perhaps a least weight, for each run.
template <class B, int N, int Z, bool L, class C = packed<N>> struct plain {
	using block = B;
	using codes = C;
	static constexpr bool   in_runs = true;
	static constexpr int    length = run, offset = Z, scales = 1;
	static constexpr bool   leasts = L;
	static constexpr size_t head = 0, extra = L ? 64 : 32;

	plain(const uint8_t *, int) {}
	void read(const uint8_t *p, int part, floats *scale, floats *least) const {
		scale[0] = load_halves(p + 2 * width * part);
		if constexpr (L) *least = load_halves(p + 32 + 2 * width * part);
	}
	static void write(const B &b, int, int lane, uint8_t *, uint8_t *p) {
		put(p, lane, b.d);
		if constexpr (L) put(p + 32, lane, b.m);
	}
	static void pack(const B &b, int, int row, uint8_t *p) {
		if constexpr (N == 8) {
			uint32_t code[quads];
			memcpy(code, b.qs, sizeof code);
			static_assert(Z == 128);
			for (uint32_t &c : code) c ^= 0x80808080; // adds 128 to each
			codes::write(p, row, code);
		} else {
			pack_halves(b.qs, row, p);
			if constexpr (N == 5) {
				uint32_t bits;
				memcpy(&bits, b.qh, 4);
				bits = fifth(bits);
				memcpy(p + 256 + 4 * row, &bits, 4);
			}
		}
	}

private:
	// fifth turns the fifth bits of codes 0 to 31 by: bit 4 * i + j becomes bit 8 * j + i.
	static uint32_t fifth(uint32_t bits) {
		uint32_t turned = 0;
		for (int j = 0; j < 4; j++) {
			uint32_t b = bits >> j & 0x11111111;
			b          = (b | b >> 3) & 0x03030303;
			b          = (b | b >> 6) & 0x000f000f;
			turned |= ((b | b >> 12) & 0xff) << (8 * j);
		}
		return turned;
	}
};

// k45 is Q4_K and Q5_K: scales and least weights of 6 bits.
template <class B, int N> struct k45 {
	using block = B;
	using codes = packed<N>;
	static constexpr bool   in_runs = false;
	static constexpr int    length = QK_K, offset = 0, scales = 1;
	static constexpr bool   leasts = true;
	static constexpr size_t head = 64, extra = 32;
	floats                  d, dmin;

	k45(const uint8_t *p, int part) : d(load_halves(p + 2 * width * part)), dmin(load_halves(p + 32 + 2 * width * part)) {}
	static ints scale(const uint8_t *p, int, int part) { return load_bytes(p + width * part); }
	static ints least(const uint8_t *p, int part) { return load_bytes(p + 16 + width * part); }
	static void write(const B &b, int i, int lane, uint8_t *head, uint8_t *p) {
		put(head, lane, b.d);
		put(head + 32, lane, b.dmin ^ 0x8000); // the least weight is -dmin * m
		const uint8_t *s = b.scales;
		p[lane]          = i < 4 ? s[i] & 63 : (s[i + 4] & 15) | (s[i - 4] >> 6 << 4);
		p[lane + 16]     = i < 4 ? s[i + 4] & 63 : (s[i + 4] >> 4) | (s[i] >> 6 << 4);
	}
	static void pack(const B &b, int i, int row, uint8_t *p) {
		uint32_t code[quads];
		memcpy(code, b.qs + i / 2 * run, sizeof code);
		for (uint32_t &c : code) c = c >> (i % 2 * 4) & 0x0f0f0f0f;
		if constexpr (N == 5) {
			uint32_t high[quads];
			memcpy(high, b.qh, sizeof high);
			for (int k = 0; k < quads; k++) code[k] |= (high[k] >> i & 0x01010101) << 4;
		}
		codes::write(p, row, code);
	}
};

// k6 is Q6_K: a scale of 8 bits for each 16.
struct k6 {
	using block = block_q6_K;
	using codes = packed<6>;
	static constexpr bool   in_runs = false;
	static constexpr int    length = QK_K, offset = 32, scales = 2;
	static constexpr bool   leasts = false;
	static constexpr size_t head = 32, extra = 32;
	floats                  d;

	k6(const uint8_t *p, int part) : d(load_halves(p + 2 * width * part)) {}
	static ints scale(const uint8_t *p, int half, int part) { return load_signed(p + 16 * half + width * part); }
	static void write(const block &b, int i, int lane, uint8_t *head, uint8_t *p) {
		put(head, lane, b.d);
		p[lane]      = b.scales[2 * i];
		p[lane + 16] = b.scales[2 * i + 1];
	}
	static void pack(const block &b, int i, int row, uint8_t *p) {
		uint32_t code[quads], high[quads];
		memcpy(code, b.ql + 64 * (i / 4) + i % 2 * run, sizeof code);
		memcpy(high, b.qh + 32 * (i / 4), sizeof high);
		for (int k = 0; k < quads; k++) {
			code[k] = (code[k] >> (i % 4 / 2 * 4) & 0x0f0f0f0f) | (high[k] >> (2 * (i % 4)) & 0x03030303) << 4;
		}
		codes::write(p, row, code);
	}
};

// i4 is IQ4_XS: numbers of a list, and a scale of 6 bits.
struct i4 {
	using block = block_iq4_xs;
	using codes = listed;
	static constexpr bool   in_runs = true;
	static constexpr int    length = QK_K, offset = 128, scales = 1;
	static constexpr bool   leasts = false;
	static constexpr size_t head = 32, extra = 16;
	floats                  d;

	i4(const uint8_t *p, int part) : d(load_halves(p + 2 * width * part)) {}
	void read(const uint8_t *p, int part, floats *scale, floats *) const { scale[0] = d * to_floats(load_signed(p + width * part)); }
	static void write(const block &b, int i, int lane, uint8_t *head, uint8_t *p) {
		put(head, lane, b.d);
		const int scale = (b.scales_l[i / 2] >> (i % 2 * 4) & 15) | (b.scales_h >> (2 * i) & 3) << 4;
		p[lane]         = uint8_t(scale - 32);
	}
	static void pack(const block &b, int i, int row, uint8_t *p) { pack_halves(b.qs + i * run / 2, row, p); }
};

template <class W> constexpr size_t run_size   = W::extra + W::codes::size;
template <class W> constexpr size_t block_size = W::head + W::length / run * run_size<W>;

// KINDS lists the kinds, in one order for all: ggml's name of the type and how it lies here.
#define KINDS(F) \
	F(GGML_TYPE_Q4_0, plain<block_q4_0, 4, 8, false>) \
	F(GGML_TYPE_Q4_1, plain<block_q4_1, 4, 0, true>) \
	F(GGML_TYPE_Q5_0, plain<block_q5_0, 5, 16, false>) \
	F(GGML_TYPE_Q5_1, plain<block_q5_1, 5, 0, true>) \
	F(GGML_TYPE_Q8_0, plain<block_q8_0, 8, 128, false>) \
	F(GGML_TYPE_Q4_K, k45<block_q4_K, 4>) \
	F(GGML_TYPE_Q5_K, k45<block_q5_K, 5>) \
	F(GGML_TYPE_Q6_K, k6) \
	F(GGML_TYPE_IQ4_NL, plain<block_iq4_nl, 4, 128, false, listed>) \
	F(GGML_TYPE_IQ4_XS, i4)

} // namespace
