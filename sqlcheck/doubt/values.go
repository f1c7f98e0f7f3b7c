package doubt

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// unknownValue finds a text that is compared for equality with a column that does not have it.
func unknownValue(c *Case) (out []sqlcheck.Finding) {
	check := func(l, r ast.ExprNode) {
		col, ok := c.bound.Column(l)
		text, isText := syntax.LiteralText(r)
		if !ok || !isText {
			return
		}
		values, known := col.Held(text)
		if known && !hasText(values, text) {
			out = append(out, sqlcheck.Finding{
				Message:    col.Name + " has no " + quoted(text, true),
				Suggestion: c.elsewhere(text, values),
				Position:   l.OriginTextPosition(),
			})
		}
	}
	edit.Comparisons(c.bound.Stmt, func(op opcode.Op, l, r ast.ExprNode) {
		if op == opcode.EQ || op == opcode.NE || op == opcode.NullEQ {
			check(l, r)
			check(r, l)
		}
	})
	return out
}

func hasText(values []string, text string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return words.SameText(v, text) })
}

// fewValues are so few that they are told.
const fewValues = 8

// elsewhere says which of a column's values is near to text, what other column has it, or which values there are, if
// they are few.
func (c *Case) elsewhere(text string, values []string) string {
	if near := syntax.NearNames(text, values); len(near) > 0 {
		return "did you mean " + quoted(near[0], true) + "?"
	}
	if meant, is := question.ValueMeant(strings.ToLower(text), words.English, values); is {
		return "did you mean " + quoted(meant, true) + "?"
	}
	for _, name := range c.bound.Tables() {
		t, _ := c.Schema.Table(name)
		for i := range t.Columns {
			if col := &t.Columns[i]; hasText(col.Values, text) || hasText(col.Texts, text) {
				return t.Name + "." + col.Name + " has"
			}
		}
	}
	if len(values) <= fewValues {
		return "it has " + bind.JoinSome(values, fewValues)
	}
	return ""
}

// unknownPattern finds a LIKE that none of a column's texts is like.
func unknownPattern(c *Case) (out []sqlcheck.Finding) {
	eachLike(c.bound, func(like *ast.PatternLikeOrIlikeExpr, pattern string) {
		col, ok := c.bound.Column(like.Expr)
		if !ok || like.Not || strings.Contains(pattern, `\`) {
			return
		}
		values, known := col.Held(pattern)
		if known && !slices.ContainsFunc(values, edit.Like(pattern).MatchString) {
			out = append(out, finding("no %s is like %s", col.Name, quoted(pattern, true))...)
		}
	})
	return out
}

// eachLike calls f for every LIKE with a text.
func eachLike(b *bind.Bound, f func(like *ast.PatternLikeOrIlikeExpr, pattern string)) {
	for _, like := range syntax.All[*ast.PatternLikeOrIlikeExpr](b.Stmt) {
		if text, ok := syntax.LiteralText(like.Pattern); ok {
			f(like, text)
		}
	}
}

// twoValues finds a column that has to be equal to two values at once.
func twoValues(c *Case) (out []sqlcheck.Finding) {
	for _, block := range c.bound.Blocks {
		value := map[bind.ColumnID]string{}
		for _, cond := range syntax.Conjuncts(block.Select.Where) {
			eq, ok := cond.(*ast.BinaryOperationExpr)
			if !ok || eq.Op != opcode.EQ {
				continue
			}
			ref := c.bound.RefOf(eq.L)
			text, isText, lit := edit.Constant(eq.R)
			if !lit || ref == nil || ref.Source == nil {
				continue
			}
			id := bind.ColumnID{Source: ref.Source, Index: ref.Index}
			if first, again := value[id]; again && !words.SameText(first, text) {
				out = append(out, finding("%s cannot be %s and %s at once",
					ref.Name.Name.O, quoted(first, isText), quoted(text, isText))...)
			}
			value[id] = text
		}
	}
	return out
}

// neverNull finds IS NULL of a column that is never NULL: one that is not nullable, of a table that no outer join
// leaves empty.
func neverNull(c *Case) (out []sqlcheck.Finding) {
	for _, is := range syntax.All[*ast.IsNullExpr](c.bound.Stmt) {
		ref := c.bound.RefOf(is.Expr)
		_, col := ref.Column()
		if !is.Not && col != nil && !col.Nullable && ref.Source.Table != nil && !ref.Source.Weak {
			out = append(out, finding("%s is never NULL", col.Name)...)
		}
	}
	return out
}

// emptyTexts finds a query that asks for NULL or for the empty text of a column that has empty texts and may be NULL.
func emptyTexts(c *Case) []sqlcheck.Finding {
	nulls, empties := map[*schema.Column]bool{}, map[*schema.Column]bool{}
	for _, is := range syntax.All[*ast.IsNullExpr](c.bound.Stmt) {
		col, _ := c.bound.Column(is.Expr)
		nulls[col] = true
	}
	edit.Comparisons(c.bound.Stmt, func(_ opcode.Op, l, r ast.ExprNode) {
		if text, isText, ok := edit.Constant(r); ok && isText && text == "" {
			col, _ := c.bound.Column(l)
			empties[col] = true
		}
	})
	for _, ref := range c.bound.Columns {
		_, col := ref.Column()
		if col == nil || !col.Nullable || nulls[col] == empties[col] {
			continue
		}
		if texts, _ := col.Held(""); slices.Contains(texts, "") {
			return finding("%s has empty texts and may be NULL, and the query asks for one of both", col.Name)
		}
	}
	return nil
}
