package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"nl2sql/cli"
	"nl2sql/scripts/must"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"nl2sql": func() {
		call, err := cli.Parse(os.Args[1:])
		if err == nil {
			err = call.Run()
		}
		os.Exit(call.Exit(err))
	}})
}

// A row of scripted replies, in a file that has others: the first time all is run, the second time nothing is.
func TestResults(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"spider/items.csv":                      "database,question,sql\nship_1,How many ships are there?,SELECT COUNT(*) FROM ship\nactivity_1,How many?,SELECT 1\nship_1,Which ships are there?,SELECT name FROM ship\n",
		"spider/databases/ship_1/schema.sql":    "CREATE TABLE ship (id INT PRIMARY KEY, name VARCHAR(20));",
		"spider/databases/ship_1/data/ship.csv": "id,name\n1,Beagle\n2,Endurance\n",
		"replies.txt":                           "SELECT COUNT(*) FROM ship\n===\nSELECT id, name FROM ship\n",
		"results.md":                            head + "| check | replies.txt | old |\n| judging | other | stays |\n",
	} {
		file := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
	}
	out := filepath.Join(dir, "results.md")
	results := func(args ...string) string {
		t.Helper()
		must.Do(t, measureResults(append([]string{"-program", "nl2sql", "-runs", filepath.Join(dir, "runs"), "-models",
			"replay:" + filepath.Join(dir, "replies.txt"), "-o", out, "-spider", filepath.Join(dir, "spider"), "-sets",
			"check", "-eval", "--votes 1 --guards none --adapter none"}, args...)))
		return string(must.Get(os.ReadFile(out))(t))
	}
	first := results()
	for _, want := range []string{
		"|---|\n| check | replies.txt | 0.500 (0.095–0.905) | 1.000 (0.342–1.000) | 1.000 (0.342–1.000) | all 2 | ",
		" | `eval --notes none --votes 1 --guards none --adapter none` |\n| judging | other | stays |\n",
	} {
		must.Has(t, first, want)
	}
	must.Equal(t, results(), first, "what was run was run again")
	must.Has(t, results("-limit", "1"), " | 1 of 2 | ")
}

func TestResultsSayWhatIsMissing(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-models", "m.gguf"},
			"the set check needs Spider's databases in MySQL's dialect: name their folder, with items.csv and databases/, by SPIDER=FOLDER"},
		{[]string{"-models", "m.gguf", "-sets", "chekc"}, `there is no set "chekc"`},
		{[]string{"-models", "m.gguf", "-sets", "benchmark", "-program", "./none"},
			"./none eval: fork/exec ./none: no such file or directory"},
		{nil, `usage: quality results -models "MODEL…" -spider FOLDER (-h lists the flags)`},
	} {
		err := measureResults(append([]string{"-runs", t.TempDir()}, tt.args...))
		must.Be(t, err != nil && err.Error() == tt.want, tt.args, err)
	}
}

// Every set is there, with as many questions as the table of evaluation/README.md says.
func TestSets(t *testing.T) {
	m := measurement{root: "../.."}
	for name, n := range map[string]int{"judging": 260, "judging in other words": 120, "benchmark": 328} {
		for _, s := range sets {
			if s.name == name {
				must.Equal(t, len(must.Get(m.items(s))(t)), n, name)
				must.Be(t, !strings.Contains(m.place(strings.Join(s.at, " ")), "{"), s.at)
			}
		}
	}
}
