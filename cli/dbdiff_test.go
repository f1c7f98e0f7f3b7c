package cli

import (
	"context"
	"errors"
	"testing"

	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
)

// stuck is a database that cannot be closed.
type stuck struct{ runner.DB }

var errStuck = errors.New("disk full")

func (s stuck) Close() error { return errors.Join(s.DB.Close(), errStuck) }

// What cannot be closed after a comparison, or after one that could not begin, is told.
func TestDiffTellsOfClosing(t *testing.T) {
	items := []item.Item{{ID: "1", SQL: "SELECT COUNT(*) FROM orders"}}
	demo := func() (runner.DB, error) { return embedded.Open(context.Background(), "", runner.Limits{}) }
	cannotClose := func() (runner.DB, error) {
		db, err := demo()
		return stuck{db}, err
	}
	errClosed := errors.New("no such database")
	cannotOpen := func() (runner.DB, error) { return nil, errClosed }
	for _, tt := range []struct {
		name        string
		here, there func() (runner.DB, error)
		want        []error
	}{
		{"all is well", demo, demo, nil},
		{"the first", cannotClose, demo, []error{errStuck}},
		{"the second", demo, cannotClose, []error{errStuck}},
		{"the first, and the second is not there", cannotClose, cannotOpen, []error{errClosed, errStuck}},
	} {
		diffs, err := diffGolds(t.Context(), items, opener{"here", tt.here}, opener{"there", tt.there}, func() {})
		for _, want := range tt.want {
			must.Be(t, errors.Is(err, want), tt.name, err, want)
		}
		if tt.want == nil && (err != nil || len(diffs) != 1 || diffs[0].Kind != score.DiffSame) {
			t.Errorf("%s: %v, %v", tt.name, diffs, err)
		}
	}
}
