package translate

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
)

// numberForms are about numbers.
var numberForms = map[string]form{
	"bit_count": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		v := d.scalar(n.Args[0], sc) // once: each level of a call in a call would double the time
		refuseIf(v.typ.Kind == types.Blob, "BIT_COUNT of bytes")
		return d.apply("bit_count", []val{{sql: d.bitsOf(v), typ: types.IntType}})
	},
	"round":    rounding("round"),
	"truncate": rounding("truncate"),
	"ceil":     wholeNumber("ceil"),
	"ceiling":  wholeNumber("ceil"),
	"floor":    wholeNumber("floor"),
	"abs": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		v := d.rounded(d.args(n, sc, 1, 1)[0])
		if v.typ.IsWide() {
			return val{sql: "my_dec_abs(" + v.sql + ", 0)", typ: v.typ, places: v.places}
		}
		if v.typ.Kind != types.Int {
			v.sql += " + 0.0" // SQLite's abs keeps the sign of -0
		}
		return val{sql: "abs(" + v.sql + ")", typ: computed(v.typ)}
	},
	"format": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		refuseIf(len(n.Args) == 3, "FORMAT for another country")
		a := d.args(n, sc, 2, 2)
		if k := d.number(a[0]).typ.Kind; k == types.Double || k == types.Float || a[0].typ.Temporal() {
			return d.apply("format_double", a)
		}
		return d.apply("format", a)
	},
	"mod": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 2, 2)
		return d.arithmetic(modulo, d.number(a[0]), d.number(a[1]))
	},
	"rand": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		refuseIf(len(n.Args) > 0, "RAND with a seed")
		return val{sql: "my_rand()", typ: types.DoubleType}
	},
}

// rounding is ROUND or TRUNCATE. The scale of the result is that of a constant second argument.
func rounding(name string) form {
	return func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		least := 1
		if name == "truncate" {
			least = 2
		}
		a := d.args(n, sc, least, 2)
		v := d.rounded(a[0])
		places, constant, scale := "0", true, 0
		if len(a) == 2 {
			p := d.whole(a[1])
			if f, err := strconv.ParseFloat(a[1].sql, 64); err == nil && f > math.MinInt64 {
				if a[1].typ.Kind == types.Double {
					f = math.RoundToEven(f)
				}
				p.sql = strconv.Itoa(int(math.Round(min(max(f, -400), 400))))
			}
			places = p.sql
			_, err := fmt.Sscanf(places, "%d", &scale)
			constant = err == nil && isConstant(p)
		}
		refuseIf(len(a) == 2 && (v.typ.Kind == types.Decimal && a[1].text != nil || v.typ.Kind <= types.Decimal &&
			(a[1].typ.IsWide() || a[1].typ.Temporal())),
			"%s of an exact number to places that are a text, a date or a DECIMAL", strings.ToUpper(name))
		if v.typ.Kind == types.Int && !constant { // MySQL rounds a DOUBLE then
			v = val{sql: "CAST(" + v.sql + " AS REAL)", typ: types.DoubleType}
		}
		t := v.typ.Plain()
		t.Unsigned = false
		switch {
		case v.typ.Kind == types.Int && scale > 0 && constant && leastDigits(n.Args[0]) > 21:
			// MySQL makes it a DECIMAL
			t = types.Type{Kind: types.Decimal, Scale: min(scale, 30)}
			if d.Wide {
				v = d.widen(v)
				t.Wide = true
			}
		case v.typ.Kind == types.Int && scale > 0 && mostDigits(n.Args[0]) > 21:
			// MySQL gives some of them decimal places
			refuse("%s of whole numbers that may have more than 21 digits", strings.ToUpper(name))
		case v.typ.Kind == types.Decimal && constant:
			t.Scale = min(max(scale, 0), 30)
		case (v.typ.Kind == types.Float || v.typ.Kind == types.Double) && name == "round":
			return val{sql: fmt.Sprintf("my_round_double(%s, %s)", v.sql, places), typ: roundedDouble(scale, constant)}
		case v.typ.Kind == types.Float || v.typ.Kind == types.Double:
			return val{sql: fmt.Sprintf("my_truncate_double(%s, %s)", v.sql, places),
				typ: roundedDouble(scale, constant)}
		}
		if t.IsWide() {
			return val{sql: fmt.Sprintf("my_dec_%s(%s, 0, %s)", name, v.sql, places), typ: t}
		}
		return val{sql: fmt.Sprintf("my_%s_places(%s, %s)", name, v.sql, places), typ: t}
	}
}

// mostDigits is about how many digits MySQL thinks that a whole number may have.
func mostDigits(e ast.ExprNode) int {
	switch n := syntax.Unparen(e).(type) {
	case *ast.BinaryOperationExpr:
		l, r := mostDigits(n.L), mostDigits(n.R)
		if n.Op == opcode.Mul {
			return l + r
		}
		return max(l, r) + 1
	case *ast.AggregateFuncExpr:
		if strings.EqualFold(n.F, ast.AggFuncCount) {
			return 21
		}
		return mostDigits(n.Args[0])
	case *ast.FuncCastExpr: // of a double or a text
		return 22
	case *ast.FuncCallExpr:
		most := 10
		for _, a := range n.Args {
			most = max(most, mostDigits(a))
		}
		return most
	}
	return 10
}

// leastDigits is how many digits MySQL thinks at least that a whole number may have.
// Source: Item::decimal_precision and result_precision of the operators in sql/item*.cc.
func leastDigits(e ast.ExprNode) int {
	switch n := syntax.Unparen(e).(type) {
	case ast.ValueExpr:
		return len(fmt.Sprint(n.GetValue()))
	case *ast.BinaryOperationExpr:
		l, r := leastDigits(n.L), leastDigits(n.R)
		switch n.Op {
		case opcode.Mul:
			return l + r
		case opcode.Plus, opcode.Minus:
			return max(l, r) + 1
		}
	case *ast.AggregateFuncExpr:
		if strings.EqualFold(n.F, ast.AggFuncCount) {
			return 20
		}
	}
	return 1
}

// roundedDouble is a double with so many places, if that is known.
func roundedDouble(places int, known bool) types.Type {
	if !known || places > 30 {
		return types.DoubleType
	}
	return types.Type{Kind: types.Double, Fixed: max(places, 0) + 1}
}

// wholeNumber is CEIL or FLOOR: of an exact number an integer, of a double a double.
func wholeNumber(name string) form {
	return func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		v := d.rounded(d.args(n, sc, 1, 1)[0])
		switch v.typ.Kind {
		case types.Int:
			return val{sql: v.sql, typ: computed(v.typ)}
		case types.Decimal:
			if v.typ.Scale == 0 && !v.typ.Wide {
				return val{sql: "CAST(" + v.sql + " AS INTEGER)", typ: types.IntType}
			} else if v.typ.Wide {
				return val{sql: fmt.Sprintf("my_dec_%s(%s)", name, v.sql), typ: types.IntType}
			}
			return val{sql: fmt.Sprintf("CAST(my_%s(%s) AS INTEGER)", name, settle(v)), typ: types.IntType}
		}
		return val{sql: fmt.Sprintf("my_%s(%s)", name, v.sql), typ: roundedDouble(0, true)}
	}
}

// modulo is the operator that MOD(a, b) is another form of.
const modulo = opcode.Mod
