package translate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
)

// expr translates an expression. Anything but a row constructor has a scalar's SQL.
func (d *draft) expr(n ast.ExprNode, sc *scope) val {
	v := d.plainExpr(n, sc)
	v.constant = v.constant || !hasColumn(n)
	if sc.rollup != nil && !sc.inAgg {
		v = sc.rollup.rolled(v)
	}
	refuseIf(len(v.sql) > maxSQL || len(v.loose) > maxSQL, // some forms write their arguments twice, and so on
		"an expression that nests this deeply")
	return v
}

// maxSQL and maxQuery bound the text of a translated expression and of a query, in bytes, of which SQLite takes up to
// forty times as many to read it.
const maxSQL, maxQuery = 1 << 20, 4 << 20

func (d *draft) plainExpr(n ast.ExprNode, sc *scope) val {
	switch n := n.(type) {
	case *ast.ParenthesesExpr:
		return d.expr(n.Expr, sc)
	case ast.ValueExpr:
		return d.literalValue(n)
	case *ast.ColumnNameExpr:
		v, ok := sc.column(n.Name.Table.O, n.Name.Name.O)
		failIf(!ok, 1054, "Unknown column '%s' in 'field list'", n.Name.String())
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
		word := map[int64]string{0: "FALSE", 1: "TRUE"}[n.True]
		return truth(fmt.Sprintf("((%s) IS %s%s)", c, not(n.Not), word))
	case *ast.PatternLikeOrIlikeExpr:
		return d.like(n, sc)
	case *ast.PatternRegexpExpr:
		return d.regexp(n, sc)
	case *ast.PatternInExpr:
		return d.in(n, sc)
	case *ast.ExistsSubqueryExpr:
		q := d.query(n.Sel, sc, wanted{})
		return truth(fmt.Sprintf("(%sEXISTS (%s))", not(n.Not), q.sql))
	case *ast.SubqueryExpr:
		return d.subquery(n, sc)
	case *ast.CompareSubqueryExpr:
		return d.compareSubquery(n, sc)
	case *ast.RowExpr:
		return val{row: syntax.Map(n.Values, func(e ast.ExprNode) val { return d.expr(e, sc) })}
	case *ast.AggregateFuncExpr:
		return d.aggregate(n, sc)
	case *ast.WindowFuncExpr:
		v := d.window(n, sc)
		return val{sql: settleNumber(v), typ: v.typ}
	case *ast.FuncCallExpr:
		return d.call(n, sc)
	case *ast.FuncCastExpr:
		return d.cast(n, sc)
	case *ast.SetCollationExpr:
		return d.collate(n, sc)
	case *ast.VariableExpr:
		refuse("variables")
	case *ast.MatchAgainst:
		refuse("MATCH … AGAINST, a search in a server's full-text index")
	}
	refuse("%s", strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%T", n), "*ast."), "Expr"))
	return val{}
}

// filter is the condition of WHERE, where IS NULL of a date that is declared NOT NULL finds the zero date.
//
//	WHERE closed IS NULL OR id = 1 → WHERE closed IS NULL OR closed = '0000-00-00' OR id = 1
func (d *draft) filter(e ast.ExprNode, sc *scope) string {
	e = syntax.Unparen(e)
	if n, ok := e.(*ast.BinaryOperationExpr); ok && (n.Op == opcode.LogicAnd || n.Op == opcode.LogicOr) {
		word := map[bool]string{true: "AND", false: "OR"}[n.Op == opcode.LogicAnd]
		return fmt.Sprintf("(%s %s %s)", d.filter(n.L, sc), word, d.filter(n.R, sc))
	}
	out := d.cond(d.expr(e, sc))
	for _, c := range syntax.ColumnNames(e) {
		v, _ := sc.column(c.Table.O, c.Name.O)
		dated := v.notNull && (v.typ.Kind == types.Date || strings.HasPrefix(v.declared, "datetime"))
		if dated && out == fmt.Sprintf("(%s IS NULL)", v.sql) {
			return fmt.Sprintf("(%s OR %s < '0000-00-00 24')", out, v.sql)
		}
	}
	return out
}

// scalar is an expression that may not be a row.
func (d *draft) scalar(n ast.ExprNode, sc *scope) val {
	v := d.expr(n, sc)
	failIf(v.row != nil, 1241, "Operand should contain 1 column(s)")
	return v
}

func not(b bool) string {
	if b {
		return "NOT "
	}
	return ""
}

// truth is a condition's value: 1, 0 or NULL.
func truth(sql string) val { return val{sql: sql, typ: types.IntType, truth: true} }

func quoteText(s string) string {
	if strings.ContainsRune(s, 0) {
		return fmt.Sprintf("CAST(x'%x' AS TEXT)", s)
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

func textValue(s string) val {
	return val{sql: quoteText(s), typ: types.Type{Kind: types.String}, text: &s}
}

func (d *draft) literalValue(n ast.ValueExpr) val {
	switch x := n.GetValue().(type) {
	case nil:
		return val{sql: "NULL", typ: types.NullType}
	case int64:
		return val{sql: strconv.FormatInt(x, 10), typ: types.IntType,
			truth: mysql.HasIsBooleanFlag(n.GetType().GetFlag())}
	case uint64:
		if x > math.MaxInt64 {
			return unsignedBits(fmt.Sprintf("(%d - 1)", int64(x)+1))
		}
		return val{sql: strconv.FormatUint(x, 10), typ: types.IntType}
	case float64:
		text := strconv.FormatFloat(x, 'e', -1, 64)
		return val{sql: text, typ: types.DoubleType}
	case string:
		return textValue(x)
	case fmt.Stringer: // a decimal, or a hexadecimal or bit literal
		text := x.String()
		refuseIf(strings.Trim(text, "-0123456789.") != "", "hexadecimal and bit literals")
		return d.literalDecimal(text)
	}
	refuse("a literal of type %T", n.GetValue())
	return val{}
}

// literalDecimal is a DECIMAL in a statement's text.
func (d *draft) literalDecimal(text string) val {
	whole, frac, _ := strings.Cut(text, ".")
	if d.Wide || len(frac) > types.NarrowDigits ||
		len(strings.TrimLeft(strings.Trim(whole, "-0")+frac, "0")) > types.NarrowDigits {
		return wideLiteral(text, len(frac))
	}
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return val{sql: text, typ: types.Type{Kind: types.Decimal, Scale: len(frac)}}
}

func (d *draft) caseExpr(n *ast.CaseExpr, sc *scope) val {
	var conds []string
	var whens, results []val
	for _, w := range n.WhenClauses {
		whens, results = append(whens, d.scalar(w.Expr, sc)), append(results, d.scalar(w.Result, sc))
	}
	if n.Value != nil {
		whens = d.agreed(append(whens, d.scalar(n.Value, sc))...)
	}
	for _, w := range whens[:len(n.WhenClauses)] {
		if n.Value != nil {
			of := whens[len(n.WhenClauses)]
			of.typ.Fixed = 0 // it is compared exactly
			if w.text == nil && (classOf(of.typ) == clocks) != (classOf(w.typ) == clocks) ||
				(of.typ.Kind == types.JSON) != (w.typ.Kind == types.JSON) ||
				of.typ.Year && classOf(w.typ) == moments || w.typ.Year && classOf(of.typ) == moments {
				refuse("CASE of a %s WHEN a %s", of.typ, w.typ)
			}
			conds = append(conds, d.compare("=", of, w))
		} else {
			conds = append(conds, d.cond(w))
		}
	}
	if n.ElseClause != nil {
		results = append(results, d.scalar(n.ElseClause, sc))
	}
	return d.choice(conds, results)
}

// choice is a CASE: results[i] if conds[i], else the last result if there is one more.
func (d *draft) choice(conds []string, results []val) val {
	refuseIf(slices.ContainsFunc(results, func(r val) bool { return r.typ.Bit > 0 }), // which MySQL shows as bytes
		"IF and CASE of a BIT; add 0 to it")
	results = windowed(results...)
	t, places := mergeAll(results)
	out := val{sql: branches(conds, results, func(r val) string { return d.convert(r, t).sql }), typ: t, places: places,
		mixed: mix(results, t)}
	if (t.Kind == types.String || t.Kind == types.Blob) && slices.ContainsFunc(results, func(r val) bool {
		return r.typ.Kind != types.String && r.typ.Kind != types.Blob && r.typ.Kind != types.Null || r.typ.Listed()
	}) {
		out.real = branches(conds, results, func(r val) string { return d.narrow(d.number(r)).sql })
		numbers := slices.ContainsFunc(results, func(r val) bool { return r.either || r.typ.Numeric() })
		out.either = numbers && slices.ContainsFunc(results, func(r val) bool { return r.typ.Kind == types.String })
	}
	if (t.Kind == types.Decimal || t.Fixed > 0) && slices.ContainsFunc(results, func(r val) bool {
		return r.typ.Kind != types.Null && (r.typ.Decimals() != t.Scale || r.typ.Fixed != t.Fixed) || r.loose != ""
	}) {
		out.loose = branches(conds, results,
			func(r val) string { return d.text(val{sql: settle(r), typ: r.typ, loose: r.loose}).sql })
	}
	return out
}

// chosen refuses to read a choice between texts and numbers as a whole number, a date or a time.
func (v val) chosen() {
	refuseIf(v.either, "a choice between texts and numbers as a whole number, a date or a time")
}

// notBits refuses to choose between BITs, of which MySQL makes texts in some places.
func notBits(values []val) {
	bits := slices.ContainsFunc(values, func(v val) bool { return v.typ.Bit > 0 })
	other := slices.ContainsFunc(values, func(v val) bool { return v.typ.Bit == 0 && v.typ.Kind != types.Null })
	refuseIf(bits && !other, "a choice between nothing but BITs; add 0 to one")
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
func (d *draft) subquery(n *ast.SubqueryExpr, sc *scope) val {
	want := wanted{}
	if _, ok := n.Query.(*ast.SelectStmt); ok {
		want.place = asValue
	}
	sc.asked = false
	q := d.query(n.Query, sc, want)
	if sc.grouped && sc.asked && !sc.inAgg &&
		slices.ContainsFunc(q.cols, func(c sourceColumn) bool { return c.val.places > 0 }) {
		// MySQL rounds some of them, and what is computed of them
		refuse("an average in a subquery about the rows of a group")
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
	if s, ok := n.Query.(*ast.SelectStmt); ok && q.cols[0].val.typ.Kind == types.JSON {
		if a, ok := s.Fields.Fields[0].Expr.(*ast.AggregateFuncExpr); ok && strings.EqualFold(a.F[:1], "m") {
			refuse("MIN and MAX of JSON as a subquery") // MySQL compares it as none
		}
	}
	return d.onlyRow(q, 0)
}

func (d *draft) onlyRow(q query, i int) val {
	c := q.cols[i]
	c.val.typ = c.val.typ.Plain()
	if q.one && len(q.cols) == 1 {
		return val{sql: "(" + q.sql + ")", typ: c.val.typ, places: c.val.places}
	}
	if q.one {
		return val{sql: fmt.Sprintf("(SELECT %s FROM (%s))", c.val.sql, q.sql), typ: c.val.typ, places: c.val.places}
	}
	return val{sql: fmt.Sprintf("(SELECT my_only(COUNT(*), MIN(%s)) FROM (SELECT * FROM (%s) LIMIT 2))", c.val.sql,
		q.sql), typ: c.val.typ, places: c.val.places}
}
