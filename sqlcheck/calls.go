package sqlcheck

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/cost"
	"nl2sql/sqlcheck/syntax"
)

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
