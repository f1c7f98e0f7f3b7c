//go:build cgo && llamacpp

package llamacpp

/*
#include "shim.h"
*/
import "C"

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"unsafe"

	"nl2sql/llm"
)

var errNoLogits = errors.New("the model's output is not a number: damaged weights")

// sampler returns a function that chooses the next token from the logits after the i-th token of the last evaluation.
func (m *Model) sampler(p llm.Params) func(i int) (int32, error) {
	words := m.model.NumVocab()
	if p.Temperature == 0 {
		return func(i int) (int32, error) {
			token := int32(C.nl2sql_argmax(m.c(), C.int32_t(i), C.int32_t(words)))
			if token < 0 {
				return 0, errNoLogits
			}
			return token, nil
		}
	}
	random := rand.New(rand.NewPCG(uint64(p.Seed), 0))
	return func(i int) (int32, error) {
		logits := C.nl2sql_logits(m.c(), C.int32_t(i))
		if logits == nil {
			return 0, errNoLogits
		}
		return draw(unsafe.Slice((*float32)(unsafe.Pointer(logits)), words), p.Temperature, p.TopP, random.Float64())
	}
}

// draw chooses a token by its probability at that temperature, among the likeliest that together reach topP
// (0 means all). u in [0,1) is the random number.
func draw(logits []float32, temperature, topP float32, u float64) (int32, error) {
	top := math.Inf(-1)
	for _, l := range logits {
		if l := float64(l); l > top {
			top = l
		}
	}
	if math.IsInf(top, 0) {
		return 0, errNoLogits
	}
	type choice struct {
		token int32
		p     float64
	}
	const least = 1e-9 // of the likeliest token's probability; what is below never matters
	var choices []choice
	var sum float64
	for i, l := range logits {
		if p := math.Exp((float64(l) - top) / float64(temperature)); p > least {
			choices = append(choices, choice{int32(i), p})
			sum += p
		}
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return cmp.Compare(b.p, a.p) })
	if topP > 0 && topP < 1 {
		var kept float64
		for i, c := range choices {
			if kept += c.p; kept >= float64(topP)*sum {
				choices, sum = choices[:i+1], kept
				break
			}
		}
	}
	for _, c := range choices {
		if u -= c.p / sum; u < 0 {
			return c.token, nil
		}
	}
	return choices[len(choices)-1].token, nil
}
