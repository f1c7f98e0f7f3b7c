package translate

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
)

// moment is a value where a function wants a date: a date or a text as it is, a time on the statement's day, a
// number's digits.
func (d *draft) moment(v val) val {
	v.chosen()
	switch {
	case v.typ.Kind == types.Time:
		return val{sql: d.onToday(v, v.typ.Scale), typ: types.Type{Kind: types.Datetime, Scale: v.typ.Scale}}
	case v.typ.Kind == types.String: // no text is the zero date, which a column may hold
		v.sql = "NULLIF(NULLIF(" + v.sql + ", '0000-00-00'), '0000-00-00 00:00:00')"
		return v
	case v.typ.Temporal(), v.typ.Kind == types.Null:
		return v
	case v.typ.Bit == 0 && v.typ.Numeric():
		return val{sql: "my_number_moment(" + d.digits(v) + ")", typ: types.TextType}
	}
	return d.untyped(v)
}

// digits are a number where a date or a time is wanted: of a DECIMAL all digits that MySQL has computed, as a text.
func (d *draft) digits(v val) string {
	if v.typ.Kind != types.Decimal {
		return v.sql
	}
	return fmt.Sprintf("my_decimal_text(%s, %d)", v.sql, v.frac())
}

// untyped is a BIT, bytes or JSON where a date or a time is wanted: bytes are a text, JSON is none unless it was made
// of one.
func (d *draft) untyped(v val) val {
	if v.typ.Kind == types.JSON {
		return val{sql: "my_json_dated(" + v.sql + ")", typ: types.TextType}
	}
	return val{sql: d.bytes(v).sql, typ: types.TextType}
}

// onToday is a TIME as a date: from the midnight of the statement's day on.
func (d *draft) onToday(v val, scale int) string {
	return fmt.Sprintf("my_day_clock(%s, '%s', %d)", v.sql, d.Now.Date(), scale)
}

// call translates a function call: a form of its own, or a row of the table of functions.
func (d *draft) call(n *ast.FuncCallExpr, sc *scope) val {
	refuseIf(n.Schema.O != "", "functions of a database")
	name := n.FnName.L
	if form, ok := d.forms[name]; ok {
		return form(d, n, sc)
	}
	f := mysqlfn.Functions[name]
	refuseIf(f.Args == "", "the function %s", functionName(n.FnName.L))
	return d.apply(name, d.args(n, sc, f.Least(), f.Most()))
}

// ofBytes are the functions that tell of a text's bytes, which are other ones in latin1.
var ofBytes = map[string]bool{"length": true, "octet_length": true, "bit_length": true, "hex": true, "ascii": true,
	"md5": true, "ord": true, "crc32": true, "to_base64": true, "sha": true, "sha1": true, "sha2": true}

// apply calls a function of the table with arguments in the forms that it wants.
func (d *draft) apply(name string, args []val) val {
	f := mysqlfn.Functions[name]
	for i, a := range args {
		if a.typ.Bit > 0 && f.Letter(i) == 's' {
			args[i] = d.bytes(a)
		}
	}
	if len(args) > 0 && args[0].typ.Kind == types.String && args[0].typ.Coll == types.CollSwedish && ofBytes[name] {
		args[0] = d.bytes(args[0])
	}
	if bytes := slices.IndexFunc(args, func(v val) bool { return v.typ.Kind == types.Blob }); bytes >= 0 {
		switch {
		case f.Bytes == mysqlfn.BytesRefused:
			refuse("%s of bytes", functionName(name))
		case f.Bytes == mysqlfn.BytesKept && bytes == 0:
			return args[0]
		case f.Bytes == mysqlfn.BytesCounted && bytes == 0: // the other arguments are numbers
			out := d.apply(name,
				append([]val{{sql: "my_bytes_text(" + args[0].sql + ")", typ: types.TextType}}, args[1:]...))
			if out.typ.Kind == types.String {
				return val{sql: "my_text_bytes(" + out.sql + ")", typ: types.BlobType}
			}
			return out
		}
	}
	if strings.Contains(f.Args, "v") {
		args = windowed(args...)
	}
	sqls := make([]string, len(args))
	for i := range args {
		sqls[i] = d.argument(name, f.Letter(i), i, &args[i])
	}
	if f.Collated { // the function compares texts
		c := types.Collation("")
		for _, a := range args {
			c = compared(types.Type{Kind: types.String, Coll: c}, a.typ)
		}
		sqls = append(sqls, "'"+string(c.OrDefault())+"'")
	}
	if f.Alias != "" {
		name = f.Alias
	}
	out := val{sql: d.callOf(name, sqls...), typ: resultType(f.Result, args)}
	if name == "replace" || name == "substring_index" { // which look for a text
		compared(out.typ, out.typ)
	}
	out.partly = name == "date" && !args[0].typ.Temporal()
	if name == "dayname" { // which is a number, too
		out.real = d.callOf("weekday", sqls...)
	}
	if out.typ.Kind == types.Blob {
		out.sql = "CAST(" + out.sql + " AS BLOB)"
	}
	return out
}

// windowed are values as MySQL reads them if one is computed of a window function: the others come from a temporary
// table, which gives quotients their own places.
func windowed(values ...val) []val {
	if slices.ContainsFunc(values, val.overWindow) {
		for i, v := range values {
			if v.places > 0 && !v.constant && !v.overWindow() && !aggregated.MatchString(v.sql) {
				values[i] = val{sql: settle(v), typ: v.typ}
			}
			values[i].zero = false
		}
	}
	return values
}

var aggregated = regexp.MustCompile(`\b(SUM|COUNT|MIN|MAX|my_dec_sum)\(`)

// overWindow says that a value is computed of a window function.
func (v val) overWindow() bool { return strings.Contains(v.sql, " OVER (") }

// argument writes an argument as its letter in the table says. A text and a number get the types that they have then.
func (d *draft) argument(name string, letter byte, i int, a *val) string {
	asText := func() val {
		return d.read(val{sql: settleNumber(*a), typ: a.typ, text: a.text, col: a.col, loose: a.loose})
	}
	switch letter {
	case 'd':
		a.typ.Bit = 0
		fallthrough
	case 's':
		t := asText()
		a.typ = t.typ
		return t.sql
	case 'n':
		*a = d.narrow(d.number(*a))
		return a.sql
	case 'i':
		*a = d.whole(*a)
		return a.sql
	case 'o':
		*a = d.whole(*a)
		return "coalesce(" + a.sql + ", 0)"
	case 'w':
		if a.typ.Real() || a.typ.IsWide() {
			*a = d.whole(*a)
		} else if a.typ.Kind == types.JSON {
			*a = d.text(*a)
		}
	case 't':
		return d.moment(*a).sql
	case 'c':
		return d.clock(*a).sql
	case 'j':
		return d.jsonDocument(*a, i+1, name)
	case 'v':
		return d.json(*a)
	case 'k', 'p':
		return asText().sql
	case 'x':
		return d.text(*a).sql
	}
	return d.narrow(*a).sql
}

// resultType is the type of what a function makes of its arguments.
func resultType(r mysqlfn.Result, args []val) types.Type {
	switch r {
	case mysqlfn.ToInt:
		return types.IntType
	case mysqlfn.ToUnsigned:
		return types.Type{Kind: types.Int, Unsigned: true}
	case mysqlfn.ToDouble:
		return types.DoubleType
	case mysqlfn.ToPower:
		return types.Type{Kind: types.Double, Vague: args[0].typ.Kind != types.Int}
	case mysqlfn.ToPi:
		return types.Type{Kind: types.Double, Fixed: 7}
	case mysqlfn.ToDate:
		return types.DateType
	case mysqlfn.ToPlain:
		return types.TextType
	case mysqlfn.ToText:
		t := types.TextType
		for _, a := range args {
			if a.typ.Kind == types.String || a.typ.Kind == types.Blob {
				t.Explicit = t.Explicit || a.typ.Explicit
				t.Coll = mergeCollations(t, a.typ)
			}
		}
		return t.Bytes()
	case mysqlfn.FirstText:
		return args[0].typ.AsText().Bytes()
	case mysqlfn.ToJSON:
		return tJSON
	case mysqlfn.ToJSONText:
		return tJSONText
	}
	return types.BlobType
}

// functionName is the name that people write.
func functionName(name string) string {
	return strings.ToUpper(strings.TrimSuffix(name, "_func")) // TiDB's CHAR and INSERT
}

// args translates the arguments. The checker has counted them.
func (d *draft) args(n *ast.FuncCallExpr, sc *scope, least, most int) []val {
	refuseIf(len(n.Args) < least || most >= 0 && len(n.Args) > most,
		"%s with %d arguments", functionName(n.FnName.L), len(n.Args))
	return syntax.Map(n.Args, func(a ast.ExprNode) val { return d.scalar(a, sc) })
}

// callOf writes a call of one of the engine's functions.
func (d *draft) callOf(name string, args ...string) string {
	if mysqlfn.Functions[name].Slow != nil {
		args = append(args, strconv.FormatInt(d.Number, 10))
	}
	return "my_" + name + "(" + strings.Join(args, ", ") + ")"
}
