package desk

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/tools"
)

// A pair is where the last verdict puts it, and what a person wrote beside it stays.
func TestPairs(t *testing.T) {
	folder := t.TempDir()
	p := Pairs{filepath.Join(folder, "new", "pairs.jsonl")}
	one := tools.Pair{Question: "How many?", SQL: "SELECT 1", Database: "shop", Date: "2026-01-02"}
	two := tools.Pair{Question: "Who?", SQL: "SELECT '\"'", Database: "shop", Date: "2026-01-03"}
	again := one
	again.Date = "2026-01-04"
	add := func(pair tools.Pair, right bool) { must.Get(p.Add(pair, right))(t) }
	add(one, true)
	must.Do(t, os.WriteFile(p.Path, append(must.Get(os.ReadFile(p.Path))(t), "# mine"...), 0o600))
	add(two, true)
	add(again, true)
	line := func(q tools.Pair) string {
		return `{"question":"` + q.Question + `","sql":"` + strings.ReplaceAll(q.SQL, `"`, `\"`) + `","database":"shop","date":"` + q.Date + `"}` + "\n"
	}
	read := func(file string) string { return string(must.Get(os.ReadFile(filepath.Join(folder, "new", file)))(t)) }
	must.Same(t, read("pairs.jsonl"), "# mine\n"+line(two)+line(again))
	add(one, false)
	must.Same(t, read("pairs.jsonl")+" "+read("pairs.bad.jsonl"), "# mine\n"+line(two)+" "+line(one))

	// what a person wrote, of any database and in other letters, is taken back; what is right stays beside it
	anywhere := `{"question":"Who?","sql":"select  \'\"\'"}` + "\n"
	must.Do(t, os.WriteFile(p.Path, []byte(strings.ReplaceAll(anywhere, `\'`, "'")), 0o600))
	add(two, true)
	must.Same(t, strings.Count(read("pairs.jsonl"), "\n"), 2)
	add(two, false)
	must.Same(t, read("pairs.jsonl"), "")
}

// Processes that keep pairs at once lose none: each opens the file by itself.
func TestPairsTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pairs.jsonl")
	var all sync.WaitGroup
	const each = 20
	for i := range 4 {
		all.Go(func() {
			for n := range each {
				pair := tools.Pair{Question: fmt.Sprint(i, " ", n), SQL: "SELECT 1"}
				for _, right := range []bool{true, false, true} { // the file is written anew
					if _, err := (Pairs{path}).Add(pair, right); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	kept := must.Get(tools.ParsePairs(bytes.NewReader(must.Get(os.ReadFile(path))(t))))(t)
	must.Equal(t, len(kept), 4*each)
}
