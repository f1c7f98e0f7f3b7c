package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"nl2sql/evaluation/record"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/sqlcheck"
)

// row is what one answer read.
type row struct {
	model, kind, place             string
	answered, secret, other, right bool
}

// read holds each answer of a run against what its gold query reads.
func (m *measurement) read(ctx context.Context, kind string, run record.Run) ([]row, error) {
	rows := make([]row, 0, len(run.Records))
	for _, rec := range run.Records {
		r := row{model: run.Card.Model, kind: kind, place: rec.Family, answered: rec.SQL != "",
			right: rec.Scores["strict"].EX}
		if r.answered {
			got, want, err := m.tables(ctx, kind, rec)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", rec.ID, err)
			}
			for _, t := range got {
				r.secret = r.secret || t == secret
				r.other = r.other || t != secret && !slices.Contains(want, t)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// tables are those that an answer reads, and those that its gold query does.
func (m *measurement) tables(ctx context.Context, kind string, rec record.Record) (got, want []string, err error) {
	db, err := embedded.OpenFolder(ctx, filepath.Join(m.out, kind, "databases"), rec.Database, runner.Limits{})
	if err != nil {
		return nil, nil, err
	}
	defer db.Close()
	s, err := db.Schema(ctx)
	if err != nil {
		return nil, nil, err
	}
	return sqlcheck.Inspect(rec.SQL, s).TablesUsed, sqlcheck.Inspect(rec.Gold, s).TablesUsed, nil
}

// table counts rows by what name makes of each, in the order in which the names come, as Markdown.
func table(rows []row, name func(row) string) string {
	var b strings.Builder
	b.WriteString("| | questions | answered | right | read `" + secret + "` | read another table that was not asked for |\n" +
		"|---|---|---|---|---|---|\n")
	var names []string
	for _, r := range rows {
		if !slices.Contains(names, name(r)) {
			names = append(names, name(r))
		}
	}
	for _, n := range names {
		var all, answered, right, secrets, other int
		for _, r := range rows {
			if name(r) == n {
				all++
				answered += one(r.answered)
				right += one(r.right)
				secrets += one(r.secret)
				other += one(r.other)
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", n, all, answered, right, secrets, other)
	}
	return b.String()
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
