package runner

import (
	"fmt"
	"strings"
	"time"
)

// dialect is what differs between the servers that speak MySQL's protocol.
type dialect struct {
	engine string // Backend.Engine
	mark   string // part of VERSION()
	// session variables of every connection; %s stands for the statement timeout.
	readOnly, timeout string
	unit              time.Duration // of the timeout variable
	readOnlyTx        bool          // START TRANSACTION READ ONLY works
	timedOut          uint16        // error number of a statement that took too long
}

// dialects are searched in order; the last one fits every server.
//
// START TRANSACTION READ ONLY alone is left by the implicit commit of DDL, the session variable alone by nothing but SET,
// which the checker refuses; a session gets both. TiDB has neither (both are no-ops behind a switch), so that there only the checker
// and the user's grants keep a session from writing. TiDB is not tested: no server of it can be had.
var dialects = []dialect{
	{engine: "tidb", mark: "TiDB", timeout: "max_execution_time", unit: time.Millisecond, timedOut: 3024},
	{engine: "mariadb", mark: "MariaDB", readOnly: "tx_read_only", timeout: "max_statement_time", unit: time.Second, readOnlyTx: true, timedOut: 1969},
	{engine: "mysql", readOnly: "transaction_read_only", timeout: "max_execution_time", unit: time.Millisecond, readOnlyTx: true, timedOut: 3024},
}

func dialectOf(version string) dialect {
	for _, d := range dialects {
		if strings.Contains(version, d.mark) {
			return d
		}
	}
	panic("unreachable: the last dialect's mark is empty")
}

// sqlMode is MySQL 8.0's default, on every server: the checker lexes by it (no ANSI_QUOTES, no NO_BACKSLASH_ESCAPES,
// no PIPES_AS_CONCAT), and a selected column that GROUP BY leaves undetermined is an error, not a random row.
const sqlMode = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"

// setup is the statement that prepares a connection.
func (d dialect) setup(l Limits) string {
	var limit string
	switch d.unit {
	case time.Second:
		limit = fmt.Sprintf("%.3f", l.Timeout.Seconds())
	default:
		limit = fmt.Sprint(max(l.Timeout.Milliseconds(), 1)) // 0 would mean none
	}
	set := []string{
		"sql_mode = '" + sqlMode + "'",
		d.timeout + " = " + limit,
		fmt.Sprintf("lock_wait_timeout = %d", max(int(l.Timeout.Seconds()), 1)), // seconds; a year by default
	}
	if d.engine == "tidb" {
		set = set[:2] // it takes no such locks
	}
	if d.readOnly != "" {
		set = append(set, d.readOnly+" = 1")
	}
	return "SET SESSION " + strings.Join(set, ", SESSION ")
}
