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
	"nl2sql/sqlcheck"
)

// TestExamples asks the questions that README shows, with the default model on the demo database, and holds the rows
// against those of each question's gold query.
func TestExamples(t *testing.T) {
	items, err := item.Read(strings.NewReader(assets.Examples))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		if !strings.Contains(string(readme), it.Question) {
			t.Errorf("README.md does not show the example %q", it.Question)
		}
	}
	if !hasEngine(realModel) {
		t.Skip("needs a build with the engine and the model: run make test")
	}
	db, err := embedded.Open(t.Context(), "", runner.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	schema, err := db.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		t.Run(it.Question, func(t *testing.T) {
			q, v, err := sqlcheck.Check(it.SQL, schema)
			if err != nil || !v.OK {
				t.Fatalf("gold: %v %v", v, err)
			}
			gold, err := db.Query(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("nl2sql", "ask", "--model", realModel, "--format", "json", it.Question)
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			var answer struct {
				SQL    string
				Result struct {
					Columns []string
					Rows    [][]any
				}
			}
			dec := json.NewDecoder(strings.NewReader(string(out)))
			dec.UseNumber()
			if err := dec.Decode(&answer); err != nil {
				t.Fatal(err)
			}
			got := runner.Result{Columns: answer.Result.Columns, Rows: answer.Result.Rows}
			if !score.SameRows(got, gold, false) {
				t.Errorf("wrong: %s gives %d rows, gold %d: %s", answer.SQL, len(got.Rows), len(gold.Rows), it.SQL)
			}
		})
	}
}
