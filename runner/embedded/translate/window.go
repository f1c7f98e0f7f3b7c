package translate

import (
	"fmt"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
)

// windowDef is a window of a WINDOW clause.
type windowDef struct{ spec ast.WindowSpec }

// window translates a function with OVER.
func (d *draft) window(n *ast.WindowFuncExpr, sc *scope) val {
	if n.IgnoreNull || n.FromLast {
		fail(1235, "This version of MySQL doesn't yet support 'IGNORE NULLS'")
	}
	sc.windowed = true
	name := strings.ToLower(n.Name)
	if spec := d.resolveWindow(&n.Spec, sc, 0); hasMonths(spec.Frame) {
		return d.overMonths(name, n, spec, sc)
	}
	over := d.over(&n.Spec, sc)
	switch name {
	case ast.WindowFuncRowNumber, ast.WindowFuncRank, ast.WindowFuncDenseRank:
		return val{sql: name + "()" + over, typ: types.Type{Kind: types.Int, Unsigned: true}}
	case ast.WindowFuncCumeDist, ast.WindowFuncPercentRank:
		return val{sql: name + "()" + over, typ: types.DoubleType}
	case ast.WindowFuncNtile:
		if d.scalar(n.Args[0], sc).typ.Kind == types.Null {
			return val{sql: "NULL", typ: types.Type{Kind: types.Int, Unsigned: true}}
		}
		atLeastOne(n.Args[0], "ntile")
		return val{sql: "ntile(" + d.narrow(d.number(d.scalar(n.Args[0], sc))).sql + ")" + over,
			typ: types.Type{Kind: types.Int, Unsigned: true}}
	case ast.WindowFuncLead, ast.WindowFuncLag:
		return d.leadLag(name, n.Args, over, sc)
	case ast.WindowFuncFirstValue, ast.WindowFuncLastValue:
		v := d.scalar(n.Args[0], sc)
		return val{sql: fmt.Sprintf("%s(%s)%s", name, v.sql, over), typ: computed(v.typ), places: v.places}
	case ast.WindowFuncNthValue:
		atLeastOne(n.Args[1], "nth_value")
		v := d.scalar(n.Args[0], sc)
		return val{sql: fmt.Sprintf("nth_value(%s, %s)%s", v.sql, d.narrow(d.number(d.scalar(n.Args[1], sc))).sql,
			over), typ: computed(v.typ), places: v.places}
	}
	return d.aggregateCall(name, n.Args, n.Distinct, nil, sc, over)
}

// atLeastOne fails where a window function's number is no positive literal.
func atLeastOne(e ast.ExprNode, name string) {
	v, ok := syntax.Unparen(e).(ast.ValueExpr)
	if !ok || v.GetValue() == nil {
		refuse("%s with anything but a number", strings.ToUpper(name))
	}
	if n, ok := v.GetValue().(int64); ok && n == 0 {
		fail(1210, "Incorrect arguments to %s", name)
	}
}

func (d *draft) leadLag(name string, args []ast.ExprNode, over string, sc *scope) val {
	v := d.scalar(args[0], sc)
	offset := "1"
	if len(args) > 1 {
		offset = d.narrow(d.number(d.scalar(args[1], sc))).sql
	}
	if len(args) < 3 {
		return val{sql: fmt.Sprintf("%s(%s, %s)%s", name, v.sql, offset, over), typ: computed(v.typ), places: v.places}
	}
	def := d.scalar(args[2], sc)
	t := merge(v.typ, def.typ)
	return val{sql: fmt.Sprintf("%s(%s, %s, %s)%s", name, d.convert(v, t).sql, offset, d.convert(def, t).sql, over),
		typ: computed(t), places: v.places}
}

// over writes an OVER clause. Named windows are written out.
func (d *draft) over(w *ast.WindowSpec, sc *scope) string {
	spec := d.resolveWindow(w, sc, 0)
	var parts []string
	if spec.PartitionBy != nil {
		var keys []string
		for _, item := range spec.PartitionBy.Items {
			keys = append(keys, settle(d.scalar(item.Expr, sc)))
		}
		parts = append(parts, "PARTITION BY "+strings.Join(keys, ", "))
	}
	var order []val
	desc := false
	if spec.OrderBy != nil {
		var keys []string
		for _, item := range spec.OrderBy.Items {
			v := d.scalar(item.Expr, sc)
			order, desc = append(order, v), item.Desc
			keys = append(keys, d.sortKey(v)+direction(item.Desc))
		}
		if ranges(spec.Frame) {
			keys = []string{d.rangeKey(spec.Frame, order) + direction(desc)}
		}
		parts = append(parts, "ORDER BY "+strings.Join(keys, ", "))
	}
	if spec.Frame != nil {
		if ranges(spec.Frame) && len(order) != 1 {
			fail(3587, "Window with RANGE N PRECEDING/FOLLOWING frame requires exactly one ORDER BY expression, of numeric or temporal type")
		}
		parts = append(parts, d.frame(spec.Frame, sc))
	}
	return " OVER (" + strings.Join(parts, " ") + ")"
}

func (d *draft) resolveWindow(w *ast.WindowSpec, sc *scope, depth int) ast.WindowSpec {
	name := w.Ref.L
	if w.OnlyAlias {
		name = w.Name.L
	}
	if name == "" {
		return *w
	}
	base, ok := sc.windows[name]
	if !ok || depth > 20 {
		fail(3579, "Window name '%s' is not defined.", name)
	}
	out := d.resolveWindow(&base.spec, sc, depth+1)
	if w.OnlyAlias {
		return out
	}
	if w.OrderBy != nil {
		out.OrderBy = w.OrderBy
	}
	if w.Frame != nil {
		out.Frame = w.Frame
	}
	return out
}

// frame writes the frame of a window.
func (d *draft) frame(f *ast.FrameClause, sc *scope) string {
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

func (d *draft) bound(b ast.FrameBound, sc *scope) string {
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
func (d *draft) boundLength(b ast.FrameBound, sc *scope) int64 {
	v := d.scalar(b.Expr, sc)
	var amount any = v.sql
	if v.text != nil {
		amount = *v.text
	} else if !isConstant(v) || v.typ.Kind == types.Null {
		refuse("a frame with an INTERVAL that is no literal")
	}
	months, usec, ok := mysqlfn.IntervalOf(amount, b.Unit.String())
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
		_, ok := mysqlfn.UnitMonths[b.Unit.String()]
		return ok || b.Unit == ast.TimeUnitYearMonth
	}
	return ranges(f) && (months(f.Extent.Start) || months(f.Extent.End))
}

// overMonths writes an aggregate over a frame of months, which SQLite does not have, as a subquery over the rows of
// the same query block: those between the dates that the frame reaches from and to.
func (d *draft) overMonths(name string, n *ast.WindowFuncExpr, spec ast.WindowSpec, sc *scope) val {
	switch name {
	case ast.AggFuncCount, ast.AggFuncSum, ast.AggFuncAvg, ast.AggFuncMin, ast.AggFuncMax:
	default:
		refuse("%s over a frame with an INTERVAL of months", strings.ToUpper(name))
	}
	s := sc.stmt
	if s == nil || s.From == nil || s.GroupBy != nil || s.Having != nil || hasAggregate(s) || n.Distinct ||
		hasRandom(s.From) {
		refuse("a frame with an INTERVAL of months in this query")
	}
	if spec.OrderBy == nil || len(spec.OrderBy.Items) != 1 {
		fail(3587, "Window with RANGE N PRECEDING/FOLLOWING frame requires exactly one ORDER BY expression, of numeric or temporal type")
	}
	key, desc := spec.OrderBy.Items[0].Expr, spec.OrderBy.Items[0].Desc
	v := d.scalar(key, sc)
	d.rangeKey(spec.Frame, []val{v}) // for its errors
	if v.typ.Kind == types.Time {
		refuse("a frame with an INTERVAL of months over TIME")
	}
	rows := sc.beside(&block{stmt: s, windows: sc.windows})
	from := d.from(s.From.TableRefs, rows)
	other := d.scalar(key, rows)
	var where, reach []string
	if s.Where != nil {
		where = append(where, d.cond(d.expr(s.Where, rows)))
	}
	if spec.PartitionBy != nil {
		for _, item := range spec.PartitionBy.Items {
			where = append(where, fmt.Sprintf("(%s IS %s)", settle(d.scalar(item.Expr, rows)),
				settle(d.scalar(item.Expr, sc))))
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
			at = d.addInterval(v, d.scalar(b.Expr, sc), b.Unit.String(),
				map[bool]int{true: 1, false: -1}[(b.Type == ast.Following) != desc])
		}
		column := fmt.Sprintf("c%d", i+1)
		bounds = append(bounds, at.sql+" AS "+column)
		reach = append(reach, fmt.Sprintf("%s %s %s.%s", other.sql, map[bool]string{true: ">=",
			false: "<="}[first], alias, column))
	}
	where = append(where, fmt.Sprintf("(%s OR %s IS NULL AND %s IS NULL)", strings.Join(reach, " AND "),
		other.sql, v.sql))
	rows.inAgg, rows.rounds = true, true // MySQL reads what it sums up from a temporary table
	out := d.aggregateCall(name, n.Args, false, nil, rows, "")
	if out.typ.Kind == types.Double && (name == ast.AggFuncSum || name == ast.AggFuncAvg) {
		// the order of the rows makes a difference
		refuse("%s of DOUBLEs over a frame with an INTERVAL of months", strings.ToUpper(name))
	}
	sql := fmt.Sprintf("(SELECT %s FROM %s, (SELECT %s) AS %s WHERE %s)", out.sql, from, strings.Join(bounds, ", "),
		alias, strings.Join(where, " AND "))
	return val{sql: sql, typ: out.typ, places: out.places, mixed: out.mixed}
}

// ranges says that a frame reaches over values instead of rows.
func ranges(f *ast.FrameClause) bool {
	return f != nil && f.Type == ast.Ranges && (offset(f.Extent.Start) || offset(f.Extent.End))
}

func offset(b ast.FrameBound) bool { return b.Type != ast.CurrentRow && !b.UnBounded }

// rangeKey is the number that a frame over values counts in: the value, or a moment's microseconds.
// Source: Window::check_window_functions and setup_range_expressions in sql/window.cc for the errors.
func (d *draft) rangeKey(f *ast.FrameClause, order []val) string {
	interval := false
	for _, b := range []ast.FrameBound{f.Extent.Start, f.Extent.End} {
		interval = interval || offset(b) && b.Unit != ast.TimeUnitInvalid
	}
	v := order[0]
	switch {
	case len(order) != 1 || !v.typ.Numeric() && !v.typ.Temporal():
		fail(3587, "Window with RANGE N PRECEDING/FOLLOWING frame requires exactly one ORDER BY expression, of numeric or temporal type")
	case interval && v.typ.Numeric():
		fail(3589, "Window with RANGE frame has ORDER BY expression of numeric type, INTERVAL bound value not allowed.")
	case !interval && v.typ.Temporal():
		fail(3588, "Window with RANGE frame has ORDER BY expression of datetime type. Only INTERVAL bound value allowed.")
	case v.typ.Kind == types.Time:
		return "my_seconds(" + v.sql + ")"
	case v.typ.Temporal():
		return "my_microseconds(" + v.sql + ")"
	}
	return d.narrow(v).sql
}
