package loop

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/loop/internal/stories"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

var spiderStep = flag.Int("spider", must.Long(40, 1),
	"every how manieth of Spider's gold queries TestSQLGrammarAdmitsSpider tries")

func demoSchema(t testing.TB) *schema.Schema {
	t.Helper()
	_, s := stories.Demo(t)
	return s
}

func actionGrammar(t testing.TB, s *schema.Schema) string {
	t.Helper()
	prompts := must.Get(tools.NewPrompts("default", nil))(t)
	return ActionGrammar(tools.NewSet(nil, nil, prompts, llm.Params{}), s)
}

// Each text of the grammar is an action of a known tool, whose arguments reach it as they were written.
func TestActionGrammarParses(t *testing.T) {
	s := demoSchema(t)
	g := readGBNF(t, actionGrammar(t, s))
	random := rand.New(rand.NewPCG(2, 3))
	seen := map[tools.Name]int{}
	for range 3000 {
		text := g.random(random)
		call, ok := parseAction(text)
		_, written, _ := strings.Cut(text[strings.LastIndex(text, "Action:"):], "[")
		must.Have(t, ok && g.admits(text), text, "action", ok)
		must.Be(t, len(call.Args) > 2 || strings.HasPrefix(written, "{}]"), text, "the arguments are lost")
		seen[call.Tool]++
	}
	want := []tools.Name{tools.GetSchema, tools.LinkSchema, tools.ExtractConstraints, tools.GenerateSQL,
		tools.ValidateSQL,
		tools.ValidateConstraints, tools.RunSQL, tools.RepairSQL, tools.GetTableSamples, tools.Finish}
	for name := range seen {
		must.Be(t, slices.Contains(want, name), "unknown tool", name)
	}
	must.Equal(t, len(seen), len(want), "only", seen, "came up")
}

func TestActionGrammar(t *testing.T) {
	g := readGBNF(t, actionGrammar(t, &schema.Schema{Tables: []schema.Table{{Name: "shops"}, {Name: `odd"name`}}}))
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"Thought: I need rows.\nAction: run_sql[{}]", true},
		{"Thought: I need rows.\nAction: run_sql[{}]\n", true},
		{"Action: run_sql[{}]", true},
		{"Action:run_sql[{}]", true},
		{"Thought: rows [all] of them.\n\nAction: finish[{}]", true},
		{`Action: get_table_samples[{"table": "shops", "n": 3}]`, true},
		{`Action: get_table_samples[{"table":"shops"}]`, true},
		{`Action: get_table_samples[{"table": "odd\"name"}]`, true},
		{`Action: finish[{"answer": "seven \"rows\" \n"}]`, true},
		{`Action: get_table_samples[{"table": "clients", "n": 3}]`, false},
		{`Action: get_table_samples[{"table": "shops", "n": 0}]`, false},
		{`Action: get_table_samples[{"table": "shops", "n": 11}]`, false},
		{`Action: get_table_samples[{}]`, false},
		{`Action: run_sql[{"sql": "SELECT 1"}]`, false},
		{"Action: drop_table[{}]", false},
		{"Action: run_sql[{]", false},
		{"Action: run_sql", false},
		{"Thought: I need rows.", false},
		{"Thought: see [1]\nAction: run_sql[{}]", false}, // the stop text would end it there
		{"Sure! Action: run_sql[{}]", false},
		{"Action: run_sql[{}]\nAction: finish[{}]", false},
		{"", false},
	} {
		must.Equal(t, g.admits(tt.text), tt.want, tt.text)
	}
}

// What models wrote in the form of the prompts is admitted.
func TestActionGrammarAdmitsRecordedTurns(t *testing.T) {
	g := readGBNF(t, actionGrammar(t, demoSchema(t)))
	files := must.Get(filepath.Glob("testdata/trace/*.txtar"))(t)
	formed := 0
	for _, file := range files {
		ar := must.Get(txtar.ParseFile(file))(t)
		for _, f := range ar.Files {
			if f.Name != "model" {
				continue
			}
			for _, turn := range strings.Split(strings.TrimSpace(string(f.Data)), "\n===\n") {
				// well-formed: at most one line of thought, then an action without arguments
				lines := strings.Split(turn, "\n")
				last := lines[len(lines)-1]
				if !strings.HasSuffix(last, "[{}]") || !strings.HasPrefix(last, "Action: ") || len(lines) > 2 ||
					len(lines) == 2 && !strings.HasPrefix(turn, "Thought: ") {
					continue
				}
				if formed++; !g.admits(turn) {
					t.Errorf("%s: %q is not admitted behind %q", file, turn, g.reach(turn))
				}
			}
		}
	}
	must.Be(t, formed >= 20, "only", formed, "turns are well-formed")
	if turn := `Action: get_table_samples[{"table": "productlines", "n": 1}]`; !g.admits(turn) {
		t.Errorf("%q is not admitted", turn)
	}
}

func TestSQLGrammar(t *testing.T) {
	s := &schema.Schema{Name: "shop", Tables: []schema.Table{
		{Name: "shopOrders", Columns: []schema.Column{
			{Name: "orderId"}, {Name: "net price"}, {Name: "2nd"}, {Name: "a`b"}, {Name: "straße"},
		}},
		{Name: "shops", Columns: []schema.Column{{Name: "shopId"}}},
	}}
	g := readGBNF(t, SQLGrammar(s))
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"SELECT orderId FROM shopOrders", true},
		{"select ORDERID from shoporders;", true},
		{"  SELECT COUNT(*) AS anyNameAtAll FROM shopOrders AS o JOIN shops s ON s.shopId = o.orderId " +
			"WHERE o.`net price` > 1.5e3 ;\n", true},
		{"SELECT `2nd`, `a``b`, `straße` FROM `shopOrders`", true},
		{"SELECT 'it''s; -- no comment', \"/* nor this */\" FROM shops", true},
		{"WITH best_shops AS (SELECT shopId FROM shops) SELECT * FROM shops", true},
		{"(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1", true},
		{"SELECT -1 - 2, 4 / 2, 1-(2)", true},
		{"SELECT SUM(orderId) AS order_sum FROM shop.shopOrders ORDER BY order_sum DESC", true},
		{"SELECT shopId FROM shops HAVING COUNT(*) > 1 ORDER BY shops.order_sum", false},
		{"SELECT SUM(orderId) AS total_sales FROM shopOrders HAVING total_sales > 3", true},
		{"SELECT orderId AS 'Order number', shopId `Shop name` FROM shops", false}, // a quoted alias needs AS
		{"SELECT customer_name FROM shops", false},
		{"SELECT o.orderNumber FROM shopOrders o", false},
		{"SELECT `net prices` FROM shopOrders", false},
		{"SELECT 1; SELECT 2", false},
		{"SELECT 1 -- comment", false},
		{"SELECT 1 # comment", false},
		{"SELECT 1 /* comment */", false},
		{"SELECT (1", false},
		{"SELECT 1)", false},
		{"SELECT @@version", false},
		{"SELECT sleep(1)", false},
		{"DELETE FROM shops", false},
		{"SELECTorderId FROM shops", false},
		{"Here is the query: SELECT 1", false},
		{"", false},
	} {
		must.Equal(t, g.admits(tt.text), tt.want, tt.text, "it goes along with", g.reach(tt.text))
	}
}

// Each of our own gold queries is admitted for its schema.
func TestSQLGrammarAdmitsGold(t *testing.T) {
	g := readGBNF(t, SQLGrammar(demoSchema(t)))
	n := 0
	for _, text := range []string{assets.Benchmark, assets.Train} {
		for _, sql := range goldQueries(t, text) {
			if n++; !g.admits(sql) {
				t.Errorf("%s\nis admitted up to %s", sql, g.reach(sql))
			}
		}
	}
	t.Logf("%d gold queries", n)
}

func goldQueries(t *testing.T, items string) (out []string) {
	for line := range strings.Lines(items) {
		var item struct{ SQL string }
		must.Do(t, json.Unmarshal([]byte(line), &item))
		out = append(out, item.SQL)
	}
	return out
}

// Each text of the grammar is one statement that reads: the check finds fault with names and syntax, never with what is
// done.
func TestSQLGrammarHoldsOneSelect(t *testing.T) {
	s := demoSchema(t)
	g := readGBNF(t, SQLGrammar(s))
	random := rand.New(rand.NewPCG(5, 8))
	reasons := map[sqlcheck.Reason]int{}
	for range 2000 {
		text := g.random(random)
		_, v, err := sqlcheck.Check(text, s)
		must.Do(t, err, text)
		worse := []sqlcheck.Reason{"multiple_statements", "not_select", "executable_comment", "open_comment"}
		if reasons[v.Reason]++; slices.Contains(worse, v.Reason) {
			t.Errorf("%q: %s", text, v.Reason)
		}
	}
	t.Logf("%v", reasons)
}

// Other people's schemas: a share of Spider's gold queries, on the databases that come with them.
func TestSQLGrammarAdmitsSpider(t *testing.T) {
	schemas := golds.Schemas(t)
	grammars := map[string]*gbnf{}
	n, admitted := 0, 0
	for i, it := range golds.All(t) {
		if i%*spiderStep != 0 {
			continue
		}
		g := grammars[it.Database]
		if g == nil {
			g = readGBNF(t, SQLGrammar(schemas(it.Database)))
			grammars[it.Database] = g
		}
		if n++; g.admits(it.SQL) {
			admitted++
		} else {
			t.Logf("%s: %s\nis admitted up to %s", it.Database, it.SQL, g.reach(it.SQL))
		}
	}
	t.Logf("%d of %d gold queries are admitted (%.1f %%)", admitted, n, 100*float64(admitted)/float64(n))
	must.Be(t, admitted*100 >= n*97, admitted, n, "gold queries are admitted")
}
