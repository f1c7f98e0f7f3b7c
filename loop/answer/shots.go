package answer

import (
	"context"
	"fmt"

	"nl2sql/loop"
	"nl2sql/loop/item"
	"nl2sql/runner"
)

// Shots are the exemplars that questions are shown with.
type Shots struct {
	Agent string
	K     int    // of each question; 0 is none
	Seed  string // of the draw, as Python's random takes it
	Pool  item.Pool
}

// Draw chooses places in the pool for each item: exactly as many as are shown, or more where only those are shown that
// run.
func (s Shots) Draw(items []item.Item) (item.Draws, error) {
	switch {
	case s.K == 0:
		return make(item.Draws, len(items)), nil
	case agentNamed(s.Agent).shows:
		return s.Pool.DrawEach(items, s.Seed), nil
	}
	return s.Pool.DrawRun(items, s.Seed, s.K)
}

// Show looks up a draw. Where exemplars are shown with what they find, those that do not run are passed over: find
// says what a query finds on a database, "" is the one of the run, and nil where it is refused.
func (s Shots) Show(
	ctx context.Context, draw []int, find func(ctx context.Context, database, sql string) (*runner.Result, error),
) (shots []loop.Exemplar, ids []string, err error) {
	for _, j := range draw {
		if len(shots) == s.K {
			break
		}
		e := s.Pool.Items[j]
		shot := loop.Exemplar{Question: e.Question, SQL: e.SQL}
		if agentNamed(s.Agent).shows {
			if shot.Result, err = find(ctx, e.Database, e.SQL); err != nil {
				return nil, nil, err
			}
			if shot.Result == nil {
				continue
			}
		}
		shots, ids = append(shots, shot), append(ids, e.ID)
	}
	if len(shots) < s.K {
		return nil, nil, fmt.Errorf("pool %s: only %d of its exemplars run, %d are needed",
			s.Pool.Name, len(shots), s.K)
	}
	return shots, ids, nil
}
