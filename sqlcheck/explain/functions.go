package explain

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/syntax"
)

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
