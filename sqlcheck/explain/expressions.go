package explain

import (
	_ "embed"
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

// form is how a call is said; several forms are for several numbers of arguments.
type form struct {
	kind kind
	says []string
}

//go:embed functions.txt
var functions string

// kinds are the names of kinds in functions.txt.
var kinds = map[string]kind{
	"other": other, "number": number, "text": text, "date": date, "truth": truth, "first": first,
}

// calls are the functions that have words, as functions.txt says them; calls of others are shown as their SQL.
var calls = func() map[string]form {
	all := map[string]form{}
	for name, rest := range syntax.Table(functions) {
		of, said, _ := strings.Cut(rest, " ")
		all[name] = form{kinds[of], strings.Split(said, " | ")}
	}
	return all
}()

// call says a function of its arguments.
func (w writer) call(e *ast.FuncCallExpr) phrase {
	name, args := e.FnName.L, e.Args
	f := calls[name]
	switch {
	case len(f.says) == 0, name == "trim" && len(args) > 1:
		return phrase{printed(e), closed}
	case name == "if" && isLiteral(args[0], "1"): // as the checker writes it around REGEXP_SUBSTR
		return w.expr(args[1])
	case len(args) == 0, !strings.Contains(f.says[0]+f.says[len(f.says)-1], "{"): // it is about no argument
		return phrase{f.says[0], closed}
	}
	parts := make([]string, len(args))
	for i := range args {
		parts[i] = w.argument(name, f.says[0], args, i)
	}
	said := ones.Replace(strings.TrimSpace(filled(f.says, parts)))
	if strings.HasPrefix(said, "the ") || strings.HasPrefix(said, "any ") {
		return phrase{said, led}
	}
	return phrase{said, loose}
}

// argument says one of a function's arguments, once: what is said twice at each level of calls within calls never ends.
func (w writer) argument(name, form string, args []ast.ExprNode, i int) string {
	switch {
	case name == "if" && i == 0:
		return w.condition(args[0])
	case moves[name] && i == 2, name == "timestampadd" && i == 0:
		return "" // the unit: it stands in the amount
	case moves[name] && i == 1:
		return w.amount(args[1], args[2].(*ast.TimeUnitExpr).Unit)
	case name == "timestampadd" && i == 1:
		return w.amount(args[1], args[0].(*ast.TimeUnitExpr).Unit)
	case i == 0 && strings.HasPrefix(form, "{1} "):
		return w.side(args[0])
	}
	return w.part(args[i])
}

// moves are the functions whose third argument is the unit of the second.
var moves = syntax.WordSet(`adddate date_add subdate date_sub`)

// ones are plurals that one thing has none of.
var ones = strings.NewReplacer(" 1 decimal places", " 1 decimal place", "the first 1 characters", "the first character",
	"the last 1 characters", "the last character", "1 characters of", "1 character of")

// filled puts arguments into the form that has a place for each.
func filled(forms []string, args []string) string {
	said := forms[len(forms)-1]
	for _, f := range forms {
		if strings.Contains(f, "+}") || strings.Contains(f, "{"+strconv.Itoa(len(args))+"}") {
			said = f
			break
		}
	}
	var pairs []string
	for i, a := range args {
		n := strconv.Itoa(i + 1)
		pairs = append(pairs, "{"+n+"}", a, "{"+n+"+}", strings.Join(args[i:], ", "))
	}
	return strings.NewReplacer(pairs...).Replace(said)
}

// amount is a length of time: "1 day", "3 months".
func (w writer) amount(n ast.ExprNode, u ast.TimeUnitType) string {
	one, text := unit(u), w.part(n)
	if strings.Contains(one, "-") {
		return text + " (" + one + ")"
	}
	if v, literal := syntax.Unparen(n).(*test_driver.ValueExpr); literal {
		text = strings.Trim(printed(v), "'")
	}
	if text == "1" {
		return "1 " + one
	}
	return text + " " + one + "s"
}

// unit is a unit of time: "day"; "day-hour" is one of two.
func unit(u ast.TimeUnitType) string {
	return strings.ToLower(strings.ReplaceAll(u.String(), "_", "-"))
}
