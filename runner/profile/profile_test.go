package profile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

// What names say of references, and how likely they are by that.
func TestNamed(t *testing.T) {
	for _, tt := range []struct {
		column, table, key string
		self               bool
		want               string
	}{
		{"customer_id", "customers", "customer_id", false, "it is named as the key"},
		{"stuid", "Student", "StuID", false, "it is named as the key"},
		{"customer_id", "customers", "id", false, "it is named after the table"},
		{"customerId", "tbl_customer", "id", false, "it is named after the table"},
		{"home_team_id", "teams", "id", false, "it is named after the table"},
		{"home_team_id", "clubs", "team_id", false, "its name ends as the key's"},
		{"dept_id", "departments", "id", false, "it is named after the table"},
		{"parent_part_id", "parts", "part_id", true, "its name ends as the key's"},
		{"genre", "genres", "g_name", false, "it is called as the table"},
		{"author", "authors", "id", false, "it is called as the table"},
		{"id", "customers", "id", false, ""},
		{"home_games", "games", "id", false, ""}, // a number of them
		{"order_id", "order_items", "order_item_id", false, ""},
		{"price", "customers", "id", false, ""},
	} {
		if got, _ := named(nameOf(tt.column), nameOf(tt.table), nameOf(tt.key), tt.self); got != tt.want {
			t.Errorf("%s = %s.%s: %q, want %q", tt.column, tt.table, tt.key, got, tt.want)
		}
	}
}

// open imports a dump into an own cache.
func open(t *testing.T, dump string) (runner.DB, *schema.Schema) {
	t.Helper()
	t.Setenv("NL2SQL_CACHE", t.TempDir())
	file := filepath.Join(t.TempDir(), "d.sql")
	must.Do(t, os.WriteFile(file, []byte(dump), 0o600))
	must.Get(embedded.ImportFile(t.Context(), "d", file, embedded.ImportOptions{}))(t)
	db := must.Get(embedded.Open(t.Context(), "d", runner.Limits{}))(t)
	t.Cleanup(func() { db.Close() })
	return db, must.Get(db.Schema(t.Context()))(t)
}

const shop = `
CREATE TABLE customers (id INT, name VARCHAR(20), weight_kg INT, born VARCHAR(10));
INSERT INTO customers VALUES (1, 'Ann', 70, '1990-01-02'), (2, 'Bob', NULL, '1991-03-04'), (3, 'Cyd', 60, '1992-05-06');
CREATE TABLE orders (order_no INT, customer_id INT, referrer_id INT, zip VARCHAR(5));
INSERT INTO orders VALUES (10, 1, 7, '100'), (11, 1, 8, '20'), (12, 2, 9, '3');
CREATE TABLE visits (customer_id INT, day INT);`

// found compares what profiles say, and not where they are kept.
var found = cmpopts.IgnoreUnexported(Profile{})

func TestFull(t *testing.T) {
	db, s := open(t, shop)
	p := must.Get(Full(t.Context(), db, s, time.Minute, nil))(t)
	want := &Profile{
		Tables: []Table{
			{Name: "customers", Rows: 3, Columns: []Column{
				{Name: "id", Type: "int", Distinct: 3, Least: "1", Most: "3"},
				{Name: "name", Type: "varchar(20)", Distinct: 3},
				{Name: "weight_kg", Type: "int", Nulls: 1, Distinct: 2, Least: "60", Most: "70", Unit: "kg"},
				{Name: "born", Type: "varchar(10)", Distinct: 3, Holds: "dates"},
			}},
			{Name: "orders", Rows: 3, Columns: []Column{
				{Name: "order_no", Type: "int", Distinct: 3, Least: "10", Most: "12"},
				{Name: "customer_id", Type: "int", Distinct: 2, Least: "1", Most: "2"},
				{Name: "referrer_id", Type: "int", Distinct: 3, Least: "7", Most: "9"},
				{Name: "zip", Type: "varchar(5)", Distinct: 3, Holds: "numbers"},
			}},
			{Name: "visits", Columns: []Column{{Name: "customer_id", Type: "int"}, {Name: "day", Type: "int"}}},
		},
		Keys: []Key{{Table: "customers", Column: "id", Rows: 3, Confidence: 1},
			{Table: "orders", Column: "order_no", Rows: 3, Confidence: 1}},
		References: []Reference{
			{Table: "orders", Column: "customer_id", RefTable: "customers", RefColumn: "id", Values: 2,
				Evidence: "it is named after the table", Confidence: .95},
			{Table: "visits", Column: "customer_id", RefTable: "customers", RefColumn: "id",
				Evidence: "it is named after the table", Confidence: .95 * .8},
		},
	}
	if diff := cmp.Diff(want, p, found); diff != "" {
		t.Error(diff)
	}
	on := p.On(s)
	orders, _ := on.Table("orders")
	keys := []schema.ForeignKey{{Columns: []string{"customer_id"}, RefTable: "customers", RefColumns: []string{"id"},
		Inferred: true}}
	if diff := cmp.Diff(keys, orders.ForeignKeys); diff != "" || orders.InferredKey != "order_no" {
		t.Error(diff, orders.InferredKey)
	}
	if declared, _ := s.Table("orders"); declared.ForeignKeys != nil || declared.InferredKey != "" {
		t.Error("the schema itself changed")
	}
	// MySQL knows nothing of an inferred key: what it refuses is refused.
	if _, v, err := sqlcheck.Check("SELECT name, id FROM customers GROUP BY id", on); err != nil || v.OK {
		t.Error("name stands beside a group", v, err)
	}
}

// broken is a database that answers nothing, and says why.
type broken struct {
	err   error
	asked int
	is    runner.Backend
}

func (b *broken) Backend() runner.Backend { return b.is }

func (b *broken) Query(context.Context, sqlcheck.Query) (runner.Result, error) {
	b.asked++
	return runner.Result{}, b.err
}

func TestOf(t *testing.T) {
	db, s := open(t, shop)
	gone := &broken{err: errors.New("the server has gone away"), is: db.Backend()}
	if _, err := Of(t.Context(), gone, s); !errors.Is(err, gone.err) {
		t.Errorf("%v, want that it has gone", err)
	}
	first := must.Get(Of(t.Context(), db, s))(t)
	asked := gone.asked
	if diff := cmp.Diff(first, must.Get(Of(t.Context(), gone, s))(t), found); diff != "" || gone.asked != asked {
		t.Error("it was asked again", diff)
	}
	refuses := &broken{err: &runner.QueryError{Code: 1142, Message: "denied"}}
	p, _, err := Infer(t.Context(), refuses, s, time.Minute)
	must.Do(t, err)
	if len(p.Keys)+len(p.References) > 0 || refuses.asked == 0 {
		t.Errorf("%+v of what nobody may read", p)
	}
	if p, asked, err := Infer(t.Context(), db, s, 0); err != nil || !p.Cut || asked > 0 {
		t.Error("it does not say that there was no time", err, asked)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, _, err := Infer(ctx, db, s, time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was stopped", err)
	}
}

// slow takes too long for whole tables.
type slow struct {
	runner.DB
	always bool
}

func (d slow) Query(ctx context.Context, q sqlcheck.Query) (runner.Result, error) {
	if d.always || !strings.Contains(q.SQL(), "LIMIT") {
		return runner.Result{}, &runner.QueryError{Code: 3024, Message: "interrupted"}
	}
	return d.DB.Query(ctx, q)
}

// Of a table that takes too long the first rows are read, else it says so; and a look that does is told.
func TestLarge(t *testing.T) {
	db, s := open(t, shop)
	for i := range s.Tables {
		s.Tables[i].Rows = fewRows + 1
	}
	some := must.Get(Columns(t.Context(), slow{DB: db}, s, time.Minute, nil))(t)
	if got := some[0]; !got.More || got.Rows != 3 || got.Columns[0].Most != "3" || got.Refused != "" {
		t.Errorf("%+v", got)
	}
	none := must.Get(Columns(t.Context(), slow{db, true}, s, time.Minute, nil))(t)
	if got := none[0]; got.Refused != "it takes too long" || got.Columns != nil {
		t.Errorf("%+v", got)
	}
	if on, _ := (&Profile{Tables: slices.Concat(some, none)}).On(s).Table("customers"); on.Columns[0].Most != "" {
		t.Error("the range of some rows is taken for that of all")
	}
	if p, _, err := Infer(t.Context(), slow{DB: db}, s, time.Minute); err != nil || !p.Cut {
		t.Errorf("%+v %v", p, err)
	}
}

// What db profile read is kept for questions, and each role has its own.
func TestKept(t *testing.T) {
	db, s := open(t, shop)
	full := must.Get(Full(t.Context(), db, s, time.Minute, nil))(t)
	if diff := cmp.Diff(full, must.Get(Of(t.Context(), db, s))(t), found); diff != "" {
		t.Error(diff)
	}
	on, _ := full.On(s).Table("customers")
	if c := on.Columns[2]; c.Least != "60" || c.Most != "70" || !c.SomeNull {
		t.Errorf("%+v", c)
	}
	whose := db.Backend()
	whose.Role = "a clerk"
	denied := &broken{err: &runner.QueryError{Code: 1142, Message: "denied"}, is: whose}
	if p := must.Get(Of(t.Context(), denied, s))(t); p.Tables != nil || denied.asked == 0 {
		t.Errorf("a role reads what another one does: %+v", p)
	}
}
