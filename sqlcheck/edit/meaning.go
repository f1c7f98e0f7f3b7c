package edit

import (
	"slices"
	"strconv"
	"time"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// NullsFirst is the column by which a block keeps the first rows of an ascending order, if it may be NULL in them; or
// nil. NULL sorts before all values.
func NullsFirst(b *bind.Bound, block *bind.Block) *ast.ColumnNameExpr {
	sel := block.Select
	if sel.Limit == nil || sel.OrderBy == nil || len(sel.OrderBy.Items) == 0 || sel.OrderBy.Items[0].Desc {
		return nil
	}
	name, is := syntax.Unparen(sel.OrderBy.Items[0].Expr).(*ast.ColumnNameExpr)
	if !is {
		return nil
	}
	ref := b.Ref(name.Name)
	if ref == nil || ref.Source == nil || ref.Home != block {
		return nil
	}
	_, col := ref.Column()
	if col == nil || !col.Nullable && !ref.Source.Weak || NeverNull(sel, b, col) {
		return nil
	}
	return name
}

// NeverNull reports whether a condition of WHERE or of an inner join holds for no NULL of the column: a comparison, a
// pattern, IS NOT NULL.
func NeverNull(sel *ast.SelectStmt, b *bind.Bound, col *schema.Column) bool {
	conditions := syntax.Conjuncts(sel.Where)
	if sel.From != nil {
		conditions = append(conditions, neededFrom(sel.From.TableRefs)...)
	}
	return slices.ContainsFunc(conditions, func(c ast.ExprNode) bool {
		switch c := c.(type) {
		case *ast.IsNullExpr:
			if !c.Not {
				return false
			}
		case *ast.BinaryOperationExpr:
			if !syntax.Comparison(c.Op) || c.Op == opcode.NullEQ {
				return false
			}
		}
		return slices.ContainsFunc(Tested(c), func(tested *ast.ColumnNameExpr) bool {
			of, known := b.Column(tested)
			return known && of == col
		})
	})
}

// KeepValues keeps the rows of a query in which a column is not NULL.
func KeepValues(sel *ast.SelectStmt, column *ast.ColumnNameExpr) {
	some := &ast.IsNullExpr{Expr: &ast.ColumnNameExpr{Name: column.Name}, Not: true}
	sel.Where = syntax.AllOf(append(syntax.Conjuncts(sel.Where), some))
}

// NullLists calls f for each NOT IN of a subquery whose column may be NULL: no row is in none of a list with a NULL.
// mend keeps NULL out of it.
func NullLists(b *bind.Bound, f func(col *schema.Column, mend func())) {
	for _, n := range syntax.All[ast.Node](b.Stmt) {
		not := false
		if u, is := n.(*ast.UnaryOperationExpr); is && (u.Op == opcode.Not || u.Op == opcode.Not2) {
			not, n = true, syntax.Unparen(u.V)
		}
		in, is := n.(*ast.PatternInExpr)
		if !is || in.Not == not {
			continue
		}
		sel, field, one := ColumnList(in)
		if !one {
			continue
		}
		if col, known := b.Column(field); known && col.Nullable && !NeverNull(sel, b, col) {
			f(col, func() { KeepValues(sel, field) })
		}
	}
}

// NumbersAsTexts calls f for each place where a column of texts that holds numbers is sorted or compared as a text, and
// so are the constants that it is compared with. mend makes all of them numbers.
func NumbersAsTexts(b *bind.Bound, f func(col *schema.Column, mend func())) {
	TextUses(b, func(at TextUse) {
		other := func(e *ast.ExprNode) bool {
			text, is := syntax.LiteralText(*e)
			_, err := strconv.ParseFloat(text, 64)
			return !is || err != nil
		}
		if _, _, is := at.Column.Numerals(); is && Extreme(*at.At) == *at.At &&
			(at.How == Sorted || at.How == Ordered && !slices.ContainsFunc(at.With, other)) {
			f(at.Column, func() {
				for _, e := range append(at.With, at.At) {
					*e = number(*e)
				}
			})
		}
	})
}

// number is a text as a number.
func number(e ast.ExprNode) ast.ExprNode {
	if text, is := syntax.LiteralText(e); is {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return ast.NewValueExpr(n, "", "")
		}
	}
	return &ast.BinaryOperationExpr{Op: opcode.Plus, L: e, R: ast.NewValueExpr(int64(0), "", "")}
}

var clocks = syntax.WordSet("datetime timestamp")

// LastDays calls f for each place where a range of times ends with a day: c <= 'day' and c BETWEEN … AND 'day', where c
// has times. next is the day behind it; mend lets the range end before that.
func LastDays(b *bind.Bound, f func(col *schema.Column, day, next string, mend func())) {
	last := func(e, bound ast.ExprNode) (col *schema.Column, day, next string) {
		col, known := b.Column(e)
		day, is := syntax.LiteralText(bound)
		t, err := time.Parse("2006-1-2", day)
		if known && is && err == nil && clocks[schema.ParseType(col.Type).Name] {
			return col, day, t.AddDate(0, 0, 1).Format(time.DateOnly)
		}
		return nil, "", ""
	}
	Rewrite(b.Stmt, func(n ast.ExprNode) ast.ExprNode {
		switch e := n.(type) {
		case *ast.BinaryOperationExpr:
			if e.Op != opcode.LE {
				return n
			}
			if col, day, next := last(e.L, e.R); col != nil {
				f(col, day, next, func() { e.Op, e.R = opcode.LT, syntax.TextExpr(next) })
			}
		case *ast.BetweenExpr:
			if col, day, next := last(e.Expr, e.Right); col != nil && !e.Not {
				mended := n
				f(col, day, next, func() {
					from := &ast.BinaryOperationExpr{Op: opcode.GE, L: e.Expr, R: e.Left}
					to := &ast.BinaryOperationExpr{Op: opcode.LT, L: e.Expr, R: syntax.TextExpr(next)}
					mended = &ast.ParenthesesExpr{Expr: syntax.AllOf([]ast.ExprNode{from, to})}
				})
				return mended
			}
		}
		return n
	})
}
