package sqlcheck

import (
	"slices"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// Unsteady lists the functions in q whose value differs from run to run: those of the clock, and RAND without a seed.
func Unsteady(q Query) []string {
	w := unsteadyWalk{}
	q.stmt.Accept(&w)
	return w.found
}

type unsteadyWalk struct{ found []string }

// Enter implements ast.Visitor.
func (w *unsteadyWalk) Enter(n ast.Node) (ast.Node, bool) {
	f, ok := n.(*ast.FuncCallExpr)
	if !ok {
		return n, false
	}
	name := f.FnName.L
	bare := len(f.Args) == 0 && (name == "rand" || name == "unix_timestamp")
	if (bare || clockFunctions[name]) && !slices.Contains(w.found, name) {
		w.found = append(w.found, name)
	}
	return n, false
}

// Leave implements ast.Visitor.
func (w *unsteadyWalk) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// clockFunctions read the clock whatever their arguments.
var clockFunctions = map[string]bool{
	"curdate": true, "current_date": true, "curtime": true, "current_time": true, "now": true, "current_timestamp": true,
	"localtime": true, "localtimestamp": true, "sysdate": true, "utc_date": true, "utc_time": true, "utc_timestamp": true,
}
