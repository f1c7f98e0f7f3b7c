package sqlcheck

import (
	"slices"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

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

// dropOrder takes ORDER BY out of the SELECTs that give one row, and out of those that are grouped, for which it says
// nothing. MySQL 8.0.15 does so, too, and ends with signal 11 if a column of a derived table that is a subquery stands
// there and elsewhere:
//
//	SELECT MAX(x) FROM (SELECT (SELECT COUNT(*) FROM tag) AS x FROM doc) d ORDER BY x
//	SELECT DISTINCT x FROM (SELECT y AS x FROM (SELECT (SELECT 1 FROM tag) AS y FROM doc) d ORDER BY y) e
func dropOrder(b *bind.Bound) {
	for _, block := range b.Blocks {
		if block.Grouped && block.Select.GroupBy == nil {
			block.Select.OrderBy = nil
		}
		if block.Grouped || block.Select.Distinct {
			dropInner(block)
		}
	}
}

func dropInner(block *bind.Block) {
	for _, src := range block.Sources {
		if src.Inner != nil && src.Inner.Block != nil && src.Inner.Block.Select.Limit == nil {
			src.Inner.Block.Select.OrderBy = nil
			dropInner(src.Inner.Block)
		}
	}
}

// guardRegexps writes an IF around the functions of regular expressions that end a MySQL 8.0.15 for every client.
// REGEXP_REPLACE does so over an empty text behind a row in which something was replaced. REGEXP_SUBSTR of what is NOT
// NULL is taken to be so too, and where it finds nothing a sort that has no place for NULL ends with signal 11, IS NULL
// is false, and groups have an empty text:
//
//	REGEXP_REPLACE(x, 'a', 'b') → IF(LENGTH(x) = 0, x, REGEXP_REPLACE(x, 'a', 'b'))
//	REGEXP_SUBSTR(x, 'a') → IF(1, REGEXP_SUBSTR(x, 'a'), NULL)
//
// It is false where more than maxReplaced calls of REGEXP_REPLACE stand in each other, which would triple the text for
// each.
func guardRegexps(stmt ast.StmtNode) bool {
	g := &regexpGuard{guarded: map[*ast.FuncCallExpr]bool{}}
	stmt.Accept(g)
	return !g.tooDeep
}

const maxReplaced = 5

type regexpGuard struct {
	guarded map[*ast.FuncCallExpr]bool
	depth   int
	tooDeep bool
}

// Enter implements ast.Visitor. What is guarded already stays as it is.
func (g *regexpGuard) Enter(n ast.Node) (ast.Node, bool) {
	call, ok := n.(*ast.FuncCallExpr)
	if !ok {
		return n, g.tooDeep
	}
	if call.FnName.L == "if" && len(call.Args) == 3 {
		for _, arg := range call.Args[1:] {
			if inner, ok := arg.(*ast.FuncCallExpr); ok && guarded(inner) != inner {
				is, _ := syntax.Print(call)
				want, _ := syntax.Print(guarded(inner))
				g.guarded[inner] = is == want
			}
		}
	}
	if call.FnName.L == "regexp_replace" && !g.guarded[call] {
		g.depth++
		g.tooDeep = g.tooDeep || g.depth > maxReplaced
	}
	return n, g.tooDeep
}

// Leave implements ast.Visitor.
func (g *regexpGuard) Leave(n ast.Node) (ast.Node, bool) {
	call, ok := n.(*ast.FuncCallExpr)
	if !ok || g.guarded[call] || g.tooDeep {
		return n, true
	}
	if call.FnName.L == "regexp_replace" {
		g.depth--
	}
	return guarded(call), true
}

// guarded is a call as it is sent.
func guarded(call *ast.FuncCallExpr) ast.ExprNode {
	args := []ast.ExprNode{ast.NewValueExpr(1, "", ""), call, ast.NewValueExpr(nil, "", "")}
	switch call.FnName.L {
	case "regexp_replace":
		x := call.Args[0]
		if text, literal := syntax.LiteralText(x); literal && text != "" {
			return call
		}
		length := &ast.FuncCallExpr{FnName: ast.NewCIStr("LENGTH"), Args: []ast.ExprNode{x}}
		empty := &ast.BinaryOperationExpr{Op: opcode.EQ, L: length, R: ast.NewValueExpr(0, "", "")}
		args = []ast.ExprNode{empty, x, call}
	case "regexp_substr":
	default:
		return call
	}
	return &ast.FuncCallExpr{FnName: ast.NewCIStr("IF"), Args: args}
}
