package embedded

import (
	"fmt"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// frame writes the frame of a window.
func (d *dialect) frame(f *ast.FrameClause, sc *scope) string {
	word := "ROWS"
	switch f.Type {
	case ast.Rows:
	case ast.Ranges:
		word = "RANGE"
	default:
		refuse("GROUPS frames")
	}
	return fmt.Sprintf("%s BETWEEN %s AND %s", word, d.bound(f.Extent.Start, sc), d.bound(f.Extent.End, sc))
}

func (d *dialect) bound(b ast.FrameBound, sc *scope) string {
	side := map[ast.BoundType]string{ast.Following: " FOLLOWING", ast.Preceding: " PRECEDING"}[b.Type]
	switch {
	case b.Type == ast.CurrentRow:
		return "CURRENT ROW"
	case b.UnBounded:
		return "UNBOUNDED" + side
	case b.Unit != ast.TimeUnitInvalid:
		return fmt.Sprint(d.boundLength(b, sc)) + side
	}
	return d.narrow(d.number(d.scalar(b.Expr, sc))).sql + side
}

// boundLength is an INTERVAL of a frame in microseconds; one of months has none.
func (d *dialect) boundLength(b ast.FrameBound, sc *scope) int64 {
	v := d.scalar(b.Expr, sc)
	var amount any = v.sql
	if v.text != nil {
		amount = *v.text
	} else if !isConstant(v) || v.typ.k == kNull {
		refuse("a frame with an INTERVAL that is no literal")
	}
	months, usec, ok := intervalOf(amount, b.Unit.String())
	switch {
	case !ok:
		refuse("a frame with an INTERVAL of %sS", b.Unit)
	case months < 0 || usec < 0:
		fail(3586, "Window frame with a negative or NULL bound")
	}
	return usec
}

// hasMonths says that a frame reaches over months, which have no fixed length.
func hasMonths(f *ast.FrameClause) bool {
	months := func(b ast.FrameBound) bool {
		if !offset(b) || b.Unit == ast.TimeUnitInvalid {
			return false
		}
		_, ok := unitMonths[b.Unit.String()]
		return ok || b.Unit == ast.TimeUnitYearMonth
	}
	return ranges(f) && (months(f.Extent.Start) || months(f.Extent.End))
}

// overMonths writes an aggregate over a frame of months, which SQLite does not have, as a subquery over the rows of the same query
// block: those between the dates that the frame reaches from and to.
func (d *dialect) overMonths(name string, n *ast.WindowFuncExpr, spec ast.WindowSpec, sc *scope) val {
	switch name {
	case ast.AggFuncCount, ast.AggFuncSum, ast.AggFuncAvg, ast.AggFuncMin, ast.AggFuncMax:
	default:
		refuse("%s over a frame with an INTERVAL of months", strings.ToUpper(name))
	}
	s := sc.stmt
	if s == nil || s.From == nil || s.GroupBy != nil || s.Having != nil || hasAggregate(s) || n.Distinct || hasRandom(s.From) {
		refuse("a frame with an INTERVAL of months in this query")
	}
	if spec.OrderBy == nil || len(spec.OrderBy.Items) != 1 {
		fail(3587, "Window with RANGE N PRECEDING/FOLLOWING frame requires exactly one ORDER BY expression, of numeric or temporal type")
	}
	key, desc := spec.OrderBy.Items[0].Expr, spec.OrderBy.Items[0].Desc
	v := d.scalar(key, sc)
	d.rangeKey(spec.Frame, []val{v}) // for its errors
	if v.typ.k == kTime {
		refuse("a frame with an INTERVAL of months over TIME")
	}
	rows := &scope{parent: sc.parent, stmt: s, ctes: sc.ctes, windows: sc.windows, aggs: new(int), windowed: new(bool)}
	from := d.from(s.From.TableRefs, rows)
	other := d.scalar(key, rows)
	var where, reach []string
	if s.Where != nil {
		where = append(where, d.cond(d.expr(s.Where, rows)))
	}
	if spec.PartitionBy != nil {
		for _, item := range spec.PartitionBy.Items {
			where = append(where, fmt.Sprintf("(%s IS %s)", settle(d.scalar(item.Expr, rows)), settle(d.scalar(item.Expr, sc))))
		}
	}
	alias := d.name("t")
	var bounds []string
	for i, b := range []ast.FrameBound{spec.Frame.Extent.Start, spec.Frame.Extent.End} {
		first := (i == 0) != desc // the earlier one
		at := v
		switch {
		case b.UnBounded && !v.notNull: // NULLs are first or last
			refuse("an unbounded frame with an INTERVAL of months over a column that may be NULL")
		case b.UnBounded:
			continue
		case offset(b):
			d.boundLength(b, sc) // for its errors
			at = d.addInterval(v, d.scalar(b.Expr, sc), b.Unit.String(), map[bool]int{true: 1, false: -1}[(b.Type == ast.Following) != desc])
		}
		column := fmt.Sprintf("c%d", i+1)
		bounds = append(bounds, at.sql+" AS "+column)
		reach = append(reach, fmt.Sprintf("%s %s %s.%s", other.sql, map[bool]string{true: ">=", false: "<="}[first], alias, column))
	}
	where = append(where, fmt.Sprintf("(%s OR %s IS NULL AND %s IS NULL)", strings.Join(reach, " AND "), other.sql, v.sql))
	rows.inAgg, rows.rounds = true, true // MySQL reads what it sums up from a temporary table
	out := d.aggregateCall(name, n.Args, false, nil, rows, "")
	if out.typ.k == kDouble && (name == ast.AggFuncSum || name == ast.AggFuncAvg) {
		refuse("%s of DOUBLEs over a frame with an INTERVAL of months", strings.ToUpper(name)) // the order of the rows makes a difference
	}
	sql := fmt.Sprintf("(SELECT %s FROM %s, (SELECT %s) AS %s WHERE %s)", out.sql, from, strings.Join(bounds, ", "), alias, strings.Join(where, " AND "))
	return val{sql: sql, typ: out.typ, places: out.places, mixed: out.mixed}
}

// ranges says that a frame reaches over values instead of rows.
func ranges(f *ast.FrameClause) bool {
	return f != nil && f.Type == ast.Ranges && (offset(f.Extent.Start) || offset(f.Extent.End))
}

func offset(b ast.FrameBound) bool { return b.Type != ast.CurrentRow && !b.UnBounded }

// rangeKey is the number that a frame over values counts in: the value, or a moment's microseconds.
// Source: Window::check_window_functions and setup_range_expressions in sql/window.cc for the errors.
func (d *dialect) rangeKey(f *ast.FrameClause, order []val) string {
	interval := false
	for _, b := range []ast.FrameBound{f.Extent.Start, f.Extent.End} {
		interval = interval || offset(b) && b.Unit != ast.TimeUnitInvalid
	}
	v := order[0]
	switch {
	case len(order) != 1 || !v.typ.numeric() && !v.typ.temporal():
		fail(3587, "Window with RANGE N PRECEDING/FOLLOWING frame requires exactly one ORDER BY expression, of numeric or temporal type")
	case interval && v.typ.numeric():
		fail(3589, "Window with RANGE frame has ORDER BY expression of numeric type, INTERVAL bound value not allowed.")
	case !interval && v.typ.temporal():
		fail(3588, "Window with RANGE frame has ORDER BY expression of datetime type. Only INTERVAL bound value allowed.")
	case v.typ.k == kTime:
		return "my_seconds(" + v.sql + ")"
	case v.typ.temporal():
		return "my_microseconds(" + v.sql + ")"
	}
	return d.narrow(v).sql
}
