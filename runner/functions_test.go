package runner_test

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

// asAdmin runs statements as root.
func asAdmin(t *testing.T, s *local.Server, stmts ...string) {
	t.Helper()
	admin := must.Get(sql.Open("mysql", s.AdminDSN()))(t)
	defer admin.Close()
	for _, stmt := range stmts {
		if _, err := admin.Exec(stmt); err != nil {
			t.Fatalf("%s: %v", stmt, err)
		}
	}
}

// Of all functions that the checker lets through a server has its own, or a query with it is refused before a stored
// one of that name could run.
func TestFunctionsThatAServerLacks(t *testing.T) {
	want := map[string][]string{"mysql": {"json_overlaps"}, "mariadb": {"any_value", "bin_to_uuid", "grouping",
		"is_uuid", "regexp_like", "uuid_to_bin"}}
	// no server looks these up: literals, operators, what the parser renames, and what is called without arguments or
	// with OVER
	never := strings.Fields(`char_func insert_func json_memberof point pi rand curdate current_date current_time current_timestamp curtime localtime localtimestamp
		now sysdate unix_timestamp utc_date utc_time utc_timestamp json_array json_object uuid
		row_number rank dense_rank cume_dist percent_rank ntile lead lag first_value last_value nth_value`)
	stored := map[string][]string{
		"mysql":   {"SELECT JSON_OVERLAPS('[1]', '[1]')", "SELECT n FROM digit WHERE JSON_OVERLAPS('[1]', '[1]') = 7"},
		"mariadb": {"SELECT BIN_TO_UUID('a')", "SELECT REGEXP_LIKE('a', 'b')"},
	}
	each(t, func(t *testing.T, s *local.Server) {
		asAdmin(t, s, "DROP FUNCTION IF EXISTS types.json_overlaps", "DROP FUNCTION IF EXISTS types.bin_to_uuid",
			"DROP FUNCTION IF EXISTS types.regexp_like", "DROP TABLE IF EXISTS types.ran",
			"CREATE TABLE types.ran (n int) ENGINE=MyISAM")
		defer asAdmin(t, s, "DROP FUNCTION IF EXISTS types.json_overlaps", "DROP FUNCTION IF EXISTS types.bin_to_uuid",
			"DROP FUNCTION IF EXISTS types.regexp_like", "DROP TABLE types.ran")
		for _, f := range []string{"json_overlaps(a TEXT, b TEXT)", "bin_to_uuid(a TEXT)",
			"regexp_like(a TEXT, b TEXT)"} {
			asAdmin(t, s, "CREATE FUNCTION types."+f+" RETURNS INT DETERMINISTIC RETURN GET_LOCK('stored', 0)")
		}
		asAdmin(t, s, "GRANT EXECUTE ON types.* TO nl2sql@localhost")
		defer asAdmin(t, s, "REVOKE EXECUTE ON types.* FROM nl2sql@localhost")
		db := open(t, s.DSN(), runner.Limits{})
		var lacking []string
		for _, f := range sqlcheck.Functions() {
			if slices.Contains(never, f) || strings.Contains(f, "(") {
				continue
			}
			lacks := must.Get(runner.Lacks(t.Context(), db, f))(t)
			if lacks != "" {
				lacking = append(lacking, f)
			}
		}
		must.Same(t, lacking, want[s.Engine()])
		for _, text := range stored[s.Engine()] {
			q, v, err := sqlcheck.Check(text, nil)
			must.Have(t, err == nil && v.OK, v, err)
			if _, err := db.Query(t.Context(), q); !isQueryError(err, 1305) {
				t.Errorf("%s: %v", text, err)
			}
		}
		admin := must.Get(sql.Open("mysql", s.AdminDSN()))(t)
		defer admin.Close()
		var free int
		if err := admin.QueryRow("SELECT IS_FREE_LOCK('stored')").Scan(&free); err != nil || free != 1 {
			t.Errorf("a stored function ran: %v", err)
		}
	})
}

// Views that can do what their makers may are left out of the schema, and told of; --trust-views takes them in.
func TestViewsThatCallFunctions(t *testing.T) {
	made := map[string]string{
		"plain":   "SELECT n, UPPER('a`f`(') AS x, CONCAT('`f`(', n) AS y FROM digit WHERE n IN (1, 2) AND EXISTS (SELECT 1 FROM Parent)",
		"calls":   "SELECT danger() AS x, n FROM digit",
		"above":   "SELECT x FROM calls",
		"twice":   "SELECT o.x FROM above o JOIN digit d",
		"inside":  "SELECT n FROM digit WHERE n = (SELECT MAX(p.n) FROM digit p WHERE danger() = p.n)",
		"abroad":  "SELECT x FROM far.away",
		"round":   "SELECT x FROM far.back",
		"foreign": "SELECT n FROM far.near",
		"waits":   "SELECT SLEEP(0) AS x",
		"locks":   "SELECT GET_LOCK('a', 0) AS x",
		"named":   "SELECT n AS `danger(`, n AS `sleep` FROM digit",
		"cte":     "WITH c (a) AS (SELECT n FROM digit) SELECT a FROM c",
	}
	each(t, func(t *testing.T, s *local.Server) {
		asAdmin(t, s, "DROP DATABASE IF EXISTS far", "CREATE DATABASE far",
			"CREATE FUNCTION far.danger() RETURNS INT DETERMINISTIC RETURN 1",
			"CREATE VIEW far.away AS SELECT far.danger() AS x", "CREATE VIEW far.near AS SELECT n FROM types.digit",
			"DROP FUNCTION IF EXISTS types.danger",
			"CREATE FUNCTION types.danger() RETURNS INT DETERMINISTIC RETURN 1")
		names := []string{"plain", "calls", "round", "above", "twice", "inside", "abroad", "foreign", "waits",
			"locks", "named", "cte"}
		for _, name := range names {
			if name == "round" {
				asAdmin(t, s, "CREATE VIEW far.back AS SELECT x FROM types.calls")
			}
			asAdmin(t, s, "CREATE VIEW types."+name+" AS "+made[name])
			defer asAdmin(t, s, "DROP VIEW types."+name)
		}
		defer asAdmin(t, s, "DROP FUNCTION types.danger", "DROP DATABASE far")
		views := func(l runner.Limits) (found []string) {
			schema := must.Get(open(t, as(s, "writer"), l).Schema(t.Context()))(t)
			for _, name := range schema.TableNames() {
				if made[name] != "" {
					found = append(found, name)
				}
			}
			return found
		}
		must.Same(t, views(runner.Limits{}), []string{"cte", "foreign", "named", "plain"})
		must.Equal(t, len(views(runner.Limits{TrustViews: true})), len(names), "trusted")
	})
}

func TestScanView(t *testing.T) {
	tests := []struct {
		def, calls string
		tables     []string
	}{
		{"select `f`() AS `x`", "f", nil},
		{"select `d`.`f`(`a`.`b`) AS `x`", "d.f", nil},
		{"select upper('a') AS `x`,`a`.`b` AS `f` from (`a` join `b` on((`a`.`x` = `b`.`x`)))", "",
			[]string{"here.a", "here.b"}},
		{"select `p`.`n` AS `n` from (((`d`.`v` `p` join `d`.`v` `q`) left join `d`.`e` `from` on(true)) straight_join `d`.`e` `join`)", "", []string{"d.v", "d.v", "d.e", "d.e"}},
		{"select `n` AS `n` from (select `d`.`t`.`n` AS `n` from `d`.`t` where exists(select 1 from `d`.`u`)) `x` union all select 1 from `d`.`t`", "", []string{"d.t", "d.u", "d.t"}},
		{"with `c` as (select `d`.`t`.`n` AS `n` from `d`.`t`) select `c`.`n` AS `n` from `c`", "",
			[]string{"with .c"}},
		{"with `c` (`n`,`m`) as (select 1 from `t`) select 1 from `c` where `f`(`n`)", "f", []string{"with .c"}},
		{"with c(n,`m`) as (select 1 from `t`) select 1 from `c` where `f`(`n`)", "f", []string{"with .c"}}, // MariaDB
		{"select extract(year from `d`.`t`.`day`) AS `x` from `d`.`t`", "", []string{"d.t"}},
		{"select '`f`(' AS `x`", "", nil},
		{`select 'it\'s ` + "`f`('" + ` AS ` + "`x`", "", nil},
		{"select 'it''s' AS `it's`,`f`(1) AS `y`", "f", nil},
		{"select \"`f`(\" AS `x`", "", nil},
		{"select `a``b`(1) AS `x`", "a`b", nil},
		{"select `a(b` AS `x`", "", nil},
		{"select sleep(1) AS `x`", "sleep", nil},
		{"select `SLEEP`(1) AS `x`", "SLEEP", nil},
		{"select LOAD_FILE('/etc/passwd') AS `x`", "load_file", nil},
		{"select 'unfinished `f`(", "", nil},
		{"select `unfinished", "", nil},
		{"", "", nil},
	}
	for _, tt := range tests {
		calls, tables := runner.ScanView(tt.def)
		must.Equal(t, calls, tt.calls, tt.def)
		must.Same(t, tables, tt.tables, tt.def)
	}
}

// Counting ends, whatever views read.
func TestWeighView(t *testing.T) {
	reads := map[string][]string{"own": {"own"}, "a": {"b", "t"}, "b": {"a"}, "v0": {"t"}}
	for i := 1; i <= 100; i++ {
		below := fmt.Sprintf("v%d", i-1)
		reads[fmt.Sprintf("v%d", i)] = []string{below, below}
	}
	const most = 1 << 20
	for view, want := range map[string]int{"t": 0, "v0": 1, "v1": 4, "v5": 94, "v30": most, "v100": most,
		"own": most, "a": most} {
		must.Equal(t, runner.WeighView(view, reads), want, view, "counts as")
	}
}

// A common table expression in a view counts wherever it is read.
func TestWeighCommon(t *testing.T) {
	chain := "with `a0` as (select `t`.`n` AS `n` from `t`)"
	for i := range 30 {
		chain += fmt.Sprintf(",`a%d` as (select `p`.`n` AS `n` from (`a%d` `p` join `a%[2]d` `q`))", i+1, i)
	}
	for def, want := range map[string]int{
		"with `c` as (select 1 from `t` join `u`) select 1 from (`c` join `c` `d`)":                                         6,
		"with recursive `c` as (select 1 AS `n` union all select (`c`.`n` + 1) from `c` where (`n` < 5)) select 1 from `c`": 2,
		"select 1 from (with `c` as (select 1 from `t`) select 1 from `c`) `d` join `t`":                                    3,
		"with `c` as (select 1 from `t`) select sum(`n`) OVER `w` from `c` window `w` as (order by `n`)":                    2,
		chain + " select 1 from `a2`":  11,
		chain + " select 1 from `a30`": 1 << 20,
	} {
		if got := runner.WeighDefinition(def); got != want {
			t.Errorf("%d, want %d: %.100s", got, want, def)
		}
	}
}

// A view counts as all that it comes to when it is written out: a chain of views each of which reads the one below
// twice is refused where it would come to too much, whether the user may see the definitions or not.
func TestViewsThatDouble(t *testing.T) {
	const levels = 8 // with twenty a server dies of making the last view
	each(t, func(t *testing.T, s *local.Server) {
		asAdmin(t, s, "DROP DATABASE IF EXISTS far", "CREATE DATABASE far",
			"CREATE VIEW types.twice0 AS SELECT n FROM digit",
			"CREATE VIEW far.twice1 AS SELECT p.n FROM types.twice0 p, types.twice0 q")
		drop := []string{"DROP DATABASE far", "DROP VIEW types.twice0"}
		below := "far.twice1"
		for i := 2; i <= levels; i++ {
			view := fmt.Sprintf("types.twice%d", i)
			asAdmin(t, s, fmt.Sprintf("CREATE VIEW %s AS SELECT p.n FROM %s p JOIN %[2]s q ON p.n = q.n", view, below))
			drop = append(drop, "DROP VIEW "+view)
			below = view
		}
		asAdmin(t, s, "CREATE VIEW types.common AS WITH a0 AS (SELECT n FROM digit), a1 AS (SELECT p.n FROM a0 p JOIN a0 q ON p.n = q.n), a2 (x) AS (SELECT p.n FROM a1 p, a1 q) SELECT p.x FROM a2 p, a2 q")
		defer asAdmin(t, s, append(drop, "DROP VIEW types.common")...)
		schema := must.Get(open(t, as(s, "writer"), runner.Limits{}).Schema(t.Context()))(t)
		// reads(n) = 2 + 2 reads(n - 1)
		for view, want := range map[string]int{"twice0": 1, "twice2": 10, "twice3": 22, "twice8": 766, "common": 22} {
			if table, ok := schema.Table(view); !ok || table.Reads != want {
				t.Errorf("%s reads %d tables and views, want %d", view, table.Reads, want)
			}
		}
		for view, ok := range map[string]bool{"twice5": true, "twice6": true, "twice7": false, "twice8": false} {
			if _, v, err := sqlcheck.Check("SELECT n FROM "+view, schema); err != nil || v.OK != ok {
				t.Errorf("%s: %v, %v", view, v, err)
			}
		}
		blind := must.Get(open(t, s.DSN(), runner.Limits{}).Schema(t.Context()))(t)
		for sql, ok := range map[string]bool{
			"SELECT a.n FROM twice5 a, twice4 b": true,
			"SELECT 1 FROM twice2 a, twice2 b, twice2 c, twice2 d, twice2 e, twice2 f, twice2 g, twice2 h, twice2 i, twice2 j, twice2 k": false,
		} {
			if _, v, err := sqlcheck.Check(sql, blind); err != nil || v.OK != ok {
				t.Errorf("without SHOW VIEW, %s: %v, %v", sql, v, err)
			}
		}
	})
}

// A stored function behind a view cannot be reached by way of the checker.
func TestViewIsUnknownToTheChecker(t *testing.T) {
	each(t, func(t *testing.T, s *local.Server) {
		asAdmin(t, s, "DROP FUNCTION IF EXISTS types.opens",
			"CREATE FUNCTION types.opens() RETURNS INT DETERMINISTIC BEGIN SET GLOBAL general_log = 1; RETURN 1; END",
			"CREATE VIEW types.door AS SELECT opens() AS x")
		defer asAdmin(t, s, "DROP VIEW types.door", "DROP FUNCTION types.opens")
		schema := must.Get(open(t, as(s, "writer"), runner.Limits{}).Schema(t.Context()))(t)
		if _, v, err := sqlcheck.Check("SELECT x FROM door", schema); err != nil || v.OK {
			t.Error(v, err)
		}
		if _, ok := schema.Table("labels"); !ok {
			t.Error(errors.New("a harmless view is left out"))
		}
	})
}

// What a regular expression does not find is NULL wherever it stands, also in a column that is never NULL: MySQL 8.0.15
// ends in the sort of such texts as they are written.
func TestRegexpsFindNothing(t *testing.T) {
	s := start(t, "mysql")
	db := open(t, s.DSN(), runner.Limits{})
	schema := must.Get(db.Schema(t.Context()))(t)
	for text, want := range map[string][][]any{
		"SELECT n FROM digit ORDER BY REGEXP_SUBSTR(n, '[5-9]'), n LIMIT 2":  {{int64(0)}, {int64(1)}},
		"SELECT COUNT(*) FROM digit WHERE REGEXP_SUBSTR(n, '[5-9]') IS NULL": {{int64(5)}},
		"SELECT REGEXP_SUBSTR(n, '9') x, COUNT(*) FROM digit GROUP BY x":     {{nil, int64(9)}, {"9", int64(1)}},
	} {
		q, v, err := sqlcheck.Check(text, schema)
		must.Have(t, err == nil && v.OK, v, err)
		res, err := db.Query(t.Context(), q)
		must.Do(t, err, text)
		must.Same(t, res.Rows, want, text)
	}
}
