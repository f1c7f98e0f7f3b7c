package translate

import (
	"fmt"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
)

// aggregate translates an aggregate function without OVER.
func (d *draft) aggregate(n *ast.AggregateFuncExpr, sc *scope) val {
	sc.aggs++
	inner := *sc
	inner.inAgg = true
	refuseIf(n.Order != nil && !strings.EqualFold(n.F, ast.AggFuncGroupConcat), "ORDER BY inside %s", n.F)
	v := d.aggregateCall(strings.ToLower(n.F), n.Args, n.Distinct, n.Order, &inner, "")
	if sc.settles && v.places > 0 {
		return val{sql: settle(v), typ: v.typ}
	}
	return v
}

// aggregateCall writes an aggregate; over is "" or the OVER clause.
func (d *draft) aggregateCall(name string, args []ast.ExprNode, distinct bool, order *ast.OrderByClause, sc *scope,
	over string) val {
	refuseIf(distinct && over != "", "DISTINCT in a window function")
	if name == ast.AggFuncGroupConcat {
		refuseIf(over != "", "GROUP_CONCAT as a window function")
		return d.groupConcat(args, distinct, order, sc)
	}
	if name == ast.AggFuncCount {
		return val{sql: d.count(args, distinct, sc) + over, typ: types.IntType}
	}
	if name == ast.AggFuncJsonArrayagg || name == ast.AggFuncJsonObjectAgg {
		text := func(a ast.ExprNode) string { return d.text(d.scalar(a, sc)).sql }
		parts := syntax.Map(args[:len(args)-1], text)
		parts = append(parts, d.json(d.scalar(args[len(args)-1], sc)))
		return val{sql: fmt.Sprintf("my_%s(%s)%s", name, strings.Join(parts, ", "), over), typ: tJSON}
	}
	refuseIf(len(args) != 1, "%s with %d arguments", strings.ToUpper(name), len(args))
	v := d.scalar(args[0], sc)
	if name == ast.AggFuncSum || name == ast.AggFuncAvg {
		v.mayCompute()
		refuseIf(distinct && v.typ.Temporal() && v.typ.Scale > 0, // MySQL loses some digits
			"%s of different values of a %s with fractions", strings.ToUpper(name), v.typ)
	}
	if v.places > 0 && sc.rollup != nil && len(sc.sources) > 1 && (name == ast.AggFuncSum || name == ast.AggFuncAvg) {
		// whether MySQL rounds them depends on its plan
		refuse("%s of quotients with ROLLUP over a join", strings.ToUpper(name))
	}
	refuseIf(v.places > 0 && over != "" && !hasColumn(args[0]), // MySQL rounds some of them
		"a window function over a quotient of constants")
	if v.places > 0 && (sc.rounds || distinct || over != "") { // a temporary table rounds it
		v = val{sql: settle(v), typ: v.typ}
	}
	v.zero = v.zero && !sc.rounds && !distinct && over == ""
	return d.aggregateNumbers(name, v, distinct, sc, over)
}

// aggregateNumbers writes an aggregate of one value, most of which are of numbers.
func (d *draft) aggregateNumbers(name string, v val, distinct bool, sc *scope, over string) val {
	word := map[bool]string{true: "DISTINCT "}[distinct]
	switch name {
	case ast.AggFuncMin, ast.AggFuncMax:
		compared(v.typ, v.typ)
		if v.typ.Listed() && v.lead && sc.stmt != nil && sc.stmt.Where == nil {
			// MySQL takes the ends of the key, which are others
			refuse("MIN and MAX of an ENUM or SET with a key, without WHERE")
		}
		t := v.typ
		t.Spelled, t.Bit = true, 0
		if over != "" {
			t = computed(t)
		}
		if t.Kind == types.Time && !t.Vague { // the text of a time does not sort
			return val{sql: fmt.Sprintf("my_clock_of(%s(my_seconds(%s))%s, %d)", strings.ToUpper(name), v.sql,
				over, t.Scale), typ: t}
		}
		arg := v.sql // a quotient as it is
		if v.places == 0 {
			arg = kept(v)
		}
		return val{sql: fmt.Sprintf("%s(%s)%s", strings.ToUpper(name), arg, over), typ: t, places: v.places,
			mixed: v.mixed, zero: v.zero}
	case ast.AggFuncSum:
		v = d.number(v)
		if v.typ.Kind == types.Int || v.typ.Kind == types.Decimal {
			return d.exactSum(v, word, over)
		}
		return val{sql: sc.doubleSum("sum", d.narrow(v).sql, distinct, over), typ: fixedDouble(v.typ, v.typ, 0)}
	case ast.AggFuncAvg:
		refuseIf(v.mixed && v.typ.Text(), // whose places depend on all of them
			"AVG of a choice between a date or time and other values")
		column := v.col
		v = d.number(v)
		if v.typ.Real() || v.typ.Kind == types.Null {
			return val{sql: sc.doubleSum("avg", v.sql, distinct, over), typ: fixedDouble(v.typ, v.typ, 4)}
		}
		count := val{sql: fmt.Sprintf("COUNT(%s%s)%s", word, v.sql, over), typ: types.IntType}
		sum := d.exactSum(v, word, over)
		out := d.operation(opcode.Div, val{sql: sum.sql, typ: sum.typ, places: sum.places,
			mixed: sum.mixed && !column}, count)
		out.mixed = sum.mixed
		if sc.rounds { // MySQL divides the DECIMALs in the temporary table
			return out
		}
		out.real = fmt.Sprintf("(CAST(%s AS REAL) / %s)", d.narrow(sum).sql, count.sql)
		return out
	case ast.AggFuncStddevPop, ast.AggFuncStddevSamp, ast.AggFuncVarPop, ast.AggFuncVarSamp:
		failIf(distinct,
			1064, "You have an error in your SQL syntax; DISTINCT cannot be used in %s", strings.ToUpper(name))
		return val{sql: fmt.Sprintf("my_%s(%s)%s", name, d.narrow(d.number(v)).sql, over), typ: types.DoubleType}
	case ast.AggFuncBitAnd, ast.AggFuncBitOr, ast.AggFuncBitXor:
		refuseIf(v.typ.Kind == types.Blob, "%s of bytes", strings.ToUpper(name))
		return unsignedBits(fmt.Sprintf("my_%s(%s%s)%s", name, word, d.bitsOf(v), over))
	}
	refuse("the aggregate function %s", strings.ToUpper(name))
	return val{}
}

// doubleSum writes SUM or AVG of doubles. MySQL sorts for DISTINCT, and begins with the first one in a temporary table.
func (sc *scope) doubleSum(name, sql string, distinct bool, over string) string {
	switch {
	case distinct:
		return fmt.Sprintf("my_%s(DISTINCT %s ORDER BY %[2]s)", name, sql)
	case over != "":
		return fmt.Sprintf("my_%s_over(%s)%s", name, sql, over)
	case sc.rounds:
		name += "_kept"
	}
	return fmt.Sprintf("my_%s(%s)", name, sql)
}

// exactSum writes SUM of an exact number; word is "" or "DISTINCT ".
func (d *draft) exactSum(v val, word, over string) val {
	out := val{typ: types.Type{Kind: types.Decimal, Scale: v.typ.Decimals(), Wide: d.Wide ||
		v.typ.IsWide()}, places: v.places, zero: v.zero,
		mixed: v.mixed && strings.Contains(v.sql, "my_temporal_decimal(")}
	switch {
	case out.typ.Wide:
		out.sql = fmt.Sprintf("my_dec_sum(%s%s)%s", word, v.sql, over)
	case v.typ.Kind == types.Decimal:
		out.sql = fmt.Sprintf("my_round(SUM(%s%s)%s, %d)", word, v.sql, over, v.typ.Scale)
	default:
		out.sql = fmt.Sprintf("SUM(%s%s)%s", word, v.sql, over)
	}
	return out
}

// count writes COUNT(*), COUNT(x) and COUNT(DISTINCT x, y).
func (d *draft) count(args []ast.ExprNode, distinct bool, sc *scope) string {
	if len(args) == 1 && !distinct {
		if _, constant := args[0].(ast.ValueExpr); constant {
			if v := d.scalar(args[0], sc); v.typ.Kind != types.Null {
				return "COUNT(*)"
			}
		}
		return "COUNT(" + d.scalar(args[0], sc).sql + ")"
	}
	failIf(!distinct, 1064, "You have an error in your SQL syntax; COUNT with several arguments needs DISTINCT")
	if len(args) == 1 {
		v := d.scalar(args[0], sc)
		if v.typ.Real() && !v.col { // whose zero may have a sign
			return "COUNT(DISTINCT my_double_text(" + v.sql + ", 64))"
		}
		return "COUNT(DISTINCT " + kept(v) + ")"
	}
	keys := syntax.Map(args, func(a ast.ExprNode) string { return d.key(d.scalar(a, sc)) })
	return "COUNT(DISTINCT my_tuple(" + strings.Join(keys, ", ") + "))"
}

// key is a value in a form that is equal where the values are.
func (d *draft) key(v val) string {
	if v.typ.Kind == types.String {
		return fmt.Sprintf("my_key(%s, '%s')", v.sql, v.typ.Collation())
	}
	return settle(v)
}

// groupConcat collects a list in SQLite, so that DISTINCT and ORDER BY are its business, and joins it in Go.
func (d *draft) groupConcat(args []ast.ExprNode, distinct bool, order *ast.OrderByClause, sc *scope) val {
	separator := ","
	if len(args) > 1 {
		s, ok := args[len(args)-1].(ast.ValueExpr)
		refuseIf(!ok, "this GROUP_CONCAT")
		separator, args = s.GetString(), args[:len(args)-1]
	}
	parts, sorted := make([]string, len(args)), make([]string, len(args))
	coll := types.Collation("")
	bare := true
	var first val
	for i, a := range args {
		v := d.scalar(a, sc)
		if v.places > 0 || hasColumn(a) { // MySQL reads it from a temporary table
			v = val{sql: settleNumber(v), typ: v.typ, text: v.text, col: v.col}
		}
		t := d.text(v)
		coll = mergeCollations(types.Type{Kind: types.String, Coll: coll}, t.typ)
		parts[i], sorted[i] = t.sql, d.sortKey(v)
		if v.typ.Kind == types.Int && v.typ.Bit == 0 || v.typ.Kind == types.Decimal { // as the text says
			sorted[i] = "CAST(" + t.sql + " AS REAL)"
		}
		first, bare = v, bare && t.sql == v.sql && v.col
	}
	text := parts[0]
	if len(parts) > 1 {
		text = "my_concat(" + strings.Join(parts, ", ") + ")"
	}
	if !bare || len(parts) > 1 {
		text = fmt.Sprintf("(%s COLLATE %s)", text, coll.OrDefault())
	}
	keys := ""
	if order != nil {
		keys = d.groupConcatOrder(order, sc, first, len(parts))
	}
	word := ""
	if distinct {
		word = "DISTINCT "
		if keys == "" {
			keys = " ORDER BY " + strings.Join(sorted, ", ") + ", my_later()" // MySQL's DISTINCT sorts
		}
	}
	sql := fmt.Sprintf("my_join(my_list(%s%s%s), %s)", word, text, keys, quoteText(separator))
	t := types.Type{Kind: types.String, Coll: coll, Vague: true}.Bytes()
	if t.Kind == types.Blob {
		sql = "CAST(" + sql + " AS BLOB)"
	}
	return val{sql: sql, typ: t}
}

func (d *draft) groupConcatOrder(order *ast.OrderByClause, sc *scope, first val, list int) string {
	var keys []string
	for _, item := range order.Items {
		if p, ok := item.Expr.(*ast.PositionExpr); ok && p.N == 1 && list == 1 {
			// MySQL may look for a column of that number in a temporary table
			refuseIf(sc.rollup != nil && len(sc.sources) > 1 && isConstant(first),
				"GROUP_CONCAT of a constant with ORDER BY 1 and ROLLUP over a join")
			keys = append(keys, nullAsZero(first, d.sortKey(first))+direction(item.Desc))
			continue
		} else if ok && (p.N < 1 || p.N > list) {
			fail(1054, "Unknown column '%d' in 'order clause'", p.N)
		}
		v := d.scalar(item.Expr, sc)
		keys = append(keys, nullAsZero(v, d.sortKey(v))+direction(item.Desc))
	}
	return " ORDER BY " + strings.Join(keys, ", ") + ", my_later()" // MySQL's tree puts what is tied first
}

// nullAsZero is a sort key of GROUP_CONCAT, which sorts what a column holds where it is NULL: zero, or the text
// without characters.
func nullAsZero(v val, key string) string {
	switch {
	case v.typ.Kind == types.JSON:
		refuse("GROUP_CONCAT with ORDER BY of JSON")
	case v.typ.IsWide():
		return "coalesce(" + key + ", " + zeroWide + ")"
	case v.typ.Numeric(), v.typ.Listed(), v.typ.Kind == types.Time:
		return "coalesce(" + key + ", 0)"
	case v.typ.Kind == types.String:
		return fmt.Sprintf("(coalesce(%s, '') COLLATE %s)", key, v.typ.Collation())
	case v.typ.Kind == types.Blob:
		return "coalesce(" + key + ", x'')"
	case v.typ.Temporal():
		if v.partly {
			key = kept(v)
		}
		return "coalesce(" + key + ", " + quoteText(mysqlfn.Moment{}.Format(v.typ)) + ")"
	}
	return key
}
