#pragma once

// The functions of a set. Whoever includes this defines NL2SQL_SET as the name of the variable, NL2SQL_NAME as that of the
// set, and NL2SQL_TILES where there are AMX's.

#include "attention.h"
#include "floats.h"
#ifdef NL2SQL_TILES
#include "tiles.h"
#else
#include "products.h"
#endif
#include "limits.h"

namespace {

template <class W> void multiply_groups(const nl2sql_product *p, int64_t first, int64_t end) {
#ifdef NL2SQL_TILES
	const int64_t done = multiply_tiles<W>(p, first, end);
#else
	const int64_t done = 0;
#endif
	multiply_rows<W>(p, first, end, done);
}

void multiply_kind(int kind, const nl2sql_product *p, int64_t first, int64_t end) {
	static constexpr void (*kinds[])(const nl2sql_product *, int64_t, int64_t) = {
#define F(type, ...) multiply_groups<__VA_ARGS__>,
		KINDS(F)
#undef F
	};
	kinds[kind](p, first, end);
}
} // namespace

extern "C" const nl2sql_set NL2SQL_SET = {NL2SQL_NAME, round_runs, multiply_kind, multiply_floats, adapt, attend, peak, read_all};
