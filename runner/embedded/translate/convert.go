package translate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
)

// cast translates CAST, CONVERT and BINARY.
func (d *draft) cast(n *ast.FuncCastExpr, sc *scope) val {
	v := d.scalar(n.Expr, sc)
	if n.FunctionType == ast.CastBinaryOperator {
		return val{sql: "CAST(" + d.text(v).sql + " AS BLOB)", typ: types.BlobType}
	}
	switch n.Tp.GetType() {
	case mysql.TypeLonglong, mysql.TypeNewDecimal, mysql.TypeDouble, mysql.TypeFloat:
		if v.typ.Listed() || v.typ.Temporal() {
			if n.Tp.GetType() == mysql.TypeLonglong {
				refuseIf(v.col && !v.table && v.typ.Listed(), // in MySQL 0
					"CAST of a word of a list that a view or a derived table gives as a whole number")
				v = d.wholeSecond(v)
			}
			v = d.number(v)
		}
	}
	switch n.Tp.GetType() {
	case mysql.TypeJSON:
		if v.typ.Kind == types.String && !v.typ.Listed() {
			return val{sql: d.jsonDocument(v, 1, "cast_as_json"), typ: tJSON}
		}
		return val{sql: d.jsonScalar(v), typ: tJSON}
	case mysql.TypeLonglong:
		t := types.Type{Kind: types.Int, Unsigned: mysql.HasUnsignedFlag(n.Tp.GetFlag())}
		if v.typ.Kind == types.Int && !t.Unsigned {
			return val{sql: v.sql, typ: t}
		}
		sql := "my_text_int(" + v.sql + ")"
		if v.typ.Kind != types.String && v.typ.Kind != types.Blob {
			sql = d.number(v).sql
		}
		switch {
		case v.typ.Kind == types.Double, v.typ.Kind == types.Float:
			sql = d.whole(v).sql // half to even
		case v.typ.IsWide():
			sql = "my_dec_int(" + v.sql + ")"
		case v.typ.Kind == types.JSON && v.col && !v.table:
			refuse("CAST of JSON of a view or a derived table as a whole number") // MySQL reads no texts of some
		case v.typ.Kind == types.JSON: // of which texts are cut
			sql = fmt.Sprintf("IIF(substr(%s, 1, 1) = '\"', my_text_int(my_json_string(%[1]s)), my_round_double(%s, 0))",
				v.sql, sql)
		}
		return val{sql: fmt.Sprintf("my_cast_int(%s, %t)", sql, t.Unsigned), typ: t}
	case mysql.TypeNewDecimal:
		scale := max(n.Tp.GetDecimal(), 0)
		precision := n.Tp.GetFlen()
		if precision <= 0 {
			precision = 10
		}
		if d.Wide || v.typ.IsWide() || precision > types.NarrowDigits {
			return val{sql: fmt.Sprintf("my_dec_fit(%s, 0, %d, %d)", d.wideCast(v), precision, scale),
				typ: types.Type{Kind: types.Decimal, Scale: scale, Wide: true}}
		}
		return val{sql: fmt.Sprintf("my_cast_decimal(%s, %d, %d)", d.narrow(d.number(v)).sql, precision, scale),
			typ: types.Type{Kind: types.Decimal, Scale: scale}}
	case mysql.TypeDouble:
		return val{sql: fmt.Sprintf("CAST(%s AS REAL)", d.narrow(d.number(v)).sql), typ: types.DoubleType}
	case mysql.TypeFloat:
		return val{sql: fmt.Sprintf("my_float(%s)", d.narrow(d.number(v)).sql), typ: types.Type{Kind: types.Float}}
	case mysql.TypeDate:
		return val{sql: fmt.Sprintf("my_date(%s)", d.moment(v).sql), typ: types.DateType, partly: !v.typ.Temporal()}
	case mysql.TypeDatetime:
		fsp := max(n.Tp.GetDecimal(), 0)
		return val{sql: fmt.Sprintf("my_datetime(%s, %d)", d.moment(v).sql, fsp),
			typ: types.Type{Kind: types.Datetime, Scale: fsp}, partly: !v.typ.Temporal()}
	case mysql.TypeDuration:
		fsp := max(n.Tp.GetDecimal(), 0)
		return val{sql: fmt.Sprintf("my_to_time(%s, %d)", d.clock(v).sql, fsp),
			typ: types.Type{Kind: types.Time, Scale: fsp}}
	case mysql.TypeVarString, mysql.TypeString, mysql.TypeVarchar:
		v = val{sql: settleNumber(v), typ: v.typ, text: v.text, col: v.col, loose: v.loose}
		if n.Tp.GetCharset() == "binary" {
			return val{sql: fmt.Sprintf("my_cast_bytes(%s, %d)", d.bytes(v).sql, n.Tp.GetFlen()), typ: types.BlobType}
		}
		out := d.text(v)
		out.text, out.col, out.typ = nil, false, types.Type{Kind: types.String, Coll: types.CollAI}
		if flen := n.Tp.GetFlen(); flen >= 0 {
			out.sql = fmt.Sprintf("my_left(%s, %d)", out.sql, flen)
		}
		return out
	}
	refuse("CAST to this type")
	return val{}
}

// settleNumber gives a DECIMAL its own places; anything else stays as it is.
func settleNumber(v val) string {
	if v.places > 0 {
		return settle(v)
	}
	return v.sql
}

// wideCast is any value as a wide DECIMAL.
func (d *draft) wideCast(v val) string {
	if v.typ.Kind == types.String && v.real == "" || v.typ.Kind == types.Blob {
		d.number(v) // which refuses what is no number
		return "my_dec_text(" + v.sql + ")"
	}
	if v = d.number(v); v.typ.Real() {
		return "my_dec_text(my_double_text(" + v.sql + ", 64))"
	}
	return d.widen(v).sql
}

// number is a value in numeric context.
func (d *draft) number(v val) val {
	switch {
	case v.row != nil:
		fail(1241, "Operand should contain 1 column(s)")
	case v.typ.Numeric(), v.typ.Kind == types.Null:
		return v
	case v.typ.Listed():
		return val{sql: "CAST(" + wordNumber(v) + " AS REAL)", typ: types.DoubleType}
	case v.typ.Temporal() && v.mixed:
		refuse("a choice between dates and times of different types as a number")
	case v.typ.Temporal() && v.typ.Vague:
		refuse("NULLIF of a %s as a number", v.typ)
	case v.typ.Temporal() && v.overWindow():
		refuse("a %s that a window function gives as a number", v.typ) // which MySQL reads as a text
	case v.typ.Spelled && len(v.typ.Enum) > 0:
		refuse("MIN or MAX of an ENUM or SET as a number")
	case v.typ.Text() && v.mixed && v.real == "":
		refuse("a choice between a date or time and other values as a number")
	case v.typ.Temporal() && v.typ.Scale > 0:
		t := types.Type{Kind: types.Decimal, Scale: v.typ.Scale, Wide: true}
		return val{sql: fmt.Sprintf("my_temporal_decimal(%s, %d)", v.sql, v.typ.Kind), typ: t,
			places: map[bool]int{true: 6}[v.typ.Scale < 6 && !v.col], mixed: v.typ.Scale == 6 || v.col}
	case v.real != "":
		return val{sql: "CAST(" + v.real + " AS REAL)", typ: types.DoubleType}
	case v.typ.Kind == types.String && v.typ.Vague: // printed without decimal places
		return val{sql: "my_number(" + v.sql + ")", typ: types.Type{Kind: types.Double, Fixed: 1}}
	case v.text != nil:
		return val{sql: formatNumber(mysqlfn.LeadingNumber(*v.text)), typ: types.DoubleType}
	case v.typ.Temporal():
		return val{sql: fmt.Sprintf("my_temporal_number(%s, %d)", v.sql, v.typ.Kind), typ: types.IntType}
	case v.typ.Kind == types.String, v.typ.Kind == types.Blob:
		return val{sql: "my_number(" + v.sql + ")", typ: types.DoubleType}
	case v.typ.Kind == types.JSON:
		return val{sql: "my_json_number(" + v.sql + ")", typ: types.DoubleType}
	}
	refuse("a %s as a number", v.typ)
	return val{}
}

func formatNumber(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// rounded is a value that ROUND, FLOOR and their like round, or that gets a sign. Of a date or time MySQL makes a
// number whose kind depends on its digits and on whether a table holds it.
func (d *draft) rounded(v val) val {
	refuseIf(v.typ.Temporal(), "ROUND, FLOOR, CEIL, ABS or the sign of a %s; add 0 to it", v.typ)
	if v = d.number(v); v.typ.Kind == types.Null {
		v.typ = types.DoubleType
	}
	return v
}

// text is a value as a string, as MySQL prints it.
func (d *draft) text(v val) val {
	t := types.Type{Kind: types.String, Coll: v.typ.Coll}
	if v.loose != "" {
		return val{sql: v.loose, typ: t}
	}
	switch v.typ.Kind {
	case types.Null, types.String:
		v.typ = v.typ.Plain()
		return v
	case types.Int:
		switch {
		case v.typ.Bit > 0:
			refuse("a BIT as a text")
		case v.typ.Zeros > 0:
			return val{sql: fmt.Sprintf("(CASE WHEN %s IS NOT NULL THEN printf('%%0%dd', %[1]s) END)", v.sql,
				v.typ.Zeros), typ: t}
		case v.typ.Year:
			return val{sql: "substr('000' || " + v.sql + ", -4)", typ: t}
		}
		return val{sql: "CAST(" + v.sql + " AS TEXT)", typ: t}
	case types.Decimal:
		return val{sql: fmt.Sprintf("my_decimal_text(%s, %d)", v.sql, v.typ.Scale), typ: t}
	case types.Double, types.Float:
		if v.typ.Fixed > 0 {
			return val{sql: fmt.Sprintf("my_fixed_text(%s, %d)", v.sql, v.typ.Fixed-1), typ: t}
		}
		if v.typ.Kind == types.Float && v.col {
			return val{sql: "my_float_text(" + v.sql + ")", typ: t}
		}
		return val{sql: "my_double_text(" + v.sql + ", 64)", typ: t}
	case types.Date, types.Datetime, types.Time:
		return val{sql: v.sql, typ: t, col: v.col}
	case types.Blob:
		refuseIf(v.typ.Filled > 0, "a BINARY as a text")
		return val{sql: "CAST(" + v.sql + " AS TEXT)", typ: types.Type{Kind: types.String, Coll: types.CollBytes}}
	case types.JSON:
		return val{sql: "my_json_text(" + v.sql + ")", typ: v.typ.JSONText()}
	}
	refuse("a %s as text", v.typ)
	return val{}
}

// read is text for one of the engine's functions: bytes as they are, since SQLite would end a text at a zero.
func (d *draft) read(v val) val {
	t := d.text(v)
	if v.typ.Kind == types.Blob {
		t.sql = v.sql
	}
	return t
}

// convert brings a value to a type that merge found for it.
func (d *draft) convert(v val, to types.Type) val {
	switch {
	case v.typ.Kind == types.Time && to.Kind == types.Time && v.typ.Scale != to.Scale:
		return val{sql: fmt.Sprintf("my_to_time(%s, %d)", v.sql, to.Scale), typ: to}
	case v.typ.Kind == types.Null, v.typ.Kind == to.Kind && v.typ.Kind != types.Datetime && v.typ.Kind != types.Decimal:
		out := v
		if to.Kind != types.String || v.typ.Kind == types.Null {
			out.typ = to
		} else if out.typ.Collation() != to.Collation() {
			out.col, out.typ = false, to
		}
		return out
	case to.Kind == types.String:
		out := d.text(v)
		out.typ.Coll, out.col = to.Coll, false
		return out
	case to.Kind == types.Datetime && v.typ.Kind == types.Time:
		return val{sql: d.onToday(v, to.Scale), typ: to}
	case to.Kind == types.Datetime && v.typ.Kind == types.Date:
		return val{sql: fmt.Sprintf("my_datetime(%s, %d)", v.sql, to.Scale), typ: to}
	case to.Kind == types.Datetime && v.typ.Kind == types.Datetime:
		if v.typ.Scale == to.Scale {
			return v
		}
		return val{sql: fmt.Sprintf("my_datetime(%s, %d)", v.sql, to.Scale), typ: to}
	case to.IsWide() && v.typ.Numeric():
		return val{sql: d.widen(v).sql, typ: to, places: v.places}
	case to.Numeric() && v.typ.IsWide():
		return val{sql: d.narrow(v).sql, typ: to}
	case to.Kind == types.Double && v.typ.Kind == types.Int: // which has a zero with a sign
		return val{sql: "CAST(" + v.sql + " AS REAL)", typ: to}
	case to.Numeric() && v.typ.Numeric():
		return val{sql: v.sql, typ: to}
	case to.Kind == types.Blob:
		return val{sql: d.bytes(v).sql, typ: to}
	}
	refuse("a %s where a %s stands beside it", v.typ, to)
	return val{}
}

// cond is a value as a condition.
func (d *draft) cond(v val) string {
	if v.typ.Kind == types.Null {
		return "NULL"
	}
	switch {
	case v.typ.IsWide():
		return "(" + v.sql + " <> " + zeroWide + ")"
	case v.typ.Numeric():
		return v.sql
	}
	if v = d.number(v); v.typ.IsWide() {
		return d.cond(v)
	}
	return "(" + v.sql + " <> 0)"
}
