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
	failIf(n.IgnoreNull || n.FromLast, 1235, "This version of MySQL doesn't yet support 'IGNORE NULLS'")
	sc.windowed = true
	name := strings.ToLower(n.Name)
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
	refuseIf(!ok || v.GetValue() == nil, "%s with anything but a number", strings.ToUpper(name))
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
			v := d.scalar(item.Expr, sc)
			refuseIf(v.typ.Kind == types.JSON && spec.OrderBy != nil, // MySQL takes equal documents apart
				"a window PARTITION BY JSON with ORDER BY")
			keys = append(keys, settle(v))
		}
		parts = append(parts, "PARTITION BY "+strings.Join(keys, ", "))
	}
	var order []val
	desc := false
	if spec.OrderBy != nil {
		var keys []string
		for _, item := range spec.OrderBy.Items {
			v := d.scalar(item.Expr, sc)
			compared(v.typ, v.typ) // with its peers
			if order, desc = append(order, v), item.Desc; v.typ.Kind == types.JSON {
				v.sql = "my_json_scalar(" + v.sql + ")"
			} else if v.partly {
				v.sql = kept(v)
			}
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
	failIf(!ok || depth > 20, 3579, "Window name '%s' is not defined.", name)
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
	word, ok := map[ast.FrameType]string{ast.Rows: "ROWS", ast.Ranges: "RANGE"}[f.Type]
	refuseIf(!ok, "GROUPS frames")
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

// boundLength is an INTERVAL of a frame in microseconds.
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
	case !ok, months != 0:
		refuse("a frame with an INTERVAL of %sS", b.Unit)
	case usec < 0:
		fail(3586, "Window frame with a negative or NULL bound")
	}
	return usec
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
