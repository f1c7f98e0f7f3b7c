package edit

import (
	"regexp"
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

// NumberAsText is a place where a column of texts that holds numbers is sorted or compared as a text.
type NumberAsText struct {
	Column *schema.Column
	// Mend makes it a number: the column, and the constants that it is compared with.
	Mend func()
}

// NumbersAsTexts calls f for each such place: in ORDER BY, in MIN and MAX, and in comparisons of more and less with
// constants in quotes.
func NumbersAsTexts(b *bind.Bound, f func(at NumberAsText)) {
	numerals := func(e ast.ExprNode) *schema.Column {
		col, ok := b.Column(e)
		if ok {
			if _, _, is := col.Numerals(); is {
				return col
			}
		}
		return nil
	}
	for _, block := range b.Blocks { // what is behind a set operation sorts by the names of its columns
		if block.Select == nil || block.Select.OrderBy == nil {
			continue
		}
		for _, item := range block.Select.OrderBy.Items {
			if col := numerals(item.Expr); col != nil {
				f(NumberAsText{col, func() { item.Expr = number(item.Expr) }})
			}
		}
	}
	syntax.Visit(b.Stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AggregateFuncExpr:
			if name := strings.ToLower(n.F); (name == "min" || name == "max") && len(n.Args) == 1 {
				if col := numerals(n.Args[0]); col != nil {
					f(NumberAsText{col, func() { n.Args[0] = number(n.Args[0]) }})
				}
			}
		case *ast.BinaryOperationExpr:
			if !slices.Contains([]opcode.Op{opcode.LT, opcode.LE, opcode.GT, opcode.GE}, n.Op) {
				return true
			}
			for _, side := range []*ast.ExprNode{&n.L, &n.R} {
				other := &n.R
				if side == other {
					other = &n.L
				}
				if col := numerals(*side); col != nil && isNumeral(*other) {
					f(NumberAsText{col, func() { *side, *other = number(*side), number(*other) }})
				}
			}
		case *ast.BetweenExpr:
			if col := numerals(n.Expr); col != nil && isNumeral(n.Left) && isNumeral(n.Right) {
				f(NumberAsText{col, func() {
					n.Expr, n.Left, n.Right = number(n.Expr), number(n.Left), number(n.Right)
				}})
			}
		}
		return true
	})
}

// isNumeral reports whether an expression is a text that is a number.
func isNumeral(e ast.ExprNode) bool {
	text, is := syntax.LiteralText(e)
	_, err := strconv.ParseFloat(text, 64)
	return is && err == nil
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

// LastDay is a place where a range of times ends with a day.
type LastDay struct {
	Column    *schema.Column
	Day, Next string // the day, as written, and the one behind it
	Mend      func() // lets the range end before the next day
}

// dayOnly is a day without a time.
var dayOnly = regexp.MustCompile(`^\d{4}-\d{1,2}-\d{1,2}$`)

// LastDays calls f for each such place: c <= 'day' and c BETWEEN … AND 'day', where c has times.
func LastDays(b *bind.Bound, f func(at LastDay)) {
	last := func(e, bound ast.ExprNode) (LastDay, bool) {
		col, known := b.Column(e)
		text, is := syntax.LiteralText(bound)
		if !known || !is || !dayOnly.MatchString(text) {
			return LastDay{}, false
		}
		name := schema.ParseType(col.Type).Name
		t, err := time.Parse("2006-1-2", text)
		return LastDay{Column: col, Day: text, Next: t.AddDate(0, 0, 1).Format(time.DateOnly)},
			err == nil && (name == "datetime" || name == "timestamp")
	}
	Rewrite(b.Stmt, func(n ast.ExprNode) ast.ExprNode {
		switch e := n.(type) {
		case *ast.BinaryOperationExpr:
			if e.Op != opcode.LE {
				return n
			}
			if at, is := last(e.L, e.R); is {
				at.Mend = func() { e.Op, e.R = opcode.LT, syntax.TextExpr(at.Next) }
				f(at)
			}
		case *ast.BetweenExpr:
			if at, is := last(e.Expr, e.Right); is && !e.Not {
				mended := n
				at.Mend = func() {
					from := &ast.BinaryOperationExpr{Op: opcode.GE, L: e.Expr, R: e.Left}
					to := &ast.BinaryOperationExpr{Op: opcode.LT, L: e.Expr, R: syntax.TextExpr(at.Next)}
					mended = &ast.ParenthesesExpr{Expr: syntax.AllOf([]ast.ExprNode{from, to})}
				}
				f(at)
				return mended
			}
		}
		return n
	})
}
