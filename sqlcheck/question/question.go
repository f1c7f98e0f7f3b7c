// Package question reads what was asked, once, and holds the structure of a query against it. It ties the words of a
// question to the names and values of a schema, and finds the structure and order that they imply, for guards, tools
// and the loop; it changes no query. Begin with Read. It imports words, sqlcheck, for verdicts, schema and syntax.
package question

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

// A Question is the words of what was asked, tied to the names and values of a schema. It is not changed once it is
// read, and safe for many at once.
type Question struct {
	Text   string
	Schema *schema.Schema
	Words  []Word
	Lang   words.Lang
	Voc    *Vocabulary
	tokens []words.Token
	spans  []span // whole names of columns of two words or more
	bag    func() words.Bag
	known  func() map[*schema.Column][]string
	proper func() []string
	same   func() []Synonym

	literal bool // other words mean nothing
}

type span struct{ from, to int }

// A Word is one of a question.
type Word struct {
	Low    string // lower case, as written
	Masked bool   // part of a quoted string or of a known value: implies no structure
	fold   string // Low without accents
	stem   string
	cue    string    // the English word of structure that it stands for; "" for English words, which are their own
	uses   words.Use // of Low, and of what it stands for
	upper  bool      // begins with a capital
	comma  bool      // followed by a comma
	stop   bool      // followed by the end of a sentence or a bracket
}

// OnRead is called with each text that is read, where a test counts; it is set before the first.
var OnRead func(text string, s *schema.Schema)

// Read reads a text for a schema, whose known values it masks, as quoted strings: they stand for data. The schema may
// be nil.
func Read(text string, s *schema.Schema) *Question {
	if OnRead != nil {
		OnRead(text, s)
	}
	return tie(text, words.Cut(text), s)
}

// In is the question for another schema, as for a part of its own.
func (q *Question) In(s *schema.Schema) *Question {
	if s == q.Schema {
		return q
	}
	of := tie(q.Text, q.tokens, s)
	if q.literal {
		return of.Literally()
	}
	return of
}

func tie(text string, tokens []words.Token, s *schema.Schema) *Question {
	q := &Question{Text: text, Schema: s, Voc: VocabularyOf(s), Lang: words.LanguageOfTokens(tokens), tokens: tokens}
	q.bag = sync.OnceValue(func() words.Bag { return words.BagOf(tokens) })
	q.known, q.proper = sync.OnceValue(q.findKnown), sync.OnceValue(q.findProper)
	q.same = sync.OnceValue(q.findSynonyms)
	q.split()
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

// Bag is the words of the question, whatever they mean in it.
func (q *Question) Bag() words.Bag { return q.bag() }

// split makes words of the tokens. Those of a name that the question writes as the schema does stand alone
// ("ratingDate", "rating_date"), and numbers are whole ("3.5").
func (q *Question) split() {
	q.Words = make([]Word, 0, len(q.tokens))
	for i := 0; i < len(q.tokens); i++ {
		t := q.tokens[i]
		if t.Kind == words.Sign {
			if n := len(q.Words); n > 0 {
				q.sign(&q.Words[n-1], t)
			}
			continue
		}
		name := q.touches(i-1, "_") || q.touches(i+1, "_")
		for q.touches(i+1, ".") && q.tokens[i+2].Text[0] <= '9' {
			i += 2
			t.Text = q.Text[t.At:q.tokens[i].End]
			t.Low = strings.ToLower(t.Text)
			t.Fold, t.Stem = words.Fold(t.Low), words.Stem(t.Low)
		}
		if name || camel.MatchString(t.Text) {
			for _, w := range words.OfName(t.Text) {
				q.Words = append(q.Words, Word{Low: w, fold: words.Fold(w), stem: words.Stem(w), Masked: t.Quoted})
			}
			continue
		}
		first, _ := utf8.DecodeRuneInString(t.Text)
		upper := 'A' <= first && first <= 'Z'
		q.Words = append(q.Words, Word{Low: t.Low, fold: t.Fold, stem: t.Stem, Masked: t.Quoted, upper: upper})
	}
}

// touches reports whether token i is the sign, between two words without blanks.
func (q *Question) touches(i int, sign string) bool {
	if i < 1 || i+1 >= len(q.tokens) || q.tokens[i].Text != sign {
		return false
	}
	before, after := q.tokens[i-1], q.tokens[i+1]
	return before.Kind != words.Sign && after.Kind != words.Sign &&
		before.End == q.tokens[i].At && q.tokens[i].End == after.At
}

// sign notes what follows a word.
func (q *Question) sign(w *Word, t words.Token) {
	switch t.Text {
	case ",", ";":
		w.comma = true
	case ".", "?", "!", "(", ")", ":":
		w.stop = true
	}
}

// camel is a capital behind a small letter.
var camel = regexp.MustCompile("[a-z][A-Z]")

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

func (q *Question) valueAt(i int) (best int) {
	first := q.Words[i]
	alone := first.upper && !q.Voc.stems[first.stem] && !words.Is(first.Low, words.Structural)
	for _, v := range q.Voc.values[first.Low] {
		if len(v) <= best || i+len(v) > len(q.Words) || len(v) == 1 && !alone {
			continue
		}
		if slices.EqualFunc(v, q.Words[i:i+len(v)], func(w string, is Word) bool { return w == is.Low }) {
			best = len(v)
		}
	}
	return best
}

// Is reports whether word i is one of ws and not masked.
func (q *Question) Is(i int, ws ...string) bool {
	if i < 0 || i >= len(q.Words) || q.Words[i].Masked {
		return false
	}
	w := &q.Words[i]
	return slices.Contains(ws, w.Low) || w.cue != "" && slices.Contains(ws, w.cue)
}

// IsFor reports whether word i has one of the uses and is not masked.
func (q *Question) IsFor(i int, u words.Use) bool {
	return i >= 0 && i < len(q.Words) && !q.Words[i].Masked && q.Words[i].uses&u != 0
}

// Has reports whether any of ws occurs as a word outside data.
func (q *Question) Has(ws ...string) bool { return q.Index(0, ws...) >= 0 }

// Asks reports whether a word outside data has one of the uses.
func (q *Question) Asks(u words.Use) bool { return q.first(0, u) >= 0 }

// first is the position of the first word at or after from that has one of the uses, or -1.
func (q *Question) first(from int, u words.Use) int {
	return q.where(from, func(i int) bool { return q.IsFor(i, u) })
}

// where is the position of the first word at or after from that is so, or -1.
func (q *Question) where(from int, so func(i int) bool) int {
	for i := from; i < len(q.Words); i++ {
		if so(i) {
			return i
		}
	}
	return -1
}

// Index is the position of the first of ws at or after from, or -1.
func (q *Question) Index(from int, ws ...string) int {
	return q.where(from, func(i int) bool { return q.Is(i, ws...) })
}

// Phrase is where the words of p stand in a row, or -1.
func (q *Question) Phrase(p string) int {
	ws := strings.Fields(p)
	return q.row(0, len(ws), func(i, k int) bool { return q.Is(i, ws[k]) })
}

// row is the position at or after from where n words in a row are so, each by its place among them, or -1.
func (q *Question) row(from, n int, so func(i, k int) bool) int {
	for i := from; i+n <= len(q.Words); i++ {
		k := 0
		for k < n && so(i+k, k) {
			k++
		}
		if k == n {
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
	return q.row(from, len(stems), func(i, k int) bool { return !q.Words[i].Masked && q.Words[i].stem == stems[k] })
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
