package question

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// What is taken for the same.
const (
	meansAsked = 0.9 // weight of what our list says that questions say for a name
	meansNear  = 0.8 // of the best one's weight: terms that have it are meant as likely
	meansMost  = 8   // how many names may be meant: more are none

	longestTerm = 3 // words
)

// A Synonym is a word, or a phrase, of a question that names nothing, and a name of the schema that means it.
type Synonym struct {
	Word   string // as the question has it, in lower case
	Name   string // of a table or of columns
	Table  bool
	Weight float64 // how likely it is meant, in (0,1]
	Names  int     // how many fit as well, with this one
}

// A term is a word or a phrase of the schema's names, and the names that have it.
type term struct {
	text  string
	names []termName
}

// termName is a name that has a term.
type termName struct {
	name   string
	table  bool
	fits   int      // the more of the name it is
	others []string // the name's other words
}

// How much of a name a term is. A table's name counts more than a column's of the same kind.
const (
	fitsPart, fitsEnd, fitsWhole = 10, 20, 30
	fitsTable                    = 5
	fitsOthers                   = 10 // the question has the other words too
)

// meanings are the terms of a schema, and by concepts which of them lead there.
type meanings struct {
	terms []term
	at    map[string]int // in terms, by text
	of    map[words.Concept][]meant
	asked map[string][]meant // by what questions say for terms
}

// meant is a term and how likely it is meant.
type meant struct {
	term   int
	weight float64
}

func newMeanings(v *Vocabulary) *meanings {
	m := &meanings{at: map[string]int{}, of: map[words.Concept][]meant{}, asked: map[string][]meant{}}
	for _, t := range v.tables {
		m.add(t.table.Name, true, t.words)
	}
	for _, c := range v.Columns {
		m.add(c.Col.Name, false, c.Words)
	}
	for i, t := range m.terms {
		for c, w := range words.ReachOf(t.text) {
			m.of[c] = append(m.of[c], meant{i, w})
		}
		for _, s := range words.Senses(words.Asked, words.English, t.text) {
			for _, w := range s.Words[words.English][1:] {
				m.asked[w] = append(m.asked[w], meant{i, meansAsked})
			}
		}
	}
	return m
}

// add notes the words of a name, and what several of them say together.
func (m *meanings) add(name string, table bool, of []string) {
	for from := range of {
		for to := from + 1; to <= min(len(of), from+longestTerm); to++ {
			text := strings.Join(of[from:to], " ")
			if len(text) < 3 || to == from+1 && words.Is(text, words.Stop|words.Key|words.Plain) {
				continue
			}
			n := termName{name: name, table: table, fits: fitsPart, others: slices.Concat(of[:from], of[to:])}
			if len(n.others) == 0 {
				n.fits = fitsWhole
			} else if to == len(of) {
				n.fits = fitsEnd
			}
			if table {
				n.fits += fitsTable
			}
			i, seen := m.at[text]
			if !seen {
				i = len(m.terms)
				m.at[text] = i
				m.terms = append(m.terms, term{text: text})
			}
			m.terms[i].names = append(m.terms[i].names, n)
		}
	}
}

// find are the terms that a text means about as likely as the likeliest one.
func (m *meanings) find(text string) (found []meant) {
	best := map[int]float64{}
	for c, w := range words.ReachOf(text) {
		for _, t := range m.of[c] {
			best[t.term] = max(best[t.term], w*t.weight)
		}
	}
	for _, form := range []string{text, words.Stem(text)} {
		for _, t := range m.asked[form] {
			best[t.term] = max(best[t.term], t.weight)
		}
	}
	for i, w := range best {
		if w >= words.Sure {
			found = append(found, meant{i, w})
		}
	}
	slices.SortFunc(found, func(a, b meant) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.term, b.term))
	})
	return slices.DeleteFunc(found, func(t meant) bool { return t.weight < meansNear*found[0].weight })
}

// Synonyms are the names of the schema that words of an English question mean which name nothing.
func (q *Question) Synonyms() []Synonym { return q.same() }

// Literally is the question as if no other words meant the same.
func (q *Question) Literally() *Question {
	l := *q
	l.literal, l.same = true, func() []Synonym { return nil }
	return &l
}

func (q *Question) findSynonyms() (found []Synonym) {
	if q.literal || q.Lang != words.English || q.Schema == nil || q.Voc.lang() != words.English {
		return nil
	}
	free := q.namesNothing()
	for i := 0; i < len(q.Words); i++ {
		for n := min(longestTerm, len(q.Words)-i); n > 0; n-- {
			part := q.Words[i : i+n]
			if slices.ContainsFunc(part, func(w Word) bool { return w.Masked }) || !slices.ContainsFunc(part, free) {
				continue
			}
			names := q.meant(part)
			if len(names) == 0 {
				continue
			}
			if !slices.ContainsFunc(found, func(o Synonym) bool { return o.Word == names[0].Word }) {
				found = append(found, names...)
			}
			i += n - 1
			break
		}
	}
	return found
}

// namesNothing tells which words of the question say what it is about, and are no part of a name, a known value or a
// comment.
func (q *Question) namesNothing() func(w Word) bool {
	content := q.Content()
	known := map[string]bool{}
	add := func(text string) { maps.Copy(known, syntax.Set(words.Stems(text))) }
	for _, values := range q.Known() {
		add(strings.Join(values, " "))
	}
	for i := range q.Schema.Tables {
		t := &q.Schema.Tables[i]
		add(t.Comment)
		for _, c := range t.Columns {
			add(c.Comment)
		}
	}
	return func(w Word) bool {
		return slices.Contains(content, w.stem) && !known[w.stem] && !words.Begins(q.Voc.stems, w.stem)
	}
}

// meant are the names that fit words best.
func (q *Question) meant(part []Word) (names []Synonym) {
	low := syntax.Map(part, func(w Word) string { return w.Low })
	text, m, most := strings.Join(low, " "), q.Voc.means(), 0
	for _, t := range m.find(text) {
		for _, n := range m.terms[t.term].names {
			fits := n.fits
			if len(n.others) > 0 && !slices.ContainsFunc(n.others, func(w string) bool { return !q.Bag().Holds(w) }) {
				fits += fitsOthers
			}
			if fits > most {
				most, names = fits, nil
			}
			same := func(o Synonym) bool { return strings.EqualFold(o.Name, n.name) }
			if fits == most && !slices.ContainsFunc(names, same) {
				names = append(names, Synonym{Word: text, Name: n.name, Table: n.table, Weight: t.weight})
			}
		}
	}
	if len(names) > meansMost {
		return nil
	}
	for i := range names {
		names[i].Names = len(names)
	}
	return names
}
