package translate

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
)

var comparisons = map[opcode.Op]string{opcode.EQ: "=", opcode.NE: "<>", opcode.LT: "<", opcode.LE: "<=", opcode.GT: ">",
	opcode.GE: ">=", opcode.NullEQ: "IS"}

// class is what decides how MySQL compares a value with another.
type class uint8

// The classes of values.
const (
	numbers class = iota // BIT too
	years
	texts   // and bytes
	words   // ENUM and SET: texts that have a number
	moments // DATE and DATETIME
	clocks  // TIME
)

func classOf(t types.Type) class {
	switch {
	case t.Year:
		return years
	case t.Kind == types.Date, t.Kind == types.Datetime:
		return moments
	case t.Kind == types.Time:
		return clocks
	case t.Listed():
		return words
	case t.Kind == types.String, t.Kind == types.Blob:
		return texts
	}
	return numbers
}

// way is how two values compare.
type way uint8

// The ways of comparing.
const (
	byNumber way = iota
	byText
	byMoment
	byClock
)

// ways to compare by the classes of both sides. Source: Arg_comparator::set_cmp_func, can_compare_as_dates and
// try_year_cmp_func in sql/item_cmpfunc.cc.
var ways = [6][6]way{
	//        numbers   years     texts     words     moments   clocks
	numbers: {byNumber, byNumber, byNumber, byNumber, byNumber, byNumber},
	years:   {byNumber, byNumber, byNumber, byNumber, byMoment, byNumber},
	texts:   {byNumber, byNumber, byText, byText, byMoment, byText},
	words:   {byNumber, byNumber, byText, byText, byMoment, byText},
	moments: {byNumber, byMoment, byMoment, byMoment, byMoment, byMoment},
	clocks:  {byNumber, byNumber, byText, byText, byMoment, byClock},
}

// alike brings two values to forms that compare as MySQL compares them. coll is set for texts.
func (d *draft) alike(l, r val) (a, b val, coll types.Collation) {
	switch {
	case l.typ.Kind == types.Null || r.typ.Kind == types.Null:
		return l, r, ""
	case l.typ.Kind == types.JSON || r.typ.Kind == types.JSON:
		refuse("this comparison with JSON")
	}
	l, r = besideColumn(r, l), besideColumn(l, r)
	l, r = d.fittedTime(l, r)
	how := ways[classOf(l.typ)][classOf(r.typ)]
	if how == byMoment && (noMoment(l) || noMoment(r)) { // MySQL 8.0.16 and later fail with 1525
		how = byText
	}
	return d.inWay(how, l, r)
}

// fittedTime is fitted of a TIME and a text, which is so wherever they are compared.
func (d *draft) fittedTime(l, r val) (val, val) {
	switch {
	case l.col && l.typ.Kind == types.Time && r.text != nil:
		r, _ = d.fit(l, r)
	case r.col && r.typ.Kind == types.Time && l.text != nil:
		l, _ = d.fit(r, l)
	}
	return l, r
}

// noMoment says that a literal is a text that is no date.
func noMoment(v val) bool {
	if v.text == nil {
		return false
	}
	m, ok := mysqlfn.ParseMoment(*v.text)
	return !ok || m.Date() > "0001" && strings.Contains(m.Date(), "-00")
}

// agreed gives texts that are compared together, as those of IN, BETWEEN and CASE are, the collation of all of them:
// byte by byte if some are bytes, and letter by letter beside JSON.
func (d *draft) agreed(values ...val) []val {
	found := map[types.Kind]bool{}
	all := types.Type{Kind: types.String}
	for _, v := range values {
		if found[v.typ.Kind] = true; v.row != nil {
			return values
		}
		all.Coll, all.Explicit = compared(all, v.typ), all.Explicit || v.typ.Explicit
	}
	switch {
	case found[types.Blob] && (found[types.Date] || found[types.Datetime] || found[types.Time]):
		return values
	case found[types.JSON] && !all.Explicit:
		all.Coll = types.CollBin
	}
	for i, v := range values {
		switch {
		case v.typ.Kind != types.String || found[types.Blob] && v.typ.Listed():
		case found[types.Blob]:
			values[i] = d.bytes(v)
		case v.typ.Coll != all.Coll:
			values[i].typ.Coll, values[i].typ.Explicit, values[i].col = all.Coll, all.Explicit, false
			if v.col { // whose own collation SQLite knows
				values[i].sql = fmt.Sprintf("(%s COLLATE %s)", v.sql, all.Coll.OrDefault())
			}
		}
	}
	return values
}

func (d *draft) inWay(how way, l, r val) (a, b val, coll types.Collation) {
	switch how {
	case byText:
		if l.typ.Kind == types.Blob || r.typ.Kind == types.Blob { // byte by byte
			return d.bytes(l), d.bytes(r), ""
		}
		l, r = d.text(l), d.text(r)
		return l, r, compared(l.typ, r.typ).OrDefault()
	case byMoment:
		a, b = alikeTemporal(d, d.asMoment(l, r.typ), d.asMoment(r, l.typ))
		return a, b, ""
	case byClock:
		refuseIf((l.typ.Vague || r.typ.Vague) && l.typ.Scale != r.typ.Scale,
			"a comparison of NULLIF of a TIME and one of other digits of a second")
		a, b = alikeTemporal(d, l, r)
		return a, b, ""
	}
	dated := l.typ.Temporal() || r.typ.Temporal() // which are doubles then
	l, r = d.unsigned(d.number(l)), d.unsigned(d.number(r))
	exact := func(v val) bool { return !dated && (v.typ.Kind == types.Int || v.typ.Kind == types.Decimal) }
	if (l.typ.IsWide() || r.typ.IsWide()) && exact(l) && exact(r) {
		return d.widen(l), d.widen(r), ""
	}
	l, r = d.narrow(l), d.narrow(r)
	return besideDouble(l, r), besideDouble(r, l), ""
}

// besideDouble is a whole number as a double where the other side is one, which SQLite would compare exactly.
func besideDouble(v, other val) val {
	if v.typ.Kind == types.Int && !v.typ.Long && other.typ.Real() && !isLiteral(other) && !isLiteral(v) {
		return val{sql: "CAST(" + v.sql + " AS REAL)", typ: types.DoubleType}
	}
	return v
}

// bytes is a value as bytes.
func (d *draft) bytes(v val) val {
	switch {
	case v.typ.Kind == types.Blob:
		return v
	case v.typ.Bit > 0:
		return val{sql: fmt.Sprintf("my_bit_bytes(%s, %d)", v.sql, v.typ.Bit), typ: types.BlobType}
	case v.typ.Kind == types.String && v.typ.Coll == types.CollSwedish:
		return val{sql: "my_latin1_bytes(" + v.sql + ")", typ: types.BlobType}
	}
	return val{sql: "CAST(" + d.text(v).sql + " AS BLOB)", typ: types.BlobType}
}

// asMoment is a value beside a date: a literal that is a text is read now, any other text row by row, and is the zero
// date if it is none.
func (d *draft) asMoment(v val, beside types.Type) val {
	long := types.Type{Kind: types.Datetime, Scale: 6}
	switch {
	case v.typ.Year:
		return val{sql: "my_year_moment(" + v.sql + ")", typ: types.DateType}
	case v.typ.Kind == types.Time:
		return d.moment(v)
	case v.typ.Kind == types.Date, v.typ.Kind == types.Datetime:
		return v
	case v.text == nil:
		return val{sql: fmt.Sprintf("my_moment(%s)", d.text(v).sql), typ: long}
	}
	m, ok := mysqlfn.ParseMoment(*v.text)
	if !ok {
		m = mysqlfn.Moment{}
	}
	return literalMoment(m, beside)
}

// literalMoment is a moment in a statement's text, as short as it can be beside a value of a type.
func literalMoment(m mysqlfn.Moment, beside types.Type) val {
	t := types.Type{Kind: types.Datetime}
	switch {
	case m.HasFraction():
		t.Scale = 6
	case beside.Kind == types.Date && m.Midnight():
		t = types.DateType
	}
	return val{sql: quoteText(m.Format(t)), typ: t}
}

// alikeTemporal gives two dates, or two times, the same digits of a second.
func alikeTemporal(d *draft, l, r val) (val, val) {
	if l.typ.Kind == r.typ.Kind && l.typ.Scale == r.typ.Scale {
		return l, r
	}
	t := types.Type{Kind: types.Datetime, Scale: max(l.typ.Scale, r.typ.Scale)}
	if l.typ.Kind == types.Time {
		t.Kind = types.Time
	}
	return d.convert(l, t), d.convert(r, t)
}

// fitted gives a literal beside a column the column's type, if the column could hold it: so do =, <, NULLIF and their
// like. Source: convert_constant_arg_to_field in sql/item_cmpfunc.cc.
func (d *draft) fitted(l, r val) (val, val) {
	switch {
	case l.col && isLiteral(r):
		r, _ = d.fit(l, r)
	case r.col && isLiteral(l):
		l, _ = d.fit(r, l)
	}
	return l, r
}

// fit is a literal as a column's type holds it; ok is false, and it stays what it is, if the column could not, or
// compares it otherwise.
func (d *draft) fit(column, v val) (out val, ok bool) {
	if v.typ.Kind == types.Null {
		return v, false
	}
	number := math.NaN()
	if v.text != nil {
		number = mysqlfn.LeadingNumber(*v.text)
	} else if f, err := strconv.ParseFloat(v.sql, 64); err == nil {
		number = f
	} else if f, ok := wideNumber(v); ok {
		number = f
	}
	switch classOf(column.typ) {
	case years:
		if v.text != nil && strings.IndexAny(strings.TrimLeft(*v.text, " "), "0123456789") != 0 {
			return v, false
		}
		if year, ok := mysqlfn.StoredYear(math.Floor(number+0.5), v.text != nil); ok {
			return val{sql: strconv.FormatInt(year, 10), typ: types.IntType}, true
		}
	case moments:
		if v.text != nil {
			return v, !noMoment(v)
		}
		m, ok := mysqlfn.NumberMoment(number)
		ok = ok && (number == 0 || !strings.Contains(m.Date(), "-00")) // else it stays a number
		if ok && column.declared == "" && column.typ.Kind == types.Datetime {
			// MySQL reads the number in two ways
			refuse("a comparison of a computed DATETIME of a derived table with a number")
		}
		if ok {
			return literalMoment(m, column.typ), true
		}
	case clocks:
		m, ok := mysqlfn.NumberClock(number)
		if v.text != nil {
			if m, ok = mysqlfn.ParseClock(*v.text); ok && strings.Trim(strings.TrimPrefix(*v.text, "-"),
				"0123456789:. ") != "" {
				refuse("a comparison of a TIME with %q", mysqlfn.Clip(*v.text))
			}
		}
		t := types.Type{Kind: types.Time, Scale: 6}
		if ok {
			return val{sql: quoteText(m.Format(t)), typ: t}, true
		}
	}
	return v, false
}

// isLiteral says that a value stands in the statement's text.
func isLiteral(v val) bool {
	_, wide := wideNumber(v)
	return wide || isConstant(v)
}

// wideNumber is the number that a wide literal stands for.
func wideNumber(v val) (float64, bool) {
	digits, ok := strings.CutPrefix(v.sql, "x'")
	b, err := hex.DecodeString(strings.TrimSuffix(digits, "'"))
	if !ok || err != nil || !v.typ.IsWide() {
		return 0, false
	}
	f, err := mysqlfn.WideFloat(b)
	return f, err == nil
}

// fittedList is a list behind IN: MySQL fits literals of one kind to a column if the column could hold them all.
// Source: Item_func_in::resolve_type in sql/item_cmpfunc.cc.
func (d *draft) fittedList(column val, list []val) []val {
	if !column.col || column.row != nil {
		return list
	}
	if len(list) > 1 && classOf(column.typ) == years {
		return list
	}
	out := slices.Clone(list)
	n, all := 0, 0
	for i, v := range list {
		switch {
		case v.row != nil || !isLiteral(v) || v.typ.Kind != types.Null && (v.text != nil) != (list[0].text != nil):
			return list
		case v.typ.Kind != types.Null:
			all++
			var ok bool
			if out[i], ok = d.fit(column, v); ok {
				n++
			}
		}
	}
	if n == all {
		return out
	}
	refuseIf(n > 0 && classOf(column.typ) == moments && list[0].text == nil,
		"IN of a %s and numbers some of which are no dates", column.typ)
	return list
}

// besideColumn is a constant, which is computed, as a column's type holds it: MySQL fits it to the column.
func besideColumn(column, v val) val {
	own, c := classOf(column.typ), classOf(v.typ)
	switch {
	case own == clocks && column.lead && (c == texts || c == words) && v.text == nil:
		refuse("a comparison of a TIME with a key and a text that is no literal") // by text or by key, as it plans
	case column.typ.Bit > 0 && column.lead && c == texts:
		refuse("a comparison of a BIT with a key and a text") // by number or by key, as it plans
	case !column.col || !v.constant || v.typ.Kind == types.Null || isLiteral(v) || own == c:
	case own == years && c == moments:
		return val{sql: "CAST(substr(" + v.sql + ", 1, 4) AS INTEGER)", typ: types.IntType}
	case own == years && v.typ.Kind == types.Int:
		return val{sql: fmt.Sprintf("(%s + IIF(%[1]s BETWEEN 1 AND 69, 2000, IIF(%[1]s BETWEEN 70 AND 99, 1900, 0)))",
			v.sql), typ: types.IntType}
	case own == clocks || own == years || own == moments && c == numbers:
		refuse("a comparison of a %s with a constant that is computed", column.typ)
	}
	return v
}

// compare writes a comparison; op is SQLite's.
func (d *draft) compare(op string, l, r val) string {
	if l.row != nil || r.row != nil {
		return d.compareRows(op, l, r)
	}
	if jsonAlike(l, r) && op != "IS" {
		return d.compareJSON(op, l, r)
	}
	places, real := fixedDouble(l.typ, r.typ, 0).Fixed, l.typ.Real() || r.typ.Real()
	l, r, coll := d.alike(l, r)
	if real && places > 0 { // nearly the same is the same. Source: compare_real_fixed in sql/item_cmpfunc.cc
		l.sql = fmt.Sprintf("IIF(abs(%s - %s) < 5e-%d, %[2]s, %[1]s)", l.sql, r.sql, places)
	}
	return d.compareAlike(op, l, r, coll)
}

// compareAlike writes a comparison of values in forms that compare.
func (d *draft) compareAlike(op string, l, r val, coll types.Collation) string {
	// the text of a time does not sort
	if l.typ.Kind == types.Time && r.typ.Kind == types.Time && op != "=" && op != "<>" && op != "IS" {
		return fmt.Sprintf("(my_seconds(%s) %s my_seconds(%s))", l.sql, op, r.sql)
	}
	if coll != "" && !(l.col && l.typ.Coll == coll) {
		return fmt.Sprintf("(%s COLLATE %s %s %s)", l.sql, coll, op, r.sql)
	}
	return fmt.Sprintf("(%s %s %s)", l.sql, op, r.sql)
}

// compareJSON compares two values as JSON.
func (d *draft) compareJSON(op string, l, r val) string {
	fitted := func(v, by val) bool { // by MySQL, to some of them
		return v.col && classOf(v.typ) != texts && v.typ.Kind != types.JSON && by.constant
	}
	if fitted(l, r) || fitted(r, l) {
		refuse("a comparison of a column of numbers, dates or times with constant JSON")
	}
	return fmt.Sprintf("(my_json_compare(%s, %s) %s 0)", d.jsonScalar(l), d.jsonScalar(r), op)
}

// jsonAlike says that two values compare as JSON wherever they stand: one is JSON, the other too or a number. With
// texts it depends on the operator.
func jsonAlike(l, r val) bool {
	return l.typ.Kind == types.JSON && (r.typ.Kind == types.JSON || r.typ.Numeric() && !r.typ.Year) ||
		r.typ.Kind == types.JSON && l.typ.Numeric() && !l.typ.Year
}

// compareRows compares row constructors, part by part.
func (d *draft) compareRows(op string, l, r val) string {
	failIf(len(l.row) != len(r.row) || len(l.row) == 0, 1241, "Operand should contain %d column(s)", max(1, len(l.row)))
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
			out = fmt.Sprintf("(%s OR (%s AND %s))", d.compare(strict, l.row[i], r.row[i]),
				d.compare("=", l.row[i], r.row[i]), out)
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
	parts := d.agreed(d.scalar(n.Expr, sc), d.scalar(n.Left, sc), d.scalar(n.Right, sc))
	varies := slices.ContainsFunc(parts[1:], func(v val) bool { return !v.constant && !isLiteral(v) })
	text := slices.ContainsFunc(parts, func(v val) bool { return v.typ.Text() })
	how, one := d.togetherBetween(parts)
	refuseIf(one && how == byMoment && n.Not && text && varies, // which MySQL takes for no bound
		"NOT BETWEEN of dates and texts with a bound that may be NULL")
	var sides [2]string
	for i, op := range []string{">=", "<="} {
		if !one {
			sides[i] = d.compare(op, parts[0], parts[i+1])
			continue
		}
		l, r, coll := d.inWay(how, parts[0], parts[i+1])
		sides[i] = d.compareAlike(op, l, r, coll)
	}
	return truth(fmt.Sprintf("(%s(%s AND %s))", not(n.Not), sides[0], sides[1]))
}

// togetherBetween is the way in which all parts of BETWEEN compare, which may change them; one is false where each
// bound has its own. Source: Item_func_between::resolve_type in sql/item_cmpfunc.cc.
func (d *draft) togetherBetween(parts []val) (how way, one bool) {
	var found [clocks + 1]int
	nulls, json, bits := 0, 0, 0
	for _, v := range parts {
		switch v.typ.Kind {
		case types.Null:
			nulls++
		case types.JSON:
			json++
		default:
			found[classOf(v.typ)]++
		}
		bits += v.typ.Bit
	}
	any := func(list ...class) bool { return slices.ContainsFunc(list, func(c class) bool { return found[c] > 0 }) }
	switch {
	case json > 0 && any(moments, clocks):
		refuse("BETWEEN of JSON and a date or a time")
	case json > 0 && any(numbers, years): // a number among numbers, a text among texts
		copy(parts, syntax.Map(parts, d.number))
		return 0, false
	case json > 0:
		copy(parts, syntax.Map(parts, d.text))
		return 0, false
	case nulls > 0:
		return 0, false
	case any(words) && slices.ContainsFunc(parts, func(v val) bool { return classOf(v.typ) != words && !isLiteral(v) }):
		refuse("BETWEEN of an ENUM or SET beside another type")
	case any(moments) && any(clocks):
		refuse("BETWEEN of a date and a TIME")
	case any(numbers, years):
		lo, ok1 := d.fitBound(parts[0], parts[1])
		hi, ok2 := d.fitBound(parts[0], parts[2])
		if ok1 && ok2 {
			parts[1], parts[2] = lo, hi
			return 0, false
		} else if any(years, moments) && any(texts) || any(years) && any(moments) || any(clocks) ||
			any(moments) && ok1 != ok2 && isLiteral(parts[1]) != isLiteral(parts[2]) || any(texts) && bits > 0 {
			refuse("BETWEEN of a BIT, a date, a time or a YEAR and values of other types")
		}
		return byNumber, true
	case any(moments):
		for i, v := range parts {
			refuseIf(v.col && classOf(v.typ) == texts && !slices.ContainsFunc(parts, isLiteral),
				"BETWEEN of dates and a column of texts")
			if v.text == nil {
				continue
			}
			m, ok := mysqlfn.ParseMoment(*v.text)
			if !ok && !m.LateDay() {
				m = mysqlfn.Moment{}
			}
			parts[i] = literalMoment(m, parts[0].typ)
		}
		return byMoment, true
	case found[clocks] == len(parts):
		return byClock, true
	case any(clocks):
		lo, ok1 := d.fitBound(parts[0], parts[1])
		hi, ok2 := d.fitBound(parts[0], parts[2])
		if ok1 && ok2 {
			parts[1], parts[2] = lo, hi
			return byClock, true
		}
		ofText := classOf(parts[0].typ) != clocks
		key := func(v val) bool { return v.lead && v.typ.Kind == types.Time } // by which MySQL may look
		refuseIf(!ofText && (ok1 != ok2 || found[clocks] > 1) || ofText && slices.ContainsFunc(parts, key),
			"BETWEEN with a TIME beside texts of which one is no literal, or a TIME with a key")
	}
	return byText, true
}

// fitBound is fit of a bound of BETWEEN.
func (d *draft) fitBound(column, v val) (val, bool) {
	fits := besideColumn(column, v) // which refuses what = refuses
	refuseIf(column.typ.Year && fits.sql != v.sql, "a comparison of a YEAR with a constant that is computed")
	if !column.col || !isLiteral(v) {
		return v, false
	}
	return d.fit(column, v)
}

func (d *draft) like(n *ast.PatternLikeOrIlikeExpr, sc *scope) val {
	refuseIf(!n.IsLike, "ILIKE")
	l, p := d.read(d.scalar(n.Expr, sc)), d.read(d.scalar(n.Pattern, sc))
	coll := compared(l.typ, p.typ).OrDefault()
	escape := cmp.Or(n.Escape, '\\') // 0 is ESCAPE ''
	return truth("(" + not(n.Not) + d.callOf("like", l.sql, p.sql, strconv.Itoa(int(escape)),
		"'"+string(coll)+"'") + ")")
}

func (d *draft) regexp(n *ast.PatternRegexpExpr, sc *scope) val {
	l, p := d.read(d.scalar(n.Expr, sc)), d.read(d.scalar(n.Pattern, sc))
	flags := "'i'"
	if compared(l.typ, p.typ).Binary() { // case counts
		flags = "'c'"
	}
	return truth("(" + not(n.Not) + d.callOf("regexp", l.sql, p.sql, flags) + ")")
}
