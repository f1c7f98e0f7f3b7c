package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"nl2sql/scripts/must"
)

func TestGet(t *testing.T) {
	c := newCache(t.TempDir())
	calls := 0
	get := func(pin string, fill func(into string) error) (string, error) {
		return c.get(t.Context(), thing{name: "s", dir: "in/s", file: "bin/x", pin: pin,
			fill: func(_ context.Context, _, into string) error { return fill(into) }})
	}
	fill := func(into string) error {
		calls++
		return errors.Join(os.Mkdir(filepath.Join(into, "bin"), 0o755),
			os.WriteFile(filepath.Join(into, "bin", "x"), []byte{byte('0' + calls)}, 0o755))
	}
	for _, tt := range []struct {
		pin   string
		calls int
		want  string
	}{{"one", 1, "1"}, {"one", 1, "1"}, {"two", 2, "2"}, {"", 2, "2"}} {
		got, err := os.ReadFile(must.Get(get(tt.pin, fill))(t))
		must.Be(t, err == nil && string(got) == tt.want && calls == tt.calls, "pin", tt.pin, calls, "calls", got, err)
	}
	broken := errors.New("broken")
	if _, err := get("three", func(string) error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := os.Stat(c.Path("in", "s", "bin", "x")); err != nil {
		t.Errorf("a failed fetch took the old one away: %v", err)
	}
	if left, err := filepath.Glob(c.Path("downloads", "s-*")); err != nil || left != nil {
		t.Errorf("left over: %q, %v", left, err)
	}
}

func TestLastLine(t *testing.T) {
	tests := map[string]string{
		"a\nb\n": "b",
		"\x1b[0m\x1b[0m[ERROR] no repository\n[ERROR] \nhelp": "[ERROR] no repository",
		"W: x\nE: no such package\nmore":                      "E: no such package",
		"":                                                    "",
	}
	for in, want := range tests {
		must.Equal(t, lastLine([]byte(in)), want, "lastLine", in)
	}
}
