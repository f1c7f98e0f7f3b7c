package mysqlfn

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // for machines without zones of their own

	"github.com/shopspring/decimal"

	"nl2sql/runner/embedded/types"
)

// date1 wraps a function of one date; what is no date gives NULL, as in MySQL.
func date1(f func(m Moment) driver.Value) func([]driver.Value) (driver.Value, error) {
	return ofMoment(ParseMoment, f)
}

// day1 is date1 for functions that need a real day, with neither month nor day 0.
func day1(f func(m Moment) driver.Value) func([]driver.Value) (driver.Value, error) {
	return date1(func(m Moment) driver.Value {
		if !m.real() {
			return nil
		}
		return f(m)
	})
}

// clock1 wraps a function of a time of day.
func clock1(f func(m Moment) driver.Value) func([]driver.Value) (driver.Value, error) {
	return ofMoment(ParseTimeOrMoment, f)
}

func ofMoment(parse func(string) (Moment, bool), f func(m Moment) driver.Value) func([]driver.Value) (driver.Value,
	error) {
	return func(a []driver.Value) (driver.Value, error) {
		m, ok := parse(str(a[0]))
		if !ok {
			return nil, nil
		}
		return f(m), nil
	}
}

// formatted writes a moment as a type holds it; what is none is NULL.
func formatted(m Moment, ok bool) func(t types.Type) driver.Value {
	return func(t types.Type) driver.Value {
		if !ok {
			return nil
		}
		return m.Format(t)
	}
}

var dateFunctions = table{
	"year":       {Args: "t", Result: ToUnsigned, Call: date1(func(m Moment) driver.Value { return int64(m.year) })},
	"month":      {Args: "t", Result: ToInt, Call: date1(func(m Moment) driver.Value { return int64(m.month) })},
	"dayofmonth": {Args: "t", Result: ToInt, Call: date1(func(m Moment) driver.Value { return int64(m.day) })},
	"day":        {Args: "t", Result: ToInt, Alias: "dayofmonth"},
	"quarter": {Args: "t", Result: ToInt,
		Call: date1(func(m Moment) driver.Value { return int64((m.month + 2) / 3) })},
	"dayofweek": {Args: "t", Result: ToInt,
		Call: day1(func(m Moment) driver.Value { return int64(m.weekday()) + 1 })},
	"weekday": {Args: "t", Result: ToInt,
		Call: day1(func(m Moment) driver.Value { return int64(m.weekday()+6) % 7 })},
	"dayofyear": {Args: "t", Result: ToInt, Call: day1(func(m Moment) driver.Value { return m.yearDay() })},
	"monthname": {Args: "t", Result: ToPlain, Call: date1(func(m Moment) driver.Value {
		if m.month == 0 {
			return nil
		}
		return time.Month(m.month).String()
	})},
	"dayname": {Args: "t", Result: ToPlain, Call: day1(func(m Moment) driver.Value { return m.weekday().String() })},
	"week": {Args: "to", Opt: 1, Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		mode := whole(append(a, int64(0))[1])
		return day1(func(m Moment) driver.Value { _, w := week(m, int(mode)); return int64(w) })(a)
	}},
	"weekofyear": {Args: "t", Result: ToInt,
		Call: day1(func(m Moment) driver.Value { _, w := week(m, 3); return int64(w) })},
	"yearweek": {Args: "to", Opt: 1, Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		mode := whole(append(a, int64(0))[1])
		return day1(func(m Moment) driver.Value { y, w := week(m, int(mode)|2); return int64(y*100 + w) })(a)
	}},
	"last_day": {Args: "t", Result: ToDate, Call: date1(func(m Moment) driver.Value {
		if m.month == 0 {
			return nil
		}
		m.day = daysIn(m.year, m.month)
		return m.Date()
	})},
	"date":    {Args: "t", Result: ToDate, Call: date1(func(m Moment) driver.Value { return m.Date() })},
	"to_days": {Args: "t", Result: ToInt, Call: day1(func(m Moment) driver.Value { return m.dayNumber() })},
	"to_seconds": {Args: "t", Result: ToInt, Call: day1(func(m Moment) driver.Value {
		return m.dayNumber()*86400 + m.microsecondsOfDay()/1e6
	})},
	"from_days": {Args: "i", Result: ToDate, Call: func(a []driver.Value) (driver.Value, error) {
		return fromDayNumber(whole(a[0])).Date(), nil
	}},
	"datediff": {Args: "tt", Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		l, ok1 := ParseMoment(str(a[0]))
		r, ok2 := ParseMoment(str(a[1]))
		if !ok1 || !ok2 || !l.real() || !r.real() {
			return nil, nil
		}
		return l.dayNumber() - r.dayNumber(), nil
	}},
	"hour":        {Args: "c", Result: ToInt, Call: clock1(func(m Moment) driver.Value { return int64(m.hour) })},
	"minute":      {Args: "c", Result: ToInt, Call: clock1(func(m Moment) driver.Value { return int64(m.minute) })},
	"second":      {Args: "c", Result: ToInt, Call: clock1(func(m Moment) driver.Value { return int64(m.second) })},
	"microsecond": {Args: "c", Result: ToInt, Call: clock1(func(m Moment) driver.Value { return int64(m.usec) })},
	"time_to_sec": {Args: "c", Result: ToInt,
		Call: clock1(func(m Moment) driver.Value { return m.microseconds() / 1e6 })},
	"date_format": {Args: "ts", Result: ToPlain, Call: func(a []driver.Value) (driver.Value, error) {
		return date1(func(m Moment) driver.Value { return dateFormat(m, str(a[1])) })(a)
	}},
	"time_format": {Args: "cs", Result: ToPlain, Call: func(a []driver.Value) (driver.Value, error) {
		return ofMoment(ParseClock, func(m Moment) driver.Value { return dateFormat(m, str(a[1])) })(a)
	}},
	"makedate": {Args: "ii", Result: ToDate, Call: func(a []driver.Value) (driver.Value, error) {
		y, d := whole(a[0]), whole(a[1])
		if d < 1 || y < 0 || y > 9999 || d > 4_000_000 {
			return nil, nil
		}
		if y < 100 {
			y = int64(century(int(y)))
		}
		n := dayNumber(int(y), 1, 1) + d - 1
		if n > lastDayNumber {
			return nil, nil
		}
		return fromDayNumber(n).Date(), nil
	}},
}

// momentFunctions are what translations call for dates and times.
var momentFunctions = table{
	"datetime": {Call: func(a []driver.Value) (driver.Value, error) {
		t := types.Type{Kind: types.Datetime, Scale: int(whole(a[1]))}
		return date1(func(m Moment) driver.Value { return formatted(m.rounded(t.Scale))(t) })(a)
	}},
	"to_time": {Call: func(a []driver.Value) (driver.Value, error) {
		t := types.Type{Kind: types.Time, Scale: int(whole(append(a, int64(0))[1]))}
		return clock1(func(m Moment) driver.Value {
			m.year, m.month, m.day, m.dated = 0, 0, 0, false // a second more than 23:59:59 is 24:00:00
			m, ok := m.rounded(t.Scale)
			if m.negative && m.microseconds() == 0 {
				panic(stop{refused("a TIME that is zero with a minus")}) // which MySQL keeps
			}
			return formatted(m, ok)(t)
		})(a)
	}},
	"seconds": {Call: func(a []driver.Value) (driver.Value, error) {
		return clock1(func(m Moment) driver.Value { return m.microseconds() })(a)
	}},
	"date_add":      {Call: dateAdd},
	"add_time":      {Call: addTime},
	"timestampdiff": {Call: timestampDiff},
	"extract":       {Call: extract},
	"str_to_date": {Call: func(a []driver.Value) (driver.Value, error) {
		t := types.Type{Kind: types.Kind(whole(a[2])), Scale: int(whole(a[3]))}
		m, ok := parseFormat(str(a[0]), str(a[1]))
		if !ok || m.year == 0 || m.month == 0 || m.day == 0 || m.month > 12 || m.day > 31 {
			return nil, nil // MySQL's default mode has no dates with zero parts, but it has a February 30
		}
		return m.Format(t), nil
	}},
}

// seconds is a number of seconds as microseconds.
func seconds(v driver.Value) float64 { return roundTo(num(v)*1e6, 0) }

// timeFunctions are those whose result has as many digits of a second as their arguments.
var timeFunctions = table{
	"timediff": {Call: func(a []driver.Value) (driver.Value, error) {
		read := ParseTimeOrMoment
		if whole(a[3]) != 0 {
			read = ParseMoment
		}
		l, ok1 := read(str(a[0]))
		r, ok2 := read(str(a[1]))
		if !ok1 || !ok2 || l.dated != r.dated || l.clock != r.clock {
			return nil, nil
		}
		if l.dated && (!l.real() || !r.real()) {
			return nil, refused("TIMEDIFF of a date with a zero in it, or with more than six digits of a second")
		}
		usec := l.microseconds() - r.microseconds()
		if l.dated {
			usec = l.total() - r.total()
		}
		return clockOf(usec).clockText(int(whole(a[2]))), nil
	}},
	"sec_to_time": {Call: func(a []driver.Value) (driver.Value, error) {
		usec := min(max(seconds(a[0]), -maxClock-1), maxClock+1)
		return clockOf(int64(usec)).clockText(int(whole(a[1]))), nil
	}},
	"maketime": {Call: func(a []driver.Value) (driver.Value, error) {
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
	}},
	"from_unixtime": {Call: func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil || num(a[0]) < 0 || num(a[0]) >= math.MaxInt32+1 {
			return nil, nil
		}
		t := types.Type{Kind: types.Datetime, Scale: int(whole(a[1]))}
		return FromTime(time.UnixMicro(int64(seconds(a[0]))).UTC()).Format(t), nil
	}},
	"unix_timestamp": {Call: func(a []driver.Value) (driver.Value, error) {
		m, ok := ParseMoment(str(a[0]))
		usec := m.Unix()
		if !ok || m.month == 0 || m.day == 0 || usec < 0 || usec >= (math.MaxInt32+1)*1e6 {
			usec = 0
		}
		if whole(a[1]) == 0 {
			return usec / 1e6, nil
		}
		return EncodeWide(decimal.New(usec, -6))
	}},
	"convert_tz": {Call: func(a []driver.Value) (driver.Value, error) {
		m, ok := ParseMoment(str(a[0]))
		from, err1 := zone(str(a[1]))
		to, err2 := zone(str(a[2]))
		if err := errors.Join(err1, err2); err != nil || !ok || from == nil || to == nil || !m.real() {
			return nil, err
		}
		// else MySQL leaves it as it is
		if utc := instant(m.Unix(), from); utc > 0 && utc < (math.MaxInt32+1)*1e6 {
			m, _ = m.plus(utc + offset(utc, to) - m.Unix())
		}
		return m.Format(types.Type{Kind: types.Datetime, Scale: int(whole(a[3]))}), nil
	}},
	"microseconds": {Call: func(a []driver.Value) (driver.Value, error) {
		return date1(func(m Moment) driver.Value { return m.total() })(a)
	}},
	"clock_of": {Call: func(a []driver.Value) (driver.Value, error) { // microseconds, digits
		return clockOf(whole(a[0])).clockText(int(whole(a[1]))), nil
	}},
}

// zones are those with a name that were asked for.
var zones sync.Map

// zone reads a time zone: an offset, SYSTEM, which is UTC here, or a name, as MySQL knows it from its zone tables; nil
// is for what is none. A name that nobody knows is an error: MySQL gives NULL.
func zone(s string) (*time.Location, error) {
	switch {
	case strings.EqualFold(s, "SYSTEM"):
		return time.UTC, nil
	case s == "" || s[0] >= '0' && s[0] <= '9': // an offset without a sign
		return nil, nil
	case s[0] != '+' && s[0] != '-':
		if known, ok := zones.Load(s); ok {
			return known.(*time.Location), nil
		}
		loc, err := time.LoadLocation(s)
		if err != nil || s == "Local" { // which is the machine's
			return nil, refused("the time zone %.40q: names are written as in Europe/Berlin", s)
		}
		zones.Store(s, loc)
		return loc, nil
	}
	var h, m int
	if n, err := fmt.Sscanf(s[1:], "%d:%d", &h, &m); n != 2 || err != nil || len(s) > 6 || h < 0 || m < 0 || m > 59 {
		return nil, nil
	}
	seconds := (h*60 + m) * 60
	if s[0] == '-' {
		seconds = -seconds
	}
	if seconds <= -13*3600 || seconds > 13*3600 {
		return nil, nil
	}
	return time.FixedZone(s, seconds), nil
}

// offset is how far a zone is ahead of UTC at an instant; both in microseconds.
func offset(utc int64, zone *time.Location) int64 {
	_, seconds := time.UnixMicro(utc).In(zone).Zone()
	return int64(seconds) * 1e6
}

// instant is when the clocks of a zone show a time, in microseconds: of two such instants the one that MySQL takes, and
// of none, where the clocks were put forward, the instant at which they were.
func instant(local int64, zone *time.Location) int64 {
	const day = 24 * 3600e6
	before, after := offset(local-day, zone), offset(local+day, zone)
	first, second := local-before, local-after
	switch {
	case offset(first, zone) == before:
		return first
	case offset(second, zone) == after:
		return second
	}
	_, end := time.UnixMicro(second).In(zone).ZoneBounds()
	return end.UnixMicro()
}
