package explain

import "github.com/pingcap/tidb/pkg/parser/ast"

// joined says how a row of a query is with those before it, by the operator between.
var joined = map[ast.SetOprType]string{
	ast.Union: " or of ", ast.UnionAll: " or of ", ast.Except: " but not of ", ast.ExceptAll: " but not of ",
	ast.Intersect: " and also of ", ast.IntersectAll: " and also of ",
}

// set explains a set operation: its parts have numbers. Several operators are shown as SQL has them.
func (w writer) set(selects []ast.Node, by *ast.OrderByClause, limit *ast.Limit, e *Explanation) {
	words, last, same := "", ast.Union, true
	written := ""
	for i, sel := range selects {
		name := w.apartAs(sel)
		if i > 0 {
			op := operator(sel)
			same = same && (i == 1 || op == last)
			words, written, last = words+joined[op], written+" "+op.String()+" ", op
		}
		words, written = words+name, written+name
	}
	switch keeps := last == ast.UnionAll || last == ast.ExceptAll || last == ast.IntersectAll; {
	case !same:
		e.Row = "one row of " + written
	case keeps:
		e.Row = "one row of " + words + ", repeated ones too"
	default:
		e.Row = "one row of " + words + ", each different one once"
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
