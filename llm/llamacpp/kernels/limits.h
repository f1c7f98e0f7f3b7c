#pragma once

// What the machine could do at most, to compare with what the engine does.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// nl2sql_limit_reading returns the bytes a second that threads read out of so many, each a part of its own, over and over
// for about that many seconds; 0 if there is no such memory.
double nl2sql_limit_reading(int32_t threads, size_t bytes, double time);

// nl2sql_limit_products returns the products of bytes a second, each added to a sum, that the set of kernels in use does at
// most.
double nl2sql_limit_products(int32_t threads, double time);

#ifdef __cplusplus
}
#endif
