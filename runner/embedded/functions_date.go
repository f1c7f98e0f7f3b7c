package embedded

import (
	"database/sql/driver"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// date1 wraps a function of one date; what is no date gives NULL, as in MySQL.
func date1(f func(m moment) driver.Value) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) {
		m, ok := parseMoment(str(a[0]))
		if !ok {
			return nil, nil
		}
		return f(m), nil
	}
}

// day1 is date1 for functions that need a real day, with neither month nor day 0.
func day1(f func(t time.Time) driver.Value) func([]driver.Value) (driver.Value, error) {
	return date1(func(m moment) driver.Value {
		t, ok := m.time()
		if !ok {
			return nil
		}
		return f(t)
	})
}

// clock1 wraps a function of a time of day.
func clock1(f func(m moment) driver.Value) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) {
		m, ok := parseTimeOrMoment(str(a[0]))
		if !ok {
			return nil, nil
		}
		return f(m), nil
	}
}

var dateFunctions = map[string]function{
	"year":       {args: "t", result: toUnsigned, impl: date1(func(m moment) driver.Value { return int64(m.year) })},
	"month":      {args: "t", result: toInt, impl: date1(func(m moment) driver.Value { return int64(m.month) })},
	"dayofmonth": {args: "t", result: toInt, impl: date1(func(m moment) driver.Value { return int64(m.day) })},
	"day":        {args: "t", result: toInt, alias: "dayofmonth"},
	"quarter":    {args: "t", result: toInt, impl: date1(func(m moment) driver.Value { return int64((m.month + 2) / 3) })},
	"dayofweek":  {args: "t", result: toInt, impl: day1(func(t time.Time) driver.Value { return int64(t.Weekday()) + 1 })},
	"weekday":    {args: "t", result: toInt, impl: day1(func(t time.Time) driver.Value { return int64(t.Weekday()+6) % 7 })},
	"dayofyear":  {args: "t", result: toInt, impl: day1(func(t time.Time) driver.Value { return int64(t.YearDay()) })},
	"monthname": {args: "t", result: toPlain, impl: date1(func(m moment) driver.Value {
		if m.month == 0 {
			return nil
		}
		return time.Month(m.month).String()
	})},
	"dayname": {args: "t", result: toPlain, impl: day1(func(t time.Time) driver.Value { return t.Weekday().String() })},
	"week": {args: "ti", opt: 1, result: toInt, impl: func(a []driver.Value) (driver.Value, error) {
		mode := int64(0)
		if len(a) > 1 {
			mode = whole(a[1])
		}
		return day1(func(t time.Time) driver.Value { _, w := week(t, int(mode)); return int64(w) })(a)
	}},
	"weekofyear": {args: "t", result: toInt, impl: day1(func(t time.Time) driver.Value { _, w := week(t, 3); return int64(w) })},
	"yearweek": {args: "ti", opt: 1, result: toInt, impl: func(a []driver.Value) (driver.Value, error) {
		mode := int64(0)
		if len(a) > 1 {
			mode = whole(a[1])
		}
		return day1(func(t time.Time) driver.Value { y, w := week(t, int(mode)|2); return int64(y*100 + w) })(a)
	}},
	"last_day": {args: "t", result: toDate, impl: date1(func(m moment) driver.Value {
		if m.month == 0 {
			return nil
		}
		m.day = daysIn(m.year, m.month)
		return m.date()
	})},
	"date": {args: "t", result: toDate, impl: date1(func(m moment) driver.Value { return m.date() })},
	"to_days": {args: "t", result: toInt, impl: date1(func(m moment) driver.Value {
		if m.month == 0 || m.day == 0 {
			return nil
		}
		return dayNumber(m.year, m.month, m.day)
	})},
	"to_seconds": {args: "t", result: toInt, impl: date1(func(m moment) driver.Value {
		if m.month == 0 || m.day == 0 {
			return nil
		}
		return dayNumber(m.year, m.month, m.day)*86400 + m.microsecondsOfDay()/1e6
	})},
	"from_days": {args: "i", result: toDate, impl: func(a []driver.Value) (driver.Value, error) {
		n := whole(a[0])
		if n < 366 {
			return "0000-00-00", nil
		}
		return fromDayNumber(n).date(), nil
	}},
	"datediff": {args: "tt", result: toInt, impl: func(a []driver.Value) (driver.Value, error) {
		l, ok1 := parseMoment(str(a[0]))
		r, ok2 := parseMoment(str(a[1]))
		if !ok1 || !ok2 || l.month*l.day*r.month*r.day == 0 {
			return nil, nil
		}
		return dayNumber(l.year, l.month, l.day) - dayNumber(r.year, r.month, r.day), nil
	}},
	"hour":        {args: "c", result: toInt, impl: clock1(func(m moment) driver.Value { return int64(m.hour) })},
	"minute":      {args: "c", result: toInt, impl: clock1(func(m moment) driver.Value { return int64(m.minute) })},
	"second":      {args: "c", result: toInt, impl: clock1(func(m moment) driver.Value { return int64(m.second) })},
	"microsecond": {args: "c", result: toInt, impl: clock1(func(m moment) driver.Value { return int64(m.usec) })},
	"time_to_sec": {args: "c", result: toInt, impl: clock1(func(m moment) driver.Value { return m.microseconds() / 1e6 })},
	"date_format": {args: "ts", result: toPlain, impl: func(a []driver.Value) (driver.Value, error) {
		return date1(func(m moment) driver.Value { return dateFormat(m, str(a[1])) })(a)
	}},
	"time_format": {args: "cs", result: toPlain, impl: func(a []driver.Value) (driver.Value, error) {
		return clock1(func(m moment) driver.Value { return dateFormat(m, str(a[1])) })(a)
	}},
	"makedate": {args: "ii", result: toDate, impl: func(a []driver.Value) (driver.Value, error) {
		y, d := whole(a[0]), whole(a[1])
		if d < 1 || y < 0 || y > 9999 || d > 4_000_000 {
			return nil, nil
		}
		if y < 100 {
			y = int64(century(int(y)))
		}
		m := fromTime(time.Date(int(y), 1, int(d), 0, 0, 0, 0, time.UTC))
		if m.year > 9999 {
			return nil, nil
		}
		return m.date(), nil
	}},
	"period_add": {args: "ii", result: toInt, impl: func(a []driver.Value) (driver.Value, error) {
		return fromMonths(toMonths(whole(a[0])) + whole(a[1])), nil
	}},
	"period_diff": {args: "ii", result: toInt, impl: func(a []driver.Value) (driver.Value, error) {
		return toMonths(whole(a[0])) - toMonths(whole(a[1])), nil
	}},
}

// microsecondsOfDay is the time of day of a moment.
func (m moment) microsecondsOfDay() int64 {
	m.negative = false
	return m.microseconds()
}

// total is the moment in microseconds since year 0.
func (m moment) total() int64 {
	return dayNumber(m.year, m.month, m.day)*86400*1e6 + m.microsecondsOfDay()
}

// addTimes is my_add_time(moment or time, time, sign, kind of the result, its fractional digits).
func addTimes(a []driver.Value) (driver.Value, error) {
	if a[0] == nil || a[1] == nil {
		return nil, nil
	}
	text, t := str(a[0]), typ{k: kind(whole(a[3])), scale: int(whole(a[4]))}
	if strings.Contains(strings.TrimPrefix(str(a[1]), "-"), "-") { // a date is no length of time
		return nil, nil
	}
	by, ok := parseClock(str(a[1]))
	if !ok {
		return nil, nil
	}
	usec := whole(a[2]) * by.microseconds()
	dated := strings.Contains(strings.TrimPrefix(text, "-"), "-")
	if !dated {
		m, ok := parseClock(text)
		if !ok {
			return nil, nil
		}
		out := clockOf(m.microseconds() + usec)
		if t.k == kString && out.usec != 0 {
			t.scale = 6
		}
		return out.clockText(t.scale), nil
	}
	m, ok := parseMoment(text)
	when, real := m.time()
	if !ok || !real {
		return nil, nil
	}
	out := fromTime(when.Add(time.Duration(usec) * time.Microsecond))
	if t.k == kString {
		t.k = kDatetime
		if out.usec != 0 {
			t.scale = 6
		}
	}
	return out.format(t), nil
}

// toMonths turns a period YYMM or YYYYMM into months.
func toMonths(p int64) int64 {
	y := p / 100
	if y < 100 {
		y = int64(century(int(y)))
	}
	return y*12 + p%100 - 1
}

func fromMonths(n int64) int64 { return n/12*100 + n%12 + 1 }

// week is MySQL's WEEK with a mode, and the year that the week belongs to.
// Source: calc_week in sql-common/my_time.cc.
func week(t time.Time, mode int) (year, week int) {
	monday, iso, firstWeekday := mode&1 != 0, mode&2 != 0, mode&4 != 0
	if !monday {
		firstWeekday = !firstWeekday
	}
	year = t.Year()
	dayNr := dayNumber(year, int(t.Month()), t.Day())
	firstNr := dayNumber(year, 1, 1)
	weekday := func(n int64) int { // 0 is the first day of the week
		if monday {
			return int((n + 5) % 7)
		}
		return int((n + 6) % 7)
	}
	first := weekday(firstNr)
	if int(t.Month()) == 1 && t.Day() <= 7-first {
		if !iso && (firstWeekday && first != 0 || !firstWeekday && first >= 4) {
			return year, 0
		}
		if iso && (firstWeekday && first != 0 || !firstWeekday && first >= 4) {
			year--
			firstNr = dayNumber(year, 1, 1)
			first = weekday(firstNr)
		}
	}
	days := 0
	if firstWeekday && first != 0 || !firstWeekday && first >= 4 {
		days = int(dayNr - (firstNr + int64(7-first)))
	} else {
		days = int(dayNr - (firstNr - int64(first)))
	}
	if iso && days >= 52*7 {
		next := dayNumber(year+1, 1, 1)
		w := weekday(next)
		if !firstWeekday && w < 4 && days/7 == 52 || firstWeekday && w == 0 {
			if dayNr >= next-int64(w) {
				return year + 1, 1
			}
		}
	}
	return year, days/7 + 1
}

// dateFormat is DATE_FORMAT.
func dateFormat(m moment, format string) driver.Value {
	if format == "" {
		return nil
	}
	t, real := m.time()
	var b strings.Builder
	if m.negative {
		b.WriteByte('-')
	}
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		hour12 := (m.hour+11)%12 + 1
		switch c := format[i]; c {
		case 'Y':
			fmt.Fprintf(&b, "%04d", m.year)
		case 'y':
			fmt.Fprintf(&b, "%02d", m.year%100)
		case 'm':
			fmt.Fprintf(&b, "%02d", m.month)
		case 'c':
			fmt.Fprintf(&b, "%d", m.month)
		case 'd':
			fmt.Fprintf(&b, "%02d", m.day)
		case 'e':
			fmt.Fprintf(&b, "%d", m.day)
		case 'D':
			b.WriteString(ordinal(m.day))
		case 'M', 'b':
			if m.month == 0 {
				return nil
			}
			name := time.Month(m.month).String()
			if c == 'b' {
				name = name[:3]
			}
			b.WriteString(name)
		case 'W', 'a', 'w', 'j', 'U', 'u', 'V', 'v', 'X', 'x':
			if !real {
				return nil
			}
			dayFormat(&b, t, c)
		case 'H':
			fmt.Fprintf(&b, "%02d", m.hour)
		case 'k':
			fmt.Fprintf(&b, "%d", m.hour)
		case 'h', 'I':
			fmt.Fprintf(&b, "%02d", hour12)
		case 'l':
			fmt.Fprintf(&b, "%d", hour12)
		case 'i':
			fmt.Fprintf(&b, "%02d", m.minute)
		case 's', 'S':
			fmt.Fprintf(&b, "%02d", m.second)
		case 'f':
			fmt.Fprintf(&b, "%06d", m.usec)
		case 'p':
			b.WriteString(map[bool]string{true: "PM", false: "AM"}[m.hour%24 >= 12])
		case 'T':
			fmt.Fprintf(&b, "%02d:%02d:%02d", m.hour, m.minute, m.second)
		case 'r':
			fmt.Fprintf(&b, "%02d:%02d:%02d %s", hour12, m.minute, m.second, map[bool]string{true: "PM", false: "AM"}[m.hour%24 >= 12])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// dayFormat writes the parts of a DATE_FORMAT that need a real day.
func dayFormat(b *strings.Builder, t time.Time, c byte) {
	modes := map[byte]int{'U': 0, 'u': 1, 'V': 2, 'v': 3, 'X': 2, 'x': 3}
	y, w := week(t, modes[c])
	switch c {
	case 'W':
		b.WriteString(t.Weekday().String())
	case 'a':
		b.WriteString(t.Weekday().String()[:3])
	case 'w':
		fmt.Fprintf(b, "%d", t.Weekday())
	case 'j':
		fmt.Fprintf(b, "%03d", t.YearDay())
	case 'X', 'x':
		fmt.Fprintf(b, "%04d", y)
	default:
		fmt.Fprintf(b, "%02d", w)
	}
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

func init() {
	h := helpers
	h["datetime"] = func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil {
			return nil, nil
		}
		t := typ{k: kDatetime, scale: int(whole(a[1]))}
		return date1(func(m moment) driver.Value { return m.rounded(t.scale).format(t) })(a)
	}
	h["to_time"] = func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil {
			return nil, nil
		}
		fsp := 0
		if len(a) > 1 {
			fsp = int(whole(a[1]))
		}
		return clock1(func(m moment) driver.Value { return m.rounded(fsp).clockText(fsp) })(a)
	}
	h["seconds"] = func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil {
			return nil, nil
		}
		return clock1(func(m moment) driver.Value { return m.microseconds() })(a)
	}
	h["date_add"] = dateAdd
	h["add_time"] = addTimes
	h["timestampdiff"] = timestampDiff
	h["extract"] = extract
	h["str_to_date"] = func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil || a[1] == nil {
			return nil, nil
		}
		t := typ{k: kind(whole(a[2])), scale: int(whole(a[3]))}
		m, ok := parseFormat(str(a[0]), str(a[1]))
		if !ok || m.year == 0 || m.month == 0 || m.day == 0 || m.month > 12 || m.day > 31 {
			return nil, nil // MySQL's default mode has no dates with zero parts, but it has a February 30
		}
		return m.format(t), nil
	}
}

// unitParts are the parts that a composite unit's text holds, last part last.
var unitParts = map[string][]string{
	"SECOND_MICROSECOND": {"SECOND", "MICROSECOND"}, "MINUTE_MICROSECOND": {"MINUTE", "SECOND", "MICROSECOND"},
	"MINUTE_SECOND": {"MINUTE", "SECOND"}, "HOUR_MICROSECOND": {"HOUR", "MINUTE", "SECOND", "MICROSECOND"},
	"HOUR_SECOND": {"HOUR", "MINUTE", "SECOND"}, "HOUR_MINUTE": {"HOUR", "MINUTE"},
	"DAY_MICROSECOND": {"DAY", "HOUR", "MINUTE", "SECOND", "MICROSECOND"}, "DAY_SECOND": {"DAY", "HOUR", "MINUTE", "SECOND"},
	"DAY_MINUTE": {"DAY", "HOUR", "MINUTE"}, "DAY_HOUR": {"DAY", "HOUR"}, "YEAR_MONTH": {"YEAR", "MONTH"},
}

// unitMicroseconds are the units of a fixed length.
var unitMicroseconds = map[string]int64{
	"MICROSECOND": 1, "SECOND": 1e6, "MINUTE": 60e6, "HOUR": 3600e6, "DAY": 86400e6, "WEEK": 7 * 86400e6,
}

// unitMonths are the units that are months.
var unitMonths = map[string]int64{"MONTH": 1, "QUARTER": 3, "YEAR": 12}

// intervalOf reads an INTERVAL as months and microseconds.
func intervalOf(amount driver.Value, unit string) (months, usec int64, ok bool) {
	parts, composite := unitParts[unit]
	if !composite {
		if n, ok := unitMonths[unit]; ok {
			return n * whole(amount), 0, true
		}
		if unit == "SECOND" {
			return 0, int64(math.Round(num(amount) * 1e6)), true
		}
		n, ok := unitMicroseconds[unit]
		return 0, n * whole(amount), ok
	}
	text := strings.TrimSpace(str(amount))
	sign := int64(1)
	if strings.HasPrefix(text, "-") {
		sign, text = -1, text[1:]
	}
	numbers := strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if len(numbers) > len(parts) {
		return 0, 0, false
	}
	if n := len(numbers); n > 0 && parts[len(parts)-1] == "MICROSECOND" && len(numbers[n-1]) < 6 { // a fraction of a second
		numbers[n-1] = (numbers[n-1] + "00000")[:6]
	}
	parts = parts[len(parts)-len(numbers):]
	for i, p := range parts {
		n, err := strconv.ParseInt(numbers[i], 10, 64)
		if err != nil {
			return 0, 0, false
		}
		months += sign * n * unitMonths[p]
		usec += sign * n * unitMicroseconds[p]
	}
	return months, usec, true
}

// dateAdd is my_date_add(date, amount, unit, sign, kind of the result, its fractional digits).
func dateAdd(a []driver.Value) (driver.Value, error) {
	if a[0] == nil || a[1] == nil {
		return nil, nil
	}
	m, ok := parseMoment(str(a[0]))
	if !ok || m.month == 0 || m.day == 0 {
		return nil, nil
	}
	unit, sign := str(a[2]), whole(a[3])
	months, usec, ok := intervalOf(a[1], unit)
	if !ok {
		return nil, nil
	}
	t := typ{k: kind(whole(a[4])), scale: int(whole(a[5]))}
	text := t.k == kString
	if text { // a text in, a text out: with a time if there was one or the unit has one
		t.k = kDate
		if m.clock || strings.Contains(unit, "SECOND") || strings.Contains(unit, "MINUTE") || strings.Contains(unit, "HOUR") {
			t.k = kDatetime
		}
	}
	total := int64(m.year)*12 + int64(m.month) - 1 + sign*months
	if total < 0 || total >= 12*10000 {
		return nil, nil
	}
	m.year, m.month = int(total/12), int(total%12)+1
	m.day = min(m.day, daysIn(m.year, m.month))
	when, _ := m.time()
	when = when.Add(time.Duration(sign*usec%86400e6)*time.Microsecond).AddDate(0, 0, int(sign*usec/86400e6))
	out := fromTime(when)
	if out.year < 0 || out.year > 9999 {
		return nil, nil
	}
	if text && out.usec != 0 {
		t.scale = 6
	}
	return out.format(t), nil
}

// timestampDiff is my_timestampdiff(unit, from, to): whole units.
func timestampDiff(a []driver.Value) (driver.Value, error) {
	if a[1] == nil || a[2] == nil {
		return nil, nil
	}
	from, ok1 := parseMoment(str(a[1]))
	to, ok2 := parseMoment(str(a[2]))
	if !ok1 || !ok2 || from.month*from.day*to.month*to.day == 0 {
		return nil, nil
	}
	unit := str(a[0])
	if n, ok := unitMicroseconds[unit]; ok {
		return (to.total() - from.total()) / n, nil
	}
	sign := int64(1)
	if from.total() > to.total() {
		sign, from, to = -1, to, from
	}
	months := int64(to.year-from.year)*12 + int64(to.month-from.month)
	if to.day < from.day || to.day == from.day && to.microsecondsOfDay() < from.microsecondsOfDay() {
		months--
	}
	return sign * (months / unitMonths[unit]), nil
}

// extract is my_extract(unit, value, kind).
func extract(a []driver.Value) (driver.Value, error) {
	if a[1] == nil {
		return nil, nil
	}
	text, unit := str(a[1]), str(a[0])
	_, day := map[string]bool{"YEAR": true, "QUARTER": true, "MONTH": true, "WEEK": true, "DAY": true, "YEAR_MONTH": true}[unit]
	m, ok := parseTimeOrMoment(text)
	if day && kind(whole(a[2])) != kTime {
		m, ok = parseMoment(text)
	}
	if !ok {
		return nil, nil
	}
	one := map[string]int{"YEAR": m.year, "MONTH": m.month, "DAY": m.day, "HOUR": m.hour, "MINUTE": m.minute, "SECOND": m.second,
		"MICROSECOND": m.usec, "QUARTER": (m.month + 2) / 3}
	if n, ok := one[unit]; ok {
		return int64(n), nil
	}
	if unit == "WEEK" {
		t, ok := m.time()
		if !ok {
			return nil, nil
		}
		_, w := week(t, 0)
		return int64(w), nil
	}
	n := int64(0)
	for _, p := range unitParts[unit] {
		width := int64(100)
		if p == "MICROSECOND" {
			width = 1e6
		}
		n = n*width + int64(one[p])
	}
	if m.negative {
		n = -n
	}
	return n, nil
}
