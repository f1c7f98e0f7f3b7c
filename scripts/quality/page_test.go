package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"nl2sql/cli"
	"nl2sql/evaluation/report"
	"nl2sql/evaluation/score"
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

// A small page, of scripted replies: the first time all is run, the second time nothing is.
func TestPage(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"spider/items.csv":                      "database,question,sql\nship_1,How many ships are there?,SELECT COUNT(*) FROM ship\nactivity_1,How many?,SELECT 1\nship_1,Which ships are there?,SELECT name FROM ship\n",
		"spider/databases/ship_1/schema.sql":    "CREATE TABLE ship (id INT PRIMARY KEY, name VARCHAR(20));",
		"spider/databases/ship_1/data/ship.csv": "id,name\n1,Beagle\n2,Endurance\n",
		"replies.txt":                           "SELECT COUNT(*) FROM ship\n===\nSELECT id, name FROM ship\n",
	} {
		file := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
	}
	model := "replay:" + filepath.Join(dir, "replies.txt")
	page := func(args ...string) string {
		t.Helper()
		out := filepath.Join(dir, "page.md")
		must.Do(t, measurePage(append([]string{"-program", "nl2sql", "-runs", filepath.Join(dir, "runs"), "-models",
			model, "-o", out}, args...)))
		text := must.Get(os.ReadFile(out))(t)
		return string(text)
	}
	args := []string{"-spider", filepath.Join(dir, "spider"), "-sets", "check,known", "-conditions",
		"plain,default prompt without guards,adapter"}
	first := page(args...)
	for _, want := range []string{
		"- The set known is left out: it needs ",
		"- The condition adapter is left out for replies.txt: it has no built-in adapter.",
		"2 questions about 26 databases",
		"| replies.txt | plain | 1.000 (0.342–1.000) | 0.500 (0.095–0.905) | 1.000 (0.342–1.000) | – | – |",
		"|  | default prompt without guards | 1.000 (0.342–1.000) | 0.500 (0.095–0.905) | 1.000 (0.342–1.000) | 0.500 | plain | 0, 0 | 1 |",
		"| model | condition | right | more columns |\n|---|---|---|---|\n| replies.txt | plain | 50.0 | 50.0 |\n",
	} {
		must.Has(t, first, want)
	}
	must.Same(t, page(args...), first, "what was run was run again")
	if text := page(append(args, "-limit", "1")...); !strings.Contains(text, "at most 1 questions") ||
		!strings.Contains(text, "\n1 questions about") {
		t.Error(text)
	}
}

func TestPageSaysWhatIsMissing(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-models", "m.gguf"},
			"the set check needs Spider's databases in MySQL's dialect: name their folder, with items.csv and databases/, by SPIDER=FOLDER"},
		{[]string{"-models", "m.gguf", "-sets", "chekc"}, `there is no "chekc"`},
		{[]string{"-models", "m.gguf", "-program", "./none"},
			"./none eval: fork/exec ./none: no such file or directory"},
		{nil, `usage: quality page -models "MODEL…" -spider FOLDER (-h lists the flags)`},
	} {
		if err := measurePage(append([]string{"-program", "nl2sql", "-runs", t.TempDir()}, tt.args...)); err == nil ||
			err.Error() != tt.want {
			t.Errorf("%v: %v, want %s", tt.args, err, tt.want)
		}
	}
}

// The conditions name conditions that come before them, and every class of answers has a kind.
func TestTables(t *testing.T) {
	seen := map[string]bool{"": true}
	for _, c := range conditions {
		must.Be(t, seen[c.before], c.name, "is held against", c.before, "which is not before it")
		seen[c.name] = true
	}
	of := map[score.Class]int{}
	for _, k := range kinds {
		for _, c := range k.classes {
			of[c]++
		}
	}
	for _, c := range append([]score.Class{report.Unclassified}, score.Classes...) {
		must.Equal(t, of[c], 1, c, "kinds")
	}
	for want, a := range map[string]report.Answer{
		"empty":      {Class: score.WrongRows, Detail: "0 × 1 instead of 3 × 1"},
		"right":      {Class: score.Correct, Right: true},
		"wrong rows": {Class: score.WrongRows, Detail: "10 × 1 instead of 3 × 1"},
	} {
		if got := kindOf(a); got != want {
			t.Errorf("%+v is %s, want %s", a, got, want)
		}
	}
}
