package explain_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/explain"
	"nl2sql/sqlcheck/schema"
)

var read = flag.Int("read", 0, "print so many explanations, drawn from all")

// gold is a right query, and what it is about.
type gold struct {
	sql    string
	schema *schema.Schema
}

// ourGolds are the queries of our own items, those that score left out.
func ourGolds(t *testing.T) (golds []gold) {
	s := demo(t)
	for _, file := range []string{"train.jsonl", "examples.jsonl"} {
		items := must.Get(item.Load("../../assets/data/" + file))(t)
		for _, it := range items {
			golds = append(golds, gold{it.SQL, s})
		}
	}
	return golds
}

// fitGolds are those of Spider's databases that rules may be made with, and of our questions about the same.
func fitGolds(t *testing.T) (list []gold) {
	items, of := golds.Fit(t), golds.Schemas(t)
	known := golds.ByDatabase(items)
	written := golds.Written(t, func(database string) bool { return known[database] != nil })
	for _, it := range append(items, written...) {
		list = append(list, gold{it.SQL, of(it.Database)})
	}
	return list
}

// broken is what no text may have: what a form has left over, two words for one, an empty place.
var broken = regexp.MustCompile(`\{\d|%!|<nil>|\bthe the\b|\bof of\b|  |^ | $|\( | \)`)

// whole wants that every text of an explanation says something.
func whole(t *testing.T, sql string, e explain.Explanation) {
	t.Helper()
	for _, texts := range [][]string{{e.Row}, e.From, e.Where, e.Having, e.Shows, e.Order} {
		for _, text := range texts {
			must.Be(t, text != "" && !broken.MatchString(quotes.ReplaceAllString(text, "''")), sql, "has", text)
		}
	}
	if e.Row == "" || len(e.Shows) == 0 && len(e.Queries) == 0 {
		t.Errorf("%s\nis about nothing: %+v", sql, e)
	}
	for _, q := range e.Queries {
		must.Be(t, q.Name != "", sql, "has a query without a name")
		whole(t, sql, q)
	}
}

// quotes are the texts of a statement, whose own words do not count.
var quotes = regexp.MustCompile(`'[^']*'|"[^"]*"`)

// Every gold query has an explanation, and none of its texts is empty.
func TestGolds(t *testing.T) {
	for _, set := range []struct {
		name  string
		golds func(*testing.T) []gold
	}{{"ours", ourGolds}, {"fit", fitGolds}} {
		t.Run(set.name, func(t *testing.T) {
			golds := set.golds(t)
			for _, g := range golds {
				whole(t, g.sql, explained(t, g.sql, g.schema))
			}
			t.Logf("%d explained", len(golds))
			for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(len(golds))[:min(*read, len(golds))] {
				g := golds[i]
				fmt.Printf("%s\n\t%s\n\n", g.sql, strings.Join(explained(t, g.sql, g.schema).Lines(), "\n\t"))
			}
		})
	}
}
