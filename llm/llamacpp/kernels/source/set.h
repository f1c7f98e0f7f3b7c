#pragma once

// What a set of kernels is: the same functions, compiled for one instruction set. All sets read the same weights and
// rounded rows and give the same bits.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	NL2SQL_ROWS = 16, // of a matrix that lie together, one in each lane
	NL2SQL_RUN  = 32, // weights of a row that one scale, or two, hold for
	NL2SQL_FEW  = 64, // columns that the second matrix of an adapter has at most, for adapt
};

// nl2sql_rounded are 256 activations of a row, or what is left of it, rounded to 8 bits, with a scale for each 32, or for all
// where the weights have blocks of 256. Sums are of rounded activations.
struct nl2sql_rounded {
	int8_t  q[256];
	float   scale[8];
	float   part[8];  // scale times sum
	int16_t sum[8];   // of 32
	int16_t half[16]; // of 16
	int8_t  low[8];   // sum less 64 * high, of 0 to 63
	int8_t  high[8];
};

// nl2sql_rounded_size returns the bytes of a row of k. Those of 16 rows do not compete for the same places in a cache.
static inline size_t nl2sql_rounded_size(int64_t k) { return (size_t)(k + 255) / 256 * sizeof(struct nl2sql_rounded) + 64; }

// nl2sql_product is a product of a matrix and rows of k activations.
struct nl2sql_product {
	const uint8_t *weights; // reordered groups of 16 rows, or rows as they lie in a file
	size_t         stride;  // bytes from a group to the next, or from a row
	int64_t        k, n;    // length of rows, number of rows of activations
	const void    *x;       // n rounded rows, or rows of floats
	size_t         row;     // bytes from a row of x to the next
	float         *out;     // n rows of results
	size_t         result;  // bytes from a row of results to the next
};

// nl2sql_adaption adds to n rows of results scale times the product of the second matrix of an adapter, of k columns, with what its
// first yielded.
struct nl2sql_adaption {
	const char  *weights; // rows of k
	int64_t      k, n;    // at most NL2SQL_FEW; number of tokens
	const float *x;       // n rows of k
	const char  *to;      // n rows that it is added to
	size_t       from;    // bytes from a row of to to the next
	char        *out;     // n rows of results; may be to
	size_t       result;  // bytes from a row of results to the next
	float        scale;
};

// nl2sql_heads is an attention of 32 bits over keys and values of 16 bits, in bytes from one thing to the next.
struct nl2sql_heads {
	const char *q, *k, *v, *mask;
	char       *out;
	size_t      q_token, q_head, k_cell, v_cell, mask_token, out_token, out_head;
	int64_t     dk, dv, cells; // lengths of keys and values; number of cells
	float       scale;
};

// nl2sql_query is one query that attention works on.
struct nl2sql_query {
	const float *q;
	const char  *mask; // of the block's cells
	float       *sum;  // of values, each times its weight
	float        most, all; // the largest score, and the sum of weights
};

enum {
	NL2SQL_CELLS    = 64,  // of a block of attention
	NL2SQL_TOGETHER = 16,  // tokens that share a block's keys
	NL2SQL_SIZE     = 256, // longest keys and values
};

enum nl2sql_floats { NL2SQL_F32, NL2SQL_F16, NL2SQL_BF16 };

struct nl2sql_set {
	const char *name;

	// round rounds the runs from first to end of a row of activations; as many have one scale as together says.
	void (*round)(const float *x, int64_t first, int64_t end, int together, struct nl2sql_rounded *to);

	// multiply computes the products with the groups from first to end; kind is a place in the list of kinds.
	void (*multiply)(int kind, const struct nl2sql_product *p, int64_t first, int64_t end);

	// multiply_floats computes the products with the rows from first to end of weights that are not quantized.
	void (*multiply_floats)(enum nl2sql_floats type, const struct nl2sql_product *p, int64_t first, int64_t end);

	// adapt computes rows from first to end, of groups of 16.
	void (*adapt)(enum nl2sql_floats type, const struct nl2sql_adaption *a, int64_t first, int64_t end);

	// attend computes the results of the queries of tokens and heads; keys has room for a block's keys, sums for the values
	// of all queries.
	void (*attend)(const struct nl2sql_heads *s, int64_t from, int64_t to, int64_t first, int64_t last, float *keys, float *sums, struct nl2sql_query *queries);

	// peak multiplies and adds small integers as fast as the set can, and returns how many products that were.
	int64_t (*peak)(int64_t rounds);

	// read reads bytes, a multiple of 1024, and returns something of them.
	int32_t (*read)(const void *p, size_t bytes);
};

#ifdef __cplusplus
}
#endif
