package evaluation

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// dissertationFlags are the scores of all 54 published runs.
func dissertationFlags(t *testing.T) []Run {
	t.Helper()
	flags := sharedData + "dissertation/per_item_flags.csv"
	if _, err := os.Stat(flags); err != nil {
		t.Skip("needs ../shared/data/dissertation beside the checkout")
	}
	runs, err := ReadFlags(flags, sharedData+"dissertation/manifest.csv")
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// published reads a table of the dissertation.
func published(t *testing.T, name string) []map[string]string {
	t.Helper()
	f, err := os.Open(sharedData + "dissertation/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
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
	conditions, err := Conditions(runs)
	if err != nil {
		t.Fatal(err)
	}
	summary := published(t, "summary_by_condition.csv")
	if len(conditions) != len(summary) {
		t.Fatalf("%d conditions, published %d", len(conditions), len(summary))
	}
	for i, want := range summary {
		c := conditions[i]
		if got := []string{c.Name, c.Model, c.Method, strconv.Itoa(c.Shots), strconv.Itoa(len(c.Runs))}; strings.Join(got, " ") !=
			strings.Join([]string{want["condition_id"], want["model_tag"], want["method"], want["k"], want["n_runs"]}, " ") {
			t.Errorf("condition %d is %v, published %v", i, got, want)
		}
		for _, m := range Metrics {
			mean, has := want[strings.ToLower(m.Name)+"_mean"]
			if !has { // EM and TS over all items were not published
				continue
			}
			got := c.Measure(m, "dissertation").Runs
			if (mean == "") != (got.N == 0) || (want[strings.ToLower(m.Name)+"_std"] == "") != (got.N < 2) {
				t.Errorf("%s %s: %d runs, published mean %q", c.Name, m.Name, got.N, mean)
			}
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
	if len(tests) != len(pairwise) {
		t.Fatalf("%d tests, published %d", len(tests), len(pairwise))
	}
	for i, want := range pairwise {
		got := tests[i]
		if got.Left != want["left_condition_id"] || got.Right != want["right_condition_id"] {
			t.Errorf("test %d is of %s and %s, published %v", i, got.Left, got.Right, want)
		}
		within(t, "n_left", want["n_left"], float64(got.L.N), 0)
		within(t, "n_right", want["n_right"], float64(got.R.N), 0)
		within(t, "difference", want["mean_diff_right_minus_left"], got.R.Mean-got.L.Mean, 1e-9)
		within(t, "U", want["test_stat"], got.U, 0)
		within(t, "p", want["p_value"], got.P, 1e-6)
		if got.Rejected() != (want["decision_alpha_0_05"] == "reject_H0") {
			t.Errorf("%s and %s: rejected %v, published %s", got.Left, got.Right, got.Rejected(), want["decision_alpha_0_05"])
		}
	}
}

const smallManifest = `condition_id,model_tag,method,k,seed,n_items,ts_enabled,source_json
a_base_k3,a,base,3,7,2,True,results/a_base_k3_seed7.json
`

func TestReadFlags(t *testing.T) {
	const head = "condition_id,seed,example_id,va,em,ex,ts\n"
	for _, tt := range []struct{ name, manifest, flags, wantErr string }{
		{"good", smallManifest, head + "a_base_k3,7,0,1,0,1,1.0\na_base_k3,7,1,0,0,0,\n", ""},
		{"good, with a byte order mark and booleans", smallManifest, "\ufeff" + head + "a_base_k3,7,0,True,False,True,1.0\na_base_k3,7,1,0,0,0,\n", ""},
		{"no manifest", "", head, "manifest.csv: the file is empty"},
		{"manifest of no runs", smallManifest[:strings.Index(smallManifest, "\n")+1], head, "manifest.csv: no runs"},
		{"manifest without seed", strings.Replace(smallManifest, "seed", "sead", 1), head, `no column "seed" in line 1`},
		{"k of nonsense", strings.Replace(smallManifest, ",3,7,2", ",three,7,2", 1), head, `line 2: k is "three", not a number`},
		{"n_items of nonsense", strings.Replace(smallManifest, ",3,7,2", ",3,7,-2", 1), head, `line 2: n_items is "-2", not a number above 0`},
		{"run twice", smallManifest + "a_base_k3,a,base,3,7,2,True,x.json\n", head, "line 3: condition a_base_k3, seed 7 is there twice"},
		{"empty flags", smallManifest, "", "flags.csv: the file is empty"},
		{"no va", smallManifest, "condition_id,seed,example_id,em,ex,ts\n", `no column "va" in line 1`},
		{"va of nonsense", smallManifest, head + "a_base_k3,7,0,yes,0,1,\n", `line 2: va is "yes", neither 0 nor 1`},
		{"ts of nonsense", smallManifest, head + "a_base_k3,7,0,1,0,1,nan\n", `line 2: ts is "nan", neither 0 nor 1 nor empty`},
		{"unknown run", smallManifest, head + "b,7,0,1,0,1,\n", "line 2: condition b, seed 7 is not in the manifest"},
		{"item twice", smallManifest, head + "a_base_k3,7,0,1,0,1,\na_base_k3,7,0,1,0,1,\n", "line 3: item 0 of condition a_base_k3, seed 7 is there twice"},
		{"item missing", smallManifest, head + "a_base_k3,7,0,1,0,1,\n", "condition a_base_k3, seed 7 has 1 items, the manifest says 2"},
		{"short line", smallManifest, head + "a_base_k3,7,0\n", "wrong number of fields"},
		{"not CSV", smallManifest, "\x00\x01\"\xff\n\"", "flags.csv"},
	} {
		dir := t.TempDir()
		flags, manifest := filepath.Join(dir, "flags.csv"), filepath.Join(dir, "manifest.csv")
		for file, text := range map[string]string{flags: tt.flags, manifest: tt.manifest} {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		runs, err := ReadFlags(flags, manifest)
		switch {
		case tt.wantErr == "" && (err != nil || len(runs) != 1 || len(runs[0].Records) != 2 || runs[0].Records[0].Scores["dissertation"].TS == nil):
			t.Errorf("%s: %v, %v", tt.name, runs, err)
		case tt.wantErr != "" && (err == nil || !strings.Contains(err.Error(), tt.wantErr)):
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.wantErr)
		}
	}
}

func FuzzReadFlags(f *testing.F) {
	f.Add(smallManifest, "condition_id,seed,example_id,va,em,ex,ts\na_base_k3,7,0,1,0,1,1.0\na_base_k3,7,1,0,0,0,\n")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, manifest, flags string) {
		runs, err := readManifest(strings.NewReader(manifest))
		if err != nil || readFlags(strings.NewReader(flags), runs) != nil {
			return
		}
		for _, run := range runs {
			for _, m := range Metrics {
				if r := m.Rate(run, "dissertation"); r.Hits > r.N || r.N > len(run.Records) || len(run.Records) != run.Card.ItemCount {
					t.Errorf("%s of %s is %v over %d records", m.Name, run.Name, r, len(run.Records))
				}
			}
		}
	})
}
