package embedded

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// README.md lists what is refused and what differs as the tests find it. go test -run README -update rewrites the lists.
func TestREADME(t *testing.T) {
	const file = "README.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	db := openDemo(t)
	own := statements(t)
	var refused, different strings.Builder
	for _, sql := range own.refused {
		what := strings.TrimSuffix(strings.TrimPrefix(refusalOf(t, db, sql), "the embedded database cannot run "), "; use --db local or a server")
		fmt.Fprintf(&refused, "    %s\n        %s\n", sql, what)
	}
	for _, sql := range own.different {
		fmt.Fprintf(&different, "    %s\n", sql)
	}
	fresh := string(text)
	for name, list := range map[string]string{
		"counts":    fmt.Sprintf("%d statements of our own: %d answered as MySQL does, %d otherwise, %d refused.\n", len(own.same)+len(own.different)+len(own.refused), len(own.same), len(own.different), len(own.refused)),
		"refused":   refused.String(),
		"different": different.String(),
	} {
		begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
		head, rest, ok1 := strings.Cut(fresh, begin)
		_, tail, ok2 := strings.Cut(rest, end)
		if !ok1 || !ok2 {
			t.Fatalf("%s has no place for %s", file, name)
		}
		fresh = head + begin + list + end + tail
	}
	diff := cmp.Diff(string(text), fresh)
	if diff == "" {
		return
	}
	if !*update {
		t.Fatalf("%s is out of date (go test ./runner/embedded -run README -update): %s", file, diff)
	}
	if err := os.WriteFile(file, []byte(fresh), 0o644); err != nil {
		t.Fatal(err)
	}
}
