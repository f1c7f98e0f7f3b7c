package runner_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nl2sql/runner"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

// A query's clock starts when it has a connection: one that waits behind others longer than its limit is answered.
func TestClockStartsWithTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		f := newFake(t, func(_ uint32, text string) reply {
			if text == "SELECT 'slow'" {
				return reply{names: []string{"slow"}, wait: release}
			}
			return reply{}
		})
		db := open(t, f.dsn(), runner.Limits{Timeout: time.Minute})
		var slow sync.WaitGroup
		for range runner.MaxConns {
			slow.Go(func() {
				if _, err := runner.Run(t.Context(), db, "SELECT 'slow'",
					runner.Limits{Timeout: time.Minute}); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		time.AfterFunc(1500*time.Millisecond, func() { close(release) })
		res, err := runner.Run(t.Context(), db, "SELECT 1", runner.Limits{Timeout: time.Second})
		must.Be(t, err == nil && len(res.Rows) == 1 && res.Took <= time.Second, res.Rows, "after", res.Took, err)
		slow.Wait()
	})
}

// What is no answer to a SELECT is not shown as an empty one.
func TestNoResultSet(t *testing.T) {
	tests := []struct {
		name, want string
		reply      reply
	}{
		{"an OK packet", "without a result set", reply{ok: true}},
		{"a column less", "has 1 columns and the checked query 2", reply{names: []string{"a"},
			rows: [][]string{{"1"}}}},
		{"a column more", "has 3 columns and the checked query 2", reply{names: []string{"a", "b", "c"}}},
	}
	schema := must.Get(schema.ParseDDL("d", "CREATE TABLE t (a int, b int);"))(t)
	q, v, err := sqlcheck.Check("SELECT a, b FROM t", schema)
	must.Have(t, err == nil && v.OK, v, err)
	for _, tt := range tests {
		f := newFake(t, func(_ uint32, text string) reply {
			if text == q.SQL() {
				return tt.reply
			}
			return reply{}
		})
		_, err := open(t, f.dsn(), runner.Limits{}).Query(t.Context(), q)
		checkOurs(t, err, tt.want)
	}
}

// A statement that cannot be stopped is told of in one line, with its connection and what to do.
func TestStillRunning(t *testing.T) {
	kills := []failedKill{
		{"no more connections of the user", "KILL could not be sent: 1226: User 'u' has exceeded",
			reply{code: 1226, text: "User 'u' has exceeded the 'max_user_connections' resource (current value: 1)"},
			false},
		{"too many connections", "KILL could not be sent: 1040: ",
			reply{code: 1040, text: "Too many connections"}, false},
		{"not allowed", "KILL could not be sent: 1095: ",
			reply{code: 1095, text: "You are not owner of thread 1"}, false},
		{"hangs", "KILL could not be sent: no answer within 3s", reply{}, true},
		{"drops", "KILL could not be sent: the server closed the connection", reply{drop: true}, false},
		{"deaf", "it did not end on KILL within 3s", reply{ok: true}, false},
	}
	for _, end := range []string{"limit", "cancel", "cut"} {
		for _, kill := range kills {
			t.Run(end+" "+kill.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { stillRunning(t, end, kill) })
			})
		}
	}
}

// failedKill is how a server takes a KILL that does not end the statement.
type failedKill struct {
	name, want string
	reply      reply
	hangs      bool
}

func stillRunning(t *testing.T, end string, kill failedKill) {
	never := make(chan struct{})
	f := newFake(t, func(_ uint32, text string) reply {
		switch {
		case strings.HasPrefix(text, "KILL ") && kill.hangs:
			return reply{wait: never}
		case strings.HasPrefix(text, "KILL "):
			return kill.reply
		case text == "SELECT 'slow'" && end == "cut":
			return reply{names: []string{"slow"}, rows: [][]string{{"1"}, {"2"}}, after: never}
		case text == "SELECT 'slow'":
			return reply{names: []string{"slow"}, wait: never}
		}
		return reply{}
	})
	t.Cleanup(func() { close(never) }) // before that of the fake, which waits
	db := open(t, f.dsn(), runner.Limits{Timeout: time.Minute})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	l := runner.Limits{Timeout: 200 * time.Millisecond, Rows: 1}
	if end == "cancel" {
		l.Timeout = 50 * time.Second
		time.AfterFunc(200*time.Millisecond, cancel)
	}
	_, err := runner.Run(ctx, db, "SELECT 'slow'", l)
	var still *runner.StillRunning
	must.Have(t, errors.As(err, &still), err)
	checkOurs(t, err, kill.want)
	checkOurs(t, err, fmt.Sprintf("the statement may still run as connection %d: look for it there with "+
		"SHOW PROCESSLIST and end it with KILL %d", still.ID, still.ID))
	if end == "limit" {
		checkOurs(t, err, "it did not end at its limit of 200ms; ")
	}
	must.Be(t, errors.Is(err, context.Canceled) == (end == "cancel") && !strings.Contains(err.Error(), "battery"), err)
}

// Behind a balancer a KILL could end somebody else's statement on another server: it is sent to none but the right one.
func TestKillGoesToTheRightServer(t *testing.T) {
	for _, third := range []string{"a", "b"} { // where the third connection ends
		synctest.Test(t, func(t *testing.T) { killGoesTo(t, third) })
	}
}

func killGoesTo(t *testing.T, third string) {
	release := make(chan struct{})
	f := newFake(t, func(id uint32, text string) reply {
		switch {
		case strings.HasPrefix(text, "SELECT VERSION(), "):
			a := honest(id, text)
			a.rows[0][2] = map[uint32]string{1: "a", 2: "b", 3: third}[min(id, 3)]
			return a
		case strings.HasPrefix(text, "KILL "):
			return reply{code: 1094, text: "Unknown thread id"}
		case text == "SELECT 'slow'":
			return reply{names: []string{"slow"}, wait: release}
		}
		return reply{}
	})
	db := open(t, f.dsn(), runner.Limits{Timeout: time.Minute})
	_, err := runner.Run(t.Context(), db, "SELECT 'slow'", runner.Limits{Timeout: 100 * time.Millisecond})
	close(release)
	kills := strings.Count(strings.Join(f.statements(), "\n"), "KILL 1")
	if still := (*runner.StillRunning)(nil); third == "a" && (!isQueryError(err, 3024) || kills != 1) ||
		third == "b" && (!errors.As(err, &still) || !strings.Contains(err.Error(), "other servers") || kills != 0) {
		t.Errorf("%s: %v, %d kills", third, err, kills)
	}
}

// TiDB's KILL is answered before the statement has ended: its list of connections says when.
func TestKillOfTiDB(t *testing.T) {
	for _, ends := range []bool{true, false} {
		t.Run(fmt.Sprint(ends), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { killOfTiDB(t, ends) }) })
	}
}

func killOfTiDB(t *testing.T, ends bool) {
	var asked atomic.Int32
	never := make(chan struct{})
	f := newFake(t, func(id uint32, text string) reply {
		switch {
		case strings.HasPrefix(text, "SELECT VERSION()"):
			a := honest(id, text)
			a.rows[0][0] = "8.0.11-TiDB-v8.5.6"
			return a
		case strings.HasPrefix(text, "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = "):
			n := "1"
			if asked.Add(1) == 3 && ends {
				n = "0"
			}
			return reply{names: []string{"COUNT(*)"}, rows: [][]string{{n}}}
		case text == "SELECT 'slow'":
			return reply{names: []string{"slow"}, wait: never}
		case strings.HasPrefix(text, "KILL "):
			return reply{ok: true}
		}
		return reply{}
	})
	t.Cleanup(func() { close(never) })
	db := open(t, f.dsn(), runner.Limits{Timeout: time.Minute})
	_, err := runner.Run(t.Context(), db, "SELECT 'slow'", runner.Limits{Timeout: 100 * time.Millisecond})
	var still *runner.StillRunning
	if db.Backend().Engine != "tidb" || ends && (!isQueryError(err, 3024) || asked.Load() != 3) ||
		!ends && (!errors.As(err, &still) || !strings.Contains(err.Error(), "it did not end on KILL within 3s")) {
		t.Errorf("%v after %d looks", err, asked.Load())
	}
}

// A server that is gone has nothing running.
func TestGoneServerRunsNothing(t *testing.T) {
	var f *fake
	f = newFake(t, func(_ uint32, text string) reply {
		if text == "SELECT 'slow'" {
			f.close()
			return reply{drop: true}
		}
		return reply{}
	})
	_, err := runner.Run(t.Context(), open(t, f.dsn(), runner.Limits{}), "SELECT 'slow'", runner.Limits{})
	checkOurs(t, err, "the server closed the connection; was it stopped?")
	must.Be(t, !errors.As(err, new(*runner.StillRunning)), err)
}

// A connection that is cut in the middle leaves a statement, which is looked for.
func TestCutConnectionIsFollowed(t *testing.T) {
	f := newFake(t, func(_ uint32, text string) reply {
		switch {
		case text == "SELECT 'slow'":
			return reply{drop: true}
		case strings.HasPrefix(text, "KILL "):
			return reply{code: 1094, text: "Unknown thread id"}
		}
		return reply{}
	})
	_, err := runner.Run(t.Context(), open(t, f.dsn(), runner.Limits{}), "SELECT 'slow'", runner.Limits{})
	checkOurs(t, err, "the server closed the connection; was it stopped?")
	must.Has(t, strings.Join(f.statements(), "\n"), "KILL 1", "the statement was not looked for")
}

// The rest of a result that was cut off is passed over where that is soon done: no second connection.
func TestCutResultNeedsNoKill(t *testing.T) {
	f := newFake(t, func(_ uint32, text string) reply {
		if text == "SELECT 'rows'" {
			return reply{names: []string{"rows"}, rows: make2000()}
		}
		return reply{}
	})
	db := open(t, f.dsn(), runner.Limits{})
	for range 3 {
		res, err := runner.Run(t.Context(), db, "SELECT 'rows'", runner.Limits{Rows: 10})
		must.Be(t, err == nil && len(res.Rows) == 10 && res.Truncated, len(res.Rows), "rows", err)
	}
	must.Equal(t, f.last, 1, "connections")
}

func make2000() (rows [][]string) {
	for i := range 2000 {
		rows = append(rows, []string{fmt.Sprint(i)})
	}
	return rows
}

// A user with one connection can still cut results off, and is told what runs on.
func TestOneConnection(t *testing.T) {
	each(t, func(t *testing.T, s *local.Server) {
		admin, err := sql.Open("mysql", s.AdminDSN())
		must.Do(t, err)
		defer admin.Close()
		for _, stmt := range []string{"DROP USER IF EXISTS single@localhost",
			"CREATE USER single@localhost WITH MAX_USER_CONNECTIONS 1", "GRANT SELECT ON types.* TO single@localhost"} {
			must.Get(admin.Exec(stmt))(t)
		}
		l := runner.Limits{Timeout: 6 * time.Second}
		db := open(t, as(s, "single"), l)
		for _, text := range []string{"SELECT a.n FROM digit a, digit b, digit c, digit d", rows("single_mark")} {
			for range 3 {
				res, err := runner.Run(t.Context(), db, text, runner.Limits{Rows: 5, Timeout: l.Timeout})
				must.Be(t, err == nil && res.Truncated && len(res.Rows) == 5, text, len(res.Rows), "rows", err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		onceRunning(t, s.AdminDSN(), "single_mark", 1, cancel)
		_, err = runner.Run(ctx, db, endless("single_mark"), l)
		var still *runner.StillRunning
		must.Have(t, errors.As(err, &still) && errors.Is(err, context.Canceled), err)
		var n int64
		const last = "SELECT MAX(id) FROM information_schema.processlist WHERE user = 'single'"
		if err := admin.QueryRow(last).Scan(&n); err != nil || n != still.ID {
			t.Errorf("connection %d, the line says %d: %v", n, still.ID, err)
		}
		if _, err := admin.Exec(fmt.Sprintf("KILL %d", still.ID)); err != nil {
			t.Error(err)
		}
	})
}
