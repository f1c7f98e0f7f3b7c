package guard

import (
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/syntax"
)

// texts replaces a text that a column does not hold, where nothing is found without it, by the one value that it must
// mean: the same but for blanks and punctuation, a synonym, a plural, one letter off; or by what has it as a part, if
// the question has the text.
//
//	SELECT patientName FROM patients WHERE country = 'United Kingdom'
//	→ SELECT patientName FROM patients WHERE country = 'UK'
//
//	Members of Old Town | SELECT id FROM club WHERE title = 'old town'
//	→ SELECT id FROM club WHERE title = 'Old Town Rowers'
func texts(t *draft.Text, b *bind.Bound) string {
	var whys []string
	asked := strings.ToLower(t.Asked)
	for _, cond := range edit.Needed(b) {
		e, is := cond.(*ast.BinaryOperationExpr)
		if !is || e.Op != opcode.EQ {
			continue
		}
		column, value := e.L, &e.R
		if _, literal := syntax.LiteralText(column); literal {
			column, value = e.R, &e.L
		}
		c, isColumn := b.Column(column)
		text, isText := syntax.LiteralText(*value)
		if !isColumn || !isText {
			continue
		}
		values, known := c.Held(text)
		if !known {
			continue
		}
		said := strings.Contains(asked, strings.ToLower(text))
		if best, found := question.NearestValue(text, values, asked != "" && !said); found {
			*value = syntax.TextExpr(best)
			whys = append(whys, c.Name+" holds '"+best+"', not '"+text+"'")
			continue
		}
		whole := wholeTexts(text, values, asked != "" && said)
		if len(whole) == 0 {
			continue
		}
		whys = append(whys, c.Name+" has '"+text+"' as a part of '"+whole[0]+"'")
		if len(whole) == 1 {
			*value = syntax.TextExpr(whole[0])
			continue
		}
		edit.Rewrite(b.Stmt, func(n ast.ExprNode) ast.ExprNode {
			if n == cond {
				return syntax.LikeExpr(column, text, false)
			}
			return n
		})
	}
	return strings.Join(whys, "; ")
}

// wholeTexts are the values that have a text of the question as a part; there are none for a number, a pattern or
// what is too short.
func wholeTexts(text string, values []string, said bool) []string {
	if _, err := strconv.ParseFloat(text, 64); err == nil || !said || len(text) < 3 || strings.ContainsAny(text, "%_") {
		return nil
	}
	return question.ValuesWith(text, values)
}
