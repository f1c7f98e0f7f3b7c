package doubt

import (
	"slices"

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
		for _, cond := range block.Conditions() { // an equality of what is computed joins, too
			eq, is := cond.(*ast.BinaryOperationExpr)
			if !is || eq.Op != opcode.EQ {
				continue
			}
			var sides []int
			for _, name := range syntax.ColumnNames(eq) {
				ref := c.bound.Ref(name)
				of := func(s *bind.Source) bool { return ref != nil && s == ref.Source }
				if i := slices.IndexFunc(block.Sources, of); i >= 0 {
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

// manyRows finds a subquery that is used as a value and groups: it returns a row for each group (1242 when it runs).
func manyRows(c *Case) (out []sqlcheck.Finding) {
	edit.Comparisons(c.bound.Stmt, func(op opcode.Op, l, r ast.ExprNode) {
		for _, side := range []ast.ExprNode{l, r} {
			sub, ok := syntax.Unparen(side).(*ast.SubqueryExpr)
			if !ok {
				continue
			}
			if sel, ok := sub.Query.(*ast.SelectStmt); ok && sel.GroupBy != nil && sel.Limit == nil {
				out = append(out, sqlcheck.Finding{
					Code: 1242, Message: "a subquery that is compared has GROUP BY and may return more than one row",
					Suggestion: "use IN, or correlate the subquery instead of grouping it",
					Position:   sub.OriginTextPosition(),
				})
			}
		}
	})
	return out
}

func nullComparison(c *Case) (out []sqlcheck.Finding) {
	edit.Comparisons(c.bound.Stmt, func(op opcode.Op, l, r ast.ExprNode) {
		if op != opcode.NullEQ && (isNull(l) || isNull(r)) {
			out = append(out, sqlcheck.Finding{
				Message:    "a comparison with NULL is never true",
				Suggestion: "write IS NULL or IS NOT NULL",
				Position:   l.OriginTextPosition(),
			})
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
				f := finding("%s (%s) is compared with %s (%s)", left.Name, left.Type, right.Name, right.Type)[0]
				f.Position = l.OriginTextPosition()
				out = append(out, f)
			}
			return
		}
		text, isText, ok := edit.Constant(r)
		if !ok || text == "" {
			return
		}
		f := finding("%s is %s, compared with %s", left.Name, left.Type, quoted(text, isText))[0]
		f.Position = l.OriginTextPosition()
		if f.Suggestion = edit.Unlike(left, text, isText); f.Suggestion != "" {
			out = append(out, f)
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
