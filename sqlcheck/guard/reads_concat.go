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
// answer a column of zeros; so are texts that + adds, as SQL Server joins them. A condition in a select list has no text
// operand and is left alone.
//
//	SELECT firstName || ' ' || lastName FROM doctors → SELECT CONCAT(firstName, ' ', lastName) FROM doctors
func concat(t *draft.Text, b *bind.Bound) (why string) {
	if !strings.ContainsAny(t.SQL, "|+") { // or OR is meant
		return ""
	}
	notText := func(a ast.ExprNode) bool { return !isTextOperand(a) }
	for _, block := range b.Blocks {
		for _, f := range block.Select.Fields.Fields {
			e, is := syntax.Unparen(f.Expr).(*ast.BinaryOperationExpr)
			if !is {
				continue
			}
			args, said := edit.Alternatives(e), "|| joins texts; MySQL reads it as OR"
			if e.Op == opcode.Plus {
				args, said = summands(e), "+ joins texts elsewhere; MySQL adds them as numbers"
			}
			joins := e.Op == opcode.LogicOr && strings.Contains(t.SQL, "||") ||
				e.Op == opcode.Plus && slices.ContainsFunc(args, isWords)
			if joins && !slices.ContainsFunc(args, notText) {
				f.Expr, why = function("CONCAT", args...), said
			}
		}
	}
	return why
}

// summands are what a chain of + adds.
func summands(e ast.ExprNode) []ast.ExprNode {
	sum, is := syntax.Unparen(e).(*ast.BinaryOperationExpr)
	if !is || sum.Op != opcode.Plus {
		return []ast.ExprNode{e}
	}
	return append(summands(sum.L), summands(sum.R)...)
}

// isWords reports whether e is a text that is not empty and no number, date or amount.
func isWords(e ast.ExprNode) bool {
	text, is := syntax.LiteralText(e)
	return is && text != "" && !strings.ContainsAny(text, "0123456789")
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
