#pragma once

// What the processor could do at most with a set's instructions: model bench compares with it.

#include "lanes.h"

namespace {

using namespace lanes;

int32_t read_all(const void *p, size_t bytes) {
	const uint8_t *from = static_cast<const uint8_t *>(p);
	ints           all[16];
	for (int i = 0; i < 16; i++) all[i] = every(int32_t(0));
	for (size_t at = 0; at < bytes; at += sizeof all) {
		for (int i = 0; i < 16; i++) all[i] = all[i] | load(from + at + i * sizeof(ints));
	}
	for (int i = 1; i < 16; i++) all[0] = all[0] | all[i];
	return total(all[0]);
}

#ifndef NL2SQL_TILES

int64_t peak(int64_t rounds) {
	constexpr int n = 8;
	const int8_t  x[4] = {1, 1, 1, 1};
	const ints    code[1] = {every_byte(1)};
	ints          sum[n];
	for (int i = 0; i < n; i++) sum[i] = every(int32_t(0));
	for (int64_t r = 0; r < rounds; r++) {
		for (int i = 0; i < n; i++) {
			sum[i] = dot<4, 1>(sum[i], code, x);
#ifdef __ARM_NEON
			__asm__ volatile("" : "+w"(sum[i].v)); // it is done each time
#else
			__asm__ volatile("" : "+v"(sum[i].v));
#endif
		}
	}
	for (int i = 1; i < n; i++) sum[0] = sum[0] | sum[i];
	volatile int32_t used = total(sum[0]);
	(void)used;
	return rounds * n * width * 4;
}

#endif

} // namespace
