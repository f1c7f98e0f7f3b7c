package explain

import (
	"fmt"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// joined says how a row of a query is with those before it, by the operator between; ALL keeps repeated rows.
var joined = map[ast.SetOprType]string{
	ast.Union: " or of ", ast.UnionAll: " or of ", ast.Except: " but not of ", ast.ExceptAll: " but not of ",
	ast.Intersect: " and also of ", ast.IntersectAll: " and also of ",
}

// set explains a set operation: its parts have numbers.
func (w writer) set(node ast.Node, selects []ast.Node, by *ast.OrderByClause, limit *ast.Limit, e *Explanation) {
	var names []string
	for _, sel := range selects {
		*w.number++
		name := fmt.Sprintf("(%d)", *w.number)
		names = append(names, name)
		*w.apart = append(*w.apart, w.query(sel, name))
	}
	terms, ops, keeps := names[:1:1], []string{}, false
	for i, sel := range selects[1:] { // INTERSECT binds tighter than the others
		op := operator(sel)
		keeps = op == ast.UnionAll || op == ast.ExceptAll || op == ast.IntersectAll
		last := len(terms) - 1
		if joined[op] == joined[ast.Intersect] && (last > 0 || strings.HasPrefix(terms[0], "[")) {
			terms[last] = "[" + strings.Trim(terms[last], "[]") + joined[op] + names[i+1] + "]"
			continue
		}
		terms, ops = append(terms, names[i+1]), append(ops, joined[op])
	}
	text := terms[0]
	for i, op := range ops {
		if i > 0 && op != ops[i-1] {
			text = "[" + text + "]"
		}
		text += op + terms[i+1]
	}
	e.Row = "one row of " + text
	if keeps {
		e.Row += ", repeated ones too"
	} else {
		e.Row += ", each different one once"
	}
	w.block = nil
	if q := w.Queries[selects[0]]; q != nil {
		w.block = q.Block // names in ORDER BY are its columns
	}
	w.alias = true
	e.Order = w.order(by)
	e.Limit = w.limit(limit, by != nil)
}

// operator is what stands before a part of a set operation.
func operator(n ast.Node) ast.SetOprType {
	var op *ast.SetOprType
	switch n := n.(type) {
	case *ast.SelectStmt:
		op = n.AfterSetOperator
	case *ast.SetOprSelectList:
		op = n.AfterSetOperator
	case *ast.SetOprStmt:
		op = n.SelectList.AfterSetOperator
	}
	if op == nil {
		return ast.Union
	}
	return *op
}
