package guard

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
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
