package guard

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/syntax"
)

// concat writes a || b in a select list as CONCAT, which is what it means in standard SQL; to MySQL it is OR, and the
// answer a column of zeros. A condition in a select list has no text operand and is left alone.
//
//	SELECT firstName || ' ' || lastName FROM doctors → SELECT CONCAT(firstName, ' ', lastName) FROM doctors
func concat(t *draft.Text, b *bind.Bound) (why string) {
	if !strings.Contains(t.SQL, "||") { // or OR is meant
		return ""
	}
	for _, block := range b.Blocks {
		for _, f := range block.Select.Fields.Fields {
			e, is := syntax.Unparen(f.Expr).(*ast.BinaryOperationExpr)
			if !is || e.Op != opcode.LogicOr {
				continue
			}
			args := edit.Alternatives(e)
			if !slices.ContainsFunc(args, func(a ast.ExprNode) bool { return !isTextOperand(a) }) {
				f.Expr = function("CONCAT", args...)
				why = "|| joins texts; MySQL reads it as OR"
			}
		}
	}
	return why
}

// isTextOperand reports whether e is a column, a literal or a function call: nothing that yields a truth value.
func isTextOperand(e ast.ExprNode) bool {
	switch e := syntax.Unparen(e).(type) {
	case ast.ValueExpr:
		_, ok := e.GetValue().(string)
		return ok
	case *ast.ColumnNameExpr, *ast.FuncCallExpr:
		return true
	}
	return false
}
