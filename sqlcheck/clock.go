package sqlcheck

import (
	"slices"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

// Unsteady lists the functions in q whose value differs from run to run: those of the clock, and RAND without a seed.
func Unsteady(q Query) (found []string) {
	for _, f := range syntax.All[*ast.FuncCallExpr](q.stmt) {
		name := f.FnName.L
		bare := len(f.Args) == 0 && (name == "rand" || name == "unix_timestamp")
		if (bare || clockFunctions[name]) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}

// clockFunctions read the clock whatever their arguments.
var clockFunctions = syntax.WordSet(`curdate current_date curtime current_time now current_timestamp localtime
	localtimestamp sysdate utc_date utc_time utc_timestamp`)
