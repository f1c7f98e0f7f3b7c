// Package must is for tests: what a test needs, or else ends (Do, Get, Have), and what it finds, which it tells of and
// goes on (Be, Equal, Same, Has, Succeed, Says). What stands behind in words and values says which it was. It imports
// nothing of ours.
package must

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	gocmp "github.com/google/go-cmp/cmp"
)

// T is the part of a test that a step needs: *testing.T, *testing.B, *testing.F or *rapid.T.
type T interface {
	Helper()
	Fatal(args ...any)
	Error(args ...any)
	Cleanup(func())
}

// Do ends a test that cannot go on.
func Do(t T, err error, what ...any) {
	t.Helper()
	if err != nil {
		t.Fatal(told(what) + err.Error())
	}
}

// Get is what a call gives, for a test that cannot go on without: must.Get(os.ReadFile(name))(t).
func Get[V any](v V, err error) func(t T, what ...any) V {
	return func(t T, what ...any) V {
		t.Helper()
		Do(t, err, what...)
		return v
	}
}

// Have ends a test that cannot go on without something.
func Have(t T, there bool, what ...any) {
	t.Helper()
	if !there {
		t.Fatal(cmp.Or(words(what), "it is not there"))
	}
}

// Be tells of something that is not so.
func Be(t T, so bool, what ...any) {
	t.Helper()
	if !so {
		t.Error(cmp.Or(words(what), "it is not so"))
	}
}

// Close closes what a test opened, at its end.
func Close(t T, c io.Closer) {
	t.Helper()
	t.Cleanup(func() {
		t.Helper()
		Succeed(t, c.Close())
	})
}

// Equal tells of a value that is another than wanted.
func Equal[V comparable](t T, got, want V, what ...any) {
	t.Helper()
	if got != want {
		t.Error(told(what) + fmt.Sprintf("got\n%v\nwant\n%v", got, want))
	}
}

// Same is Equal for values of any kind: it tells in what they differ, as cmp.Diff does.
func Same[V any](t T, got, want V, what ...any) {
	t.Helper()
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(told(what) + "-want +got\n" + diff)
	}
}

// Has tells of a text that lacks a part.
func Has(t T, text, part string, what ...any) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Error(told(what) + fmt.Sprintf("no %q in\n%s", part, text))
	}
}

// Succeed tells of an error.
func Succeed(t T, err error, what ...any) {
	t.Helper()
	if err != nil {
		t.Error(told(what) + err.Error())
	}
}

// Says tells of an error that lacks a part, or is none.
func Says(t T, err error, part string, what ...any) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Error(told(what) + fmt.Sprintf("no %q in the error %v", part, err))
	}
}

// Long is how much of a long proof a test does: few is a sample, many what `make soak` asks for with NL2SQL_SOAK.
func Long[N any](few, many N) N {
	if os.Getenv("NL2SQL_SOAK") != "" {
		return many
	}
	return few
}

// told are the words before what a check found.
func told(what []any) string {
	if len(what) == 0 {
		return ""
	}
	return words(what) + ": "
}

func words(what []any) string { return strings.TrimSpace(fmt.Sprintln(what...)) }
