package embedded

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
)

// README.md lists what is refused and what differs as the tests find it, and the one above which dumps are loaded.
// go test -run README -update rewrites them.
func TestREADME(t *testing.T) {
	db := openDemo(t)
	same, differs, refuses := statements(t)
	var refused, different strings.Builder
	for _, s := range suites(t) {
		for _, sql := range s.refused {
			if s.schema != nil {
				continue // about tables of their own
			}
			what := strings.TrimSuffix(strings.TrimPrefix(refusalOf(t, db, sql), "the embedded database cannot run "),
				"; use --db local or a server")
			fmt.Fprintf(&refused, "    %s\n        %s\n", sql, what)
		}
	}
	for _, sql := range differs {
		fmt.Fprintf(&different, "    %s\n", sql)
	}
	keepSections(t, "README.md", map[string]string{
		"counts": fmt.Sprintf("%d statements of our own: %d answered as MySQL does, %d otherwise, %d refused.\n",
			len(same)+len(differs)+len(refuses), len(same), len(differs), len(refuses)),
		"refused":   refused.String(),
		"different": different.String(),
	})
	keepSections(t, "../README.md", map[string]string{"board": board(t)})
}

// board is a table of the producers of dumps and the features of theirs that tests load.
func board(t *testing.T) string {
	loaded := map[string][]string{ // those of TestDumpsOfVersions
		"mysqldump 5.7": {"views", "generated columns", "display widths", "BIT", "texts in latin1"},
		"mysqldump 8.4": {"views", "generated columns", "invisible columns", "JSON", "ENUM and SET", "spatial columns",
			"BIGINT UNSIGNED beyond BIGINT"},
		"MariaDB 11": {"views", "generated columns", "system versioning", "uuid and inet6", "JSON"},
	}
	for _, f := range dumpForms(t) {
		for _, feature := range f.features {
			if !slices.Contains(loaded[f.producer], feature) {
				loaded[f.producer] = append(loaded[f.producer], feature)
			}
		}
	}
	producers := slices.Sorted(maps.Keys(loaded))
	var features []string
	for _, list := range loaded {
		features = append(features, list...)
	}
	slices.SortFunc(features, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	features = slices.Compact(features)
	var b strings.Builder
	fmt.Fprintf(&b, "| | %s |\n|---|%s\n", strings.Join(producers, " | "), strings.Repeat("---|", len(producers)))
	for _, feature := range features {
		b.WriteString("| " + feature)
		for _, p := range producers {
			b.WriteString(" | " + map[bool]string{true: "loaded"}[slices.Contains(loaded[p], feature)])
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

// keepSections fails unless sections of a README are these; with -update it rewrites them.
func keepSections(t *testing.T, file string, sections map[string]string) {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	fresh := string(text)
	for name, list := range sections {
		begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
		head, rest, ok1 := strings.Cut(fresh, begin)
		_, tail, ok2 := strings.Cut(rest, end)
		must.Have(t, ok1 && ok2, file, "has no place for", name)
		fresh = head + begin + list + end + tail
	}
	diff := cmp.Diff(string(text), fresh)
	if diff == "" {
		return
	}
	must.Have(t, *update, file, "is out of date: go test ./runner/embedded -run README -update", diff)
	must.Do(t, os.WriteFile(file, []byte(fresh), 0o644))
}
