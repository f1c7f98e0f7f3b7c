package evaluation

import (
	"context"
	"fmt"
	"strings"
	"sync"
)

// Scorer scores predictions, each text once for each item. It is safe for concurrent use.
type Scorer struct {
	Databases *Databases
	Profiles  []Profile
	// Replicas returns the perturbed databases that belong to a database of the items; nil means no TS.
	Replicas func(ctx context.Context, database string) ([]*Executor, error)

	mu   sync.Mutex
	once map[string]func() (Scored, error)
}

// Scored is a case and what the profiles say of it, by name.
type Scored struct {
	Case   Case
	Scores map[string]Score
}

// Score runs and scores one prediction. Items that are alike but for their ID share a score.
func (s *Scorer) Score(ctx context.Context, it Item, sql string) (Scored, error) {
	key := strings.Join(append([]string{it.Database, sql, it.SQL}, it.Accept...), "\x00")
	s.mu.Lock()
	f := s.once[key]
	if f == nil {
		f = sync.OnceValues(func() (Scored, error) { return s.score(ctx, it, sql) })
		if s.once == nil {
			s.once = map[string]func() (Scored, error){}
		}
		s.once[key] = f
	}
	s.mu.Unlock()
	out, err := f()
	if err != nil {
		return Scored{}, fmt.Errorf("item %s: %w", it.ID, err)
	}
	return out, nil
}

func (s *Scorer) score(ctx context.Context, it Item, sql string) (Scored, error) {
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
