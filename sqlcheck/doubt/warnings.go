package doubt

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

func selectStar(c *Case) []sqlcheck.Finding {
	for _, o := range c.bound.Output {
		if o.Field != nil && o.Field.WildCard != nil {
			return advice("name the columns that are asked for", "SELECT * returns every column")
		}
	}
	return nil
}

func missingJoin(c *Case) []sqlcheck.Finding {
	if slices.ContainsFunc(c.bound.Columns, func(r *bind.ColumnRef) bool { return r.Home == nil }) {
		return nil // the condition may be there, with a wrong name in it
	}
	var out []sqlcheck.Finding
	for _, block := range c.bound.Blocks {
		group, _ := c.bound.Dependence().Groups(block)
		for _, cond := range block.Conditions() { // what is computed joins, too, and ranges and any ON do
			eq, joins := cond.(*ast.BinaryOperationExpr)
			_, between := cond.(*ast.BetweenExpr)
			joins = between || joins && eq.Op == opcode.EQ
			var sides []int
			for _, name := range syntax.ColumnNames(cond) {
				ref := c.bound.Ref(name)
				of := func(s *bind.Source) bool { return ref != nil && s == ref.Source }
				if i := slices.IndexFunc(block.Sources, of); i >= 0 && (joins || ref.Clause == bind.InOn) {
					sides = append(sides, i)
					bind.Tie(group, sides[0], i)
				}
			}
		}
		for i := 1; i < len(group); i++ {
			if group[i] == group[0] || block.Sources[i].Node.Lateral { // which sees the others
				continue
			}
			first, other := block.Sources[0], block.Sources[i]
			f := finding("%s and %s are not joined by an equality", bind.SourceName(first), bind.SourceName(other))[0]
			if first.Table != nil && other.Table != nil {
				if way := c.bound.Schema.Direct(first.Table, other.Table); len(way) == 1 {
					f.Suggestion = "ON " + way[0].On(first.Name, other.Name)
				}
			}
			out = append(out, f)
			break
		}
	}
	return out
}

func limitWithoutOrder(c *Case) (out []sqlcheck.Finding) {
	for _, block := range c.bound.Blocks {
		sel := block.Select
		if sel.Limit != nil && sel.OrderBy == nil && !(block.Grouped && sel.GroupBy == nil) {
			out = append(out, advice("add ORDER BY", "LIMIT without ORDER BY returns any rows")...)
		}
	}
	return out
}

func nullComparison(c *Case) (out []sqlcheck.Finding) {
	edit.Comparisons(c.bound.Stmt, func(op opcode.Op, l, r ast.ExprNode) {
		if op != opcode.NullEQ && (isNull(l) || isNull(r)) {
			out = append(out, at(l, advice("write IS NULL or IS NOT NULL", "a comparison with NULL is never true")...)...)
		}
	})
	return out
}

func isNull(n ast.ExprNode) bool {
	v, ok := syntax.Unparen(n).(*test_driver.ValueExpr)
	return ok && v.Kind() == test_driver.KindNull
}

// unlikeTypes finds columns compared with something of another kind.
func unlikeTypes(c *Case) (out []sqlcheck.Finding) {
	edit.Comparisons(c.bound.Stmt, func(op opcode.Op, l, r ast.ExprNode) {
		if _, ok := c.bound.Column(l); !ok {
			l, r = r, l
		}
		left, ok := c.bound.Column(l)
		if !ok {
			return
		}
		if right, ok := c.bound.Column(r); ok {
			a, b := left.Kind(), right.Kind()
			if a != b && a != schema.Other && b != schema.Other {
				out = append(out, at(l, finding("%s (%s) is compared with %s (%s)", left.Name, left.Type, right.Name,
					right.Type)...)...)
			}
			return
		}
		text, isText, ok := edit.Constant(r)
		if do := edit.Unlike(left, text, isText); ok && do != "" {
			value := quoted(text, isText)
			out = append(out, at(l, advice(do, "%s is %s, compared with %s", left.Name, left.Type, value)...)...)
		}
	})
	return out
}

func quoted(text string, isText bool) string {
	if isText {
		return "'" + text + "'"
	}
	return text
}

// selfComparison finds a column that is compared with itself, as where a subquery was to look at the row around it, and
// rows that only have to be like another one of their table, as each is like itself.
func selfComparison(c *Case) (out []sqlcheck.Finding) {
	same := func(op opcode.Op, l, r ast.ExprNode) {
		a, b := c.bound.RefOf(l), c.bound.RefOf(r)
		if a == nil || b == nil || a.Source == nil || b.Source == nil || a.Index != b.Index {
			return
		}
		other := func(ref *bind.ColumnRef) bool {
			return (ref.Source == a.Source || ref.Source == b.Source) && ref != a && ref != b && filters(ref)
		}
		if a.Source == b.Source {
			out = append(out, finding("%s is compared with itself", a.Name.Name.O)...)
		} else if op == opcode.EQ && a.Home == b.Home && a.Source.Table != nil && a.Source.Table == b.Source.Table &&
			!a.Home.Grouped && !slices.ContainsFunc(c.bound.Columns, other) {
			out = append(out, finding("each row of %s is paired with itself", a.Source.Table.Name)...)
		}
	}
	edit.Comparisons(c.bound.Stmt, same)
	for _, in := range syntax.All[*ast.PatternInExpr](c.bound.Stmt) {
		if _, shown, is := edit.ColumnList(in); is { // a name that the subquery's tables lack is of those around it
			same(opcode.In, in.Expr, shown)
		}
	}
	return out
}

// filters reports whether a name stands where rows are chosen.
func filters(r *bind.ColumnRef) bool { return r.Clause == bind.InOn || r.Clause == bind.InWhere }

// bareTexts finds texts and numbers that stand alone where a condition should, or texts that rows are sorted or grouped
// by: to MySQL the one is a number, mostly 0, and the other one the same for all rows. Of a < b < c it compares 0 or 1.
func bareTexts(c *Case) (out []sqlcheck.Finding) {
	for _, e := range syntax.All[*ast.BinaryOperationExpr](c.bound.Stmt) {
		if l, is := e.L.(*ast.BinaryOperationExpr); is && syntax.Comparison(e.Op) && syntax.Comparison(l.Op) {
			out = append(out, advice("join two comparisons with AND", "what is compared is a comparison, 0 or 1")...)
		}
		for _, side := range []ast.ExprNode{e.L, e.R} {
			text, is := syntax.LiteralText(side)
			if n, number := syntax.LiteralCount(side); number && n > 1 {
				text, is = strconv.Itoa(n), true
			}
			if is && (e.Op == opcode.LogicOr || e.Op == opcode.LogicAnd || e.Op == opcode.LogicXor) {
				out = append(out, advice("compare a column with it", "'%s' alone is no condition", text)...)
			}
		}
	}
	for _, by := range syntax.All[*ast.ByItem](c.bound.Stmt) {
		if text, is := syntax.LiteralText(by.Expr); is {
			out = append(out, advice("names stand in backquotes", "'%s' is a text, the same for all rows", text)...)
		}
	}
	return out
}

// firstOfAll finds a query that keeps the first rows of all, where the question asks for the first of each group.
func firstOfAll(c *Case) []sqlcheck.Finding {
	top, asks := c.Question.TopOfEach()
	sel, is := c.bound.Stmt.(*ast.SelectStmt)
	if !asks || !is || sel.Limit == nil || syntax.LimitCount(sel.Limit) != top.Count {
		return nil
	}
	each := c.Question.Words[top.Of].Low
	return finding("the question asks for the first of each %s, and the query keeps the first of all", each)
}

// nothingFound finds a result without a row, of NULLs alone, or that counts nothing. One that hangs on the clock says
// that nothing is as new.
func nothingFound(c *Case) []sqlcheck.Finding {
	if !c.Ran || c.Query != nil && len(sqlcheck.Unsteady(*c.Query)) > 0 {
		return nil
	}
	if what := Nothing(c.Rows); what != "" {
		return finding("the query found %s", what)
	}
	return nil
}

// Nothing says of rows that hold nothing what they are: none, NULL alone, or a count of 0. "" if they hold something.
func Nothing(rows [][]any) string {
	hasValue := func(row []any) bool { return slices.ContainsFunc(row, func(v any) bool { return v != nil }) }
	switch {
	case len(rows) == 0:
		return "nothing"
	case !slices.ContainsFunc(rows, hasValue):
		return "nothing but NULL"
	case len(rows) == 1 && len(rows[0]) == 1 && fmt.Sprint(rows[0][0]) == "0":
		return "nothing: it is 0"
	}
	return ""
}

// unfinished finds an answer that did not pass all that it should.
func unfinished(c *Case) []sqlcheck.Finding {
	if c.Unfinished == "" {
		return nil
	}
	return finding("%s", c.Unfinished)
}

// splitVote finds an answer that has no majority of the model's candidates.
func splitVote(c *Case) []sqlcheck.Finding {
	if 2*c.Agree > c.Tries || c.Tries == 0 {
		return nil
	}
	return finding("only %d of %d tries agreed on this result", c.Agree, c.Tries)
}
