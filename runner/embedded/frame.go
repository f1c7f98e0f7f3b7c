package embedded

import (
	"fmt"

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

// boundLength is an INTERVAL of a frame in microseconds.
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
	case !ok || months != 0:
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
