package sqlcheck

import (
	"strings"
	"unicode"
)

// A question is the words of what was asked, tied to the names and values of a schema.
type question struct {
	words []word
	voc   *vocabulary
	spans []span // whole names of columns of two words or more
}

type span struct{ from, to int }

// covered reports whether words [from,to) are only a part of a longer column name.
func (q *question) covered(from, to int) bool {
	for _, s := range q.spans {
		if s.from <= from && to <= s.to && s.to-s.from > to-from {
			return true
		}
	}
	return false
}

type word struct {
	low    string // lower case, as written
	stem   string
	masked bool // part of a quoted string or of a known value: implies no structure
	upper  bool // begins with a capital
	comma  bool // followed by a comma
	stop   bool // followed by the end of a sentence or a bracket
	at     int  // byte offset
}

// readQuestion splits text into words and masks what stands for data: quoted strings and known values.
func readQuestion(text string, s *Schema) *question {
	q := &question{voc: vocabularyOf(s)}
	var quote rune
	start := -1
	var prev rune
	add := func(end int) {
		if start < 0 {
			return
		}
		w := text[start:end]
		start, end = -1, start
		cut := []string{w}
		if ws := SplitName(w); len(ws) > 1 && !isDigits(w) && nextUpper(w) {
			cut = ws // a column's name as the schema writes it: "ratingDate"
		}
		for _, w := range cut {
			q.words = append(q.words, word{low: strings.ToLower(w), stem: Stem(w), masked: quote != 0, at: end, upper: w[0] >= 'A' && w[0] <= 'Z'})
		}
	}
	for i, r := range text {
		inWord := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.' && start >= 0 && nextIsDigit(text, i)
		switch {
		case inWord:
			if start < 0 {
				start = i
			}
		default:
			add(i)
			switch {
			case quote != 0 && closes(quote, r) && !(r == '\'' && nextIsLetter(text, i)):
				quote = 0
			case quote == 0 && (r == '"' || r == '\'' && !unicode.IsLetter(prev) && !unicode.IsDigit(prev) || r == '“' || r == '‘' || r == '`') && closedLater(text[i+len(string(r)):], r):
				quote = r
			}
			if n := len(q.words); n > 0 {
				switch r {
				case ',', ';':
					q.words[n-1].comma = true
				case '.', '?', '!', '(', ')', ':':
					q.words[n-1].stop = true
				}
			}
		}
		prev = r
	}
	add(len(text))
	q.maskValues()
	for _, c := range q.voc.columns {
		if len(c.words) < 2 {
			continue
		}
		for i := q.mention(0, c.words); i >= 0; i = q.mention(i+1, c.words) {
			q.spans = append(q.spans, span{i, i + len(c.words)})
		}
	}
	return q
}

// nextUpper reports whether w is written in camel case or with underscores.
func nextUpper(w string) bool {
	for i := 1; i < len(w); i++ {
		if w[i] == '_' || w[i] >= 'A' && w[i] <= 'Z' && w[i-1] >= 'a' && w[i-1] <= 'z' {
			return true
		}
	}
	return false
}

func nextIsDigit(s string, i int) bool { return i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' }

func nextIsLetter(s string, i int) bool {
	return i+1 < len(s) && (s[i+1] >= 'a' && s[i+1] <= 'z')
}

func closes(open, r rune) bool {
	switch open {
	case '“':
		return r == '”' || r == '"'
	case '‘':
		return r == '’' || r == '\''
	case '`':
		return r == '`' || r == '\''
	}
	return r == open
}

func closedLater(rest string, open rune) bool {
	for _, r := range rest {
		if closes(open, r) {
			return true
		}
	}
	return false
}

// maskValues hides the words that are a known value of a text column, longest first. A value of one word
// counts only if the question writes it with a capital as the value does and no name of the schema is that word.
func (q *question) maskValues() {
	for i := 0; i < len(q.words); {
		n := q.valueAt(i)
		for k := i; k < i+n; k++ {
			q.words[k].masked = true
		}
		i += max(n, 1)
	}
}

func (q *question) valueAt(i int) int {
	best := 0
	for _, k := range q.voc.values[q.words[i].low] {
		v := q.voc.known[k]
		if len(v.words) <= best || i+len(v.words) > len(q.words) {
			continue
		}
		same := true
		for j, w := range v.words {
			same = same && q.words[i+j].low == w
		}
		if !same {
			continue
		}
		if len(v.words) == 1 {
			if _, name := q.voc.stems[q.words[i].stem]; name || !q.words[i].upper || cueWords[q.words[i].low] {
				continue
			}
		}
		best = len(v.words)
	}
	return best
}

// cueWords carry structure and are never taken for a value of one word.
var cueWords = map[string]bool{
	"which": true, "what": true, "who": true, "how": true, "list": true, "show": true, "find": true, "give": true, "total": true,
	"average": true, "max": true, "min": true, "sum": true, "count": true, "top": true, "first": true, "last": true, "most": true, "least": true, "by": true, "per": true, "all": true,
}

// is reports whether word i is one of ws and not masked.
func (q *question) is(i int, ws ...string) bool {
	if i < 0 || i >= len(q.words) || q.words[i].masked {
		return false
	}
	for _, w := range ws {
		if q.words[i].low == w {
			return true
		}
	}
	return false
}

// has reports whether any of ws occurs as a word outside data.
func (q *question) has(ws ...string) bool { return q.index(0, ws...) >= 0 }

// index is the position of the first of ws at or after from, or -1.
func (q *question) index(from int, ws ...string) int {
	for i := from; i < len(q.words); i++ {
		if q.is(i, ws...) {
			return i
		}
	}
	return -1
}

// phrase reports whether the words of p stand in a row somewhere, and where.
func (q *question) phrase(p string) int {
	ws := strings.Fields(p)
	for i := 0; i+len(ws) <= len(q.words); i++ {
		same := true
		for j, w := range ws {
			same = same && q.is(i+j, w)
		}
		if same {
			return i
		}
	}
	return -1
}

// mention is the position of the stems in the question at or after from, or -1.
func (q *question) mention(from int, stems []string) int {
	if len(stems) == 0 {
		return -1
	}
	for i := from; i+len(stems) <= len(q.words); i++ {
		same := true
		for j, w := range stems {
			same = same && !q.words[i+j].masked && q.words[i+j].stem == w
		}
		if same {
			return i
		}
	}
	return -1
}

// tableAt is the table whose whole name stands at word i, and how many words that takes; the longest wins.
func (q *question) tableAt(i int) (*Table, int) {
	var best *Table
	n := 0
	for _, t := range q.voc.tables {
		if len(t.words) > n && i+len(t.words) <= len(q.words) && q.mention(i, t.words) == i {
			best, n = t.table, len(t.words)
		}
	}
	return best, n
}
