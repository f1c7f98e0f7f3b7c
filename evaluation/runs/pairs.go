package runs

import (
	"crypto/sha256"
	"slices"
	"strings"
	"sync"

	"nl2sql/loop/item"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// Pairs are verified pairs for a run: of each database so many, drawn from items by a seed, and for each question those
// of them that neither are it nor have its gold query, so that nothing is shown that answers it.
type Pairs struct {
	Items []item.Item
	Count int    // of a database; 0 is none
	Seed  string // of the draw
	mu    sync.Mutex
	books map[*schema.Schema]*tools.Book
}

// Of are the pairs for an item about a database with a schema.
func (p *Pairs) Of(it item.Item, s *schema.Schema) (*tools.Book, error) {
	if p == nil || p.Count == 0 {
		return nil, nil
	}
	all, err := p.book(it.Database, s)
	if err != nil {
		return nil, err
	}
	golds := map[string]bool{}
	for _, sql := range append([]string{it.SQL}, it.Accept...) {
		if q, v, err := sqlcheck.Check(sql, s); err != nil {
			return nil, err
		} else if v.OK {
			golds[q.SQL()] = true
		}
	}
	left := p.Count
	return all.Only(func(pair tools.Pair) bool {
		itself := strings.EqualFold(strings.TrimSpace(pair.Question), strings.TrimSpace(it.Question))
		if left == 0 || golds[pair.Checked] || itself {
			return false
		}
		left--
		return true
	}), nil
}

// book are all pairs of a database, in the order in which they are drawn.
func (p *Pairs) book(database string, s *schema.Schema) (*tools.Book, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if b := p.books[s]; b != nil {
		return b, nil
	}
	var pairs []tools.Pair
	for i, it := range p.Items {
		if it.Database == database && !it.Refuse {
			pairs = append(pairs, tools.Pair{Question: it.Question, SQL: it.SQL, Database: it.Database, Line: i + 1})
		}
	}
	drawn := func(t tools.Pair) string {
		sum := sha256.Sum256([]byte(p.Seed + "\x00" + t.Question))
		return string(sum[:])
	}
	slices.SortFunc(pairs, func(x, y tools.Pair) int { return strings.Compare(drawn(x), drawn(y)) })
	b, _, err := tools.NewBook(pairs, s)
	if err != nil {
		return nil, err
	}
	if p.books == nil {
		p.books = map[*schema.Schema]*tools.Book{}
	}
	p.books[s] = b
	return b, nil
}
