package runner_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"nl2sql/runner"
	"nl2sql/runner/local"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

// The servers of this test binary: real ones, started once each and stopped by TestMain.
var servers struct {
	sync.Mutex
	running map[string]*local.Server
	failed  map[string]error
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, s := range servers.running {
		if err := s.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// start returns the private server of an engine with testdata/types.sql loaded, or skips.
func start(t *testing.T, engine string) *local.Server {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a server, which -short leaves out")
	}
	servers.Lock()
	defer servers.Unlock()
	if s := servers.running[engine]; s != nil {
		return s
	}
	if err := servers.failed[engine]; err != nil {
		t.Skip(err)
	}
	script := must.Get(os.Open("testdata/types.sql"))(t)
	defer script.Close()
	s, err := local.Start(context.Background(), local.Options{Engine: engine, Database: "types", Load: script})
	if err != nil && strings.Contains(err.Error(), "make "+engine) {
		if servers.failed == nil {
			servers.failed = map[string]error{}
		}
		servers.failed[engine] = err
		t.Skip(err)
	}
	must.Do(t, err)
	if servers.running == nil {
		servers.running = map[string]*local.Server{}
	}
	servers.running[engine] = s
	return s
}

// each runs a test on both real servers.
func each(t *testing.T, f func(t *testing.T, s *local.Server)) {
	for _, engine := range []string{"mysql", "mariadb"} {
		t.Run(engine, func(t *testing.T) { f(t, start(t, engine)) })
	}
}

func open(t *testing.T, dsn string, l runner.Limits) runner.DB {
	t.Helper()
	db := must.Get(runner.Open(t.Context(), dsn, l))(t)
	must.Close(t, db)
	return db
}

// as is a server's data source name for another user.
func as(s *local.Server, user string) string {
	return strings.Replace(s.DSN(), "nl2sql@", user+"@", 1)
}

// running counts the statements of anybody on the server that hold a mark.
func running(t *testing.T, s *local.Server, mark string) int {
	t.Helper()
	return must.Get(statementsWith(s.AdminDSN(), mark))(t)
}

func statementsWith(dsn, mark string) (n int, err error) {
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	err = db.QueryRow("SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE '%" + mark +
		"%' AND info NOT LIKE '%processlist%'").Scan(&n)
	return n, err
}

// onceRunning does something as soon as the server is at work on so many statements with the mark.
func onceRunning(t *testing.T, dsn, mark string, many int, do func()) {
	t.Helper()
	done := make(chan struct{})
	t.Cleanup(func() { <-done })
	go func() {
		defer close(done)
		defer do()
		for t.Context().Err() == nil {
			if n, err := statementsWith(dsn, mark); err != nil || n >= many {
				must.Succeed(t, err)
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
}

// endless is a query that runs for hours; mark finds it in the process list.
func endless(mark string) string {
	return "SELECT SUM(a.n + l.n) AS " + mark +
		" FROM digit a, digit b, digit c, digit d, digit e, digit f, digit g, digit h, digit i, digit j, digit k, " +
		"digit l"
}

// rows is a query of rows without end, sent as they are found.
func rows(mark string) string {
	return "SELECT a.n AS " + mark + ", REPEAT('x', 1000) FROM digit a, digit b, digit c, digit d, digit e, digit f, " +
		"digit g, digit h, digit i, digit j, digit k, digit l"
}

func TestQuery(t *testing.T) {
	each(t, func(t *testing.T, s *local.Server) {
		db := open(t, s.DSN(), runner.Limits{})
		schema := must.Get(db.Schema(t.Context()))(t)
		q, verdict, err := sqlcheck.Check("SELECT Region, COUNT(*) AS n FROM Parent GROUP BY Region ORDER BY n DESC, "+
			"Region", schema)
		must.Have(t, err == nil && verdict.OK, verdict, err)
		res := must.Get(db.Query(t.Context(), q))(t)
		must.Be(t, res.Took > 0, "no time measured")
		res.Took = 0
		want := runner.Result{Columns: []string{"Region", "n"}, Rows: [][]any{{"eu", int64(2)}, {"us", int64(1)}}}
		must.Same(t, res, want)
		b := db.Backend()
		if b.Engine != s.Engine() || b.Database != "types" || !strings.Contains(b.Version, ".") || b.Source != s.DSN() {
			t.Errorf("backend %+v", b)
		}
	})
}

func TestValues(t *testing.T) {
	point := append([]byte{0, 0, 0, 0, 1, 1, 0, 0, 0}, append(float(1), float(2)...)...)
	want := [][]any{
		{int64(1), int64(-128), int64(1), int64(65535), int64(-8388608), int64(math.MinInt64), uint64(math.MaxUint64),
			runner.Decimal("1234567890123456.5000"), 1.1, 2.5e-300, int64(0b101010101),
			"2004-02-29", "-838:59:59", "12:00:00.125", "2005-12-31 23:59:59", "2005-12-31 23:59:59.000001",
			"2005-01-02 03:04:05", int64(2004),
			"ab", "Zürich – 東京 😀", "it's; -- no comment", []byte("\x00a\x00"), []byte("\x00\xff"), []byte("\xc3(/\x00"),
			"it's", "a,c", `{"a": [1, null]}`, point},
		append([]any{int64(2)}, make([]any, 27)...),
		{int64(3), int64(0), int64(0), int64(0), int64(0), int64(0), int64(7),
			runner.Decimal("-0.0100"), -0.1, 1e22, int64(0),
			"0000-00-00", "00:00:00", "00:00:00.000", "0000-00-00 00:00:00", "1000-01-01 00:00:00.000000",
			"1970-01-02 00:00:00", int64(0),
			"", "", "", []byte{0, 0, 0}, []byte{}, []byte{}, "small", "", "[]", nil},
	}
	each(t, func(t *testing.T, s *local.Server) {
		db := open(t, s.DSN()+"?time_zone=%27%2B00:00%27", runner.Limits{})
		res, err := runner.Run(t.Context(), db, "SELECT * FROM Types ORDER BY id", runner.Limits{})
		must.Do(t, err)
		must.Same(t, res.Rows, want)
		res, err = runner.Run(t.Context(), db,
			"SELECT 1, 1.50, 1e0, NULL, 'x', SUM(`dec`), AVG(tiny), COUNT(*), MAX(d), 1 = 1, 18446744073709551615, "+
				"x'41', CAST('2004-01-01' AS DATETIME), SUM(dbl) FROM Types WHERE id = 1", runner.Limits{})
		must.Do(t, err)
		expressions := [][]any{{int64(1), runner.Decimal("1.50"), 1.0, nil, "x",
			runner.Decimal("1234567890123456.5000"), runner.Decimal("-128.0000"), int64(1), "2004-02-29",
			int64(1), uint64(math.MaxUint64), []byte("A"), "2004-01-01 00:00:00", 2.5e-300}}
		must.Same(t, res.Rows, expressions)
	})
}

// float is eight little-endian bytes of a coordinate.
func float(f float64) (b []byte) {
	for i := range 8 {
		b = append(b, byte(math.Float64bits(f)>>(8*i)))
	}
	return b
}

func TestSchema(t *testing.T) {
	type column = schema.Column
	each(t, func(t *testing.T, s *local.Server) {
		db := open(t, s.DSN(), runner.Limits{Rows: 1, Bytes: 1}) // what a user sees is cut, not what the program learns
		known := must.Get(db.Schema(t.Context()))(t)
		again, err := db.Schema(t.Context())
		must.Be(t, err == nil && again == known, "the schema is not kept", err)
		got := *known
		got.Tables = nil
		for _, table := range known.Tables {
			if table.Name != "Types" {
				got.Tables = append(got.Tables, table)
			}
		}
		want := schema.Schema{Name: "types", Tables: []schema.Table{
			{Name: "Empty", Columns: []column{{Name: "a", Type: "varchar(3)", Nullable: true}}},
			{Name: "Parent", Rows: 3, Comment: `of "child"`, PrimaryKey: []string{"Region", "Code"},
				Unique: [][]string{{"Note", "Label"}, {"Label"}},
				Columns: []column{
					{Name: "Region", Type: "char(2)", Key: "PRI", Values: []string{"eu", "us"}, Complete: true},
					{Name: "Code", Type: "int unsigned", Key: "PRI"},
					{Name: "Label", Type: "varchar(20)", Key: "UNI", Values: []string{"one", "three", "two"},
						Complete: true, Comment: "what it's called"},
					{Name: "Note", Type: "varchar(20)", Nullable: true, Key: "MUL",
						Values: []string{"x"}, Complete: true},
				}},
			{Name: "child", Rows: 2, PrimaryKey: []string{"id"},
				ForeignKeys: []schema.ForeignKey{
					{Columns: []string{"r", "c"}, RefTable: "Parent", RefColumns: []string{"Region", "Code"}},
					{Columns: []string{"boss"}, RefTable: "child", RefColumns: []string{"id"}},
				},
				Columns: []column{
					{Name: "id", Type: "int", Key: "PRI"},
					{Name: "r", Type: "char(2)", Key: "MUL", Values: []string{"eu", "us"}, Complete: true},
					{Name: "c", Type: "int unsigned"},
					{Name: "boss", Type: "int", Nullable: true, Key: "MUL"},
				}},
			{Name: "digit", Rows: 10, PrimaryKey: []string{"n"},
				Columns: []column{{Name: "n", Type: "int", Key: "PRI"}}},
			{Name: "labels", Reads: 24, Columns: []column{{Name: "Label", Type: "varchar(20)",
				Comment: "what it's called"}, {Name: "n", Type: "bigint"}}},
		}}
		must.Same(t, got, want)
		types, ok := known.Table("types")
		if !ok || types.Rows != 3 || len(types.Columns) != 28 {
			t.Fatalf("table Types: %+v", types)
		}
		var declared []string
		for _, c := range types.Columns[:6] {
			declared = append(declared, c.Type)
		}
		must.Same(t, declared, []string{"int", "tinyint", "tinyint(1)", "smallint unsigned", "mediumint", "bigint"},
			"types")
		kinds := map[string][]string{}
		for _, c := range types.Columns {
			if c.Complete {
				kinds[c.Name] = c.Values
			}
		}
		wantKinds := map[string][]string{"c": {"", "ab"}, "e": {"it's", "small", "big"}, "s": {"", "a,c"}}
		must.Same(t, kinds, wantKinds, "values")
	})
}

// The texts of columns that have no short list of values are read once, kept for the user's eyes alone, and read again
// after a day.
func TestTexts(t *testing.T) {
	each(t, func(t *testing.T, s *local.Server) {
		dir := t.TempDir()
		t.Setenv("NL2SQL_CACHE", dir)
		texts := func() map[string][]string {
			t.Helper()
			known := must.Get(open(t, s.DSN(), runner.Limits{}).Schema(t.Context()))(t)
			types, _ := known.Table("Types")
			got := map[string][]string{}
			for _, c := range types.Columns {
				if c.Texts != nil && c.Name != "j" { // JSON, which MariaDB says is text
					got[c.Name] = c.Texts
				}
			}
			return got
		}
		want := map[string][]string{"v": {"Zürich – 東京 😀"}, "txt": {"it's; -- no comment"}}
		must.Same(t, texts(), want)
		files, _ := filepath.Glob(filepath.Join(dir, "values", "*"))
		must.Have(t, len(files) == 1, "files", files, "want one")
		must.Equal(t, must.Get(os.Stat(files[0]))(t).Mode(), 0o600)
		must.Do(t, os.WriteFile(files[0], []byte(`{"Types":{"txt":["kept"]}}`), 0o600))
		must.Same(t, texts(), map[string][]string{"txt": {"kept"}}, "the file is not read")
		past := time.Now().Add(-25 * time.Hour)
		must.Do(t, os.Chtimes(files[0], past, past))
		must.Same(t, texts(), want, "after a day")
		must.Do(t, os.WriteFile(files[0], []byte("{"), 0o600))
		must.Same(t, texts(), want, "of a broken file")
	})
}

// Whatever reaches the session, and even as a user who may do everything, it cannot write.
func TestReadOnly(t *testing.T) {
	statements := []string{
		"INSERT INTO digit VALUES (10)", "UPDATE digit SET n = 11", "DELETE FROM digit",
		"REPLACE INTO digit VALUES (1)",
		"CREATE TABLE zz (a int)", "CREATE TEMPORARY TABLE zz (a int)", "DROP TABLE digit", "TRUNCATE digit",
		"ALTER TABLE digit ADD x int",
		"CREATE VIEW zz AS SELECT 1", "CREATE USER zz@localhost", "DROP USER guarded@localhost",
		"GRANT ALL ON *.* TO nl2sql@localhost",
		"SELECT * FROM digit FOR UPDATE", "SELECT 1; DROP TABLE digit",
		"LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE digit",
	}
	each(t, func(t *testing.T, s *local.Server) {
		db := open(t, as(s, "writer"), runner.Limits{})
		for _, stmt := range statements {
			_, err := runner.Run(t.Context(), db, stmt, runner.Limits{})
			var refused *runner.QueryError
			if s.Engine() == "mariadb" && strings.HasSuffix(stmt, "FOR UPDATE") && err == nil {
				continue // MariaDB locks nothing in a read-only transaction and answers
			}
			must.Be(t, errors.As(err, &refused), stmt, err)
		}
		// A COMMIT that got through does not open the session either.
		_, err := runner.Run(t.Context(), db, "COMMIT", runner.Limits{})
		checkOurs(t, err, "without a result set")
		if _, err := runner.Run(t.Context(), db, "DELETE FROM digit", runner.Limits{}); !isQueryError(err, 1792) {
			t.Errorf("after COMMIT: %v", err)
		}
		res := must.Get(runner.Run(t.Context(), db, "SELECT LOAD_FILE('/etc/hostname'), (SELECT COUNT(*) FROM digit)",
			runner.Limits{}))(t)
		must.Same(t, res.Rows, [][]any{{nil, int64(10)}})
		_, err = runner.Run(t.Context(), db, "SELECT 1 INTO OUTFILE '/tmp/nl2sql-out'", runner.Limits{})
		must.Be(t, isQueryError(err, 1290), "INTO OUTFILE", err)
	})
}

// The user of --db local may do nothing but read.
func TestReaderMayOnlyRead(t *testing.T) {
	each(t, func(t *testing.T, s *local.Server) {
		plain := must.Get(sql.Open("mysql", s.DSN()))(t)
		defer plain.Close()
		for _, stmt := range []string{"DELETE FROM digit", "DROP TABLE digit", "CREATE TABLE zz (a int)",
			"SELECT * FROM mysql.user", "SET GLOBAL max_connections = 1", "SHUTDOWN"} {
			if _, err := plain.Exec(stmt); err == nil {
				t.Errorf("%s went through", stmt)
			}
		}
	})
}

func TestQueryErrors(t *testing.T) {
	tests := []struct {
		sql  string
		code uint16
	}{
		{"SELEC 1", 1064},
		{"SELECT nope FROM digit", 1054},
		{"SELECT n FROM nope", 1146},
		{"SELECT n FROM Digit", 1146}, // case matters
		{"SELECT Label, COUNT(*) FROM Parent", 0},
		{"SELECT Region, Label FROM Parent GROUP BY Region", 1055},
		{"SELECT nope()", 0},
		{"", 1065},
		{"SELECT (SELECT n FROM digit)", 1242},
		{"SELECT 9223372036854775807 + 1", 1690},
	}
	each(t, func(t *testing.T, s *local.Server) {
		db := open(t, s.DSN(), runner.Limits{})
		for _, tt := range tests {
			_, err := runner.Run(t.Context(), db, tt.sql, runner.Limits{})
			var refused *runner.QueryError
			if !errors.As(err, &refused) || tt.code != 0 && refused.Code != tt.code || refused.Message == "" {
				t.Errorf("%q: %v, want %d", tt.sql, err, tt.code)
			}
		}
	})
}

func TestTimeout(t *testing.T) {
	code := map[string]uint16{"mysql": 3024, "mariadb": 1969}
	each(t, func(t *testing.T, s *local.Server) {
		db := open(t, s.DSN(), runner.Limits{Timeout: 300 * time.Millisecond})
		for _, text := range []string{endless("timeout_mark"), "SELECT SLEEP(20)",
			"SELECT /*+ MAX_EXECUTION_TIME(0) */ SLEEP(20)",
			"SELECT COUNT(*) FROM information_schema.COLUMNS a, information_schema.COLUMNS b " +
				"WHERE REPEAT('a', 14) REGEXP CONCAT(REPEAT('a?', 14), 'b', LENGTH(a.COLUMN_NAME), b.ORDINAL_POSITION)"} {
			_, err := runner.Run(t.Context(), db, text, runner.Limits{Timeout: 300 * time.Millisecond})
			must.Be(t, isQueryError(err, code[s.Engine()]), text, err)
		}
		must.Equal(t, running(t, s, "timeout_mark"), 0, "statements run on")
	})
}

func TestCancel(t *testing.T) {
	each(t, func(t *testing.T, s *local.Server) {
		db := open(t, s.DSN(), runner.Limits{})
		for _, text := range []string{endless("cancel_mark"), "SELECT SLEEP(30) AS cancel_mark", rows("cancel_mark")} {
			ctx, cancel := context.WithCancel(t.Context())
			onceRunning(t, s.AdminDSN(), "cancel_mark", 1, cancel)
			_, err := runner.Run(ctx, db, text, runner.Limits{Rows: 1 << 40, Bytes: 1 << 50})
			must.Be(t, errors.Is(err, context.Canceled), text, err)
			must.Equal(t, running(t, s, "cancel_mark"), 0, text, "runs on")
		}
		// cancelled before it begins
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := runner.Run(ctx, db, "SELECT 1", runner.Limits{}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		// and the pool still works
		if _, err := runner.Run(t.Context(), db, "SELECT 1", runner.Limits{}); err != nil {
			t.Error(err)
		}
	})
}

// More callers than connections, all cancelled at once: no deadlock, nothing left.
func TestCancelMany(t *testing.T) {
	each(t, func(t *testing.T, s *local.Server) {
		db := open(t, s.DSN(), runner.Limits{})
		ctx, cancel := context.WithCancel(t.Context())
		onceRunning(t, s.AdminDSN(), "many_mark", runner.MaxConns, cancel)
		var wg sync.WaitGroup
		for range 2 * runner.MaxConns {
			wg.Go(func() {
				if _, err := runner.Run(ctx, db, endless("many_mark"), runner.Limits{}); !errors.Is(err,
					context.Canceled) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		must.Equal(t, running(t, s, "many_mark"), 0, "statements run on")
	})
}

func TestCaps(t *testing.T) {
	each(t, func(t *testing.T, s *local.Server) {
		db := open(t, s.DSN(), runner.Limits{})
		tests := []struct {
			name, sql string
			limits    runner.Limits
			rows      int
			truncated bool
		}{
			{"below", "SELECT n FROM digit", runner.Limits{Rows: 11}, 10, false},
			{"exactly", "SELECT n FROM digit", runner.Limits{Rows: 10}, 10, false},
			{"one more", "SELECT n FROM digit", runner.Limits{Rows: 9}, 9, true},
			{"rows without end", rows("cap_mark"), runner.Limits{Rows: 5}, 5, true},
			{"default of 1,000 rows", rows("cap_mark"), runner.Limits{}, 1000, true},
			{"bytes", rows("cap_mark"), runner.Limits{Bytes: 10 * 1008}, 10, true},
			{"one large cell", "SELECT REPEAT('x', 1000000)", runner.Limits{Bytes: 999_999}, 0, true},
		}
		for _, tt := range tests {
			res, err := runner.Run(t.Context(), db, tt.sql, tt.limits)
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
				continue
			}
			if len(res.Rows) != tt.rows || res.Truncated != tt.truncated {
				t.Errorf("%s: %d rows, truncated %t", tt.name, len(res.Rows), res.Truncated)
			}
		}
		must.Equal(t, running(t, s, "cap_mark"), 0, "statements run on")
	})
}

// A server that is killed in the middle of a query: one clear line.
func TestServerDies(t *testing.T) {
	for _, engine := range []string{"mysql", "mariadb"} {
		for name, text := range map[string]string{"computing": endless("dies"), "sending": rows("dies")} {
			t.Run(engine+" "+name, func(t *testing.T) {
				s := doomed(t, engine)
				db := open(t, s.DSN(), runner.Limits{})
				onceRunning(t, s.AdminDSN(), "dies", 1, func() { syscall.Kill(s.Pid(), syscall.SIGKILL) })
				_, err := runner.Run(t.Context(), db, text, runner.Limits{Rows: 1 << 40, Bytes: 1 << 50})
				checkOurs(t, err, "the server closed the connection")
				_, err = runner.Run(t.Context(), db, "SELECT 1", runner.Limits{})
				checkOurs(t, err, "")
			})
		}
	}
}

// A server that hangs: a cancelled query returns all the same, and says what it left.
func TestServerHangs(t *testing.T) {
	for _, engine := range []string{"mysql", "mariadb"} {
		t.Run(engine, func(t *testing.T) {
			s := doomed(t, engine)
			defer syscall.Kill(s.Pid(), syscall.SIGCONT)
			db := open(t, s.DSN(), runner.Limits{})
			ctx, cancel := context.WithCancel(t.Context())
			onceRunning(t, s.AdminDSN(), "hangs", 1, func() {
				syscall.Kill(s.Pid(), syscall.SIGSTOP)
				cancel()
			})
			_, err := runner.Run(ctx, db, endless("hangs"), runner.Limits{})
			must.Be(t, errors.Is(err, context.Canceled), err)
			var still *runner.StillRunning
			must.Be(t, errors.As(err, &still) && still.ID != 0 && !strings.Contains(err.Error(), "\n"), err)
		})
	}
}

// doomed starts a server of its own for a test that mistreats it.
func doomed(t *testing.T, engine string) *local.Server {
	t.Helper()
	start(t, engine) // skips if there is none
	s := must.Get(local.Start(t.Context(), local.Options{Engine: engine, Database: "doomed",
		Load: strings.NewReader("CREATE TABLE digit (n int); INSERT INTO digit VALUES " +
			"(0),(1),(2),(3),(4),(5),(6),(7),(8),(9);")}))(t)
	must.Close(t, s)
	return s
}

// checkOurs wants an error of ours: one line, not a refusal of the query.
func checkOurs(t *testing.T, err error, want string) {
	t.Helper()
	var refused *runner.QueryError
	if err == nil || errors.As(err, &refused) || strings.Contains(err.Error(), "\n") ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want one line with %q", err, want)
	}
}

func TestOpenErrors(t *testing.T) {
	each(t, func(t *testing.T, s *local.Server) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		must.Do(t, err)
		closed := listener.Addr().String()
		listener.Close()
		tests := []struct{ name, dsn, want string }{
			{"wrong password", as(s, "guarded:battery-staple"), "1045: Access denied for user 'guarded'"},
			{"no password", as(s, "guarded"), "1045: "},
			{"unknown database", strings.Replace(as(s, "writer"), "/types", "/nope", 1), "1049: "},
			{"no such port", "u:battery-staple@tcp(" + closed + ")/d", "connection refused"},
			{"no such socket", "u:battery-staple@unix(/nonexistent/s)/d", "no such file or directory"},
		}
		for _, tt := range tests {
			_, err := runner.Open(t.Context(), tt.dsn, runner.Limits{})
			checkOurs(t, err, tt.want)
			must.Be(t, err == nil || !strings.Contains(err.Error(), "battery"),
				tt.name, "the password is printed", err)
		}
		db := open(t, as(s, "guarded:correct-horse"), runner.Limits{})
		if source := db.Backend().Source; !strings.HasPrefix(source, "guarded:***@unix(") {
			t.Errorf("source %q", source)
		}
		_, err = runner.Run(t.Context(), db, "SELECT 'correct-horse' FROM nope", runner.Limits{})
		must.Be(t, err != nil && !strings.Contains(err.Error(), "correct-horse"), "the password is printed", err)
	})
}

// A listener that accepts and says nothing is no server.
func TestOpenSilentServer(t *testing.T) {
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		if conn, err := listener.Accept(); err != nil {
			t.Error(err)
		} else {
			t.Cleanup(func() { conn.Close() })
		}
	}()
	dsn := "u@tcp(" + listener.Addr().String() + ")/d"
	if _, err := runner.Open(ctx, dsn, runner.Limits{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestExecScript(t *testing.T) {
	each(t, func(t *testing.T, s *local.Server) {
		admin, err := sql.Open("mysql", s.AdminDSN())
		must.Do(t, err)
		defer admin.Close()
		drop := func() {
			must.Get(admin.Exec("DROP DATABASE IF EXISTS `exec script`"))(t)
		}
		drop()
		defer drop()
		dsn := strings.Replace(s.AdminDSN(), "/types", "/exec%20script", 1)
		const script = "CREATE DATABASE other; USE other;\nCREATE TABLE a (b int, FOREIGN KEY (b) REFERENCES c " +
			"(b));\nCREATE TABLE c (b int PRIMARY KEY);\nINSERT INTO a VALUES (1);\nINSERT INTO c VALUES (1)"

		err = runner.ExecScript(t.Context(), dsn, strings.NewReader(script+";\nSELEC 1;\n"), nil)
		checkOurs(t, err, "statement at line 6: ")
		checkOurs(t, err, "1064")
		var n int
		if err := admin.QueryRow("SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name IN ('exec " +
			"script', 'other')").Scan(&n); err != nil || n != 0 {
			t.Errorf("a failed load leaves %d databases: %v", n, err)
		}

		var last int64
		must.Do(t, runner.ExecScript(t.Context(), dsn, strings.NewReader(script),
			func(bytes int64) { last = bytes }))
		must.Equal(t, last, int64(len(script)), "progress ends at", len(script), "bytes")
		if err := admin.QueryRow("SELECT COUNT(*) FROM `exec script`.a").Scan(&n); err != nil || n != 1 {
			t.Errorf("%d rows: %v", n, err)
		}

		err = runner.ExecScript(t.Context(), dsn, strings.NewReader("DROP TABLE a"), nil)
		checkOurs(t, err, "holds 2 tables already")
		if err := admin.QueryRow("SELECT COUNT(*) FROM `exec script`.a").Scan(&n); err != nil || n != 1 {
			t.Errorf("%d rows: %v", n, err)
		}

		drop()
		ctx, cancel := context.WithCancel(t.Context())
		err = runner.ExecScript(ctx, dsn, strings.NewReader(script), func(int64) { cancel() })
		must.Be(t, errors.Is(err, context.Canceled), err)
		err = runner.ExecScript(t.Context(), as(s, "guarded:battery-staple"), strings.NewReader(script), nil)
		checkOurs(t, err, "1045")
	})
}

func isQueryError(err error, code uint16) bool {
	var refused *runner.QueryError
	return errors.As(err, &refused) && refused.Code == code
}

// A dump with CREATE DATABASE, USE, latin1, CRLF and conditional comments loads as it is, and its schema reads the same
// from the dump and from a server that ran it.
func TestRealDump(t *testing.T) {
	dump := golds.File(t, golds.ClassicModels)
	want := must.Get(schema.ParseDDL("classicmodels", string(dump)))(t)
	each(t, func(t *testing.T, s *local.Server) {
		real := must.Get(local.Start(t.Context(), local.Options{Engine: s.Engine(), Database: "classicmodels",
			Load: strings.NewReader(string(dump))}))(t)
		defer real.Close()
		db := open(t, real.DSN(), runner.Limits{})
		got := must.Get(db.Schema(t.Context()))(t)
		rows := map[string]int64{}
		for i := range got.Tables {
			rows[got.Tables[i].Name] = got.Tables[i].Rows
			got.Tables[i].Rows = 0 // what follows is not in a declaration
			for j := range got.Tables[i].Columns {
				c := &got.Tables[i].Columns[j]
				c.Values, c.Complete, c.Texts, c.AllTexts, c.Longest = nil, false, nil, false, 0
			}
		}
		must.Same(t, got, want, "schema")
		wantRows := map[string]int64{"customers": 122, "employees": 23, "offices": 7, "orderdetails": 2996,
			"orders": 326, "payments": 273, "productlines": 7, "products": 110}
		must.Same(t, rows, wantRows, "rows")
		must.Succeed(t, db.Close())
	})
}
