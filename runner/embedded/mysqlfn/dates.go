package mysqlfn

import (
	"database/sql/driver"
	"time"

	"nl2sql/runner/embedded/types"
)

// date1 wraps a function of one date; what is no date gives NULL, as in MySQL.
func date1(f func(m Moment) driver.Value) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) {
		m, ok := ParseMoment(str(a[0]))
		if !ok {
			return nil, nil
		}
		return f(m), nil
	}
}

// day1 is date1 for functions that need a real day, with neither month nor day 0.
func day1(f func(t time.Time) driver.Value) func([]driver.Value) (driver.Value, error) {
	return date1(func(m Moment) driver.Value {
		t, ok := m.time()
		if !ok {
			return nil
		}
		return f(t)
	})
}

// clock1 wraps a function of a time of day.
func clock1(f func(m Moment) driver.Value) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) {
		m, ok := ParseTimeOrMoment(str(a[0]))
		if !ok {
			return nil, nil
		}
		return f(m), nil
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
		Call: day1(func(t time.Time) driver.Value { return int64(t.Weekday()) + 1 })},
	"weekday": {Args: "t", Result: ToInt,
		Call: day1(func(t time.Time) driver.Value { return int64(t.Weekday()+6) % 7 })},
	"dayofyear": {Args: "t", Result: ToInt, Call: day1(func(t time.Time) driver.Value { return int64(t.YearDay()) })},
	"monthname": {Args: "t", Result: ToPlain, Call: date1(func(m Moment) driver.Value {
		if m.month == 0 {
			return nil
		}
		return time.Month(m.month).String()
	})},
	"dayname": {Args: "t", Result: ToPlain, Call: day1(func(t time.Time) driver.Value { return t.Weekday().String() })},
	"week": {Args: "ti", Opt: 1, Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		mode := int64(0)
		if len(a) > 1 {
			mode = whole(a[1])
		}
		return day1(func(t time.Time) driver.Value { _, w := week(t, int(mode)); return int64(w) })(a)
	}},
	"weekofyear": {Args: "t", Result: ToInt,
		Call: day1(func(t time.Time) driver.Value { _, w := week(t, 3); return int64(w) })},
	"yearweek": {Args: "ti", Opt: 1, Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		mode := int64(0)
		if len(a) > 1 {
			mode = whole(a[1])
		}
		return day1(func(t time.Time) driver.Value { y, w := week(t, int(mode)|2); return int64(y*100 + w) })(a)
	}},
	"last_day": {Args: "t", Result: ToDate, Call: date1(func(m Moment) driver.Value {
		if m.month == 0 {
			return nil
		}
		m.day = daysIn(m.year, m.month)
		return m.Date()
	})},
	"date": {Args: "t", Result: ToDate, Call: date1(func(m Moment) driver.Value { return m.Date() })},
	"to_days": {Args: "t", Result: ToInt, Call: date1(func(m Moment) driver.Value {
		if m.month == 0 || m.day == 0 {
			return nil
		}
		return dayNumber(m.year, m.month, m.day)
	})},
	"to_seconds": {Args: "t", Result: ToInt, Call: date1(func(m Moment) driver.Value {
		if m.month == 0 || m.day == 0 {
			return nil
		}
		return dayNumber(m.year, m.month, m.day)*86400 + m.microsecondsOfDay()/1e6
	})},
	"from_days": {Args: "i", Result: ToDate, Call: func(a []driver.Value) (driver.Value, error) {
		n := whole(a[0])
		if n < 366 {
			return "0000-00-00", nil
		}
		return fromDayNumber(n).Date(), nil
	}},
	"datediff": {Args: "tt", Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		l, ok1 := ParseMoment(str(a[0]))
		r, ok2 := ParseMoment(str(a[1]))
		if !ok1 || !ok2 || l.month*l.day*r.month*r.day == 0 {
			return nil, nil
		}
		return dayNumber(l.year, l.month, l.day) - dayNumber(r.year, r.month, r.day), nil
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
		return clock1(func(m Moment) driver.Value { return dateFormat(m, str(a[1])) })(a)
	}},
	"makedate": {Args: "ii", Result: ToDate, Call: func(a []driver.Value) (driver.Value, error) {
		y, d := whole(a[0]), whole(a[1])
		if d < 1 || y < 0 || y > 9999 || d > 4_000_000 {
			return nil, nil
		}
		if y < 100 {
			y = int64(century(int(y)))
		}
		m := FromTime(time.Date(int(y), 1, int(d), 0, 0, 0, 0, time.UTC))
		if m.year > 9999 {
			return nil, nil
		}
		return m.Date(), nil
	}},
	"period_add": {Args: "ii", Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		return fromMonths(toMonths(whole(a[0])) + whole(a[1])), nil
	}},
	"period_diff": {Args: "ii", Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		return toMonths(whole(a[0])) - toMonths(whole(a[1])), nil
	}},
}

// momentFunctions are what translations call for dates and times.
var momentFunctions = table{
	"datetime": {Call: func(a []driver.Value) (driver.Value, error) {
		t := types.Type{Kind: types.Datetime, Scale: int(whole(a[1]))}
		return date1(func(m Moment) driver.Value { return m.rounded(t.Scale).Format(t) })(a)
	}},
	"to_time": {Call: func(a []driver.Value) (driver.Value, error) {
		fsp := 0
		if len(a) > 1 {
			fsp = int(whole(a[1]))
		}
		return clock1(func(m Moment) driver.Value { return m.rounded(fsp).clockText(fsp) })(a)
	}},
	"seconds": {Call: func(a []driver.Value) (driver.Value, error) {
		return clock1(func(m Moment) driver.Value { return m.microseconds() })(a)
	}},
	"date_add":      {Call: dateAdd},
	"add_time":      {Call: addTimes},
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
