package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"nl2sql/assets"
	"nl2sql/runner"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

// limited opens the demo database with limits of its own.
func limited(t *testing.T, l runner.Limits) *DB {
	t.Helper()
	db := must.Get(Open(t.Context(), "", l))(t)
	must.Close(t, db)
	return db
}

// unbound runs a statement that the checker's policy would turn away, to see the engine's own limits.
func unbound(ctx context.Context, db runner.DB, sql string) (runner.Result, error) {
	q, v, err := sqlcheck.Check(sql, nil)
	if err != nil {
		return runner.Result{}, err
	}
	if !v.OK {
		return runner.Result{}, fmt.Errorf("check: %s", v)
	}
	return db.Query(ctx, q)
}

func TestRowAndByteLimits(t *testing.T) {
	db := limited(t, runner.Limits{Rows: 10})
	r, err := ask(t.Context(), db, "SELECT orderNumber FROM orderdetails")
	if err != nil || len(r.Rows) != 10 || !r.Truncated {
		t.Errorf("%d rows, truncated %t, %v", len(r.Rows), r.Truncated, err)
	}
	r, err = ask(t.Context(), db, "SELECT orderNumber FROM orderdetails LIMIT 10")
	if err != nil || len(r.Rows) != 10 || r.Truncated {
		t.Errorf("exactly the limit: %d rows, truncated %t, %v", len(r.Rows), r.Truncated, err)
	}
	db = limited(t, runner.Limits{Bytes: 1000})
	r, err = ask(t.Context(), db, "SELECT productDescription FROM products")
	if err != nil || !r.Truncated || len(r.Rows) == 0 || len(r.Rows) > 15 {
		t.Errorf("bytes: %d rows, truncated %t, %v", len(r.Rows), r.Truncated, err)
	}
}

// heavy statements never end by themselves in the time of a test.
var heavy = []string{
	"SELECT COUNT(*) FROM orderdetails a, orderdetails b, orderdetails c WHERE a.priceEach + b.priceEach < c.priceEach * 1.1",
	"SELECT a.productCode FROM orderdetails a, orderdetails b, orderdetails c WHERE a.priceEach + b.priceEach + c.priceEach < 0",
	"SELECT a.productCode, b.productCode, c.productCode FROM orderdetails a, orderdetails b, orderdetails c ORDER BY a.priceEach + b.priceEach + c.priceEach LIMIT 3",
	// one step of SQLite's
	"SELECT orderNumber FROM orderdetails ORDER BY REPEAT(IF(quantityOrdered % 2, 'É', 'é'), 2000)",
	"WITH RECURSIVE n AS (SELECT 1 AS i UNION SELECT i + 1 FROM n WHERE i < 1000000000) SELECT COUNT(*) FROM n",
}

func TestTimeout(t *testing.T) {
	db := limited(t, runner.Limits{Timeout: 150 * time.Millisecond})
	for _, sql := range heavy {
		start := time.Now()
		_, err := unbound(t.Context(), db, sql)
		if qe := (*runner.QueryError)(nil); !errors.As(err, &qe) || qe.Code != 3024 {
			t.Errorf("%v\n%s", err, sql)
		}
		if took := time.Since(start); took > 5*time.Second { // a busy machine; alone it is 0.2 s
			t.Errorf("stopped after %v\n%s", took, sql)
		}
	}
}

func TestCancel(t *testing.T) {
	db := openDemo(t)
	for _, sql := range heavy {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		start := time.Now()
		_, err := unbound(ctx, db, sql)
		must.Be(t, errors.Is(err, context.Canceled), err, sql)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("stopped after %v\n%s", took, sql)
		}
		cancel()
	}
	if r, err := ask(t.Context(), db, "SELECT COUNT(*) FROM orders"); err != nil || r.Rows[0][0] != int64(326) {
		t.Errorf("afterwards: %v, %v", r.Rows, err)
	}
}

// An endless recursion ends with MySQL's error, a memory bomb with a refusal.
// A query is told to stop in the very moment in which it begins: SQLite forgets an interruption that comes before the
// first step, and the query would run for ever.
func TestCancelAtTheBeginning(t *testing.T) {
	db := limited(t, runner.Limits{Timeout: time.Hour})
	for i := range 1000 {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := unbound(ctx, db, heavy[0])
			ended <- err
		}()
		time.Sleep(time.Duration(i%300) * 5 * time.Microsecond)
		cancel()
		select {
		case err := <-ended:
			must.Have(t, errors.Is(err, context.Canceled), "try", i, err)
		case <-time.After(20 * time.Second):
			t.Fatalf("try %d: the query goes on", i)
		}
	}
}

func TestBombs(t *testing.T) {
	db := openDemo(t)
	for sql, want := range map[string]uint16{
		"WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT COUNT(*) FROM n": 3636,
		"SELECT LENGTH(REPEAT('x', 2000000000))":                                  0,
		"SELECT LENGTH(LPAD('x', 2000000000, 'y'))":                               0,
		"SELECT LENGTH(REPLACE(REPEAT('x', 1000000), 'x', REPEAT('y', 1000000)))": 0,
		"SELECT 9223372036854775807 + 1":                                          1690,
		"SELECT EXP(1000)":                                                        1690,
	} {
		_, err := unbound(t.Context(), db, sql)
		if err != nil && strings.HasPrefix(err.Error(), "check: ") {
			continue // the policy is faster
		}
		if qe := (*runner.QueryError)(nil); !errors.As(err, &qe) || qe.Code != want {
			t.Errorf("want %d, got %v\n%s", want, err, sql)
		}
	}
}

// What the checker would turn away cannot fill the memory either: the engine's own functions bound what they make.
func TestEngineBombs(t *testing.T) {
	db := openDemo(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, sql := range []string{
		"SELECT my_repeat('x', 2000000000)",
		"SELECT my_replace(my_repeat('x', 1000000), 'x', my_repeat('y', 1000000))",
		"SELECT my_regexp_replace(my_repeat('x', 1000000), 'x', my_repeat('y', 1000000), 'my_ai', 0)",
		"SELECT my_concat(" + strings.TrimSuffix(strings.Repeat("t, ", 5), ", ") +
			") FROM (SELECT my_repeat('x', 16000000) AS t)",
		"WITH RECURSIVE r(s, n) AS (SELECT 'x', 1 UNION ALL SELECT my_concat(s, s), n + 1 FROM r WHERE n < 60) SELECT MAX(length(s)) FROM r",
		"WITH RECURSIVE r(s, n) AS (SELECT '[1]', 1 UNION ALL SELECT my_json_array(s, s), n + 1 FROM r WHERE n < 60) SELECT MAX(length(s)) FROM r",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT length(my_json_arrayagg(my_json_quote(my_repeat('x', 100000)))) FROM n",
		// SQLite's heap
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT DISTINCT my_concat(i, my_repeat('x', 15000000)) FROM n",
	} {
		_, err := db.run(t.Context(), sql)
		if err == nil {
			t.Errorf("went through: %s", sql)
			continue
		}
		if qe := (*runner.QueryError)(nil); !errors.As(classify(t.Context(), t.Context(), err), &qe) || qe.Code != 0 {
			t.Errorf("%v\n%s", err, sql)
		}
	}
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; made > 16<<30 {
		t.Errorf("%d MiB were allocated", made>>20)
	}
	if r, err := ask(t.Context(), db, "SELECT COUNT(*) FROM orders"); err != nil || r.Rows[0][0] != int64(326) {
		t.Errorf("afterwards: %v, %v", r.Rows, err)
	}
}

// A function that is in the middle of its work ends with its statement.
func TestSlowFunctionsStop(t *testing.T) {
	db := openDemo(t)
	const long = "my_repeat('a', 8000000)"
	tried := map[string]bool{}
	for name, sql := range map[string]string{
		"like":           "my_like(" + long + ", my_concat('%', my_repeat('a', 4000000), 'b%'), 92, 'my_ai', ",
		"regexp":         "my_regexp(" + long + ", my_concat(my_repeat('a?', 9999), 'b'), 'i', ",
		"regexp_like":    "my_regexp_like(" + long + ", my_concat(my_repeat('a?', 9999), 'b'), 'my_ai', ",
		"locate":         "my_locate(my_concat(my_repeat('a', 4000000), 'b'), " + long + ", 'my_ai', ",
		"instr":          "my_instr(" + long + ", my_concat(my_repeat('a', 4000000), 'b'), 'my_swedish', ",
		"find_in_set":    "my_find_in_set(my_concat(my_repeat('É', 499), 'a'), my_repeat(my_concat(my_repeat('é', 500), ','), 8000), 'my_ai', ",
		"json_contains":  "my_json_contains('[' || my_repeat('1,', 100000) || '2]', '[' || my_repeat('2,', 100000) || '2]', ",
		"json_search":    "my_json_search('[\"' || my_repeat('a', 4000000) || '\"]', 'one', '%' || my_repeat('a', 2000000) || 'b', NULL, '$', ",
		"regexp_replace": "my_regexp_replace(" + long + ", my_concat(my_repeat('a?', 9999), 'b'), 'x', 'my_ai', ",
		"regexp_substr":  "my_regexp_substr(" + long + ", my_concat(my_repeat('a?', 9999), 'b'), 'my_ai', ",
		"regexp_instr":   "my_regexp_instr(" + long + ", my_concat(my_repeat('a?', 9999), 'b'), 'my_ai', ",
	} {
		tried[name] = true
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		number, end := mysqlfn.Start(ctx)
		start := time.Now()
		_, err := db.run(ctx, fmt.Sprintf("SELECT %s%d)", sql, number))
		must.Be(t, err != nil, name, "went through")
		if took := time.Since(start); took > 10*time.Second { // a busy machine; alone it is 0.3 s
			t.Errorf("%s stopped after %v", name, took)
		} else if testing.Verbose() {
			t.Logf("%s: %v, %v", name, took, err)
		}
		end()
		cancel()
	}
	for name, f := range mysqlfn.Functions {
		must.Be(t, f.Slow == nil || tried[name], name, "was not tried")
	}
}

// Expressions that are written twice, inside ones that are written twice, do not fill the memory.
func TestLongTranslations(t *testing.T) {
	db := openDemo(t)
	for _, form := range [][2]string{{"NULLIF(", ", 1)"}, {"STRCMP(", ", 'a')"}, {"INTERVAL(", ", 1, 2)"},
		{"GREATEST(1, ", ")"}, {"(1 = ", ")"}, {"- (", ")"}, {"IFNULL(", ", 2)"}, {"ROUND(1.5 / ", ", 3)"}} {
		for _, levels := range []int{10, 28} {
			if form[0] == "NULLIF(" {
				levels = min(levels, 20) // servers work it out twice a level, and the checker refuses more
			}
			sql := "SELECT " + strings.Repeat(form[0], levels) + "customerNumber" + strings.Repeat(form[1], levels) +
				" FROM customers LIMIT 1"
			start := time.Now()
			_, err := unbound(t.Context(), db, sql)
			qe := (*runner.QueryError)(nil)
			must.Be(t, err == nil || errors.As(err, &qe), err, sql)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("%v\n%s", took, sql)
			} else if testing.Verbose() {
				t.Logf("%v, %v: %.40s", took, err, sql)
			}
		}
	}
}

// No connection can write, even past the dialect.
func TestReadOnly(t *testing.T) {
	db := openDemo(t)
	for _, sql := range []string{"DELETE FROM orders", "CREATE TABLE x (a)", "DROP TABLE orders",
		"CREATE TEMP TABLE x (a)", "PRAGMA user_version = 3"} {
		if _, err := db.pool.ExecContext(t.Context(), sql); err == nil {
			t.Errorf("%s went through", sql)
		}
	}
	if r, err := ask(t.Context(), db, "SELECT COUNT(*) FROM orders"); err != nil || r.Rows[0][0] != int64(326) {
		t.Errorf("afterwards: %v, %v", r.Rows, err)
	}
}

func TestConcurrentReaders(t *testing.T) {
	db := openDemo(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				r, err := ask(t.Context(), db,
					"SELECT COUNT(*), SUM(quantityOrdered * priceEach) FROM orderdetails JOIN products USING (productCode)")
				if err != nil || r.Rows[0][0] != int64(2996) {
					t.Errorf("%v, %v", r.Rows, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// Many databases can be open at once, and closing them gives everything back.
func TestManyDatabases(t *testing.T) {
	script := must.Get(assets.DemoSQL())(t)
	before := runtime.NumGoroutine()
	var open []runner.DB
	for i := range 20 {
		db := must.Get(OpenDump(t.Context(), fmt.Sprint("shop", i), bytes.NewReader(script), runner.Limits{}))(t)
		open = append(open, db)
	}
	for _, db := range open {
		if _, err := ask(t.Context(), db, "SELECT COUNT(*) FROM orders"); err != nil {
			t.Error(err)
		}
		must.Succeed(t, db.Close())
	}
	for wait := 0; runtime.NumGoroutine() > before && wait < 100; wait++ {
		time.Sleep(10 * time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}
