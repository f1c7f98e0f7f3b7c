package score

import (
	"math"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/scripts/must"
)

// Cases that evaluators of others were found wrong on, with where that was reported.
func TestKnownEvaluatorBugs(t *testing.T) {
	x := openData(t, strictData)
	type want struct{ em, ex bool }
	for _, tt := range []struct {
		name, gold, pred string
		spider           want
		strict, bird     bool // EX
	}{
		// taoyds/test-suite-sql-eval#21: the word "value" was replaced in predictions
		{"a column called value", "SELECT value FROM shop WHERE value > 7", "SELECT value FROM shop WHERE value > 7",
			want{true, true}, true, true},
		{"AVG of value", "SELECT city, AVG(value) FROM shop GROUP BY city",
			"SELECT city, AVG(value) FROM shop GROUP BY city", want{true, true}, true, true},
		// #7: columns that refer to one table were taken for one column
		{"two columns of one row", "SELECT name FROM shop WHERE value != id", "SELECT name FROM shop WHERE id != id",
			want{false, false}, false, false},
		// #25: rows that tie at LIMIT
		{"tie at LIMIT", "SELECT value FROM shop GROUP BY value ORDER BY COUNT(*) DESC LIMIT 1",
			"SELECT 16 - (SELECT value FROM shop GROUP BY value ORDER BY COUNT(*) DESC LIMIT 1)",
			want{false, false}, true, false},
		// #19 and mini_dev: DISTINCT was taken out, results compared as sets
		{"DISTINCT lost", "SELECT DISTINCT name FROM shop", "SELECT name FROM shop", want{true, false}, false, true},
		{"DISTINCT lost in COUNT", "SELECT COUNT(DISTINCT name) FROM shop", "SELECT COUNT(name) FROM shop",
			want{true, false}, false, false},
		// spider#5: which table is counted
		{"count(*) of another table", "SELECT COUNT(*) FROM shop WHERE id < 4", "SELECT COUNT(*) FROM sale",
			want{false, true}, true, true},
		// spider#47: names of a set operation
		{"aliases over a set operation", "SELECT name AS n FROM shop UNION SELECT city FROM shop ORDER BY n",
			"SELECT name AS m FROM shop UNION SELECT city FROM shop ORDER BY m", want{true, true}, true, true},
		// spider#31: the same columns twice, other rows
		{"columns in another order", "SELECT id, value FROM shop", "SELECT value, id FROM shop",
			want{true, true}, false, false},
		{"NULL comes first", "SELECT city FROM shop ORDER BY city", "SELECT city FROM shop ORDER BY city IS NULL, city",
			want{false, false}, false, true},
		{"NULL is not a value", "SELECT COUNT(city) FROM shop", "SELECT COUNT(*) FROM shop",
			want{false, false}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := must.Get(NewCase(t.Context(), x, item.Item{Question: "q", SQL: tt.gold}, tt.pred))(t)
			must.Have(t, c.Gold.OK() && c.Pred.OK(), c.Gold.Error, c.Pred.Error)
			if got := scoreSpider(c); (want{got.EM, got.EX}) != tt.spider {
				t.Errorf("spider: %+v\n%s\n%s", got, c.Gold.Set(), c.Pred.Set())
			}
			must.Equal(t, scoreStrict(c).EX, tt.strict, "strict")
			must.Equal(t, scoreBird(c).EX, tt.bird, "bird")
		})
	}
}

func TestSoftF1(t *testing.T) {
	row := func(cells ...any) []any { return cells }
	for _, tt := range []struct {
		name       string
		pred, gold [][]any
		want       float64
	}{
		{"nothing on both sides", nil, nil, 1}, // mini_dev#5
		{"nothing predicted", nil, [][]any{row(int64(1))}, 0},
		{"the same", [][]any{row(int64(1), "a")}, [][]any{row(int64(1), "a")}, 1},
		{"columns in another order", [][]any{row("a", int64(1))}, [][]any{row(int64(1), "a")}, 1},
		{"half of a row", [][]any{row(int64(1))}, [][]any{row(int64(1), "a")}, 2. / 3},
		{"a row too many", [][]any{row(int64(1)), row(int64(2))}, [][]any{row(int64(1))}, 2. / 3},
		// mini_dev#15, as it is there
		{"rows in another order", [][]any{row(int64(2)), row(int64(1))}, [][]any{row(int64(1)), row(int64(2))}, 0},
	} {
		if got := softF1(tt.pred, tt.gold); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestTestSuiteProfile(t *testing.T) {
	x := openData(t, strictData)
	y := openData(t, strictData+"INSERT INTO sale VALUES (4,4,1.00);")
	it := item.Item{Question: "q", SQL: "SELECT COUNT(*) FROM shop WHERE id < 4"}
	c := must.Get(NewCase(t.Context(), x, it, "SELECT COUNT(*) FROM sale"))(t)
	p := must.Get(NewPair(t.Context(), y, it, c.SQL))(t)
	c.Replicas = []Pair{p}
	for _, profile := range []string{"test-suite", "strict", "dissertation"} {
		p := must.Get(ProfilesNamed(profile))(t)[0]
		if s := p.Score(c); !s.EX || s.TS == nil || *s.TS {
			t.Errorf("%s: a replica refutes it: %+v", profile, s)
		}
	}
}
