//go:build cgo && llamacpp

package llamacpp

/*
#include "kernels.h"
*/
import "C"

import "unsafe"

// kernels names what computes products and attention beside llama.cpp, or returns "" if nothing does.
func kernels() string { return C.GoString(C.nl2sql_kernels()) }

// Tests cannot use cgo; these are theirs.

func useKernels(use bool) { C.nl2sql_kernels_use(C.bool(use)) }

// multiply quantizes 16 rows of weights, writes back what they have become, and multiplies them with rows of x.
func multiply(kind, k int, weights, x []float32) (out []float32, ours bool) {
	n := len(x) / k
	out = make([]float32, 16*n)
	ours = bool(C.nl2sql_products_test(C.int32_t(kind), C.int64_t(k), C.int32_t(n), floats(weights), floats(x), floats(out)))
	return out, ours
}

// heads is the shape of an attention.
type heads struct{ size, queries, keys, tokens, cells int }

// attend computes an attention; k, v and mask are halves.
func attend(threads int, h heads, q []float32, k, v, mask []uint16, scale float32) (out []float32, ours bool) {
	out = make([]float32, h.size*h.queries*h.tokens)
	words := func(x []uint16) *C.uint16_t { return (*C.uint16_t)(unsafe.SliceData(x)) }
	ours = bool(C.nl2sql_attention_test(C.int32_t(threads), C.int32_t(h.size), C.int32_t(h.queries), C.int32_t(h.keys), C.int32_t(h.tokens), C.int32_t(h.cells),
		floats(q), words(k), words(v), words(mask), C.float(scale), floats(out)))
	return out, ours
}

func floats(x []float32) *C.float { return (*C.float)(unsafe.SliceData(x)) }
