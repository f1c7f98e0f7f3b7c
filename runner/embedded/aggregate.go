package embedded

import (
	"fmt"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
)

// aggregate translates an aggregate function without OVER.
func (d *dialect) aggregate(n *ast.AggregateFuncExpr, sc *scope) val {
	*sc.aggs++
	inner := *sc
	inner.inAgg = true
	if n.Order != nil && !strings.EqualFold(n.F, ast.AggFuncGroupConcat) {
		refuse("ORDER BY inside %s", n.F)
	}
	v := d.aggregateCall(strings.ToLower(n.F), n.Args, n.Distinct, n.Order, &inner, "")
	if sc.settles && v.places > 0 {
		return val{sql: settle(v), typ: v.typ}
	}
	return v
}

// aggregateCall writes an aggregate; over is "" or the OVER clause.
func (d *dialect) aggregateCall(name string, args []ast.ExprNode, distinct bool, order *ast.OrderByClause, sc *scope, over string) val {
	word := ""
	if distinct {
		word = "DISTINCT "
		if over != "" {
			refuse("DISTINCT in a window function")
		}
	}
	if name == ast.AggFuncGroupConcat {
		if over != "" {
			refuse("GROUP_CONCAT as a window function")
		}
		return d.groupConcat(args, distinct, order, sc)
	}
	if name == ast.AggFuncCount {
		return val{sql: d.count(args, distinct, sc) + over, typ: tInt}
	}
	if name == ast.AggFuncJsonArrayagg || name == ast.AggFuncJsonObjectAgg {
		var parts []string
		for _, a := range args[:len(args)-1] {
			parts = append(parts, d.text(d.scalar(a, sc)).sql)
		}
		parts = append(parts, d.json(d.scalar(args[len(args)-1], sc)))
		return val{sql: fmt.Sprintf("my_%s(%s)%s", name, strings.Join(parts, ", "), over), typ: tJSON}
	}
	if len(args) != 1 {
		refuse("%s with %d arguments", strings.ToUpper(name), len(args))
	}
	v := d.scalar(args[0], sc)
	if name == ast.AggFuncSum || name == ast.AggFuncAvg {
		v.mayCompute()
	}
	if v.places > 0 && d.groups != nil && len(sc.sources) > 1 && (name == ast.AggFuncSum || name == ast.AggFuncAvg) {
		refuse("%s of quotients with ROLLUP over a join", strings.ToUpper(name)) // whether MySQL rounds them depends on its plan
	}
	if v.places > 0 && over != "" && !hasColumn(args[0]) {
		refuse("a window function over a quotient of constants") // MySQL rounds some of them
	}
	if v.places > 0 && (sc.rounds || distinct || over != "") { // a temporary table rounds it
		v = val{sql: settle(v), typ: v.typ}
	}
	switch name {
	case ast.AggFuncMin, ast.AggFuncMax:
		t := v.typ
		t.enum = nil
		if t.k == kTime { // the text of a time does not sort
			return val{sql: fmt.Sprintf("my_clock_of(%s(my_seconds(%s))%s, %d)", strings.ToUpper(name), v.sql, over, t.scale), typ: t}
		}
		arg := v.sql // a quotient as it is
		if v.places == 0 {
			arg = settle(v)
		}
		return val{sql: fmt.Sprintf("%s(%s)%s", strings.ToUpper(name), arg, over), typ: t, places: v.places}
	case ast.AggFuncSum:
		v = d.number(v)
		switch v.typ.k {
		case kInt, kNull, kDecimal:
			return d.exactSum(v, word, over)
		}
		return val{sql: doubleSum("sum", d.narrow(v).sql, distinct, over), typ: fixedDouble(v.typ, v.typ, 0)}
	case ast.AggFuncAvg:
		v = d.number(v)
		if v.typ.k == kDouble || v.typ.k == kFloat {
			return val{sql: doubleSum("avg", v.sql, distinct, over), typ: fixedDouble(v.typ, v.typ, 4)}
		}
		count := val{sql: fmt.Sprintf("COUNT(%s%s)%s", word, v.sql, over), typ: tInt}
		sum := d.exactSum(v, word, over)
		out := d.arithmetic(opcode.Div, sum, count)
		if sc.rounds { // MySQL divides the DECIMALs in the temporary table
			return out
		}
		out.real = fmt.Sprintf("(CAST(%s AS REAL) / %s)", d.narrow(sum).sql, count.sql)
		return out
	case ast.AggFuncStddevPop, ast.AggFuncStddevSamp, ast.AggFuncVarPop, ast.AggFuncVarSamp:
		if distinct {
			fail(1064, "You have an error in your SQL syntax; DISTINCT cannot be used in %s", strings.ToUpper(name))
		}
		return val{sql: fmt.Sprintf("my_%s(%s)%s", name, d.narrow(d.number(v)).sql, over), typ: tDouble}
	case ast.AggFuncBitAnd, ast.AggFuncBitOr, ast.AggFuncBitXor:
		if distinct {
			refuse("%s with DISTINCT", strings.ToUpper(name))
		}
		return unsignedBits(fmt.Sprintf("my_%s(%s)%s", name, d.narrow(d.number(v)).sql, over))
	}
	refuse("the aggregate function %s", strings.ToUpper(name))
	return val{}
}

// doubleSum writes SUM or AVG of doubles. MySQL sorts for DISTINCT.
func doubleSum(name, sql string, distinct bool, over string) string {
	switch {
	case distinct:
		return fmt.Sprintf("my_%s(DISTINCT %s ORDER BY %[2]s)", name, sql)
	case over != "":
		return fmt.Sprintf("my_%s_over(%s)%s", name, sql, over)
	}
	return fmt.Sprintf("my_%s(%s)", name, sql)
}

// exactSum writes SUM of an exact number; word is "" or "DISTINCT ".
func (d *dialect) exactSum(v val, word, over string) val {
	out := val{typ: typ{k: kDecimal, scale: v.typ.decimals(), wide: d.wide || v.typ.isWide()}, places: v.places}
	switch {
	case out.typ.wide:
		out.sql = fmt.Sprintf("my_dec_sum(%s%s)%s", word, v.sql, over)
	case v.typ.k == kDecimal:
		out.sql = fmt.Sprintf("my_round(SUM(%s%s)%s, %d)", word, v.sql, over, v.typ.scale)
	default:
		out.sql = fmt.Sprintf("SUM(%s%s)%s", word, v.sql, over)
	}
	return out
}

// count writes COUNT(*), COUNT(x) and COUNT(DISTINCT x, y).
func (d *dialect) count(args []ast.ExprNode, distinct bool, sc *scope) string {
	if len(args) == 1 && !distinct {
		if _, constant := args[0].(ast.ValueExpr); constant {
			if v := d.scalar(args[0], sc); v.typ.k != kNull {
				return "COUNT(*)"
			}
		}
		return "COUNT(" + d.scalar(args[0], sc).sql + ")"
	}
	if !distinct {
		fail(1064, "You have an error in your SQL syntax; COUNT with several arguments needs DISTINCT")
	}
	if len(args) == 1 {
		return "COUNT(DISTINCT " + settle(d.scalar(args[0], sc)) + ")"
	}
	var keys []string
	for _, a := range args {
		keys = append(keys, d.key(d.scalar(a, sc)))
	}
	return "COUNT(DISTINCT my_tuple(" + strings.Join(keys, ", ") + "))"
}

// key is a value in a form that is equal where the values are.
func (d *dialect) key(v val) string {
	if v.typ.k == kString {
		return fmt.Sprintf("my_key(%s, '%s')", v.sql, v.typ.collation())
	}
	return settle(v)
}

// groupConcat collects a list in SQLite, so that DISTINCT and ORDER BY are its business, and joins it in Go.
func (d *dialect) groupConcat(args []ast.ExprNode, distinct bool, order *ast.OrderByClause, sc *scope) val {
	separator := ","
	if len(args) > 1 {
		s, ok := args[len(args)-1].(ast.ValueExpr)
		if !ok {
			refuse("this GROUP_CONCAT")
		}
		separator, args = s.GetString(), args[:len(args)-1]
	}
	parts := make([]string, len(args))
	coll := collation("")
	bare := true
	var first val
	for i, a := range args {
		v := d.scalar(a, sc)
		if v.places > 0 || hasColumn(a) { // MySQL reads it from a temporary table
			v = val{sql: settleNumber(v), typ: v.typ, text: v.text, col: v.col}
		}
		t := d.text(v)
		coll = mergeCollations(typ{k: kString, coll: coll}, t.typ)
		parts[i] = t.sql
		first, bare = v, bare && t.sql == v.sql && v.col
	}
	text := parts[0]
	if len(parts) > 1 {
		text = "my_concat(" + strings.Join(parts, ", ") + ")"
	}
	if !bare || len(parts) > 1 {
		text = fmt.Sprintf("(%s COLLATE %s)", text, coll.orDefault())
	}
	keys := ""
	if order != nil {
		keys = d.groupConcatOrder(order, sc, first, len(parts) == 1, text)
	}
	word := ""
	if distinct {
		word = "DISTINCT "
		if keys == "" {
			keys = " ORDER BY " + text // MySQL's DISTINCT sorts
			if len(parts) == 1 && first.typ.numeric() {
				keys = " ORDER BY CAST(" + text + " AS REAL)"
			}
		}
	}
	sql := fmt.Sprintf("my_join(my_list(%s%s%s), %s)", word, text, keys, quoteText(separator))
	return val{sql: sql, typ: typ{k: kString, coll: coll, vague: true}}
}

func (d *dialect) groupConcatOrder(order *ast.OrderByClause, sc *scope, first val, single bool, text string) string {
	var keys []string
	for _, item := range order.Items {
		if p, ok := item.Expr.(*ast.PositionExpr); ok && p.N == 1 && single {
			if d.groups != nil && len(sc.sources) > 1 && isConstant(first) { // MySQL may look for a column of that number in a temporary table
				refuse("GROUP_CONCAT of a constant with ORDER BY 1 and ROLLUP over a join")
			}
			keys = append(keys, d.sortKey(first)+direction(item.Desc))
			continue
		}
		v := d.scalar(item.Expr, sc)
		keys = append(keys, d.sortKey(v)+direction(item.Desc))
	}
	return " ORDER BY " + strings.Join(keys, ", ")
}

// windowDef is a window of a WINDOW clause.
type windowDef struct{ spec ast.WindowSpec }

// window translates a function with OVER.
func (d *dialect) window(n *ast.WindowFuncExpr, sc *scope) val {
	if n.IgnoreNull || n.FromLast {
		fail(1235, "This version of MySQL doesn't yet support 'IGNORE NULLS'")
	}
	*sc.windowed = true
	name := strings.ToLower(n.Name)
	if spec := d.resolveWindow(&n.Spec, sc, 0); hasMonths(spec.Frame) {
		return d.overMonths(name, n, spec, sc)
	}
	over := d.over(&n.Spec, sc)
	switch name {
	case ast.WindowFuncRowNumber, ast.WindowFuncRank, ast.WindowFuncDenseRank:
		return val{sql: name + "()" + over, typ: typ{k: kInt, unsigned: true}}
	case ast.WindowFuncCumeDist, ast.WindowFuncPercentRank:
		return val{sql: name + "()" + over, typ: tDouble}
	case ast.WindowFuncNtile:
		if d.scalar(n.Args[0], sc).typ.k == kNull {
			return val{sql: "NULL", typ: typ{k: kInt, unsigned: true}}
		}
		atLeastOne(n.Args[0], "ntile")
		return val{sql: "ntile(" + d.narrow(d.number(d.scalar(n.Args[0], sc))).sql + ")" + over, typ: typ{k: kInt, unsigned: true}}
	case ast.WindowFuncLead, ast.WindowFuncLag:
		return d.leadLag(name, n.Args, over, sc)
	case ast.WindowFuncFirstValue, ast.WindowFuncLastValue:
		v := d.scalar(n.Args[0], sc)
		return val{sql: fmt.Sprintf("%s(%s)%s", name, v.sql, over), typ: v.typ, places: v.places}
	case ast.WindowFuncNthValue:
		atLeastOne(n.Args[1], "nth_value")
		v := d.scalar(n.Args[0], sc)
		return val{sql: fmt.Sprintf("nth_value(%s, %s)%s", v.sql, d.narrow(d.number(d.scalar(n.Args[1], sc))).sql, over), typ: v.typ, places: v.places}
	}
	return d.aggregateCall(name, n.Args, n.Distinct, nil, sc, over)
}

// atLeastOne fails where a window function's number is no positive literal.
func atLeastOne(e ast.ExprNode, name string) {
	v, ok := bare(e).(ast.ValueExpr)
	if !ok || v.GetValue() == nil {
		refuse("%s with anything but a number", strings.ToUpper(name))
	}
	if n, ok := v.GetValue().(int64); ok && n == 0 {
		fail(1210, "Incorrect arguments to %s", name)
	}
}

func (d *dialect) leadLag(name string, args []ast.ExprNode, over string, sc *scope) val {
	v := d.scalar(args[0], sc)
	offset := "1"
	if len(args) > 1 {
		offset = d.narrow(d.number(d.scalar(args[1], sc))).sql
	}
	if len(args) < 3 {
		return val{sql: fmt.Sprintf("%s(%s, %s)%s", name, v.sql, offset, over), typ: v.typ, places: v.places}
	}
	def := d.scalar(args[2], sc)
	t := merge(v.typ, def.typ)
	return val{sql: fmt.Sprintf("%s(%s, %s, %s)%s", name, d.convert(v, t).sql, offset, d.convert(def, t).sql, over), typ: t, places: v.places}
}

// over writes an OVER clause. Named windows are written out.
func (d *dialect) over(w *ast.WindowSpec, sc *scope) string {
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

func (d *dialect) resolveWindow(w *ast.WindowSpec, sc *scope, depth int) ast.WindowSpec {
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
