package suite

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck"
)

// mention is a value that a query compares a column with.
type mention struct {
	Table, Column string
	Value         string // as text; of LIKE the pattern
	Part          string // what of the column is compared, e.g. "year"; "" is all of it
	Like          bool
}

// mentionsIn are the values that q, which was checked against s, compares columns with, in the order of the text.
func mentionsOf(q sqlcheck.Query, s *sqlcheck.Schema) []mention {
	bound, ok := sqlcheck.Tree(q, s)
	if !ok {
		return nil
	}
	m := &mentions{bound: bound}
	bound.Stmt.Accept(m)
	return m.found
}

type mentions struct {
	bound *sqlcheck.Bound
	found []mention
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
	column = sqlcheck.Unparen(column)
	if call, ok := column.(*ast.FuncCallExpr); ok && len(call.Args) > 0 {
		part, column = call.FnName.L, sqlcheck.Unparen(call.Args[0])
	}
	c, ok := column.(*ast.ColumnNameExpr)
	if !ok {
		return
	}
	v, ok := sqlcheck.Unparen(value).(ast.ValueExpr)
	ref := m.bound.Ref(c.Name)
	if !ok || ref == nil {
		return
	}
	t, col := ref.Column()
	text, isText := v.GetValue().(string)
	if !isText {
		var err error
		if text, err = sqlcheck.Restore(v); err != nil || strings.EqualFold(text, "NULL") {
			return
		}
	}
	if col != nil {
		m.found = append(m.found, mention{t.Name, col.Name, text, part, like})
	}
}
