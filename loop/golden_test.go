package loop

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"nl2sql/llm"
)

var update = flag.Bool("update", false, "rewrite the last section of testdata/*/*.txtar")

// stories holds what tell returns for each file of a folder of testdata against a section of it. in has the file's sections, over defaults.
func stories(t *testing.T, folder, section string, defaults map[string]string, tell func(t *testing.T, in map[string]string) string) {
	files, err := filepath.Glob("testdata/" + folder + "/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in := maps.Clone(defaults)
			for _, f := range ar.Files {
				in[f.Name] = strings.TrimSpace(string(f.Data))
			}
			got := tell(t, in)
			if *update {
				for i := range ar.Files {
					if ar.Files[i].Name == section {
						ar.Files[i].Data = []byte(got)
					}
				}
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(in[section]+"\n", got); diff != "" {
				t.Errorf("%s mismatch (-want +got), rerun with -update if intended:\n%s", section, diff)
			}
		})
	}
}

// TestGoldenTraces tells one story a file: a question, what the model replies, and the decision log that the
// real tools, guardrails and demo database leave. Sections: question, model (replies split by ===), plan
// ("model" where it is missing), steps (8 where it is missing), votes (1 where it is missing), likely (as [reads] takes it), trace.
func TestGoldenTraces(t *testing.T) {
	demo := demoAgent(t, "default")
	defaults := map[string]string{"plan": "model", "steps": "8", "votes": "1"}
	stories(t, "trace", "trace", defaults, func(t *testing.T, in map[string]string) string {
		agent := demo
		agent.Model, agent.Plan = llm.NewReplay(in["model"]), Plan(in["plan"])
		if in["likely"] != "" {
			agent.Model = newReads(t, agent.Model, in["likely"])
		}
		var err error
		if agent.MaxSteps, err = strconv.Atoi(in["steps"]); err != nil {
			t.Fatal(err)
		}
		if agent.Votes, err = strconv.Atoi(in["votes"]); err != nil {
			t.Fatal(err)
		}
		ans, err := agent.Run(t.Context(), in["question"])
		if err != nil {
			t.Fatalf("%v\n%s", err, ans.Trace.DecisionLog())
		}
		return ans.Trace.DecisionLog() + "answer: " + ans.How + " " + ans.SQL + "\n" + ans.Trace.Compliance().String() + "\n"
	})
}

// reads is a model that tells how likely any text is after a prompt that ends in a query.
type reads struct {
	llm.Generator
	likely map[string]float64 // by query
}

// newReads takes a logarithm of a probability and the query on each line; NaN where the context has no room for it.
func newReads(t testing.TB, g llm.Generator, lines string) reads {
	t.Helper()
	m := reads{g, map[string]float64{}}
	for line := range strings.Lines(lines) {
		p, sql, _ := strings.Cut(strings.TrimSpace(line), " ")
		var err error
		if m.likely[sql], err = strconv.ParseFloat(p, 64); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// Score implements [llm.Scorer].
func (m reads) Score(ctx context.Context, msgs []llm.Message, answer string) (llm.Completion, error) {
	_, sql, _ := strings.Cut(msgs[len(msgs)-1].Content, "\n")
	p, known := m.likely[sql]
	if !known {
		return llm.Completion{}, fmt.Errorf("nobody said how likely %q is by %q", answer, sql)
	}
	if math.IsNaN(p) {
		return llm.Completion{}, llm.ErrContextFull
	}
	return llm.Completion{Text: answer, LogProb: p}, nil
}
