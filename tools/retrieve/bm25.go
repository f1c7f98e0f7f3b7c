package retrieve

import (
	"math"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

// bm25 ranks tables by the words that they share with a text. Its fields are exported for gob.
// Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; words count by the
// field they stand in.
type bm25 struct {
	Postings map[string][]posting // by term, in the order of the tables
	Lengths  []float64            // of the tables, in weighted terms
}

type posting struct {
	Table int
	Count float64 // weighted
}

// Chosen, as the weights below and neighbourShare, by recall on the questions of fit (evaluation/STEPS.md, "Grammars
// and searches").
const (
	saturation = 0.5 // k1: how soon a word that is there again says no more
	byLength   = 0.1 // b: how much less a word says in a long table
)

// Weights of a word by where it stands.
const (
	inTable   = 3.0
	inColumn  = 1.0
	inComment = 0.5
	inValue   = 0.5 // once a column
)

// maxValues bounds the values of a column that are indexed.
const maxValues = 200

func newBM25(s *schema.Schema) bm25 {
	x := bm25{Postings: map[string][]posting{}, Lengths: make([]float64, len(s.Tables))}
	for i := range s.Tables {
		for term, n := range weigh(&s.Tables[i]) {
			x.Postings[term] = append(x.Postings[term], posting{i, n})
			x.Lengths[i] += n
		}
	}
	return x
}

// weigh counts the words of a table.
func weigh(t *schema.Table) map[string]float64 {
	count := map[string]float64{}
	add := func(text string, weight float64) {
		for _, w := range words.OfName(text) {
			count[w] += weight
		}
	}
	add(t.Name, inTable)
	add(t.Comment, inComment)
	for _, c := range t.Columns {
		add(c.Name, inColumn)
		add(c.Comment, inComment)
		values := map[string]bool{}
		for _, v := range valuesOf(&c) {
			for _, w := range words.OfName(v) {
				values[w] = true
			}
		}
		for w := range values {
			count[w] += inValue
		}
	}
	return count
}

// valuesOf are the texts that a column is known to hold.
func valuesOf(c *schema.Column) []string {
	known := c.Texts
	if len(c.Values) > 0 {
		known = c.Values
	}
	return known[:min(len(known), maxValues)]
}

// terms are the words of a text that is searched for, those of another language with what they mean, and each with the
// one behind it, as names are often written.
func terms(text string) (out []string) {
	list, lang := words.OfName(text), words.LanguageOf(text)
	for i, w := range list {
		if words.IsStop(w) {
			continue
		}
		out = append(out, w)
		if i+1 < len(list) {
			out = append(out, w+list[i+1])
		}
		out = append(out, words.Meanings(lang, w)...)
	}
	return out
}

// scores are those of all tables, in their order.
func (x bm25) scores(terms []string) []float64 {
	scores := make([]float64, len(x.Lengths))
	total := 0.0
	for _, n := range x.Lengths {
		total += n
	}
	mean := total / float64(len(x.Lengths))
	for _, term := range terms {
		list := x.Postings[term]
		rare := math.Log(1 + (float64(len(x.Lengths)-len(list))+0.5)/(float64(len(list))+0.5))
		for _, p := range list {
			length := 1 - byLength + byLength*x.Lengths[p.Table]/mean
			scores[p.Table] += rare * p.Count * (saturation + 1) / (p.Count + saturation*length)
		}
	}
	return scores
}
