//go:build cgo && llamacpp

package llamacpp

/*
#include <stdlib.h>
#include "kernels.h"
*/
import "C"

import (
	"fmt"
	"strings"
	"unsafe"
)

// Kernels names the set of our kernels that computes products and attention: the one that was chosen, or the best that
// the processor and the system can run.
func Kernels() string { return C.GoString(C.nl2sql_kernels()) }

// KernelSet is one of the sets that this build has.
type KernelSet struct {
	Name string
	Runs bool // here
}

// KernelSets lists them, the best first.
func KernelSets() (sets []KernelSet) {
	for i := 0; ; i++ {
		var runs C.bool
		name := C.nl2sql_kernels_name(C.int32_t(i), &runs)
		if name == nil {
			return sets
		}
		sets = append(sets, KernelSet{C.GoString(name), bool(runs)})
	}
}

// ChooseKernels takes a set by its name; "" leaves the choice to the program. It is called before a model is opened.
func ChooseKernels(name string) error {
	if name == "" {
		return nil
	}
	var names []string
	for _, s := range KernelSets() {
		if s.Name == name && !s.Runs {
			return fmt.Errorf("kernels %s: this processor or system cannot run them", name)
		}
		names = append(names, s.Name)
	}
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	if !C.nl2sql_kernels_choose(c) {
		return fmt.Errorf("no kernels %q: there are %s", name, strings.Join(names, ", "))
	}
	return nil
}

// Tests cannot use cgo; these are theirs.

func useKernels(use bool) { C.nl2sql_kernels_use(C.bool(use)) }
func kernelsUsed() bool   { return bool(C.nl2sql_kernels_used()) }

// multiply stores 16 rows of weights as a type, writes back what they have become, and multiplies them with rows of x.
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
