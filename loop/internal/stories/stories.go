// Package stories is for tests of agents: stories that are told again and compared with what was told before, and the
// demo database that they are about.
package stories

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
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

var update = flag.Bool("update", false, "rewrite the last section of testdata/*/*.txtar, and the tables of README.md")

// Tell holds what tell returns for each file of a folder of testdata against a section of it. in has the file's
// sections, over defaults.
func Tell(
	t *testing.T, folder, section string, defaults map[string]string,
	tell func(t *testing.T, in map[string]string) string,
) {
	files := must.Get(filepath.Glob("testdata/" + folder + "/*.txtar"))(t)
	must.Have(t, len(files) > 0, "no stories")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar := must.Get(txtar.ParseFile(file))(t)
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
				must.Do(t, os.WriteFile(file, txtar.Format(ar), 0o644))
				return
			}
			if diff := cmp.Diff(in[section]+"\n", got); diff != "" {
				t.Errorf("%s mismatch (-want +got), rerun with -update if intended:\n%s", section, diff)
			}
		})
	}
}

// Demo is the demo database, with a schema that a test may change.
func Demo(t testing.TB) (runner.DB, *schema.Schema) {
	t.Helper()
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{}))(t)
	t.Cleanup(func() { db.Close() })
	return db, must.Get(db.Schema(t.Context()))(t)
}

// Reads is a model that tells how likely any text is after a prompt that ends in a query.
type Reads struct {
	llm.Generator
	likely map[string]float64 // by query
}

// NewReads takes a logarithm of a probability and the query on each line; NaN where the context has no room for it.
func NewReads(t testing.TB, g llm.Generator, lines string) Reads {
	t.Helper()
	m := Reads{g, map[string]float64{}}
	for line := range strings.Lines(lines) {
		p, sql, _ := strings.Cut(strings.TrimSpace(line), " ")
		m.likely[sql] = must.Get(strconv.ParseFloat(p, 64))(t)
	}
	return m
}

// Score implements [llm.Scorer].
func (m Reads) Score(ctx context.Context, msgs []llm.Message, answer string) (llm.Completion, error) {
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
