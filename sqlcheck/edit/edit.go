// Package edit is the one kit for syntax trees whose names are bound: joins, query blocks, conditions and
// expressions, read and changed. It knows no rule, no question and no policy: guards, doubts and suites say what they
// want, edit says how a tree is made so. Begin with the file of what is to be changed. It imports bind, schema and
// syntax.
package edit

import (
	"fmt"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// Replace walks over an expression outside of its subqueries, and puts what f returns on the way out in the place of
// what it was given.
func Replace(e ast.ExprNode, f func(n ast.ExprNode, enters bool) ast.ExprNode) ast.ExprNode {
	out, _ := e.Accept(replacer{f: f})
	return out.(ast.ExprNode)
}

// Rewrite walks over the expressions of a statement, subqueries and all, and puts what f returns in the place of what
// it was given, the innermost first.
func Rewrite(stmt ast.Node, f func(n ast.ExprNode) ast.ExprNode) {
	stmt.Accept(replacer{true, func(n ast.ExprNode, enters bool) ast.ExprNode {
		if enters {
			return n
		}
		return f(n)
	}})
}

// replacer makes a function a visitor of the parser, of subqueries too if it is deep.
type replacer struct {
	deep bool
	f    func(n ast.ExprNode, enters bool) ast.ExprNode
}

// Enter implements [ast.Visitor].
func (r replacer) Enter(n ast.Node) (ast.Node, bool) {
	if e, is := n.(ast.ExprNode); is {
		r.f(e, true)
	}
	_, sub := n.(*ast.SubqueryExpr)
	return n, sub && !r.deep
}

// Leave implements [ast.Visitor].
func (r replacer) Leave(n ast.Node) (ast.Node, bool) {
	if e, is := n.(ast.ExprNode); is {
		return r.f(e, false), true
	}
	return n, true
}

// Derive makes sel a query of fields of the rows of inner, a derived table of that name; false if inner cannot be one.
func Derive(sel, inner *ast.SelectStmt, name string, fields ...*ast.SelectField) bool {
	text, err := syntax.Print(inner)
	if err != nil {
		return false
	}
	outer, ok := syntax.OneSelect("SELECT 1 FROM (" + text + ") AS " + name)
	if !ok {
		return false
	}
	*sel = *outer.(*ast.SelectStmt)
	sel.Fields.Fields = fields
	return true
}

// FreeAlias is a name that no source in reach of the block has: T1, T2 and so on.
func FreeAlias(block *bind.Block) string {
	for n := len(block.Sources) + 1; ; n++ {
		if alias := fmt.Sprint("T", n); block.SourceNamed(alias) == nil {
			return alias
		}
	}
}

// Fields sorts the select list of a query: its plain columns, how many items have an aggregate, and whether there is
// anything else but constants.
func Fields(sel *ast.SelectStmt) (plain []*ast.ColumnNameExpr, aggs int, other bool) {
	if sel.Fields == nil {
		return nil, 0, true
	}
	for _, f := range sel.Fields.Fields {
		switch e := f.Expr.(type) {
		case nil:
			other = true
		case *ast.ColumnNameExpr:
			plain = append(plain, e)
		default:
			switch {
			case syntax.HasAggregate(e):
				aggs++
			case !IsConstant(e):
				other = true
			}
		}
	}
	return plain, aggs, other
}

// Subquery is the SELECT of a subquery; ok is false if it is none, or a set operation.
func Subquery(e ast.ExprNode) (sel *ast.SelectStmt, ok bool) {
	sub, is := e.(*ast.SubqueryExpr)
	if !is {
		return nil, false
	}
	sel, ok = sub.Query.(*ast.SelectStmt)
	return sel, ok
}

// ColumnList is the subquery on the right side of an IN and the column that it shows, if it is one SELECT of one
// column without LIMIT.
func ColumnList(in *ast.PatternInExpr) (sel *ast.SelectStmt, shown *ast.ColumnNameExpr, ok bool) {
	sel, is := Subquery(in.Sel)
	if !is || sel.Fields == nil || len(sel.Fields.Fields) != 1 || sel.Limit != nil {
		return nil, nil, false
	}
	shown, ok = syntax.Unparen(sel.Fields.Fields[0].Expr).(*ast.ColumnNameExpr)
	return sel, shown, ok
}
