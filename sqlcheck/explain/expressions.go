package explain

import (
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
	closed binding = iota // a name, a constant or SQL: nowhere
	led                   // words before what they are about: beside an operator
	loose                 // words between two others: wherever it is a part
)

// operators are said between their sides; others are shown as SQL.
var operators = map[opcode.Op]string{
	opcode.Plus: " plus ", opcode.Minus: " minus ", opcode.Mul: " times ", opcode.Div: " divided by ",
	opcode.IntDiv: " divided without rest by ", opcode.Mod: " modulo ",
}

// value is an expression that nothing around it can be mistaken with.
func (w writer) value(e ast.ExprNode) string { return w.expr(e).text }

// part is an expression as an argument.
func (w writer) part(e ast.ExprNode) string { return w.expr(e).within(led) }

// side is an expression beside an operator.
func (w writer) side(e ast.ExprNode) string { return w.expr(e).within(closed) }

// within is a phrase in brackets where it binds less than wanted.
func (p phrase) within(wanted binding) string {
	if p.bind > wanted {
		return "(" + p.text + ")"
	}
	return p.text
}

// expr is an expression in words; what is rare is shown as its SQL.
func (w writer) expr(e ast.ExprNode) phrase {
	e = syntax.Unparen(e)
	if isCondition(e) {
		return phrase{"whether " + w.condition(e), loose}
	}
	switch e := e.(type) {
	case *ast.ColumnNameExpr:
		return phrase{w.column(e.Name), closed}
	case *ast.BinaryOperationExpr:
		if word := operators[e.Op]; word != "" {
			return phrase{w.operand(e.L, e.Op) + word + w.side(e.R), loose}
		}
	case *ast.UnaryOperationExpr:
		if _, literal := syntax.Unparen(e.V).(*test_driver.ValueExpr); e.Op == opcode.Minus && !literal {
			return phrase{"minus " + w.side(e.V), led}
		}
	case *ast.FuncCallExpr:
		return w.call(e)
	case *ast.FuncCastExpr:
		if as := castTypes[e.Tp.GetType()]; as != "" && e.FunctionType != ast.CastBinaryOperator {
			return phrase{w.side(e.Expr) + as, loose}
		}
	case *ast.AggregateFuncExpr:
		return w.aggregate(e)
	case *ast.WindowFuncExpr:
		return w.window(e)
	case *ast.CaseExpr:
		return phrase{w.cases(e), loose}
	case *ast.SubqueryExpr:
		return phrase{w.scalar(e), led}
	case *ast.RowExpr:
		return phrase{"(" + w.all(e.Values) + ")", closed}
	case *ast.TimeUnitExpr:
		return phrase{unit(e.Unit), closed}
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

// all are expressions with commas between.
func (w writer) all(es []ast.ExprNode) string { return strings.Join(syntax.Map(es, w.part), ", ") }

func (w writer) cases(e *ast.CaseExpr) (text string) {
	for _, when := range e.WhenClauses {
		cond := ""
		if e.Value != nil {
			cond = w.value(e.Value) + " is " + w.value(when.Expr)
		} else {
			cond = w.condition(when.Expr)
		}
		text += w.part(when.Result) + " if " + cond + ", "
	}
	if e.ElseClause == nil {
		return text + "else no value"
	}
	return text + "else " + w.part(e.ElseClause)
}

// castTypes say as what a value is read.
var castTypes = map[byte]string{
	mysql.TypeVarString: " as a text", mysql.TypeString: " as a text", mysql.TypeVarchar: " as a text",
	mysql.TypeLonglong: " as a whole number", mysql.TypeNewDecimal: " as a decimal number",
	mysql.TypeDouble: " as a number", mysql.TypeFloat: " as a number", mysql.TypeDate: " as a date",
	mysql.TypeDatetime: " as a date and time", mysql.TypeDuration: " as a time of day", mysql.TypeYear: " as a year",
}
