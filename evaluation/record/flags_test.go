package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/evaluation/score"
	"nl2sql/scripts/must"
)

const smallManifest = `condition_id,model_tag,method,k,seed,n_items,ts_enabled,source_json
a_base_k3,a,base,3,7,2,True,results/a_base_k3_seed7.json
`

func TestReadFlags(t *testing.T) {
	const head = "condition_id,seed,example_id,va,em,ex,ts\n"
	for _, tt := range []struct{ name, manifest, flags, wantErr string }{
		{"good", smallManifest, head + "a_base_k3,7,0,1,0,1,1.0\na_base_k3,7,1,0,0,0,\n", ""},
		{"good, with a byte order mark and booleans", smallManifest, "\ufeff" + head +
			"a_base_k3,7,0,True,False,True,1.0\na_base_k3,7,1,0,0,0,\n", ""},
		{"no manifest", "", head, "manifest.csv: the file is empty"},
		{"manifest of no runs", smallManifest[:strings.Index(smallManifest, "\n")+1], head, "manifest.csv: no runs"},
		{"manifest without seed", strings.Replace(smallManifest, "seed", "sead", 1), head,
			`no column "seed" in line 1`},
		{"k of nonsense", strings.Replace(smallManifest, ",3,7,2", ",three,7,2", 1), head,
			`line 2: k is "three", not a number`},
		{"n_items of nonsense", strings.Replace(smallManifest, ",3,7,2", ",3,7,-2", 1), head,
			`line 2: n_items is "-2", not a number above 0`},
		{"run twice", smallManifest + "a_base_k3,a,base,3,7,2,True,x.json\n", head,
			"line 3: condition a_base_k3, seed 7 is there twice"},
		{"empty flags", smallManifest, "", "flags.csv: the file is empty"},
		{"no va", smallManifest, "condition_id,seed,example_id,em,ex,ts\n", `no column "va" in line 1`},
		{"va of nonsense", smallManifest, head + "a_base_k3,7,0,yes,0,1,\n", `line 2: va is "yes", neither 0 nor 1`},
		{"ts of nonsense", smallManifest, head + "a_base_k3,7,0,1,0,1,nan\n",
			`line 2: ts is "nan", neither 0 nor 1 nor empty`},
		{"unknown run", smallManifest, head + "b,7,0,1,0,1,\n", "line 2: condition b, seed 7 is not in the manifest"},
		{"item twice", smallManifest, head + "a_base_k3,7,0,1,0,1,\na_base_k3,7,0,1,0,1,\n",
			"line 3: item 0 of condition a_base_k3, seed 7 is there twice"},
		{"item missing", smallManifest, head + "a_base_k3,7,0,1,0,1,\n",
			"condition a_base_k3, seed 7 has 1 items, the manifest says 2"},
		{"short line", smallManifest, head + "a_base_k3,7,0\n", "wrong number of fields"},
		{"not CSV", smallManifest, "\x00\x01\"\xff\n\"", "flags.csv"},
	} {
		dir := t.TempDir()
		flags, manifest := filepath.Join(dir, "flags.csv"), filepath.Join(dir, "manifest.csv")
		for file, text := range map[string]string{flags: tt.flags, manifest: tt.manifest} {
			must.Do(t, os.WriteFile(file, []byte(text), 0o644))
		}
		runs, err := ReadFlags(flags, manifest)
		switch {
		case tt.wantErr == "" && (err != nil || len(runs) != 1 || len(runs[0].Records) != 2 ||
			runs[0].Records[0].Scores["dissertation"].TS == nil):
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
			for _, m := range score.Metrics {
				if r := m.Rate(run.Scores("dissertation")); r.Hits > r.N || r.N > len(run.Records) ||
					len(run.Records) != run.Card.ItemCount {
					t.Errorf("%s of %s is %v over %d records", m.Name, run.Name, r, len(run.Records))
				}
			}
		}
	})
}
