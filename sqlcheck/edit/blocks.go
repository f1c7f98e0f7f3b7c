package edit

import (
	"fmt"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

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
