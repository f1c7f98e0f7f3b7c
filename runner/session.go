package runner

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// setting is a session variable that every connection gets where its server offers it. What a query means must hang
// neither on the server's configuration, its init_connect or a data source name, nor on a proxy; and what it may take
// is bounded by more than our own clock.
type setting struct {
	name  string
	value func(l Limits) string // as SQL writes it
	// reads is what the server must say of it before each query; "" is not looked at.
	reads string
	// most says that value is the most that it may be: a smaller one of the server's stays. 0 stands for no bound.
	most bool
	tidb bool // TiDB takes it, too
}

// settings by what they are for. Source: MySQL 8.0 Reference Manual and MariaDB Server Documentation, "Server System
// Variables".
var settings = []setting{
	// How text is read and sent. The checker lexes as MySQL 8.0 does by default: backslashes escape, "" quotes text.
	{name: "sql_mode", value: quoted(sqlMode), reads: sqlMode, tidb: true},
	{name: "character_set_client", value: word("utf8mb4"), reads: "utf8mb4", tidb: true},
	{name: "character_set_connection", value: word("utf8mb4"), reads: "utf8mb4", tidb: true},
	{name: "character_set_results", value: word("utf8mb4"), reads: "utf8mb4", tidb: true},

	// What a statement means: no `id IS NULL` that finds the last row inserted, no row left out unasked.
	{name: "sql_auto_is_null", value: word("0"), reads: "0"},
	{name: "sql_select_limit", value: word(everyRow), reads: everyRow, tidb: true},

	// How definitions are printed: names in backquotes.
	{name: "sql_quote_show_create", value: word("1")},

	// Transactions: each query has one that cannot write, sees one state and locks nothing.
	{name: "transaction_read_only", value: word("1"), reads: "1"},
	{name: "tx_read_only", value: word("1"), reads: "1"},
	{name: "transaction_isolation", value: quoted("REPEATABLE-READ")},
	{name: "tx_isolation", value: quoted("REPEATABLE-READ")},
	{name: "autocommit", value: word("1")},
	{name: "completion_type", value: word("0")},

	// Time, in milliseconds for MySQL, where 0 would mean none, and in seconds.
	{name: "max_execution_time", value: func(l Limits) string { return fmt.Sprint(max(l.Timeout.Milliseconds(), 1)) },
		tidb: true},
	{name: "max_statement_time", value: func(l Limits) string { return fmt.Sprintf("%.3f", l.Timeout.Seconds()) }},
	{name: "lock_wait_timeout", value: seconds}, // a year by default
	{name: "innodb_lock_wait_timeout", value: seconds, most: true},

	// Memory, in bytes. The first stops a statement that MySQL would expand without end, before KILL reaches it.
	{name: "parser_max_mem_size", value: number(32 << 20), most: true},
	{name: "max_session_mem_used", value: number(128 << 20), most: true},             // MariaDB
	{name: "tidb_mem_quota_query", value: number(256 << 20), most: true, tidb: true}, // of one query
	{name: "connection_memory_limit", value: number(320 << 20), most: true},          // MySQL 8.0.28
	{name: "global_connection_memory_tracking", value: word("1"), most: true},        // for its bound of all
	// Temporary tables: the older of MySQL's two engines for them keeps to the two bounds behind it. TempTable does so
	// from 8.0.28 on, and from then on MySQL leaves this variable to administrators.
	{name: "internal_tmp_mem_storage_engine", value: word("MEMORY"), most: true},
	{name: "tmp_table_size", value: number(8 << 20), most: true},
	{name: "max_heap_table_size", value: number(8 << 20), most: true},
	{name: "group_concat_max_len", value: number(1 << 20), most: true},
	{name: "sort_buffer_size", value: number(4 << 20), most: true},
	{name: "join_buffer_size", value: number(4 << 20), most: true},
	{name: "read_buffer_size", value: number(1 << 20), most: true},
	{name: "read_rnd_buffer_size", value: number(1 << 20), most: true},
	{name: "range_optimizer_max_mem_size", value: number(8 << 20), most: true},

	// Disk, in bytes: MariaDB 11.5.
	{name: "max_tmp_session_space_usage", value: number(2 << 30), most: true},

	// Work that no clock looks at: the search for a join order, and recursion.
	{name: "optimizer_search_depth", value: number(7), most: true},
	{name: "cte_max_recursion_depth", value: number(10_000), most: true},
}

// sqlMode is MySQL 8.0's default, on every server: the checker lexes by it (no ANSI_QUOTES, no NO_BACKSLASH_ESCAPES,
// no PIPES_AS_CONCAT), and a selected column that GROUP BY leaves undetermined is an error, not a random row.
const sqlMode = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"

// everyRow is the sql_select_limit that leaves none out.
const everyRow = "18446744073709551615"

func word(w string) func(Limits) string { return func(Limits) string { return w } }

func quoted(t string) func(Limits) string { return word("'" + t + "'") }

func number(n int64) func(Limits) string { return word(strconv.FormatInt(n, 10)) }

func seconds(l Limits) string { return strconv.Itoa(max(int(l.Timeout.Seconds()), 1)) }

// session is a prepared connection. It knows its place, by which another one can stop it, and what it must hold.
type session struct {
	mysqlConn
	place
	check string // a SELECT of what must hold
	holds []pinned
}

// place is where a connection ends. Behind a balancer two connections may end on two servers, and an id is one
// server's.
type place struct {
	id     int64
	server string // its name and port, as it says
}

// pinned is something that the server must say.
type pinned struct{ name, value string }

// canary is text that a server reads otherwise if it takes UTF-8 for a character set in which 0x5C can be the second
// byte of a character (gbk, big5, sjis), or a backslash for itself, whatever its variables say.
const canary, canaryIs = `HEX('縗\\')`, "E7B8975C"

// newSession makes the settings hold on a fresh connection.
func newSession(ctx context.Context, conn mysqlConn, l Limits) (session, error) {
	greeting, err := query(ctx, conn, "SELECT VERSION(), CONNECTION_ID(), @@hostname, @@port")
	if err != nil {
		return session{}, err
	}
	if len(greeting) != 1 || len(greeting[0]) != 4 {
		return session{}, errors.New("it does not say its version")
	}
	s := session{mysqlConn: conn, place: place{server: greeting[0][2] + ":" + greeting[0][3]}}
	if s.id, err = strconv.ParseInt(greeting[0][1], 10, 64); err != nil {
		return session{}, fmt.Errorf("CONNECTION_ID() is %.40q", greeting[0][1])
	}
	// First, or it cuts the list of variables.
	if _, err := conn.ExecContext(ctx, "SET SESSION sql_select_limit = "+everyRow, nil); err != nil {
		return session{}, err
	}
	tidb := dialectOf(greeting[0][0]).engine == "tidb"
	var names []string
	for _, v := range settings {
		names = append(names, "'"+v.name+"'")
	}
	rows, err := query(ctx, conn, "SHOW SESSION VARIABLES WHERE Variable_name IN ("+strings.Join(names, ", ")+")")
	if err != nil {
		return session{}, err
	}
	offered := map[string]string{}
	for _, row := range rows {
		if len(row) == 2 {
			offered[row[0]] = row[1]
		}
	}
	var set, bounds, read []string
	for _, v := range settings {
		now, ok := offered[v.name]
		if !ok || tidb && !v.tidb {
			continue
		}
		value := v.value(l)
		if v.most {
			if !within(now, value) {
				bounds = append(bounds, "SESSION "+v.name+" = "+value)
			}
			continue
		}
		set = append(set, "SESSION "+v.name+" = "+value)
		if v.reads != "" {
			read = append(read, "@@SESSION."+v.name)
			s.holds = append(s.holds, pinned{v.name, v.reads})
		}
	}
	s.check = "SELECT " + strings.Join(append(read, canary), ", ")
	s.holds = append(s.holds, pinned{"the reading of text", canaryIs})
	if len(read) == 0 {
		return session{}, errors.New("it has no sql_mode and no character_set_client")
	}
	if _, err := conn.ExecContext(ctx, "SET "+strings.Join(set, ", "), nil); err != nil {
		return session{}, err
	}
	if err := bound(ctx, conn, bounds); err != nil {
		return session{}, err
	}
	return s, s.pinned(ctx)
}

// bound sets what it can: some server may keep a variable to its administrators.
func bound(ctx context.Context, conn mysqlConn, bounds []string) error {
	if len(bounds) == 0 {
		return nil
	}
	_, err := conn.ExecContext(ctx, "SET "+strings.Join(bounds, ", "), nil)
	if err == nil || !answered(err) {
		return err
	}
	if len(bounds) > 1 { // one after the other
		for i := range bounds {
			if err := bound(ctx, conn, bounds[i:i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// within says that a number of the server's is no more than a bound.
func within(now, bound string) bool {
	n, err := strconv.ParseUint(now, 10, 64)
	most, _ := strconv.ParseUint(bound, 10, 64) // a number of ours
	return err == nil && n > 0 && n <= most
}

// pinned is an error if the session does not hold what it was given.
func (s session) pinned(ctx context.Context) error {
	rows, err := query(ctx, s.mysqlConn, s.check)
	if refused := (*mysql.MySQLError)(nil); errors.As(err, &refused) && refused.Number == 1064 {
		return unpinned{"the reading of text", "a syntax error", canaryIs}
	}
	if err != nil {
		return err
	}
	if len(rows) != 1 || len(rows[0]) != len(s.holds) {
		return errors.New("it does not say what its session holds")
	}
	for i, want := range s.holds {
		if got := rows[0][i]; !sameFlags(got, want.value) {
			return unpinned{want.name, got, want.value}
		}
	}
	return nil
}

// sameFlags compares lists without regard to order and case.
func sameFlags(a, b string) bool {
	sorted := func(s string) []string {
		flags := strings.Split(strings.ToUpper(s), ",")
		slices.Sort(flags)
		return flags
	}
	return slices.Equal(sorted(a), sorted(b))
}

// unpinned says that a session reads text otherwise than the checker did.
type unpinned struct{ name, got, want string }

func (e unpinned) Error() string {
	return fmt.Sprintf("its session does not keep %s: %.80q instead of %.80q, so it would read other text than was checked; "+
		"connect to the server itself, not through what changes its sessions", e.name, e.got, e.want)
}

// query reads a small result of the driver's; NULL is "".
func query(ctx context.Context, conn mysqlConn, text string) (out [][]string, err error) {
	rows, err := conn.QueryContext(ctx, text, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	row := make([]driver.Value, len(rows.Columns()))
	for {
		switch err := rows.Next(row); {
		case err == io.EOF:
			return out, nil
		case err != nil:
			return nil, err
		case len(out) > len(settings):
			return nil, errors.New("too many rows")
		}
		cells := make([]string, len(row))
		for i, v := range row {
			switch v := v.(type) {
			case nil:
			case []byte:
				cells[i] = string(v)
			default:
				cells[i] = fmt.Sprint(v)
			}
		}
		out = append(out, cells)
	}
}
