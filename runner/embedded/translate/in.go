package translate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
)

func (d *draft) in(n *ast.PatternInExpr, sc *scope) val {
	l := d.expr(n.Expr, sc)
	if n.Sel != nil {
		q := d.query(n.Sel, sc, wanted{})
		missing(n.Not, l, q)
		return truth("(" + not(n.Not) + d.inQuery(l, q) + ")")
	}
	list := syntax.Map(n.List, func(e ast.ExprNode) val { return d.expr(e, sc) })
	how, mixed := d.mixedList(l, list)
	list = d.agreed(append(list, l)...)
	l, list = list[len(n.List)], list[:len(n.List)]
	list = d.fittedList(l, list)
	if l.row != nil && len(list) > 1 {
		l.row, list = d.fittedRows(l.row, list)
	}
	if len(list) > 1 { // compared exactly
		l.typ.Fixed = 0
	}
	var parts []string
	for _, r := range list {
		if mixed && classOf(r.typ) != numbers {
			a, b, coll := d.inWay(how, l, r)
			parts = append(parts, d.compareAlike("=", a, b, coll))
			continue
		}
		json := l.row == nil && r.row == nil && (l.typ.Kind == types.JSON || r.typ.Kind == types.JSON)
		switch {
		case json && len(list) == 1: // the same as =
			parts = append(parts, d.compareJSON("=", l, r))
			continue
		case json && l.typ.Text() && r.typ.Text(): // as texts
			l, r = d.text(l), d.text(r)
		case json && !l.typ.Temporal() && !r.typ.Temporal():
			parts = append(parts, d.compare("=", d.number(l), d.number(r)))
			continue
		}
		parts = append(parts, d.compare("=", l, r))
	}
	if mixed {
		return truth(fmt.Sprintf("(%s(%s))", not(n.Not), strings.Join(parts, " OR ")))
	}
	return truth(fmt.Sprintf("(%s(%s))", not(n.Not), d.inList(l, list, parts)))
}

// mixedList is the way in which MySQL compares what are no numbers if dates or times and texts are listed beside a
// text, or beside a date if a text is none: as dates if one is among them and no number is, else as texts.
// Source: Item_func_in::resolve_type in sql/item_cmpfunc.cc.
func (d *draft) mixedList(l val, list []val) (how way, mixed bool) {
	dates := slices.ContainsFunc(list, func(v val) bool {
		return v.row == nil && (v.typ.Temporal() || l.typ.Temporal() && v.typ.Year)
	})
	texts := slices.ContainsFunc(list, func(v val) bool {
		return v.row == nil && (v.typ.Kind == types.String || v.typ.Kind == types.JSON) &&
			(!l.typ.Temporal() || v.text == nil || noMoment(v))
	})
	all := append([]val{l}, list...)
	any := func(is func(types.Type) bool) bool {
		return slices.ContainsFunc(all, func(v val) bool { return v.row == nil && is(v.typ) })
	}
	year := func(t types.Type) bool { return t.Year }
	refuseIf(len(list) > 1 && any(types.Type.Temporal) && any(year), "IN with a YEAR and dates or times in one list")
	refuseIf(len(list) > 1 && classOf(l.typ) == moments && !l.col && slices.ContainsFunc(list, noMoment),
		"IN of a computed date and texts that are none")
	refuseIf(len(list) > 1 && any(types.Type.Numeric) && l.typ.Kind == types.Time,
		"IN of a TIME with several values and numbers among them")
	if l.row != nil || !dates || !texts || classOf(l.typ) == numbers && l.typ.Kind != types.JSON {
		return 0, false
	}
	odd := func(v val) bool { return v.typ.Kind == types.JSON || v.typ.Year }
	refuseIf(l.typ.Temporal() || slices.ContainsFunc(all, odd), "IN with dates and texts in one list")
	found := func(c class) bool {
		return slices.ContainsFunc(all, func(v val) bool { return classOf(v.typ) == c && v.typ.Kind != types.Null })
	}
	if found(moments) && !found(numbers) {
		return byMoment, true
	}
	return byText, true
}

// fittedRows are several rows behind IN, and the row before it: MySQL compares each of their values by the type of the
// one before IN alone. Source: cmp_item_row::alloc_comparators in sql/item_cmpfunc.cc.
func (d *draft) fittedRows(left []val, list []val) ([]val, []val) {
	left, list = slices.Clone(left), slices.Clone(list)
	for i, l := range left {
		if class := classOf(l.typ); class == texts || class == words {
			left[i] = d.text(l)
		}
	}
	for n, r := range list {
		list[n].row = slices.Clone(r.row)
		for i, v := range r.row {
			if i == len(left) || left[i].row != nil || v.row != nil || v.typ.Kind == types.Null {
				continue
			}
			own, other := classOf(left[i].typ), classOf(v.typ)
			switch {
			case own == texts && other != texts:
				list[n].row[i] = d.text(v)
			case own == moments && other == numbers && left[i].col && isLiteral(v):
				list[n].row[i], _ = d.fit(left[i], v)
			case left[i].typ.Kind == types.Int && own == numbers && v.typ.Kind != types.Int:
				refuse("several rows behind IN with another type than the whole number before it")
			}
		}
	}
	return left, list
}

// inList writes IN as IN where every comparison is of the same kind, which lets SQLite use an index, else as a chain
// of OR.
func (d *draft) inList(l val, list []val, parts []string) string {
	if l.row != nil || len(list) == 1 {
		return strings.Join(parts, " OR ")
	}
	var items []string
	var left, coll string
	for _, r := range list {
		if r.row != nil || l.typ.Kind == types.JSON || r.typ.Kind == types.JSON {
			return strings.Join(parts, " OR ")
		}
		a, b, c := d.alike(l, r)
		if left != "" && left != a.sql || coll != "" && coll != string(c) || a.typ.Kind == types.Time {
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

// inQuery writes IN with a subquery.
func (d *draft) inQuery(l val, q query) string {
	left := l.row
	if left == nil {
		left = []val{l}
	}
	failIf(len(left) != len(q.cols), 1241, "Operand should contain %d column(s)", len(left))
	failIf(q.limit, 1235, "This version of MySQL doesn't yet support 'LIMIT & IN/ALL/ANY/SOME subquery'")
	var ls, rs []string
	same := true
	for i, c := range q.cols {
		if isLiteral(left[i]) {
			left[i], _ = d.fit(c.val, left[i])
		}
		unlikeQuery(left[i], c.val)
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

// unlikeQuery refuses a value and a column of a subquery that MySQL compares in other ways than =.
func unlikeQuery(l, c val) {
	a, b := classOf(l.typ), classOf(c.typ)
	if min(a, b) == years && max(a, b) == words || (a == numbers) != (b == numbers) && (max(a, b) >= words ||
		l.real+c.real != "") || l.typ.Bit+c.typ.Bit > 0 && l.typ.Kind != c.typ.Kind ||
		(l.typ.Real() != c.typ.Real()) && fixedDouble(l.typ, c.typ, 0).Fixed > 0 ||
		(l.typ.Kind == types.Blob) != (c.typ.Kind == types.Blob) {
		refuse("an ENUM, a SET, a BIT, a FLOAT(M,D), a date, bytes or a mixed choice beside another type in a subquery")
	}
}

// missing refuses NOT IN and <> ALL of a text among numbers or dates: MySQL does not see all NULLs.
func missing(not bool, l val, q query) {
	c := classOf(q.cols[0].val.typ)
	refuseIf(not && l.row == nil && classOf(l.typ) == texts && (c == numbers || c == moments),
		"NOT IN and <> ALL of a text among numbers or dates of a subquery")
}

// compareSubquery is = ANY, > ALL and the like.
func (d *draft) compareSubquery(n *ast.CompareSubqueryExpr, sc *scope) val {
	l := d.scalar(n.L, sc)
	q := d.query(n.R, sc, wanted{})
	failIf(len(q.cols) != 1, 1241, "Operand should contain 1 column(s)")
	failIf(q.limit, 1235, "This version of MySQL doesn't yet support 'LIMIT & IN/ALL/ANY/SOME subquery'")
	refuseIf(n.Op == opcode.NE && !n.All && classOf(q.cols[0].val.typ) == texts && classOf(l.typ) != texts,
		"<> ANY of texts behind a value that is none")
	unlikeQuery(l, q.cols[0].val)
	missing(n.All && n.Op == opcode.NE, l, q)
	if !l.col && !isConstant(l) { // SQLite has no aggregates of the outer query in a subquery
		return d.compareBounds(n, l, q)
	}
	if n.Op != opcode.EQ && n.Op != opcode.NE { // MySQL compares with the least or greatest of them
		c := classOf(q.cols[0].val.typ)
		if c == words || c == clocks || c == texts && l.typ.Kind != types.Null && (classOf(l.typ) != texts ||
			l.typ.Collation() != q.cols[0].val.typ.Collation()) {
			refuse("ANY and ALL with the order of a TIME, an ENUM or a SET, of texts of two collations, or of a text beside a value that is none")
		}
	}
	alias := d.name("t")
	c := d.compare(comparisons[n.Op], l, requalify(q.cols, alias)[0].val)
	if n.All {
		return truth(fmt.Sprintf("(SELECT CASE WHEN SUM(NOT %s) > 0 THEN 0 WHEN COUNT(*) > COUNT(%s) THEN NULL ELSE 1 END FROM (%s) AS %s)", c, c, q.sql, alias))
	}
	return truth(fmt.Sprintf("(SELECT CASE WHEN SUM(%s) > 0 THEN 1 WHEN COUNT(*) > COUNT(%s) THEN NULL ELSE 0 END FROM (%s) AS %s)", c, c, q.sql, alias))
}

// compareBounds is = ANY, > ALL and the like with the least and the greatest value of the subquery, so that what is on
// the left stands outside of it.
func (d *draft) compareBounds(n *ast.CompareSubqueryExpr, l val, q query) val {
	alias := d.name("t")
	col := requalify(q.cols, alias)[0].val
	refuseIf(col.typ.Kind == types.Time || col.typ.Listed(),
		"ANY and ALL of times, or of an ENUM or SET, behind an expression")
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
