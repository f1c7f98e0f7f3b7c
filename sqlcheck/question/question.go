// Package question reads what was asked, and holds the structure of a query against it. It finds the words, the names and values
// of a schema, and the structure and order that they imply, for guards, tools and the loop; it changes no query.
// Begin with Read. It imports sqlcheck, for verdicts, schema and syntax.
package question

import (
	"strings"
	"unicode"

	"nl2sql/sqlcheck/schema"
)

// A Question is the words of what was asked, tied to the names and values of a schema.
type Question struct {
	Words []Word
	Lang  string // "de", "es" or "fr"; "" is English
	Voc   *Vocabulary
	spans []span // whole names of columns of two words or more
	list  bool   // a colon stands between words
}

type span struct{ from, to int }

// covered reports whether words [from,to) are only a part of a longer column name.
func (q *Question) covered(from, to int) bool {
	for _, s := range q.spans {
		if s.from <= from && to <= s.to && s.to-s.from > to-from {
			return true
		}
	}
	return false
}

// A Word is one of a question.
type Word struct {
	Low    string // lower case, as written
	stem   string
	cue    string // the English word of structure that it stands for; "" for English words, which are their own
	Masked bool   // part of a quoted string or of a known value: implies no structure
	upper  bool   // begins with a capital
	comma  bool   // followed by a comma
	stop   bool   // followed by the end of a sentence or a bracket
	at     int    // byte offset
}

// Read splits text into words and masks what stands for data: quoted strings and known values.
func Read(text string, s *schema.Schema) *Question {
	q := &Question{Voc: VocabularyOf(s), Lang: LanguageOf(text)}
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
			q.Words = append(q.Words, Word{Low: strings.ToLower(w), stem: Stem(w), Masked: quote != 0, at: end, upper: w[0] >= 'A' && w[0] <= 'Z'})
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
			if n := len(q.Words); n > 0 {
				switch r {
				case ',', ';':
					q.Words[n-1].comma = true
				case '.', '?', '!', '(', ')', ':':
					q.Words[n-1].stop = true
					q.list = q.list || r == ':' && quote == 0
				}
			}
		}
		prev = r
	}
	add(len(text))
	q.maskValues()
	q.readCues()
	for _, c := range q.Voc.Columns {
		if len(c.Words) < 2 {
			continue
		}
		for i := q.Mention(0, c.Words); i >= 0; i = q.Mention(i+1, c.Words) {
			q.spans = append(q.spans, span{i, i + len(c.Words)})
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
func (q *Question) maskValues() {
	for i := 0; i < len(q.Words); {
		n := q.valueAt(i)
		for k := i; k < i+n; k++ {
			q.Words[k].Masked = true
		}
		i += max(n, 1)
	}
}

func (q *Question) valueAt(i int) int {
	best := 0
	for _, k := range q.Voc.values[q.Words[i].Low] {
		v := q.Voc.known[k]
		if len(v.words) <= best || i+len(v.words) > len(q.Words) {
			continue
		}
		same := true
		for j, w := range v.words {
			same = same && q.Words[i+j].Low == w
		}
		if !same {
			continue
		}
		if len(v.words) == 1 {
			if _, name := q.Voc.stems[q.Words[i].stem]; name || !q.Words[i].upper || cueWords[q.Words[i].Low] {
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

// Is reports whether word i is one of ws and not masked.
func (q *Question) Is(i int, ws ...string) bool {
	if i < 0 || i >= len(q.Words) || q.Words[i].Masked {
		return false
	}
	for _, w := range ws {
		if q.Words[i].Low == w || q.Words[i].cue == w {
			return true
		}
	}
	return false
}

// Has reports whether any of ws occurs as a word outside data.
func (q *Question) Has(ws ...string) bool { return q.Index(0, ws...) >= 0 }

// Index is the position of the first of ws at or after from, or -1.
func (q *Question) Index(from int, ws ...string) int {
	for i := from; i < len(q.Words); i++ {
		if q.Is(i, ws...) {
			return i
		}
	}
	return -1
}

// Phrase reports whether the words of p stand in a row somewhere, and where.
func (q *Question) Phrase(p string) int {
	ws := strings.Fields(p)
	for i := 0; i+len(ws) <= len(q.Words); i++ {
		same := true
		for j, w := range ws {
			same = same && q.Is(i+j, w)
		}
		if same {
			return i
		}
	}
	return -1
}

// Mention is the position of the stems in the question at or after from, or -1.
func (q *Question) Mention(from int, stems []string) int {
	if len(stems) == 0 {
		return -1
	}
	for i := from; i+len(stems) <= len(q.Words); i++ {
		same := true
		for j, w := range stems {
			same = same && !q.Words[i+j].Masked && q.Words[i+j].stem == w
		}
		if same {
			return i
		}
	}
	return -1
}

// TableAt is the table whose whole name stands at word i, and how many words that takes; the longest wins.
func (q *Question) TableAt(i int) (*schema.Table, int) {
	var best *schema.Table
	n := 0
	for _, t := range q.Voc.tables {
		if len(t.words) > n && i+len(t.words) <= len(q.Words) && q.Mention(i, t.words) == i {
			best, n = t.table, len(t.words)
		}
	}
	return best, n
}
