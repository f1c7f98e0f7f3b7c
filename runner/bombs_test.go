package runner_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

var (
	bombLimit = flag.Duration("bomblimit", 100*time.Millisecond, "time limit of TestBombs' statements")
	bombTime  = flag.Duration("bombtime", time.Minute,
		"how long after its limit a statement may go on; README.md promises 5s, which is for an idle machine")
)

// bombMemory is what one admitted query may take of the memory of its process, in MB beside what it takes at rest and
// its caches.
const bombMemory = 256

// A bomb is a statement on the database of the soak that would take much work or memory if it ran.
type bomb struct{ class, name, sql string }

// repetition is text that bombs.txt has several times.
var repetition = regexp.MustCompile(`«(\d+):([^»]*)»`)

// readBombs reads bombs.txt.
func readBombs(t *testing.T) (bombs []bomb) {
	t.Helper()
	data := must.Get(os.ReadFile("testdata/bombs.txt"))(t)
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, "\t")
		if len(parts) != 3 {
			t.Fatalf("bombs.txt: %d parts: %.80s", len(parts), line)
		}
		sql := repetition.ReplaceAllStringFunc(parts[2], func(text string) string {
			m := repetition.FindStringSubmatch(text)
			n, _ := strconv.Atoi(m[1])
			var b strings.Builder
			for i := range n {
				b.WriteString(strings.ReplaceAll(m[2], "#", strconv.Itoa(i)))
			}
			return b.String()
		})
		bombs = append(bombs, bomb{parts[0], parts[1], sql})
	}
	return bombs
}

// TestBombs runs those that the checker lets through: each ends in time and within its memory, on every engine.
//
//	go test ./runner -run TestBombs/mysql/rows -bomblimit 30s -v
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a server, which -short leaves out")
	}
	script, bombs := soakScript(), readBombs(t)
	limits := runner.Limits{Timeout: *bombLimit}
	for _, engine := range []string{"mysql", "mariadb"} {
		t.Run(engine, func(t *testing.T) {
			o := local.Options{Engine: engine, Database: "soak", Load: strings.NewReader(script)}
			server, err := local.Start(t.Context(), o)
			if err != nil && strings.Contains(err.Error(), "make "+engine) {
				t.Skip(err)
			}
			must.Do(t, err)
			t.Cleanup(func() { server.Close() }) // behind those of the databases
			db := open(t, server.DSN(), limits)
			schema := measured(t, open(t, server.DSN(), runner.Limits{}))
			for _, b := range sampled(bombs) {
				t.Run(b.class+"/"+b.name, func(t *testing.T) { b.run(t, db, schema, server.Pid()) })
			}
		})
	}
	t.Run("embedded", func(t *testing.T) {
		db := must.Get(embedded.OpenDump(t.Context(), "soak", strings.NewReader(script), limits))(t)
		defer db.Close()
		schema := measured(t, db)
		for _, b := range sampled(bombs) {
			t.Run(b.class+"/"+b.name, func(t *testing.T) { b.run(t, db, schema, os.Getpid()) })
		}
	})
}

// sampled are those of each class that a test runs.
func sampled(bombs []bomb) (some []bomb) {
	of := map[string]int{}
	for _, b := range bombs {
		if of[b.class]++; of[b.class] <= must.Long(3, len(bombs)) {
			some = append(some, b)
		}
	}
	return some
}

// measured is a schema that has the lengths of texts.
func measured(t *testing.T, db runner.DB) *schema.Schema {
	t.Helper()
	s := must.Get(db.Schema(t.Context()))(t)
	doc, _ := s.Table("doc")
	if big, ok := doc.Column("big"); !ok || big.Longest < 9_000_000 {
		t.Fatal("big was not measured")
	}
	return s
}

// run measures a bomb by its bounds.
func (b bomb) run(t *testing.T, db runner.DB, s *schema.Schema, pid int) {
	q, v, err := sqlcheck.Check(b.sql, s)
	must.Do(t, err, b.name)
	row := func(what string, args ...any) {
		t.Logf("| %s | %s | %s |", b.class, b.name, fmt.Sprintf(what, args...))
	}
	if !v.OK {
		row("refused: %s", v.Reason)
		return
	}
	rest, done, peak := resident(t, pid), make(chan struct{}), make(chan [2]int)
	go func() {
		high, files := 0, 0
		for {
			high, files = max(high, resident(t, pid)), max(files, memory(t, pid, "RssFile:"))
			select {
			case <-done:
				peak <- [2]int{high - rest, files}
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	start, before := time.Now(), cpu(pid)
	_, err = db.Query(t.Context(), q)
	if err != nil && strings.Contains(err.Error(), "did not end on KILL within") { // on a machine that is not idle
		if worked := idle(pid, before); worked <= *bombLimit+soakOver {
			err = nil
		}
	}
	took := time.Since(start)
	close(done)
	most := <-peak
	high := most[0]
	outcome := "answered"
	if refused := (*runner.QueryError)(nil); errors.As(err, &refused) {
		outcome = "error " + strconv.Itoa(int(refused.Code))
	} else if err != nil {
		outcome = err.Error()
		t.Errorf("%s: %v", b.name, err)
	}
	row("%s after %.1f s, %d MB and %d of files", outcome, took.Seconds(), high, most[1])
	must.Be(t, took <= *bombLimit+*bombTime, b.name, "took", took)
	must.Be(t, high <= bombMemory, b.name, "took", high, "MB")
}
