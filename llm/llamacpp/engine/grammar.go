//go:build cgo && llamacpp

package engine

/*
#include <stdlib.h>
#include "grammar.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"
)

var errGrammarFailed = errors.New("llama.cpp failed to apply the grammar")

type grammar struct{ c *C.struct_llama_grammar }

// NewGrammar implements [Model].
func (m *model) NewGrammar(text string) (Grammar, error) {
	in := C.CString(text)
	defer C.free(unsafe.Pointer(in))
	why := make([]byte, 120)
	g := C.nl2sql_grammar_new(m.vocab, in, (*C.char)(unsafe.Pointer(&why[0])), C.size_t(len(why)))
	if g == nil {
		reason, _, _ := strings.Cut(string(why), "\x00")
		return nil, fmt.Errorf("invalid grammar: %s",
			strings.ToValidUTF8(strings.Join(strings.Fields(reason), " "), ""))
	}
	return &grammar{g}, nil
}

// Allows implements [Grammar].
func (g *grammar) Allows(tokens []int32) ([]bool, error) {
	may := make([]bool, len(tokens))
	if !C.nl2sql_grammar_allows(g.c, (*C.int32_t)(unsafe.SliceData(tokens)), C.size_t(len(tokens)),
		(*C.bool)(unsafe.SliceData(may))) {
		return nil, errGrammarFailed
	}
	return may, nil
}

// Accept implements [Grammar].
func (g *grammar) Accept(token int32) error {
	if !C.nl2sql_grammar_accept(g.c, C.int32_t(token)) {
		return errGrammarFailed
	}
	return nil
}

// Forced implements [Grammar].
func (g *grammar) Forced(most int) string {
	buf := make([]byte, most)
	return string(buf[:C.nl2sql_grammar_forced(g.c, (*C.char)(unsafe.Pointer(&buf[0])), C.size_t(most))])
}

// Free implements [Grammar].
func (g *grammar) Free() { C.nl2sql_grammar_free(g.c) }
