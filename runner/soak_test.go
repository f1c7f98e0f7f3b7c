package runner_test

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/local"
	"nl2sql/scripts/grammar"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

var (
	soak     = flag.Int("soak", must.Long(30, 2000), "accepted statements that TestSoak runs on each engine")
	soakSeed = flag.Uint64("soakseed", 1, "seed of TestSoak")
)

// soakLimit is the time limit of a statement.
const soakLimit = time.Second

// TestSoak runs random statements at the edge of what the checker lets through: long texts, many columns, deep
// nesting, tables that multiply. None may be alive 5 s after its limit, and no process may take more than 1.5 times
// its memory at rest and 512 MB. A server inherits the cap of this process; the embedded engine is within it, and Go
// keeps 2.3 GB of addresses that it does not use:
//
//	(ulimit -v 2600000; go test ./runner -run Soak/mysql -soak 2000 -timeout 1h -v)
//	go test ./runner -run Soak/embedded -soak 2000 -timeout 1h -v
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a server, which -short leaves out")
	}
	script := soakScript()
	limits := runner.Limits{Timeout: soakLimit}
	t.Run("mysql", func(t *testing.T) {
		server, err := local.Start(t.Context(), local.Options{Engine: "mysql", Database: "soak",
			Load: strings.NewReader(script)})
		if err != nil && strings.Contains(err.Error(), "make mysql") {
			t.Skip(err)
		}
		must.Do(t, err)
		t.Cleanup(func() { server.Close() }) // behind that of the database
		soakOn(t, open(t, server.DSN(), limits), server.Pid())
	})
	t.Run("embedded", func(t *testing.T) {
		db := must.Get(embedded.OpenDump(t.Context(), "soak", strings.NewReader(script), limits))(t)
		defer db.Close()
		soakOn(t, db, os.Getpid())
	})
}

func soakOn(t *testing.T, db runner.DB, pid int) {
	schema := must.Get(db.Schema(t.Context()))(t)
	rest := resident(t, pid)
	bound := rest + rest/2 + 512
	g := bombs(t, *soakSeed)
	count := map[string]int{}
	longest, most := time.Duration(0), 0
	for n := 0; n < *soak; {
		text := g.Text("statement", 9)
		q, v, err := sqlcheck.Check(text, schema)
		must.Do(t, err, text)
		if !v.OK {
			count["refused: "+string(v.Reason)]++
			continue
		}
		n++
		start, peak := time.Now(), make(chan int)
		done := make(chan struct{})
		go func() {
			high := 0
			for {
				high = max(high, resident(t, pid))
				select {
				case <-done:
					peak <- high
					return
				case <-time.After(10 * time.Millisecond):
				}
			}
		}()
		_, err = db.Query(t.Context(), q)
		took := time.Since(start)
		close(done)
		high := <-peak
		refused := (*runner.QueryError)(nil)
		switch {
		case err == nil:
			count["answered"]++
		case errors.As(err, &refused):
			count["error "+strconv.Itoa(int(refused.Code))]++
		default:
			t.Fatalf("%v\n%.2000s", err, text)
		}
		longest, most = max(longest, took), max(most, high)
		if took > soakLimit+5*time.Second {
			t.Errorf("took %v\n%.2000s", took, text)
		}
		if high > bound {
			t.Errorf("%d MB, %d at rest\n%.2000s", high, rest, text)
			bound = high + 50
		}
	}
	t.Logf("%d statements: the longest took %v with a limit of %v; %d MB at rest, %d MB at most; %v", *soak,
		longest.Round(time.Millisecond), soakLimit, rest, most, count)
}

// resident is what a process has in memory of its own, in MB; pages of files come and go.
func resident(t *testing.T, pid int) int {
	return memory(t, pid, "RssAnon:")
}

// memory is a line of what Linux says of a process's memory, in MB.
func memory(t *testing.T, pid int, line string) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Errorf("the process is gone: %v", err)
		return 0
	}
	_, rest, ok := strings.Cut(string(data), line)
	if !ok {
		t.Errorf("the process has ended")
		return 0
	}
	n, _ := strconv.Atoi(strings.Fields(rest)[0])
	return n >> 10
}

func soakScript() string {
	var b strings.Builder
	b.WriteString("CREATE TABLE doc (id INT PRIMARY KEY, title VARCHAR(255), note TEXT, body LONGTEXT, big LONGTEXT, j JSON, day DATE);\n")
	b.WriteString("CREATE TABLE tag (id INT PRIMARY KEY, doc_id INT, name VARCHAR(40), KEY (doc_id), FOREIGN KEY (doc_id) REFERENCES doc (id));\n")
	json := strings.Repeat("[", 25) + `{"a": [1, 2, {"a": "x"}]}` + strings.Repeat("]", 25) // MariaDB takes 32 levels
	for i := range 60 {
		big := "NULL"
		if texts := []string{"a", "aaab", "lorem ipsum ", "1"}; i < len(texts) {
			big = "'" + strings.Repeat(texts[i], 10_000_000/len(texts[i])) + "'"
		}
		fmt.Fprintf(&b, "INSERT INTO doc VALUES (%d, 'title %d', '%s', '%s', %s, '%s', '2004-06-%02d');\n", i+1, i,
			strings.Repeat("note ", 40*i), strings.Repeat("ab ", 500*i), big, json, i%28+1)
	}
	for i := 0; i < 20_000; i += 1000 {
		b.WriteString("INSERT INTO tag VALUES ")
		for k := range 1000 {
			if k > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "(%d, %d, 'name %d')", i+k, (i+k)%60+1, k%10)
		}
		b.WriteString(";\n")
	}
	return b.String()
}

//go:embed testdata/soak.grammar
var soakGrammar string

// bombs writes statements that take much.
func bombs(t *testing.T, seed uint64) *grammar.Writer {
	rules := must.Get(grammar.Parse(soakGrammar, "levels", "columns"))(t)
	w := &grammar.Writer{Rules: rules, Rand: rand.New(rand.NewPCG(seed, 3))}
	w.Slots = map[string]func() string{
		"levels": func() string { // of common table expressions
			levels := 1 + w.IntN(9)
			step := w.Text("step", 0)
			with := "WITH a0 AS (SELECT " + w.Text("text", w.IntN(2)) + " AS x FROM doc d)"
			for i := 1; i <= levels; i++ {
				with += fmt.Sprintf(", a%d AS (%s)", i, strings.ReplaceAll(step, "PREVIOUS", fmt.Sprintf("a%d", i-1)))
			}
			found := []string{"COUNT(*)", "MAX(LENGTH(x))", "COUNT(DISTINCT x)"}
			return fmt.Sprintf("%s SELECT %s FROM a%d", with, found[w.IntN(len(found))], levels)
		},
		"columns": func() string { // most of them the same with another number
			item := w.Text("text", 1+w.IntN(4))
			if w.IntN(3) > 0 {
				item = []string{"LENGTH(", "MD5(", "CRC32("}[w.IntN(3)] + item + ")"
			}
			n := w.IntN(3)
			if w.IntN(4) == 0 {
				n = w.IntN(600)
			}
			out := "d.id"
			for i := range n + 1 {
				out += fmt.Sprintf(", %s AS c%d", item, i)
			}
			return out
		},
	}
	return w
}
