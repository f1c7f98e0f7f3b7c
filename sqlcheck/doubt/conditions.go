package doubt

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// droppedCondition finds a query that goes on from another one and has lost a condition of it: "and their names", with
// the names of all.
func droppedCondition(c *Case) []sqlcheck.Finding {
	before := c.before()
	if before == nil {
		return nil
	}
	kept := map[*schema.Column]bool{nil: true} // a computed column may be the same one in another way
	for _, ref := range c.bound.Columns {
		if ref.Clause == bind.InWhere || ref.Clause == bind.InHaving || ref.Clause == bind.InOn {
			_, col := ref.Column()
			kept[col] = true
		}
	}
	var out []sqlcheck.Finding
	for _, block := range before.Blocks {
		for _, cond := range syntax.Conjuncts(block.Select.Where) {
			tested := edit.Tested(cond)
			if _, _, joins := edit.Columns(cond); len(tested) == 0 && joins == 0 { // YEAR(placed) = 2024
				for _, c := range syntax.ColumnNames(cond) {
					tested = append(tested, &ast.ColumnNameExpr{Name: c})
				}
			}
			for _, name := range tested {
				if _, col := before.RefOf(name).Column(); !kept[col] {
					kept[col] = true
					text, err := syntax.Print(cond)
					if err == nil {
						out = append(out, finding("the query before wanted %s, and this one does not", text)...)
					}
				}
			}
		}
	}
	return out
}

// otherMeaning finds a query that asks nothing of a column of which the glossary gives a condition for a word of the
// question.
func otherMeaning(c *Case) (out []sqlcheck.Finding) {
	for _, meaning := range c.Glossary {
		for _, cond := range conditionsIn(meaning) {
			tested := edit.Tested(cond)
			if len(tested) == 0 {
				continue
			}
			name := tested[0].Name
			is := func(t *schema.Table, col string) bool {
				return strings.EqualFold(col, name.Name.O) &&
					(name.Table.L == "" || strings.EqualFold(t.Name, name.Table.O))
			}
			there := slices.ContainsFunc(c.Schema.Tables, func(t schema.Table) bool {
				return slices.ContainsFunc(t.Columns, func(col schema.Column) bool { return is(&t, col.Name) })
			})
			uses := func(ref *bind.ColumnRef) bool {
				t, col := ref.Column()
				return col != nil && is(t, col.Name)
			}
			if there && !slices.ContainsFunc(c.bound.Columns, uses) {
				out = append(out, finding("the glossary says %s, and the query asks nothing of %s", meaning,
					name.Name.O)...)
				break
			}
		}
	}
	return out
}

// conditionsIn are those of a meaning that is a condition in SQL; none if it is words.
func conditionsIn(meaning string) []ast.ExprNode {
	stmt, ok := syntax.OneSelect("SELECT 1 FROM t WHERE " + meaning)
	if !ok {
		return nil
	}
	sel, is := stmt.(*ast.SelectStmt)
	if !is || sel.GroupBy != nil || sel.OrderBy != nil || sel.Limit != nil {
		return nil
	}
	return syntax.Conjuncts(sel.Where)
}
