//go:build cgo && llamacpp

package llamacpp

import (
	"encoding/json"
	"strings"
	"testing"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// demoGrammars are those of the loop for the demo database.
func demoGrammars(tb testing.TB) (action, sql string) {
	tb.Helper()
	db := must.Get(embedded.Open(tb.Context(), "", runner.Limits{}))(tb)
	defer db.Close()
	s := must.Get(db.Schema(tb.Context()))(tb)
	prompts := must.Get(tools.NewPrompts("default", nil))(tb)
	return loop.ActionGrammar(tools.NewSet(nil, nil, prompts, llm.Params{}), s), loop.SQLGrammar(s)
}

// golds returns the tokens of every nth gold query.
func golds(tb testing.TB, m *Model, n int) (out [][]int32) {
	tb.Helper()
	for i, line := range strings.Split(strings.TrimSpace(assets.Benchmark), "\n") {
		if i%n != 0 {
			continue
		}
		var item struct{ SQL string }
		must.Do(tb, json.Unmarshal([]byte(line), &item))
		out = append(out, words(tb, m, item.SQL))
	}
	return out
}

func words(tb testing.TB, m *Model, text string) (tokens []int32) {
	tb.Helper()
	ids := must.Get(m.model.Tokenize(text, false, false))(tb)
	for _, id := range ids {
		tokens = append(tokens, int32(id))
	}
	return tokens
}

// follow takes a text through a grammar and returns how many tokens it goes along with.
func follow(tb testing.TB, m *Model, g *grammar, tokens []int32) int {
	tb.Helper()
	for i, token := range tokens {
		may := must.Get(g.allows(token))(tb)
		if !may[0] {
			return i
		}
		must.Do(tb, g.accept(token))
	}
	return len(tokens)
}

// llama.cpp reads the loop's grammars as the loop means them.
func TestLoopGrammars(t *testing.T) {
	each(t, func(t *testing.T, m *Model) {
		eog := int32(-1)
		for i := range m.model.NumVocab() {
			if m.model.TokenIsEog(i) {
				eog = int32(i)
				break
			}
		}
		action, sql := demoGrammars(t)
		check := func(grammar string, tokens []int32, whole bool) {
			t.Helper()
			g := must.Get(m.newGrammar(grammar))(t)
			defer g.free()
			n := follow(t, m, g, tokens)
			if may, err := g.allows(eog); (n == len(tokens) && err == nil && may[0]) != whole {
				var text strings.Builder
				for _, token := range tokens[:n] {
					text.WriteString(m.model.Piece(token))
				}
				t.Errorf("%d of %d tokens, %q, may end %v, %v", n, len(tokens), text.String(), may, err)
			}
		}
		for _, tokens := range golds(t, m, 4) {
			check(sql, tokens, true)
		}
		for _, text := range []string{"SELECT customer_name FROM customers", "SELECT 1; SELECT 2", "SELECT (1",
			"SELECT 1 -- x", ""} {
			check(sql, words(t, m, text), false)
		}
		for _, text := range []string{"Thought: I need the rows.\nAction: run_sql[{}]\n",
			`Action: get_table_samples[{"table": "customers", "n": 3}]`} {
			check(action, words(t, m, text), true)
		}
		for _, text := range []string{"Action: drop_table[{}]", "Thought: done.",
			`Action: get_table_samples[{"table": "clients"}]`} {
			check(action, words(t, m, text), false)
		}
	})
}

// largeSchema has 64 tables of 8 columns, and no name twice.
func largeSchema() *schema.Schema {
	s := &schema.Schema{}
	for _, a := range []string{"customer", "invoice", "shipment", "product", "store", "region", "payment", "review"} {
		for _, b := range []string{"", "_line", "_history", "_note", "_type", "_status", "_owner", "_limit"} {
			t := schema.Table{Name: a + b}
			for _, c := range []string{"id", "name", "created_at", "changed_by", "total", "quantity",
				"city", "comment"} {
				t.Columns = append(t.Columns, schema.Column{Name: a + b + "_" + c})
			}
			s.Tables = append(s.Tables, t)
		}
	}
	return s
}

// BenchmarkGrammar tells what the grammar of SQL costs: a token that it allows, a refused one whose successor is among
// the likeliest, one for which the whole vocabulary is searched, the look for what is forced where that is nothing and
// where it is the rest of an action, known tokens included, and reading the grammar of 64 tables with 512 columns.
func BenchmarkGrammar(b *testing.B) {
	m := open(b, "qwen2.5-coder-0.5b", Options{Context: 512})
	action, text := demoGrammars(b)
	read := func(text string) *grammar {
		g := must.Get(m.newGrammar(text))(b)
		return g
	}
	b.Run("allowed", func(b *testing.B) {
		queries := golds(b, m, 8)
		n := 0
		for i := 0; b.Loop(); i++ {
			b.StopTimer()
			g := read(text)
			b.StartTimer()
			tokens := queries[i%len(queries)]
			n += follow(b, m, g, tokens)
			g.free()
		}
		b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(n), "µs/token")
	})
	l := make([]float32, m.model.NumVocab())
	for i := range l {
		l[i] = float32(i % 977)
	}
	search := func(b *testing.B) {
		g := read(text)
		defer g.free()
		follow(b, m, g, words(b, m, "SELECT o."))
		for b.Loop() {
			must.Get(g.likeliest(l))(b)
		}
	}
	b.Run("refused", func(b *testing.B) {
		l[words(b, m, "orderDate")[0]] = 976
		search(b)
	})
	b.Run("vocabulary", func(b *testing.B) {
		g := read(text)
		defer g.free()
		follow(b, m, g, words(b, m, "SELECT o."))
		for b.Loop() {
			must.Get(g.mask(l))(b)
		}
	})
	b.Run("nothing forced", func(b *testing.B) {
		g := after(b, m, text, "SELECT o.")
		for b.Loop() {
			g.forced()
		}
	})
	b.Run("forced", func(b *testing.B) {
		g, behind := after(b, m, action, "Action: get_table"), words(b, m, "_table")[0]
		for b.Loop() {
			must.Have(b, len(m.split(continuation{behind, g.forced()})) != 0, "nothing")
		}
	})
	for name, s := range map[string]string{"read demo": text, "read large": loop.SQLGrammar(largeSchema())} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				read(s).free()
			}
			b.ReportMetric(float64(len(s)), "bytes")
		})
	}
}
