package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"nl2sql/scripts/must"
)

var flags = []string{"model", "db", "max-rows", "notes"}

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nl2sql", "nl2sql.yaml")
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

const two = `# mine
model: small   # quick
profiles:
  work:
    db: shop
    model: large
  home: {max-rows: 5}
`

func TestRead(t *testing.T) {
	for _, tt := range []struct{ name, text, profile, want string }{
		{"nothing", "", "", ""},
		{"remarks alone", "# nothing yet\n", "", ""},
		{"what holds always", two, "", "model=small@2"},
		{"a profile goes before", two, "work", "db=shop@5 model=large@6"},
		{"and has the rest", two, "home", "max-rows=5@7 model=small@2"},
		{"the file names one", "profile: work\n" + two, "", "db=shop@6 model=large@7"},
		{"another is named", "profile: work\n" + two, "home", "max-rows=5@8 model=small@3"},
		{"no such profile", two, "play", "there is no profile play in FILE: there are work, home; nl2sql --profile NAME " +
			"model use MODEL makes one"},
		{"a key with a slip", "modl: x\n", "", "FILE:1: there is no key modl: did you mean model?"},
		{"a key of nothing", "model: x\nsecret: y\n", "", "FILE:2: there is no key secret: keys are flags without --, profile and profiles"},
		{"wrong in another profile", two + "  play: {dbs: x}\n", "home", "FILE:8: there is no key dbs: did you mean db?"},
		{"a list", "db: [a, b]\n", "", "FILE:1: db: give one value"},
		{"no value", "model:\n", "", "FILE:1: model: give one value"},
		{"twice", "db: a\ndb: b\n", "", "FILE:2: db is here twice"},
		{"a text", "model\n", "", "FILE:1: here stand keys and values, such as model: qwen2.5-coder-1.5b"},
		{"profiles of nothing", "profiles: x\n", "", "FILE:1: here stand keys and values, such as model: qwen2.5-coder-1.5b"},
		{"a list as a profile", "profile: [a]\n", "", "FILE:1: profile: give the name of one"},
		{"no YAML", "model: [a\n", "", "FILE:2: not valid YAML: did not find expected ',' or ']'"},
	} {
		path := file(t, tt.text)
		f, err := Read(path, tt.profile, flags)
		if err == nil {
			err = f.Missing()
		}
		got := ""
		for _, name := range f.Flags() {
			v, _ := f.Get(name)
			got += " " + name + "=" + v.Text + "@" + string(rune('0'+v.Line))
		}
		if got = strings.TrimSpace(got); err != nil {
			got = strings.ReplaceAll(err.Error(), path, "FILE")
		}
		must.Same(t, got, tt.want, tt.name)
	}
	if f, err := Read(filepath.Join(t.TempDir(), "none"), "", flags); err != nil || len(f.Flags()) > 0 {
		t.Error("no file:", f, err)
	}
}

func TestSet(t *testing.T) {
	for _, tt := range []struct{ name, text, profile, flag, value, want string }{
		{"a new file", "", "", "model", "large", "model: large\n"},
		{"behind remarks", "# mine\n", "", "model", "large", "# mine\nmodel: large\n"},
		{"another value", two, "", "model", "3b", strings.Replace(two, "small   #", "3b #", 1)},
		{"in a profile", two, "work", "db", "yes", strings.Replace(strings.Replace(two, "db: shop", `db: yes`, 1),
			"   #", " #", 1)},
		{"a new profile", "model: small\n", "work", "db", "shop",
			"model: small\nprofiles:\n  work:\n    db: shop\n"},
		{"a value that is named as a key", "model: db\n", "", "db", "shop", "model: db\ndb: shop\n"},
	} {
		path := file(t, tt.text)
		must.Do(t, Set(path, tt.profile, tt.flag, tt.value), tt.name)
		got := must.Get(os.ReadFile(path))(t)
		must.Same(t, string(got), tt.want, tt.name)
		if f, err := Read(path, tt.profile, flags); err != nil {
			t.Error(tt.name, err)
		} else if v, _ := f.Get(tt.flag); v.Text != tt.value {
			t.Errorf("%s: %s reads back as %q", tt.name, tt.flag, v.Text)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Error(tt.name, info.Mode(), err)
		}
	}
	must.Be(t, Set(file(t, "- a\n"), "", "model", "x") != nil, "a list took a key")
}

// Of values that are set at once none is lost.
func TestSetAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nl2sql", "nl2sql.yaml")
	var all errgroup.Group
	for i := range 20 {
		all.Go(func() error { return Set(path, fmt.Sprint("p", i), "db", "shop") })
	}
	must.Do(t, all.Wait())
	must.Equal(t, strings.Count(string(must.Get(os.ReadFile(path))(t)), "db: shop"), 20)
}
