package embedded

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
)

var comparisons = map[opcode.Op]string{opcode.EQ: "=", opcode.NE: "<>", opcode.LT: "<", opcode.LE: "<=", opcode.GT: ">", opcode.GE: ">=", opcode.NullEQ: "IS"}

// temporalText turns a string literal beside a date or time into the form that the column has.
// MySQL compares with the moment that the text means.
func temporalText(v val, t typ) val {
	out, ok := canonicalTemporal(*v.text, t)
	if !ok {
		refuse("a comparison of a %s with %q", t, clip(*v.text))
	}
	return val{sql: quoteText(out), typ: t}
}

// alike brings two values to forms that compare as MySQL compares them. coll is set for texts.
func (d *dialect) alike(l, r val) (a, b val, coll collation) {
	lt, rt := l.typ, r.typ
	switch {
	case lt.k == kNull || rt.k == kNull:
		return l, r, ""
	case lt.k == kJSON || rt.k == kJSON:
		refuse("this comparison with JSON")
	case lt.text() && rt.text():
		return d.text(l), d.text(r), mergeCollations(lt, rt).orDefault()
	case d.asTexts(l, r), d.asTexts(r, l):
		return d.text(l), d.text(r), mergeCollations(d.text(l).typ, d.text(r).typ).orDefault()
	case lt.temporal() && rt.k == kString:
		r = d.toTemporal(r, lt)
		a, b, _ = d.alikeTemporal(l, r)
		return a, b, ""
	case rt.temporal() && lt.k == kString:
		l = d.toTemporal(l, rt)
		a, b, _ = d.alikeTemporal(l, r)
		return a, b, ""
	case lt.temporal() && rt.temporal():
		return d.alikeTemporal(l, r)
	}
	l, r = d.number(l), d.number(r)
	exact := func(v val) bool { return v.typ.k == kInt || v.typ.k == kDecimal }
	if (l.typ.isWide() || r.typ.isWide()) && exact(l) && exact(r) {
		return d.widen(l), d.widen(r), ""
	}
	return d.narrow(l), d.narrow(r), ""
}

// asTexts says that MySQL compares a date or time with a text as texts: an expression of type TIME with any text, and any
// moment with a literal that is none. (MySQL 8.0.16 and later fail with 1525 at the latter.)
func (d *dialect) asTexts(v, text val) bool {
	if !v.typ.temporal() || text.typ.k != kString {
		return false
	}
	if v.typ.k == kTime {
		return !v.col || text.text == nil
	}
	if text.text == nil {
		return false
	}
	_, ok := parseMoment(*text.text)
	return !ok
}

// toTemporal reads a text as a moment: a literal now, anything else row by row.
func (d *dialect) toTemporal(v val, t typ) val {
	if v.text == nil {
		if t.k == kTime {
			return val{sql: fmt.Sprintf("my_to_time(%s, 6)", v.sql), typ: typ{k: kTime, scale: 6}}
		}
		return val{sql: fmt.Sprintf("my_datetime(%s, 6)", v.sql), typ: typ{k: kDatetime, scale: 6}}
	}
	if t.k == kTime {
		return temporalText(v, typ{k: kTime, scale: 6})
	}
	m, ok := parseMoment(*v.text)
	switch {
	case !ok:
		refuse("a comparison of a %s with %q", t, clip(*v.text))
	case m.usec != 0:
		return val{sql: quoteText(m.format(typ{k: kDatetime, scale: 6})), typ: typ{k: kDatetime, scale: 6}}
	case t.k == kDate && m.hour == 0 && m.minute == 0 && m.second == 0:
		return val{sql: quoteText(m.date()), typ: tDate}
	}
	return val{sql: quoteText(m.format(typ{k: kDatetime})), typ: typ{k: kDatetime}}
}

func (d *dialect) alikeTemporal(l, r val) (val, val, collation) {
	if (l.typ.k == kTime) != (r.typ.k == kTime) {
		refuse("a comparison of a %s with a %s", l.typ, r.typ)
	}
	if l.typ.k == r.typ.k && l.typ.scale == r.typ.scale {
		return l, r, ""
	}
	scale := max(l.typ.scale, r.typ.scale)
	if l.typ.k == kTime {
		f := func(v val) val {
			return val{sql: fmt.Sprintf("my_to_time(%s, %d)", v.sql, scale), typ: typ{k: kTime, scale: scale}}
		}
		return f(l), f(r), ""
	}
	t := typ{k: kDatetime, scale: scale}
	return d.convert(l, t), d.convert(r, t), ""
}

// compare writes a comparison; op is SQLite's.
func (d *dialect) compare(op string, l, r val) string {
	if l.row != nil || r.row != nil {
		return d.compareRows(op, l, r)
	}
	if jsonAlike(l, r) && op != "IS" {
		return d.compareJSON(op, l, r)
	}
	timeOrder := (l.typ.k == kTime || r.typ.k == kTime) && op != "=" && op != "<>" && op != "IS"
	l, r, coll := d.alike(l, r)
	if timeOrder && l.typ.k == kTime && r.typ.k == kTime { // the text of a time does not sort
		return fmt.Sprintf("(my_seconds(%s) %s my_seconds(%s))", l.sql, op, r.sql)
	}
	if coll != "" && !(l.col && l.typ.coll == coll) && !(r.col && r.typ.coll == coll && !l.col) {
		return fmt.Sprintf("(%s COLLATE %s %s %s)", l.sql, coll, op, r.sql)
	}
	return fmt.Sprintf("(%s %s %s)", l.sql, op, r.sql)
}

// compareJSON compares two values as JSON.
func (d *dialect) compareJSON(op string, l, r val) string {
	return fmt.Sprintf("(my_json_compare(%s, %s) %s 0)", d.jsonScalar(l), d.jsonScalar(r), op)
}

// jsonAlike says that two values compare as JSON wherever they stand: one is JSON, the other too or a number. With texts it
// depends on the operator.
func jsonAlike(l, r val) bool {
	return l.typ.k == kJSON && (r.typ.k == kJSON || r.typ.numeric()) || r.typ.k == kJSON && l.typ.numeric()
}

// compareRows compares row constructors, part by part.
func (d *dialect) compareRows(op string, l, r val) string {
	if len(l.row) != len(r.row) || len(l.row) == 0 {
		fail(1241, "Operand should contain %d column(s)", max(1, len(l.row)))
	}
	word := " AND "
	switch op {
	case "=", "IS":
	case "<>":
		word = " OR "
	default: // lexicographic
		last := len(l.row) - 1
		strict := op[:1]
		out := d.compare(op, l.row[last], r.row[last])
		for i := last - 1; i >= 0; i-- {
			out = fmt.Sprintf("(%s OR (%s AND %s))", d.compare(strict, l.row[i], r.row[i]), d.compare("=", l.row[i], r.row[i]), out)
		}
		return out
	}
	var parts []string
	for i := range l.row {
		parts = append(parts, d.compare(op, l.row[i], r.row[i]))
	}
	return "(" + strings.Join(parts, word) + ")"
}

func (d *dialect) between(n *ast.BetweenExpr, sc *scope) val {
	parts := d.betweenParts([]val{d.scalar(n.Expr, sc), d.scalar(n.Left, sc), d.scalar(n.Right, sc)})
	v, lo, hi := parts[0], parts[1], parts[2]
	for _, bound := range parts[1:] {
		if v.typ.k != kTime && d.asTexts(v, bound) || d.asTexts(bound, v) {
			refuse("BETWEEN with a %s and a text that is none", v.typ)
		}
	}
	return truth(fmt.Sprintf("(%s(%s AND %s))", not(n.Not), d.compare(">=", v, lo), d.compare("<=", v, hi)))
}

// betweenParts are the three parts of BETWEEN as MySQL compares them, which looks at all of them: among dates a text that is none
// is the zero date, and JSON is a text among texts, else a number.
// Source: Item_func_between::resolve_type and get_datetime_value in sql/item_cmpfunc.cc.
func (d *dialect) betweenParts(parts []val) []val {
	all := func(is func(t typ) bool) bool {
		return !slices.ContainsFunc(parts, func(v val) bool { return !is(v.typ) })
	}
	switch {
	case all(func(t typ) bool { return t.k == kDate || t.k == kDatetime || t.k == kString }):
		if all(func(t typ) bool { return t.k == kString }) {
			break
		}
		for i, v := range parts {
			if v.text == nil {
				if v.typ.k == kString {
					parts[i] = val{sql: fmt.Sprintf("(CASE WHEN %s IS NOT NULL THEN coalesce(my_datetime(%[1]s, 6), '0000-00-00 00:00:00.000000') END)", v.sql), typ: typ{k: kDatetime, scale: 6}}
				}
				continue
			}
			switch m, ok := parseMoment(*v.text); {
			case ok:
			case m.month >= 1 && m.month <= 12 && m.day > 28 && m.day <= 31 && !m.clock: // the month has no such day
				parts[i] = val{sql: quoteText(m.date()), typ: tDate}
			default:
				parts[i] = val{sql: "'0000-00-00'", typ: tDate}
			}
		}
	case all(func(t typ) bool { return t.k != kJSON }):
	case all(func(t typ) bool { return t.text() || t.k == kNull }):
		for i, v := range parts {
			parts[i] = d.text(v)
		}
	case all(func(t typ) bool { return !t.temporal() }):
		for i, v := range parts {
			parts[i] = d.number(v)
		}
	}
	return parts
}

func (d *dialect) like(n *ast.PatternLikeOrIlikeExpr, sc *scope) val {
	if !n.IsLike {
		refuse("ILIKE")
	}
	l, p := d.scalar(n.Expr, sc), d.scalar(n.Pattern, sc)
	coll := mergeCollations(l.typ, p.typ).orDefault()
	escape := n.Escape
	if escape == 0 { // ESCAPE ''
		escape = '\\'
	}
	return truth("(" + not(n.Not) + d.callOf("like", d.text(l).sql, d.text(p).sql, strconv.Itoa(int(escape)), "'"+string(coll)+"'") + ")")
}

func (d *dialect) regexp(n *ast.PatternRegexpExpr, sc *scope) val {
	l, p := d.scalar(n.Expr, sc), d.scalar(n.Pattern, sc)
	return truth("(" + not(n.Not) + d.callOf("regexp", d.text(l).sql, d.text(p).sql, "'"+regexpFlags(l, p)+"'") + ")")
}

// regexpFlags says whether case counts, by collation.
func regexpFlags(l, p val) string {
	if c := mergeCollations(l.typ, p.typ); c == collBin || c == collBytes {
		return "c"
	}
	return "i"
}

func (d *dialect) in(n *ast.PatternInExpr, sc *scope) val {
	l := d.expr(n.Expr, sc)
	if n.Sel != nil {
		return d.inSubquery(l, n, sc)
	}
	var parts []string
	for _, e := range n.List {
		r := d.expr(e, sc)
		json := l.row == nil && r.row == nil && (l.typ.k == kJSON || r.typ.k == kJSON)
		switch {
		case json && len(n.List) == 1: // the same as =
			parts = append(parts, d.compareJSON("=", l, r))
			continue
		case json && l.typ.text() && r.typ.text(): // as texts
			l, r = d.text(l), d.text(r)
		case json && !l.typ.temporal() && !r.typ.temporal():
			parts = append(parts, d.compare("=", d.number(l), d.number(r)))
			continue
		}
		parts = append(parts, d.compare("=", l, r))
	}
	return truth(fmt.Sprintf("(%s(%s))", not(n.Not), d.inList(l, n.List, parts, sc)))
}

// inList writes IN as IN where every comparison is of the same kind, which lets SQLite use an index, else as a chain of OR.
func (d *dialect) inList(l val, list []ast.ExprNode, parts []string, sc *scope) string {
	if l.row != nil {
		return strings.Join(parts, " OR ")
	}
	var items []string
	var left, coll string
	for _, e := range list {
		r := d.expr(e, sc)
		if r.row != nil || l.typ.k == kJSON || r.typ.k == kJSON {
			return strings.Join(parts, " OR ")
		}
		a, b, c := d.alike(l, r)
		if left != "" && left != a.sql || coll != "" && coll != string(c) || a.typ.k == kTime {
			return strings.Join(parts, " OR ")
		}
		left, coll = a.sql, string(c)
		items = append(items, b.sql)
	}
	if coll != "" {
		left = "(" + left + " COLLATE " + coll + ")"
	}
	return left + " IN (" + strings.Join(items, ", ") + ")"
}

func (d *dialect) inSubquery(l val, n *ast.PatternInExpr, sc *scope) val {
	return truth("(" + not(n.Not) + d.inQuery(l, d.query(n.Sel, sc)) + ")")
}

// inQuery writes IN with a subquery.
func (d *dialect) inQuery(l val, q query) string {
	left := l.row
	if left == nil {
		left = []val{l}
	}
	if len(left) != len(q.cols) {
		fail(1241, "Operand should contain %d column(s)", len(left))
	}
	if q.limit {
		fail(1235, "This version of MySQL doesn't yet support 'LIMIT & IN/ALL/ANY/SOME subquery'")
	}
	var ls, rs []string
	same := true
	for i, c := range q.cols {
		a, b, coll := d.alike(left[i], c.val)
		if coll != "" {
			a.sql = fmt.Sprintf("(%s COLLATE %s)", a.sql, coll)
		}
		same = same && b.sql == c.val.sql
		ls, rs = append(ls, a.sql), append(rs, b.sql)
	}
	lsql, sub := strings.Join(ls, ", "), q.sql
	if len(ls) > 1 {
		lsql = "(" + lsql + ")"
	}
	if !same {
		sub = fmt.Sprintf("SELECT %s FROM (%s)", strings.Join(rs, ", "), q.sql)
	}
	return fmt.Sprintf("(%s IN (%s))", lsql, sub)
}

// compareSubquery is = ANY, > ALL and the like.
func (d *dialect) compareSubquery(n *ast.CompareSubqueryExpr, sc *scope) val {
	l := d.scalar(n.L, sc)
	q := d.query(n.R, sc)
	if len(q.cols) != 1 {
		fail(1241, "Operand should contain 1 column(s)")
	}
	if q.limit {
		fail(1235, "This version of MySQL doesn't yet support 'LIMIT & IN/ALL/ANY/SOME subquery'")
	}
	if !l.col && !isConstant(l) { // SQLite has no aggregates of the outer query in a subquery
		return d.compareBounds(n, l, q)
	}
	alias := d.name("t")
	c := d.compare(comparisons[n.Op], l, requalify(q.cols, alias)[0].val)
	if n.All {
		return truth(fmt.Sprintf("(SELECT CASE WHEN SUM(NOT %s) > 0 THEN 0 WHEN COUNT(*) > COUNT(%s) THEN NULL ELSE 1 END FROM (%s) AS %s)", c, c, q.sql, alias))
	}
	return truth(fmt.Sprintf("(SELECT CASE WHEN SUM(%s) > 0 THEN 1 WHEN COUNT(*) > COUNT(%s) THEN NULL ELSE 0 END FROM (%s) AS %s)", c, c, q.sql, alias))
}

// compareBounds is = ANY, > ALL and the like with the least and the greatest value of the subquery, so that what is on the
// left stands outside of it.
func (d *dialect) compareBounds(n *ast.CompareSubqueryExpr, l val, q query) val {
	alias := d.name("t")
	col := requalify(q.cols, alias)[0].val
	if col.typ.k == kTime {
		refuse("ANY and ALL of times behind an expression")
	}
	from := func(what string) string { return fmt.Sprintf("(SELECT %s FROM (%s) AS %s)", what, q.sql, alias) }
	with := func(bound string) string {
		return d.compare(comparisons[n.Op], l, val{sql: from(bound + "(" + settle(col) + ")"), typ: col.typ})
	}
	var c string
	switch n.Op {
	case opcode.GT, opcode.GE:
		c = with(map[bool]string{true: "MAX", false: "MIN"}[n.All])
	case opcode.LT, opcode.LE:
		c = with(map[bool]string{true: "MIN", false: "MAX"}[n.All])
	case opcode.EQ:
		if c = "(" + with("MIN") + " AND " + with("MAX") + ")"; !n.All {
			return truth(d.inQuery(l, q))
		}
	case opcode.NE:
		if c = "(" + with("MIN") + " OR " + with("MAX") + ")"; n.All {
			return truth("(NOT " + d.inQuery(l, q) + ")")
		}
	default:
		refuse("<=> with ANY or ALL")
	}
	decided := c
	if n.All {
		decided = "NOT " + c
	}
	all := map[bool]int{true: 1}[n.All]
	return truth(fmt.Sprintf("(CASE WHEN %s = 0 THEN %d WHEN %s THEN %d WHEN %s > %s THEN NULL ELSE %s END)",
		from("COUNT(*)"), all, decided, 1-all, from("COUNT(*)"), from("COUNT("+col.sql+")"), c))
}
