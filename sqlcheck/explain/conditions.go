package explain

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/syntax"
)

// comparisons say how two values are compared, by what they are: numbers and others, dates, texts.
var comparisons = map[opcode.Op][3]string{
	opcode.EQ: {" is ", " is ", " is "},
	opcode.NE: {" is not ", " is not ", " is not "},
	opcode.LT: {" is less than ", " is before ", " comes before "},
	opcode.GT: {" is more than ", " is after ", " comes after "},
	opcode.LE: {" is at most ", " is on or before ", " is or comes before "},
	opcode.GE: {" is at least ", " is on or after ", " is or comes after "},
}

// flipped are comparisons read from the right.
var flipped = map[opcode.Op]opcode.Op{
	opcode.EQ: opcode.EQ, opcode.NE: opcode.NE, opcode.LT: opcode.GT, opcode.GT: opcode.LT, opcode.LE: opcode.GE,
	opcode.GE: opcode.LE, opcode.NullEQ: opcode.NullEQ,
}

// isCondition says that an expression is true, false or NULL.
func isCondition(e ast.ExprNode) bool {
	switch e := syntax.Unparen(e).(type) {
	case *ast.BinaryOperationExpr:
		return e.Op == opcode.LogicAnd || e.Op == opcode.LogicOr || e.Op == opcode.LogicXor || syntax.Comparison(e.Op)
	case *ast.UnaryOperationExpr:
		return e.Op == opcode.Not || e.Op == opcode.Not2
	case *ast.FuncCallExpr:
		return calls[e.FnName.L].kind == truth
	case *ast.BetweenExpr, *ast.PatternInExpr, *ast.PatternLikeOrIlikeExpr, *ast.PatternRegexpExpr, *ast.IsNullExpr,
		*ast.IsTruthExpr, *ast.ExistsSubqueryExpr, *ast.CompareSubqueryExpr:
		return true
	}
	return false
}

// condition is an expression that is to be true; what is rare is shown as its SQL.
func (w writer) condition(e ast.ExprNode) string {
	e = syntax.Unparen(e)
	switch e := e.(type) {
	case *ast.BinaryOperationExpr:
		if isCondition(e) {
			return w.binary(e)
		}
	case *ast.UnaryOperationExpr:
		if isCondition(e) {
			return w.not(e.V)
		}
	case *ast.BetweenExpr:
		return w.value(e.Expr) + is(e.Not) + "between " + w.part(e.Left) + " and " + w.part(e.Right)
	case *ast.PatternInExpr:
		return w.in(e)
	case *ast.PatternLikeOrIlikeExpr:
		return w.like(e)
	case *ast.IsNullExpr:
		if src := w.anti(e); src != nil {
			return "there is no such " + w.nouns[src].one
		}
		return w.value(e.Expr) + map[bool]string{true: " has a value", false: " has no value (NULL)"}[e.Not]
	case *ast.ExistsSubqueryExpr:
		return w.exists(e.Sel, e.Not)
	case *ast.CompareSubqueryExpr:
		which := "at least one of "
		if e.All {
			which = "every one of "
		}
		if words, ok := compares(e.Op, w.kind(e.L)); ok {
			return w.value(e.L) + words + which + w.values(e.R)
		}
	case *ast.FuncCallExpr:
		if isCondition(e) {
			return w.call(e).text
		}
	case *test_driver.ValueExpr:
		return "always " + printed(e)
	}
	if isCondition(e) {
		return printed(e)
	}
	return w.value(e) + " is true (not 0)"
}

func is(not bool) string {
	if not {
		return " is not "
	}
	return " is "
}

// not is the denial of a condition: where that has words of its own, the same node with its own Not turned.
func (w writer) not(e ast.ExprNode) string {
	switch n := syntax.Unparen(e).(type) {
	case *ast.ExistsSubqueryExpr:
		return w.exists(n.Sel, !n.Not)
	case *ast.PatternInExpr:
		turned := *n
		turned.Not = !n.Not
		return w.in(&turned)
	case *ast.PatternLikeOrIlikeExpr:
		turned := *n
		turned.Not = !n.Not
		return w.like(&turned)
	case *ast.BetweenExpr:
		turned := *n
		turned.Not = !n.Not
		return w.condition(&turned)
	}
	return "not: " + w.grouped(e)
}

// grouped is a condition as a part of another, in brackets where it has parts itself.
func (w writer) grouped(e ast.ExprNode) string {
	text := w.condition(e)
	if b, ok := syntax.Unparen(e).(*ast.BinaryOperationExpr); ok && !syntax.Comparison(b.Op) && isCondition(b) {
		return "(" + text + ")"
	}
	return text
}

// binary is a comparison, or conditions joined.
func (w writer) binary(e *ast.BinaryOperationExpr) string {
	switch e.Op {
	case opcode.LogicAnd:
		return w.chain(e, e.Op, " and ")
	case opcode.LogicOr:
		return w.chain(e, e.Op, " or ")
	}
	l, r, op := e.L, e.R, e.Op
	if _, literal := syntax.Unparen(l).(*test_driver.ValueExpr); literal {
		l, r, op = r, l, flipped[op]
	}
	k := w.kind(l)
	if k == other {
		k = w.kind(r)
	}
	words, ok := compares(op, k)
	if !ok { // XOR, <=>
		return printed(e)
	}
	return w.value(l) + words + w.value(r)
}

// both are conditions that are all to be true.
func (w writer) both(conds []ast.ExprNode) string {
	return strings.Join(syntax.Map(conds, w.grouped), " and ")
}

// compares says how values of a kind are compared; an ENUM is compared as a text.
func compares(op opcode.Op, k kind) (words string, ok bool) {
	all, ok := comparisons[op]
	return all[map[kind]int{date: 1, text: 2, listed: 2}[k]], ok
}

// chain is a run of ANDs or ORs.
func (w writer) chain(e ast.ExprNode, op opcode.Op, word string) string {
	if b, ok := syntax.Unparen(e).(*ast.BinaryOperationExpr); ok && b.Op == op {
		return w.chain(b.L, op, word) + word + w.chain(b.R, op, word)
	}
	return w.grouped(e)
}

func (w writer) in(e *ast.PatternInExpr) string {
	left := w.value(e.Expr)
	if e.Sel != nil {
		return left + is(e.Not) + "among " + w.values(e.Sel)
	}
	items := syntax.Map(e.List, w.part)
	if len(items) > 1 && e.Not {
		return left + " is neither " + list(items, "nor")
	}
	return left + is(e.Not) + list(items, "or")
}

// like is a pattern in words, where it has some.
func (w writer) like(e *ast.PatternLikeOrIlikeExpr) string {
	does, s := " ", "s "
	if e.Not {
		does, s = " does not ", " "
	}
	left := w.value(e.Expr)
	pattern, isText := syntax.LiteralText(e.Pattern)
	begins, middle, ends := strings.HasPrefix(pattern, "%"), strings.Trim(pattern, "%"), strings.HasSuffix(pattern, "%")
	quoted := "'" + middle + "'"
	switch {
	case !isText || middle == "" || strings.ContainsAny(middle, `%_`+string(rune(e.Escape))):
		if !e.Not {
			s = "es "
		}
		return left + does + "match" + s + "the pattern " + w.value(e.Pattern) +
			" (% stands for any text, _ for one character)"
	case begins && ends:
		return left + does + "contain" + s + quoted
	case ends:
		return left + does + "begin" + s + "with " + quoted
	case begins:
		return left + does + "end" + s + "with " + quoted
	}
	return left + is(e.Not) + quoted
}
