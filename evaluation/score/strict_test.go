package score

import (
	"strings"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
)

const strictData = `
CREATE TABLE shop (id INT PRIMARY KEY, name VARCHAR(20), city VARCHAR(20), sales DECIMAL(10,2), rate DOUBLE, value INT);
INSERT INTO shop VALUES (1,'A','Rome',10.00,0.1,7),(2,'B','Rome',20.00,0.2,7),(3,'C','Oslo',20.00,0.7,8),(4,'D',NULL,20.00,NULL,9),(5,'A','Oslo',5.00,0.3,9);
CREATE TABLE sale (id INT PRIMARY KEY, shop INT, amount DECIMAL(10,2), FOREIGN KEY (shop) REFERENCES shop(id));
INSERT INTO sale VALUES (1,1,2.50),(2,1,2.50),(3,2,7.00);
`

func openData(t *testing.T, script string) *Executor {
	t.Helper()
	db := must.Get(embedded.OpenDump(t.Context(), "d", strings.NewReader(script), runner.Limits{Rows: 100}))(t)
	t.Cleanup(func() { db.Close() })
	return must.Get(NewExecutor(t.Context(), db))(t)
}

func TestStrict(t *testing.T) {
	x := openData(t, strictData)
	for _, tt := range []struct {
		name, gold, pred string
		class            Class
		detail           string
	}{
		{"the same", "SELECT name FROM shop", "SELECT name FROM shop", Correct, ""},
		{"rows in another order", "SELECT name FROM shop", "SELECT name FROM shop ORDER BY id DESC", Correct, ""},
		{"an inner order does not count", "SELECT name FROM (SELECT name FROM shop ORDER BY id LIMIT 3) t",
			"SELECT name FROM shop WHERE id < 4 ORDER BY id DESC", Correct, ""},
		{"duplicates count", "SELECT name FROM shop", "SELECT DISTINCT name FROM shop", RowSubset,
			"4 × 1 instead of 5 × 1"},
		{"DISTINCT lost", "SELECT DISTINCT name FROM shop", "SELECT name FROM shop", RowSuperset,
			"5 × 1 instead of 4 × 1"},
		{"sorted", "SELECT id FROM shop ORDER BY id DESC", "SELECT id FROM shop ORDER BY id", RowOrder, ""},
		{"sorted by what is not shown", "SELECT name FROM shop ORDER BY id",
			"SELECT name FROM shop ORDER BY name DESC", RowOrder, ""},
		{"ties in any order", "SELECT id FROM shop ORDER BY sales",
			"SELECT id FROM shop ORDER BY sales, id DESC", Correct, ""},
		{"ties at LIMIT", "SELECT id FROM shop ORDER BY sales DESC LIMIT 1",
			"SELECT id FROM shop ORDER BY sales DESC, id DESC LIMIT 1", Correct, ""},
		{"ties at OFFSET", "SELECT id FROM shop ORDER BY sales DESC LIMIT 2 OFFSET 1",
			"SELECT id FROM shop ORDER BY sales DESC, id DESC LIMIT 1, 2", Correct, ""},
		{"no tie at LIMIT", "SELECT id FROM shop ORDER BY sales LIMIT 1", "SELECT 1", WrongRows, "1 instead of 5"},
		{"another row at LIMIT", "SELECT id FROM shop ORDER BY sales LIMIT 1", "SELECT id FROM shop WHERE id = 1",
			WrongRows, "1 instead of 5"},
		{"one row of a tie twice", "SELECT id FROM shop ORDER BY sales DESC LIMIT 2", "SELECT 2 UNION ALL SELECT 2",
			WrongRows, "2 × 1: 2 instead of 3"},
		{"any rows where LIMIT has no order", "SELECT name FROM shop LIMIT 2",
			"SELECT name FROM shop WHERE id IN (3, 4)", Correct, ""},
		{"ties of a grouped query", "SELECT city FROM shop GROUP BY city ORDER BY COUNT(*) DESC LIMIT 1",
			"SELECT 'Oslo'", Correct, ""},
		{"ties of a set operation",
			"SELECT id, sales FROM shop WHERE id < 3 UNION ALL SELECT id, sales FROM shop WHERE id > 2 ORDER BY sales DESC LIMIT 1", "SELECT 4, 20.00", Correct, ""},
		{"DISTINCT with a hidden key keeps its order", "SELECT DISTINCT name, id FROM shop ORDER BY name, id",
			"SELECT name, id FROM shop ORDER BY name, id DESC", RowOrder, ""},
		{"an alias in an expression", "SELECT id, sales AS s FROM shop ORDER BY s * 2, id",
			"SELECT id, sales FROM shop ORDER BY sales, id DESC", RowOrder, ""},
		{"a position", "SELECT city, id FROM shop WHERE city IS NOT NULL ORDER BY 1",
			"SELECT city, id FROM shop WHERE city IS NOT NULL ORDER BY city, id DESC", Correct, ""},
		{"extra column", "SELECT name FROM shop", "SELECT id, name FROM shop", ExtraColumns, "id"},
		{"extra column, sorted", "SELECT name FROM shop ORDER BY id", "SELECT id, name FROM shop ORDER BY id",
			ExtraColumns, "id"},
		{"missing column", "SELECT id, name FROM shop", "SELECT name FROM shop", MissingColumns, "id"},
		{"column order", "SELECT id, name FROM shop", "SELECT name, id FROM shop", ColumnOrder, "name, id"},
		{"wrong rows", "SELECT id FROM shop WHERE id < 3", "SELECT id FROM shop WHERE id > 3", WrongRows,
			"2 × 1: 4 instead of 1"},
		{"wrong both", "SELECT id FROM shop WHERE id < 3", "SELECT id, name FROM shop WHERE id > 3", WrongBoth,
			"2 × 2 instead of 2 × 1"},
		{"decimals by value", "SELECT AVG(sales) FROM shop", "SELECT SUM(sales) / COUNT(*) FROM shop", Correct, ""},
		{"decimals are exact", "SELECT 20.00", "SELECT 20.01", WrongRows, "20.01 instead of 20.00"},
		{"floats have a tolerance", "SELECT 0.1e0 + 0.2e0", "SELECT 0.3e0", Correct, ""},
		{"a tolerance, not a blindness", "SELECT 0.3e0", "SELECT 0.30001e0", WrongRows, "0.30001 instead of 0.3"},
		{"text is not a number", "SELECT 5", "SELECT '5'", WrongRows, "'5' instead of 5"},
		{"NULL equals NULL", "SELECT city FROM shop WHERE id = 4", "SELECT NULL", Correct, ""},
		{"NULL is not empty", "SELECT city FROM shop WHERE id = 4", "SELECT ''", WrongRows, "'' instead of NULL"},
		{"count(*) of another table", "SELECT COUNT(*) FROM shop WHERE id > 2",
			"SELECT COUNT(*) FROM sale WHERE id > 1", WrongRows, "2 instead of 3"},
		{"nothing found on both sides", "SELECT id FROM shop WHERE id > 9",
			"SELECT name FROM shop WHERE id > 10", Correct, ""},
		{"nothing found, other width", "SELECT id FROM shop WHERE id > 9", "SELECT id, name FROM shop WHERE id > 9",
			ExtraColumns, "name"},
		{"unknown column", "SELECT id FROM shop", "SELECT ident FROM shop", UnknownColumn, "unknown_column:ident"},
		{"unknown table", "SELECT id FROM shop", "SELECT id FROM shops", UnknownTable, "unknown_table:shops"},
		{"ambiguous", "SELECT id FROM shop", "SELECT id FROM shop JOIN sale", Ambiguous, "ambiguous_column:id"},
		{"aggregate in WHERE", "SELECT id FROM shop", "SELECT id FROM shop WHERE SUM(sales) > 1", BadAggregate,
			"bad_aggregate:SUM"},
		{"not grouped", "SELECT id FROM shop", "SELECT city, id FROM shop GROUP BY city", NotGrouped, "not_grouped:id"},
		{"syntax", "SELECT id FROM shop", "SELECT FROM FROM shop", Syntax, "syntax:near FROM FROM shop"},
		{"two statements", "SELECT id FROM shop", "SELECT 1; SELECT 2", Refused, "multiple_statements"},
		{"not a SELECT", "SELECT id FROM shop", "DELETE FROM shop", Refused, "not_select"},
		{"nothing", "SELECT id FROM shop", " ", NoAnswer, ""},
		{"a gold that does not run", "SELECT nope FROM shop", "SELECT id FROM shop", NoGold, "unknown_column:nope"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := must.Get(NewCase(t.Context(), x, item.Item{Question: "q", SQL: tt.gold}, tt.pred))(t)
			got := scoreStrict(c)
			want := Score{VA: c.Pred.OK(), EM: tt.gold == tt.pred, EX: tt.class == Correct, Class: tt.class,
				Detail: tt.detail}
			must.Same(t, got, want, c.Pred.Error)
		})
	}
}

// Any accepted gold will do; a replica on which no gold runs says nothing.
func TestStrictAccept(t *testing.T) {
	x := openData(t, strictData)
	it := item.Item{Question: "q", SQL: "SELECT id, name FROM shop", Accept: []string{"SELECT name FROM shop",
		"SELECT nope FROM shop"}}
	c := must.Get(NewCase(t.Context(), x, it, "SELECT name FROM shop ORDER BY id"))(t)
	yes, no := true, false
	bad := Pair{Gold: Outcome{Error: "1054"}, Pred: c.Pred}
	good := Pair{Gold: c.Gold, Accepted: c.Accepted, Pred: c.Pred}
	wrong := Pair{Gold: c.Gold, Pred: c.Pred}
	for _, tt := range []struct {
		name     string
		replicas []Pair
		want     *bool
	}{
		{"no suite", nil, nil},
		{"same", []Pair{good, bad}, &yes},
		{"one differs", []Pair{good, wrong}, &no},
		{"nothing to compare", []Pair{bad}, nil},
	} {
		c.Replicas = tt.replicas
		must.Same(t, scoreStrict(c), Score{VA: true, EX: true, TS: tt.want, Class: Correct}, tt.name)
	}
	c.Pred = Outcome{Error: "refused"}
	c.Replicas = []Pair{good}
	if got := scoreStrict(c); got.TS != nil || got.VA {
		t.Errorf("an invalid prediction: %+v", got)
	}
}
