package embedded

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
)

// moment is a value where a function wants a date or time: a temporal value or a text as it is, a number's digits.
func (d *dialect) moment(v val) val {
	switch {
	case v.typ.temporal(), v.typ.k == kString, v.typ.k == kNull:
		return v
	case v.typ.numeric():
		return d.text(v)
	}
	refuse("a %s as a date", v.typ)
	return val{}
}

// call translates a function call: a form of its own, or a row of the table of functions.
func (d *dialect) call(n *ast.FuncCallExpr, sc *scope) val {
	if n.Schema.O != "" {
		refuse("functions of a database")
	}
	name := n.FnName.L
	if form, ok := forms[name]; ok {
		return form(d, n, sc)
	}
	f, ok := functions[name]
	if !ok {
		refuse("the function %s", functionName(n))
	}
	if len(n.Args) < f.least() || f.most() >= 0 && len(n.Args) > f.most() { // more than the checker lets through
		refuse("%s with %d arguments", functionName(n), len(n.Args))
	}
	args := make([]val, len(n.Args))
	for i, a := range n.Args {
		args[i] = d.scalar(a, sc)
	}
	return d.apply(name, f, args)
}

// apply calls a function of the table with arguments in the forms that it wants.
func (d *dialect) apply(name string, f function, args []val) val {
	if bytes := slices.IndexFunc(args, func(v val) bool { return v.typ.k == kBlob }); bytes >= 0 {
		switch form := ofCharacters[name]; {
		case form == bytesRefused:
			refuse("%s of bytes", strings.ToUpper(name))
		case form == bytesKept && bytes == 0:
			return args[0]
		case form == bytesCounted && bytes == 0: // the other arguments are numbers
			out := d.apply(name, f, append([]val{{sql: "my_bytes_text(" + args[0].sql + ")", typ: tText}}, args[1:]...))
			if out.typ.k == kString {
				return val{sql: "my_text_bytes(" + out.sql + ")", typ: typ{k: kBlob, coll: collBytes}}
			}
			return out
		}
	}
	sqls := make([]string, len(args))
	for i, a := range args {
		switch f.form(i) {
		case 's':
			t := d.text(val{sql: settleNumber(a), typ: a.typ, text: a.text, col: a.col, loose: a.loose})
			sqls[i] = t.sql
			if a.typ.k == kBlob { // SQLite would end its text at a zero
				sqls[i] = a.sql
			}
			args[i].typ = t.typ
		case 'n', 'i':
			args[i] = d.narrow(d.number(a))
			sqls[i] = args[i].sql
		case 't':
			sqls[i] = d.moment(a).sql
		case 'c':
			sqls[i] = d.clock(a).sql
		default:
			sqls[i] = d.narrow(a).sql
		}
	}
	impl := name
	if f.alias != "" {
		impl = f.alias
	}
	if f.coll { // the function compares texts
		c := collation("")
		for _, a := range args {
			c = mergeCollations(typ{k: kString, coll: c}, a.typ)
		}
		sqls = append(sqls, "'"+string(c.orDefault())+"'")
	}
	return val{sql: d.callOf(impl, sqls...), typ: f.result(args)}
}

// forms are the functions that are more than a call.
var forms map[string]func(d *dialect, n *ast.FuncCallExpr, sc *scope) val

func init() {
	forms = map[string]func(d *dialect, n *ast.FuncCallExpr, sc *scope) val{
		"if": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			a := d.args(n, sc, 3, 3)
			return d.choice([]string{d.cond(a[0])}, a[1:])
		},
		"ifnull":   coalesce,
		"coalesce": coalesce,
		"nullif": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			a := d.args(n, sc, 2, 2)
			t := a[0].typ
			if t.k == kString && a[1].typ.temporal() {
				refuse("NULLIF of a text and a %s", a[1].typ)
			}
			t.enum, t.vague = nil, t.temporal()
			write := func(sql string) string {
				return fmt.Sprintf("(CASE WHEN %s THEN NULL ELSE %s END)", d.compare("=", a[0], a[1]), sql)
			}
			out := val{sql: write(a[0].sql), typ: t, places: a[0].places}
			if a[0].loose != "" {
				out.loose = write(a[0].loose)
			}
			return out
		},
		"isnull": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			return truth("(" + d.args(n, sc, 1, 1)[0].sql + " IS NULL)")
		},
		"any_value": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val { return d.args(n, sc, 1, 1)[0] },
		"greatest":  extreme(">="),
		"least":     extreme("<="),
		"interval":  interval,
		"strcmp": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			a := d.args(n, sc, 2, 2)
			l, r := d.text(a[0]), d.text(a[1])
			return val{sql: fmt.Sprintf("(CASE WHEN %s THEN 0 WHEN %s THEN -1 WHEN %s THEN 1 END)", d.compare("=", l, r), d.compare("<", l, r), d.compare(">", l, r)), typ: tInt}
		},
		"field": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			a := d.args(n, sc, 2, -1)
			if !slices.ContainsFunc(a, func(v val) bool { return v.typ.numeric() }) {
				return d.apply("field", functions["field"], a)
			}
			out := "(CASE" // as numbers
			for i, v := range a[1:] {
				out += fmt.Sprintf(" WHEN %s = %s THEN %d", d.narrow(d.number(a[0])).sql, d.narrow(d.number(v)).sql, i+1)
			}
			return val{sql: out + " ELSE 0 END)", typ: tInt}
		},
		"uuid": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val { return val{sql: "my_uuid()", typ: tText} },
		"bit_count": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			raw, null := d.rawBits(n.Args[0], sc)
			if null {
				return val{sql: "NULL", typ: tInt}
			}
			return d.apply("bit_count", functions["bit_count"], []val{{sql: raw, typ: tInt}})
		},
		"trim":     trimForm,
		"convert":  convertUsing,
		"round":    rounding("round"),
		"truncate": rounding("truncate"),
		"ceil":     wholeNumber("ceil"),
		"ceiling":  wholeNumber("ceil"),
		"floor":    wholeNumber("floor"),
		"abs": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			v := d.number(d.args(n, sc, 1, 1)[0])
			if v.typ.k == kNull {
				return val{sql: "NULL", typ: tDouble}
			}
			if v.typ.isWide() {
				return val{sql: "my_dec_abs(" + v.sql + ", 0)", typ: v.typ, places: v.places}
			}
			return val{sql: "abs(" + v.sql + ")", typ: v.typ}
		},
		"mod": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			a := d.args(n, sc, 2, 2)
			return d.arithmetic(modulo, d.number(a[0]), d.number(a[1]))
		},
		"rand": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			if len(n.Args) == 0 {
				return val{sql: "my_rand()", typ: tDouble}
			}
			seed := d.number(d.args(n, sc, 1, 1)[0])
			if !hasColumn(n.Args[0]) && sc.rows() { // the rows get its numbers in the order in which MySQL reads them
				if sc.seeded == "" || sc.inAgg {
					refuse("RAND with a constant seed over rows")
				}
				return val{sql: fmt.Sprintf("my_rand_rows(%s) OVER (ORDER BY %s ROWS UNBOUNDED PRECEDING)", settleNumber(seed), sc.seeded), typ: tDouble}
			}
			return val{sql: "my_rand_seeded(" + settleNumber(seed) + ")", typ: tDouble}
		},
		"database": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val { return textValue(d.database) },
		"schema":   func(d *dialect, n *ast.FuncCallExpr, sc *scope) val { return textValue(d.database) },

		"now": clock(kDatetime), "current_timestamp": clock(kDatetime), "localtime": clock(kDatetime), "localtimestamp": clock(kDatetime),
		"sysdate": clock(kDatetime), "utc_timestamp": clock(kDatetime),
		"curdate": clock(kDate), "current_date": clock(kDate), "utc_date": clock(kDate),
		"curtime": clock(kTime), "current_time": clock(kTime), "utc_time": clock(kTime),

		ast.DateLiteral:      temporalLiteral(tDate),
		ast.TimeLiteral:      temporalLiteral(typ{k: kTime}),
		ast.TimestampLiteral: temporalLiteral(typ{k: kDatetime}),

		"date_add": dateArithmetic(1), "adddate": dateArithmetic(1), "date_sub": dateArithmetic(-1), "subdate": dateArithmetic(-1),
		"addtime": addTime(1), "subtime": addTime(-1),
		"timestampadd": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			return d.addInterval(d.scalar(n.Args[2], sc), d.scalar(n.Args[1], sc), unitOf(n.Args[0]), 1)
		},
		"timestampdiff": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			a, b := d.moment(d.scalar(n.Args[1], sc)), d.moment(d.scalar(n.Args[2], sc))
			return val{sql: fmt.Sprintf("my_timestampdiff('%s', %s, %s)", unitOf(n.Args[0]), a.sql, b.sql), typ: tInt}
		},
		"str_to_date": strToDate,
		"extract": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			v := d.scalar(n.Args[1], sc)
			return val{sql: fmt.Sprintf("my_extract('%s', %s, %d)", unitOf(n.Args[0]), d.clock(v).sql, v.typ.k), typ: tInt}
		},
		"get_format": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			what, ok := n.Args[0].(*ast.GetFormatSelectorExpr)
			region := d.scalar(n.Args[1], sc)
			if !ok || region.text == nil {
				refuse("GET_FORMAT of a name that is no literal")
			}
			if format, ok := namedFormats[what.Selector][strings.ToUpper(*region.text)]; ok {
				return textValue(format)
			}
			return val{sql: "NULL", typ: tText}
		},
		"grouping": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
			return d.grouping(n, sc)
		},
	}
	maps.Copy(forms, jsonForms())
	maps.Copy(forms, charsetForms)
	maps.Copy(forms, temporalForms)
}

// functionName is the name that people write.
func functionName(n *ast.FuncCallExpr) string {
	return strings.ToUpper(strings.TrimSuffix(n.FnName.L, "_func")) // TiDB's CHAR and INSERT
}

// namedFormats are what GET_FORMAT knows.
// Source: MySQL 8.0 Reference Manual, "Date and Time Functions".
var namedFormats = map[ast.GetFormatSelectorType]map[string]string{
	ast.GetFormatSelectorDate:     {"USA": "%m.%d.%Y", "JIS": "%Y-%m-%d", "ISO": "%Y-%m-%d", "EUR": "%d.%m.%Y", "INTERNAL": "%Y%m%d"},
	ast.GetFormatSelectorTime:     {"USA": "%h:%i:%s %p", "JIS": "%H:%i:%s", "ISO": "%H:%i:%s", "EUR": "%H.%i.%s", "INTERNAL": "%H%i%s"},
	ast.GetFormatSelectorDatetime: {"USA": "%Y-%m-%d %H.%i.%s", "JIS": "%Y-%m-%d %H:%i:%s", "ISO": "%Y-%m-%d %H:%i:%s", "EUR": "%Y-%m-%d %H.%i.%s", "INTERNAL": "%Y%m%d%H%i%s"},
}

// args translates the arguments. The checker has counted them.
func (d *dialect) args(n *ast.FuncCallExpr, sc *scope, least, most int) []val {
	if len(n.Args) < least || most >= 0 && len(n.Args) > most {
		refuse("%s with %d arguments", functionName(n), len(n.Args))
	}
	out := make([]val, len(n.Args))
	for i, a := range n.Args {
		out[i] = d.scalar(a, sc)
	}
	return out
}

func coalesce(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
	least := 1
	if n.FnName.L == "ifnull" {
		least = 2
	}
	a := d.args(n, sc, least, -1)
	t, places := tNull, 0
	for _, v := range a {
		t, places = merge(t, v.typ), max(places, v.places)
	}
	t.enum = nil
	var parts []string
	for _, v := range a {
		parts = append(parts, d.convert(v, t).sql)
	}
	if len(parts) == 1 {
		return val{sql: parts[0], typ: t, places: places}
	}
	return val{sql: "coalesce(" + strings.Join(parts, ", ") + ")", typ: t, places: places, mixed: mix(a, t)}
}

// extreme is GREATEST or LEAST: NULL if an argument is NULL.
func extreme(op string) func(*dialect, *ast.FuncCallExpr, *scope) val {
	return func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 2, -1)
		t, places := tNull, 0
		for _, v := range a {
			t, places = merge(t, v.typ), max(places, v.places)
		}
		name := "max"
		if op == "<=" {
			name = "min"
		}
		if t.k == kTime { // the text of a time does not sort
			var parts []string
			for _, v := range a {
				parts = append(parts, "my_seconds("+v.sql+")")
			}
			return val{sql: fmt.Sprintf("my_clock_of(%s(%s), %d)", name, strings.Join(parts, ", "), t.scale), typ: t}
		}
		if out, ok := extremeMoment(name, a, t); ok {
			return out
		}
		var parts []string
		for i, v := range a {
			if v.typ.temporal() != t.temporal() && v.typ.k != kNull {
				refuse("%s of values of different types", strings.ToUpper(n.FnName.O))
			}
			c := d.convert(v, t)
			if i == 0 && t.k == kString {
				c.sql = fmt.Sprintf("(%s COLLATE %s)", c.sql, t.collation())
			}
			parts = append(parts, c.sql)
		}
		return val{sql: name + "(" + strings.Join(parts, ", ") + ")", typ: t, places: places, mixed: mix(a, t)}
	}
}

// extremeMoment is GREATEST or LEAST of dates and texts that are dates, of type t: MySQL compares moments, and makes the one that it
// finds a text in the form of the dates. Source: Item_func_min_max::cmp_datetimes and str_op in sql/item_func.cc.
func extremeMoment(name string, args []val, t typ) (out val, ok bool) {
	form := "my_date(%s)"
	dated := false
	var parts []string
	for _, v := range args {
		switch {
		case v.text != nil:
			m, ok := parseMoment(*v.text)
			if !ok || m.usec != 0 {
				return val{}, false
			}
			parts = append(parts, quoteText(m.format(typ{k: kDatetime})))
			continue
		case v.typ.k == kDatetime && v.typ.scale == 0:
			form = "my_datetime(%s, 0)"
		case v.typ.k != kDate && v.typ.k != kNull:
			return val{}, false
		}
		dated = dated || v.typ.temporal()
		parts = append(parts, "my_datetime("+v.sql+", 0)")
	}
	if t.k != kString || !dated {
		return val{}, false
	}
	return val{sql: fmt.Sprintf(form, name+"("+strings.Join(parts, ", ")+")"), typ: t}, true
}

// interval is INTERVAL(n, a, b, …): how many of the following numbers are not greater.
func interval(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
	a := d.args(n, sc, 2, -1)
	first := d.narrow(d.number(a[0])).sql
	var b strings.Builder
	fmt.Fprintf(&b, "(CASE WHEN %s IS NULL THEN -1", first)
	for i, v := range a[1:] {
		fmt.Fprintf(&b, " WHEN %s < %s THEN %d", first, d.narrow(d.number(v)).sql, i)
	}
	fmt.Fprintf(&b, " ELSE %d END)", len(a)-1)
	return val{sql: b.String(), typ: tInt}
}

func trimForm(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
	v := d.text(d.scalar(n.Args[0], sc))
	what, side := "' '", "BOTH"
	if len(n.Args) > 1 {
		if x := d.scalar(n.Args[1], sc); x.typ.k != kNull || len(n.Args) == 2 {
			what = d.text(x).sql
		}
	}
	if len(n.Args) > 2 {
		dir, ok := n.Args[2].(*ast.TrimDirectionExpr)
		if !ok {
			refuse("this TRIM")
		}
		side = dir.Direction.String()
	}
	return val{sql: fmt.Sprintf("my_trim(%s, %s, '%s')", v.sql, what, side), typ: v.typ.asText()}
}

// asText is the type of a text function's result.
func (t typ) asText() typ {
	return typ{k: kString, coll: t.coll, explicit: t.explicit}
}

func convertUsing(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
	v := d.text(d.scalar(n.Args[0], sc))
	cs, ok := n.Args[1].(ast.ValueExpr)
	if !ok {
		refuse("this CONVERT")
	}
	name := strings.ToLower(cs.GetString())
	coll, ok := collations[charsetDefault[name]]
	if !ok {
		refuse("CONVERT … USING %s", cs.GetString())
	}
	if coll == collBytes {
		return val{sql: "CAST(" + v.sql + " AS BLOB)", typ: typ{k: kBlob, coll: collBytes}}
	}
	return val{sql: fmt.Sprintf("my_transcode(%s, '%s')", v.sql, name), typ: typ{k: kString, coll: coll}}
}

// rounding is ROUND or TRUNCATE. The scale of the result is that of a constant second argument.
func rounding(name string) func(*dialect, *ast.FuncCallExpr, *scope) val {
	return func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		least := 1
		if name == "truncate" {
			least = 2
		}
		a := d.args(n, sc, least, 2)
		v := d.number(a[0])
		places, constant, scale := "0", true, 0
		if len(a) == 2 {
			p := d.narrow(d.number(a[1]))
			places = p.sql
			_, err := fmt.Sscanf(places, "%d", &scale)
			constant = err == nil && isConstant(p)
		}
		t := v.typ
		t.unsigned = false
		switch {
		case v.typ.k == kNull:
			return val{sql: "NULL", typ: tDouble}
		case v.typ.k == kInt && scale > 0 && constant && leastDigits(n.Args[0]) > 21: // MySQL makes it a DECIMAL
			t = typ{k: kDecimal, scale: min(scale, 30)}
			if d.wide {
				v = d.widen(v)
				t.wide = true
			}
		case v.typ.k == kInt && scale > 0 && mostDigits(n.Args[0]) > 21:
			refuse("%s of whole numbers that may have more than 21 digits", strings.ToUpper(name)) // MySQL gives some of them decimal places
		case v.typ.k == kDecimal && constant:
			t.scale = min(max(scale, 0), 30)
		case (v.typ.k == kFloat || v.typ.k == kDouble) && name == "round":
			return val{sql: fmt.Sprintf("my_round_double(%s, %s)", v.sql, places), typ: roundedDouble(scale, constant)}
		case v.typ.k == kFloat || v.typ.k == kDouble:
			return val{sql: fmt.Sprintf("my_truncate_double(%s, %s)", v.sql, places), typ: roundedDouble(scale, constant)}
		}
		if t.isWide() {
			return val{sql: fmt.Sprintf("my_dec_%s(%s, 0, %s)", name, v.sql, places), typ: t}
		}
		return val{sql: fmt.Sprintf("my_%s_places(%s, %s)", name, v.sql, places), typ: t}
	}
}

// mostDigits is about how many digits MySQL thinks that a whole number may have.
func mostDigits(e ast.ExprNode) int {
	switch n := bare(e).(type) {
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
	switch n := bare(e).(type) {
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
func roundedDouble(places int, known bool) typ {
	if !known || places > 30 {
		return tDouble
	}
	return typ{k: kDouble, fixed: max(places, 0) + 1}
}

// wholeNumber is CEIL or FLOOR: of an exact number an integer, of a double a double.
func wholeNumber(name string) func(*dialect, *ast.FuncCallExpr, *scope) val {
	return func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		v := d.number(d.args(n, sc, 1, 1)[0])
		switch v.typ.k {
		case kInt:
			return v
		case kNull:
			return val{sql: "NULL", typ: tDouble}
		case kDecimal:
			if v.typ.wide {
				return val{sql: fmt.Sprintf("my_dec_%s(%s)", name, v.sql), typ: tInt}
			}
			return val{sql: fmt.Sprintf("CAST(my_%s(%s) AS INTEGER)", name, settle(v)), typ: tInt}
		}
		return val{sql: fmt.Sprintf("my_%s(%s)", name, v.sql), typ: roundedDouble(0, true)}
	}
}

// clock is the time of the statement, in UTC.
func clock(k kind) func(*dialect, *ast.FuncCallExpr, *scope) val {
	return func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		t := typ{k: k}
		if len(n.Args) > 0 {
			if v, ok := n.Args[0].(ast.ValueExpr); ok {
				if fsp, ok := v.GetValue().(int64); ok && fsp >= 0 && fsp <= 6 {
					t.scale = int(fsp)
				}
			}
		}
		return val{sql: quoteText(d.now.format(t)), typ: t}
	}
}

func temporalLiteral(t typ) func(*dialect, *ast.FuncCallExpr, *scope) val {
	return func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		v, ok := n.Args[0].(ast.ValueExpr)
		if !ok {
			refuse("this literal")
		}
		t := t
		if _, frac, found := strings.Cut(v.GetString(), "."); found && t.k != kDate {
			t.scale = min(len(frac), 6)
		}
		text, ok := canonicalTemporal(v.GetString(), t)
		if !ok {
			fail(1525, "Incorrect %s value: '%s'", t, v.GetString())
		}
		return val{sql: quoteText(text), typ: t}
	}
}

// strToDate is STR_TO_DATE, whose result is a date, a time or both by what its format holds.
func strToDate(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
	a := d.args(n, sc, 2, 2)
	if a[1].text == nil {
		refuse("STR_TO_DATE with a format that is no literal")
	}
	t := typ{k: kDatetime}
	date, clock := formatHolds(*a[1].text)
	switch {
	case !clock:
		t.k = kDate
	case !date:
		t.k = kTime
	}
	if strings.Contains(*a[1].text, "%f") {
		t.scale = 6
	}
	return val{sql: fmt.Sprintf("my_str_to_date(%s, %s, %d, %d)", d.text(a[0]).sql, a[1].sql, t.k, t.scale), typ: t}
}

// unitOf is the unit of an INTERVAL, e.g. "MONTH".
func unitOf(e ast.ExprNode) string {
	u, ok := e.(*ast.TimeUnitExpr)
	if !ok {
		refuse("this INTERVAL")
	}
	return u.Unit.String()
}

func dateArithmetic(sign int) func(*dialect, *ast.FuncCallExpr, *scope) val {
	return func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		unit := "DAY" // ADDDATE(date, days)
		if len(n.Args) > 2 {
			unit = unitOf(n.Args[2])
		}
		return d.addInterval(d.scalar(n.Args[0], sc), d.scalar(n.Args[1], sc), unit, sign)
	}
}

// addTime is ADDTIME or SUBTIME. A text is a text again.
func addTime(sign int) func(*dialect, *ast.FuncCallExpr, *scope) val {
	return func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 2, 2)
		t := a[0].typ
		switch t.k {
		case kTime, kDatetime:
			if f := a[1].typ; f.k != kTime && a[1].text == nil {
				refuse("%s of a %s and a %s", strings.ToUpper(n.FnName.O), t, f)
			}
			if a[1].text != nil {
				_, frac, _ := strings.Cut(*a[1].text, ".")
				t.scale = max(t.scale, min(len(frac), 6))
			}
			t.scale = max(t.scale, a[1].typ.scale)
		case kString:
			t = typ{k: kString}
		default:
			refuse("%s of a %s", strings.ToUpper(n.FnName.O), t)
		}
		return val{sql: fmt.Sprintf("my_add_time(%s, %s, %d, %d, %d)", a[0].sql, d.moment(a[1]).sql, sign, t.k, t.scale), typ: t}
	}
}

// addInterval is date ± INTERVAL. A DATE stays one if the unit has no time in it; a text is a text again.
func (d *dialect) addInterval(v, amount val, unit string, sign int) val {
	if v.typ.k == kTime {
		refuse("TIME with INTERVAL")
	}
	t := typ{k: kDatetime, scale: v.typ.scale}
	clock := strings.Contains(unit, "SECOND") || strings.Contains(unit, "MINUTE") || strings.Contains(unit, "HOUR")
	switch {
	case v.typ.k == kDate && !clock:
		t = tDate
	case v.typ.k != kDate && v.typ.k != kDatetime:
		t = typ{k: kString}
	case strings.Contains(unit, "MICROSECOND"):
		t.scale = 6
	case unit == "SECOND":
		t.scale = max(t.scale, numberPlaces(amount))
	}
	amountSQL := amount.sql
	_, composite := unitParts[unit]
	switch {
	case amount.typ.k == kDecimal:
		amountSQL = d.text(amount).sql
	case amount.typ.k == kString && !composite && unit != "SECOND": // cut, where a number is rounded
		amountSQL = "my_text_int(" + amount.sql + ")"
	}
	return val{sql: fmt.Sprintf("my_date_add(%s, %s, '%s', %d, %d, %d)", d.moment(v).sql, amountSQL, unit, sign, t.k, t.scale), typ: t}
}

// modulo is the operator that MOD(a, b) is another form of.
const modulo = opcode.Mod
