package sqlcheck

import (
	_ "embed"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/cost"
	"nl2sql/sqlcheck/syntax"
)

// Functions lists what [Check] lets statements call, sorted: scalar, aggregate and window functions, by the lower-case
// names that TiDB's parser gives them. An engine's tests go through it.
func Functions() (names []string) {
	names = slices.AppendSeq(names, maps.Keys(cost.Arities))
	names = slices.AppendSeq(names, maps.Keys(aggregates))
	names = slices.AppendSeq(names, maps.Keys(windowOnly))
	slices.Sort(names)
	return names
}

// functionTexts are lists of functions by their kinds, which it explains.
//
//go:embed functions.txt
var functionTexts string

var (
	listed             = syntax.Table(functionTexts)
	grammarFunctions   = syntax.WordSet(listed["grammar"])
	aggregates         = syntax.WordSet(listed["aggregate"])
	distinctAggregates = syntax.WordSet(listed["distinct"])
	windowOnly         = syntax.WordSet(listed["window"])
	forbidden          = syntax.WordSet(listed["forbidden"])
)

// foreign are functions of other databases that models write, with what MySQL has instead.
//
//go:embed foreign.txt
var foreign string

var foreignFunctions = syntax.Table(foreign)

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

// Calls are the functions that the query calls with arguments, lower-case and sorted. A server that has not all of them
// of its own would look for stored ones of their names. Those without arguments (NOW, PI, UUID …) every server has, and
// so it has what is part of MySQL's grammar alone.
func (q Query) Calls() []string {
	if q.stmt == nil {
		return nil
	}
	calls := map[string]bool{}
	for _, n := range syntax.All[ast.Node](q.stmt) {
		name := ""
		switch n := n.(type) {
		case *ast.FuncCallExpr:
			if cost.Arities[n.FnName.L].Least > 0 {
				name = n.FnName.L
			}
		case *ast.AggregateFuncExpr:
			name = strings.ToLower(n.F)
		}
		if plainName.MatchString(name) && !grammarOnly[name] {
			calls[name] = true
		}
	}
	return slices.Sorted(maps.Keys(calls))
}

// plainName leaves out what the parser makes of literals.
var plainName = regexp.MustCompile(`^[a-z0-9_]+$`)

// grammarOnly are the parser's names of what no server looks up: CHAR, INSERT, MEMBER OF, and POINT with its two
// arguments.
var grammarOnly = syntax.WordSet("char_func insert_func json_memberof point")
