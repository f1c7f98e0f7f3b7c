package ambiguity

import (
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/syntax"
)

// ties shows the first rows of an order with all that tie for the last place.
//
//	SELECT name FROM pets ORDER BY age LIMIT 1 →
//	SELECT name FROM (SELECT name, RANK() OVER (ORDER BY age) AS place FROM pets) AS ranked WHERE place <= 1
func (r *reader) ties() {
	sel, is := r.b.Stmt.(*ast.SelectStmt)
	if !is || sel.OrderBy == nil || sel.Limit == nil || sel.Limit.Offset != nil || sel.Distinct || sel.With != nil {
		return
	}
	shown := syntax.LimitCount(sel.Limit)
	if shown == 0 {
		return
	}
	a := Alternative{Kind: Tie, Word: strconv.Itoa(shown), Taken: "the first", Other: "all that tie"}
	r.add(a, func(b *bind.Bound) (ast.Node, bool) { return ranked(b, shown) })
}

// ranked is a query of all rows whose place in the order of b is no later than one.
func ranked(b *bind.Bound, place int) (ast.Node, bool) {
	inner, block := b.Stmt.(*ast.SelectStmt), b.Blocks[0]
	by := &ast.OrderByClause{}
	for _, item := range inner.OrderBy.Items {
		e, ok := computed(b, block, item.Expr)
		if !ok {
			return nil, false
		}
		by.Items = append(by.Items, &ast.ByItem{Expr: e, Desc: item.Desc, NullOrder: true})
	}
	var fields []*ast.SelectField
	labels := map[string]bool{rank: true}
	for i, f := range inner.Fields.Fields {
		if f.Expr == nil || i >= len(block.Output) {
			return nil, false
		}
		label := block.Output[i].Label
		if labels[strings.ToLower(label)] {
			return nil, false
		}
		labels[strings.ToLower(label)] = true
		field := &ast.SelectField{Expr: syntax.ColumnExpr("", label)}
		if _, column := syntax.Unparen(f.Expr).(*ast.ColumnNameExpr); !column && f.AsName.O == "" {
			f.AsName = ast.NewCIStr("c" + strconv.Itoa(i+1))
			field = &ast.SelectField{Expr: syntax.ColumnExpr("", f.AsName.O), AsName: ast.NewCIStr(label)}
		}
		fields = append(fields, field)
	}
	window := &ast.WindowFuncExpr{Name: "RANK", Spec: ast.WindowSpec{OrderBy: by}}
	inner.Fields.Fields = append(inner.Fields.Fields, &ast.SelectField{Expr: window, AsName: ast.NewCIStr(rank)})
	inner.OrderBy, inner.Limit = nil, nil
	out := &ast.SelectStmt{}
	if !edit.Derive(out, inner, "ranked", fields...) {
		return nil, false
	}
	out.Where = &ast.BinaryOperationExpr{
		Op: opcode.LE, L: syntax.ColumnExpr("", rank), R: ast.NewValueExpr(int64(place), "", ""),
	}
	out.OrderBy = &ast.OrderByClause{Items: []*ast.ByItem{{Expr: syntax.ColumnExpr("", rank), NullOrder: true}}}
	return out, true
}

// rank is what the place of a row is called.
const rank = "place"

// computed is an item of ORDER BY with what its positions and aliases stand for.
func computed(b *bind.Bound, block *bind.Block, e ast.ExprNode) (ast.ExprNode, bool) {
	if n, is := syntax.Position(e); is {
		if n < 1 || n > len(block.Output) || block.Output[n-1].Expr == nil {
			return nil, false
		}
		return block.Output[n-1].Expr, true
	}
	return edit.Replace(e, func(n ast.ExprNode, enters bool) ast.ExprNode {
		c, is := n.(*ast.ColumnNameExpr)
		if !is || enters {
			return n
		}
		ref := b.Ref(c.Name)
		if ref == nil || ref.Output < 0 || ref.Home != block || block.Output[ref.Output].Expr == nil {
			return n
		}
		return block.Output[ref.Output].Expr
	}), true
}
