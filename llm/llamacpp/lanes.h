#pragma once

// Vectors of 16 lanes on the processors that have kernels of ours: one register with AVX-512 VNNI, two with AVX2.

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VNNI__)
#define NL2SQL_LANES "AVX512_VNNI"
#define NL2SQL_512
#elif defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
#define NL2SQL_LANES "AVX2"
#endif

#ifdef NL2SQL_LANES

#include "ggml-cpu/vec.h" // ggml_v_expf

#include <stdint.h>

#include <immintrin.h>

namespace lanes {

constexpr int count = 16;

inline __m128i load16(const void *p) { return _mm_loadu_si128(static_cast<const __m128i *>(p)); }
inline __m256i load32(const void *p) { return _mm256_loadu_si256(static_cast<const __m256i *>(p)); }

#ifdef NL2SQL_512

// ints are 16 integers, or 64 bytes; floats are 16 numbers.
struct ints { __m512i v; };
struct floats { __m512 v; };

inline floats zero() { return {_mm512_setzero_ps()}; }
inline ints   load(const uint8_t *p) { return {_mm512_loadu_si512(p)}; }
inline ints   every(int32_t x) { return {_mm512_set1_epi32(x)}; }
inline ints   every_byte(int8_t x) { return {_mm512_set1_epi8(x)}; }
inline ints   operator&(ints x, ints y) { return {_mm512_and_si512(x.v, y.v)}; }
inline ints   operator|(ints x, ints y) { return {_mm512_or_si512(x.v, y.v)}; }
inline ints   left(ints x, int bits) { return {_mm512_slli_epi16(x.v, bits)}; } // within 16 bits
inline ints   right(ints x, int bits) { return {_mm512_srli_epi16(x.v, bits)}; }
inline floats to_floats(ints x) { return {_mm512_cvtepi32_ps(x.v)}; }

// dot adds to each integer of sum the products of four codes, of 0 to 255, and the same four signed bytes.
template <int bits> ints dot(ints sum, ints codes, int32_t four) { return {_mm512_dpbusd_epi32(sum.v, codes.v, _mm512_set1_epi32(four))}; }

inline floats load(const float *p) { return {_mm512_loadu_ps(p)}; }
inline floats load_halves(const void *p) { return {_mm512_cvtph_ps(load32(p))}; }
inline floats load_bytes(const void *p) { return {_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(load16(p)))}; }
inline floats load_signed(const void *p) { return {_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(load16(p)))}; }
inline void   store(float *p, floats x) { _mm512_storeu_ps(p, x.v); }
inline floats every(float x) { return {_mm512_set1_ps(x)}; }
inline floats operator*(floats x, floats y) { return {_mm512_mul_ps(x.v, y.v)}; }
inline floats operator+(floats x, floats y) { return {_mm512_add_ps(x.v, y.v)}; }
inline floats operator-(floats x, floats y) { return {_mm512_sub_ps(x.v, y.v)}; }
inline floats fma(floats x, floats y, floats z) { return {_mm512_fmadd_ps(x.v, y.v, z.v)}; } // x * y + z, rounded once
inline floats larger(floats x, floats y) { return {_mm512_max_ps(x.v, y.v)}; }
inline floats magnitude(floats x) { return {_mm512_abs_ps(x.v)}; }
inline floats exponential(floats x) { return {ggml_v_expf(x.v)}; }
inline float  first(floats x) { return _mm512_cvtss_f32(x.v); }
inline float  largest(floats x) { return _mm512_reduce_max_ps(x.v); }
inline float  total(floats x) { return _mm512_reduce_add_ps(x.v); }

// round writes the nearest integers, which fit into bytes, and returns their sum.
inline int32_t round(floats x, int8_t *p) {
	const __m512i i = _mm512_cvtps_epi32(x.v);
	_mm_storeu_si128(reinterpret_cast<__m128i *>(p), _mm512_cvtepi32_epi8(i));
	return _mm512_reduce_add_epi32(i);
}

#else

struct ints { __m256i a, b; };
struct floats { __m256 a, b; };

inline floats zero() { return {_mm256_setzero_ps(), _mm256_setzero_ps()}; }
inline ints   load(const uint8_t *p) { return {load32(p), load32(p + 32)}; }
inline ints   every(int32_t x) { return {_mm256_set1_epi32(x), _mm256_set1_epi32(x)}; }
inline ints   every_byte(int8_t x) { return {_mm256_set1_epi8(x), _mm256_set1_epi8(x)}; }
inline ints   operator&(ints x, ints y) { return {_mm256_and_si256(x.a, y.a), _mm256_and_si256(x.b, y.b)}; }
inline ints   operator|(ints x, ints y) { return {_mm256_or_si256(x.a, y.a), _mm256_or_si256(x.b, y.b)}; }
inline ints   left(ints x, int bits) { return {_mm256_slli_epi16(x.a, bits), _mm256_slli_epi16(x.b, bits)}; }
inline ints   right(ints x, int bits) { return {_mm256_srli_epi16(x.a, bits), _mm256_srli_epi16(x.b, bits)}; }
inline floats to_floats(ints x) { return {_mm256_cvtepi32_ps(x.a), _mm256_cvtepi32_ps(x.b)}; }

inline __m256i dot_half(__m256i sum, __m256i codes, __m256i four) {
#ifdef __AVXVNNI__
	return _mm256_dpbusd_avx_epi32(sum, codes, four);
#else
	return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(codes, four), _mm256_set1_epi16(1)));
#endif
}

template <int bits> ints dot(ints sum, ints codes, int32_t four) {
	const __m256i to = _mm256_set1_epi32(four);
#ifndef __AVXVNNI__
	if constexpr (bits == 8) { // sums of two products must fit into 16 bits
		const ints low = codes & every_byte(15), high = right(codes, 4) & every_byte(15), zero = every(0);
		return {_mm256_add_epi32(dot_half(sum.a, low.a, to), _mm256_slli_epi32(dot_half(zero.a, high.a, to), 4)),
			_mm256_add_epi32(dot_half(sum.b, low.b, to), _mm256_slli_epi32(dot_half(zero.b, high.b, to), 4))};
	}
#endif
	return {dot_half(sum.a, codes.a, to), dot_half(sum.b, codes.b, to)};
}

inline floats load(const float *p) { return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
inline floats load_halves(const void *p) {
	const __m256i x = load32(p);
	return {_mm256_cvtph_ps(_mm256_castsi256_si128(x)), _mm256_cvtph_ps(_mm256_extracti128_si256(x, 1))};
}
inline floats load_bytes(const void *p) {
	const __m128i x = load16(p);
	return to_floats({_mm256_cvtepu8_epi32(x), _mm256_cvtepu8_epi32(_mm_srli_si128(x, 8))});
}
inline floats load_signed(const void *p) {
	const __m128i x = load16(p);
	return to_floats({_mm256_cvtepi8_epi32(x), _mm256_cvtepi8_epi32(_mm_srli_si128(x, 8))});
}
inline void store(float *p, floats x) {
	_mm256_storeu_ps(p, x.a);
	_mm256_storeu_ps(p + 8, x.b);
}
inline floats every(float x) { return {_mm256_set1_ps(x), _mm256_set1_ps(x)}; }
inline floats operator*(floats x, floats y) { return {_mm256_mul_ps(x.a, y.a), _mm256_mul_ps(x.b, y.b)}; }
inline floats operator+(floats x, floats y) { return {_mm256_add_ps(x.a, y.a), _mm256_add_ps(x.b, y.b)}; }
inline floats operator-(floats x, floats y) { return {_mm256_sub_ps(x.a, y.a), _mm256_sub_ps(x.b, y.b)}; }
inline floats fma(floats x, floats y, floats z) { return {_mm256_fmadd_ps(x.a, y.a, z.a), _mm256_fmadd_ps(x.b, y.b, z.b)}; }
inline floats larger(floats x, floats y) { return {_mm256_max_ps(x.a, y.a), _mm256_max_ps(x.b, y.b)}; }
inline floats magnitude(floats x) {
	const __m256 sign = _mm256_set1_ps(-0.f);
	return {_mm256_andnot_ps(sign, x.a), _mm256_andnot_ps(sign, x.b)};
}
inline floats exponential(floats x) { return {ggml_v_expf(x.a), ggml_v_expf(x.b)}; }
inline float  first(floats x) { return _mm256_cvtss_f32(x.a); }
inline float  largest(floats x) {
	__m256 y = _mm256_max_ps(x.a, x.b);
	__m128 z = _mm_max_ps(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1));
	z        = _mm_max_ps(z, _mm_movehl_ps(z, z));
	return _mm_cvtss_f32(_mm_max_ss(z, _mm_movehdup_ps(z)));
}
inline float total(floats x) {
	__m256 y = _mm256_add_ps(x.a, x.b);
	__m128 z = _mm_add_ps(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1));
	z        = _mm_add_ps(z, _mm_movehl_ps(z, z));
	return _mm_cvtss_f32(_mm_add_ss(z, _mm_movehdup_ps(z)));
}

inline int32_t round(floats x, int8_t *p) {
	const __m256i i = _mm256_cvtps_epi32(x.a), j = _mm256_cvtps_epi32(x.b);
	const __m256i both = _mm256_permute4x64_epi64(_mm256_packs_epi32(i, j), 0xd8);
	_mm_storeu_si128(reinterpret_cast<__m128i *>(p), _mm_packs_epi16(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1)));
	__m256i s = _mm256_add_epi32(i, j);
	__m128i t = _mm_add_epi32(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1));
	t         = _mm_add_epi32(t, _mm_shuffle_epi32(t, 0x4e));
	return _mm_cvtsi128_si32(_mm_add_epi32(t, _mm_shuffle_epi32(t, 0xb1)));
}

#endif

} // namespace lanes

#endif
