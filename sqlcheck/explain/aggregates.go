package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/syntax"
)

// totals are the aggregate functions of one value; the most and the least are said by what the values are.
var totals = map[string]string{
	"sum": "the total of", "avg": "the average of", "bit_and": "the bits that are set in all of",
	"bit_or": "the bits that are set in any of", "bit_xor": "the bits that are set an odd number of times in",
	"var_pop": "the variance of", "var_samp": "the sample variance of", "stddev_pop": "the standard deviation of",
	"stddev_samp": "the sample standard deviation of", "json_arrayagg": "a JSON array of",
}

// extremes are MAX and MIN by kind.
var extremes = map[kind][2]string{
	number: {"the largest", "the smallest"}, date: {"the latest", "the earliest"},
	text: {"the alphabetically last", "the alphabetically first"}, listed: {"the alphabetically last", "the alphabetically first"},
	other: {"the greatest", "the least"},
}

// aggregate is an aggregate function over the rows of a group.
func (w writer) aggregate(e *ast.AggregateFuncExpr) string {
	name := strings.ToLower(e.F)
	if name == "group_concat" {
		return w.concatenated(e)
	}
	if text, ok := w.counted(name, e.Args, e.Distinct); ok {
		return text
	}
	return w.total(name, e.Args, e.Distinct)
}

// total is an aggregate that is no count.
func (w writer) total(name string, args []ast.ExprNode, distinct bool) string {
	switch name {
	case "count":
		if distinct {
			return "the number of different " + w.different(args)
		}
		return w.count(args[0])
	case "max", "min":
		i := 0
		if name == "min" {
			i = 1
		}
		k := w.kind(args[0])
		return extremes[k][i] + " " + w.bareOf(args[0])
	case "json_objectagg":
		return "a JSON object of " + w.part(args[0]) + " and " + w.part(args[1])
	}
	if distinct {
		return totals[name] + " the different values of " + w.part(args[0])
	}
	return totals[name] + " " + w.part(args[0])
}

// different is what COUNT(DISTINCT …) counts.
func (w writer) different(args []ast.ExprNode) string {
	if len(args) > 1 {
		return "combinations of " + w.all(args)
	}
	if src := w.keyed(args[0]); src != nil {
		return w.nouns[src].many
	}
	if c, ok := syntax.Unparen(args[0]).(*ast.ColumnNameExpr); ok {
		return w.plural(c)
	}
	return "values of " + w.part(args[0])
}

// plural is a column with its name in the plural: "countries of the customer".
func (w writer) plural(c *ast.ColumnNameExpr) string {
	text := w.column(c.Name)
	words, rest, of := strings.Cut(text, " of ")
	parts := strings.Fields(words)
	last := parts[len(parts)-1]
	if strings.ToLower(last) != last || noNoun(last) {
		return "values of " + text
	}
	parts[len(parts)-1] = plural(singular(last))
	if text = strings.Join(parts, " "); of {
		text += " of " + rest
	}
	return text
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
		return fmt.Sprintf("the number of %s in which %s has a value", rows.many, w.column(e.Name))
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
	cond, then, otherwise, ok := conditional(args[0])
	if !ok || isLiteral(then, "NULL") {
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

// conditional takes a CASE of one WHEN, or an IF, to pieces; otherwise is nil where there is no ELSE.
func conditional(e ast.ExprNode) (cond, then, otherwise ast.ExprNode, ok bool) {
	switch e := syntax.Unparen(e).(type) {
	case *ast.CaseExpr:
		if e.Value == nil && len(e.WhenClauses) == 1 {
			return e.WhenClauses[0].Expr, e.WhenClauses[0].Result, e.ElseClause, true
		}
	case *ast.FuncCallExpr:
		if e.FnName.L == "if" && len(e.Args) == 3 {
			return e.Args[0], e.Args[1], e.Args[2], true
		}
	}
	return nil, nil, nil, false
}

func isLiteral(e ast.ExprNode, text string) bool {
	v, ok := syntax.Unparen(e).(*test_driver.ValueExpr)
	return ok && printed(v) == text
}

// concatenated is GROUP_CONCAT: its last argument is what stands between the texts.
func (w writer) concatenated(e *ast.AggregateFuncExpr) string {
	args, between := e.Args, "','"
	if n := len(args); n > 1 {
		if v, ok := args[n-1].(*test_driver.ValueExpr); ok {
			args, between = args[:n-1], printed(v)
		}
	}
	text := "all " + w.all(args)
	if e.Distinct {
		text = "all different " + strings.TrimPrefix(w.all(args), "the ")
	}
	if e.Order != nil {
		text += " (by " + strings.Join(w.order(e.Order), "; ") + ")"
	}
	return text + " in one text with " + between + " between"
}

// aggregateKind is the kind of what aggregate and window functions return.
func (w writer) aggregateKind(name string, args []ast.ExprNode, depth int) kind {
	switch name {
	case "max", "min", "lag", "lead", "first_value", "last_value", "nth_value":
		if len(args) > 0 {
			return w.kindAt(args[0], depth)
		}
	case "group_concat":
		return text
	case "json_arrayagg", "json_objectagg":
		return other
	}
	return number
}

// ranks are the window functions that need no values, or say which row's value they are.
var ranks = map[string]string{
	"row_number": "the place (1, 2, 3 …)", "rank": "the rank (with gaps behind ties)", "dense_rank": "the rank (without gaps behind ties)",
	"cume_dist": "the share of rows up to this one", "percent_rank": "the relative rank (0 to 1)",
}

// window is a window function.
func (w writer) window(e *ast.WindowFuncExpr) string {
	spec, name := w.spec(e.Spec), strings.ToLower(e.Name)
	what := w.windowed(name, e.Args)
	among := "all rows"
	if spec.PartitionBy != nil {
		var same []string
		for _, item := range spec.PartitionBy.Items {
			same = append(same, w.bareOf(item.Expr))
		}
		among = "the rows with the same " + list(same, "and")
	}
	over := " among "
	if totals[name] != "" || name == "count" {
		over = " over "
	}
	text := what + over + among
	if spec.OrderBy != nil {
		text += ", by " + strings.Join(w.order(spec.OrderBy), ", then ")
	}
	if f := w.frame(name, spec); f != "" {
		text += ", " + f
	}
	return text
}

func (w writer) windowed(name string, args []ast.ExprNode) string {
	if text := ranks[name]; text != "" {
		return text
	}
	switch name {
	case "ntile":
		return "the part, of " + w.part(args[0]) + " parts of equal size,"
	case "lag", "lead":
		where := map[string]string{"lag": "before", "lead": "behind"}[name]
		text := w.part(args[0]) + " of the row " + where
		if len(args) > 1 && !isLiteral(args[1], "1") {
			text = fmt.Sprintf("%s of the row %s rows %s", w.part(args[0]), w.part(args[1]), where)
		}
		if len(args) > 2 {
			text += " (" + w.part(args[2]) + " if there is none)"
		}
		return text
	case "first_value":
		return "the first " + w.part(args[0])
	case "last_value":
		return "the last " + w.part(args[0])
	case "nth_value":
		return w.part(args[0]) + " of row " + w.part(args[1])
	}
	if w.block != nil && w.block.Grouped && name == "count" {
		return "the number of rows of the result"
	}
	return w.total(name, args, false)
}

// spec is a window with what it takes from a named one.
func (w writer) spec(s ast.WindowSpec) ast.WindowSpec {
	ref := s.Ref.L
	if s.OnlyAlias {
		ref = s.Name.L
	}
	if ref == "" || w.block == nil {
		return s
	}
	i := slices.IndexFunc(w.block.Select.WindowSpecs, func(n ast.WindowSpec) bool { return n.Name.L == ref })
	if i < 0 {
		return s
	}
	named := w.spec(w.block.Select.WindowSpecs[i])
	if s.PartitionBy == nil {
		s.PartitionBy = named.PartitionBy
	}
	if s.OrderBy == nil {
		s.OrderBy = named.OrderBy
	}
	if s.Frame == nil {
		s.Frame = named.Frame
	}
	return s
}

// unframed are the window functions that look at the whole partition whatever its frame.
// Source: MySQL 8.0 Reference Manual, "Window Function Frame Specification".
var unframed = syntax.WordSet("row_number rank dense_rank cume_dist percent_rank ntile lag lead")

// frame says which rows of the partition count.
func (w writer) frame(name string, s ast.WindowSpec) string {
	switch {
	case unframed[name]:
		return ""
	case s.Frame == nil && (s.OrderBy == nil || name == "first_value"):
		return ""
	case s.Frame == nil:
		return "up to this row and its equals"
	}
	from, to := w.bound(s.Frame.Extent.Start, s.Frame.Type), w.bound(s.Frame.Extent.End, s.Frame.Type)
	if from == "the first row" && to == "the last row" {
		return ""
	}
	return "from " + from + " to " + to
}

func (w writer) bound(b ast.FrameBound, t ast.FrameType) string {
	side := "before"
	if b.Type == ast.Following {
		side = "behind"
	}
	switch {
	case b.Type == ast.CurrentRow && t == ast.Ranges:
		return "this row and its equals"
	case b.Type == ast.CurrentRow:
		return "this row"
	case b.UnBounded && side == "before":
		return "the first row"
	case b.UnBounded:
		return "the last row"
	case b.Unit != ast.TimeUnitInvalid:
		return w.amount(b.Expr, b.Unit) + " " + side
	case t == ast.Rows && isLiteral(b.Expr, "1"):
		return "the row " + side
	case t == ast.Rows:
		return w.value(b.Expr) + " rows " + side
	}
	return "values up to " + w.value(b.Expr) + " " + map[string]string{"before": "less", "behind": "more"}[side]
}

// bareOf is an argument without its article.
func (w writer) bareOf(e ast.ExprNode) string { return strings.TrimPrefix(w.part(e), "the ") }

// windows says that an expression has a window function.
func (w writer) windows(e ast.Node) (has bool) {
	syntax.Visit(e, func(n ast.Node) bool {
		_, is := n.(*ast.WindowFuncExpr)
		has = has || is
		return !has
	})
	return has
}
