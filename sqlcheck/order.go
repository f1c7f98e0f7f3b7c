package sqlcheck

import (
	"slices"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Order is how the outermost query sorts and cuts its rows. A comparison needs it to know which rows could as well
// stand elsewhere, or could as well have been cut.
type Order struct {
	Sorted  bool
	Limited bool
	Offset  int // rows that LIMIT skips
	Count   int // rows that LIMIT leaves; meaningless if not Limited

	// Probe is the query without its LIMIT, with the sort keys that it does not show appended as last columns; "" if
	// there is no such query, or if the query neither sorts nor cuts.
	Probe string
	Keys  []int // the columns of Probe's result that are the sort keys
}

// OrderOf reads the outermost ORDER BY and LIMIT of q, which was checked against s.
func OrderOf(q Query, s *schema.Schema) (Order, error) {
	bound, ok := Tree(q, s)
	if !ok {
		return Order{}, nil
	}
	var by *ast.OrderByClause
	var limit **ast.Limit
	var sel *ast.SelectStmt // nil for a set operation
	switch n := bound.Stmt.(type) {
	case *ast.SelectStmt:
		by, limit, sel = n.OrderBy, &n.Limit, n
	case *ast.SetOprStmt:
		by, limit = n.OrderBy, &n.Limit
	}
	o := Order{Sorted: by != nil, Limited: *limit != nil}
	if o.Limited {
		var known bool
		if o.Count, known = syntax.LiteralCount((*limit).Count); known && (*limit).Offset != nil {
			o.Offset, known = syntax.LiteralCount((*limit).Offset)
		}
		if !known {
			return o, nil
		}
		*limit = nil
	}
	if !o.Sorted && !o.Limited {
		return o, nil
	}
	columns := len(bound.Output)
	if by != nil {
		for _, item := range by.Items {
			key, known := shownKey(bound, item.Expr)
			if !known {
				names := func(n *ast.ColumnName) bool { // an item of the select list: it means nothing inside of that
					ref := bound.Ref(n)
					return ref == nil || ref.Source == nil
				}
				if sel == nil || sel.Distinct || slices.ContainsFunc(syntax.ColumnNames(item.Expr), names) {
					return o, nil
				}
				sel.Fields.Fields = append(sel.Fields.Fields, &ast.SelectField{Expr: item.Expr})
				key, columns = columns, columns+1
			}
			o.Keys = append(o.Keys, key)
		}
	}
	var err error
	o.Probe, err = syntax.Restore(bound.Stmt)
	return o, err
}

// shownKey is the column of the result that a sort key is.
func shownKey(b *bind.Bound, expr ast.ExprNode) (column int, ok bool) {
	if n, is := syntax.Position(expr); is {
		return n - 1, true
	}
	if ref := b.RefOf(expr); ref != nil && ref.Output >= 0 {
		return ref.Output, true
	}
	want := b.ExprKey(expr)
	for i, out := range b.Output {
		if out.Expr != nil && want != "" && b.ExprKey(out.Expr) == want {
			return i, true
		}
	}
	return 0, false
}
