package tools

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// Of the questions of databases that rules may be made with, those that repeat another one but for values are answered
// by its query: 98 in a hundred as their own golds do.
func TestRepeated(t *testing.T) {
	folder := golds.Path(t, golds.Spider)
	taken, right, other, asked, same := 0, 0, 0, 0, 0
	for name, items := range golds.ByDatabase(golds.Fit(t)) {
		db := must.Get(embedded.OpenFolder(t.Context(), folder, name, runner.Limits{}))(t)
		s := must.Get(db.Schema(t.Context()))(t)
		var pairs []Pair
		for i, it := range items {
			pairs = append(pairs, Pair{Question: it.Question, SQL: it.SQL, Line: i})
		}
		book, _, err := NewBook(pairs, s)
		must.Do(t, err)
		rows := func(sql string) [][]any {
			q, v, err := sqlcheck.Check(sql, s)
			must.Have(t, err == nil && v.OK, sql, v, err)
			res, err := db.Query(t.Context(), q)
			must.Do(t, err, sql)
			return res.Rows
		}
		for i, it := range items {
			rest := book.Only(func(p Pair) bool { return p.Line != i })
			pair, sql, ok := rest.Repeated(question.Read(it.Question, s))
			if !ok {
				continue
			}
			taken++
			if sql != pair.SQL {
				other++
			}
			if cmp.Equal(rows(sql), rows(it.SQL)) {
				right++
			} else {
				t.Logf("%s: %q as %q:\n%s\n%s", name, it.Question, pair.Question, sql, it.SQL)
			}
		}
		n, m := replaced(t, book, s)
		asked, same = asked+n, same+m
		must.Succeed(t, db.Close())
	}
	t.Logf("%d of %d right, %d of them with other values", right, taken, other)
	t.Logf("with a value in the place of another: %d of %d taken", same, asked)
	if asked == 0 || float64(same) < .9*float64(asked) {
		t.Errorf("%d of %d are taken", same, asked)
	}
	if taken < 15 || float64(right) < .98*float64(taken) {
		t.Errorf("%d of %d are right", right, taken)
	}
}

// replaced asks each question of a book anew with another value of the same column, and counts how often that is taken
// for the same question. What is taken must have the query with that value.
func replaced(t *testing.T, b *Book, s *schema.Schema) (asked, same int) {
	for _, e := range b.entries {
		if len(e.slots) != 1 || len(e.slots[0].columns) != 1 {
			continue
		}
		old, col := e.slots[0].text, e.slots[0].columns[0]
		if strings.Count(e.SQL, "'"+old+"'") != 1 || strings.Count(e.Question, old) != 1 {
			continue
		}
		for _, now := range col.Values[:min(3, len(col.Values))] {
			if now == old || strings.ContainsAny(now, `'\\`) {
				continue
			}
			asked++
			pair, sql, ok := b.Repeated(question.Read(strings.Replace(e.Question, old, now, 1), s))
			if !ok {
				continue
			}
			same++
			want := strings.Replace(e.Checked, "'"+old+"'", "'"+now+"'", 1)
			got, _, err := sqlcheck.Check(sql, s)
			if pair.Question == e.Question && (got.SQL() != want || err != nil) {
				t.Errorf("%q with %q: %s, want %s, %v", e.Question, now, got.SQL(), want, err)
			}
		}
	}
	return asked, same
}

func TestParsePairs(t *testing.T) {
	for text, want := range map[string]string{
		"{\"question\":\"a\",\"sql\":\"SELECT 1\"}\n\n# no\n": "",
		"{\"question\":\"a\"}":                                "line 1: question and sql must both be there",
		"\n[1]":                                               "line 2: want one",
		"{\"question\":\"a\",\"sql\":\"b\",\"sqll\":\"c\"}": "line 1: want one",
		"{\"question\":\"a\",\"sql\":\"b\"} {}":             "line 1: want one",
	} {
		_, err := ParsePairs(strings.NewReader(text))
		must.Be(t, (err == nil) == (want == "") && (err == nil || strings.HasPrefix(err.Error(), want)),
			text, err, want)
	}
}
