package embedded

import (
	"context"
	"testing"

	"nl2sql/runner"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

// openDemo opens the demo database for a test.
func openDemo(t testing.TB) *DB {
	t.Helper()
	db := must.Get(Open(t.Context(), "", runner.Limits{}))(t)
	must.Close(t, db)
	return db
}

// ask checks and runs one statement, as a caller does.
func ask(ctx context.Context, db runner.DB, sql string) (runner.Result, error) {
	s, err := db.Schema(ctx)
	if err != nil {
		return runner.Result{}, err
	}
	q, v, err := sqlcheck.Check(sql, s)
	if err != nil {
		return runner.Result{}, err
	}
	if !v.OK {
		return runner.Result{}, &runner.QueryError{Code: v.Code, Message: v.String()}
	}
	return db.Query(ctx, q)
}

func TestDemoRows(t *testing.T) {
	db := openDemo(t)
	s := must.Get(db.Schema(t.Context()))(t)
	got := map[string]int64{}
	for _, table := range s.Tables {
		r := must.Get(ask(t.Context(), db, "SELECT COUNT(*) FROM "+table.Name))(t)
		n := r.Rows[0][0].(int64)
		must.Equal(t, n, table.Rows, table.Name, "rows, schema says")
		got[table.Name] = n
	}
	want := map[string]int64{"customers": 122, "employees": 23, "offices": 7, "orderdetails": 2996, "orders": 326,
		"payments": 273, "products": 110, "productlines": 7}
	must.Same(t, got, want, "rows")
}
