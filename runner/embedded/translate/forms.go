package translate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
)

// form writes a call of a function that is more than a call of one of the engine's.
type form func(d *draft, n *ast.FuncCallExpr, sc *scope) val

// forms by lower-case name. They come before the functions of [mysqlfn.Functions].
var forms = gather(choiceForms, numberForms, dateForms, jsonForms)

func gather(parts ...map[string]form) map[string]form {
	all := map[string]form{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

// choiceForms choose between values, and everything that is about neither numbers nor dates, JSON or collations.
var choiceForms = map[string]form{
	"if": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 3, 3)
		return d.choice([]string{d.cond(a[0])}, a[1:])
	},
	"ifnull":   coalesce,
	"coalesce": coalesce,
	"nullif": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 2, 2)
		t := a[0].typ
		if bytes := a[1].typ.Kind == types.Blob || a[1].typ.Bit > 0; t.Kind == types.String &&
			(a[1].typ.Temporal() || a[1].typ.Bit > 0) || t.Temporal() && bytes {
			refuse("NULLIF of a %s and a %s", t, a[1].typ)
		}
		refuseIf(t.Bit > 0 && !a[1].typ.Numeric(), "NULLIF of a BIT and a %s", a[1].typ)
		if t.Kind == types.String && a[1].typ.Kind == types.Blob {
			a[0] = d.bytes(a[0])
			t = a[0].typ
		}
		t = t.Plain()
		t.Vague = t.Temporal()
		l, r := d.fitted(a[0], a[1])
		write := func(sql string) string {
			return fmt.Sprintf("(CASE WHEN %s THEN NULL ELSE %s END)", d.compare("=", l, r), sql)
		}
		out := val{sql: write(a[0].sql), typ: t, places: a[0].places}
		if a[0].typ.Listed() {
			out.real = write(d.number(a[0]).sql)
		}
		if a[0].loose != "" {
			out.loose = write(a[0].loose)
		}
		return out
	},
	"find_in_set": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 2, 2)
		out := d.apply("find_in_set", slices.Clone(a))
		set := a[1].typ
		if set.Listed() && set.Set && a[1].table && !hasColumn(n.Args[0]) { // the place in the declaration
			all := val{sql: quoteText(strings.Join(set.Enum, ",")), typ: types.Type{Kind: types.String, Coll: set.Coll}}
			out.sql = fmt.Sprintf("(CASE WHEN %s > 0 THEN %s ELSE %s END)", out.sql,
				d.apply("find_in_set", []val{a[0], all}).sql, out.sql)
		}
		return out
	},
	"isnull": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		return truth("(" + d.args(n, sc, 1, 1)[0].sql + " IS NULL)")
	},
	"any_value": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		v := d.args(n, sc, 1, 1)[0]
		v.col = v.col && v.typ.Kind != types.Float // which is printed otherwise
		return v
	},
	"greatest": extreme(">="),
	"least":    extreme("<="),
	"strcmp": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 2, 2)
		for i, v := range a {
			if v.col && !v.typ.Text() && !v.typ.Year && (a[1-i].constant || isLiteral(a[1-i])) { // fitted to the column
				refuse("STRCMP of a column that is no text and a constant")
			}
		}
		a[0], a[1] = d.fitted(a[0], a[1])
		l, r := d.text(a[0]), d.text(a[1])
		if a[0].typ.Numeric() || a[1].typ.Numeric() {
			l, r = d.bytes(l), d.bytes(r)
		}
		return val{sql: fmt.Sprintf("(CASE WHEN %s THEN 0 WHEN %s THEN -1 WHEN %s THEN 1 END)", d.compare("=", l, r),
			d.compare("<", l, r), d.compare(">", l, r)), typ: types.IntType, truth: true}
	},
	"field": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 2, -1)
		if !slices.ContainsFunc(a, func(v val) bool { return v.typ.Numeric() }) {
			return d.apply("field", a)
		}
		out := "(CASE" // as numbers
		for i, v := range a[1:] {
			out += fmt.Sprintf(" WHEN %s = %s THEN %d", d.narrow(d.number(a[0])).sql, d.narrow(d.number(v)).sql, i+1)
		}
		return val{sql: out + " ELSE 0 END)", typ: types.IntType}
	},
	"uuid":     func(*draft, *ast.FuncCallExpr, *scope) val { return val{sql: "my_uuid()", typ: types.TextType} },
	"trim":     trimForm,
	"convert":  convertUsing,
	"database": func(d *draft, n *ast.FuncCallExpr, sc *scope) val { return textValue(d.Database) },
	"schema":   func(d *draft, n *ast.FuncCallExpr, sc *scope) val { return textValue(d.Database) },
	"grouping": func(d *draft, n *ast.FuncCallExpr, sc *scope) val { return d.grouping(n, sc) },
}

func coalesce(d *draft, n *ast.FuncCallExpr, sc *scope) val {
	a := windowed(d.args(n, sc, 1, -1)...)
	notBits(a)
	t, places := mergeAll(a)
	parts := syntax.Map(a, func(v val) string { return d.convert(v, t).sql })
	if len(parts) == 1 {
		return val{sql: parts[0], typ: t, places: places}
	}
	return val{sql: "coalesce(" + strings.Join(parts, ", ") + ")", typ: t, places: places, mixed: mix(a, t)}
}

// extreme is GREATEST or LEAST: NULL if an argument is NULL.
func extreme(op string) form {
	return func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 2, -1)
		notBits(a)
		t, places := mergeAll(a)
		compared(t, t)
		name := "max"
		if op == "<=" {
			name = "min"
		}
		if t.Kind == types.Time { // the text of a time does not sort
			parts := syntax.Map(a, func(v val) string { return "my_seconds(" + v.sql + ")" }) // NULL is NULL
			return val{sql: fmt.Sprintf("my_clock_of(%s(%s), %d)", name, strings.Join(parts, ", "), t.Scale), typ: t}
		}
		if out, ok := extremeMoment(name, a, t); ok {
			return out
		}
		if t.Kind == types.String { // of equal texts SQLite takes the last one for the least, MySQL for the greatest
			slices.Reverse(a)
		}
		var parts []string
		for i, v := range a {
			refuseIf(!t.Temporal() && classOf(v.typ) == moments || t.Kind == types.Blob && v.typ.Kind != types.Blob ||
				t.Kind == types.JSON, "%s of values of different types", strings.ToUpper(n.FnName.O))
			c := d.convert(v, t)
			if i == 0 && t.Kind == types.String {
				c.sql = fmt.Sprintf("(%s COLLATE %s)", c.sql, t.Collation())
			}
			parts = append(parts, c.sql)
		}
		return val{sql: name + "(" + strings.Join(parts, ", ") + ")", typ: t, places: places, mixed: mix(a, t)}
	}
}

// extremeMoment is GREATEST or LEAST of dates and texts that are dates, of type t: MySQL compares moments, and makes
// the one that it finds a text in the form of the dates. Source: Item_func_min_max::cmp_datetimes and str_op in
// sql/item_func.cc.
func extremeMoment(name string, args []val, t types.Type) (out val, ok bool) {
	form, kind, dated := "my_date(%s)", types.Date, false
	var parts []string
	for _, v := range args {
		switch {
		case v.text != nil:
			m, _ := mysqlfn.ParseMoment(*v.text)
			if noMoment(v) || m.HasFraction() {
				return val{}, false
			}
			parts = append(parts, quoteText(m.Format(types.Type{Kind: types.Datetime})))
			continue
		case v.typ.Kind == types.Datetime && v.typ.Scale == 0:
			form, kind = "my_datetime(%s, 0)", types.Datetime
		case v.typ.Kind != types.Date && v.typ.Kind != types.Null:
			return val{}, false
		}
		dated = dated || v.typ.Temporal()
		parts = append(parts, "my_datetime("+v.sql+", 0)")
	}
	if t.Kind != types.String || !dated {
		return val{}, false
	}
	out = val{sql: fmt.Sprintf(form, name+"("+strings.Join(parts, ", ")+")"), typ: t, mixed: true}
	out.real = fmt.Sprintf("my_temporal_number(%s, %d)", out.sql, kind)
	return out, true
}

func trimForm(d *draft, n *ast.FuncCallExpr, sc *scope) val {
	args := []val{d.scalar(n.Args[0], sc), textValue(" ")}
	side := "BOTH"
	if len(n.Args) > 1 {
		if x := d.scalar(n.Args[1], sc); x.typ.Kind != types.Null || len(n.Args) == 2 {
			args[1] = x
		}
	}
	if len(n.Args) > 2 {
		dir, ok := n.Args[2].(*ast.TrimDirectionExpr)
		refuseIf(!ok, "this TRIM")
		side = dir.Direction.String()
	}
	if slices.ContainsFunc(args, func(v val) bool { return v.typ.Kind == types.Blob }) {
		return val{sql: fmt.Sprintf("CAST(my_trim(%s, %s, '%s') AS BLOB)", d.bytes(args[0]).sql, d.bytes(args[1]).sql,
			side), typ: types.BlobType}
	}
	v := d.text(args[0])
	return val{sql: fmt.Sprintf("my_trim(%s, %s, '%s')", v.sql, d.text(args[1]).sql, side), typ: v.typ.AsText()}
}

func convertUsing(d *draft, n *ast.FuncCallExpr, sc *scope) val {
	v := d.scalar(n.Args[0], sc)
	cs, ok := n.Args[1].(ast.ValueExpr)
	refuseIf(!ok, "this CONVERT")
	name := strings.ToLower(cs.GetString())
	coll, ok := types.Collations[types.CharsetDefault[name]]
	refuseIf(!ok, "CONVERT … USING %s", cs.GetString())
	if coll == types.CollBytes {
		return d.bytes(v)
	}
	t := types.Type{Kind: types.String, Coll: coll}
	return val{sql: d.callOf("transcode", d.text(v).sql, quoteText(name)), typ: t}
}

// collationNames are the names of those collations that have only one. The others stand for several, see [collations].
var collationNames = map[types.Collation]string{"": "utf8mb4_0900_ai_ci", types.CollAI: "utf8mb4_0900_ai_ci",
	types.CollSwedish: "latin1_swedish_ci", types.CollBytes: "binary"}

// charsetOf is the character set that a collation belongs to.
func charsetOf(collation string) string {
	set, _, _ := strings.Cut(collation, "_")
	return set
}

// collate is e COLLATE name. The collation must belong to the character set of the text, where that is known.
func (d *draft) collate(n *ast.SetCollationExpr, sc *scope) val {
	v := d.scalar(n.Expr, sc)
	name := strings.ToLower(n.Collate)
	coll, ok := types.Collations[name]
	refuseIf(!ok, "COLLATE %s", n.Collate)
	if own, ok := collationNames[v.typ.Coll]; ok && v.typ.Kind == types.String && charsetOf(own) != charsetOf(name) {
		fail(1253, "COLLATION '%s' is not valid for CHARACTER SET '%s'", n.Collate, charsetOf(own))
	}
	v = d.convert(v, types.Type{Kind: types.String, Coll: coll})
	return val{sql: v.sql, typ: types.Type{Kind: types.String, Coll: coll, Explicit: true}}
}
