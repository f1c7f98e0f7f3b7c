package guard

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// flags compares a column of yes and no with what it holds, where nothing is found without it: a model writes
// refunded IS NULL or paid = 1 where the column is never NULL, and has 'y' and 'n'.
//
//	SELECT person FROM membership WHERE paid IS NULL → SELECT person FROM membership WHERE paid = 'n'
//
//	SELECT person FROM membership WHERE paid = 1 → SELECT person FROM membership WHERE paid = 'y'
func flags(_ *draft.Text, b *bind.Bound) (why string) {
	mended := map[ast.ExprNode]ast.ExprNode{}
	for _, cond := range edit.Needed(b) {
		tested := edit.Tested(cond)
		if len(tested) != 1 || b.Ref(tested[0].Name) == nil {
			continue
		}
		ref := b.Ref(tested[0].Name)
		_, c := ref.Column()
		if c == nil || ref.Source.Weak {
			continue
		}
		yes, no, is := flagValues(c)
		if !is {
			continue
		}
		has := c.Name + " has " + literalText(yes) + " and " + literalText(no)
		switch e := cond.(type) {
		case *ast.IsNullExpr:
			if !e.Not && !c.Nullable && !strings.EqualFold(c.Key, "PRI") {
				mended[cond] = &ast.BinaryOperationExpr{Op: opcode.EQ, L: e.Expr, R: no}
				why = has + ", and no NULL"
			}
		case *ast.BinaryOperationExpr:
			n, number := syntax.LiteralCount(e.R)
			isText := c.Kind() == schema.Text && !slices.Contains(c.Values, "1")
			if number && n == 1 && e.Op == opcode.EQ && isText {
				mended[cond] = &ast.BinaryOperationExpr{Op: opcode.EQ, L: e.L, R: yes}
				why = has + ", not 1"
			}
		}
	}
	if why != "" {
		edit.Rewrite(b.Stmt, func(n ast.ExprNode) ast.ExprNode { return cmp.Or(mended[n], n) })
	}
	return why
}

// yesAndNo are pairs of values that say so, lower case.
var yesAndNo = [][2]string{
	{"1", "0"}, {"y", "n"}, {"yes", "no"}, {"t", "f"}, {"true", "false"}, {"j", "n"}, {"ja", "nein"}, {"s", "n"},
	{"si", "no"}, {"sí", "no"}, {"o", "n"}, {"oui", "non"},
}

// flagValues are what a column has for yes and for no, if it has nothing else.
func flagValues(c *schema.Column) (yes, no ast.ExprNode, ok bool) {
	if c.Kind() == schema.Number {
		if !strings.HasPrefix(strings.ToLower(c.Type), "tinyint(1)") {
			return nil, nil, false
		}
		return ast.NewValueExpr(1, "", ""), ast.NewValueExpr(0, "", ""), true
	}
	if c.Kind() != schema.Text || !c.Complete || len(c.Values) != 2 {
		return nil, nil, false
	}
	for _, pair := range yesAndNo {
		first := slices.IndexFunc(c.Values, func(v string) bool { return strings.ToLower(v) == pair[0] })
		if second := 1 - first; first >= 0 && strings.ToLower(c.Values[second]) == pair[1] {
			return syntax.TextExpr(c.Values[first]), syntax.TextExpr(c.Values[second]), true
		}
	}
	return nil, nil, false
}

// literalText is a literal as it is written.
func literalText(e ast.ExprNode) string {
	text, err := syntax.Print(e)
	if err != nil {
		return "?"
	}
	return text
}

// nulls keeps NULL out of the list of a NOT IN: one among the values of the subquery, and no row is ever found.
// (MySQL 8.0 manual, "Subqueries with ANY, IN, or SOME")
//
//	SELECT city FROM wards WHERE wardCode NOT IN (SELECT wardCode FROM doctors)
//	→ SELECT city FROM wards WHERE wardCode NOT IN (SELECT wardCode FROM doctors WHERE wardCode IS NOT NULL)
func nulls(_ *draft.Text, b *bind.Bound) (why string) {
	edit.NullLists(b, func(col *schema.Column, mend func()) {
		mend()
		why = "a NULL among " + col.Name + " would leave NOT IN no row"
	})
	return why
}

// texts replaces a text that a column does not hold, where nothing is found without it, by the one value that it must
// mean: the same but for blanks and punctuation, a synonym, a plural, one letter off; or by what has it as a part, if
// the question has the text. A pattern that no value of its column is like is the value of the column beside it.
//
//	SELECT patientName FROM patients WHERE country = 'United Kingdom'
//	→ SELECT patientName FROM patients WHERE country = 'UK'
//
//	Members of Old Town | SELECT id FROM club WHERE title = 'old town'
//	→ SELECT id FROM club WHERE title = 'Old Town Rowers'
//
//	Clubs in Leeds | SELECT id FROM club WHERE season LIKE '%Leeds%' → SELECT id FROM club WHERE town = 'Leeds'
func texts(t *draft.Text, b *bind.Bound) string {
	m := textMender{Bound: b, question: strings.ToLower(t.Asked()), mended: map[ast.ExprNode]ast.ExprNode{}}
	for _, cond := range edit.Needed(b) {
		switch e := cond.(type) {
		case *ast.BinaryOperationExpr:
			if e.Op == opcode.EQ {
				m.equal(e)
			}
		case *ast.PatternLikeOrIlikeExpr:
			if !e.Not {
				m.like(e)
			}
		}
	}
	if len(m.mended) > 0 {
		edit.Rewrite(b.Stmt, func(n ast.ExprNode) ast.ExprNode { return cmp.Or(m.mended[n], n) })
	}
	return strings.Join(m.whys, "; ")
}

// A textMender collects the conditions that are to stand in the place of others.
type textMender struct {
	*bind.Bound
	question string // lower case
	whys     []string
	mended   map[ast.ExprNode]ast.ExprNode
}

// asks reports whether the question has a text that can be a part of values: no number, no pattern, and not too short.
func (m *textMender) asks(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err != nil && len(text) >= 3 && !strings.ContainsAny(text, "%_") &&
		strings.Contains(m.question, strings.ToLower(text))
}

// equal reads column = 'text', either way round.
func (m *textMender) equal(e *ast.BinaryOperationExpr) {
	column, value := e.L, e.R
	if _, literal := syntax.LiteralText(column); literal {
		column, value = value, column
	}
	c, isColumn := m.Column(column)
	text, isText := syntax.LiteralText(value)
	if !isColumn || !isText {
		return
	}
	values, known := c.Held(text)
	if !known {
		return
	}
	is := func(value string) ast.ExprNode {
		return &ast.BinaryOperationExpr{Op: opcode.EQ, L: column, R: syntax.TextExpr(value)}
	}
	slip := m.question != "" && !strings.Contains(m.question, strings.ToLower(text)) // the model made it, not the user
	if best, found := question.NearestValue(text, values, slip); found {
		m.mended[e] = is(best)
		m.whys = append(m.whys, c.Name+" holds '"+best+"', not '"+text+"'")
		return
	}
	if !m.asks(text) {
		return
	}
	switch whole := question.ValuesWith(text, values); {
	case len(whole) == 1:
		m.mended[e] = is(whole[0])
		m.whys = append(m.whys, c.Name+" has '"+text+"' as a part of '"+whole[0]+"'")
	case len(whole) > 1:
		m.mended[e] = syntax.LikeExpr(column, text, false)
		m.whys = append(m.whys, c.Name+" has '"+text+"' as a part of '"+whole[0]+"' and others")
	}
}

// like reads column LIKE '%text%'.
func (m *textMender) like(e *ast.PatternLikeOrIlikeExpr) {
	name, isColumn := e.Expr.(*ast.ColumnNameExpr)
	pattern, isText := syntax.LiteralText(e.Pattern)
	text := strings.Trim(pattern, "%")
	if !isColumn || !isText || !m.asks(text) || m.Ref(name.Name) == nil {
		return
	}
	table, c := m.Ref(name.Name).Column()
	if c == nil || m.Ref(name.Name).Source.Table != table {
		return
	}
	has := func(v string) bool { return strings.Contains(strings.ToLower(v), strings.ToLower(text)) }
	if values, known := c.All(); !known || slices.ContainsFunc(values, has) {
		return
	}
	home, value := "", ""
	for _, other := range table.Columns {
		i := slices.IndexFunc(other.Values, func(v string) bool { return strings.EqualFold(v, text) })
		switch {
		case i < 0 || !other.Complete:
		case home != "":
			return
		default:
			home, value = other.Name, other.Values[i]
		}
	}
	if home != "" {
		column := syntax.ColumnExpr(name.Name.Table.O, home)
		m.mended[e] = &ast.BinaryOperationExpr{Op: opcode.EQ, L: column, R: syntax.TextExpr(value)}
		m.whys = append(m.whys, "'"+value+"' is a "+home+", not a part of "+c.Name)
	}
}
