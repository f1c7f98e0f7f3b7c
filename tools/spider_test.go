package tools

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// spiderFit are the questions and, with their values, the schemas of the databases with which rules may be made.
func spiderFit(t *testing.T) (items []item.Item, schemas map[string]*schema.Schema) {
	t.Helper()
	if testing.Short() {
		t.Skip("loads 104 databases, which -short leaves out")
	}
	items, schemas = golds.Fit(t), map[string]*schema.Schema{}
	for name := range golds.ByDatabase(items) {
		db := must.Get(embedded.OpenFolder(t.Context(), golds.Path(t, golds.Spider), name, runner.Limits{}))(t)
		schemas[name] = must.Get(db.Schema(t.Context()))(t)
		must.Do(t, db.Close())
	}
	return items, schemas
}

func TestSpider(t *testing.T) {
	items, schemas := spiderFit(t)
	t.Run("values", func(t *testing.T) { testValues(t, items, schemas) })
	t.Run("synonyms", func(t *testing.T) { testSynonyms(t, items, schemas) })
	t.Run("focus", func(t *testing.T) { testFocus(t, items, schemas) })
}

var literal = regexp.MustCompile(`(LIKE\s+)?'((?:[^'\\]|''|\\.)*)'`)

// Of the texts that gold queries compare with, most are found in the questions; few that are found are not in the gold
// query.
func testValues(t *testing.T, items []item.Item, schemas map[string]*schema.Schema) {
	texts, found, hints, wrong := 0, 0, 0, 0
	for _, it := range items {
		gold := map[string]bool{}
		for _, m := range literal.FindAllStringSubmatch(it.SQL, -1) {
			if m[1] == "" {
				gold[strings.ToLower(strings.TrimSpace(strings.ReplaceAll(m[2], "''", "'")))] = true
			}
		}
		texts += len(gold)
		for _, v := range LinkValues(question.Read(it.Question, schemas[it.Database]), schemas[it.Database], nil) {
			hints++
			value := strings.ToLower(strings.TrimSpace(v.Value))
			switch known, right := gold[value]; {
			case right && strings.Contains(strings.ToLower(it.SQL), strings.ToLower(v.Column)):
				if known {
					found++
				}
				gold[value] = false // counts once
			default:
				wrong++
			}
		}
	}
	t.Logf("%d questions about %d databases: %d texts, %d found; %d hints, %d not in the gold query", len(items),
		len(schemas), texts, found, hints, wrong)
	if found*100 < texts*88 || wrong*100 > hints*6 {
		t.Error("want 88 of 100 texts, and at most 6 of 100 hints that are wrong")
	}
}

// Where people say other words than the schema does, most hints name a table or a column of the gold query, and where
// they say the schema's there are few. With -v all of them are told.
func testSynonyms(t *testing.T, items []item.Item, schemas map[string]*schema.Schema) {
	others := must.Get(item.Load(golds.Path(t, "spider-syn/items.csv")))(t)
	others = slices.DeleteFunc(others, func(it item.Item) bool { return golds.ForJudging(it.Database) })
	for _, set := range []struct {
		name        string
		items       []item.Item
		least, most int // hints for 100 questions
	}{{"the schema's words", items, 0, 10}, {"other words", others, 50, 100}} {
		hints, right := 0, 0
		for _, it := range set.items {
			s := schemas[it.Database]
			shape, _ := question.ShapeOf(it.SQL, s)
			for _, y := range question.Read(it.Question, s).Synonyms() {
				hints++
				same := func(name string) bool { return strings.EqualFold(name, y.Name) }
				is := shape.Names[strings.ToLower(y.Name)]
				if y.Table {
					is = slices.ContainsFunc(shape.Tables, same)
				}
				if is {
					right++
				} else {
					t.Logf("%s: %s: %s; in %q", it.Database, y.Word, y.Name, it.Question)
				}
			}
		}
		t.Logf("%s: %d questions, %d hints, %d of what the gold query has", set.name, len(set.items), hints, right)
		if n := len(set.items); right*100 < hints*85 || hints*100 < set.least*n || hints*100 > set.most*n {
			t.Errorf("%s: want %d to %d hints for 100 questions, 85 of 100 right", set.name, set.least, set.most)
		}
	}
}

var read = regexp.MustCompile("(?i)(?:FROM|JOIN) `?([A-Za-z0-9_]+)`?")

// Of all databases in one schema, a question is shown the few tables that its gold query reads. Tables whose name is
// taken get another: they are a crowd around those that questions are asked about.
func testFocus(t *testing.T, items []item.Item, schemas map[string]*schema.Schema) {
	all, alone, taken := &schema.Schema{}, map[string]bool{}, map[string]bool{}
	var names []string
	for name := range schemas {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		s := schemas[name]
		alone[name] = !slices.ContainsFunc(s.Tables,
			func(t schema.Table) bool { return taken[strings.ToLower(t.Name)] })
		for _, table := range s.Tables {
			if !alone[name] {
				table.Name += "_" + name
				table.ForeignKeys = slices.Clone(table.ForeignKeys)
				for i := range table.ForeignKeys {
					table.ForeignKeys[i].RefTable += "_" + name
				}
			}
			taken[strings.ToLower(table.Name)] = true
			all.Tables = append(all.Tables, table)
		}
	}
	p := must.Get(NewPrompts("typed", nil))(t)
	asked, whole, shown, size := 0, 0, 0, 0
	for i, it := range items {
		if !alone[it.Database] || i%10 > 0 {
			continue
		}
		asked++
		focus, _ := p.Focus(question.Read(it.Question, all), all)
		shown += len(focus.Tables)
		size += len(SchemaText(focus, StyleTyped))
		missing := slices.ContainsFunc(read.FindAllStringSubmatch(it.SQL, -1), func(m []string) bool {
			_, ok := focus.Table(m[1])
			_, real := all.Table(m[1])
			return real && !ok
		})
		if !missing {
			whole++
		}
	}
	t.Logf("%d tables, %d questions: %d are shown all tables of their gold query; %d tables, %d bytes on average",
		len(all.Tables), asked, whole, shown/asked, size/asked)
	if whole*100 < asked*93 {
		t.Error("want all tables of 93 of 100 gold queries")
	}
}
