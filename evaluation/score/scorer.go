package score

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"nl2sql/loop/item"
)

// Scorer scores predictions, and each text for each item once as long as there is room. It is safe for concurrent use.
type Scorer struct {
	Databases *Databases
	Profiles  []Profile
	// Replicas returns the perturbed databases that belong to a database of the items; nil means no TS.
	Replicas func(ctx context.Context, database string) ([]*Executor, error)

	Items []item.Item // their accepted golds count for items with the same ID and gold query; may be nil

	once   sync.Once
	scored *memo[Scored]
	accept map[[2]string][]string // of Items
}

// Scored is a case and what the profiles say of it, by name.
type Scored struct {
	Case   Case
	Scores map[string]Score
}

func (s *Scorer) begin() {
	s.once.Do(func() {
		s.scored = newMemo(mostCells, Scored.cells, nil)
		s.accept = map[[2]string][]string{}
		for _, it := range s.Items {
			s.accept[[2]string{it.ID, it.SQL}] = it.Accept
		}
	})
}

// cells is the size of what was scored in memory.
func (s Scored) cells() int {
	n := s.Case.Pred.cells()
	for _, gold := range s.Case.golds() {
		n += gold.cells()
	}
	for _, r := range s.Case.Replicas {
		n += r.Gold.cells() + r.Pred.cells()
		for _, gold := range r.Accepted {
			n += gold.cells()
		}
	}
	return n
}

// Accepted are the golds beside gold that Items have for an item.
func (s *Scorer) Accepted(id, gold string) []string {
	s.begin()
	return s.accept[[2]string{id, gold}]
}

// Score runs and scores one prediction. Items that are alike but for their ID share a score.
func (s *Scorer) Score(ctx context.Context, it item.Item, sql string) (Scored, error) {
	key := strings.Join(append([]string{it.Database, sql, it.SQL}, it.Accept...), "\x00")
	s.begin()
	out, err := s.scored.get(ctx, key, func() (Scored, error) { return s.score(ctx, it, sql) })
	if err != nil {
		return Scored{}, fmt.Errorf("item %s: %w", it.ID, err)
	}
	return out, nil
}

func (s *Scorer) score(ctx context.Context, it item.Item, sql string) (Scored, error) {
	x, err := s.Databases.Executor(ctx, it.Database)
	if err != nil {
		return Scored{}, err
	}
	c, err := NewCase(ctx, x, it, sql)
	if err != nil {
		return Scored{}, err
	}
	if s.Replicas != nil {
		replicas, err := s.Replicas(ctx, it.Database)
		if err != nil {
			return Scored{}, err
		}
		for _, r := range replicas {
			pair, err := NewPair(ctx, r, it, sql)
			if err != nil {
				return Scored{}, err
			}
			c.Replicas = append(c.Replicas, pair)
		}
	}
	out := Scored{c, map[string]Score{}}
	for _, p := range s.Profiles {
		out.Scores[p.Name] = p.Score(c)
	}
	return out, nil
}
