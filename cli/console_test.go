package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// The line is drawn again below a warning, and once more when there is something new.
func TestProgressGoesOnAfterAWarning(t *testing.T) {
	var out bytes.Buffer
	con := &console{err: &out, live: true}
	bar := con.progress()
	bar.show("one")
	bar.above(func() { con.warn("beware\x1b") })
	bar.show("two")
	bar.clear()
	const erase = "\r\x1b[K"
	if want := erase + "one" + erase + "nl2sql: warning: beware\\x1b\n" + erase + "one" + erase + "two" +
		erase; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// A line for a terminal breaks at words; one in a pipe stays one.
func TestWrapped(t *testing.T) {
	const line = "nl2sql: warning: the query found nothing, and that is odd"
	for width, want := range map[int]string{
		0:  line,
		80: line,
		30: "nl2sql: warning: the query\n  found nothing, and that is\n  odd",
		8:  "nl2sql:\n  warning:\n  the\n  query\n  found\n  nothing,\n  and\n  that\n  is odd",
	} {
		must.Equal(t, (&console{errWidth: width}).wrapped(line), want, width)
	}
}

// What cannot be closed is told, also where the answer is no and was said on stdout.
func TestExitTellsOfClosing(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		code int
		text string
	}{
		{"the answer is no", failure{code: exitNo}, exitNo, ""},
		{"no, and all was closed", errors.Join(failure{code: exitNo}, nil), exitNo, ""},
		{"no, and something was not", errors.Join(failure{code: exitNo}, errors.New("disk full")), exitError,
			"nl2sql: error: disk full\n"},
		{"wrong, and something was not closed",
			errors.Join(failure{exitNo, errors.New("refused")}, errors.New("disk full")), exitNo,
			"nl2sql: error: refused disk full\n"},
	} {
		call := must.Get(Parse([]string{"version"}))(t)
		var stderr strings.Builder
		call.parser.Stderr = &stderr
		if code := call.Exit(tt.err); code != tt.code || stderr.String() != tt.text {
			t.Errorf("%s: exit code %d, %q", tt.name, code, stderr.String())
		}
	}
}
