package mcp

import (
	"context"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/tools"
)

// linesOf are those of a file of sqlcheck that are no comments.
func linesOf(t *testing.T, file string) (lines []string) {
	t.Helper()
	for line := range strings.Lines(string(must.Get(os.ReadFile("../../sqlcheck/testdata/" + file))(t))) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && !strings.HasPrefix(line, "# ") {
			lines = append(lines, strings.NewReplacer("⏎", "\n", "␀", "\x00").Replace(line))
		}
	}
	return lines
}

// served serves the tables of a script of sqlcheck, and counts what comes through to them.
func served(t *testing.T, script string, ran *int) Server {
	t.Helper()
	ddl := must.Get(os.Open("../../sqlcheck/testdata/" + script))(t)
	defer ddl.Close()
	db := must.Get(embedded.OpenDump(t.Context(), "target", ddl, runner.Limits{Timeout: 2 * time.Second}))(t)
	must.Close(t, db)
	s := serverOf(t, nil)
	d := answer.Database{DB: counting{db, ran}, Schema: must.Get(db.Schema(t.Context()))(t)}
	s.Databases = []desk.Database{{Name: "target", Database: d}}
	return s
}

// counting counts queries.
type counting struct {
	tools.Querier
	ran *int
}

func (c counting) Query(ctx context.Context, q sqlcheck.Query) (runner.Result, error) {
	*c.ran++
	return c.Querier.Query(ctx, q)
}

// Every listed attack is refused before the database hears of it, by query and, of those that are a table's name, by
// samples.
func TestAttacks(t *testing.T) {
	ran := 0
	c := connect(t, served(t, "shop.sql", &ran), nil)
	attacks := linesOf(t, "attacks.txt")
	for _, sql := range attacks {
		for _, call_ := range []struct {
			tool      string
			arguments object
		}{
			{"query", object{"sql": sql}}, {"samples", object{"table": sql}},
			{"samples", object{"table": "client", "columns": []any{sql}}},
		} {
			text, value, failed := call(t, c, call_.tool, call_.arguments)
			if !failed || value["result"] != nil {
				t.Errorf("%s of %.200q: %.200s", call_.tool, sql, text)
			}
		}
	}
	must.Be(t, ran <= 0 && len(attacks) >= 200, ran, "statements ran, of", len(attacks), "attacks")
	t.Logf("%d attacks, none passed", len(attacks))
}

var repetition = regexp.MustCompile(`«(\d+):([^»]*)»`)

// written is a line of bombs.txt with its repetitions.
func written(line string) string {
	return repetition.ReplaceAllStringFunc(line, func(m string) string {
		parts := repetition.FindStringSubmatch(m)
		var b strings.Builder
		n, err := strconv.Atoi(parts[1])
		for i := 1; i <= n && err == nil; i++ {
			b.WriteString(strings.NewReplacer("#", strconv.Itoa(i), "@", strconv.Itoa(i-1)).Replace(parts[2]))
		}
		return b.String()
	})
}

// Statements that would take much are refused as the checker refuses them; those that it knows to be harmless come
// through.
func TestBombs(t *testing.T) {
	ran := 0
	s := served(t, "growth.sql", &ran)
	doc, _ := s.Databases[0].Schema.Table("doc")
	doc.Rows = 5000
	big, _ := doc.Column("big")
	big.Longest = 10 << 20
	tag, _ := s.Databases[0].Schema.Table("tag")
	tag.Rows = 200_000
	c := connect(t, s, nil)
	refused, harmless := 0, 0
	for _, line := range linesOf(t, "bombs.txt") {
		want, sql, _ := strings.Cut(line, "\t")
		before := ran
		text, value, failed := call(t, c, "query", object{"sql": written(sql)})
		if strings.HasPrefix(want, "ok: ") {
			if harmless++; ran == before {
				t.Errorf("%s: %.200s: %.200q", want, text, sql)
			}
			continue
		}
		if refused++; !failed || value["result"] != nil || ran != before || !strings.Contains(text, want) {
			t.Errorf("%.200s, want %s: %.200q", text, want, sql)
		}
	}
	must.Be(t, refused >= 100, refused, "bombs, want 100 at least")
	t.Logf("%d bombs refused, %d harmless statements let through", refused, harmless)
}
