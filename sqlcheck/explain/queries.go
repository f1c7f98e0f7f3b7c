package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// Bounds of what is told within the sentence around it; other queries are told apart, under a number.
const (
	mostConditions = 3
	mostWithin     = 2 // queries in each other
)

// short is the block of a subquery that is told within the sentence around it: of one table, without groups and limits.
// What EXISTS asks may show anything.
func (w writer) short(n ast.ResultSetNode, exists bool) *bind.Block {
	sel, ok := n.(*ast.SelectStmt)
	if !ok || sel.With != nil || sel.GroupBy != nil || sel.Having != nil || sel.Limit != nil ||
		len(sel.WindowSpecs) > 0 || w.within >= mostWithin || len(sel.Fields.Fields) != 1 && !exists {
		return nil
	}
	q := w.Queries[sel]
	if q == nil || q.Block == nil || len(q.Block.Sources) != 1 || q.Block.Sources[0].Table == nil {
		return nil
	}
	conds := syntax.Conjuncts(sel.Where)
	if len(conds) > mostConditions {
		return nil
	}
	if shown := sel.Fields.Fields[0].Expr; shown != nil && !exists {
		conds = append(conds, shown)
	}
	w.within++
	if slices.ContainsFunc(conds, func(c ast.ExprNode) bool { return !w.simple(c) }) {
		return nil
	}
	return q.Block
}

// simple says that the queries within an expression are told within a sentence too.
func (w writer) simple(e ast.ExprNode) bool {
	simple := true
	syntax.Visit(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExistsSubqueryExpr:
			q, ok := syntax.Unparen(n.Sel).(*ast.SubqueryExpr)
			simple = simple && ok && w.short(q.Query, true) != nil
			return false
		case *ast.SubqueryExpr:
			simple = simple && w.short(n.Query, false) != nil
			return false
		case *ast.WindowFuncExpr:
			simple = false
		}
		return simple
	})
	return simple
}

// inside is the writer of a query that is told within a sentence.
func (w writer) inside(b *bind.Block) writer {
	w.block, w.alias = b, false
	w.within++
	return w
}

// where is the conditions of a query that is told within a sentence.
func (w writer) where() string {
	if text := w.both(syntax.Conjuncts(w.block.Select.Where)); text != "" {
		return " where " + text
	}
	return ""
}

// apartAs explains a query apart and returns its number.
func (w writer) apartAs(n ast.Node) string {
	*w.number++
	name := fmt.Sprintf("(%d)", *w.number)
	inner := w
	inner.block, inner.alias, inner.within = nil, false, 0
	*w.apart = append(*w.apart, inner.query(n, name))
	return name
}

// values are all that a subquery finds: "the customer numbers of orders where …".
func (w writer) values(e ast.ExprNode) string {
	n, ok := syntax.Unparen(e).(*ast.SubqueryExpr)
	if !ok {
		return w.value(e)
	}
	b := w.short(n.Query, false)
	if b == nil {
		return "the values of " + w.apartAs(n.Query)
	}
	in, expr := w.inside(b), b.Select.Fields.Fields[0].Expr
	many := in.nouns[b.Sources[0]].many
	switch column := w.own(b, expr); {
	case expr == nil: // a star of one column
		return "the values of " + many + in.where()
	case b.Grouped:
		return in.single(expr)
	case column != "":
		return "the " + valuesOf(column) + " of " + many + in.where()
	}
	return "the values of " + in.part(expr) + " of " + many + in.where()
}

// own is the name of the column of a block's own table that an expression is; "" if it is none.
func (w writer) own(b *bind.Block, e ast.ExprNode) string {
	if ref := w.RefOf(e); ref != nil && ref.Home == b && ref.Source != nil {
		return name(ref.Source.Columns[ref.Index].Name)
	}
	return ""
}

// valuesOf is a column's name in the plural.
func valuesOf(column string) string {
	parts := strings.Fields(column)
	last := parts[len(parts)-1]
	if strings.ToLower(last) != last || noNoun(last) {
		return "values of " + column
	}
	parts[len(parts)-1] = plural(singular(last))
	return strings.Join(parts, " ")
}

// single is the one value of an aggregate over a table.
func (w writer) single(e ast.ExprNode) string {
	text, many := w.part(e), w.nouns[w.block.Sources[0]].many
	if !strings.HasSuffix(text, many) {
		text += " over all " + many
	}
	return text + w.where()
}

// scalar is a subquery that stands for one value.
func (w writer) scalar(e *ast.SubqueryExpr) string {
	b := w.short(e.Query, false)
	if b == nil {
		return "the value of " + w.apartAs(e.Query)
	}
	in, expr := w.inside(b), b.Select.Fields.Fields[0].Expr
	one := in.nouns[b.Sources[0]].one
	switch column := w.own(b, expr); {
	case expr == nil:
		return "the value of " + one + in.where()
	case b.Grouped:
		return in.single(expr)
	case column != "":
		return "the " + column + " of the " + one + in.where()
	}
	return in.part(expr) + " of the " + one + in.where()
}

// exists says that a query finds a row, or none.
func (w writer) exists(e ast.ExprNode, denied bool) string {
	n, ok := syntax.Unparen(e).(*ast.SubqueryExpr)
	if !ok {
		return w.value(e) + " has a row"
	}
	article := "no "
	if b := w.short(n.Query, true); b != nil && !b.Grouped {
		in, one := w.inside(b), w.nouns[b.Sources[0]].one
		if !denied && strings.ContainsRune("aeioAEIOU", rune(one[0])) {
			article = "an "
		} else if !denied {
			article = "a "
		}
		return "there is " + article + one + in.where()
	}
	if !denied {
		article = "a "
	}
	return w.apartAs(n.Query) + " finds " + article + "row"
}

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
