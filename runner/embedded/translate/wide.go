package translate

import (
	"cmp"
	"fmt"

	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/shopspring/decimal"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
)

// zeroWide is zero in SQL.
const zeroWide = "x'80'"

// wideArithmetic writes an operator over exact numbers one of which is wide, or a division.
func (d *draft) wideArithmetic(op opcode.Op, l, r val) val {
	out := val{typ: types.Type{Kind: types.Decimal, Wide: true, Scale: max(l.typ.Decimals(), r.typ.Decimals())}}
	places := max(l.frac(), r.frac())
	name, more := map[opcode.Op]string{opcode.Plus: "add", opcode.Minus: "sub", opcode.Mul: "mul", opcode.Div: "div",
		opcode.IntDiv: "int_div", opcode.Mod: "mod"}[op], ""
	switch op {
	case opcode.Mul:
		out.typ.Scale, places = min(l.typ.Decimals()+r.typ.Decimals(), 30), min(l.frac()+r.frac(), 31)
	case opcode.Div:
		refuseIf(l.mixed && l.typ.Scale > 5, // of a value without a fraction MySQL computes nine places
			"a quotient of a value with six or more decimal places that depend on the row")
		out.typ.Scale, places = min(l.typ.Decimals()+4, 30), divisionPlaces(l.frac(), r.frac())
		more = fmt.Sprintf(", %d", places)
	case opcode.IntDiv:
		out.typ, places = types.IntType, 0
	}
	out.sql = fmt.Sprintf("my_dec_%s(%s, %d, %s, %d%s)", name, l.sql, l.frac(), r.sql, r.frac(), more)
	if places > out.typ.Scale {
		out.places = places
	}
	return out
}

// widen is an exact number as a wide DECIMAL.
func (d *draft) widen(v val) val {
	if v.typ.IsWide() || v.typ.Kind == types.Null {
		return v
	}
	return val{sql: fmt.Sprintf("my_dec(%s, %d)", v.sql, v.typ.Decimals()), typ: types.Type{Kind: types.Decimal,
		Scale: v.typ.Decimals(), Wide: true}}
}

// exact is a value as DIV takes it: a double or a text is a DECIMAL.
func (d *draft) exact(v val) val {
	n := d.number(v)
	if n.typ.Kind != types.Double && n.typ.Kind != types.Float {
		return n
	}
	if v.typ.Listed() || v.real != "" {
		v = n
	}
	return val{sql: d.wideCast(v), typ: types.Type{Kind: types.Decimal, Wide: true}}
}

// unsigned is a number as a wide DECIMAL if it is one of 64 bits, which may be beyond BIGINT.
func (d *draft) unsigned(v val) val {
	if v.bits == "" {
		return v
	}
	return val{sql: "my_dec_bits(" + v.bits + ")", typ: types.Type{Kind: types.Decimal, Wide: true}}
}

// narrow is a number as SQLite's own: of a wide DECIMAL the double next to it.
func (d *draft) narrow(v val) val {
	if !v.typ.IsWide() {
		return v
	}
	v.typ.Wide = false
	return val{sql: cmp.Or(v.real, "my_dec_real("+v.sql+")"), typ: v.typ}
}

// wideLiteral is a DECIMAL of a statement's text.
func wideLiteral(text string, scale int) val {
	d, err := decimal.NewFromString(text)
	refuseIf(err != nil, "the number %s", mysqlfn.Clip(text))
	b, err := mysqlfn.EncodeWide(d)
	refuseIf(err != nil, "DECIMAL values of more than %d digits", mysqlfn.MaxWide)
	return val{sql: fmt.Sprintf("x'%x'", b), typ: types.Type{Kind: types.Decimal, Scale: scale, Wide: true}}
}
