package runner_test

import (
	"flag"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"testing"
	"time"

	"nl2sql/runner"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

var work = flag.Float64("worktimes", 0, "TestWork fails where a function takes this many times what the checker counts for it")

// TestWork measures every function of one to four arguments with a text of ten million digits in each of their places,
// and compares its time on MySQL with what the checker counts for it, which is what it allows for a row over the number
// of such columns that it lets through. It is for an idle machine:
//
//	go test ./runner -run TestWork -worktimes 1.5 -v
func TestWork(t *testing.T) {
	if *work == 0 {
		t.Skip("measures time: give -worktimes 1.5")
	}
	o := local.Options{Engine: "mysql", Database: "soak", Load: strings.NewReader(soakScript())}
	server := must.Get(local.Start(t.Context(), o))(t)
	t.Cleanup(func() { server.Close() }) // behind those of the databases
	db := open(t, server.DSN(), runner.Limits{Timeout: time.Minute})
	s := measured(t, db)
	for _, call := range longCalls() {
		if most := columnsOf(t, s, call); most > 0 {
			holdWork(t, db, s, call, most)
		}
	}
}

// operators are what has a text in the place of L.
var operators = strings.Split(`L + 1|L * 1.5|-L|L DIV 3|L % 3|L & 1|L << 1|~L|NOT L|L AND 1|L XOR 1|L IS NULL|L IS TRUE|
L = 1|L = 1.5|L = 'a'|L = DATE '2004-01-01'|L <=> L|(L, 1) = (L, 1)|L IN (1, 2)|L IN ('a', L)|L BETWEEN 1 AND 2|
CASE L WHEN 1 THEN 2 WHEN 3 THEN 4 END|L LIKE 'a%'|L LIKE '%a'|L LIKE '%a%b'|'a' LIKE L|L REGEXP 'a'|'a' REGEXP L|
L COLLATE utf8mb4_ja_0900_as_cs = L|L -> '$.a'|L + INTERVAL 1 DAY|EXTRACT(YEAR FROM L)|CAST(L AS SIGNED)|CAST(L AS CHAR)|
CAST(L AS DECIMAL(30, 5))|CAST(L AS DOUBLE)|CAST(L AS DATE)|CAST(L AS DATETIME)|CAST(L AS TIME)|CAST(L AS BINARY)|
CAST(L AS JSON)|CONVERT(L USING latin1)|TIMESTAMPDIFF(DAY, L, L)|SUM(L)|AVG(L)|STDDEV(L)|BIT_AND(L)|COUNT(DISTINCT L)|
TRIM(BOTH 'a' FROM L)|TRIM(L FROM L)|TIMESTAMPADD(DAY, 1, L)|DATE_ADD(L, INTERVAL 1 DAY)|DATE_ADD('2004-01-01', INTERVAL L DAY)|
MIN(L)|GROUP_CONCAT(DISTINCT L)`, "|")

// single is L alone.
var single = regexp.MustCompile(`\bL\b`)

// longCalls are calls and operators with long texts of digits.
func longCalls() (calls []string) {
	for _, op := range operators {
		calls = append(calls, single.ReplaceAllLiteralString(strings.TrimSpace(op), "d.big"))
	}
	for _, name := range sqlcheck.Functions() {
		name = strings.TrimSuffix(name, "_func")
		for n := 1; n <= 4; n++ {
			for _, short := range []string{"3", "'a'"} {
				for long := 1; long < 1<<n; long++ {
					args := make([]string, n)
					for i := range args {
						args[i] = short
						if long>>i&1 == 1 {
							args[i] = "d.big"
						}
					}
					calls = append(calls, name+"("+strings.Join(args, ", ")+")")
				}
			}
		}
	}
	sort.Strings(calls)
	return calls
}

// manyOf is a statement with a call in each of n columns.
func manyOf(call string, n int) string {
	return "SELECT " + strings.Repeat("LENGTH("+call+"), ", n) + "1 FROM doc d WHERE d.id = 4"
}

// columnsOf is how many columns of a call the checker lets through, at most 600; 0 where it takes no such call.
func columnsOf(t *testing.T, s *schema.Schema, call string) int {
	admits := func(n int) bool {
		_, v, err := sqlcheck.Check(manyOf(call, n), s)
		return err == nil && v.OK
	}
	if !admits(1) {
		return 0
	}
	return sort.Search(600, func(n int) bool { return !admits(n + 1) })
}

// holdWork measures a call.
func holdWork(t *testing.T, db runner.DB, s *schema.Schema, call string, most int) {
	n := min(most, 5)
	q, _, _ := sqlcheck.Check(manyOf(call, n), s)
	start := time.Now()
	_, err := db.Query(t.Context(), q)
	took := time.Since(start).Seconds() / float64(n)
	if row := took * float64(most); row > 3**work {
		t.Errorf("%s: %.1f ms, %d of them are let through: %.1f s a row (%v)", call, 1e3*took, most, row, err)
	} else if took > .01 {
		t.Logf("%s: %.1f ms, %d: %s", call, 1e3*took, most, fmt.Sprintf("%.1f s", row))
	}
}
