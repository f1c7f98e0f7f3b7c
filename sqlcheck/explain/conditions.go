package explain

import (
	"fmt"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/syntax"
)

// comparisons say how two values are compared, by what they are.
var comparisons = map[opcode.Op]struct{ plain, dates, texts string }{
	opcode.EQ:     {"is", "is", "is"},
	opcode.NE:     {"is not", "is not", "is not"},
	opcode.LT:     {"is less than", "is before", "comes before"},
	opcode.GT:     {"is more than", "is after", "comes after"},
	opcode.LE:     {"is at most", "is on or before", "is or comes before"},
	opcode.GE:     {"is at least", "is on or after", "is or comes after"},
	opcode.NullEQ: {"is the same as", "is the same as", "is the same as"},
}

// flipped are comparisons read from the right.
var flipped = map[opcode.Op]opcode.Op{
	opcode.EQ: opcode.EQ, opcode.NE: opcode.NE, opcode.LT: opcode.GT, opcode.GT: opcode.LT, opcode.LE: opcode.GE,
	opcode.GE: opcode.LE, opcode.NullEQ: opcode.NullEQ,
}

func compares(op opcode.Op, k kind) string {
	c := comparisons[op]
	switch k {
	case date:
		return c.dates
	case text, listed:
		return c.texts
	}
	return c.plain
}

// isCondition says that an expression is true, false or NULL.
func isCondition(e ast.ExprNode) bool {
	switch e := syntax.Unparen(e).(type) {
	case *ast.BinaryOperationExpr:
		switch e.Op {
		case opcode.LogicAnd, opcode.LogicOr, opcode.LogicXor:
			return true
		}
		return syntax.Comparison(e.Op)
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

// condition is an expression that is to be true.
func (w writer) condition(e ast.ExprNode) string {
	switch e := syntax.Unparen(e).(type) {
	case *ast.BinaryOperationExpr:
		if isCondition(e) {
			return w.binary(e)
		}
	case *ast.UnaryOperationExpr:
		if isCondition(e) {
			return w.not(e.V)
		}
	case *ast.BetweenExpr:
		return w.value(e.Expr) + " is " + not(e.Not) + "between " + w.part(e.Left) + " and " + w.part(e.Right)
	case *ast.PatternInExpr:
		return w.in(e)
	case *ast.PatternLikeOrIlikeExpr:
		return w.like(e)
	case *ast.PatternRegexpExpr:
		return w.value(e.Expr) + does(e.Not, " matches ", " match ") + "the regular expression " + w.value(e.Pattern)
	case *ast.IsNullExpr:
		return w.isNull(e)
	case *ast.IsTruthExpr:
		word := "false"
		if e.True != 0 {
			word = "true"
		}
		if isCondition(e.Expr) {
			return "(" + w.condition(e.Expr) + ") is " + not(e.Not) + word
		}
		return w.value(e.Expr) + " is " + not(e.Not) + word
	case *ast.ExistsSubqueryExpr:
		return w.exists(e.Sel, e.Not)
	case *ast.CompareSubqueryExpr:
		return w.quantified(e)
	case *ast.FuncCallExpr:
		if isCondition(e) {
			return w.call(e).text
		}
	case *test_driver.ValueExpr:
		return "always " + w.expr(e).text
	}
	return w.value(e) + " is true (not 0)"
}

func not(is bool) string {
	if is {
		return "not "
	}
	return ""
}

// does is a verb, or its denial.
func does(denied bool, verb, plain string) string {
	if denied {
		return " does not" + plain
	}
	return verb
}

// denials are conditions whose NOT has words of its own: the same node with its own Not turned.
func (w writer) not(e ast.ExprNode) string {
	switch e := syntax.Unparen(e).(type) {
	case *ast.ExistsSubqueryExpr:
		return w.exists(e.Sel, !e.Not)
	case *ast.PatternInExpr:
		turned := *e
		turned.Not = !e.Not
		return w.condition(&turned)
	case *ast.PatternLikeOrIlikeExpr:
		turned := *e
		turned.Not = !e.Not
		return w.condition(&turned)
	case *ast.BetweenExpr:
		turned := *e
		turned.Not = !e.Not
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
	case opcode.LogicXor:
		return "either " + w.grouped(e.L) + " or " + w.grouped(e.R) + ", not both"
	}
	l, r, op := e.L, e.R, e.Op
	if _, literal := syntax.Unparen(l).(*test_driver.ValueExpr); literal {
		l, r, op = r, l, flipped[op]
	}
	k := w.kind(l)
	if k == other {
		k = w.kind(r)
	}
	if k == listed && op != opcode.EQ && op != opcode.NE {
		k = text // compared as a text
	}
	return w.value(l) + " " + compares(op, k) + " " + w.value(r)
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
		return left + " is " + not(e.Not) + "among " + w.values(e.Sel)
	}
	var items []string
	for _, item := range e.List {
		items = append(items, w.part(item))
	}
	switch {
	case len(items) == 1:
		return left + " is " + not(e.Not) + items[0]
	case e.Not:
		return left + " is neither " + list(items, "nor")
	}
	return left + " is " + list(items, "or")
}

// like is a pattern in words, where it has some.
func (w writer) like(e *ast.PatternLikeOrIlikeExpr) string {
	left := w.value(e.Expr)
	pattern, isText := syntax.LiteralText(e.Pattern)
	begins, middle, ends := strings.HasPrefix(pattern, "%"), strings.Trim(pattern, "%"), strings.HasSuffix(pattern, "%")
	if !isText || middle == "" || strings.ContainsAny(middle, `%_`+string(rune(e.Escape))) {
		return left + does(e.Not, " matches ", " match ") + "the pattern " + w.value(e.Pattern) +
			" (% stands for any text, _ for one character)"
	}
	quoted := "'" + middle + "'"
	switch {
	case begins && ends:
		return left + does(e.Not, " contains ", " contain ") + quoted
	case ends:
		return left + does(e.Not, " begins with ", " begin with ") + quoted
	case begins:
		return left + does(e.Not, " ends with ", " end with ") + quoted
	}
	return left + " is " + not(e.Not) + quoted
}

func (w writer) isNull(e *ast.IsNullExpr) string {
	if src := w.anti(e); src != nil {
		return "there is no such " + w.nouns[src].one
	}
	if e.Not {
		return w.value(e.Expr) + " has a value"
	}
	return w.value(e.Expr) + " has no value (NULL)"
}

// quantified is a comparison with any or all values of a query.
func (w writer) quantified(e *ast.CompareSubqueryExpr) string {
	left, values := w.value(e.L), w.values(e.R)
	switch {
	case e.Op == opcode.EQ && !e.All:
		return left + " is among " + values
	case e.Op == opcode.NE && e.All:
		return left + " is not among " + values
	}
	which := "at least one of "
	if e.All {
		which = "every one of "
	}
	return fmt.Sprintf("%s %s %s%s", left, compares(e.Op, w.kind(e.L)), which, values)
}
