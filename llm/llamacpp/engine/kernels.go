//go:build cgo && llamacpp

package engine

/*
#include <stdlib.h>
#include "../kernels/kernels.h"
#include "../kernels/limits.h"
#include "shim.h"
*/
import "C"

import "unsafe"

// Kernels implements [Engine].
func (library) Kernels() string { return C.GoString(C.nl2sql_kernels()) }

// KernelSets lists the sets that this build has, the best first.
func (library) KernelSets() (sets []KernelSet) {
	for i := 0; ; i++ {
		var runs C.bool
		name := C.nl2sql_kernels_name(C.int32_t(i), &runs)
		if name == nil {
			return sets
		}
		sets = append(sets, KernelSet{C.GoString(name), bool(runs)})
	}
}

// ChooseKernels implements [Engine].
func (library) ChooseKernels(name string) bool {
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	return bool(C.nl2sql_kernels_choose(c))
}

// UseKernels implements [Engine].
func (library) UseKernels(use bool) { C.nl2sql_kernels_use(C.bool(use)) }

// KernelsUsed implements [Engine].
func (library) KernelsUsed() bool { return bool(C.nl2sql_kernels_used()) }

// MeasureReading implements [Engine].
func (library) MeasureReading(threads int, bytes int64, seconds float64) float64 {
	return float64(C.nl2sql_limit_reading(C.int32_t(threads), C.size_t(bytes), C.double(seconds)))
}

// MeasureProducts implements [Engine].
func (library) MeasureProducts(threads int, seconds float64) float64 {
	return float64(C.nl2sql_limit_products(C.int32_t(threads), C.double(seconds)))
}

// clearAhead has memory made ready for the matrices that our kernels reorder of the model that this thread loads next.
func clearAhead(matrices []Matrix) {
	size := C.size_t(0)
	for _, m := range matrices {
		size += C.nl2sql_kernels_size(C.int32_t(m.Type), C.int64_t(m.Row), C.int64_t(m.Rows))
	}
	C.nl2sql_kernels_ahead(size)
	C.nl2sql_one_by_one(size > 0)
}

func floats(x []float32) *C.float { return (*C.float)(unsafe.SliceData(x)) }

// Tests cannot call C; what follows is theirs.

// multiply stores 16 rows of weights as a type, writes back what they have become, and multiplies them with rows of x.
func multiply(kind, k int, weights, x []float32) (out []float32, ours bool) {
	n := len(x) / k
	out = make([]float32, 16*n)
	ours = bool(C.nl2sql_products_test(C.int32_t(kind), C.int64_t(k), C.int32_t(n), floats(weights),
		floats(x), floats(out)))
	return out, ours
}

// heads is the shape of an attention.
type heads struct{ size, queries, keys, tokens, cells int }

// attend computes an attention; k, v and mask are halves.
func attend(threads int, h heads, q []float32, k, v, mask []uint16, scale float32) (out []float32, ours bool) {
	out = make([]float32, h.size*h.queries*h.tokens)
	words := func(x []uint16) *C.uint16_t { return (*C.uint16_t)(unsafe.SliceData(x)) }
	ours = bool(C.nl2sql_attention_test(C.int32_t(threads), C.int32_t(h.size), C.int32_t(h.queries), C.int32_t(h.keys),
		C.int32_t(h.tokens), C.int32_t(h.cells), floats(q), words(k), words(v), words(mask),
		C.float(scale), floats(out)))
	return out, ours
}
