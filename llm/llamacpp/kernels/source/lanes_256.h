#pragma once

// AVX2, with VNNI or without: 8 lanes.

#include <immintrin.h>

namespace {
namespace lanes {

constexpr int width = 8;
#ifdef __AVXVNNI__
constexpr bool by_sign = false;
#else
constexpr bool by_sign = true; // codes of 8 bits are multiplied by multiply_bytes
#endif

struct ints { __m256i v; };
struct floats { __m256 v; };

inline __m128i load8(const void *p) { return _mm_loadl_epi64(static_cast<const __m128i *>(p)); }
inline __m128i load16(const void *p) { return _mm_loadu_si128(static_cast<const __m128i *>(p)); }
inline __m256i load32(const void *p) { return _mm256_loadu_si256(static_cast<const __m256i *>(p)); }

inline floats zero() { return {_mm256_setzero_ps()}; }
inline ints   load(const uint8_t *p) { return {load32(p)}; }
inline ints   every(int32_t x) { return {_mm256_set1_epi32(x)}; }
inline ints   every_byte(int8_t x) { return {_mm256_set1_epi8(x)}; }
inline ints   operator&(ints x, ints y) { return {_mm256_and_si256(x.v, y.v)}; }
inline ints   operator|(ints x, ints y) { return {_mm256_or_si256(x.v, y.v)}; }
inline ints   left(ints x, int bits) { return {_mm256_slli_epi16(x.v, bits)}; }
inline ints   right(ints x, int bits) { return {_mm256_srli_epi16(x.v, bits)}; }
inline ints   look_up(const uint8_t *table, ints x) { return {_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load16(table)), x.v)}; }
inline floats to_floats(ints x) { return {_mm256_cvtepi32_ps(x.v)}; }
inline ints   nearest(floats x) { return {_mm256_cvtps_epi32(x.v)}; }

inline __m256i every_four(const int8_t *x) {
	int32_t four;
	memcpy(&four, x, 4);
	return _mm256_set1_epi32(four);
}

#ifdef __AVXVNNI__

template <int bits, int N> inline ints dot(ints sum, const ints *codes, const int8_t *x) {
	for (int i = 0; i < N; i++) sum.v = _mm256_dpbusd_avx_epi32(sum.v, codes[i].v, every_four(x + 4 * i));
	return sum;
}

template <int bits, int N> inline ints scaled(ints sum, const ints *codes, const int8_t *x, ints scale) {
	return {_mm256_add_epi32(sum.v, _mm256_mullo_epi32(dot<bits, N>(every(int32_t(0)), codes, x).v, _mm256_srai_epi32(scale.v, 16)))};
}

#else

// Sums of products are kept in 16 bits as long as they fit: a pair of products is at most 2 * 127 * (2^bits-1).
template <int bits, int N> inline ints scaled(ints sum, const ints *codes, const int8_t *x, ints scale) {
	constexpr int fit = 32767 / (2 * 127 * ((1 << bits) - 1)), some = fit > N ? N : fit;
	static_assert(fit > 0);
	for (int i = 0; i < N; i += some) {
		__m256i pairs = _mm256_maddubs_epi16(codes[i].v, every_four(x + 4 * i));
		for (int j = i + 1; j < i + some && j < N; j++) pairs = _mm256_add_epi16(pairs, _mm256_maddubs_epi16(codes[j].v, every_four(x + 4 * j)));
		sum.v = _mm256_add_epi32(sum.v, _mm256_madd_epi16(pairs, scale.v));
	}
	return sum;
}

template <int bits, int N> inline ints dot(ints sum, const ints *codes, const int8_t *x) {
	return scaled<bits, N>(sum, codes, x, {_mm256_set1_epi16(1)});
}

// multiply_bytes computes products of codes less 128 with M rows of activations. Those of a pair fit into 16 bits, the
// sign with the activation: at most 2 * 128 * 127.
template <int N, int M> inline void multiply_bytes(ints *products, const ints *codes, const int8_t *const *x) {
	for (int m = 0; m < M; m++) products[m].v = _mm256_setzero_si256();
	for (int i = 0; i < N; i++) {
		const __m256i code = _mm256_xor_si256(codes[i].v, _mm256_set1_epi8(-128)), size = _mm256_abs_epi8(code);
		for (int m = 0; m < M; m++) {
			const __m256i pairs = _mm256_maddubs_epi16(size, _mm256_sign_epi8(every_four(x[m] + 4 * i), code));
			products[m].v       = _mm256_add_epi32(products[m].v, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
		}
	}
}

#endif

inline ints dot_words(ints sum, ints pair, const int16_t *x) {
	int32_t two;
	memcpy(&two, x, 4);
	return {_mm256_add_epi32(sum.v, _mm256_madd_epi16(pair.v, _mm256_set1_epi32(two)))};
}

inline ints pair(ints x, ints y) { return {_mm256_blend_epi16(x.v, _mm256_slli_epi32(y.v, 16), 0xaa)}; }
inline ints less(ints x, ints y, int bits) { return {_mm256_sub_epi32(x.v, _mm256_slli_epi32(y.v, bits))}; }
inline ints load_bytes(const uint8_t *p) { return {_mm256_cvtepu8_epi32(load8(p))}; }
inline ints load_signed(const uint8_t *p) { return {_mm256_cvtepi8_epi32(load8(p))}; }

inline floats load(const float *p) { return {_mm256_loadu_ps(p)}; }
inline floats load_halves(const void *p) { return {_mm256_cvtph_ps(load16(p))}; }
inline floats load_brains(const void *p) { return {_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load16(p)), 16))}; }
inline void   store(float *p, floats x) { _mm256_storeu_ps(p, x.v); }
inline floats every(float x) { return {_mm256_set1_ps(x)}; }
inline floats operator*(floats x, floats y) { return {_mm256_mul_ps(x.v, y.v)}; }
inline floats operator+(floats x, floats y) { return {_mm256_add_ps(x.v, y.v)}; }
inline floats operator-(floats x, floats y) { return {_mm256_sub_ps(x.v, y.v)}; }
inline floats fma(floats x, floats y, floats z) { return {_mm256_fmadd_ps(x.v, y.v, z.v)}; }
inline floats larger(floats x, floats y) { return {_mm256_max_ps(x.v, y.v)}; }
inline floats magnitude(floats x) { return {_mm256_andnot_ps(_mm256_set1_ps(-0.f), x.v)}; }
inline floats power_of_2(ints x) { return {_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(x.v, _mm256_set1_epi32(127)), 23))}; }
inline floats zero_below(floats x, float limit, floats y) { return {_mm256_and_ps(_mm256_cmp_ps(x.v, _mm256_set1_ps(limit), _CMP_GE_OQ), y.v)}; }
inline float  first(floats x) { return _mm256_cvtss_f32(x.v); }

inline float total(const floats *x) {
	const __m256 y = _mm256_add_ps(x[0].v, x[1].v);
	__m128       z = _mm_add_ps(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1));
	z              = _mm_add_ps(z, _mm_movehl_ps(z, z));
	return _mm_cvtss_f32(_mm_add_ss(z, _mm_movehdup_ps(z)));
}
inline float largest(floats x) {
	__m128 z = _mm_max_ps(_mm256_castps256_ps128(x.v), _mm256_extractf128_ps(x.v, 1));
	z        = _mm_max_ps(z, _mm_movehl_ps(z, z));
	return _mm_cvtss_f32(_mm_max_ss(z, _mm_movehdup_ps(z)));
}
inline int32_t total(ints x) {
	__m128i t = _mm_add_epi32(_mm256_castsi256_si128(x.v), _mm256_extracti128_si256(x.v, 1));
	t         = _mm_add_epi32(t, _mm_shuffle_epi32(t, 0x4e));
	return _mm_cvtsi128_si32(_mm_add_epi32(t, _mm_shuffle_epi32(t, 0xb1)));
}

inline void store_bytes(int8_t *p, ints x) {
	const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(x.v), _mm256_extracti128_si256(x.v, 1));
	_mm_storel_epi64(reinterpret_cast<__m128i *>(p), _mm_packs_epi16(words, words));
}

// total16 adds 16 bytes.
inline int32_t total16(const int8_t *p) {
	const __m128i sums = _mm_sad_epu8(_mm_xor_si128(load16(p), _mm_set1_epi8(-128)), _mm_setzero_si128());
	return _mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_unpackhi_epi64(sums, sums))) - 16 * 128;
}

// transpose makes a column of each of 8 vectors.
inline void transpose(floats *x) {
	__m256 a[8], b[8];
	for (int i = 0; i < 8; i += 2) {
		b[i]     = _mm256_unpacklo_ps(x[i].v, x[i + 1].v);
		b[i + 1] = _mm256_unpackhi_ps(x[i].v, x[i + 1].v);
	}
	for (int i = 0; i < 8; i += 4) {
		a[i]     = _mm256_shuffle_ps(b[i], b[i + 2], 0x44);
		a[i + 1] = _mm256_shuffle_ps(b[i], b[i + 2], 0xee);
		a[i + 2] = _mm256_shuffle_ps(b[i + 1], b[i + 3], 0x44);
		a[i + 3] = _mm256_shuffle_ps(b[i + 1], b[i + 3], 0xee);
	}
	for (int i = 0; i < 4; i++) {
		x[i].v     = _mm256_permute2f128_ps(a[i], a[i + 4], 0x20);
		x[i + 4].v = _mm256_permute2f128_ps(a[i], a[i + 4], 0x31);
	}
}

inline bool all_are(const void *p, uint16_t w) {
	const __m256i x = _mm256_set1_epi16(short(w)), *v = static_cast<const __m256i *>(p);
	__m256i       all = _mm256_cmpeq_epi16(load32(v), x);
	for (int i = 1; i < 4; i++) all = _mm256_and_si256(all, _mm256_cmpeq_epi16(load32(v + i), x));
	return _mm256_movemask_epi8(all) == -1;
}

} // namespace lanes
} // namespace
