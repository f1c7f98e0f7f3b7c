package llamacpp

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"nl2sql/llm/llamacpp/engine"
)

// best is how many of the likeliest tokens are tried before the whole vocabulary is.
const best = 64

// longestForced is how far forced looks, in bytes: as many as the tokens of the longest draft have.
const longestForced = 4 * longestDraft

// maxGrammar bounds a grammar, in bytes.
const maxGrammar = 4 << 20

var errNoToken = errors.New("no token of the model goes on in the grammar")

// grammars counts those that are not freed.
var grammars atomic.Int64

// grammar is how far an answer has come in a grammar. It is asked about the token that was drawn without it, and about
// others only if that is refused: an answer that obeys costs one question a token.
type grammar struct{ engine engine.Grammar }

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
	g, err := m.model.NewGrammar(text)
	if err != nil {
		return nil, err
	}
	grammars.Add(1)
	return &grammar{g}, nil
}

// free may be called of a nil grammar, and again.
func (g *grammar) free() {
	if g != nil && g.engine != nil {
		g.engine.Free()
		g.engine = nil
		grammars.Add(-1)
	}
}

// allows tells of each token whether it may come next.
func (g *grammar) allows(tokens ...int32) ([]bool, error) { return g.engine.Allows(tokens) }

// accept moves on behind a token that is allowed and ends no answer.
func (g *grammar) accept(token int32) error { return g.engine.Accept(token) }

// forced returns what every text begins with that may still come, up to longestForced bytes; "" where that is nothing,
// amid a character and for a nil grammar. It moves nothing.
func (g *grammar) forced() string {
	if g == nil {
		return ""
	}
	return g.engine.Forced(longestForced)
}

// likeliest returns the likeliest token that is allowed.
func (g *grammar) likeliest(logits []float32) (int32, error) {
	tokens := first(logits, best)
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
	token := likeliest(left)
	if token < 0 || math.IsInf(float64(left[token]), -1) {
		return 0, errNoToken
	}
	return token, nil
}

// first returns the n likeliest tokens, the likeliest first, of equals the one with the lower number first.
func first(logits []float32, n int) []int32 {
	better := func(a, b int32) int {
		return cmp.Or(cmp.Compare(logits[b], logits[a]), cmp.Compare(a, b))
	}
	tokens := make([]int32, 0, n+1)
	for i, l := range logits {
		if l != l || len(tokens) == n && l <= logits[tokens[n-1]] {
			continue
		}
		at, _ := slices.BinarySearchFunc(tokens, int32(i), better)
		tokens = slices.Insert(tokens, at, int32(i))
		tokens = tokens[:min(n, len(tokens))]
	}
	return tokens
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
