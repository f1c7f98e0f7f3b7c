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

	Items []Item // their accepted golds count for records with the same ID and gold query; may be nil

	scored memo[Scored]

	mu     sync.Mutex
	accept map[[2]string][]string // of Items; nil until it is asked for
}

// Scored is a case and what the profiles say of it, by name.
type Scored struct {
	Case   Case
	Scores map[string]Score
}

// Record runs and scores sql as the answer to a recorded question.
func (s *Scorer) Record(ctx context.Context, rec Record, sql string) (Scored, error) {
	it, err := rec.item()
	if err != nil {
		return Scored{}, err
	}
	s.mu.Lock()
	if s.accept == nil {
		s.accept = map[[2]string][]string{}
		for _, it := range s.Items {
			s.accept[[2]string{it.ID, it.SQL}] = it.Accept
		}
	}
	it.Accept = s.accept[[2]string{it.ID, it.SQL}]
	s.mu.Unlock()
	return s.Score(ctx, it, sql)
}

// item is what a record says of its item.
func (r Record) item() (Item, error) {
	if r.Gold == "" {
		return Item{}, fmt.Errorf("item %s has no gold query: only scores are recorded, and nothing can be run again", r.ID)
	}
	return Item{ID: r.ID, Database: r.Database, Family: r.Family, Question: r.Question, SQL: r.Gold}, nil
}

// Score runs and scores one prediction. Items that are alike but for their ID share a score.
func (s *Scorer) Score(ctx context.Context, it Item, sql string) (Scored, error) {
	key := strings.Join(append([]string{it.Database, sql, it.SQL}, it.Accept...), "\x00")
	out, err := s.scored.get(ctx, key, func(ctx context.Context) (Scored, error) { return s.score(ctx, it, sql) })
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
