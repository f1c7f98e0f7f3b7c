package report

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/scripts/must"
)

const sharedData = "../../../shared/data/"

// dissertationFlags are the scores of all 54 published runs.
func dissertationFlags(t *testing.T) []record.Run {
	t.Helper()
	flags := sharedData + "dissertation/per_item_flags.csv"
	if _, err := os.Stat(flags); err != nil {
		t.Skip("needs ../shared/data/dissertation beside the checkout")
	}
	runs := must.Get(record.ReadFlags(flags, sharedData+"dissertation/manifest.csv"))(t)
	return runs
}

// published reads a table of the dissertation.
func published(t *testing.T, name string) []map[string]string {
	t.Helper()
	f := must.Get(os.Open(sharedData + "dissertation/" + name))(t)
	defer f.Close()
	rows := must.Get(csv.NewReader(f).ReadAll())(t)
	var out []map[string]string
	for _, row := range rows[1:] {
		values := map[string]string{}
		for i, name := range rows[0] {
			values[name] = row[i]
		}
		out = append(out, values)
	}
	return out
}

func within(t *testing.T, what, want string, got, tolerance float64) {
	t.Helper()
	value, err := strconv.ParseFloat(want, 64)
	if err != nil || math.Abs(value-got) > tolerance {
		t.Errorf("%s: %v, published %s", what, got, want)
	}
}

// From the flags of 54 runs come the dissertation's two tables again.
func TestPublishedTables(t *testing.T) {
	runs := dissertationFlags(t)
	conditions := must.Get(Conditions(runs))(t)
	summary := published(t, "summary_by_condition.csv")
	must.Have(t, len(conditions) == len(summary), len(conditions), "conditions, published", len(summary))
	for i, want := range summary {
		c := conditions[i]
		if got := []string{c.Name, c.Model, c.Method, strconv.Itoa(c.Shots),
			strconv.Itoa(len(c.Runs))}; strings.Join(got, " ") !=
			strings.Join([]string{want["condition_id"], want["model_tag"], want["method"], want["k"],
				want["n_runs"]}, " ") {
			t.Errorf("condition %d is %v, published %v", i, got, want)
		}
		for _, m := range score.Metrics {
			mean, has := want[strings.ToLower(m.Name)+"_mean"]
			if !has { // EM and TS over all items were not published
				continue
			}
			got := c.Measure(m, "dissertation").Runs
			must.Be(t, (mean == "") == (got.N == 0) && (want[strings.ToLower(m.Name)+"_std"] == "") == (got.N < 2),
				c.Name, m.Name, got.N, "runs, published mean", mean)
			if got.N > 0 {
				within(t, c.Name+" "+m.Name+" mean", mean, got.Mean, 1e-9)
			}
			if got.N > 1 {
				within(t, c.Name+" "+m.Name+" sd", want[strings.ToLower(m.Name)+"_std"], got.SD, 1e-9)
			}
		}
	}
	tests := PublishedTests(conditions, "dissertation")
	pairwise := published(t, "pairwise_tests.csv")
	must.Have(t, len(tests) == len(pairwise), len(tests), "tests, published", len(pairwise))
	for i, want := range pairwise {
		got := tests[i]
		must.Be(t, got.Left == want["left_condition_id"] && got.Right == want["right_condition_id"],
			"test", i, "is of", got.Left, got.Right, "published", want)
		within(t, "n_left", want["n_left"], float64(got.L.N), 0)
		within(t, "n_right", want["n_right"], float64(got.R.N), 0)
		within(t, "difference", want["mean_diff_right_minus_left"], got.R.Mean-got.L.Mean, 1e-9)
		within(t, "U", want["test_stat"], got.U, 0)
		within(t, "p", want["p_value"], got.P, 1e-6)
		must.Equal(t, got.Rejected(), want["decision_alpha_0_05"] == "reject_H0",
			got.Left, got.Right, "published", want["decision_alpha_0_05"])
	}
}

// Published: items that one method answers and the other does not, seeds matched (dissertation.md §5.7).
func TestPublishedPairs(t *testing.T) {
	conditions := must.Get(Conditions(dissertationFlags(t)))(t)
	of := map[string]Condition{}
	for _, c := range conditions {
		of[c.Name] = c
	}
	for _, tt := range []struct {
		left, right string
		up, down, n int
	}{
		{"llama_base_k3", "llama_qlora_k3", 99, 267, 2000}, {"llama_base_k3", "llama_react_k3", 173, 57, 1000},
		{"llama_qlora_k3", "llama_react_k3", 247, 50, 1000},
		{"qwen_base_k3", "qwen_qlora_k3", 62, 325, 2000}, {"qwen_base_k3", "qwen_react_k3", 145, 88, 1000},
		{"qwen_qlora_k3", "qwen_react_k3", 248, 65, 1000},
	} {
		got := comparePaired(of[tt.left], of[tt.right], score.EX, "dissertation")
		if got.Up != tt.up || got.Down != tt.down || got.N != tt.n {
			t.Errorf("%s → %s: %d up, %d down of %d; want %d, %d of %d", tt.left, tt.right, got.Up, got.Down, got.N,
				tt.up, tt.down, tt.n)
		}
	}
}
