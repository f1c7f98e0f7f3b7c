package cost

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// number is the largest absolute value of an expression, +Inf if nothing bounds it, for counts of characters. data
// says that rows of the database decide over it; what they may come to is a guess then.
func (m *measure) number(expr ast.ExprNode) (n float64, data bool) {
	switch e := expr.(type) {
	case *ast.ParenthesesExpr:
		return m.number(e.Expr)
	case *test_driver.ValueExpr:
		return constant(e), false
	case *ast.ColumnNameExpr:
		return m.columnNumber(m.bound.Ref(e.Name))
	case *ast.SubqueryExpr:
		if q := m.bound.Queries[e.Query]; q != nil {
			return m.outputNumber(q, 0)
		}
	case *ast.UnaryOperationExpr:
		switch e.Op {
		case opcode.Plus, opcode.Minus:
			return m.number(e.V)
		case opcode.Not, opcode.Not2:
			return 1, false
		}
	case *ast.BinaryOperationExpr:
		return m.operation(e)
	case *ast.CaseExpr:
		return m.largest(results(e)...)
	case *ast.FuncCastExpr:
		return m.number(e.Expr)
	case *ast.AggregateFuncExpr:
		return m.aggregateNumber(strings.ToLower(e.F), e.Args)
	case *ast.WindowFuncExpr:
		return m.aggregateNumber(strings.ToLower(e.Name), e.Args)
	case *ast.FuncCallExpr:
		return m.callNumber(e)
	case *ast.IsNullExpr, *ast.IsTruthExpr, *ast.PatternInExpr, *ast.PatternLikeOrIlikeExpr, *ast.BetweenExpr,
		*ast.ExistsSubqueryExpr, *ast.PatternRegexpExpr, *ast.CompareSubqueryExpr:
		return 1, false
	}
	return math.Inf(1), false
}

// constant is +Inf for a text, which may begin with any number.
func constant(v *test_driver.ValueExpr) float64 {
	if v.Kind() == test_driver.KindNull {
		return 0
	}
	if n, err := strconv.ParseFloat(fmt.Sprint(v.GetValue()), 64); err == nil && v.Kind() != test_driver.KindString {
		return math.Abs(n)
	}
	return math.Inf(1)
}

// largest is the largest of some values.
func (m *measure) largest(exprs ...ast.ExprNode) (n float64, data bool) {
	for _, e := range exprs {
		x, d := m.number(e)
		n, data = max(n, x), data || d
	}
	return n, data
}

func (m *measure) operation(e *ast.BinaryOperationExpr) (float64, bool) {
	l, dataL := m.number(e.L)
	r, dataR := m.number(e.R)
	data := dataL || dataR
	switch e.Op {
	case opcode.Plus, opcode.Minus:
		return l + r, data
	case opcode.Mul:
		return l * r, data
	case opcode.Div, opcode.IntDiv:
		if v, ok := syntax.Unparen(e.R).(*test_driver.ValueExpr); ok {
			return l / constant(v), data // by 0 it is NULL
		}
		return max(l, unknownCount), true
	case opcode.Mod:
		return r, data
	case opcode.EQ, opcode.NE, opcode.LT, opcode.LE, opcode.GT, opcode.GE, opcode.NullEQ, opcode.LogicAnd,
		opcode.LogicOr, opcode.LogicXor:
		return 1, false
	}
	return math.Inf(1), false
}

func (m *measure) columnNumber(ref *bind.ColumnRef) (float64, bool) {
	switch {
	case ref == nil:
	case ref.Source != nil && ref.Source.Inner != nil:
		return m.outputNumber(ref.Source.Inner, ref.Index)
	case ref.Source != nil && ref.Source.Table != nil:
		switch schema.ParseType(ref.Source.Columns[ref.Index].Column.Type).Name {
		case "tinyint":
			return 1 << 8, true
		case "smallint", "year":
			return 1 << 16, true
		}
	case ref.Source == nil && ref.Output >= 0 && ref.Home != nil:
		return m.outNumber(ref.Home.Output[ref.Output])
	}
	return unknownCount, true
}

// outputNumber looks at a column of a derived table.
func (m *measure) outputNumber(q *bind.Query, idx int) (n float64, data bool) {
	again := slices.Contains(m.inside, q)
	defer func(n int) { m.inside = m.inside[:n] }(len(m.inside))
	m.inside = append(m.inside, q)
	if again || q.Recursive() { // a table that reads itself counts as far as the data or its condition lets it
		all := m.bound.Queries[q.Node]
		if !again && all != nil && !slices.Contains(m.inside, all) && len(all.Parts) > 0 {
			n, _ = m.outputNumber(all.Parts[0], idx)
		}
		return max(n, unknownCount), true
	}
	if q.Block != nil && idx < len(q.Output) {
		return m.outNumber(q.Output[idx])
	}
	for _, part := range q.Parts {
		x, d := m.outputNumber(part, idx)
		n, data = max(n, x), data || d
	}
	return n, data
}

func (m *measure) outNumber(out bind.Output) (float64, bool) {
	switch {
	case out.Expr != nil:
		return m.number(out.Expr)
	case out.Source != nil:
		return m.columnNumber(&bind.ColumnRef{Source: out.Source, Index: out.Index, Output: -1})
	}
	return unknownCount, true
}

func (m *measure) aggregateNumber(name string, args []ast.ExprNode) (float64, bool) {
	switch name {
	case "max", "min", "avg", "first_value", "last_value", "lead", "lag", "nth_value":
		return m.largest(args[:1]...)
	case "count", "row_number", "rank", "dense_rank", "ntile", "cume_dist", "percent_rank":
		return unknownCount, true
	case "sum":
		if n, data := m.number(args[0]); data {
			return n, true
		}
	}
	return math.Inf(1), false
}

func (m *measure) callNumber(e *ast.FuncCallExpr) (float64, bool) {
	switch name, has := e.FnName.L, functions[e.FnName.L].has; {
	case has["number:first"] != nil:
		return m.number(e.Args[0])
	case name == "mod":
		return m.number(e.Args[1])
	case name == "if":
		return m.largest(e.Args[1:]...)
	case has["number:any"] != nil:
		return m.largest(e.Args...)
	case has["number:length"] != nil:
		return m.most(e.Args...), false
	case name == "bit_length":
		return 8 * m.size(e.Args[0]), false
	case has["number:small"] != nil:
		return unknownCount, false
	case has["number:data"] != nil:
		return unknownCount, true
	}
	return math.Inf(1), false
}
