package runner_test

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nl2sql/runner"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

// hidden is a text that a server which takes UTF-8 for gbk reads with a subquery in it.
const hidden = `SELECT '縗\\', ' , (SELECT SLEEP(0) FROM mysql.user LIMIT 1) -- '`

// What a server's own configuration does to a session is undone: init_connect here, which every ordinary user gets.
func TestSessionIsPinned(t *testing.T) {
	hostile := []string{
		"SET character_set_client = gbk", "SET character_set_client = sjis", "SET character_set_client = big5",
		"SET NAMES latin1",
		"SET character_set_connection = utf16", "SET character_set_results = latin1", "SET CHARACTER SET koi8r",
		"SET sql_mode = 'NO_BACKSLASH_ESCAPES'", "SET sql_mode = 'ANSI_QUOTES'",
		"SET sql_mode = 'PIPES_AS_CONCAT,HIGH_NOT_PRECEDENCE'", "SET sql_mode = ''",
		"SET sql_auto_is_null = 1", "SET sql_select_limit = 1", "SET autocommit = 0", "SET completion_type = 2",
		"SET collation_connection = utf8mb4_bin",
		"SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE", "SET SESSION TRANSACTION READ WRITE",
		"SET max_heap_table_size = 1073741824, tmp_table_size = 1073741824",
	}
	each(t, func(t *testing.T, s *local.Server) {
		admin := must.Get(sql.Open("mysql", s.AdminDSN()))(t)
		defer admin.Close()
		defer func() {
			if _, err := admin.Exec("SET GLOBAL init_connect = ''"); err != nil {
				t.Error(err)
			}
		}()
		q, v, err := sqlcheck.Check(hidden, nil)
		must.Have(t, err == nil && v.OK, v, err)
		for _, stmt := range hostile {
			must.Get(admin.Exec("SET GLOBAL init_connect = ?", stmt))(t)
			db, err := runner.Open(t.Context(), s.DSN(), runner.Limits{})
			if err != nil {
				t.Errorf("%s: %v", stmt, err)
				continue
			}
			res, err := db.Query(t.Context(), q)
			if err != nil {
				t.Errorf("%s: %v", stmt, err)
			} else if diff := cmp.Diff([][]any{{`縗\`, " , (SELECT SLEEP(0) FROM mysql.user LIMIT 1) -- "}},
				res.Rows); diff != "" {
				t.Errorf("%s: (-want +got):\n%s", stmt, diff)
			}
			res, err = runner.Run(t.Context(), db,
				`SELECT "x", @@sql_mode, @@character_set_client, @@character_set_connection, @@character_set_results, @@sql_auto_is_null,
				@@autocommit, @@completion_type, 'a' = 'A', (SELECT COUNT(*) FROM digit), 1 || 0, @@tmp_table_size, @@max_heap_table_size`, runner.Limits{})
			must.Do(t, err)
			want := [][]any{{"x",
				"ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE," +
					"NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
				"utf8mb4", "utf8mb4", "utf8mb4", int64(0), int64(1), "NO_CHAIN", int64(1), int64(10), int64(1),
				int64(8 << 20), int64(8 << 20)}}
			must.Same(t, res.Rows, want, stmt)
			res, err = runner.Run(t.Context(), db, "SELECT n FROM digit", runner.Limits{})
			must.Be(t, err == nil && len(res.Rows) == 10, stmt, len(res.Rows), "rows", err)
			must.Succeed(t, db.Close())
		}
		db := open(t, as(s, "writer"), runner.Limits{})
		if _, err := runner.Run(t.Context(), db, "SELECT 1; SELECT 2", runner.Limits{}); !isQueryError(err, 1064) {
			t.Errorf("two statements: %v", err)
		}
		if _, err := runner.Run(t.Context(), db, "DELETE FROM digit", runner.Limits{}); !isQueryError(err, 1792) {
			t.Errorf("write: %v", err)
		}
	})
}

// What a data source name may not set is refused before anything is connected to, and no value is printed.
func TestParametersThatDefeatTheChecker(t *testing.T) {
	for _, params := range []string{
		"character_set_client=gbk", "CHARACTER_SET_CLIENT=gbk", "character_set_connection=gbk",
		"character_set_results=gbk", "character_set_database=gbk",
		"character_set_server=gbk", "character_set_filesystem=gbk", "charset=gbk", "charset=utf8mb4,gbk",
		"charset=gbk,utf8mb4", "charset=utf8", "charset=binary",
		"collation=gbk_chinese_ci", "collation=utf8mb4_bin", "collation_connection=gbk_chinese_ci",
		"collation_database=gbk_chinese_ci", "names=gbk",
		"sql_mode=%27ANSI_QUOTES%27", "sql_mode=%27NO_BACKSLASH_ESCAPES%27", "SQL_MODE=%27%27", "sql%5fmode=%27%27",
		"@@sql_mode=%27%27", "session.sql_mode=%27%27",
		"time_zone=%27UTC%27,sql_mode=%27ANSI_QUOTES%27", "time_zone=%27UTC%27,%20character_set_client=gbk",
		"time_zone=(SELECT%20SLEEP(1))", "time_zone=@@sql_mode;",
		"time_zone=%27UTC\\%27", "time_zone=%22UTC%22", "time_zone=%27a%27%20/*",
		"optimizer_switch=%27a%27%27,sql_mode=%27", "big_tables=1,sql_mode=%27ANSI_QUOTES%27",
		"time_zone=%27%2B00:00%27&sql_mode=%27%27", "multiStatements=true", "multiStatements=1", "allowAllFiles=true",
		"interpolateParams=true", "columnsWithAlias=true",
		"rejectReadOnly=true", "init_connect=%27x%27", "autocommit=0", "tx_isolation=%27READ-UNCOMMITTED%27",
		"transaction_isolation=%27SERIALIZABLE%27",
		"transaction_read_only=0", "tx_read_only=0", "max_execution_time=0", "max_statement_time=0",
		"sql_select_limit=1", "sql_auto_is_null=1", "completion_type=2",
		"parser_max_mem_size=18446744073709551615", "tmp_table_size=1", "max_heap_table_size=1",
		"group_concat_max_len=1", "cte_max_recursion_depth=1", "optimizer_search_depth=62",
		"timestamp=1", "system_versioning_asof=%271970-01-01%27", "old_mode=%27%27", "sql_safe_updates=1",
		"default_storage_engine=x", "x,sql_mode=1", "sql_mode", "strict=1", "nope=1",
	} {
		_, err := runner.Open(t.Context(), "u:battery-staple@tcp(127.0.0.1:1)/d?"+params, runner.Limits{})
		var wrong *runner.UsageError
		if err == nil || !errors.As(err, &wrong) && !strings.ContainsAny(params, "@/") ||
			strings.Contains(err.Error(), "battery") || strings.Contains(err.Error(), "gbk") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", params, err)
		}
	}
	each(t, func(t *testing.T, s *local.Server) {
		for _, params := range []string{
			"", "charset=utf8mb4&parseTime=True&loc=Local",
			"parseTime=true&loc=Asia%2FTokyo&clientFoundRows=true&timeTruncate=1s",
			"timeout=5s&readTimeout=1m30s&writeTimeout=1.5s&maxAllowedPacket=0",
			"time_zone=%27%2B02:00%27&lc_time_names=%27en_GB%27", "time_zone=SYSTEM&big_tables=1",
			"optimizer_switch=%27index_merge=off,materialization=on%27",
			"multiStatements=false&allowAllFiles=0&interpolateParams=false",
			"connectionAttributes=program_name:x&compress=true&checkConnLiveness=false",
			"default_week_format=1&div_precision_increment=4",
			"allowNativePasswords=true&allowOldPasswords=false&allowCleartextPasswords=false&tls=false",
		} {
			db, err := runner.Open(t.Context(), s.DSN()+"?"+params, runner.Limits{})
			if err != nil {
				t.Errorf("%s: %v", params, err)
				continue
			}
			if _, err := runner.Run(t.Context(), db, "SELECT n FROM digit", runner.Limits{}); err != nil {
				t.Errorf("%s: %v", params, err)
			}
			must.Succeed(t, db.Close())
		}
	})
}

// A proxy that does not keep what a session was given is not gone on with, whether it says so or not, from the first
// query on or later.
func TestSessionThatDoesNotHold(t *testing.T) {
	const variables = "SELECT @@SESSION.sql_mode, "
	tests := []struct {
		name, want string
		answer     func(row []string) []string
	}{
		{"sql_mode", "sql_mode", func(row []string) []string { row[0] = "ANSI_QUOTES"; return row }},
		{"more sql_mode", "sql_mode", func(row []string) []string { row[0] += ",NO_BACKSLASH_ESCAPES"; return row }},
		{"client", "character_set_client", func(row []string) []string { row[1] = "gbk"; return row }},
		{"connection", "character_set_connection", func(row []string) []string { row[2] = "latin1"; return row }},
		{"results", "character_set_results", func(row []string) []string { row[3] = "latin1"; return row }},
		{"reads otherwise", "the reading of text",
			func(row []string) []string { row[len(row)-1] = "E7B8975C5C"; return row }},
		{"says less", "does not say", func(row []string) []string { return row[:2] }},
		{"says nothing", "does not say", func(row []string) []string { return nil }},
	}
	for _, tt := range tests {
		for _, first := range []int{1, 2} { // the connection is made, the query is run
			checks := 0
			f := newFake(t, func(id uint32, text string) reply {
				if !strings.HasPrefix(text, variables) {
					return reply{}
				}
				a := honest(id, text)
				if checks++; checks >= first {
					if row := tt.answer(a.rows[0]); row == nil {
						a.rows = nil
					} else {
						a.rows[0], a.names = row, a.names[:len(row)]
					}
				}
				return a
			})
			db, err := runner.Open(t.Context(), f.dsn(), runner.Limits{})
			must.Have(t, (err == nil) == (first == 2), tt.name, "opened with", err)
			if err == nil {
				_, err = runner.Run(t.Context(), db, "SELECT 1", runner.Limits{})
				db.Close()
			}
			checkOurs(t, err, tt.want)
			must.Equal(t, strings.Count(strings.Join(f.statements(), "\n")+"\n", "SELECT 1\n"), 0,
				tt.name, "the query was sent")
		}
	}
}

// Bounds hold on real servers, and a smaller one of the administrator's stays.
func TestSessionBounds(t *testing.T) {
	each(t, func(t *testing.T, s *local.Server) {
		admin := must.Get(sql.Open("mysql", s.AdminDSN()))(t)
		defer admin.Close()
		globals := map[string]string{"tmp_table_size": "1073741824", "max_heap_table_size": "1048576",
			"group_concat_max_len": "4294967295", "optimizer_search_depth": "62", "sort_buffer_size": "268435456"}
		want := map[string]string{"tmp_table_size": "8388608", "max_heap_table_size": "1048576",
			"group_concat_max_len": "1048576", "optimizer_search_depth": "7", "sort_buffer_size": "4194304"}
		if s.Engine() == "mysql" {
			want["parser_max_mem_size"], want["max_execution_time"], globals["cte_max_recursion_depth"],
				want["cte_max_recursion_depth"] = "33554432", "7000", "1000000", "10000"
		} else {
			want["max_session_mem_used"], want["max_statement_time"] = "134217728", "7.000000"
		}
		for name, value := range globals {
			must.Get(admin.Exec("SET GLOBAL " + name + " = " + value))(t)
			defer admin.Exec("SET GLOBAL " + name + " = DEFAULT") // the servers end with this test binary
		}
		db := open(t, s.DSN(), runner.Limits{Timeout: 7 * time.Second})
		for name, value := range want {
			res := must.Get(runner.Run(t.Context(), db, "SELECT @@SESSION."+name, runner.Limits{}))(t)
			if got := fmt.Sprint(res.Rows[0][0]); got != value && got+"000000" != value && got+".000000" != value {
				t.Errorf("%s = %s, want %s", name, got, value)
			}
		}
	})
}

// A bound that a server keeps to its administrators costs that bound alone.
func TestRefusedBound(t *testing.T) {
	f := newFake(t, func(id uint32, text string) reply {
		switch {
		case strings.HasPrefix(text, "SHOW SESSION VARIABLES"):
			a := honest(id, text)
			a.rows = append(a.rows, []string{"sort_buffer_size", "1073741824"}, []string{"parser_max_mem_size",
				"18446744073709551615"}, []string{"join_buffer_size", "1073741824"})
			return a
		case strings.Contains(text, "parser_max_mem_size"):
			return reply{code: 1227,
				text: "Access denied; you need (at least one of) the SESSION_VARIABLES_ADMIN privilege(s) for this " +
					"operation"}
		}
		return reply{}
	})
	open(t, f.dsn(), runner.Limits{})
	for _, want := range []string{"SET SESSION sort_buffer_size = 4194304", "SET SESSION join_buffer_size = 4194304"} {
		if !slices.Contains(f.statements(), want) {
			t.Errorf("%s is not among %q", want, f.statements())
		}
	}
}

// A server that can bound the memory of a connection or a query is told to, where its user may.
func TestMemoryBounds(t *testing.T) {
	for _, tt := range []struct{ version, variable, now, want string }{
		{"8.0.28", "connection_memory_limit", "18446744073709551615", "connection_memory_limit = 335544320"},
		{"8.0.28", "connection_memory_limit", "3000000", ""}, // an administrator's
		{"8.0.28", "global_connection_memory_tracking", "OFF", "global_connection_memory_tracking = 1"},
		{"10.11.6-MariaDB", "max_session_mem_used", "9223372036854775807", "max_session_mem_used = 134217728"},
		{"8.0.11-TiDB-v8.5.6", "tidb_mem_quota_query", "1073741824", "tidb_mem_quota_query = 268435456"},
		{"8.0.11-TiDB-v8.5.6", "tidb_mem_quota_query", "-1", "tidb_mem_quota_query = 268435456"},
		{"8.0.11-TiDB-v8.5.6", "tidb_mem_quota_query", "1000000", ""},
	} {
		for _, may := range []bool{true, false} {
			f := newFake(t, func(id uint32, text string) reply {
				a := honest(id, text)
				switch {
				case strings.HasPrefix(text, "SHOW SESSION VARIABLES"):
					a.rows = append(a.rows, []string{tt.variable, tt.now})
				case strings.HasPrefix(text, "SELECT VERSION()"):
					a.rows[0][0] = tt.version
				case strings.Contains(text, tt.variable) && !may:
					return reply{code: 1227, text: "Access denied"}
				}
				return a
			})
			open(t, f.dsn(), runner.Limits{})
			got := slices.Contains(f.statements(), "SET SESSION "+tt.want)
			must.Equal(t, got, tt.want != "", tt.version, tt.variable, tt.now, f.statements())
		}
	}
}

// A statement that MySQL would expand without end, deaf to KILL, ends at once where the server offers a bound.
func TestExpansionBomb(t *testing.T) {
	bomb := "WITH a0 AS (SELECT 1 x UNION ALL SELECT 1)"
	for i := range 25 {
		bomb += fmt.Sprintf(", a%d AS (SELECT p.x FROM a%d p JOIN a%d q ON p.x = q.x)", i+1, i, i)
	}
	bomb += " SELECT COUNT(*) FROM a25"
	s := start(t, "mysql")
	db := open(t, s.DSN(), runner.Limits{})
	if _, err := runner.Run(t.Context(), db, bomb, runner.Limits{}); !isQueryError(err, 3170) {
		t.Error(err)
	}
}
