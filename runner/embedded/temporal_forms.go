package embedded

import (
	"database/sql/driver"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// secondsPlaces is how many fractional digits of a second MySQL expects of a value that is read as a time, or as a date and time.
// Source: Item::time_precision and datetime_precision in sql/item.cc.
func secondsPlaces(v val, read func(string) (moment, bool)) int {
	if v.text != nil {
		if _, ok := read(*v.text); ok {
			return fractionDigits(*v.text)
		}
	}
	return numberPlaces(v)
}

// numberPlaces is how many fractional digits of a second MySQL expects of a number of seconds.
func numberPlaces(v val) int {
	if n, known := v.typ.places(); known {
		return min(n, 6)
	}
	switch v.typ.k {
	case kDate, kNull:
		return 0
	case kDatetime, kTime:
		return v.typ.scale
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

// clock is a value where a function wants a time: as [dialect.moment], but a DATE is its midnight.
func (d *dialect) clock(v val) val {
	if v.typ.k == kDate {
		return d.convert(v, typ{k: kDatetime})
	}
	return d.moment(v)
}

// seconds is a number of seconds as microseconds.
func seconds(v driver.Value) float64 { return roundTo(num(v)*1e6, 0) }

// temporalForms are the functions whose result has as many digits of a second as their arguments.
var temporalForms = map[string]func(d *dialect, n *ast.FuncCallExpr, sc *scope) val{
	"time": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		v := d.args(n, sc, 1, 1)[0]
		t := typ{k: kTime, scale: secondsPlaces(v, parseTimeOrMoment)}
		return val{sql: fmt.Sprintf("my_to_time(%s, %d)", d.clock(v).sql, t.scale), typ: t}
	},
	"timediff": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 2, 2)
		t := typ{k: kTime, scale: max(secondsPlaces(a[0], parseTimeOrMoment), secondsPlaces(a[1], parseTimeOrMoment))}
		return val{sql: fmt.Sprintf("my_timediff(%s, %s, %d)", d.clock(a[0]).sql, d.clock(a[1]).sql, t.scale), typ: t}
	},
	"sec_to_time": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		v := d.args(n, sc, 1, 1)[0]
		t := typ{k: kTime, scale: numberPlaces(v)}
		return val{sql: fmt.Sprintf("my_sec_to_time(%s, %d)", d.narrow(d.number(v)).sql, t.scale), typ: t}
	},
	"maketime": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 3, 3)
		t := typ{k: kTime, scale: numberPlaces(a[2])}
		return val{sql: fmt.Sprintf("my_maketime(%s, %s, %s, %d)", d.narrow(d.number(a[0])).sql, d.narrow(d.number(a[1])).sql, d.narrow(d.number(a[2])).sql, t.scale), typ: t}
	},
	"timestamp": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 1, 2)
		t := typ{k: kDatetime, scale: secondsPlaces(a[0], parseMoment)}
		if len(a) == 1 {
			return val{sql: fmt.Sprintf("my_datetime(%s, %d)", d.moment(a[0]).sql, t.scale), typ: t}
		}
		t.scale = max(t.scale, secondsPlaces(a[1], parseTimeOrMoment))
		return val{sql: fmt.Sprintf("my_add_time(my_datetime(%s, 6), %s, 1, %d, %d)", d.moment(a[0]).sql, d.clock(a[1]).sql, t.k, t.scale), typ: t}
	},
	"from_unixtime": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 1, 2)
		t := typ{k: kDatetime, scale: numberPlaces(a[0])}
		out := val{sql: fmt.Sprintf("my_from_unixtime(%s, %d)", d.narrow(d.number(a[0])).sql, t.scale), typ: t}
		if len(a) == 2 {
			return d.apply("date_format", functions["date_format"], []val{out, a[1]})
		}
		return out
	},
	"unix_timestamp": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		if len(n.Args) == 0 {
			return val{sql: fmt.Sprintf("CAST(%d AS INTEGER)", d.now.total()/1e6-dayNumber(1970, 1, 1)*86400), typ: tInt}
		}
		v := d.args(n, sc, 1, 1)[0]
		t := typ{k: kDecimal, scale: secondsPlaces(v, parseMoment)}
		if t.scale == 0 {
			t = tInt
		}
		return val{sql: fmt.Sprintf("my_unix_timestamp(%s, %d)", d.moment(v).sql, t.scale), typ: t}
	},
	"convert_tz": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		a := d.args(n, sc, 3, 3)
		t := typ{k: kDatetime, scale: secondsPlaces(a[0], parseMoment)}
		return val{sql: fmt.Sprintf("my_convert_tz(%s, %s, %s, %d)", d.moment(a[0]).sql, d.text(a[1]).sql, d.text(a[2]).sql, t.scale), typ: t}
	},
}

func init() {
	h := helpers
	h["timediff"] = func(a []driver.Value) (driver.Value, error) {
		if anyNull(a) {
			return nil, nil
		}
		l, ok1 := parseTimeOrMoment(str(a[0]))
		r, ok2 := parseTimeOrMoment(str(a[1]))
		if !ok1 || !ok2 || (l.day > 0) != (r.day > 0) {
			return nil, nil
		}
		usec := l.microseconds() - r.microseconds()
		if l.day > 0 {
			usec = l.total() - r.total()
		}
		return clockOf(usec).clockText(int(whole(a[2]))), nil
	}
	h["sec_to_time"] = func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil {
			return nil, nil
		}
		usec := min(max(seconds(a[0]), -maxClock-1), maxClock+1)
		return clockOf(int64(usec)).clockText(int(whole(a[1]))), nil
	}
	h["maketime"] = func(a []driver.Value) (driver.Value, error) {
		if anyNull(a) {
			return nil, nil
		}
		hours, m, s := whole(a[0]), whole(a[1]), int64(seconds(a[2]))
		if m < 0 || m > 59 || s < 0 || s >= 60e6 {
			return nil, nil
		}
		usec := min(max(hours, -839), 839) * 3600e6
		if hours < 0 {
			usec -= m*60e6 + s
		} else {
			usec += m*60e6 + s
		}
		return clockOf(usec).clockText(int(whole(a[3]))), nil
	}
	h["from_unixtime"] = func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil || num(a[0]) < 0 || num(a[0]) >= math.MaxInt32+1 {
			return nil, nil
		}
		t := typ{k: kDatetime, scale: int(whole(a[1]))}
		return fromTime(time.UnixMicro(int64(seconds(a[0]))).UTC()).format(t), nil
	}
	h["unix_timestamp"] = func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil {
			return nil, nil
		}
		m, ok := parseMoment(str(a[0]))
		usec := m.unix()
		if !ok || m.month == 0 || m.day == 0 || usec < 0 || usec >= (math.MaxInt32+1)*1e6 {
			usec = 0
		}
		if whole(a[1]) == 0 {
			return usec / 1e6, nil
		}
		return float64(usec) / 1e6, nil
	}
	h["convert_tz"] = func(a []driver.Value) (driver.Value, error) {
		if anyNull(a) {
			return nil, nil
		}
		m, ok := parseMoment(str(a[0]))
		from, ok1 := zoneOffset(str(a[1]))
		to, ok2 := zoneOffset(str(a[2]))
		when, real := m.time()
		if !ok || !ok1 || !ok2 || !real {
			return nil, nil
		}
		if utc := m.unix() - from.Microseconds(); utc > 0 && utc < (math.MaxInt32+1)*1e6 { // else MySQL leaves it as it is
			m = fromTime(when.Add(to - from))
		}
		return m.format(typ{k: kDatetime, scale: int(whole(a[3]))}), nil
	}
	h["microseconds"] = func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil {
			return nil, nil
		}
		return date1(func(m moment) driver.Value { return m.total() })(a)
	}
	h["clock_of"] = func(a []driver.Value) (driver.Value, error) { // microseconds, digits
		if a[0] == nil {
			return nil, nil
		}
		return clockOf(whole(a[0])).clockText(int(whole(a[1]))), nil
	}
}

// unix is a moment of UTC in microseconds since 1970.
func (m moment) unix() int64 { return m.total() - dayNumber(1970, 1, 1)*86400*1e6 }

// zoneOffset reads a time zone as MySQL knows them without its zone tables: an offset, or SYSTEM, which is UTC here.
func zoneOffset(s string) (time.Duration, bool) {
	if strings.EqualFold(s, "SYSTEM") {
		return 0, true
	}
	if s == "" || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	var h, m int
	if n, err := fmt.Sscanf(s[1:], "%d:%d", &h, &m); n != 2 || err != nil || len(s) > 6 || h < 0 || m < 0 || m > 59 {
		return 0, false
	}
	offset := time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
	if s[0] == '-' {
		offset = -offset
	}
	return offset, offset > -13*time.Hour && offset <= 13*time.Hour
}
