package explain

import (
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/syntax"
)

// phrase is an expression in words.
type phrase struct {
	text string
	bind binding
}

// binding says where a phrase needs brackets.
type binding byte

const (
	closed binding = iota // a name or a constant: nowhere
	led                   // words before what they are about: beside an operator
	loose                 // words between two others: wherever it is a part
)

// operators are said between their sides.
var operators = map[opcode.Op]string{
	opcode.Plus: "plus", opcode.Minus: "minus", opcode.Mul: "times", opcode.Div: "divided by",
	opcode.IntDiv: "divided without rest by", opcode.Mod: "modulo", opcode.And: "bit-and", opcode.Or: "bit-or",
	opcode.Xor: "bit-xor", opcode.LeftShift: "shifted left by", opcode.RightShift: "shifted right by",
}

// value is an expression that nothing around it can be mistaken with.
func (w writer) value(e ast.ExprNode) string { return w.expr(e).text }

// part is an expression as an argument.
func (w writer) part(e ast.ExprNode) string {
	p := w.expr(e)
	if p.bind == loose {
		return "(" + p.text + ")"
	}
	return p.text
}

// side is an expression beside an operator.
func (w writer) side(e ast.ExprNode) string {
	p := w.expr(e)
	if p.bind != closed {
		return "(" + p.text + ")"
	}
	return p.text
}

// expr is an expression in words.
func (w writer) expr(e ast.ExprNode) phrase {
	e = syntax.Unparen(e)
	if isCondition(e) {
		return phrase{"whether " + w.condition(e), loose}
	}
	switch e := e.(type) {
	case *ast.ColumnNameExpr:
		return phrase{w.column(e.Name), closed}
	case *test_driver.ValueExpr:
		return phrase{printed(e), closed}
	case *ast.BinaryOperationExpr:
		return phrase{w.operand(e.L, e.Op) + " " + operators[e.Op] + " " + w.side(e.R), loose}
	case *ast.UnaryOperationExpr:
		return w.unary(e)
	case *ast.FuncCallExpr:
		return w.call(e)
	case *ast.FuncCastExpr:
		return phrase{w.side(e.Expr) + " " + castTo(e), loose}
	case *ast.AggregateFuncExpr:
		return phrase{w.aggregate(e), led}
	case *ast.WindowFuncExpr:
		return phrase{w.window(e), led}
	case *ast.CaseExpr:
		return phrase{w.cases(e), loose}
	case *ast.SubqueryExpr:
		return phrase{w.scalar(e), led}
	case *ast.RowExpr:
		return phrase{"(" + w.all(e.Values) + ")", closed}
	case *ast.SetCollationExpr:
		return phrase{w.side(e.Expr) + " by the collation " + e.Collate, loose}
	case *ast.MatchAgainst:
		var names []string
		for _, n := range e.ColumnNames {
			names = append(names, w.column(n))
		}
		return phrase{"how well " + list(names, "and") + " match the words " + w.value(e.Against), led}
	case *ast.TimeUnitExpr:
		return phrase{unit(e.Unit), closed}
	case *ast.TrimDirectionExpr:
		return phrase{ends[e.Direction], closed}
	case *ast.PositionExpr:
		return phrase{"column " + strconv.Itoa(e.N), closed}
	}
	return phrase{printed(e), closed}
}

// printed is a piece of SQL as it is written.
func printed(n ast.Node) string {
	text, err := syntax.Print(n)
	if err != nil || text == "" {
		return "a value"
	}
	return text
}

// operand is the left side of an operator: of a run of the same one it needs no brackets.
func (w writer) operand(e ast.ExprNode, op opcode.Op) string {
	b, ok := syntax.Unparen(e).(*ast.BinaryOperationExpr)
	if ok && b.Op == op && (op == opcode.Plus || op == opcode.Mul) {
		return w.expr(e).text
	}
	return w.side(e)
}

func (w writer) unary(e *ast.UnaryOperationExpr) phrase {
	switch e.Op {
	case opcode.Plus:
		return w.expr(e.V)
	case opcode.BitNeg:
		return phrase{"the turned bits of " + w.part(e.V), led}
	}
	if v, ok := syntax.Unparen(e.V).(*test_driver.ValueExpr); ok {
		return phrase{"-" + printed(v), closed}
	}
	return phrase{"minus " + w.side(e.V), led}
}

// all are expressions with commas between.
func (w writer) all(es []ast.ExprNode) string {
	var parts []string
	for _, e := range es {
		parts = append(parts, w.part(e))
	}
	return strings.Join(parts, ", ")
}

func (w writer) cases(e *ast.CaseExpr) string {
	var parts []string
	for _, when := range e.WhenClauses {
		cond := ""
		if e.Value != nil {
			cond = w.value(e.Value) + " is " + w.value(when.Expr)
		} else {
			cond = w.condition(when.Expr)
		}
		parts = append(parts, w.part(when.Result)+" if "+cond)
	}
	text := strings.Join(parts, ", ")
	if e.ElseClause == nil {
		return text + ", else no value"
	}
	return text + ", else " + w.part(e.ElseClause)
}

// castTypes say as what a value is read.
var castTypes = map[byte]string{
	mysql.TypeVarString: "as a text", mysql.TypeString: "as a text", mysql.TypeVarchar: "as a text",
	mysql.TypeLonglong: "as a whole number", mysql.TypeNewDecimal: "as a decimal number",
	mysql.TypeDouble: "as a number", mysql.TypeFloat: "as a number", mysql.TypeDate: "as a date",
	mysql.TypeDatetime: "as a date and time", mysql.TypeDuration: "as a time of day", mysql.TypeJSON: "as JSON",
	mysql.TypeYear: "as a year",
}

func castTo(e *ast.FuncCastExpr) string {
	as := castTypes[e.Tp.GetType()]
	if as == "" {
		as = "as another type"
	}
	if e.FunctionType == ast.CastBinaryOperator || as == "as a text" && e.Tp.GetCharset() == "binary" {
		return "as bytes"
	}
	if d := e.Tp.GetDecimal(); e.Tp.GetType() == mysql.TypeNewDecimal && d > 0 {
		as += " with " + count(d, "decimal place")
	}
	return as
}

// castKinds are the kinds of what castTypes read.
var castKinds = map[byte]kind{
	mysql.TypeVarString: text, mysql.TypeString: text, mysql.TypeVarchar: text, mysql.TypeLonglong: number,
	mysql.TypeNewDecimal: number, mysql.TypeDouble: number, mysql.TypeFloat: number, mysql.TypeDate: date,
	mysql.TypeDatetime: date, mysql.TypeDuration: date, mysql.TypeYear: number,
}

// count is a number of things.
func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}

// kind is what the values of an expression are.
func (w writer) kind(e ast.ExprNode) kind { return w.kindAt(e, 0) }

func (w writer) kindAt(e ast.ExprNode, depth int) kind {
	if depth > maxDepth {
		return other
	}
	e = syntax.Unparen(e)
	if isCondition(e) {
		return number
	}
	switch e := e.(type) {
	case *ast.ColumnNameExpr:
		return w.columnKind(e.Name, depth+1)
	case *test_driver.ValueExpr:
		switch e.Kind() {
		case test_driver.KindString:
			return other // a text that may be compared with a date
		case test_driver.KindNull:
			return other
		}
		return number
	case *ast.BinaryOperationExpr, *ast.UnaryOperationExpr:
		return number
	case *ast.FuncCastExpr:
		return castKinds[e.Tp.GetType()]
	case *ast.FuncCallExpr:
		return w.callKind(e, depth+1)
	case *ast.AggregateFuncExpr:
		return w.aggregateKind(strings.ToLower(e.F), e.Args, depth+1)
	case *ast.WindowFuncExpr:
		return w.aggregateKind(strings.ToLower(e.Name), e.Args, depth+1)
	case *ast.CaseExpr:
		first := e.WhenClauses[0].Result
		if v, literal := first.(*test_driver.ValueExpr); literal && v.Kind() == test_driver.KindString {
			return text
		}
		return w.kindAt(first, depth+1)
	case *ast.SubqueryExpr:
		if q := w.Queries[e.Query]; q != nil && len(q.Output) == 1 {
			return w.outputKind(q.Output[0], depth+1)
		}
	}
	return other
}

func (w writer) columnKind(n *ast.ColumnName, depth int) kind {
	ref := w.Ref(n)
	switch {
	case ref == nil:
		return other
	case ref.Source != nil && ref.Source.Name != "":
		return w.sourceKind(ref.Source, ref.Index, depth)
	case ref.Output >= 0 && ref.Home != nil && ref.Output < len(ref.Home.Output):
		o := ref.Home.Output[ref.Output]
		if o.Column == nil && o.Expr == nil && w.block != nil && ref.Output < len(w.block.Output) {
			o = w.block.Output[ref.Output] // of the first part of a set operation
		}
		return w.outputKind(o, depth)
	}
	return other
}
