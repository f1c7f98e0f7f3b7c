//go:build cgo && llamacpp

package llamacpp

/*
#include <stdlib.h>
#include "grammar.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"
)

// best is how many of the likeliest tokens are tried before the whole vocabulary is.
const best = 64

// longestForced is how far forced looks, in bytes: as many as the tokens of the longest draft have.
const longestForced = 4 * longestDraft

// maxGrammar bounds a grammar, in bytes.
const maxGrammar = 4 << 20

var (
	errGrammarFailed = errors.New("llama.cpp failed to apply the grammar")
	errNoToken       = errors.New("no token of the model goes on in the grammar")
)

// grammars counts those that are not freed.
var grammars atomic.Int64

// grammar is how far an answer has come in a grammar. It is asked about the token that was drawn without it, and about
// others only if that is refused: an answer that obeys costs one question a token.
type grammar struct{ c *C.struct_llama_grammar }

// newGrammar reads a grammar; "" is none, and nil.
func (m *Model) newGrammar(text string) (*grammar, error) {
	if text == "" {
		return nil, nil
	}
	if len(text) > maxGrammar {
		return nil, fmt.Errorf("the grammar has %d bytes: at most %d are allowed", len(text), maxGrammar)
	}
	if strings.ContainsRune(text, 0) {
		return nil, errors.New("invalid grammar: it holds a zero byte")
	}
	in := C.CString(text)
	defer C.free(unsafe.Pointer(in))
	why := make([]byte, 120)
	g := C.nl2sql_grammar_new(m.v(), in, (*C.char)(unsafe.Pointer(&why[0])), C.size_t(len(why)))
	if g == nil {
		reason, _, _ := strings.Cut(string(why), "\x00")
		return nil, fmt.Errorf("invalid grammar: %s", strings.ToValidUTF8(strings.Join(strings.Fields(reason), " "), ""))
	}
	grammars.Add(1)
	return &grammar{g}, nil
}

// free may be called of a nil grammar, and again.
func (g *grammar) free() {
	if g != nil && g.c != nil {
		C.nl2sql_grammar_free(g.c)
		g.c = nil
		grammars.Add(-1)
	}
}

// allows tells of each token whether it may come next.
func (g *grammar) allows(tokens ...int32) ([]bool, error) {
	may := make([]bool, len(tokens))
	if !C.nl2sql_grammar_allows(g.c, (*C.int32_t)(unsafe.SliceData(tokens)), C.size_t(len(tokens)), (*C.bool)(unsafe.SliceData(may))) {
		return nil, errGrammarFailed
	}
	return may, nil
}

// accept moves on behind a token that is allowed and ends no answer.
func (g *grammar) accept(token int32) error {
	if !C.nl2sql_grammar_accept(g.c, C.int32_t(token)) {
		return errGrammarFailed
	}
	return nil
}

// forced returns what every text begins with that may still come, up to longestForced bytes; "" where that is nothing,
// amid a character and for a nil grammar. It moves nothing.
func (g *grammar) forced() string {
	if g == nil {
		return ""
	}
	var buf [longestForced]byte
	return string(buf[:C.nl2sql_grammar_forced(g.c, (*C.char)(unsafe.Pointer(&buf[0])), longestForced)])
}

// likeliest returns the likeliest token that is allowed.
func (g *grammar) likeliest(logits []float32) (int32, error) {
	tokens := make([]int32, best)
	tokens = tokens[:C.nl2sql_best((*C.float)(unsafe.SliceData(logits)), C.int32_t(len(logits)), (*C.int32_t)(&tokens[0]), best)]
	may, err := g.allows(tokens...)
	if err != nil {
		return 0, err
	}
	if i := slices.Index(may, true); i >= 0 {
		return tokens[i], nil
	}
	left, err := g.mask(logits)
	if err != nil {
		return 0, err
	}
	token := int32(-1)
	for i, l := range left {
		if !math.IsInf(float64(l), -1) && (token < 0 || l > left[token]) {
			token = int32(i)
		}
	}
	if token < 0 {
		return 0, errNoToken
	}
	return token, nil
}

// mask returns the logits of allowed tokens; those of others are minus infinity.
func (g *grammar) mask(logits []float32) ([]float32, error) {
	tokens := make([]int32, len(logits))
	for i := range tokens {
		tokens[i] = int32(i)
	}
	may, err := g.allows(tokens...)
	if err != nil {
		return nil, err
	}
	left := slices.Clone(logits)
	for i := range left {
		if !may[i] {
			left[i] = float32(math.Inf(-1))
		}
	}
	return left, nil
}
