package desk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// A history is bounded, and so is its file; what is no history is not taken for one.
func TestHistoryIsBounded(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "asked.jsonl")
	h, err := OpenHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	const all = 2*HistoryKept + 5
	for i := range all {
		if err := h.add(Asked{Question: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := OpenHistory(path); err == nil {
		t.Error("the file that was written anew is not locked")
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if h, err = OpenHistory(path); err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if got := h.Of("", ""); len(got) != HistoryKept || got[0].Question != fmt.Sprint(all-1) ||
		h.lines > 2*HistoryKept {
		t.Errorf("%d of %d lines, the newest is %q", len(got), h.lines, got[0].Question)
	}
	const asked = `{"time":"2026-11-27T10:00:00Z","question":"Who?"}` + "\n"
	for _, wrong := range []string{
		"SELECT 1\n", `{"time":"2026-11-27T10:00:00Z"}` + "\n", `{"time":"2026-11-27T10:00:00Z","question":"Who?"} {}` + "\n",
		strings.Repeat(`{"time":"2026-11-27T10:00:00Z","question":"Who?","level":"INFO","msg":"question"}`+"\n", 5000),
	} {
		other := filepath.Join(dir, "other")
		must.Do(t, os.WriteFile(other, []byte(asked+wrong), 0o600))
		_, err := OpenHistory(other)
		must.Be(t, err != nil && strings.Contains(err.Error(), other+": line 2: "), err)
		must.Equal(t, string(must.Get(os.ReadFile(other))(t)), asked+wrong)
	}
}
