package translate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
)

var comparisons = map[opcode.Op]string{opcode.EQ: "=", opcode.NE: "<>", opcode.LT: "<", opcode.LE: "<=", opcode.GT: ">", opcode.GE: ">=", opcode.NullEQ: "IS"}

// temporalText turns a string literal beside a date or time into the form that the column has.
// MySQL compares with the moment that the text means.
func temporalText(v val, t types.Type) val {
	out, ok := mysqlfn.CanonicalTemporal(*v.text, t)
	if !ok {
		refuse("a comparison of a %s with %q", t, mysqlfn.Clip(*v.text))
	}
	return val{sql: quoteText(out), typ: t}
}

// alike brings two values to forms that compare as MySQL compares them. coll is set for texts.
func (d *draft) alike(l, r val) (a, b val, coll types.Collation) {
	lt, rt := l.typ, r.typ
	switch {
	case lt.Kind == types.Null || rt.Kind == types.Null:
		return l, r, ""
	case lt.Kind == types.JSON || rt.Kind == types.JSON:
		refuse("this comparison with JSON")
	case lt.Text() && rt.Text():
		return d.text(l), d.text(r), mergeCollations(lt, rt).OrDefault()
	case d.asTexts(l, r), d.asTexts(r, l):
		return d.text(l), d.text(r), mergeCollations(d.text(l).typ, d.text(r).typ).OrDefault()
	case lt.Temporal() && rt.Kind == types.String:
		r = d.toTemporal(r, lt)
		a, b, _ = d.alikeTemporal(l, r)
		return a, b, ""
	case rt.Temporal() && lt.Kind == types.String:
		l = d.toTemporal(l, rt)
		a, b, _ = d.alikeTemporal(l, r)
		return a, b, ""
	case lt.Temporal() && rt.Temporal():
		return d.alikeTemporal(l, r)
	}
	l, r = d.number(l), d.number(r)
	exact := func(v val) bool { return v.typ.Kind == types.Int || v.typ.Kind == types.Decimal }
	if (l.typ.IsWide() || r.typ.IsWide()) && exact(l) && exact(r) {
		return d.widen(l), d.widen(r), ""
	}
	return d.narrow(l), d.narrow(r), ""
}

// asTexts says that MySQL compares a date or time with a text as texts: an expression of type TIME with any text, and any
// moment with a literal that is none. (MySQL 8.0.16 and later fail with 1525 at the latter.)
func (d *draft) asTexts(v, text val) bool {
	if !v.typ.Temporal() || text.typ.Kind != types.String {
		return false
	}
	if v.typ.Kind == types.Time {
		return !v.col || text.text == nil
	}
	if text.text == nil {
		return false
	}
	_, ok := mysqlfn.ParseMoment(*text.text)
	return !ok
}

// toTemporal reads a text as a moment: a literal now, anything else row by row.
func (d *draft) toTemporal(v val, t types.Type) val {
	if v.text == nil {
		if t.Kind == types.Time {
			return val{sql: fmt.Sprintf("my_to_time(%s, 6)", v.sql), typ: types.Type{Kind: types.Time, Scale: 6}}
		}
		return val{sql: fmt.Sprintf("my_datetime(%s, 6)", v.sql), typ: types.Type{Kind: types.Datetime, Scale: 6}}
	}
	if t.Kind == types.Time {
		return temporalText(v, types.Type{Kind: types.Time, Scale: 6})
	}
	m, ok := mysqlfn.ParseMoment(*v.text)
	switch {
	case !ok:
		refuse("a comparison of a %s with %q", t, mysqlfn.Clip(*v.text))
	case m.HasFraction():
		return val{sql: quoteText(m.Format(types.Type{Kind: types.Datetime, Scale: 6})), typ: types.Type{Kind: types.Datetime, Scale: 6}}
	case t.Kind == types.Date && m.Midnight():
		return val{sql: quoteText(m.Date()), typ: types.DateType}
	}
	return val{sql: quoteText(m.Format(types.Type{Kind: types.Datetime})), typ: types.Type{Kind: types.Datetime}}
}

func (d *draft) alikeTemporal(l, r val) (val, val, types.Collation) {
	if (l.typ.Kind == types.Time) != (r.typ.Kind == types.Time) {
		refuse("a comparison of a %s with a %s", l.typ, r.typ)
	}
	if l.typ.Kind == r.typ.Kind && l.typ.Scale == r.typ.Scale {
		return l, r, ""
	}
	scale := max(l.typ.Scale, r.typ.Scale)
	if l.typ.Kind == types.Time {
		f := func(v val) val {
			return val{sql: fmt.Sprintf("my_to_time(%s, %d)", v.sql, scale), typ: types.Type{Kind: types.Time, Scale: scale}}
		}
		return f(l), f(r), ""
	}
	t := types.Type{Kind: types.Datetime, Scale: scale}
	return d.convert(l, t), d.convert(r, t), ""
}

// compare writes a comparison; op is SQLite's.
func (d *draft) compare(op string, l, r val) string {
	if l.row != nil || r.row != nil {
		return d.compareRows(op, l, r)
	}
	if jsonAlike(l, r) && op != "IS" {
		return d.compareJSON(op, l, r)
	}
	timeOrder := (l.typ.Kind == types.Time || r.typ.Kind == types.Time) && op != "=" && op != "<>" && op != "IS"
	l, r, coll := d.alike(l, r)
	if timeOrder && l.typ.Kind == types.Time && r.typ.Kind == types.Time { // the text of a time does not sort
		return fmt.Sprintf("(my_seconds(%s) %s my_seconds(%s))", l.sql, op, r.sql)
	}
	if coll != "" && !(l.col && l.typ.Coll == coll) && !(r.col && r.typ.Coll == coll && !l.col) {
		return fmt.Sprintf("(%s COLLATE %s %s %s)", l.sql, coll, op, r.sql)
	}
	return fmt.Sprintf("(%s %s %s)", l.sql, op, r.sql)
}

// compareJSON compares two values as JSON.
func (d *draft) compareJSON(op string, l, r val) string {
	return fmt.Sprintf("(my_json_compare(%s, %s) %s 0)", d.jsonScalar(l), d.jsonScalar(r), op)
}

// jsonAlike says that two values compare as JSON wherever they stand: one is JSON, the other too or a number. With texts it
// depends on the operator.
func jsonAlike(l, r val) bool {
	return l.typ.Kind == types.JSON && (r.typ.Kind == types.JSON || r.typ.Numeric()) || r.typ.Kind == types.JSON && l.typ.Numeric()
}

// compareRows compares row constructors, part by part.
func (d *draft) compareRows(op string, l, r val) string {
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

func (d *draft) between(n *ast.BetweenExpr, sc *scope) val {
	parts := d.betweenParts([]val{d.scalar(n.Expr, sc), d.scalar(n.Left, sc), d.scalar(n.Right, sc)})
	v, lo, hi := parts[0], parts[1], parts[2]
	for _, bound := range parts[1:] {
		if v.typ.Kind != types.Time && d.asTexts(v, bound) || d.asTexts(bound, v) {
			refuse("BETWEEN with a %s and a text that is none", v.typ)
		}
	}
	return truth(fmt.Sprintf("(%s(%s AND %s))", not(n.Not), d.compare(">=", v, lo), d.compare("<=", v, hi)))
}

// betweenParts are the three parts of BETWEEN as MySQL compares them, which looks at all of them: among dates a text that is none
// is the zero date, and JSON is a text among texts, else a number.
// Source: Item_func_between::resolve_type and get_datetime_value in sql/item_cmpfunc.cc.
func (d *draft) betweenParts(parts []val) []val {
	all := func(is func(t types.Type) bool) bool {
		return !slices.ContainsFunc(parts, func(v val) bool { return !is(v.typ) })
	}
	switch {
	case all(func(t types.Type) bool {
		return t.Kind == types.Date || t.Kind == types.Datetime || t.Kind == types.String
	}):
		if all(func(t types.Type) bool { return t.Kind == types.String }) {
			break
		}
		for i, v := range parts {
			if v.text == nil {
				if v.typ.Kind == types.String {
					parts[i] = val{sql: fmt.Sprintf("(CASE WHEN %s IS NOT NULL THEN coalesce(my_datetime(%[1]s, 6), '0000-00-00 00:00:00.000000') END)", v.sql), typ: types.Type{Kind: types.Datetime, Scale: 6}}
				}
				continue
			}
			switch m, ok := mysqlfn.ParseMoment(*v.text); {
			case ok:
			case m.LateDay():
				parts[i] = val{sql: quoteText(m.Date()), typ: types.DateType}
			default:
				parts[i] = val{sql: "'0000-00-00'", typ: types.DateType}
			}
		}
	case all(func(t types.Type) bool { return t.Kind != types.JSON }):
	case all(func(t types.Type) bool { return t.Text() || t.Kind == types.Null }):
		for i, v := range parts {
			parts[i] = d.text(v)
		}
	case all(func(t types.Type) bool { return !t.Temporal() }):
		for i, v := range parts {
			parts[i] = d.number(v)
		}
	}
	return parts
}

func (d *draft) like(n *ast.PatternLikeOrIlikeExpr, sc *scope) val {
	if !n.IsLike {
		refuse("ILIKE")
	}
	l, p := d.scalar(n.Expr, sc), d.scalar(n.Pattern, sc)
	coll := mergeCollations(l.typ, p.typ).OrDefault()
	escape := n.Escape
	if escape == 0 { // ESCAPE ''
		escape = '\\'
	}
	return truth("(" + not(n.Not) + d.callOf("like", d.text(l).sql, d.text(p).sql, strconv.Itoa(int(escape)), "'"+string(coll)+"'") + ")")
}

func (d *draft) regexp(n *ast.PatternRegexpExpr, sc *scope) val {
	l, p := d.scalar(n.Expr, sc), d.scalar(n.Pattern, sc)
	return truth("(" + not(n.Not) + d.callOf("regexp", d.text(l).sql, d.text(p).sql, "'"+regexpFlags(l, p)+"'") + ")")
}

// regexpFlags says whether case counts, by collation.
func regexpFlags(l, p val) string {
	if c := mergeCollations(l.typ, p.typ); c == types.CollBin || c == types.CollBytes {
		return "c"
	}
	return "i"
}
