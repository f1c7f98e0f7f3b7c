package question

import (
	"cmp"
	"os"
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/words"
)

func TestChanges(t *testing.T) {
	n := 0
	for line := range strings.Lines(string(must.Get(os.ReadFile("testdata/changes.txt"))(t))) {
		want, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if ok {
			n++
			got := cmp.Or(words.Fold(strings.ToLower(Read(text, nil).Changes())), "–")
			must.Equal(t, got, want, "Changes", text)
		}
	}
	must.Be(t, n >= 83, n, "questions")
	must.Equal(t, Read("", nil).Changes(), "", "of nothing")
	must.Equal(t, Read("Bitte alle Kunden Löschen!", nil).Changes(), "Löschen", "as written")
}
