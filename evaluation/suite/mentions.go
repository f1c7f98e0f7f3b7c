package suite

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// mention is a value that a query compares a column with.
type mention struct {
	Table, Column string
	Value         string // as text; of LIKE the pattern
	Part          string // what of the column is compared, e.g. "year"; "" is all of it
	Like          bool
}

// mentionsIn are the values that q, which was checked against s, compares columns with, in the order of the text.
func mentionsOf(q sqlcheck.Query, s *schema.Schema) []mention {
	bound, ok := sqlcheck.Tree(q, s)
	if !ok {
		return nil
	}
	m := &mentions{bound: bound}
	syntax.Visit(bound.Stmt, m.node)
	return m.found
}

type mentions struct {
	bound *bind.Bound
	found []mention
}

// node notes what one node compares.
func (m *mentions) node(n ast.Node) (deeper bool) {
	switch e := n.(type) {
	case *ast.BinaryOperationExpr:
		m.compared(e.L, e.R, false)
		m.compared(e.R, e.L, false)
	case *ast.BetweenExpr:
		m.compared(e.Expr, e.Left, false)
		m.compared(e.Expr, e.Right, false)
	case *ast.PatternInExpr:
		for _, v := range e.List {
			m.compared(e.Expr, v, false)
		}
	case *ast.PatternLikeOrIlikeExpr:
		m.compared(e.Expr, e.Pattern, true)
	}
	return true
}

func (m *mentions) compared(column, value ast.ExprNode, like bool) {
	part := ""
	column = syntax.Unparen(column)
	if call, ok := column.(*ast.FuncCallExpr); ok && len(call.Args) > 0 {
		part, column = call.FnName.L, syntax.Unparen(call.Args[0])
	}
	v, ok := syntax.Unparen(value).(ast.ValueExpr)
	ref := m.bound.RefOf(column)
	if !ok || ref == nil {
		return
	}
	t, col := ref.Column()
	text, isText := v.GetValue().(string)
	if !isText {
		var err error
		if text, err = syntax.Restore(v); err != nil || strings.EqualFold(text, "NULL") {
			return
		}
	}
	if col != nil {
		m.found = append(m.found, mention{t.Name, col.Name, text, part, like})
	}
}
