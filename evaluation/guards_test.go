package evaluation

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/sqlcheck"
)

const sharedData = "../../shared/data/"

// prediction is one recorded answer of the original's runs.
type prediction struct {
	Question string `json:"nlq"`
	Gold     string `json:"gold_sql"`
	Text     string `json:"pred_sql"` // raw model text
}

// recordedRuns are the 27 runs over the 122 items that have model text, by condition.
func recordedRuns(t *testing.T) map[string][]prediction {
	t.Helper()
	files, err := filepath.Glob(sharedData + "dissertation/runs/*.json")
	if err != nil || len(files) == 0 {
		t.Skip("needs ../shared/data/dissertation/runs beside the checkout")
	}
	runs := map[string][]prediction{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var run struct{ Results, Items []prediction }
		if err := json.Unmarshal(data, &run); err != nil {
			t.Fatal(err)
		}
		condition, _, _ := strings.Cut(filepath.Base(file), "_seed")
		runs[condition] = append(append(runs[condition], run.Results...), run.Items...)
	}
	return runs
}

// scorer says whether a text answers as a gold query does on one database; each text runs once.
type scorer struct {
	db     runner.DB
	schema *sqlcheck.Schema
	cache  map[string]*runner.Result // nil: no result
}

func (s *scorer) result(t *testing.T, sql string) *runner.Result {
	t.Helper()
	if res, ok := s.cache[sql]; ok {
		return res
	}
	s.cache[sql] = nil
	q, v, err := sqlcheck.Check(sql, s.schema)
	if err != nil {
		t.Fatal(err)
	}
	if !v.OK {
		return nil
	}
	res, err := s.db.Query(t.Context(), q)
	if err == nil {
		s.cache[sql] = &res
	}
	return s.cache[sql]
}

func (s *scorer) right(t *testing.T, sql, gold string) bool {
	want, got := s.result(t, gold), s.result(t, sql)
	if want == nil {
		t.Fatalf("gold query has no result: %s", gold)
	}
	return got != nil && SameRows(*want, *got, false)
}

// TestGuardsOnRecordedRuns measures what the guards are worth: execution accuracy of the recorded answers on the real
// sample database, without guards, with the original's and with ours, and what each of ours saves and harms.
func TestGuardsOnRecordedRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("runs thousands of queries")
	}
	runs := recordedRuns(t)
	dump, err := os.ReadFile(sharedData + "classicmodels.sql")
	if err != nil {
		t.Skipf("needs ../shared/data/classicmodels.sql beside the checkout: %v", err)
	}
	db, err := embedded.OpenDump(context.Background(), "classicmodels", bytes.NewReader(dump), runner.Limits{Rows: 10000})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	schema, err := db.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := &scorer{db: db, schema: schema, cache: map[string]*runner.Result{}}
	apply := func(spec string) func(p prediction) string {
		g, err := sqlcheck.GuardSet(spec)
		if err != nil {
			t.Fatal(err)
		}
		return func(p prediction) string {
			sql, _, v := g.Apply(p.Text, sqlcheck.Input{Question: p.Question, Schema: schema})
			if !v.OK {
				return ""
			}
			return sql
		}
	}
	none, seed, ours := apply("none"), apply("seed"), apply("default")
	// Floors of execution accuracy with our guards, by condition (issue 4, proof 3).
	floors := map[string]float64{"llama_base_k0": .82, "llama_base_k3": .87, "llama_qlora_k0": .87, "llama_qlora_k3": .87, "llama_react_k3": .87}
	var names []string
	for name := range runs {
		names = append(names, name)
	}
	slices.Sort(names)
	t.Logf("%-16s %5s %6s %6s %6s  fixed/broken by seed and default", "condition", "n", "none", "seed", "ours")
	for _, name := range names {
		var ex [3]int
		var fixed, broken [3]int
		for _, p := range runs[name] {
			var ok [3]bool
			for i, g := range []func(prediction) string{none, seed, ours} {
				ok[i] = s.right(t, g(p), p.Gold)
				if ok[i] {
					ex[i]++
				}
				if ok[i] && !ok[0] {
					fixed[i]++
				}
				if !ok[i] && ok[0] {
					broken[i]++
				}
			}
			if ok[0] && !ok[2] {
				t.Errorf("%s: broken: %s\n%s\n%s", name, p.Question, p.Text, ours(p))
			}
		}
		n := len(runs[name])
		share := func(i int) float64 { return float64(ex[i]) / float64(n) }
		t.Logf("%-16s %5d %6.3f %6.3f %6.3f  %d/%d %d/%d", name, n, share(0), share(1), share(2), fixed[1], broken[1], fixed[2], broken[2])
		if share(2) < floors[name] {
			t.Errorf("%s: %.3f, want at least %.3f", name, share(2), floors[name])
		}
	}
	all, err := sqlcheck.GuardSet("default")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range all {
		without := apply("default,-" + g.Name)
		saved, harmed := 0, 0
		for _, name := range names {
			for _, p := range runs[name] {
				with, bare := ours(p), without(p)
				if with == bare {
					continue
				}
				switch a, b := s.right(t, with, p.Gold), s.right(t, bare, p.Gold); {
				case a && !b:
					saved++
				case b && !a:
					harmed++
				}
			}
		}
		t.Logf("%-12s saves %d, harms %d", g.Name, saved, harmed)
		if harmed > saved {
			t.Errorf("%s harms more than it saves", g.Name)
		}
	}
}
