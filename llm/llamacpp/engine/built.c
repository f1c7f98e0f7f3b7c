//go:build cgo && llamacpp && amd64

#include "../cpucheck/cpu.h"

// DEFINED(M) is 1 if the macro M is defined as 1, else 0.
#define DEFINED(macro) DEFINED_(macro)
#define DEFINED_(value) DEFINED__(IS_##value)
#define DEFINED__(is) SECOND(is 1, 0, 0)
#define SECOND(a, b, ...) b
#define IS_1 0,

enum {
#define F(name, macro, ...) NUMBER_##macro,
	FEATURES(F)
#undef F
};

const unsigned long long nl2sql_built_for = 0
#define F(name, macro, ...) | (unsigned long long)DEFINED(macro) << NUMBER_##macro
	FEATURES(F);
