package doubt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// before is the query of the answer that the question goes on from; nil without one, or where the schema does not know
// it: anybody may have written it.
func (c *Case) before() *bind.Bound {
	if c.Before == "" {
		return nil
	}
	if q, v, err := sqlcheck.Check(c.Before, c.Schema); err == nil && v.OK {
		return q.Bound()
	}
	return nil
}

// Sides are the values that each of some queries has and not all have; nil where they are no sides of a comparison:
// they show other columns, or one has no value of its own.
func Sides(queries ...ast.StmtNode) (own []string) {
	var shows []string
	for _, stmt := range queries {
		sel, is := stmt.(*ast.SelectStmt)
		if !is {
			return nil
		}
		fields, err := syntax.Print(sel.Fields)
		all := func(v string) bool {
			return !slices.ContainsFunc(queries, func(q ast.StmtNode) bool { return !slices.Contains(Literals(q), v) })
		}
		side := strings.Join(slices.DeleteFunc(Literals(stmt), all), ", ")
		if shows = append(shows, fields); err != nil || fields != shows[0] || side == "" || slices.Contains(own, side) {
			return nil
		}
		own = append(own, side)
	}
	return own
}

// otherRows finds a query that goes on from another one and shows other rows than what is said now asks for: of another
// first one, of all where some were kept, of one side of a comparison, in the order of names where the best are asked
// for, or no total and no shares.
func otherRows(c *Case) []sqlcheck.Finding {
	before := c.before()
	if before == nil || c.Said == nil {
		return nil
	}
	old, is := before.Stmt.(*ast.SelectStmt)
	now, too := c.bound.Stmt.(*ast.SelectStmt)
	has := slices.DeleteFunc(Literals(c.bound.Stmt), func(v string) bool { return v == "1" }) // which COUNT(*) has
	lost := slices.DeleteFunc(Literals(before.Stmt), func(v string) bool { return v == "1" || slices.Contains(has, v) })
	one := len(lost) > 0 || too && (len(has) == 1 || now.GroupBy == nil && len(has) == 0)
	if one && c.Said.Asks(words.Beside) && Sides(before.Stmt, c.bound.Stmt) == nil {
		return finding("a comparison is asked for, and the query shows one side of it; ask for both in one question")
	} else if !is || !too {
		return nil
	}
	named := c.stands["total"] && c.Said.Phrase("in total") < 0 // a column
	if c.Said.Has("total", "altogether", "overall", "sum") && !named && !c.Said.Asks(words.Order) &&
		!syntax.HasAggregate(now) {
		return finding("a total is asked for, and nothing is added up or counted")
	}
	short := len(strings.Fields(c.Said.Text)) < 4
	if short && c.Said.Has("total", "altogether") && !named && old.GroupBy != nil && now.GroupBy != nil {
		return finding("one total is asked for, and the query has a row for each group")
	}
	if c.Said.Asks(words.Ranks|words.Superlative|words.Best) && now.OrderBy != nil && now.Limit != nil {
		col, known := c.bound.Column(now.OrderBy.Items[0].Expr)
		if known && col.Kind() == schema.Text && c.Said.Mention(0, words.OfName(col.Name)) < 0 {
			return finding("the first is asked for, and the query takes the first in the order of %s", col.Name)
		}
	}
	if old.GroupBy != nil && now.GroupBy == nil && len(c.bound.Blocks) == 1 && c.Said.GoesOn() &&
		c.Said.Has("percent", "percentage", "percentages", "prozent", "pourcentage", "porcentaje") {
		return finding("the query before had a row for each group, and this one has one for all")
	}
	if old.Limit != nil && old.OrderBy != nil && now.Limit == nil && len(c.bound.Blocks) == 1 &&
		syntax.HasAggregate(now) && c.Said.Has("their", "them", "they", "these", "those", "together") {
		return finding("the query before kept the first rows of an order, and this one takes all")
	}
	if old.Limit == nil || old.OrderBy == nil || now.Limit == nil && len(c.bound.Blocks) > 1 ||
		len(syntax.Conjuncts(now.Where)) > len(syntax.Conjuncts(old.Where)) {
		return nil
	}
	orders := words.Order | words.Ranks | words.Sorts | words.Top | words.Superlative | words.High | words.Low
	of := c.Said.Has("its", "he", "his", "him", "she", "her") // of the row that was found
	free := !of && (c.Said.Asks(orders) || c.Said.Edits(c.Before) || now.Limit == nil && !c.Said.Has("it"))
	if !free && orderOf(c.bound, now) != orderOf(before, old) {
		return finding("the query before kept the first rows of an order, and this one keeps others")
	}
	return nil
}

// orderOf is the order of a query, of which groups, and how many rows it keeps, whatever its tables are called.
func orderOf(b *bind.Bound, sel *ast.SelectStmt) string {
	if sel.OrderBy == nil || sel.Limit == nil {
		return ""
	}
	shape, _ := syntax.Print(sel.Limit)
	for _, item := range sel.OrderBy.Items {
		t, col := b.RefOf(item.Expr).Column()
		if shape += fmt.Sprint(item.Desc); col != nil {
			shape += t.Name + "." + col.Name
		} else if sel.GroupBy != nil { // COUNT(*) may have a name
			t, _ = b.RefOf(sel.GroupBy.Items[0].Expr).Column()
			shape += fmt.Sprintf("of %p", t) // by its key or its name
		}
	}
	return shape
}

// droppedCondition finds a query that goes on from another one and has lost a condition of it: "and their names", with
// the names of all.
func droppedCondition(c *Case) []sqlcheck.Finding {
	before := c.before()
	asked := c.Said != nil && c.Said.Edits(c.Before) && // "drop the last condition"
		c.Said.Has("condition", "conditions", "filter", "filters", "bedingung", "filtro", "filtre", "condición")
	if before == nil || asked {
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
