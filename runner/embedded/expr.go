package embedded

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/opcode"
)

// expr translates an expression. Anything but a row constructor has a scalar's SQL.
func (d *dialect) expr(n ast.ExprNode, sc *scope) val {
	v := d.plainExpr(n, sc)
	if len(d.rolledUp) > 0 && !sc.inAgg {
		v = d.rolled(v)
	}
	if len(v.sql) > maxSQL || len(v.loose) > maxSQL { // some forms write their arguments twice, and so on
		refuse("an expression that nests this deeply")
	}
	return v
}

// maxSQL bounds the text of one translated expression, in bytes.
const maxSQL = 1 << 20

func (d *dialect) plainExpr(n ast.ExprNode, sc *scope) val {
	switch n := n.(type) {
	case *ast.ParenthesesExpr:
		return d.expr(n.Expr, sc)
	case ast.ValueExpr:
		return d.literalValue(n)
	case *ast.ColumnNameExpr:
		v, ok := sc.column(n.Name.Table.O, n.Name.Name.O)
		if !ok {
			fail(1054, "Unknown column '%s' in 'field list'", n.Name.String())
		}
		return v
	case *ast.BinaryOperationExpr:
		return d.binary(n, sc)
	case *ast.UnaryOperationExpr:
		return d.unary(n, sc)
	case *ast.BetweenExpr:
		return d.between(n, sc)
	case *ast.CaseExpr:
		return d.caseExpr(n, sc)
	case *ast.IsNullExpr:
		return truth(fmt.Sprintf("(%s IS %sNULL)", d.scalar(n.Expr, sc).sql, not(n.Not)))
	case *ast.IsTruthExpr:
		c := d.cond(d.expr(n.Expr, sc))
		word := "TRUE"
		if n.True == 0 {
			word = "FALSE"
		}
		return truth(fmt.Sprintf("((%s) IS %s%s)", c, not(n.Not), word))
	case *ast.PatternLikeOrIlikeExpr:
		return d.like(n, sc)
	case *ast.PatternRegexpExpr:
		return d.regexp(n, sc)
	case *ast.PatternInExpr:
		return d.in(n, sc)
	case *ast.ExistsSubqueryExpr:
		q := d.query(n.Sel, sc)
		return truth(fmt.Sprintf("(%sEXISTS (%s))", not(n.Not), q.sql))
	case *ast.SubqueryExpr:
		return d.subquery(n, sc)
	case *ast.CompareSubqueryExpr:
		return d.compareSubquery(n, sc)
	case *ast.RowExpr:
		v := val{row: []val{}}
		for _, e := range n.Values {
			v.row = append(v.row, d.expr(e, sc))
		}
		return v
	case *ast.AggregateFuncExpr:
		return d.aggregate(n, sc)
	case *ast.WindowFuncExpr:
		return d.window(n, sc)
	case *ast.FuncCallExpr:
		return d.call(n, sc)
	case *ast.FuncCastExpr:
		return d.cast(n, sc)
	case *ast.SetCollationExpr:
		return d.collate(n, sc)
	case *ast.VariableExpr:
		refuse("variables")
	}
	refuse("%s", strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%T", n), "*ast."), "Expr"))
	return val{}
}

// scalar is an expression that may not be a row.
func (d *dialect) scalar(n ast.ExprNode, sc *scope) val {
	v := d.expr(n, sc)
	if v.row != nil {
		fail(1241, "Operand should contain 1 column(s)")
	}
	return v
}

func not(b bool) string {
	if b {
		return "NOT "
	}
	return ""
}

// truth is a condition's value: 1, 0 or NULL.
func truth(sql string) val { return val{sql: sql, typ: tInt, truth: true} }

func quoteText(s string) string {
	if strings.ContainsRune(s, 0) {
		return fmt.Sprintf("CAST(x'%x' AS TEXT)", s)
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

func textValue(s string) val { return val{sql: quoteText(s), typ: typ{k: kString}, text: &s} }

func (d *dialect) literalValue(n ast.ValueExpr) val {
	switch x := n.GetValue().(type) {
	case nil:
		return val{sql: "NULL", typ: tNull}
	case int64:
		return val{sql: strconv.FormatInt(x, 10), typ: tInt, truth: mysql.HasIsBooleanFlag(n.GetType().GetFlag())}
	case uint64:
		if x > math.MaxInt64 {
			return unsignedBits(fmt.Sprintf("(%d - 1)", int64(x)+1))
		}
		return val{sql: strconv.FormatUint(x, 10), typ: tInt}
	case float64:
		text := strconv.FormatFloat(x, 'e', -1, 64)
		return val{sql: text, typ: tDouble}
	case string:
		return textValue(x)
	case fmt.Stringer: // a decimal, or a hexadecimal or bit literal
		text := x.String()
		if strings.Trim(text, "-0123456789.") != "" {
			refuse("hexadecimal and bit literals")
		}
		return d.literalDecimal(text)
	}
	refuse("a literal of type %T", n.GetValue())
	return val{}
}

// literalDecimal is a DECIMAL in a statement's text.
func (d *dialect) literalDecimal(text string) val {
	whole, frac, _ := strings.Cut(text, ".")
	if d.wide || len(strings.TrimLeft(strings.Trim(whole, "-0")+frac, "0")) > narrowDigits {
		return wideLiteral(text, len(frac))
	}
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return val{sql: text, typ: typ{k: kDecimal, scale: len(frac)}}
}

// number is a value in numeric context.
func (d *dialect) number(v val) val {
	switch {
	case v.row != nil:
		fail(1241, "Operand should contain 1 column(s)")
	case v.typ.numeric(), v.typ.k == kNull:
		return v
	case v.real != "":
		return val{sql: v.real, typ: tDouble}
	case v.typ.k == kString && v.typ.vague: // printed without decimal places
		return val{sql: "my_number(" + v.sql + ")", typ: typ{k: kDouble, fixed: 1}}
	case v.text != nil:
		return val{sql: formatNumber(leadingNumber(*v.text)), typ: tDouble}
	case v.typ.k == kDate, v.typ.k == kDatetime && v.typ.scale == 0, v.typ.k == kTime && v.typ.scale == 0:
		return val{sql: fmt.Sprintf("my_temporal_number(%s, %d)", v.sql, v.typ.k), typ: tInt}
	case v.typ.k == kString, v.typ.k == kBlob:
		return val{sql: "my_number(" + v.sql + ")", typ: tDouble}
	case v.typ.k == kJSON:
		return val{sql: "my_json_number(" + v.sql + ")", typ: tDouble}
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

// text is a value as a string, as MySQL prints it.
func (d *dialect) text(v val) val {
	t := typ{k: kString, coll: v.typ.coll}
	if v.loose != "" {
		return val{sql: v.loose, typ: t}
	}
	switch v.typ.k {
	case kNull, kString:
		return v
	case kInt:
		return val{sql: "CAST(" + v.sql + " AS TEXT)", typ: t}
	case kDecimal:
		return val{sql: fmt.Sprintf("my_decimal_text(%s, %d)", v.sql, v.typ.scale), typ: t}
	case kDouble, kFloat:
		if v.typ.fixed > 0 {
			return val{sql: fmt.Sprintf("my_fixed_text(%s, %d)", v.sql, v.typ.fixed-1), typ: t}
		}
		if v.typ.k == kDouble {
			return val{sql: "my_double_text(" + v.sql + ", 64)", typ: t}
		}
		return val{sql: "my_double_text(" + v.sql + ", 32)", typ: t}
	case kDate, kDatetime, kTime:
		return val{sql: v.sql, typ: t}
	case kBlob:
		return val{sql: "CAST(" + v.sql + " AS TEXT)", typ: typ{k: kString, coll: collBytes}}
	case kJSON:
		return val{sql: "my_json_text(" + v.sql + ")", typ: tJSONText}
	}
	refuse("a %s as text", v.typ)
	return val{}
}

// convert brings a value to a type that merge found for it.
func (d *dialect) convert(v val, to typ) val {
	switch {
	case v.typ.k == kNull, v.typ.k == to.k && v.typ.k != kDatetime && v.typ.k != kDecimal:
		out := v
		if to.k != kString || v.typ.k == kNull {
			out.typ = to
		} else if out.typ.collation() != to.collation() {
			out.col, out.typ = false, to
		}
		return out
	case to.k == kString:
		out := d.text(v)
		out.typ.coll, out.col = to.coll, false
		return out
	case to.k == kDatetime && v.typ.k == kDate:
		return val{sql: fmt.Sprintf("my_datetime(%s, %d)", v.sql, to.scale), typ: to}
	case to.k == kDatetime && v.typ.k == kDatetime:
		if v.typ.scale == to.scale {
			return v
		}
		return val{sql: fmt.Sprintf("my_datetime(%s, %d)", v.sql, to.scale), typ: to}
	case to.isWide() && v.typ.numeric():
		return val{sql: d.widen(v).sql, typ: to, places: v.places}
	case to.numeric() && v.typ.isWide():
		return val{sql: d.narrow(v).sql, typ: to}
	case to.numeric() && v.typ.numeric():
		return val{sql: v.sql, typ: to}
	case to.k == kBlob:
		return val{sql: "CAST(" + d.text(v).sql + " AS BLOB)", typ: to}
	}
	refuse("a %s where a %s stands beside it", v.typ, to)
	return val{}
}

// cond is a value as a condition.
func (d *dialect) cond(v val) string {
	if v.typ.k == kNull {
		return "NULL"
	}
	switch {
	case v.typ.isWide():
		return "(" + v.sql + " <> " + zeroWide + ")"
	case v.typ.numeric():
		return v.sql
	}
	return "(" + d.number(v).sql + " <> 0)"
}

func (d *dialect) binary(n *ast.BinaryOperationExpr, sc *scope) val {
	l, r := d.expr(n.L, sc), d.expr(n.R, sc)
	if op, ok := comparisons[n.Op]; ok {
		if (l.typ.k == kJSON || r.typ.k == kJSON) && l.row == nil && r.row == nil && op != "IS" {
			return truth(d.compareJSON(op, l, r))
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
	case opcode.Plus, opcode.Minus, opcode.Mul, opcode.Div, opcode.IntDiv, opcode.Mod:
		return d.arithmetic(n.Op, d.number(l), d.number(r))
	case opcode.And, opcode.Or, opcode.LeftShift, opcode.RightShift, opcode.Xor:
		return d.bits(n, sc)
	}
	refuse("the operator %s", n.Op)
	return val{}
}

func (d *dialect) arithmetic(op opcode.Op, l, r val) val {
	l.mayCompute()
	r.mayCompute()
	out := d.operation(op, l, r)
	out.mixed = l.mixed || r.mixed
	return out
}

// mayCompute refuses to go on with a quotient whose places, before it is rounded, depend on the row.
func (v val) mayCompute() {
	if v.mixed && v.places > 0 {
		refuse("a computation with a quotient of CASE, IF, COALESCE, GREATEST or LEAST over numbers of different decimal places")
	}
}

// mix says that numbers with their own places come together in one of this type. Zero divided is zero.
func mix(values []val, to typ) bool {
	return to.k == kDecimal && slices.ContainsFunc(values, func(v val) bool {
		return v.mixed || v.typ.k != kNull && v.sql != "0" && v.typ.decimals() != to.scale
	})
}

func (d *dialect) operation(op opcode.Op, l, r val) val {
	if l.typ.k == kNull || r.typ.k == kNull {
		if op == opcode.IntDiv {
			return val{sql: "NULL", typ: tInt}
		}
		l.typ.k, r.typ.k = max(l.typ.k, kInt), max(r.typ.k, kInt) // NULL has no decimal places
		return val{sql: "NULL", typ: fixedDouble(l.typ, r.typ, map[opcode.Op]int{opcode.Div: 4}[op])}
	}
	whole := l.typ.k == kInt && r.typ.k == kInt
	decimal := (l.typ.k == kInt || l.typ.k == kDecimal) && (r.typ.k == kInt || r.typ.k == kDecimal)
	ls, rs := l.typ.decimals(), r.typ.decimals()
	sign := map[opcode.Op]string{opcode.Plus: "+", opcode.Minus: "-", opcode.Mul: "*"}[op]
	if decimal && (l.typ.isWide() || r.typ.isWide() || op == opcode.Div || op == opcode.Mul && ls+rs > narrowDigits) {
		return d.wideArithmetic(op, l, r)
	}
	l, r = d.narrow(l), d.narrow(r)
	switch {
	case sign != "" && whole:
		unsigned := l.typ.unsigned || r.typ.unsigned
		if unsigned && (op == opcode.Minus || !l.typ.unsigned || !r.typ.unsigned) {
			return val{sql: fmt.Sprintf("my_unsigned(%s %s %s)", l.sql, sign, r.sql), typ: typ{k: kInt, unsigned: true}}
		}
		return val{sql: fmt.Sprintf("(%s %s %s)", l.sql, sign, r.sql), typ: typ{k: kInt, unsigned: unsigned}}
	case sign != "" && decimal:
		scale := max(ls, rs)
		if op == opcode.Mul {
			scale = ls + rs
		}
		return val{sql: fmt.Sprintf("round((%s %s %s), %d)", l.sql, sign, r.sql, scale), typ: typ{k: kDecimal, scale: scale}}
	case sign != "":
		return val{sql: fmt.Sprintf("(%s %s %s)", l.sql, sign, r.sql), typ: fixedDouble(l.typ, r.typ, 0)}
	case op == opcode.Div:
		return val{sql: fmt.Sprintf("(CAST(%s AS REAL) / %s)", l.sql, r.sql), typ: fixedDouble(l.typ, r.typ, 4)}
	case op == opcode.IntDiv && whole:
		return val{sql: fmt.Sprintf("(%s / %s)", l.sql, r.sql), typ: tInt}
	case op == opcode.IntDiv:
		return val{sql: fmt.Sprintf("my_int_div(%s, %s)", l.sql, r.sql), typ: tInt}
	case whole:
		return val{sql: fmt.Sprintf("(%s %% %s)", l.sql, r.sql), typ: tInt}
	case decimal:
		return val{sql: fmt.Sprintf("my_mod(%s, %s, %d)", l.sql, r.sql, max(ls, rs)), typ: typ{k: kDecimal, scale: max(ls, rs)}}
	}
	if l.typ.vague {
		refuse("MOD of POW of a fraction") // the last digit of POW makes a difference
	}
	return val{sql: fmt.Sprintf("my_mod(%s, %s, -1)", l.sql, r.sql), typ: fixedDouble(l.typ, r.typ, 0)}
}

// divisionPlaces is how many places MySQL computes of a quotient before it cuts: whole groups of nine digits.
// Source: do_div_mod in strings/decimal.cc, with div_precision_increment 4.
func divisionPlaces(ls, rs int) int {
	groups := func(n int) int { return (n + 8) / 9 * 9 }
	more := max(0, 4-(groups(ls)-ls)-(groups(rs)-rs))
	return groups(groups(ls) + groups(rs) + more)
}

// bits is an operator on bits. Its result is unsigned; what does not fit is refused at the end, not in between, and printed as it is.
func (d *dialect) bits(n ast.ExprNode, sc *scope) val {
	raw, null := d.rawBits(n, sc)
	if null {
		return val{sql: "NULL", typ: tNull}
	}
	return unsignedBits(raw)
}

// unsignedBits is an unsigned number of 64 bits.
func unsignedBits(sql string) val {
	return val{sql: "my_bits_fit(" + sql + ")", typ: typ{k: kInt, unsigned: true}, bits: sql}
}

var bitWords = map[opcode.Op]string{opcode.And: "&", opcode.Or: "|", opcode.LeftShift: "<<", opcode.RightShift: ">>", opcode.Xor: "^"}

// rawBits is an expression as 64 bits. null says that it is NULL.
func (d *dialect) rawBits(n ast.ExprNode, sc *scope) (raw string, null bool) {
	switch n := bare(n).(type) {
	case *ast.BinaryOperationExpr:
		if word, ok := bitWords[n.Op]; ok {
			l, null1 := d.rawBits(n.L, sc)
			r, null2 := d.rawBits(n.R, sc)
			return fmt.Sprintf("my_bits(%s, '%s', %s)", l, word, r), null1 || null2
		}
	case *ast.UnaryOperationExpr:
		if n.Op == opcode.BitNeg {
			v, null := d.rawBits(n.V, sc)
			return "my_bits(" + v + ", '^', -1)", null
		}
	}
	v := d.scalar(n, sc)
	if v.typ.k == kString && v.typ.vague {
		refuse("the bits of GROUP_CONCAT")
	}
	v = d.narrow(d.number(v))
	if v.bits != "" {
		return v.bits, false
	}
	return v.sql, v.typ.k == kNull
}

func (d *dialect) unary(n *ast.UnaryOperationExpr, sc *scope) val {
	if n.Op == opcode.BitNeg {
		return d.bits(n, sc)
	}
	if v, ok := n.V.(ast.ValueExpr); ok && n.Op == opcode.Minus && v.GetValue() == uint64(1<<63) {
		return val{sql: "(-9223372036854775807 - 1)", typ: tInt}
	}
	v := d.scalar(n.V, sc)
	switch n.Op {
	case opcode.Not, opcode.Not2:
		return truth("(NOT " + d.cond(v) + ")")
	case opcode.Plus:
		return v
	case opcode.Minus:
		v = d.number(v)
		if v.typ.k == kNull {
			return val{sql: "NULL", typ: tDouble}
		}
		if isConstant(v) {
			if rest, negative := strings.CutPrefix(v.sql, "-"); negative { // two of them would start a comment
				if v.typ.k == kInt { // MySQL takes the negative number for one beyond BIGINT
					return d.literalDecimal(rest)
				}
				return val{sql: rest, typ: v.typ}
			}
			return val{sql: "-" + v.sql, typ: v.typ}
		}
		t := v.typ
		t.unsigned = false
		if t.isWide() {
			return val{sql: "my_dec_neg(" + v.sql + ", 0)", typ: t, places: v.places}
		}
		return val{sql: "(-" + v.sql + ")", typ: t}
	}
	refuse("the operator %s", n.Op)
	return val{}
}

func (d *dialect) caseExpr(n *ast.CaseExpr, sc *scope) val {
	var conds []string
	var results []val
	for _, w := range n.WhenClauses {
		if n.Value != nil {
			conds = append(conds, d.compare("=", d.scalar(n.Value, sc), d.scalar(w.Expr, sc)))
		} else {
			conds = append(conds, d.cond(d.scalar(w.Expr, sc)))
		}
		results = append(results, d.scalar(w.Result, sc))
	}
	if n.ElseClause != nil {
		results = append(results, d.scalar(n.ElseClause, sc))
	}
	return d.choice(conds, results)
}

// choice is a CASE: results[i] if conds[i], else the last result if there is one more.
func (d *dialect) choice(conds []string, results []val) val {
	t := tNull
	places := 0
	for _, r := range results {
		t = merge(t, r.typ)
		places = max(places, r.places)
	}
	t.enum = nil
	out := val{sql: branches(conds, results, func(r val) string { return d.convert(r, t).sql }), typ: t, places: places, mixed: mix(results, t)}
	if t.k == kString && places > 0 {
		out.real = branches(conds, results, func(r val) string { return d.narrow(d.number(r)).sql })
	}
	if (t.k == kDecimal || t.fixed > 0) && slices.ContainsFunc(results, func(r val) bool {
		return r.typ.k != kNull && (r.typ.decimals() != t.scale || r.typ.fixed != t.fixed) || r.loose != ""
	}) {
		out.loose = branches(conds, results, func(r val) string { return d.text(val{sql: settle(r), typ: r.typ, loose: r.loose}).sql })
	}
	return out
}

// branches writes a CASE.
func branches(conds []string, results []val, write func(val) string) string {
	var b strings.Builder
	b.WriteString("(CASE")
	for i, c := range conds {
		fmt.Fprintf(&b, " WHEN %s THEN %s", c, write(results[i]))
	}
	if len(results) > len(conds) {
		fmt.Fprintf(&b, " ELSE %s", write(results[len(conds)]))
	}
	b.WriteString(" END)")
	return b.String()
}

// subquery is a scalar subquery. SQLite takes the first row where MySQL fails with 1242, so the rows are counted.
func (d *dialect) subquery(n *ast.SubqueryExpr, sc *scope) val {
	_, d.raw = n.Query.(*ast.SelectStmt)
	sc.asked = false
	q := d.query(n.Query, sc)
	d.raw = false
	if sc.grouped && sc.asked && !sc.inAgg && slices.ContainsFunc(q.cols, func(c sourceColumn) bool { return c.val.places > 0 }) {
		refuse("an average in a subquery about the rows of a group") // MySQL rounds some of them, and what is computed of them
	}
	if n.Exists {
		return truth("(EXISTS (" + q.sql + "))")
	}
	if len(q.cols) > 1 {
		v := val{row: []val{}}
		for i := range q.cols {
			v.row = append(v.row, d.onlyRow(q, i))
		}
		return v
	}
	return d.onlyRow(q, 0)
}

func (d *dialect) onlyRow(q query, i int) val {
	c := q.cols[i]
	if q.one && len(q.cols) == 1 {
		return val{sql: "(" + q.sql + ")", typ: c.val.typ, places: c.val.places}
	}
	if q.one {
		return val{sql: fmt.Sprintf("(SELECT %s FROM (%s))", c.val.sql, q.sql), typ: c.val.typ, places: c.val.places}
	}
	return val{sql: fmt.Sprintf("(SELECT my_only(COUNT(*), MIN(%s)) FROM (SELECT * FROM (%s) LIMIT 2))", c.val.sql, q.sql), typ: c.val.typ, places: c.val.places}
}
