package embedded

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"nl2sql/assets"
	"nl2sql/runner"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/translate"
	"nl2sql/runner/local"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

var update = flag.Bool("update", false, "rewrite testdata with the answers of a real MySQL 8.0.15")

// answer is what MySQL said to one statement.
type answer struct {
	SQL     string
	Columns []string
	Rows    [][]string
	Code    uint16 // of the error; 0 if there are rows
}

// suite is a file of testdata/statements: statements of our own about one subject, and MySQL's answers.
type suite struct {
	path      string
	comment   []byte
	schema    []byte   // the script of its database; nil is the demo database
	same      []answer // answered as MySQL does
	different []answer // answered otherwise, where MySQL leaves it open or its own answer depends on its plan
	refused   []string
}

func suites(t testing.TB) (list []suite) {
	t.Helper()
	paths, err := filepath.Glob("testdata/statements/*.txtar")
	must.Have(t, err == nil && len(paths) != 0, err, paths)
	for _, path := range paths {
		archive := must.Get(txtar.ParseFile(path))(t)
		s := suite{path: path, comment: archive.Comment}
		for _, f := range archive.Files {
			switch f.Name {
			case "schema.sql":
				s.schema = f.Data
			case "same":
				s.same = parseAnswers(t, string(f.Data), true)
			case "different":
				s.different = parseAnswers(t, string(f.Data), true)
			case "refused":
				for _, a := range parseAnswers(t, string(f.Data), true) {
					s.refused = append(s.refused, a.SQL)
				}
			default:
				t.Fatalf("%s: a section %s", path, f.Name)
			}
		}
		list = append(list, s)
	}
	return list
}

// write writes the suite back.
func (s suite) write(t *testing.T) {
	t.Helper()
	archive := &txtar.Archive{Comment: s.comment}
	add := func(name, text string) {
		if text != "" {
			archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text)})
		}
	}
	var same, different strings.Builder
	for _, a := range s.same {
		same.WriteString(printAnswer(a))
	}
	for _, a := range s.different {
		different.WriteString(printAnswer(a))
	}
	add("schema.sql", string(s.schema))
	add("same", same.String())
	add("different", different.String())
	add("refused", strings.Join(s.refused, "\n"))
	must.Do(t, os.WriteFile(s.path, txtar.Format(archive), 0o644))
}

// open opens the suite's database.
func (s suite) open(t *testing.T) *DB {
	t.Helper()
	if s.schema == nil {
		return openDemo(t)
	}
	db := must.Get(OpenDump(t.Context(), "own", bytes.NewReader(s.schema), runner.Limits{}))(t, s.path)
	must.Close(t, db)
	return db
}

// statements are all of ours, of every suite.
func statements(t testing.TB) (same, different, refused []string) {
	t.Helper()
	for _, s := range suites(t) {
		for _, a := range s.same {
			same = append(same, a.SQL)
		}
		for _, a := range s.different {
			different = append(different, a.SQL)
		}
		refused = append(refused, s.refused...)
	}
	return same, different, refused
}

// errTruncated is that of an answer that is longer than what is compared.
var errTruncated = errors.New("truncated")

// reply asks a database and writes the result as texts. Doubles are compared in 13 digits: the last ones depend on
// the order of summation.
func reply(ctx context.Context, db runner.DB, sql string) (answer, error) {
	a := answer{SQL: sql}
	r, err := ask(ctx, db, sql)
	if qe := (*runner.QueryError)(nil); errors.As(err, &qe) {
		if qe.Code == 0 {
			return a, err
		}
		a.Code = qe.Code
		return a, nil
	}
	if err != nil {
		return a, err
	}
	if r.Truncated {
		return a, errTruncated
	}
	a.Columns = r.Columns
	for _, row := range r.Rows {
		texts := make([]string, len(row))
		for i, v := range row {
			switch v := v.(type) {
			case nil:
				texts[i] = "NULL"
			case float64:
				texts[i] = strconv.FormatFloat(v, 'g', 13, 64)
			case []byte:
				texts[i] = fmt.Sprintf("0x%x", v)
			default:
				texts[i] = fmt.Sprint(v)
			}
		}
		a.Rows = append(a.Rows, texts)
	}
	if !strings.Contains(strings.ToUpper(sql), "ORDER BY") { // any order will do
		slices.SortFunc(a.Rows, slices.Compare)
	}
	return a, nil
}

// The engine answers our own statements as MySQL did when they were recorded, or refuses them, and the few that are
// listed as different are.
func TestRecordedAnswers(t *testing.T) {
	for _, s := range suites(t) {
		t.Run(strings.TrimSuffix(filepath.Base(s.path), ".txtar"), func(t *testing.T) {
			db := s.open(t)
			for i, want := range slices.Concat(s.same, s.different) {
				if want.Columns == nil && want.Code == 0 {
					t.Errorf("no recorded answer: go test ./runner/embedded -run StatementsAgainstMySQL -update\n%s",
						want.SQL)
					continue
				}
				got, err := reply(t.Context(), db, want.SQL)
				if err != nil {
					t.Errorf("%v\n%s", err, want.SQL)
					continue
				}
				diff := cmp.Diff(want, got)
				must.Be(t, i >= len(s.same) || diff == "", "MySQL +embedded", diff)
				must.Be(t, i < len(s.same) || diff != "", "listed as different, and is the same", want.SQL)
			}
			for _, sql := range s.refused {
				refusalOf(t, db, sql)
			}
			for _, want := range s.same {
				if got, err := reply(t.Context(), wideDB{db}, want.SQL); err != nil {
					t.Errorf("with wide DECIMALs: %v\n%s", err, want.SQL)
				} else if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("with wide DECIMALs (-MySQL +embedded)\n%s", diff)
				}
			}
		})
	}
}

// wideDB answers with every DECIMAL a wide one, from the first attempt on.
type wideDB struct{ *DB }

func (db wideDB) Query(ctx context.Context, q sqlcheck.Query) (runner.Result, error) {
	conn, err := db.pool.Conn(ctx)
	if err != nil {
		return runner.Result{}, err
	}
	defer conn.Close()
	return db.answer(ctx, ctx, conn, q, translate.Options{Tables: db.tables, Views: db.views, Database: db.name,
		Now: mysqlfn.FromTime(time.Now().UTC()), Wide: true})
}

// refusalOf is what the engine says to a statement that it must refuse.
func refusalOf(t *testing.T, db runner.DB, sql string) string {
	t.Helper()
	_, err := ask(t.Context(), db, sql)
	qe := (*runner.QueryError)(nil)
	if !errors.As(err, &qe) || qe.Code != 0 || !strings.HasPrefix(qe.Message, "the embedded database cannot run ") {
		t.Errorf("want a refusal, got %v\n%s", err, sql)
		return ""
	}
	return qe.Message
}

// mysqlServer is a real MySQL with a script loaded; without one the test is skipped.
func mysqlServer(t *testing.T, name string, script []byte) runner.DB {
	t.Helper()
	db, _ := mysqlServerDSN(t, name, script)
	return db
}

// mysqlServerDSN is mysqlServer with the data source name of its root user, whom no missing right hides an error from.
func mysqlServerDSN(t *testing.T, name string, script []byte) (db runner.DB, dsn string) {
	t.Helper()
	s := startMySQL(t, name, script)
	db = must.Get(runner.Open(t.Context(), s.DSN(), runner.Limits{Rows: 100_000}))(t)
	must.Close(t, db)
	return db, s.AdminDSN()
}

// startMySQL starts the real MySQL with a script loaded, or skips.
func startMySQL(t *testing.T, name string, script []byte) *local.Server {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a server, which -short leaves out")
	}
	s, err := local.Start(t.Context(), local.Options{Engine: "mysql", Database: name, Load: bytes.NewReader(script)})
	if err != nil && strings.Contains(err.Error(), "make mysql") {
		t.Skip(err)
	}
	must.Do(t, err)
	must.Close(t, s)
	return s
}

// serverError is the number of the error that a server answers a statement with, which the checker has not seen; 0 if
// there is none.
func serverError(t *testing.T, raw *sql.DB, statement string) uint16 {
	t.Helper()
	rows, err := raw.QueryContext(t.Context(), statement)
	if err == nil {
		for rows.Next() {
		}
		err = errors.Join(rows.Err(), rows.Close())
	}
	me := (*mysql.MySQLError)(nil)
	must.Have(t, err == nil || errors.As(err, &me), "MySQL", err, statement)
	if me == nil {
		return 0
	}
	return me.Number
}

// The engine and a real MySQL give the same answers, with the same column labels, to our own statements.
func TestStatementsAgainstMySQL(t *testing.T) {
	script := must.Get(assets.DemoSQL())(t)
	process := startMySQL(t, assets.DemoName, script)
	for _, s := range suites(t) {
		t.Run(strings.TrimSuffix(filepath.Base(s.path), ".txtar"), func(t *testing.T) {
			limits, dsn := runner.Limits{Rows: 100_000}, process.AdminDSN()
			var server runner.DB
			var err error
			if s.schema == nil {
				server, err = runner.Open(t.Context(), process.DSN(), limits)
			} else {
				dsn = dsn[:strings.LastIndex(dsn, "/")+1] + "own"
				server, err = process.Create(t.Context(), "own", bytes.NewReader(s.schema), limits)
			}
			must.Do(t, err)
			defer server.Close()
			raw := must.Get(sql.Open("mysql", dsn))(t)
			defer raw.Close()
			ask := func(sql string) answer {
				want := must.Get(reply(t.Context(), server, sql))(t, "MySQL", sql)
				if want.Code != 0 { // perhaps only the checker says so
					want.Code = serverError(t, raw, sql)
				}
				return want
			}
			db := s.open(t)
			for i, a := range s.same {
				s.same[i] = ask(a.SQL)
				got, err := reply(t.Context(), db, a.SQL)
				if err != nil {
					t.Errorf("%v\n%s", err, a.SQL)
				} else if diff := cmp.Diff(s.same[i], got); diff != "" {
					t.Errorf("(-MySQL +embedded)\n%s", diff)
				}
			}
			for i, a := range s.different {
				s.different[i] = ask(a.SQL)
			}
			if *update {
				s.write(t)
			}
		})
	}
}

// Every gold of the benchmark runs on the demo database and on the original dump, and MySQL gives the same rows.
func TestGoldsAgainstMySQL(t *testing.T) {
	items, train := golds.Dissertation(t)
	list, original := append(items, train...), golds.File(t, golds.ClassicModels)
	demo := must.Get(assets.DemoSQL())(t)
	for name, script := range map[string][]byte{"original": original, "demo": demo} {
		t.Run(name, func(t *testing.T) {
			db, err := OpenDump(t.Context(), assets.DemoName, bytes.NewReader(script), runner.Limits{Rows: 100_000})
			must.Do(t, err)
			defer db.Close()
			answers := make([]answer, len(list))
			for i, it := range list {
				if answers[i], err = reply(t.Context(), db, it.SQL); err != nil || answers[i].Code != 0 {
					t.Errorf("error %d, %v\n%s", answers[i].Code, err, it.SQL)
				}
			}
			t.Run("mysql", func(t *testing.T) {
				server := mysqlServer(t, assets.DemoName, script)
				for i, it := range list {
					want := must.Get(reply(t.Context(), server, it.SQL))(t, "MySQL", it.SQL)
					slices.SortFunc(want.Rows, slices.Compare) // ties may come in any order
					slices.SortFunc(answers[i].Rows, slices.Compare)
					must.Same(t, answers[i], want, it.SQL, "MySQL +embedded")
				}
			})
		})
	}
}
