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
	"nl2sql/sqlcheck/syntax"
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
	others := must.Get(item.Load(golds.Path(t, "spider-syn/items.csv")))(t)
	others = slices.DeleteFunc(others, func(it item.Item) bool { return golds.ForJudging(it.Database) })
	t.Run("values", func(t *testing.T) { testValues(t, items, schemas) })
	t.Run("synonyms", func(t *testing.T) { testSynonyms(t, items, schemas, 1, 7) })
	t.Run("synonyms, other words", func(t *testing.T) { testSynonyms(t, others, schemas, 70, 100) })
	t.Run("focus", func(t *testing.T) { testFocus(t, items, schemas, 93) })
	t.Run("focus, other words", func(t *testing.T) { testFocus(t, others, schemas, 78) })
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
	must.Be(t, found*100 >= texts*88 && wrong*100 <= hints*6,
		"want 88 of 100 texts, and at most 6 of 100 hints that are wrong")
}

// Where people say other words than the schema does, hints say which names they mean, mostly of the gold query, and
// more of its tables and columns are found; where they say the schema's words there are few hints. With -v all hints
// are told, with what the gold query has of them. least and most are hints for 100 questions.
func testSynonyms(t *testing.T, items []item.Item, schemas map[string]*schema.Schema, least, most int) {
	t.Helper()
	hints, right := 0, 0
	var literally, now found
	for _, it := range items {
		s := schemas[it.Database]
		stmt, _ := syntax.OneSelect(it.SQL)
		read, _ := syntax.TableNames(it.SQL)
		tables, columns := map[string]bool{}, map[string]bool{}
		for _, name := range read {
			tables[strings.ToLower(name)] = true
		}
		for _, name := range syntax.ColumnNames(stmt) {
			columns[name.Name.L] = true
		}
		q := question.Read(it.Question, s)
		for _, y := range q.Synonyms() {
			of := columns
			if y.Table {
				of = tables
			}
			if y.Names > 1 { // no hint
				continue
			}
			is := of[strings.ToLower(y.Name)]
			hints++
			if is {
				right++
			}
			t.Logf("%s: %s: %s (%v) in %q", it.Database, y.Word, y.Name, is, it.Question)
		}
		literally.add(q.Literally(), s, tables, columns)
		now.add(q, s, tables, columns)
	}
	t.Logf("%d questions, %d hints, %d of what the gold query has", len(items), hints, right)
	t.Logf("literally %+v", literally)
	t.Logf("now %+v", now)
	if n := len(items); right*100 < hints*88 || hints*100 < least*n || hints*100 > most*n {
		t.Errorf("want %d to %d hints for 100 questions, 88 of 100 right", least, most)
	}
	must.Be(t, now.Tables >= literally.Tables && now.Columns > literally.Columns, "synonyms find less")
}

// found counts what questions point at: tables and columns of gold queries, and tables of any kind.
type found struct{ Tables, OfTables, Columns, OfColumns, Any int }

func (f *found) add(q *question.Question, s *schema.Schema, tables, columns map[string]bool) {
	f.OfTables += len(tables)
	f.OfColumns += len(columns)
	for _, h := range scores(s, q, s, nil) {
		f.Any++
		if tables[strings.ToLower(h.table.Name)] {
			f.Tables++
		}
	}
	a := ask(q, s)
	for name := range columns {
		if nameScore(name, a.words) == weightTable || a.meant[meant{name, false}] > 0 {
			f.Columns++
		}
	}
}

var read = regexp.MustCompile("(?i)(?:FROM|JOIN) `?([A-Za-z0-9_]+)`?")

// Of all databases in one schema, a question is shown the few tables that its gold query reads. Tables whose name is
// taken get another: they are a crowd around those that questions are asked about.
func testFocus(t *testing.T, items []item.Item, schemas map[string]*schema.Schema, least int) {
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
	for _, p.NoSynonyms = range []bool{true, false} {
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
		t.Logf("%d tables, %d questions, literally %v: %d are shown all tables of their gold query; %d tables, %d bytes on "+
			"average", len(all.Tables), asked, p.NoSynonyms, whole, shown/asked, size/asked)
		must.Be(t, whole*100 >= asked*least, "want all tables of", least, "of 100 gold queries")
	}
}
