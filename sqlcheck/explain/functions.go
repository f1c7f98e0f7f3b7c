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

// calls are all functions that a query may call but the aggregate and window functions, as functions.txt says them. A
// test holds them against the list of the checker.
var calls = func() map[string]form {
	all := map[string]form{}
	for line := range strings.Lines(functions) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			name, rest, _ := strings.Cut(line, " ")
			of, said, _ := strings.Cut(rest, " ")
			all[name] = form{kinds[of], strings.Split(said, " | ")}
		}
	}
	return all
}()

// fractions are the functions of the clock whose one argument is how many digits a second has.
var fractions = syntax.WordSet(`now current_timestamp localtime localtimestamp sysdate curtime current_time utc_time utc_timestamp`)

// call says a function of its arguments.
func (w writer) call(e *ast.FuncCallExpr) phrase {
	name := e.FnName.L
	f, args := calls[name], e.Args
	switch {
	case len(f.says) == 0:
		return phrase{printed(e), closed}
	case fractions[name]:
		return phrase{f.says[0], closed}
	case len(args) == 0:
		return phrase{f.says[0], closed}
	}
	if name == "json_array" || name == "json_object" {
		f.says = f.says[1:]
	}
	parts := make([]string, len(args))
	for i := range args {
		parts[i] = w.argument(name, f.says[0], args, i)
	}
	said := ones.Replace(strings.TrimSpace(filled(f.says, parts)))
	return phrase{said, bindingOf(said, len(parts))}
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
	case name == "trim" && i == 1 && len(args) == 3 && isLiteral(args[1], "NULL"):
		return "blanks"
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

// bindingOf says where a call needs brackets: one that begins with its argument is loose.
func bindingOf(said string, args int) binding {
	switch {
	case strings.HasPrefix(said, "the ") || strings.HasPrefix(said, "any "):
		return led
	case strings.Contains(said, " ") && args > 0:
		return loose
	}
	return closed
}

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

// callKind is the kind of what a function returns.
func (w writer) callKind(e *ast.FuncCallExpr, depth int) kind {
	switch f := calls[e.FnName.L]; {
	case f.kind == truth:
		return number
	case f.kind == first && len(e.Args) > 0:
		return w.kindAt(e.Args[0], depth)
	case e.FnName.L == "if" && len(e.Args) == 3:
		return w.kindAt(e.Args[1], depth)
	default:
		return f.kind
	}
}

// amount is a length of time: "1 day", "3 months".
func (w writer) amount(n ast.ExprNode, u ast.TimeUnitType) string {
	one := unit(u)
	v, literal := syntax.Unparen(n).(*test_driver.ValueExpr)
	switch {
	case strings.Contains(one, "-"):
		return w.part(n) + " (" + one + ")"
	case literal && strings.Trim(printed(v), "'") == "1":
		return "1 " + one
	case literal:
		return strings.Trim(printed(v), "'") + " " + one + "s"
	}
	return w.part(n) + " " + one + "s"
}

// unit is a unit of time: "day"; "day-hour" is one of two.
func unit(u ast.TimeUnitType) string {
	return strings.ToLower(strings.ReplaceAll(u.String(), "_", "-"))
}

// ends are the ends of a text that TRIM looks at.
var ends = map[ast.TrimDirectionType]string{
	ast.TrimBothDefault: "both ends", ast.TrimBoth: "both ends", ast.TrimLeading: "its beginning", ast.TrimTrailing: "its end",
}
