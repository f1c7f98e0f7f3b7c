package question

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"nl2sql/sqlcheck/words"
)

// openers may come before the verb of a request, and polite words around what is said; the longest first.
var (
	openers = sync.OnceValue(func() []string { return longest(words.Opener) })
	polite  = sync.OnceValue(func() []string { return longest(words.Opener | words.SmallTalk) })
)

func longest(u words.Use) []string {
	list := words.With(u)
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return list
}

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

// Edits reports whether the change that the question asks for is one of the query before it, whose SQL is before, and
// none of data: "add the city", "drop the last condition", "make it 5".
func (q *Question) Edits(before string) bool {
	verb := words.Fold(strings.ToLower(q.Changes()))
	takes, varies := words.Is(verb, words.Takes), words.Is(verb, words.Varies)
	if !takes && !varies {
		return false
	}
	from := q.where(0, func(i int) bool { return q.Words[i].fold == verb }) + 1
	if from == len(q.Words) { // "die Stadt entfernen"
		from = 0
	}
	column := func(i int) bool { is, _ := q.nameAt(i); return is }
	table := func(i int) bool { _, is := q.nameAt(i); return is }
	part := func(i int) bool { return q.IsFor(i, words.QueryPart) && !table(i) && !q.inName(i) }
	head := q.where(from, func(i int) bool {
		return !words.IsStop(q.Words[i].Low) || words.Numeral(q.Words[i].Low) > 0 || part(i) || column(i)
	})
	_, named := q.Spelled()
	value := len(named)+len(q.Known()) > 0 || q.where(from, func(i int) bool { return q.Words[i].Low[0] <= '9' }) >= 0
	row, all := head >= 0 && table(head) && !part(head+1) && !column(head+1), q.first(from, words.AnyRow)
	switch {
	case head < 0, row && value:
		return false
	case !takes && !row && q.FollowsUp():
		return true
	case q.where(from, part) >= 0:
		return takes || q.where(from, table) < 0 && !q.Has("of", "von", "de", "del", "du")
	case row, all >= 0 && all <= head && !column(all):
		return all < 0 && !varies
	case !takes:
		_, conditions, _ := strings.Cut(strings.ToLower(before), "where")
		return q.where(from, table) < 0 && q.where(from, func(i int) bool {
			return !words.IsStop(q.Words[i].Low) && strings.Contains(conditions, q.Words[i].Low)
		}) >= 0
	}
	return !varies || value || q.where(from, column) >= 0 || q.first(from, words.Refers) >= 0
}

// nameAt reports whether a column's name begins at word i, or else a table's. A name of one word may be meant in any
// language, as a few words do not tell theirs.
func (q *Question) nameAt(i int) (column, table bool) {
	if i >= len(q.Words) {
		return false, false
	}
	var means []string
	for lang := range words.Langs {
		means = append(means, words.Meanings(lang, q.Words[i].Low)...)
	}
	is := func(name []string) bool {
		return q.Mention(i, name) == i || len(name) == 1 && slices.Contains(means, name[0])
	}
	column = slices.ContainsFunc(q.Voc.Columns, func(c ColumnWords) bool { return is(c.Words) || is(c.Own) })
	return column, !column && slices.ContainsFunc(q.Voc.tables, func(t tableWords) bool { return is(t.words) })
}

// inName reports whether word i stands in a column's name of several words: "credit limit".
func (q *Question) inName(i int) bool {
	return slices.ContainsFunc(q.spans, func(s span) bool { return s.from <= i && i < s.to })
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
	for rest := withoutOpener(ws); len(rest) < len(ws); rest = withoutOpener(ws) {
		ws = rest
	}
	return ws
}

// withoutOpener takes the first of them off.
func withoutOpener(ws []words.Token) []words.Token {
	same := func(w string, t words.Token) bool { return w == t.Fold }
	for _, opener := range openers() {
		of := strings.Fields(opener)
		if len(of) <= len(ws) && slices.EqualFunc(of, ws[:len(of)], same) {
			return ws[len(of):]
		}
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
