package translate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
)

// operands are both sides. A bit or hexadecimal literal is a text of bytes, but a number beside a whole number: BIT
// columns are compared with such ones. Source: MySQL 8.0 Reference Manual, 9.1.4 and 9.1.5.
func (d *draft) operands(n *ast.BinaryOperationExpr, sc *scope) (l, r val) {
	left, right := bits(n.L), bits(n.R)
	switch {
	case right != "" && left == "":
		if l = d.expr(n.L, sc); l.typ.Kind == types.Int {
			return l, val{sql: right, typ: types.IntType}
		}
	case left != "" && right == "":
		if r = d.expr(n.R, sc); r.typ.Kind == types.Int {
			return val{sql: left, typ: types.IntType}, r
		}
	}
	return d.expr(n.L, sc), d.expr(n.R, sc)
}

// bits is the number of a bit or hexadecimal literal that is no larger than a BIGINT; else "".
func bits(e ast.ExprNode) string {
	v, ok := syntax.Unparen(e).(ast.ValueExpr)
	if !ok {
		return ""
	}
	b, ok := v.GetValue().(test_driver.BinaryLiteral)
	if !ok || len(b) > 7 {
		return ""
	}
	n := 0
	for _, c := range b {
		n = n<<8 | int(c)
	}
	return strconv.Itoa(n)
}

func (d *draft) binary(n *ast.BinaryOperationExpr, sc *scope) val {
	l, r := d.operands(n, sc)
	if op, ok := comparisons[n.Op]; ok {
		if (l.typ.Kind == types.JSON || r.typ.Kind == types.JSON) && l.row == nil && r.row == nil && op != "IS" {
			return truth(d.compareJSON(op, l, r))
		}
		if l.row == nil && r.row == nil {
			l, r = d.fitted(l, r)
		}
		return truth(d.compare(op, l, r))
	}
	switch n.Op {
	case opcode.LogicAnd:
		return truth("(" + d.cond(l) + " AND " + d.cond(r) + ")")
	case opcode.LogicOr:
		return truth("(" + d.cond(l) + " OR " + d.cond(r) + ")")
	case opcode.LogicXor:
		return truth(fmt.Sprintf("((%s <> 0) <> (%s <> 0))", d.cond(l), d.cond(r)))
	case opcode.IntDiv:
		return d.arithmetic(n.Op, d.exact(l), d.exact(r))
	case opcode.Plus, opcode.Minus, opcode.Mul, opcode.Div, opcode.Mod:
		return d.arithmetic(n.Op, d.number(l), d.number(r))
	case opcode.And, opcode.Or, opcode.LeftShift, opcode.RightShift, opcode.Xor:
		return d.bits(n, sc)
	}
	refuse("the operator %s", n.Op)
	return val{}
}

func (d *draft) arithmetic(op opcode.Op, l, r val) val {
	l.mayCompute()
	r.mayCompute()
	parts := windowed(l, r)
	out := d.operation(op, parts[0], parts[1])
	out.mixed, out.zero = l.mixed || r.mixed, true
	return out
}

// mayCompute refuses to go on with a quotient whose places, before it is rounded, depend on the row.
func (v val) mayCompute() {
	refuseIf(v.mixed && v.places > 0, "a computation with a quotient of CASE, IF, COALESCE, GREATEST or LEAST "+
		"over numbers of different decimal places")
}

// mix says that numbers with their own places come together in one of this type, or dates and times of several types.
// Zero divided is zero.
func mix(values []val, to types.Type) bool {
	return slices.ContainsFunc(values, func(v val) bool {
		return v.mixed || to.Kind == types.JSON || v.typ.Kind != types.Null && (to.Kind == types.Decimal &&
			v.sql != "0" && v.typ.Decimals() != to.Scale || to.Temporal() && (v.typ.Kind != to.Kind ||
			v.typ.Scale != to.Scale) || !to.Temporal() && v.typ.Temporal())
	})
}

func (d *draft) operation(op opcode.Op, l, r val) val {
	if l.typ.Kind == types.Null || r.typ.Kind == types.Null {
		if op == opcode.IntDiv {
			return val{sql: "NULL", typ: types.IntType}
		}
		l.typ.Kind, r.typ.Kind = max(l.typ.Kind, types.Int), max(r.typ.Kind, types.Int) // NULL has no decimal places
		return val{sql: "NULL", typ: fixedDouble(l.typ, r.typ, map[opcode.Op]int{opcode.Div: 4}[op])}
	}
	whole := l.typ.Kind == types.Int && r.typ.Kind == types.Int
	decimal := (l.typ.Kind == types.Int || l.typ.Kind == types.Decimal) && (r.typ.Kind == types.Int ||
		r.typ.Kind == types.Decimal)
	ls, rs := l.typ.Decimals(), r.typ.Decimals()
	if decimal && (op == opcode.Div || ls+rs > 0) { // of whole numbers MySQL's result is one, or an error
		l, r = d.unsigned(l), d.unsigned(r)
	}
	sign := map[opcode.Op]string{opcode.Plus: "+", opcode.Minus: "-", opcode.Mul: "*"}[op]
	if decimal && (l.typ.IsWide() || r.typ.IsWide() || op == opcode.Div || op == opcode.Mod && !whole ||
		op == opcode.IntDiv && !whole || op == opcode.Mul && ls+rs > types.NarrowDigits ||
		!whole && strings.Contains(l.declared+r.declared, "bigint")) { // whose digits a double may not hold
		return d.wideArithmetic(op, l, r)
	}
	l, r = d.narrow(l), d.narrow(r)
	for _, v := range []*val{&l, &r} {
		if v.typ.Kind == types.Decimal && !decimal && !isConstant(*v) { // which is never -0
			v.sql = "(" + v.sql + " + 0.0)"
		}
	}
	switch {
	case sign != "" && whole:
		unsigned := l.typ.Unsigned || r.typ.Unsigned
		if unsigned && (op == opcode.Minus || !l.typ.Unsigned || !r.typ.Unsigned) {
			return val{sql: fmt.Sprintf("my_unsigned(%s %s %s)", l.sql, sign, r.sql),
				typ: types.Type{Kind: types.Int, Unsigned: true}}
		}
		return val{sql: fmt.Sprintf("(%s %s %s)", l.sql, sign, r.sql), typ: types.Type{Kind: types.Int,
			Unsigned: unsigned}}
	case sign != "" && decimal:
		scale := max(ls, rs)
		if op == opcode.Mul {
			scale = ls + rs
		}
		return val{sql: fmt.Sprintf("round((%s %s %s), %d)", l.sql, sign, r.sql, scale),
			typ: types.Type{Kind: types.Decimal, Scale: scale}}
	case sign != "":
		return val{sql: fmt.Sprintf("(%s %s %s)", l.sql, sign, r.sql), typ: fixedDouble(l.typ, r.typ, 0)}
	case op == opcode.Div:
		return val{sql: fmt.Sprintf("(CAST(%s AS REAL) / %s)", l.sql, r.sql), typ: fixedDouble(l.typ, r.typ, 4)}
	case op == opcode.IntDiv && whole:
		return val{sql: fmt.Sprintf("(%s / %s)", l.sql, r.sql), typ: types.IntType}
	case whole:
		return val{sql: fmt.Sprintf("(%s %% %s)", l.sql, r.sql), typ: types.IntType}
	}
	refuseIf(l.typ.Vague, "MOD of POW of a fraction") // the last digit of POW makes a difference
	return val{sql: fmt.Sprintf("my_mod(%s, %s)", l.sql, r.sql), typ: fixedDouble(l.typ, r.typ, 0)}
}

// divisionPlaces is how many places MySQL computes of a quotient before it cuts: whole groups of nine digits.
// Source: do_div_mod in strings/decimal.cc, with div_precision_increment 4.
func divisionPlaces(ls, rs int) int {
	groups := func(n int) int { return (n + 8) / 9 * 9 }
	more := max(0, 4-(groups(ls)-ls)-(groups(rs)-rs))
	return groups(groups(ls) + groups(rs) + more)
}

// bits is an operator on bits. Its result is unsigned; what does not fit is refused at the end, not in between, and
// printed as it is.
func (d *draft) bits(n ast.ExprNode, sc *scope) val { return unsignedBits(d.rawBits(n, sc)) }

// unsignedBits is an unsigned number of 64 bits.
func unsignedBits(sql string) val {
	return val{sql: "my_bits_fit(" + sql + ")", typ: types.Type{Kind: types.Int, Unsigned: true}, bits: sql}
}

var bitWords = map[opcode.Op]string{opcode.And: "&", opcode.Or: "|", opcode.LeftShift: "<<",
	opcode.RightShift: ">>", opcode.Xor: "^"}

// rawBits is an expression as 64 bits.
func (d *draft) rawBits(n ast.ExprNode, sc *scope) string {
	if literal := bits(n); literal != "" {
		return literal
	}
	switch n := syntax.Unparen(n).(type) {
	case *ast.BinaryOperationExpr:
		if word, ok := bitWords[n.Op]; ok {
			return fmt.Sprintf("my_bits(%s, '%s', %s)", d.rawBits(n.L, sc), word, d.rawBits(n.R, sc))
		}
	case *ast.UnaryOperationExpr:
		if n.Op == opcode.BitNeg {
			return "my_bits(" + d.rawBits(n.V, sc) + ", '^', -1)"
		}
	}
	return d.bitsOf(d.scalar(n, sc))
}

// bitsOf is a value as 64 bits.
func (d *draft) bitsOf(v val) string {
	v = d.wholeSecond(v)
	refuseIf(v.typ.Kind == types.String && v.typ.Vague, "the bits of GROUP_CONCAT")
	if v = d.whole(v); v.bits != "" {
		return v.bits
	}
	return v.sql
}

// whole is a value where a whole number is wanted: a text is cut, a double rounded to even, a DECIMAL, by whoever
// takes it, half up.
func (d *draft) whole(v val) val {
	v.chosen()
	if (v.typ.Kind == types.String || v.typ.Kind == types.Blob) && !v.typ.Listed() && v.real == "" {
		return val{sql: "my_text_int(" + v.sql + ")", typ: types.IntType}
	}
	if v.typ.IsWide() && !isLiteral(v) { // of which MySQL takes the nearest BIGINT
		return val{sql: "my_dec_int(" + v.sql + ")", typ: types.IntType}
	}
	v = d.narrow(d.number(d.wholeSecond(v)))
	if v.typ.Real() {
		rounded := "my_round_double(" + v.sql + ", 0)"
		if !v.col && (!isConstant(v) || strings.HasPrefix(v.sql, "-")) { // else MySQL takes the nearest BIGINT
			rounded = "my_fits(" + rounded + ")"
		}
		v.sql = rounded
	}
	return v
}

// wholeSecond is a date or time where a whole number is wanted: rounded to a second, which may be the next day's.
func (d *draft) wholeSecond(v val) val {
	refuseIf(v.mixed && v.typ.Text(), "a choice between a date or time and other values as a whole number")
	if v.typ.Temporal() && v.typ.Scale > 0 {
		refuseIf(!v.col && !v.constant, "a computed %s with fractions as a whole number", v.typ)
		return d.convert(v, types.Type{Kind: v.typ.Kind})
	}
	return v
}

// leastInt is the least BIGINT, which SQLite's SQL has no literal for.
const leastInt = "(-9223372036854775807 - 1)"

func (d *draft) unary(n *ast.UnaryOperationExpr, sc *scope) val {
	if n.Op == opcode.BitNeg {
		return d.bits(n, sc)
	}
	if v, ok := n.V.(ast.ValueExpr); ok && n.Op == opcode.Minus && v.GetValue() == uint64(1<<63) {
		return val{sql: leastInt, typ: types.IntType}
	}
	v := d.scalar(n.V, sc)
	switch n.Op {
	case opcode.Not, opcode.Not2:
		return truth("(NOT " + d.cond(v) + ")")
	case opcode.Plus:
		return v
	case opcode.Minus:
		v = d.rounded(v)
		if isConstant(v) {
			if rest, negative := strings.CutPrefix(v.sql, "-"); negative { // two of them would start a comment
				if v.typ.Kind == types.Int { // MySQL takes the negative number for one beyond BIGINT
					return d.literalDecimal(rest)
				}
				return val{sql: rest, typ: v.typ}
			}
			return val{sql: "-" + v.sql, typ: v.typ}
		}
		if v.sql == leastInt {
			return d.literalDecimal("9223372036854775808")
		}
		t := computed(v.typ)
		t.Unsigned = false
		if t.IsWide() {
			return val{sql: "my_dec_neg(" + v.sql + ", 0)", typ: t, places: v.places, zero: v.zero}
		}
		if t.Kind == types.Double {
			return val{sql: "(-1.0 * " + v.sql + ")", typ: t} // SQLite's sign leaves no -0
		}
		return val{sql: "(-" + v.sql + ")", typ: t, zero: v.zero}
	}
	refuse("the operator %s", n.Op)
	return val{}
}
