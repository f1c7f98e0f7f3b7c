#pragma once

// AVX-512 with VNNI: 16 lanes.

#include <immintrin.h>

namespace {
namespace lanes {

constexpr int width = 16;
constexpr bool by_sign = false;

struct ints { __m512i v; };
struct floats { __m512 v; };

inline __m128i load16(const void *p) { return _mm_loadu_si128(static_cast<const __m128i *>(p)); }
inline __m256i load32(const void *p) { return _mm256_loadu_si256(static_cast<const __m256i *>(p)); }

inline floats zero() { return {_mm512_setzero_ps()}; }
inline ints   load(const uint8_t *p) { return {_mm512_loadu_si512(p)}; }
inline ints   every(int32_t x) { return {_mm512_set1_epi32(x)}; }
inline ints   every_byte(int8_t x) { return {_mm512_set1_epi8(x)}; }
inline ints   operator&(ints x, ints y) { return {_mm512_and_si512(x.v, y.v)}; }
inline ints   operator|(ints x, ints y) { return {_mm512_or_si512(x.v, y.v)}; }
inline ints   left(ints x, int bits) { return {_mm512_slli_epi16(x.v, bits)}; } // within 16 bits
inline ints   right(ints x, int bits) { return {_mm512_srli_epi16(x.v, bits)}; }
inline ints   look_up(const uint8_t *table, ints x) { return {_mm512_shuffle_epi8(_mm512_broadcast_i32x4(load16(table)), x.v)}; } // of 16 bytes, by those of x
inline floats to_floats(ints x) { return {_mm512_cvtepi32_ps(x.v)}; }
inline ints   nearest(floats x) { return {_mm512_cvtps_epi32(x.v)}; }

// dot adds to each integer the products of N times four codes, of 0 to 2^bits-1, and the same signed bytes.
template <int bits, int N> inline ints dot(ints sum, const ints *codes, const int8_t *x) {
	for (int i = 0; i < N; i++) {
		int32_t four;
		memcpy(&four, x + 4 * i, 4);
		sum.v = _mm512_dpbusd_epi32(sum.v, codes[i].v, _mm512_set1_epi32(four));
	}
	return sum;
}

// scaled adds to each integer the product of a scale of 16 bits, in both halves of its lane, and such a sum.
template <int bits, int N> inline ints scaled(ints sum, const ints *codes, const int8_t *x, ints scale) {
	return {_mm512_add_epi32(sum.v, _mm512_mullo_epi32(dot<bits, N>(every(int32_t(0)), codes, x).v, _mm512_srai_epi32(scale.v, 16)))};
}

// dot_words adds to each integer the products of a pair of words and two others.
inline ints dot_words(ints sum, ints pair, const int16_t *x) {
	int32_t two;
	memcpy(&two, x, 4);
	return {_mm512_dpwssd_epi32(sum.v, pair.v, _mm512_set1_epi32(two))};
}

// pair makes words of a lane's integers, the first the lower one.
inline ints pair(ints x, ints y) { return {_mm512_mask_blend_epi16(0xaaaaaaaa, x.v, _mm512_slli_epi32(y.v, 16))}; }
inline ints less(ints x, ints y, int bits) { return {_mm512_sub_epi32(x.v, _mm512_slli_epi32(y.v, bits))}; } // x - (y << bits)
inline ints load_bytes(const uint8_t *p) { return {_mm512_cvtepu8_epi32(load16(p))}; }
inline ints load_signed(const uint8_t *p) { return {_mm512_cvtepi8_epi32(load16(p))}; }

inline floats load(const float *p) { return {_mm512_loadu_ps(p)}; }
inline floats load_halves(const void *p) { return {_mm512_cvtph_ps(load32(p))}; }
inline floats load_brains(const void *p) { return {_mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(load32(p)), 16))}; }
inline void   store(float *p, floats x) { _mm512_storeu_ps(p, x.v); }
inline floats every(float x) { return {_mm512_set1_ps(x)}; }
inline floats operator*(floats x, floats y) { return {_mm512_mul_ps(x.v, y.v)}; }
inline floats operator+(floats x, floats y) { return {_mm512_add_ps(x.v, y.v)}; }
inline floats operator-(floats x, floats y) { return {_mm512_sub_ps(x.v, y.v)}; }
inline floats fma(floats x, floats y, floats z) { return {_mm512_fmadd_ps(x.v, y.v, z.v)}; } // x * y + z, rounded once
inline floats larger(floats x, floats y) { return {_mm512_max_ps(x.v, y.v)}; }
inline floats magnitude(floats x) { return {_mm512_abs_ps(x.v)}; }
inline floats power_of_2(ints x) { return {_mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(x.v, _mm512_set1_epi32(127)), 23))}; }
inline floats zero_below(floats x, float limit, floats y) { return {_mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x.v, _mm512_set1_ps(limit), _CMP_GE_OQ), y.v)}; }
inline float  first(floats x) { return _mm512_cvtss_f32(x.v); }

inline float total(const floats *x) {
	const __m256 y = _mm256_add_ps(_mm512_castps512_ps256(x->v), _mm512_extractf32x8_ps(x->v, 1));
	__m128       z = _mm_add_ps(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1));
	z              = _mm_add_ps(z, _mm_movehl_ps(z, z));
	return _mm_cvtss_f32(_mm_add_ss(z, _mm_movehdup_ps(z)));
}
inline float   largest(floats x) { return _mm512_reduce_max_ps(x.v); }
inline int32_t total(ints x) { return _mm512_reduce_add_epi32(x.v); }

// store_bytes writes integers that fit into bytes.
inline void store_bytes(int8_t *p, ints x) { _mm_storeu_si128(reinterpret_cast<__m128i *>(p), _mm512_cvtepi32_epi8(x.v)); }

// total16 adds 16 bytes.
inline int32_t total16(const int8_t *p) {
	const __m128i sums = _mm_sad_epu8(_mm_xor_si128(load16(p), _mm_set1_epi8(-128)), _mm_setzero_si128());
	return _mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_unpackhi_epi64(sums, sums))) - 16 * 128;
}

// transpose makes a column of each of 16 vectors.
inline void transpose(floats *x) {
	__m512 a[16], b[16];
	for (int i = 0; i < 16; i += 2) { // pairs, then fours of numbers within each quarter of a vector
		b[i]     = _mm512_unpacklo_ps(x[i].v, x[i + 1].v);
		b[i + 1] = _mm512_unpackhi_ps(x[i].v, x[i + 1].v);
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
		x[i].v      = _mm512_shuffle_f32x4(even, more, 0x88);
		x[i + 4].v  = _mm512_shuffle_f32x4(odd, rest, 0x88);
		x[i + 8].v  = _mm512_shuffle_f32x4(even, more, 0xdd);
		x[i + 12].v = _mm512_shuffle_f32x4(odd, rest, 0xdd);
	}
}

// all_are reports whether 64 words of 16 bits are all w.
inline bool all_are(const void *p, uint16_t w) {
	const __m512i x = _mm512_set1_epi16(short(w)), *v = static_cast<const __m512i *>(p);
	return (_mm512_cmpneq_epi16_mask(_mm512_loadu_si512(v), x) | _mm512_cmpneq_epi16_mask(_mm512_loadu_si512(v + 1), x)) == 0;
}

} // namespace lanes
} // namespace
