// Package retrieve finds the tables of a large schema that a text is about: by its words, and by what it means. It
// builds an index over names, comments and values once, and keeps it in the cache folder. It asks no model for text and
// opens no database. Begin with Store. It imports llm (for vectors), question (for words) and schema.
package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"nl2sql/llm"
	"nl2sql/sqlcheck/schema"
)

// Kind says how tables are compared with a text.
type Kind string

const (
	Keyword  Kind = "keyword"  // by the words that they share: BM25
	Semantic Kind = "semantic" // by the angle between their vectors: needs a model that embeds
	Both     Kind = "both"     // by both, each as a share of its best score
)

// Vectors says whether texts are compared by their vectors.
func (k Kind) Vectors() bool { return k == Semantic || k == Both }

// ErrNoVectors says that there is no model for [Semantic] and [Both].
var ErrNoVectors = errors.New("no model here makes vectors of texts: search by keyword")

// Hit is a table and how near it is to the text that was searched for. Scores of different kinds cannot be compared.
type Hit struct {
	Table *schema.Table
	Score float64
}

// Index is what is known of one schema. It is safe for concurrent use.
type Index struct {
	schema   *schema.Schema
	words    bm25
	vectors  [][]float32 // of the tables, in their order; nil without a model
	embedder llm.Embedder
	near     [][]int // tables that a foreign key leads to or comes from
}

// Total is how many tables there are.
func (x *Index) Total() int { return len(x.schema.Tables) }

// Embeds says whether [Semantic] is possible.
func (x *Index) Embeds() bool { return x.vectors != nil }

// Search returns the best tables for a text, the best first and at most k. By keyword, tables that share no word are
// none.
func (x *Index) Search(ctx context.Context, text string, k int, kind Kind) ([]Hit, error) {
	var scores []float64
	switch kind {
	case Keyword:
		scores = x.keyword(text)
	case Semantic, Both:
		var err error
		if scores, err = x.semantic(ctx, text); err != nil {
			return nil, err
		}
		if kind == Both {
			scores = mix(x.keyword(text), scores)
		}
	default:
		return nil, fmt.Errorf("no kind of retrieval %q: there are semantic, keyword and both", kind)
	}
	var hits []Hit
	for i, s := range scores {
		if s > 0 || kind == Semantic {
			hits = append(hits, Hit{&x.schema.Tables[i], s})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(k, len(hits))], nil
}

// neighbourShare is the share of a table's score that a table has for being joined to it: what a text leaves unsaid is
// mostly one join away.
const neighbourShare = 0.3

func (x *Index) keyword(text string) []float64 {
	own := x.words.scores(terms(text))
	scores := slices.Clone(own)
	for i, near := range x.near {
		for _, n := range near {
			scores[i] = max(scores[i], own[i]+neighbourShare*own[n])
		}
	}
	return scores
}

func (x *Index) semantic(ctx context.Context, text string) ([]float64, error) {
	if !x.Embeds() {
		return nil, ErrNoVectors
	}
	asked, err := x.embedder.Embed(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(x.vectors))
	centre := mean(x.vectors)
	v := minus(asked[0], centre)
	for i, t := range x.vectors {
		scores[i] = cosine(v, minus(t, centre))
	}
	return scores, nil
}

// mix adds scores of two kinds, each as a share of its best; what is worse than nothing counts as nothing.
func mix(a, b []float64) []float64 {
	sum := make([]float64, len(a))
	for _, scores := range [][]float64{a, b} {
		if best := slices.Max(scores); best > 0 {
			for i, s := range scores {
				sum[i] += max(0, s/best) / 2
			}
		}
	}
	return sum
}

// mean is the middle of vectors: what all of them have in common tells none from another.
func mean(vectors [][]float32) []float32 {
	m := make([]float32, len(vectors[0]))
	for _, v := range vectors {
		for i := range v {
			m[i] += v[i] / float32(len(vectors))
		}
	}
	return m
}

func minus(a, b []float32) []float32 {
	d := make([]float32, len(a))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	return d
}

// cosine is 0 where a vector has no direction.
func cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa*bb)
}

// neighbours lists, for each table, those at the other end of a foreign key.
func neighbours(s *schema.Schema) [][]int {
	at := map[string]int{}
	for i, t := range s.Tables {
		at[strings.ToLower(t.Name)] = i
	}
	near := make([][]int, len(s.Tables))
	for i, t := range s.Tables {
		for _, fk := range t.ForeignKeys {
			if j, ok := at[strings.ToLower(fk.RefTable)]; ok && i != j {
				near[i], near[j] = append(near[i], j), append(near[j], i)
			}
		}
	}
	return near
}

// Store makes indexes, each once. It is safe for concurrent use.
type Store struct {
	Folder   string       // where they are kept for the next process; "" means nowhere
	Embedder llm.Embedder // nil: only [Keyword] is possible

	mu   sync.Mutex
	made map[*schema.Schema]*Index
}

// Index returns that of a schema: what this process made already, what the folder has, or a new one. A schema without
// tables has none.
func (s *Store) Index(ctx context.Context, of *schema.Schema) (*Index, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.made[of]; x != nil {
		return x, nil
	}
	if len(of.Tables) == 0 {
		return nil, errors.New("the schema has no tables to search")
	}
	x := &Index{schema: of, embedder: s.Embedder, near: neighbours(of)}
	k, err := s.kept(ctx, of)
	if err != nil {
		return nil, err
	}
	x.words, x.vectors = k.Words, k.Vectors
	if s.made == nil {
		s.made = map[*schema.Schema]*Index{}
	}
	s.made[of] = x
	return x, nil
}
