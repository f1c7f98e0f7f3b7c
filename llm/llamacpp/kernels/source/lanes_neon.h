#pragma once

// NEON, with dot products, with those of unsigned and signed bytes (i8mm), or without either: 4 lanes.

#include <arm_neon.h>

namespace {
namespace lanes {

constexpr int width = 4;
constexpr bool by_sign = false;

struct ints { int32x4_t v; };
struct floats { float32x4_t v; };

inline int8x16_t  bytes(ints x) { return vreinterpretq_s8_s32(x.v); }
inline uint16x8_t words(ints x) { return vreinterpretq_u16_s32(x.v); }

inline floats zero() { return {vdupq_n_f32(0)}; }
inline ints   load(const uint8_t *p) { return {vreinterpretq_s32_u8(vld1q_u8(p))}; }
inline ints   every(int32_t x) { return {vdupq_n_s32(x)}; }
inline ints   every_byte(int8_t x) { return {vreinterpretq_s32_s8(vdupq_n_s8(x))}; }
inline ints   operator&(ints x, ints y) { return {vandq_s32(x.v, y.v)}; }
inline ints   operator|(ints x, ints y) { return {vorrq_s32(x.v, y.v)}; }
inline ints   left(ints x, int bits) { return {vreinterpretq_s32_u16(vshlq_u16(words(x), vdupq_n_s16(int16_t(bits))))}; }
inline ints   right(ints x, int bits) { return {vreinterpretq_s32_u16(vshlq_u16(words(x), vdupq_n_s16(int16_t(-bits))))}; }
inline ints   look_up(const uint8_t *table, ints x) { return {vreinterpretq_s32_u8(vqtbl1q_u8(vld1q_u8(table), vreinterpretq_u8_s32(x.v)))}; }
inline floats to_floats(ints x) { return {vcvtq_f32_s32(x.v)}; }
inline ints   nearest(floats x) { return {vcvtnq_s32_f32(x.v)}; }

inline int8x16_t every_four(const int8_t *x) {
	int32_t four;
	memcpy(&four, x, 4);
	return vreinterpretq_s8_s32(vdupq_n_s32(four));
}

#if !defined(__ARM_FEATURE_MATMUL_INT8)

// dot_signed adds products of signed bytes.
template <int N> inline ints dot_signed(ints sum, const int8x16_t *codes, const int8_t *x) {
	for (int i = 0; i < N; i++) {
#if defined(__ARM_FEATURE_DOTPROD)
		sum.v = vdotq_s32(sum.v, codes[i], every_four(x + 4 * i));
#else
		const int8x16_t four = every_four(x + 4 * i);
		const int32x4_t low  = vpaddlq_s16(vmull_s8(vget_low_s8(codes[i]), vget_low_s8(four)));
		const int32x4_t high = vpaddlq_s16(vmull_s8(vget_high_s8(codes[i]), vget_high_s8(four)));
		sum.v                = vaddq_s32(sum.v, vpaddq_s32(low, high));
#endif
	}
	return sum;
}

#endif

template <int bits, int N> inline ints dot(ints sum, const ints *codes, const int8_t *x) {
#if defined(__ARM_FEATURE_MATMUL_INT8)
	for (int i = 0; i < N; i++) sum.v = vusdotq_s32(sum.v, vreinterpretq_u8_s32(codes[i].v), every_four(x + 4 * i));
	return sum;
#else
	int8x16_t c[N];
	if constexpr (bits < 8) {
		for (int i = 0; i < N; i++) c[i] = bytes(codes[i]);
		return dot_signed<N>(sum, c, x);
	} else { // codes less 128, and what that takes away
		int32_t all = 0;
		for (int i = 0; i < 4 * N; i++) all += x[i];
		for (int i = 0; i < N; i++) c[i] = veorq_s8(bytes(codes[i]), vdupq_n_s8(-128));
		return dot_signed<N>({vaddq_s32(sum.v, vdupq_n_s32(128 * all))}, c, x);
	}
#endif
}

template <int bits, int N> inline ints scaled(ints sum, const ints *codes, const int8_t *x, ints scale) {
	return {vmlaq_s32(sum.v, dot<bits, N>(every(int32_t(0)), codes, x).v, vshrq_n_s32(scale.v, 16))};
}

inline ints dot_words(ints sum, ints pair, const int16_t *x) {
	sum.v = vmlaq_n_s32(sum.v, vshrq_n_s32(vshlq_n_s32(pair.v, 16), 16), x[0]);
	return {vmlaq_n_s32(sum.v, vshrq_n_s32(pair.v, 16), x[1])};
}

inline ints pair(ints x, ints y) { return {vorrq_s32(vandq_s32(x.v, vdupq_n_s32(0xffff)), vshlq_n_s32(y.v, 16))}; }
inline ints less(ints x, ints y, int bits) { return {vsubq_s32(x.v, vshlq_s32(y.v, vdupq_n_s32(bits)))}; }
inline ints load_bytes(const uint8_t *p) {
	uint32_t four;
	memcpy(&four, p, 4);
	return {vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(four)))))};
}
inline ints load_signed(const uint8_t *p) {
	uint32_t four;
	memcpy(&four, p, 4);
	return {vmovl_s16(vget_low_s16(vmovl_s8(vcreate_s8(four))))};
}

inline floats load(const float *p) { return {vld1q_f32(p)}; }
inline floats load_halves(const void *p) { return {vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(static_cast<const uint8_t *>(p))))}; }
inline floats load_brains(const void *p) { return {vreinterpretq_f32_u32(vshll_n_u16(vreinterpret_u16_u8(vld1_u8(static_cast<const uint8_t *>(p))), 16))}; }
inline void   store(float *p, floats x) { vst1q_f32(p, x.v); }
inline floats every(float x) { return {vdupq_n_f32(x)}; }
inline floats operator*(floats x, floats y) { return {vmulq_f32(x.v, y.v)}; }
inline floats operator+(floats x, floats y) { return {vaddq_f32(x.v, y.v)}; }
inline floats operator-(floats x, floats y) { return {vsubq_f32(x.v, y.v)}; }
inline floats fma(floats x, floats y, floats z) { return {vfmaq_f32(z.v, x.v, y.v)}; }
inline floats larger(floats x, floats y) { return {vmaxq_f32(x.v, y.v)}; }
inline floats magnitude(floats x) { return {vabsq_f32(x.v)}; }
inline floats power_of_2(ints x) { return {vreinterpretq_f32_s32(vshlq_n_s32(vaddq_s32(x.v, vdupq_n_s32(127)), 23))}; }
inline floats zero_below(floats x, float limit, floats y) { return {vreinterpretq_f32_u32(vandq_u32(vcgeq_f32(x.v, vdupq_n_f32(limit)), vreinterpretq_u32_f32(y.v)))}; }
inline float  first(floats x) { return vgetq_lane_f32(x.v, 0); }
inline float total(const floats *x) {
	const float32x4_t four = vaddq_f32(vaddq_f32(x[0].v, x[2].v), vaddq_f32(x[1].v, x[3].v));
	const float32x2_t two  = vadd_f32(vget_low_f32(four), vget_high_f32(four));
	return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
}
inline float   largest(floats x) { return vmaxvq_f32(x.v); }
inline int32_t total(ints x) { return vaddvq_s32(x.v); }

inline void store_bytes(int8_t *p, ints x) {
	const int16x4_t two  = vmovn_s32(x.v);
	const int8x8_t  four = vmovn_s16(vcombine_s16(two, two));
	vst1_lane_s32(reinterpret_cast<int32_t *>(p), vreinterpret_s32_s8(four), 0);
}

inline int32_t total16(const int8_t *p) { return vaddlvq_s8(vld1q_s8(p)); }

// transpose makes a column of each of 4 vectors.
inline void transpose(floats *x) {
	const float32x4x2_t a = vtrnq_f32(x[0].v, x[1].v), b = vtrnq_f32(x[2].v, x[3].v);
	x[0].v = vcombine_f32(vget_low_f32(a.val[0]), vget_low_f32(b.val[0]));
	x[1].v = vcombine_f32(vget_low_f32(a.val[1]), vget_low_f32(b.val[1]));
	x[2].v = vcombine_f32(vget_high_f32(a.val[0]), vget_high_f32(b.val[0]));
	x[3].v = vcombine_f32(vget_high_f32(a.val[1]), vget_high_f32(b.val[1]));
}

inline bool all_are(const void *p, uint16_t w) {
	const uint16_t  *v   = static_cast<const uint16_t *>(p);
	const uint16x8_t x   = vdupq_n_u16(w);
	uint16x8_t       all = vceqq_u16(vld1q_u16(v), x);
	for (int i = 1; i < 8; i++) all = vandq_u16(all, vceqq_u16(vld1q_u16(v + 8 * i), x));
	return vminvq_u16(all) == 0xffff;
}

} // namespace lanes
} // namespace
