package explain

import (
	"fmt"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/syntax"
)

// totals are the aggregate functions of one value; the most and the least are said by what the values are.
var totals = map[string]string{
	"sum": "the total of", "avg": "the average of", "count": "", "max": "", "min": "",
	"var_pop": "the variance of", "var_samp": "the sample variance of", "stddev_pop": "the standard deviation of",
	"stddev_samp": "the sample standard deviation of",
}

// extremes are MAX and MIN by kind.
var extremes = map[kind]map[string]string{
	number: {"max": "the largest ", "min": "the smallest "}, date: {"max": "the latest ", "min": "the earliest "},
	text:   {"max": "the alphabetically last ", "min": "the alphabetically first "},
	listed: {"max": "the alphabetically last ", "min": "the alphabetically first "},
	other:  {"max": "the greatest ", "min": "the least "},
}

// aggregate is an aggregate function over the rows of a group; a rare one is shown as its SQL.
func (w writer) aggregate(e *ast.AggregateFuncExpr) phrase {
	name := strings.ToLower(e.F)
	if name == "group_concat" {
		return phrase{w.concatenated(e), led}
	}
	text, ok := w.counted(name, e.Args, e.Distinct)
	if !ok {
		text, ok = w.total(name, e.Args, e.Distinct)
	}
	if !ok {
		return phrase{printed(e), closed}
	}
	return phrase{text, led}
}

// total is an aggregate of all values.
func (w writer) total(name string, args []ast.ExprNode, distinct bool) (text string, ok bool) {
	of, ok := totals[name]
	switch {
	case name == "count" && distinct:
		return "the number of different " + w.different(args), true
	case name == "count":
		return w.count(args[0]), true
	case name == "max" || name == "min":
		return extremes[w.kind(args[0])][name] + w.bareOf(args[0]), true
	case !ok:
		return "", false
	case distinct:
		of += " the different values of"
	}
	return of + " " + w.part(args[0]), true
}

// different is what COUNT(DISTINCT …) counts.
func (w writer) different(args []ast.ExprNode) string {
	if len(args) > 1 {
		return "combinations of " + w.all(args)
	}
	if src := w.keyed(args[0]); src != nil {
		return w.nouns[src].many
	}
	if c, ok := syntax.Unparen(args[0]).(*ast.ColumnNameExpr); ok { // "countries of the customer"
		words, rest, of := strings.Cut(w.column(c.Name), " of ")
		if words = valuesOf(words); of {
			words += " of " + rest
		}
		return words
	}
	return "values of " + w.part(args[0])
}

// count is what COUNT of one expression counts.
func (w writer) count(e ast.ExprNode) string {
	rows := w.rowNoun()
	switch e := syntax.Unparen(e).(type) {
	case *test_driver.ValueExpr:
		if e.Kind() != test_driver.KindNull {
			return "the number of " + rows.many
		}
	case *ast.ColumnNameExpr:
		ref := w.Ref(e.Name)
		if ref == nil || ref.Source == nil || ref.Home != w.block {
			break
		}
		if _, c := ref.Column(); c != nil && !c.Nullable && ref.Source.Table != nil {
			switch {
			case !ref.Source.Weak:
				return "the number of " + rows.many
			case w.settles(ref.Source):
				return "the number of " + w.nouns[ref.Source].many
			}
		}
	}
	return fmt.Sprintf("the number of %s in which %s has a value", rows.many, w.part(e))
}

// counted says in one phrase what SUM and COUNT do to a value that is there under a condition:
// SUM(CASE WHEN c THEN 1 ELSE 0 END), SUM(c), COUNT(IF(c, x, NULL)).
func (w writer) counted(name string, args []ast.ExprNode, distinct bool) (string, bool) {
	if len(args) != 1 || name != "sum" && name != "count" {
		return "", false
	}
	if name == "sum" && !distinct && isCondition(args[0]) {
		return "the number of " + w.rowNoun().many + " where " + w.condition(args[0]), true
	}
	cond, then, otherwise := conditional(args[0])
	if cond == nil || isLiteral(then, "NULL") {
		return "", false
	}
	none := otherwise == nil || isLiteral(otherwise, "NULL")
	zero := name == "sum" && !distinct && (none || isLiteral(otherwise, "0"))
	_, literal := syntax.Unparen(then).(*test_driver.ValueExpr)
	switch {
	case name == "count" && none && distinct:
		return "the number of different " + w.different([]ast.ExprNode{then}) + " where " + w.grouped(cond), true
	case name == "count" && none && literal, zero && isLiteral(then, "1"):
		return "the number of " + w.rowNoun().many + " where " + w.grouped(cond), true
	case zero && !literal:
		return "the total of " + w.part(then) + " where " + w.grouped(cond), true
	}
	return "", false
}

// conditional takes a CASE of one WHEN, or an IF, to pieces; cond is nil where it is none, otherwise without an ELSE.
func conditional(e ast.ExprNode) (cond, then, otherwise ast.ExprNode) {
	switch e := syntax.Unparen(e).(type) {
	case *ast.CaseExpr:
		if e.Value == nil && len(e.WhenClauses) == 1 {
			return e.WhenClauses[0].Expr, e.WhenClauses[0].Result, e.ElseClause
		}
	case *ast.FuncCallExpr:
		if e.FnName.L == "if" && len(e.Args) == 3 {
			return e.Args[0], e.Args[1], e.Args[2]
		}
	}
	return nil, nil, nil
}

func isLiteral(e ast.ExprNode, text string) bool {
	v, ok := syntax.Unparen(e).(*test_driver.ValueExpr)
	return ok && printed(v) == text
}

// concatenated is GROUP_CONCAT: its last argument is what stands between the texts.
func (w writer) concatenated(e *ast.AggregateFuncExpr) string {
	last := len(e.Args) - 1
	text := "all " + w.all(e.Args[:last])
	if e.Distinct {
		text = "all different " + strings.TrimPrefix(w.all(e.Args[:last]), "the ")
	}
	if e.Order != nil {
		text += " (by " + strings.Join(w.order(e.Order), "; ") + ")"
	}
	return text + " in one text with " + printed(e.Args[last]) + " between"
}

// ranks are the window functions that say where a row stands.
var ranks = map[string]string{
	"row_number": "the place (1, 2, 3 …)", "rank": "the rank (with gaps behind ties)",
	"dense_rank": "the rank (without gaps behind ties)",
}

// window is a rank, or a total over the rows of a window; with a frame or a name, and of all other functions, it is
// shown as its SQL.
func (w writer) window(e *ast.WindowFuncExpr) phrase {
	spec, name := e.Spec, strings.ToLower(e.Name)
	text, among, ok := ranks[name], " among ", true
	switch {
	case text != "":
	case name == "count" && w.block != nil && w.block.Grouped:
		text = "the number of rows of the result"
	default:
		text, ok = w.total(name, e.Args, false)
	}
	if !ok || spec.Frame != nil || spec.Name.L != "" || spec.Ref.L != "" {
		return phrase{printed(e), closed}
	}
	if totals[name] != "" || name == "count" {
		among = " over "
	}
	if spec.PartitionBy == nil {
		text += among + "all rows"
	} else {
		same := syntax.Map(spec.PartitionBy.Items, func(item *ast.ByItem) string { return w.bareOf(item.Expr) })
		text += among + "the rows with the same " + list(same, "and")
	}
	if spec.OrderBy != nil {
		text += ", by " + strings.Join(w.order(spec.OrderBy), ", then ")
		if ranks[name] == "" {
			text += ", up to this row and its equals"
		}
	}
	return phrase{text, led}
}

// bareOf is an argument without its article.
func (w writer) bareOf(e ast.ExprNode) string { return strings.TrimPrefix(w.part(e), "the ") }
