package runner_test

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"nl2sql/runner"
	"nl2sql/runner/local"
	"nl2sql/scripts/grammar"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

var (
	texts    = flag.Int("texts", must.Long(3000, 300_000), "texts that TestTextsMeanTheSame writes")
	textSeed = flag.Uint64("textseed", 1, "seed of TestTextsMeanTheSame")
)

const readingScript = `CREATE TABLE t (i INT, j INT NOT NULL, d DECIMAL(6,2), f DOUBLE, s VARCHAR(20), c CHAR(4) NOT NULL, day DATE, at DATETIME, o JSON, PRIMARY KEY (j));
INSERT INTO t VALUES (1, 2, 1.50, 0.25, 'abc', 'a', '2004-06-01', '2004-06-01 12:30:00', '{"a": [1, 2, {"b": "x"}]}'),
 (NULL, 0, -2.25, NULL, 'Déjà %_x', '', '2003-12-31', NULL, '[1, "a"]'), (-7, 5, NULL, 1e10, NULL, 'B\\', NULL, '2004-02-29 23:59:59', NULL);
CREATE TABLE u (j INT PRIMARY KEY, k INT, s VARCHAR(20));
INSERT INTO u VALUES (0, 1, 'x'), (2, NULL, 'abc'), (9, 3, '12');`

// TestTextsMeanTheSame asks MySQL random texts as they are and as the checker restores them. They are about syntax:
// signs that run together, precedence without brackets, literals, comments, forms that the grammar has of its own.
//
//	go test ./runner -run TextsMeanTheSame -texts 300000 -v
func TestTextsMeanTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a server, which -short leaves out")
	}
	server, err := local.Start(t.Context(), local.Options{Engine: "mysql", Database: "reading",
		Load: strings.NewReader(readingScript)})
	if err != nil && strings.Contains(err.Error(), "make mysql") {
		t.Skip(err)
	}
	must.Do(t, err)
	defer server.Close()
	db := must.Get(runner.Open(t.Context(), server.DSN(), runner.Limits{}))(t)
	defer db.Close()
	schema := must.Get(db.Schema(t.Context()))(t)
	raw := must.Get(sql.Open("mysql", server.DSN()+"?charset=utf8mb4"))(t)
	defer raw.Close()
	raw.SetMaxOpenConns(1)
	count := map[string]int{}
	lines := map[string]func() string{"newline": func() string { return "\n" }}
	rules := must.Get(grammar.Parse(readingGrammar, "newline"))(t)
	w := &grammar.Writer{Rules: rules, Rand: rand.New(rand.NewPCG(*textSeed, 7)), Slots: lines}
	start := time.Now()
	for range *texts {
		text := w.Text("statement", 3)
		q, v, err := sqlcheck.Check(text, schema)
		must.Do(t, err, text)
		if !v.OK {
			count["refused: "+string(v.Reason)]++
			must.Be(t, v.Reason != "restored_otherwise" || strings.HasPrefix(v.Detail, "INTERVAL"), v, text)
			continue
		}
		want, wantErr := answerOf(t.Context(), raw, text)
		got, gotErr := answerOf(t.Context(), raw, q.SQL())
		switch {
		case wantErr == gotErr && (wantErr != 0 || want == got):
			count["the same"]++
		default:
			if count["different"]++; count["different"] <= 40 {
				t.Errorf("text     %s\nrestored %s\nMySQL    %d %q\nrestored %d %q", text, q.SQL(), wantErr,
					want, gotErr, got)
			}
		}
	}
	t.Logf("%d texts, seed %d, %v: %v", *texts, *textSeed, time.Since(start).Round(time.Second), count)
}

// answerOf is what a server says to a text, as it prints it.
func answerOf(ctx context.Context, db *sql.DB, text string) (string, uint16) {
	rows, err := db.QueryContext(ctx, text)
	if err != nil {
		return "", code(err)
	}
	defer rows.Close()
	cols, err := rows.Columns()
	if err != nil {
		return "", code(err)
	}
	var out strings.Builder
	cells, into := make([]sql.RawBytes, len(cols)), make([]any, len(cols))
	for i := range cells {
		into[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return "", code(err)
		}
		for _, c := range cells {
			if c == nil {
				out.WriteString("NULL|")
			} else {
				fmt.Fprintf(&out, "%q|", c)
			}
		}
		out.WriteByte('\n')
	}
	return out.String(), code(rows.Err())
}

func code(err error) uint16 {
	var refused *mysql.MySQLError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &refused):
		return refused.Number
	}
	return 1
}

//go:embed testdata/reading.grammar
var readingGrammar string
