package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"nl2sql/assets"
	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

// TestExamples asks the questions that README shows, with the default model on the demo database, and holds the rows
// against those of each question's gold query.
func TestExamples(t *testing.T) {
	items, err := item.Read(strings.NewReader(assets.Examples))
	must.Do(t, err)
	readme, err := os.ReadFile("../README.md")
	must.Do(t, err)
	for _, it := range items {
		must.Has(t, string(readme), it.Question, "README.md does not show the example")
	}
	if !hasEngine(realModel) {
		t.Skip("needs a build with the engine and the model: run make test")
	}
	db, err := embedded.Open(t.Context(), "", runner.Limits{})
	must.Do(t, err)
	defer db.Close()
	schema, err := db.Schema(t.Context())
	must.Do(t, err)
	for _, it := range items {
		t.Run(it.Question, func(t *testing.T) {
			q, v, err := sqlcheck.Check(it.SQL, schema)
			must.Have(t, err == nil && v.OK, "gold", v, err)
			gold, err := db.Query(t.Context(), q)
			must.Do(t, err)
			cmd := exec.Command("nl2sql", "ask", "--model", realModel, "--format", "json", it.Question)
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			must.Do(t, err)
			var answer struct {
				SQL    string
				Result struct {
					Columns []string
					Rows    [][]any
				}
			}
			dec := json.NewDecoder(strings.NewReader(string(out)))
			dec.UseNumber()
			must.Do(t, dec.Decode(&answer))
			got := runner.Result{Columns: answer.Result.Columns, Rows: answer.Result.Rows}
			must.Be(t, score.SameRows(got, gold, false),
				"wrong", answer.SQL, "gives", len(got.Rows), "rows, gold", len(gold.Rows), it.SQL)
		})
	}
}
