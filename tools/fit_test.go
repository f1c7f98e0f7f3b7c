package tools

import (
	"fmt"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// warehouse is a schema of n departments, each with a table of its own, of which every tenth is joined to the one
// before, and an archive of 600 columns.
func warehouse(t testing.TB, n int) *schema.Schema {
	t.Helper()
	words := []string{"bolt", "crane", "drill", "engine", "flange", "gasket", "hinge", "ingot", "jack", "kiln"}
	s := &schema.Schema{Name: "warehouse"}
	for i := range n {
		table := schema.Table{Name: fmt.Sprintf("%s_%s_%04d", words[i/10%10], words[i%10], i),
			PrimaryKey: []string{"id"}, Columns: []schema.Column{
				{Name: "id", Type: "int", Key: "PRI"}, {Name: "name", Type: "varchar(40)",
					Values: []string{fmt.Sprintf("Harbour %d", i)}, Complete: true}, {Name: "previous", Type: "int"},
			}}
		if i%10 > 0 {
			table.ForeignKeys = []schema.ForeignKey{{Columns: []string{"previous"}, RefTable: s.Tables[i-1].Name,
				RefColumns: []string{"id"}}}
		}
		s.Tables = append(s.Tables, table)
	}
	archive := schema.Table{Name: "zz_archive", PrimaryKey: []string{"id"}}
	for i := range 600 {
		archive.Columns = append(archive.Columns, schema.Column{Name: fmt.Sprintf("measured_%d", i), Type: "double"})
	}
	archive.Columns = append(archive.Columns, schema.Column{Name: "pressure", Type: "double"}, schema.Column{Name: "id",
		Type: "int", Key: "PRI"})
	s.Tables = append(s.Tables, archive)
	return s
}

// Without linking, what is shown of a large schema does not follow the question.
func TestFocusWithoutLinking(t *testing.T) {
	s := warehouse(t, 1000)
	p := must.Get(NewPrompts("default", nil))(t)
	shown := func(asked string) string {
		focus, _ := p.Focus(question.Read(asked, s), s)
		return strings.Join(focus.TableNames(), " ")
	}
	must.Has(t, shown("What is in kiln_kiln_0999?"), "kiln_kiln_0999")
	p.MaxTables = 0
	if one, other := shown("What is in kiln_kiln_0999?"), shown("Average pressure in the zz archive"); one == "" ||
		one != other || strings.Contains(one, "kiln_kiln_0999") {
		t.Errorf("%s\n%s", one, other)
	}
}

// What candidates read is shown alone, with the values that it knows; columns of wide tables that nobody asks for give
// way.
func TestShownOfRead(t *testing.T) {
	s := warehouse(t, 30)
	p := must.Get(NewPrompts("typed", nil))(t)
	env := Env{Asked: question.Read("Highest pressure of Harbour 2 and Harbour 25", s), Schema: s,
		Read: Read(s, []string{"SELECT 1 FROM zz_archive, bolt_drill_0002"})}
	shown := p.Shown(env)
	must.Equal(t, strings.Join(shown.TableNames(), " "), "bolt_drill_0002 zz_archive")
	text := SchemaText(shown, StyleTyped)
	must.Be(t, len(text) <= p.wholeUpTo && strings.Contains(text, "pressure"), len(text), "bytes", text)
	msgs := must.Get(p.Generate(env))(t)
	if last := msgs[len(msgs)-1].Content; !strings.Contains(last, "bolt_drill_0002.name = 'Harbour 2'") ||
		strings.Contains(last, "= 'Harbour 25'") {
		t.Error(last)
	}
}

// Whatever a question has in common with a large schema, what a prompt shows of it has a bound and holds what the
// question names.
func TestFocusOfLargeSchemas(t *testing.T) {
	s := warehouse(t, 1000)
	for _, tt := range []struct {
		question string
		want     []string // among the tables shown
	}{
		{"How many are there?", nil},
		{"What is in bolt_crane_0001?", []string{"bolt_crane_0001"}},
		// what joins them, too
		{"The name in bolt crane 0001 and in bolt jack 0008", []string{"bolt_crane_0001", "bolt_jack_0008",
			"bolt_flange_0004"}},
		{"Those of Harbour 777", []string{"ingot_ingot_0777"}},
		{"Average pressure in the zz archive", []string{"zz_archive"}},
		{"bolt crane drill engine flange gasket hinge ingot jack kiln id name previous", nil},
		{strings.Repeat("What is the name of the bolts of drills? ", 40), nil},
	} {
		for set, p := range promptSets {
			if p.wholeUpTo == 0 {
				continue
			}
			p := must.Get(NewPrompts(set, nil))(t)
			env := Env{Asked: question.Read(tt.question, s), Schema: s,
				SQL: "SELECT nme FROM kiln_kiln_0999 WHERE x = 1", Err: "unknown_column:nme"}
			unfocused := env
			env.Focus, _ = p.Focus(env.Asked, s)
			for _, name := range tt.want {
				if _, ok := env.Focus.Table(name); !ok {
					t.Errorf("%s: %s is not shown, but %q", tt.question, name, env.Focus.TableNames())
				}
			}
			for name, render := range map[string]func() ([]llm.Message, error){
				"generate": func() ([]llm.Message, error) { return p.Generate(env) }, "early": func() ([]llm.Message,
					error) {
					return p.Generate(unfocused)
				},
				"repair": func() ([]llm.Message, error) { return p.Repair(env) }, "baseline": func() ([]llm.Message,
					error) {
					return p.Baseline(env)
				},
				"react": func() ([]llm.Message, error) { return p.React(env, nil) },
			} {
				msgs := must.Get(render())(t)
				system := msgs[0].Content
				must.Be(t, len(system) <= p.wholeUpTo+1500 && strings.Contains(system, "id"),
					tt.question, set, name, len(system), "bytes")
				must.Be(t, name != "repair" || strings.Contains(system, "kiln_kiln_0999("),
					tt.question, set, "the failed query's table is not shown")
				if strings.Contains(system, "zz_archive(") && !strings.Contains(system, "pressure") &&
					strings.Contains(tt.question, "pressure") {
					t.Errorf("%s, %s: the column in question is not shown", tt.question, set)
				}
			}
		}
	}
}

func BenchmarkFocus(b *testing.B) {
	s := warehouse(b, 5000)
	p := must.Get(NewPrompts("typed", nil))(b)
	p.Focus(question.Read("warm up the index", s), s)
	for b.Loop() {
		p.Focus(question.Read("How many bolts has Harbour 4711 of each drill?", s), s)
	}
}
