package loop

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/sqlcheck/guard"
	"nl2sql/tools"
)

var update = flag.Bool("update", false, "rewrite the trace section of testdata/trace/*.txtar")

// TestGoldenTraces tells one story a file: a question, what the model replies, and the decision log that the
// real tools, guardrails and demo database leave. Sections: question, model (replies split by ===), plan
// ("model" where it is missing), steps (8 where it is missing), votes (1 where it is missing), trace.
func TestGoldenTraces(t *testing.T) {
	files, err := filepath.Glob("testdata/trace/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden traces: %v", err)
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
	guards, err := guard.ParseSet("default")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in := map[string]string{"plan": "model", "steps": "8", "votes": "1"}
			for _, f := range ar.Files {
				in[f.Name] = strings.TrimSpace(string(f.Data))
			}
			steps, err := strconv.Atoi(in["steps"])
			if err != nil {
				t.Fatal(err)
			}
			votes, err := strconv.Atoi(in["votes"])
			if err != nil {
				t.Fatal(err)
			}
			prompts, err := tools.NewPrompts("default", nil)
			if err != nil {
				t.Fatal(err)
			}
			agent := Agent{
				Model: llm.NewReplay(in["model"]), DB: db, Schema: schema, Prompts: prompts,
				Guards: guards, Plan: Plan(in["plan"]), MaxSteps: steps, Votes: votes,
			}
			ans, err := agent.Run(t.Context(), in["question"])
			if err != nil {
				t.Fatalf("%v\n%s", err, ans.Trace.DecisionLog())
			}
			got := ans.Trace.DecisionLog() + "answer: " + ans.How + " " + ans.SQL + "\n"
			got += ans.Trace.Compliance().String() + "\n"
			if *update {
				for i := range ar.Files {
					if ar.Files[i].Name == "trace" {
						ar.Files[i].Data = []byte(got)
					}
				}
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(in["trace"]+"\n", got); diff != "" {
				t.Errorf("trace mismatch (-want +got), rerun with -update if intended:\n%s", diff)
			}
		})
	}
}
