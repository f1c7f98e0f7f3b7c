package embedded

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/runner"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

const cloneScript = `CREATE TABLE t (i int PRIMARY KEY, m decimal(10,2), f float, r double, s varchar(9), c char(3), d date, dt datetime(3), h time, b varbinary(9), e enum('x','y'), j json);
INSERT INTO t VALUES (2, 1.50, 0.1, 1e-9, 'é''\\', 'a', '2004-02-29', '2004-01-02 03:04:05.678', '-12:00:01', x'00ff', 'y', '{"a": 1}'), (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE w (i int, n varchar(9)); INSERT INTO w VALUES (1, 'one'), (2, 'two');`

func openScript(t testing.TB, script string) *DB {
	t.Helper()
	db := must.Get(OpenDump(t.Context(), "x", strings.NewReader(script), runner.Limits{}))(t)
	must.Close(t, db)
	return db
}

func cloneOf(t testing.TB, db *DB, change Change) *DB {
	t.Helper()
	c := must.Get(db.Clone(t.Context(), change))(t)
	must.Close(t, c)
	return c
}

func rowsOf(t testing.TB, db runner.DB, sql string) [][]any {
	t.Helper()
	r := must.Get(ask(t.Context(), db, sql))(t, sql)
	return r.Rows
}

// Every value survives being read and written, and the original never changes.
func TestClone(t *testing.T) {
	db := openScript(t, cloneScript)
	want := rowsOf(t, db, "SELECT * FROM t ORDER BY i")
	var order []any
	clones := map[string]runner.DB{
		"nil": cloneOf(t, db, nil),
		"same": cloneOf(t, db, func(table schema.Table, rows [][]any) ([][]any, error) {
			if table.Name == "t" {
				order = append(order, rows[0][0], rows[1][0])
			}
			return rows, nil
		}),
		"kept":     cloneOf(t, db, func(schema.Table, [][]any) ([][]any, error) { return nil, nil }),
		"of clone": cloneOf(t, cloneOf(t, db, nil), nil),
	}
	must.Same(t, order, []any{int64(1), int64(2)}, "rows come in another order than the key's")
	for name, c := range clones {
		must.Same(t, rowsOf(t, c, "SELECT * FROM t ORDER BY i"), want, name, "original +clone")
		if got := c.Backend(); got.Source != "clone of embedded:x" || got.Database != "x" ||
			got.Version != db.Backend().Version {
			t.Errorf("%s: backend %+v", name, got)
		}
	}
	changed := cloneOf(t, db, func(table schema.Table, rows [][]any) ([][]any, error) {
		if table.Name == "w" {
			return [][]any{}, nil
		}
		rows[1][1] = runner.Decimal("2.345") // is rounded as its column is
		rows[1][4] = "new"
		return append(rows, append([]any{int64(7)}, rows[0][1:]...)), nil
	})
	if diff := cmp.Diff([][]any{{int64(1), nil, nil}, {int64(2), runner.Decimal("2.35"), "new"}, {int64(7), nil, nil}},
		rowsOf(t, changed, "SELECT i, m, s FROM t ORDER BY i")); diff != "" {
		t.Errorf("changed: %s", diff)
	}
	s, err := changed.Schema(t.Context())
	if err != nil || s.Tables[0].Rows != 3 || s.Tables[1].Rows != 0 || db.schema.Tables[0].Rows != 2 {
		t.Errorf("rows in the schema: %+v, %v", s, err)
	}
	if got := rowsOf(t, changed, "SELECT COUNT(*) FROM w"); got[0][0] != int64(0) {
		t.Errorf("w was emptied and has %v rows", got)
	}
	must.Same(t, rowsOf(t, db, "SELECT * FROM t ORDER BY i"), want, "the original has changed")
	if _, err := changed.pool.ExecContext(t.Context(), "DELETE FROM t"); err == nil {
		t.Error("a clone can be written to")
	}
}

// What a change gets wrong fails the clone and says where.
func TestCloneRefuses(t *testing.T) {
	db := openScript(t, cloneScript)
	for want, change := range map[string]Change{
		"out of ideas": func(schema.Table, [][]any) ([][]any, error) { return nil, errors.New("out of ideas") },
		"2 values for 12": func(_ schema.Table, rows [][]any) ([][]any,
			error) {
			return [][]any{{int64(1), nil}}, nil
		},
		"UNIQUE": func(_ schema.Table, rows [][]any) ([][]any,
			error) {
			return append(rows, rows[0]), nil
		},
		"column d, row 1": func(_ schema.Table, rows [][]any) ([][]any,
			error) {
			rows[0][6] = "2003-02-29"
			return rows, nil
		},
		"column i, row 2": func(_ schema.Table, rows [][]any) ([][]any,
			error) {
			rows[1][0] = "two"
			return rows, nil
		},
		"more than 15 digits": func(_ schema.Table, rows [][]any) ([][]any,
			error) {
			rows[1][1] = 1e17
			return rows, nil
		},
		`not a whole number`: func(_ schema.Table, rows [][]any) ([][]any,
			error) {
			rows[1][0] = 1e300
			return rows, nil
		},
		"cannot be a struct": func(_ schema.Table, rows [][]any) ([][]any,
			error) {
			rows[1][9] = struct{}{}
			return rows, nil
		},
	} {
		_, err := db.Clone(t.Context(), change)
		must.Says(t, err, want)
	}
}

// Hundreds of clones, each with changes of its own, are asked at once.
func TestManyClones(t *testing.T) {
	db := openDemo(t)
	const clones = 200
	var all []runner.DB
	for i := range clones {
		all = append(all, cloneOf(t, db, func(table schema.Table, rows [][]any) ([][]any, error) {
			if table.Name != "offices" {
				return nil, nil
			}
			return rows[:i%len(rows)], nil
		}))
	}
	var wg sync.WaitGroup
	for i, c := range all {
		for range 2 {
			wg.Go(func() {
				r, err := ask(t.Context(), c, "SELECT COUNT(*), (SELECT COUNT(*) FROM orderdetails) FROM offices")
				must.Be(t, err == nil && r.Rows[0][0] == int64(i%7) && r.Rows[0][1] == int64(2996),
					"clone", i, r.Rows, err)
			})
		}
	}
	wg.Wait()
}

// changePayments is a change as replicas have them: every amount, in one of eight tables.
func changePayments(table schema.Table, rows [][]any) ([][]any, error) {
	if table.Name != "payments" {
		return nil, nil
	}
	for _, row := range rows {
		row[3] = runner.Decimal(strings.Replace(string(row[3].(runner.Decimal)), "1", "2", 1))
	}
	return rows, nil
}
