#pragma once

// Vectors of as many lanes as a register of the instruction set has that a set is compiled for. Everything is in an
// unnamed namespace: a function that the linker could share between sets would be one of the wrong instructions.
//
// A result must have the same bits with each set. So sums over lanes are in one order, as if there were 16 of them
// (total, which adds to each lane that 8 further on, then 4, 2 and 1), and no function of another library is called where its rounding is not settled.

#include "set.h"

#include <math.h>
#include <string.h>

#if defined(__AVX512F__)
#include "lanes_512.h"
#elif defined(__AVX2__)
#include "lanes_256.h"
#elif defined(__ARM_NEON)
#include "lanes_neon.h"
#endif

namespace {
namespace lanes {

constexpr int count  = NL2SQL_ROWS;
constexpr int passes = count / width; // registers for 16 lanes

template <int N, int M> void multiply_bytes(ints *products, const ints *codes, const int8_t *const *x); // where by_sign is true

// exponential is e to the x for x of at most 0, within 2 units in the last place; below -87 it is 0.
// Source: Cephes, expf: x = n ln 2 + r, and a polynomial of r.
inline floats exponential(floats x) {
	const ints   i = nearest(x * every(1.44269504088896341f));
	const floats n = to_floats(i);
	const floats r = fma(n, every(2.12194440e-4f), fma(n, every(-0.693359375f), x));
	floats       p = every(1.9875691500e-4f);
	p              = fma(p, r, every(1.3981999507e-3f));
	p              = fma(p, r, every(8.3334519073e-3f));
	p              = fma(p, r, every(4.1665795894e-2f));
	p              = fma(p, r, every(1.6666665459e-1f));
	p              = fma(p, r, every(5.0000001201e-1f));
	p              = fma(p, r * r, r) + every(1.f);
	return zero_below(x, -87, p * power_of_2(i));
}

} // namespace lanes
} // namespace
