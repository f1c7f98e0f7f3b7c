package translate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
)

// clock is the time of the statement, in UTC.
func clock(k types.Kind) form {
	return func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		t := types.Type{Kind: k}
		if len(n.Args) > 0 {
			if v, ok := n.Args[0].(ast.ValueExpr); ok {
				if fsp, ok := v.GetValue().(int64); ok && fsp >= 0 && fsp <= 6 {
					t.Scale = int(fsp)
				}
			}
		}
		return val{sql: quoteText(d.Now.Format(t)), typ: t}
	}
}

func temporalLiteral(t types.Type) form {
	return func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		v, ok := n.Args[0].(ast.ValueExpr)
		refuseIf(!ok, "this literal")
		t := t
		if _, frac, found := strings.Cut(v.GetString(), "."); found && t.Kind != types.Date {
			t.Scale = min(len(frac), 6)
		}
		text, ok := mysqlfn.TemporalLiteral(v.GetString(), t)
		failIf(!ok, 1525, "Incorrect %s value: '%s'", t, v.GetString())
		return val{sql: quoteText(text), typ: t}
	}
}

// weeks are the parts of a format that say no month.
var weeks = regexp.MustCompile(`%[jUuVvXxw]`)

// strToDate is STR_TO_DATE, whose result is a date, a time or both by what its format holds.
func strToDate(d *draft, n *ast.FuncCallExpr, sc *scope) val {
	a := d.args(n, sc, 2, 2)
	refuseIf(a[1].text == nil, "STR_TO_DATE with a format that is no literal")
	refuseIf(weeks.MatchString(*a[1].text), "STR_TO_DATE with a week or the day of a year")
	t := types.Type{Kind: types.Datetime}
	date, clock := mysqlfn.FormatHolds(*a[1].text)
	switch {
	case !clock:
		t.Kind = types.Date
	case !date:
		t.Kind = types.Time
	}
	if strings.Contains(*a[1].text, "%f") {
		t.Scale = 6
	}
	return val{sql: fmt.Sprintf("my_str_to_date(%s, %s, %d, %d)", d.text(a[0]).sql, a[1].sql, t.Kind, t.Scale), typ: t}
}

// unitOf is the unit of an INTERVAL, e.g. "MONTH".
func unitOf(e ast.ExprNode) string {
	u, ok := e.(*ast.TimeUnitExpr)
	refuseIf(!ok, "this INTERVAL")
	return u.Unit.String()
}

func dateArithmetic(sign int) form {
	return func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		unit := "DAY" // ADDDATE(date, days)
		if len(n.Args) > 2 {
			unit = unitOf(n.Args[2])
		}
		return d.addInterval(d.scalar(n.Args[0], sc), d.scalar(n.Args[1], sc), unit, sign)
	}
}

// addInterval is date ± INTERVAL. A DATE stays one if the unit has no time in it; a text is a text again.
func (d *draft) addInterval(v, amount val, unit string, sign int) val {
	t := types.Type{Kind: types.Datetime, Scale: v.typ.Scale}
	if v.typ.Kind == types.Time {
		t.Kind = types.Time
	}
	clock := strings.Contains(unit, "SECOND") || strings.Contains(unit, "MINUTE") || strings.Contains(unit, "HOUR")
	switch {
	case v.typ.Kind == types.Date && !clock:
		t = types.DateType
	case !v.typ.Temporal():
		t = types.Type{Kind: types.String}
	case strings.Contains(unit, "MICROSECOND"):
		t.Scale = 6
	case unit == "SECOND":
		t.Scale = max(t.Scale, numberPlaces(amount))
	}
	two := strings.Contains(unit, "_") // parts, which are numbers in a text
	if two {
		amount = d.text(amount)
	} else if unit != "SECOND" {
		amount = d.wholeSecond(amount)
	}
	if amount.typ.Listed() || amount.typ.Temporal() || amount.typ.Kind == types.JSON {
		amount = d.number(amount)
	}
	amountSQL := amount.sql
	switch {
	case amount.typ.Kind == types.Decimal && unit == "SECOND":
		amountSQL = d.text(amount).sql
	case amount.typ.Numeric() && unit != "SECOND":
		amountSQL = d.whole(amount).sql
	case amount.typ.Kind == types.String && unit != "SECOND" && !two: // cut, where a number is rounded
		amountSQL = "my_text_int(" + amount.sql + ")"
	}
	read := d.moment
	if t.Kind == types.Time {
		read = d.clock
	}
	out := val{sql: fmt.Sprintf("my_date_add(%s, %s, '%s', %d, %d, %d)", read(v).sql, amountSQL, unit, sign,
		t.Kind, t.Scale), typ: t}
	if t.Kind == types.String {
		out.real = "my_dated_number(" + out.sql + ")"
	}
	return out
}

// addTime is ADDTIME, or SUBTIME: a moment stays one, a time too, and what comes of a text is known with its value.
func (d *draft) addTime(a []val, sign int) val {
	v, by := a[0], a[1]
	refuseIf(v.typ.Kind == types.Date || classOf(by.typ) == moments, "ADDTIME of a %s and a %s", v.typ, by.typ)
	t := types.Type{Kind: v.typ.Kind, Scale: max(secondsPlaces(v, mysqlfn.ParseTimeOrMoment),
		secondsPlaces(by, mysqlfn.ParseTimeOrMoment))}
	text := t.Kind != types.Time && t.Kind != types.Datetime
	if text {
		t = types.Type{Kind: types.String, Scale: -1}
	}
	out := val{sql: fmt.Sprintf("my_add_time(%s, %s, %d, %d)", d.clock(v).sql, d.clock(by).sql, sign, t.Scale), typ: t}
	if text {
		out.typ, out.real = types.TextType, "my_dated_number("+out.sql+")"
	}
	return out
}

// secondsPlaces is how many fractional digits of a second MySQL expects of a value that is read as a time, or as a
// date and time. Source: Item::time_precision and datetime_precision in sql/item.cc.
func secondsPlaces(v val, read func(string) (mysqlfn.Moment, bool)) int {
	if v.text != nil {
		if _, ok := read(*v.text); ok {
			return fractionDigits(*v.text)
		}
	}
	return numberPlaces(v)
}

// numberPlaces is how many fractional digits of a second MySQL expects of a number of seconds.
func numberPlaces(v val) int {
	if n, known := v.typ.Places(); known {
		return min(n, 6)
	}
	switch v.typ.Kind {
	case types.Date, types.Null:
		return 0
	case types.Datetime, types.Time:
		return v.typ.Scale
	}
	return 6
}

// fractionDigits is the number of digits behind the point of a text, 6 at most.
func fractionDigits(s string) int {
	_, frac, _ := strings.Cut(s, ".")
	n := 0
	for n < len(frac) && n < 6 && frac[n] >= '0' && frac[n] <= '9' {
		n++
	}
	return n
}

// clock is a value where a function wants a time: a time or a text as it is, a DATE's midnight, a number's digits.
func (d *draft) clock(v val) val {
	v.chosen()
	switch {
	case v.typ.Kind == types.Date:
		return d.convert(v, types.Type{Kind: types.Datetime})
	case v.typ.Bit == 0 && v.typ.Numeric():
		return val{sql: "my_number_clock(" + d.digits(v) + ")", typ: types.TextType}
	case v.typ.Temporal(), v.typ.Kind == types.String, v.typ.Kind == types.Null:
		return v
	}
	return d.untyped(v)
}

// dateForms are about dates and times. The result of the last ones has as many digits of a second as their arguments.
var dateForms = map[string]form{
	"now": clock(types.Datetime), "current_timestamp": clock(types.Datetime), "localtime": clock(types.Datetime),
	"localtimestamp": clock(types.Datetime),
	"sysdate":        clock(types.Datetime), "utc_timestamp": clock(types.Datetime),
	"curdate": clock(types.Date), "current_date": clock(types.Date), "utc_date": clock(types.Date),
	"curtime": clock(types.Time), "current_time": clock(types.Time), "utc_time": clock(types.Time),
	ast.DateLiteral:      temporalLiteral(types.DateType),
	ast.TimeLiteral:      temporalLiteral(types.Type{Kind: types.Time}),
	ast.TimestampLiteral: temporalLiteral(types.Type{Kind: types.Datetime}),
	"date_add":           dateArithmetic(1), "adddate": dateArithmetic(1), "date_sub": dateArithmetic(-1),
	"subdate": dateArithmetic(-1),
	"timestampadd": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		return d.addInterval(d.scalar(n.Args[2], sc), d.scalar(n.Args[1], sc), unitOf(n.Args[0]), 1)
	},
	"timestampdiff": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		a, b := d.moment(d.scalar(n.Args[1], sc)), d.moment(d.scalar(n.Args[2], sc))
		return val{sql: fmt.Sprintf("my_timestampdiff('%s', %s, %s)", unitOf(n.Args[0]), a.sql, b.sql),
			typ: types.IntType}
	},
	"str_to_date": strToDate,
	"extract": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		v, unit := d.scalar(n.Args[1], sc), unitOf(n.Args[0])
		// of which MySQL mostly leaves the day out
		refuseIf(strings.HasPrefix(unit, "DAY_") && classOf(v.typ) == moments && v.declared == "",
			"EXTRACT of a %s from a date that is computed", unit)
		read := d.clock
		dated := slices.Contains([]string{"YEAR", "YEAR_MONTH", "MONTH", "QUARTER", "WEEK", "DAY"}, unit)
		if dated && (v.typ.Numeric() || v.typ.Kind == types.Time || v.typ.Kind == types.String) {
			read = d.moment
		}
		v = read(v)
		return val{sql: fmt.Sprintf("my_extract('%s', %s, %d)", unit, v.sql, v.typ.Kind), typ: types.IntType}
	},
	"time": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		v := d.args(n, sc, 1, 1)[0]
		t := types.Type{Kind: types.Time, Scale: secondsPlaces(v, mysqlfn.ParseTimeOrMoment)}
		return val{sql: fmt.Sprintf("my_to_time(%s, %d)", d.clock(v).sql, t.Scale), typ: t}
	},
	"timediff": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 2, 2)
		read, dates := d.clock, false
		if classOf(a[0].typ) == moments || classOf(a[1].typ) == moments {
			read, dates = d.moment, true
		}
		t := types.Type{Kind: types.Time, Scale: max(secondsPlaces(a[0], mysqlfn.ParseTimeOrMoment),
			secondsPlaces(a[1], mysqlfn.ParseTimeOrMoment))}
		if dates && (a[0].typ.Kind == types.Time || a[1].typ.Kind == types.Time) {
			return val{sql: "NULL", typ: t}
		}
		return val{sql: fmt.Sprintf("my_timediff(%s, %s, %d, %t)", read(a[0]).sql, read(a[1]).sql, t.Scale, dates),
			typ: t}
	},
	"sec_to_time": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		v := d.args(n, sc, 1, 1)[0]
		t := types.Type{Kind: types.Time, Scale: numberPlaces(v)}
		return val{sql: fmt.Sprintf("my_sec_to_time(%s, %d)", d.narrow(d.number(v)).sql, t.Scale), typ: t}
	},
	"maketime": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 3, 3)
		t := types.Type{Kind: types.Time, Scale: numberPlaces(a[2])}
		return val{sql: fmt.Sprintf("my_maketime(%s, %s, %s, %d)", d.whole(a[0]).sql,
			d.whole(a[1]).sql, d.narrow(d.number(a[2])).sql, t.Scale), typ: t}
	},
	"timestamp": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 1, 2)
		t := types.Type{Kind: types.Datetime, Scale: secondsPlaces(a[0], mysqlfn.ParseMoment)}
		out := val{sql: fmt.Sprintf("my_datetime(%s, %d)", d.moment(a[0]).sql, t.Scale), typ: t}
		if len(a) == 2 {
			return d.addTime([]val{out, a[1]}, 1)
		}
		return out
	},
	"addtime": func(d *draft, n *ast.FuncCallExpr, sc *scope) val { return d.addTime(d.args(n, sc, 2, 2), 1) },
	"subtime": func(d *draft, n *ast.FuncCallExpr, sc *scope) val { return d.addTime(d.args(n, sc, 2, 2), -1) },
	"from_unixtime": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 1, 2)
		t := types.Type{Kind: types.Datetime, Scale: numberPlaces(a[0])}
		out := val{sql: fmt.Sprintf("my_from_unixtime(%s, %d)", d.narrow(d.number(a[0])).sql, t.Scale), typ: t}
		if len(a) == 2 {
			return d.apply("date_format", []val{out, a[1]})
		}
		return out
	},
	"unix_timestamp": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		if len(n.Args) == 0 {
			return val{sql: fmt.Sprintf("CAST(%d AS INTEGER)", d.Now.Unix()/1e6), typ: types.IntType}
		}
		v := d.args(n, sc, 1, 1)[0]
		t, zero := types.Type{Kind: types.Decimal, Scale: secondsPlaces(v, mysqlfn.ParseMoment), Wide: true}, zeroWide
		if t.Scale == 0 {
			t, zero = types.IntType, "0"
		}
		out := val{sql: fmt.Sprintf("my_unix_timestamp(%s, %d)", d.moment(v).sql, t.Scale), typ: t}
		if v.typ.Numeric() || v.typ.Kind == types.String { // what is no date is 0
			out.sql = fmt.Sprintf("IIF(%s IS NULL, NULL, COALESCE(%s, %s))", v.sql, out.sql, zero)
		}
		return out
	},
	"convert_tz": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 3, 3)
		t := types.Type{Kind: types.Datetime, Scale: secondsPlaces(a[0], mysqlfn.ParseMoment)}
		return val{sql: fmt.Sprintf("my_convert_tz(%s, %s, %s, %d)", d.moment(a[0]).sql, d.text(a[1]).sql,
			d.text(a[2]).sql, t.Scale), typ: t}
	},
}
