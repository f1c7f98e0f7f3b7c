package guard

import (
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/syntax"
)

// parts looks for a text of the question where the column that it is compared with does not have it, but has it as a part: Heathrow is London Heathrow, if no
// other value has the word, else any that has it. It touches only what can find nothing.
// It changed 17 of 3,852 candidates for questions to learn from: 11 were right afterwards, none before.
func parts(_ string, b *bind.Bound, in Input) (why string) {
	asked := strings.ToLower(in.Question)
	rewrite(b.Stmt, func(n ast.ExprNode) ast.ExprNode {
		e, is := n.(*ast.BinaryOperationExpr)
		if !is || e.Op != opcode.EQ && e.Op != opcode.NE {
			return n
		}
		c, isColumn := b.Column(e.L)
		text, isText := syntax.LiteralText(e.R)
		if !isColumn || !isText || len(text) < 3 || strings.ContainsAny(text, "%_") || !strings.Contains(asked, strings.ToLower(text)) {
			return n
		}
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			return n
		}
		held, _ := c.Held(text)
		whole := question.ValuesWith(text, held)
		if len(whole) == 0 {
			return n
		}
		why = c.Name + " has '" + text + "' as a part of '" + whole[0] + "'"
		if len(whole) == 1 {
			e.R = syntax.TextExpr(whole[0])
			return n
		}
		return syntax.LikeExpr(e.L, text, e.Op == opcode.NE)
	})
	return why
}
