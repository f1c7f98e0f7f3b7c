package syntax

import (
	"math"
	"slices"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/charset"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"
)

// Unparen takes the brackets off an expression.
func Unparen(expr ast.ExprNode) ast.ExprNode {
	for {
		p, ok := expr.(*ast.ParenthesesExpr)
		if !ok {
			return expr
		}
		expr = p.Expr
	}
}

// Position is the column that an integer in GROUP BY or ORDER BY stands for. TiDB's parser makes it a PositionExpr,
// unless it is in parentheses, which mean nothing to MySQL.
func Position(expr ast.ExprNode) (int, bool) {
	switch e := Unparen(expr).(type) {
	case *ast.PositionExpr:
		return e.N, e.P == nil
	case *test_driver.ValueExpr:
		if e.Kind() == test_driver.KindInt64 {
			return int(e.GetInt64()), true
		}
	}
	return 0, false
}

// Map is what a function makes of each of a list.
func Map[A, B any](list []A, of func(A) B) []B {
	out := make([]B, len(list))
	for i, one := range list {
		out[i] = of(one)
	}
	return out
}

// Filter is what of a list a function keeps.
func Filter[A any](list []A, keep func(A) bool) (kept []A) {
	for _, one := range list {
		if keep(one) {
			kept = append(kept, one)
		}
	}
	return kept
}

// Entry is the first of a list that is so; where none is, fresh comes to the list's end.
func Entry[A any](list *[]A, is func(A) bool, fresh A) *A {
	i := slices.IndexFunc(*list, is)
	if i < 0 {
		i = len(*list)
		*list = append(*list, fresh)
	}
	return &(*list)[i]
}

// Conjuncts splits conditions at their ANDs; nil has no parts.
func Conjuncts(conds ...ast.ExprNode) []ast.ExprNode {
	all := make([]ast.ExprNode, 0, len(conds))
	for _, cond := range conds {
		cond = Unparen(cond)
		if and, ok := cond.(*ast.BinaryOperationExpr); ok && and.Op == opcode.LogicAnd {
			all = append(all, Conjuncts(and.L, and.R)...)
		} else if cond != nil {
			all = append(all, cond)
		}
	}
	return all
}

// AllOf joins conditions with AND; nil if there are none.
func AllOf(es []ast.ExprNode) ast.ExprNode {
	if len(es) == 1 {
		return es[0]
	}
	var all ast.ExprNode
	for _, e := range es {
		if alternative, is := e.(*ast.BinaryOperationExpr); is && (alternative.Op == opcode.LogicOr ||
			alternative.Op == opcode.LogicXor) {
			e = &ast.ParenthesesExpr{Expr: e}
		}
		if all == nil {
			all = e
			continue
		}
		all = &ast.BinaryOperationExpr{Op: opcode.LogicAnd, L: all, R: e}
	}
	return all
}

// ColumnExpr builds the expression of a column, qualified if qualifier is not empty.
func ColumnExpr(qualifier, name string) *ast.ColumnNameExpr {
	return &ast.ColumnNameExpr{Name: &ast.ColumnName{Table: ast.NewCIStr(qualifier), Name: ast.NewCIStr(name)}}
}

// TextExpr builds a text literal.
func TextExpr(text string) ast.ExprNode {
	return ast.NewValueExpr(text, charset.CharsetUTF8MB4, charset.CollationUTF8MB4)
}

// LikeExpr builds e LIKE '%part%', or NOT LIKE.
func LikeExpr(e ast.ExprNode, part string, not bool) ast.ExprNode {
	return &ast.PatternLikeOrIlikeExpr{Expr: e, Pattern: TextExpr("%" + part + "%"), Not: not,
		IsLike: true, Escape: '\\'}
}

// Visit calls f with n and the nodes below it; where f returns false it goes no deeper.
func Visit(n ast.Node, f func(n ast.Node) (deeper bool)) { n.Accept(visitor(f)) }

// visitor makes a function a visitor of the parser.
type visitor func(n ast.Node) (deeper bool)

// Enter implements ast.Visitor.
func (f visitor) Enter(n ast.Node) (ast.Node, bool) { return n, !f(n) }

// Leave implements ast.Visitor.
func (f visitor) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// All are the nodes of a type in a tree, each before what is below it.
func All[T ast.Node](n ast.Node) (all []T) {
	Visit(n, func(n ast.Node) bool {
		if is, ok := n.(T); ok {
			all = append(all, is)
		}
		return true
	})
	return all
}

// ColumnNames lists those of a tree.
func ColumnNames(n ast.Node) []*ast.ColumnName { return All[*ast.ColumnName](n) }

// TableNames are those that a query reads, each as often as it names it; those of WITH are among them. ok is false for
// a text that is not one SELECT.
func TableNames(sql string) (names []string, ok bool) {
	stmt, ok := OneSelect(sql)
	if !ok {
		return nil, false
	}
	for _, t := range All[*ast.TableName](stmt) {
		names = append(names, t.Name.O)
	}
	return names, true
}

// HasAggregate says whether an expression has an aggregate function outside subqueries.
func HasAggregate(expr ast.Node) (found bool) {
	Visit(expr, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.AggregateFuncExpr:
			found = true
		case *ast.SubqueryExpr:
			return false
		}
		return !found
	})
	return found
}

// Comparison says that an operator compares.
func Comparison(op opcode.Op) bool {
	switch op {
	case opcode.EQ, opcode.NE, opcode.LT, opcode.LE, opcode.GT, opcode.GE, opcode.NullEQ:
		return true
	}
	return false
}

// LiteralCount is the number that a part of LIMIT is; ok is false if it is none that fits.
func LiteralCount(expr ast.ExprNode) (n int, ok bool) {
	v, is := expr.(ast.ValueExpr)
	if !is {
		return 0, false
	}
	switch n := v.GetValue().(type) {
	case int64:
		return int(n), n >= 0
	case uint64:
		return int(n), n <= math.MaxInt
	}
	return 0, false
}

// LiteralText is the value of a text that stands in the statement.
func LiteralText(expr ast.ExprNode) (string, bool) {
	v, ok := Unparen(expr).(*test_driver.ValueExpr)
	if !ok || v.Kind() != test_driver.KindString {
		return "", false
	}
	return v.GetString(), true
}

// LimitCount is the row count of a LIMIT clause, or 0 if it is not a number or has an offset.
func LimitCount(l *ast.Limit) int {
	if l == nil || l.Offset != nil {
		return 0
	}
	n, _ := LiteralCount(l.Count)
	return n
}
