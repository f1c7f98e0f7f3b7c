package question

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"nl2sql/sqlcheck/words"
)

// openers may come before the verb of a request, the longest first.
var openers = sync.OnceValue(func() (list [][]string) {
	for _, o := range words.With(words.Opener) {
		list = append(list, strings.Fields(o))
	}
	slices.SortStableFunc(list, func(a, b []string) int { return len(b) - len(a) })
	return list
})

// Changes returns the verb, as written, with which the question asks to change data, in one of its sentences or after
// an "and" or "then"; "" if it does not. A verb counts at the head of a request, and in German at its end: "How many
// orders were deleted" asks to see.
func (q *Question) Changes() string {
	for sentence := range sentences(q.tokens) {
		if verb := changes(sentence); verb != nil {
			return verb.Text
		}
	}
	return ""
}

// sentences are the tokens between points, colons, semicolons and the ends of lines.
func sentences(tokens []words.Token) func(yield func([]words.Token) bool) {
	return func(yield func([]words.Token) bool) {
		for len(tokens) > 0 {
			end := slices.IndexFunc(tokens, func(t words.Token) bool { return strings.Contains(".!?;:\n", t.Text) })
			if end < 0 {
				end = len(tokens) - 1
			}
			if !yield(tokens[:end+1]) {
				return
			}
			tokens = tokens[end+1:]
		}
	}
}

// changes is that verb of a sentence, or nil.
func changes(sentence []words.Token) *words.Token {
	ws := slices.DeleteFunc(slices.Clone(sentence), func(t words.Token) bool {
		return t.Kind == words.Sign && t.Text != "="
	})
	rest := withoutOpeners(ws)
	if len(rest) == 0 {
		return nil
	}
	comma := slices.ContainsFunc(sentence, func(t words.Token) bool { return t.At == rest[0].End && t.Text == "," })
	if isOrder(rest) && !comma { // "make, model and plate" are nouns
		return &rest[0]
	}
	if words.Is(rest[0].Fold, words.Request) {
		i := slices.IndexFunc(ws, func(t words.Token) bool { return t.Fold == "then" || t.Fold == "and" })
		able := func(t words.Token) bool { return words.Is(t.Fold, words.Able) }
		if i < 0 || i+2 >= len(ws) || slices.ContainsFunc(ws[:i], able) {
			return nil
		}
		rest = withoutOpeners(ws[i:])
		if words.Is(ws[i+2].Fold, words.Determiner) && !strings.HasPrefix(ws[i+1].Fold, "change") && isOrder(rest) {
			return &rest[0]
		}
		return nil
	}
	if last := &rest[len(rest)-1]; len(rest) > 1 && words.Is(last.Fold, words.Infinitive) {
		return last
	}
	return demanded(rest)
}

// demanded returns the participle with which a sentence demands a change. It is said of something, and not of what is
// asked for, as in "customers that should be deleted".
func demanded(ws []words.Token) *words.Token {
	for i := range ws {
		if i < 2 || !words.Is(ws[i].Fold, words.Changed) || ws[i-1].Fold != "be" {
			continue
		}
		k := i - 2
		if ws[k].Fold == "to" && k > 0 {
			k--
		}
		if words.Is(ws[k].Fold, words.Demand) && (k == 0 || !words.Is(ws[k-1].Fold, words.Relative)) {
			return &ws[i]
		}
	}
	return nil
}

// withoutOpeners takes polite words off the head of a sentence.
func withoutOpeners(ws []words.Token) []words.Token {
	begins := func(opener []string) bool {
		return len(opener) <= len(ws) &&
			slices.EqualFunc(opener, ws[:len(opener)], func(w string, t words.Token) bool { return w == t.Fold })
	}
	list := openers()
	for i := slices.IndexFunc(list, begins); i >= 0; i = slices.IndexFunc(list, begins) {
		ws = ws[len(list[i]):]
	}
	return ws
}

// isOrder reports whether words begin with a verb that changes data, and go on as it demands.
func isOrder(ws []words.Token) bool {
	if len(ws) < 2 {
		return false
	}
	has := func(ws []words.Token, list []string) bool {
		return slices.ContainsFunc(ws, func(t words.Token) bool {
			return slices.Contains(list, cmp.Or(t.Fold, t.Text))
		})
	}
	return slices.ContainsFunc(words.Changes(ws[0].Fold), func(c words.Change) bool {
		return (c.Next == nil || has(ws[1:2], c.Next)) && (c.Later == nil || has(ws[1:], c.Later)) &&
			!has(ws[1:min(3, len(ws))], c.Never)
	})
}
