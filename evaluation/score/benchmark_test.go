package score

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/words"
)

// ours are our own items, by the name of their file.
func ours(t *testing.T) map[string][]item.Item {
	t.Helper()
	out := map[string][]item.Item{}
	for _, name := range []string{"benchmark", "train"} {
		items := must.Get(item.Load(name))(t)
		out[name] = items
	}
	return out
}

func TestBenchmarkLints(t *testing.T) {
	dbs := &Databases{Open: func(ctx context.Context, name string) (runner.DB, error) {
		return embedded.Open(ctx, "", runner.Limits{})
	}}
	defer dbs.Close()
	for name, items := range ours(t) {
		found := must.Get(Lint(t.Context(), items, dbs, nil))(t)
		for _, f := range found {
			t.Errorf("%s: %s: %s %s\n%s", name, f.Item, f.Rule, f.Detail, f.SQL)
		}
	}
}

func TestBenchmarkFamilies(t *testing.T) {
	all := ours(t)
	home := map[string]string{}
	for name, items := range all {
		size := map[string]int{}
		for _, it := range items {
			size[it.Family]++
			if other := home[it.Family]; other != "" && other != name {
				t.Errorf("family %s is in %s and in %s", it.Family, name, other)
			}
			home[it.Family] = name
			if !strings.HasPrefix(it.ID, it.Family+"-") || len(it.Tags) == 0 && it.Difficulty != "easy" ||
				it.Database != "" {
				t.Errorf("%s: %+v", name, it)
			}
		}
		least := map[string]int{"benchmark": 45, "train": 40}[name]
		must.Be(t, len(items) >= 320 && len(size) >= least, name, len(items), "items in", len(size), "families")
		for family, n := range size {
			must.Be(t, n >= 4 && n <= 10, name, "family", family, "has", n, "items")
		}
	}
}

var (
	literals   = regexp.MustCompile(`'(?:[^'\\]|''|\\.)*'`)
	countPoint = regexp.MustCompile(`\bJOIN\b|\bGROUP BY\b|\bHAVING\b|\bCASE\b|\b(?:COUNT|SUM|AVG|MIN|MAX|GROUP_CONCAT|STDDEV_POP|STDDEV_SAMP|VAR_POP) ?\(`)
	countTwo   = regexp.MustCompile(`\bSELECT\b|\bOVER ?\(`)
)

// Difficulty follows the rule in assets/data/SOURCES.md.
func TestBenchmarkDifficulty(t *testing.T) {
	for name, items := range ours(t) {
		share := map[string]int{}
		for _, it := range items {
			text := literals.ReplaceAllString(it.SQL, "''")
			points := len(countPoint.FindAllString(text, -1)) + 2*(len(countTwo.FindAllString(text, -1))-1)
			want := "extra"
			switch {
			case points <= 1:
				want = "easy"
			case points <= 3:
				want = "medium"
			case points <= 7:
				want = "hard"
			}
			must.Equal(t, it.Difficulty, want, name, it.ID, points, "points it is")
			share[it.Difficulty]++
		}
		t.Logf("%s: %v", name, share)
	}
}

// No item is one of the dissertation's, nor is a question or a query in our two files twice.
func TestBenchmarkIsOurs(t *testing.T) {
	type owner struct{ list, id string }
	questions, queries := map[string]owner{}, map[string]owner{}
	lists := ours(t)
	items, train := golds.Dissertation(t)
	for list, items := range map[string][]item.Item{"items": items, "train_200": train} {
		for _, it := range items {
			questions[strings.Join(words.Split(it.Question), " ")] = owner{list, it.ID}
			queries[bareText(it.SQL)] = owner{list, it.ID}
		}
	}
	for _, name := range []string{"benchmark", "train"} {
		for _, it := range lists[name] {
			for text, known := range map[string]map[string]owner{strings.Join(words.Split(it.Question), " "): questions,
				bareText(it.SQL): queries} {
				if o, taken := known[text]; taken {
					t.Errorf("%s: %s is like %s in %s: %s", name, it.ID, o.id, o.list, text)
				}
				known[text] = owner{name, it.ID}
			}
		}
	}
}

var (
	aliasNames = regexp.MustCompile(` as \w+|\b\w\w?\.`)
	orderKeys  = regexp.MustCompile(` order by [^()]*$`)
)

// bareText is a query without what two authors write in two ways: case, blanks, aliases, a last ORDER BY.
func bareText(sql string) string {
	text := aliasNames.ReplaceAllString(item.ExactText(sql), "")
	if !strings.Contains(text, " limit ") {
		text = orderKeys.ReplaceAllString(text, "")
	}
	words := strings.Fields(text)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return len(w) == 1 && w != "=" && w != "*" }),
		" ")
}
