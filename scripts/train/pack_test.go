package main

import (
	"os"
	"path/filepath"
	"testing"

	"nl2sql/assets"
	"nl2sql/scripts/must"
)

// An adapter that lies there already is not packed again.
func TestIsPacked(t *testing.T) {
	card := assets.Adapter{Base: "b", Prompts: "typed", SHA256: "a"}
	for _, tt := range []struct {
		name, text string
		want, err  bool
	}{
		{"nothing", "", false, false},
		{"the same", `{"base":"b","prompts":"typed","sha256":"a"}`, true, false},
		{"other weights", `{"base":"b","prompts":"typed","sha256":"c"}`, false, false},
		{"another base", `{"base":"d","prompts":"typed","sha256":"a"}`, false, false},
		{"no card", `{`, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.text != "" {
				must.Do(t, os.WriteFile(filepath.Join(dir, "adapter.json"), []byte(tt.text), 0o644))
			}
			if got, err := isPacked(dir, card); got != tt.want || (err != nil) != tt.err {
				t.Error(got, err)
			}
		})
	}
}
