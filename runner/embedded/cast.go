package embedded

import (
	"fmt"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"
)

// cast translates CAST, CONVERT and BINARY.
func (d *dialect) cast(n *ast.FuncCastExpr, sc *scope) val {
	v := d.scalar(n.Expr, sc)
	if n.FunctionType == ast.CastBinaryOperator {
		return val{sql: "CAST(" + d.text(v).sql + " AS BLOB)", typ: typ{k: kBlob, coll: collBytes}}
	}
	switch n.Tp.GetType() {
	case mysql.TypeJSON:
		if v.typ.k == kString {
			return val{sql: d.jsonDocument(v, 1, "cast_as_json"), typ: tJSON}
		}
		return val{sql: d.jsonScalar(v), typ: tJSON}
	case mysql.TypeLonglong:
		t := typ{k: kInt, unsigned: mysql.HasUnsignedFlag(n.Tp.GetFlag())}
		if v.typ.k == kInt && !t.unsigned {
			return val{sql: v.sql, typ: t}
		}
		sql := "my_text_int(" + v.sql + ")"
		if v.typ.k != kString && v.typ.k != kBlob {
			sql = d.number(v).sql
		}
		switch {
		case v.typ.k == kDouble, v.typ.k == kFloat:
			sql = "my_round_double(" + v.sql + ", 0)" // half to even
		case v.typ.isWide():
			sql = "my_dec_int(" + v.sql + ")"
		}
		return val{sql: fmt.Sprintf("my_cast_int(%s, %t)", sql, t.unsigned), typ: t}
	case mysql.TypeNewDecimal:
		scale := max(n.Tp.GetDecimal(), 0)
		precision := n.Tp.GetFlen()
		if precision <= 0 {
			precision = 10
		}
		if d.wide || v.typ.isWide() || precision > narrowDigits {
			return val{sql: fmt.Sprintf("my_dec_fit(%s, 0, %d, %d)", d.wideCast(v), precision, scale), typ: typ{k: kDecimal, scale: scale, wide: true}}
		}
		return val{sql: fmt.Sprintf("my_cast_decimal(%s, %d, %d)", d.number(v).sql, precision, scale), typ: typ{k: kDecimal, scale: scale}}
	case mysql.TypeDouble:
		return val{sql: fmt.Sprintf("CAST(%s AS REAL)", d.narrow(d.number(v)).sql), typ: tDouble}
	case mysql.TypeFloat:
		return val{sql: fmt.Sprintf("my_float(%s)", d.narrow(d.number(v)).sql), typ: typ{k: kFloat}}
	case mysql.TypeDate:
		return val{sql: fmt.Sprintf("my_date(%s)", d.moment(v).sql), typ: tDate}
	case mysql.TypeDatetime:
		fsp := max(n.Tp.GetDecimal(), 0)
		return val{sql: fmt.Sprintf("my_datetime(%s, %d)", d.moment(v).sql, fsp), typ: typ{k: kDatetime, scale: fsp}}
	case mysql.TypeDuration:
		fsp := max(n.Tp.GetDecimal(), 0)
		return val{sql: fmt.Sprintf("my_to_time(%s, %d)", d.moment(v).sql, fsp), typ: typ{k: kTime, scale: fsp}}
	case mysql.TypeVarString, mysql.TypeString, mysql.TypeVarchar:
		out := d.text(val{sql: settleNumber(v), typ: v.typ, text: v.text, col: v.col, loose: v.loose})
		if n.Tp.GetCharset() == "binary" {
			return val{sql: fmt.Sprintf("my_cast_bytes(%s, %d)", out.sql, n.Tp.GetFlen()), typ: typ{k: kBlob, coll: collBytes}}
		}
		out.text, out.col = nil, false
		if out.typ.k == kNull {
			out.typ = tText
		}
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
func (d *dialect) wideCast(v val) string {
	switch v.typ.k {
	case kString, kBlob:
		return "my_dec_text(" + v.sql + ")"
	}
	if v = d.number(v); v.typ.k == kDouble || v.typ.k == kFloat {
		return "my_dec_text(my_double_text(" + v.sql + ", 64))"
	}
	return d.widen(v).sql
}
