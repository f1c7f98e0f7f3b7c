package edit

import (
	"slices"
	"strconv"
	"strings"
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

// NextDay is the day behind one that a column with times is compared with, as its first moment: 'day', DATE 'day',
// LAST_DAY(…). It is nil where anything else is compared, or the column has days alone.
func NextDay(b *bind.Bound, e, day ast.ExprNode) (col *schema.Column, next ast.ExprNode) {
	midnight := func(at string) bool { return strings.HasSuffix(at, " 00:00:00") }
	col, known := b.Column(e)
	if !known || !clocks[schema.ParseType(col.Type).Name] || midnight(col.Least) && midnight(col.Most) {
		return nil, nil
	}
	if call, is := day.(*ast.FuncCallExpr); is && call.FnName.L == ast.LastDay {
		one := []ast.ExprNode{day, ast.NewValueExpr(int64(1), "", ""), &ast.TimeUnitExpr{Unit: ast.TimeUnitDay}}
		return col, &ast.FuncCallExpr{FnName: ast.NewCIStr(ast.DateAdd), Args: one}
	} else if is && (call.FnName.L == ast.DateLiteral || call.FnName.L == ast.Date) {
		day = call.Args[0]
	}
	text, _ := syntax.LiteralText(day)
	if t, err := time.Parse("2006-1-2", text); err == nil {
		return col, syntax.TextExpr(t.AddDate(0, 0, 1).Format(time.DateOnly))
	}
	return nil, nil
}

// LastDays calls f for each place where a range of times ends with a day: c <= 'day' and c BETWEEN … AND 'day', where c
// has times. to ends it before the day behind that; mend puts it there.
func LastDays(b *bind.Bound, f func(col *schema.Column, day, to ast.ExprNode, mend func())) {
	before := func(of, day ast.ExprNode) *ast.BinaryOperationExpr {
		return &ast.BinaryOperationExpr{Op: opcode.LT, L: of, R: day}
	}
	Rewrite(b.Stmt, func(n ast.ExprNode) ast.ExprNode {
		switch e := n.(type) {
		case *ast.BinaryOperationExpr:
			of, day := e.L, e.R
			if e.Op == opcode.GE {
				of, day = e.R, e.L
			}
			if col, next := NextDay(b, of, day); col != nil && (e.Op == opcode.LE || e.Op == opcode.GE) {
				f(col, day, before(of, next), func() { *e = *before(of, next) })
			}
		case *ast.BetweenExpr:
			if col, next := NextDay(b, e.Expr, e.Right); col != nil && !e.Not {
				mended := n
				f(col, e.Right, before(e.Expr, next), func() {
					from, to := &ast.BinaryOperationExpr{Op: opcode.GE, L: e.Expr, R: e.Left}, before(e.Expr, next)
					mended = &ast.ParenthesesExpr{Expr: syntax.AllOf([]ast.ExprNode{from, to})}
				})
				return mended
			}
		}
		return n
	})
}
