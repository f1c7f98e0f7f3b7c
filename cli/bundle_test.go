package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"nl2sql/cli/bundle"
	"nl2sql/scripts/must"
)

// cut FILE OUT N writes a program without its last N bytes.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: cut FILE OUT N")
	}
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	text := []byte(ts.ReadFile(args[0]))
	writeProgram(ts, args[1], text[:len(text)-n])
}

// damage BUNDLE OUT PART writes a bundle with another byte amid a part.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: damage BUNDLE OUT PART")
	}
	b, err := bundle.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer b.Close()
	p, is := b.Part(args[2])
	if !is {
		ts.Fatalf("%s has no part %s", args[0], args[2])
	}
	text := []byte(ts.ReadFile(args[0]))
	text[p.Start+p.Bytes/2] ^= 1
	writeProgram(ts, args[1], text)
}

func writeProgram(ts *testscript.TestScript, name string, text []byte) {
	at := ts.MkAbs(name)
	ts.Check(os.MkdirAll(filepath.Dir(at), 0o755))
	ts.Check(os.WriteFile(at, text, 0o755))
}

// What a bundle does that is called without arguments.
func TestAlone(t *testing.T) {
	for _, test := range []struct {
		display, wayland string
		typed            bool
		want             string
	}{
		{":0", "", true, "serve"}, {"", "wayland-0", false, "serve"}, {"", "", true, "chat"},
		{"", "", false, ""},
	} {
		t.Setenv("DISPLAY", test.display)
		t.Setenv("WAYLAND_DISPLAY", test.wayland)
		if got := append(aloneArgs(test.typed), ""); got[0] != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

// A model in a bundle is the one that it was.
func TestBundledModel(t *testing.T) {
	if _, err := os.Stat(smallModel); err != nil {
		t.Skip(err)
	}
	out := filepath.Join(t.TempDir(), "small")
	if text, err := exec.Command("nl2sql", "bundle", "--model", smallModel, "--out", out).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, text)
	}
	alone := must.Get(readModel(t.Context(), smallModel))(t)
	within := must.Get(readModel(t.Context(), out))(t)
	moved := within.Tensors[0].Offset - alone.Tensors[0].Offset
	if within.Start == 0 || within.Bytes != alone.Bytes || moved != within.Start {
		t.Errorf("the model begins at %d, its weights %d bytes later than alone; %d bytes, alone %d", within.Start, moved,
			within.Bytes, alone.Bytes)
	}
}
