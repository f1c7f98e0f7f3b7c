package sqlcheck

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// Mention is a value that a query compares a column with.
type Mention struct {
	Table, Column string
	Value         string // as text; of LIKE the pattern
	Part          string // what of the column is compared, e.g. "year"; "" is all of it
	Like          bool
}

// Mentions are the values that q, which was checked against s, compares columns with, in the order of the text.
func Mentions(q Query, s *Schema) []Mention {
	stmt, ok := oneSelect(q.sql)
	if !ok || s == nil {
		return nil
	}
	bound, issues := bind(stmt, s)
	if len(issues) > 0 {
		return nil
	}
	m := &mentions{bound: bound}
	stmt.Accept(m)
	return m.found
}

type mentions struct {
	bound *Bound
	found []Mention
}

// Enter implements ast.Visitor.
func (m *mentions) Enter(n ast.Node) (ast.Node, bool) {
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
	return n, false
}

// Leave implements ast.Visitor.
func (m *mentions) Leave(n ast.Node) (ast.Node, bool) { return n, true }

func (m *mentions) compared(column, value ast.ExprNode, like bool) {
	part := ""
	column = unparen(column)
	if call, ok := column.(*ast.FuncCallExpr); ok && len(call.Args) > 0 {
		part, column = call.FnName.L, unparen(call.Args[0])
	}
	c, ok := column.(*ast.ColumnNameExpr)
	if !ok {
		return
	}
	v, ok := unparen(value).(ast.ValueExpr)
	ref := m.bound.Ref(c.Name)
	if !ok || ref == nil {
		return
	}
	t, col := ref.Column()
	text, isText := v.GetValue().(string)
	if !isText {
		var err error
		if text, err = restore(v); err != nil || strings.EqualFold(text, "NULL") {
			return
		}
	}
	if col != nil {
		m.found = append(m.found, Mention{t.Name, col.Name, text, part, like})
	}
}
