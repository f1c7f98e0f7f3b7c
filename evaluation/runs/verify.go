package runs

import (
	"context"
	"fmt"
	"slices"

	"nl2sql/evaluation/record"
	"nl2sql/loop/item"
)

// Verify answers one item of a recorded run anew, with the exemplars that it had, and says in what the answer differs;
// "" is none. The pool must hold those exemplars.
func (l Live) Verify(ctx context.Context, r record.Record) (string, error) {
	var draw []int
	for _, id := range r.Exemplars {
		i := slices.IndexFunc(l.Pool.Items, func(e item.Item) bool { return e.ID == id })
		if i < 0 {
			return "", fmt.Errorf("item %s: pool %s has no exemplar %s", r.ID, l.Pool.Name, id)
		}
		draw = append(draw, i)
	}
	now, err := l.record(ctx, item.Item{ID: r.ID, Database: r.Database, Question: r.Question, SQL: r.Gold}, draw)
	if err != nil {
		return "", err
	}
	return r.Differs(now), nil
}
