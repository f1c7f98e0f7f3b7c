package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
)

func dissertationRuns(t *testing.T) []Run {
	t.Helper()
	files := must.Get(filepath.Glob(filepath.Join(golds.Path(t, "dissertation/runs"), "*.json")))(t)
	var runs []Run
	for _, file := range files {
		runs = append(runs, must.Get(ReadOriginal(file))(t))
	}
	return runs
}

// The text comparison gives every recorded EM.
func TestRecordedEM(t *testing.T) {
	profile := must.Get(score.ProfilesNamed("dissertation"))(t)[0]
	n := 0
	for _, run := range dissertationRuns(t) {
		for _, r := range run.Records {
			n++
			got := profile.Score(score.Case{Item: item.Item{SQL: r.Gold}, SQL: r.SQL})
			if want := r.Scores["dissertation"]; got.EM != want.EM {
				t.Errorf("%s, item %s: EM %v, recorded %v: %s", run.Name, r.ID, got.EM, want.EM, r.SQL)
			}
		}
	}
	t.Logf("%d records", n)
}

func TestReadOriginal(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"empty":      {"", "unexpected end of JSON input"},
		"not JSON":   {"<html>", "invalid character"},
		"other JSON": {`{"a": 1}`, "0 results"},
		"no number":  {`{"results": [{"nlq": "q"}]}`, "result 1 has no number i"},
		"wrong type": {`{"results": {"i": 1}}`, "cannot unmarshal"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "llama_base_k3_seed7.json")
			must.Do(t, os.WriteFile(file, []byte(tt.text), 0o600))
			if _, err := ReadOriginal(file); err == nil || !strings.Contains(err.Error(), tt.want) ||
				strings.Contains(err.Error(), "\n") {
				t.Error(err)
			}
		})
	}
}
