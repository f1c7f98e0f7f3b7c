package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// refusal is a question that no query answers: evaluation/refusals/README.md.
type refusal struct {
	ID, Database, Family, Question, Why string
	Refuse                              bool
}

// The files are about the databases that they say, and half of their questions are near misses.
func TestRefusals(t *testing.T) {
	bases := must.Get(filepath.Glob("../../evaluation/judging/*.sql.zst"))(t)
	for i, file := range bases {
		bases[i] = strings.TrimSuffix(filepath.Base(file), ".sql.zst")
	}
	for name, databases := range map[string][]string{"judging": bases, "making": sides["fit"]} {
		text := must.Get(os.ReadFile("../../evaluation/refusals/" + name + ".jsonl"))(t)
		seen, kinds, total := map[string]bool{}, map[string]int{}, 0
		for line := range strings.Lines(string(text)) {
			var r refusal
			must.Do(t, json.Unmarshal([]byte(line), &r), name)
			if seen[r.ID] || seen[r.Question] || r.ID == "" || r.Question == "" || !r.Refuse || r.Why == "" ||
				!slices.Contains(databases, r.Database) {
				t.Errorf("%s: %+v", name, r)
			}
			seen[r.ID], seen[r.Question] = true, true
			kinds[r.Family]++
			total++
		}
		if total < 60 || 2*kinds["near miss"] < total || kinds["change"] == 0 || kinds["elsewhere"] == 0 ||
			kinds["no question"] == 0 || len(kinds) != 4 {
			t.Errorf("%s: %d questions: %v", name, total, kinds)
		}
	}
}
