package mysqlfn

import (
	"database/sql/driver"
	"regexp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"nl2sql/runner/embedded/types"
)

// unitMicroseconds are the units of a fixed length.
var unitMicroseconds = map[string]int64{
	"MICROSECOND": 1, "SECOND": 1e6, "MINUTE": 60e6, "HOUR": 3600e6, "DAY": 86400e6, "WEEK": 7 * 86400e6,
}

// UnitMonths are the units that are months.
var UnitMonths = map[string]int64{"MONTH": 1, "QUARTER": 3, "YEAR": 12}

// units are those that units of two parts such as DAY_HOUR are made of, the longest first.
var units = []string{"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "MICROSECOND"}

// partsOf are the units from the one to the other of a unit of two parts; nil for any other.
func partsOf(unit string) []string {
	first, last, two := strings.Cut(unit, "_")
	if !two {
		return nil
	}
	return units[slices.Index(units, first) : slices.Index(units, last)+1]
}

var digitRuns = regexp.MustCompile(`[0-9]+`)

// intervalOfParts reads the numbers of a text as so many units, of which the first may be left out. A text with more
// numbers is no INTERVAL. Source: get_interval_info in sql/item_timefunc.cc.
func intervalOfParts(text string, parts []string) (months, usec int64, ok bool) {
	text, negative := strings.CutPrefix(strings.TrimSpace(text), "-")
	found := digitRuns.FindAllString(text, -1)
	if len(found) > len(parts) {
		return 0, 0, false
	}
	for i, digits := range found {
		unit := parts[len(parts)-len(found)+i]
		if unit == "MICROSECOND" { // a fraction of a second
			digits += strings.Repeat("0", max(0, 6-len(digits)))
		}
		m, u, _ := IntervalOf(digits, unit)
		months, usec = months+m, usec+u
	}
	if negative {
		months, usec = -months, -usec
	}
	return months, usec, true
}

// IntervalOf reads an INTERVAL as months and microseconds. ok is false if it is none.
func IntervalOf(amount driver.Value, unit string) (months, usec int64, ok bool) {
	if parts := partsOf(unit); parts != nil {
		return intervalOfParts(str(amount), parts)
	}
	if n, ok := UnitMonths[unit]; ok {
		return times(whole(amount), n), 0, true
	}
	if unit == "SECOND" {
		seconds := decimal.NewFromFloat(max(min(num(amount), 1e12), -1e12)) // more digits are cut
		return 0, seconds.Shift(6).IntPart(), true
	}
	n, ok := unitMicroseconds[unit]
	return 0, times(whole(amount), n), ok
}

// maxInterval is beyond all years, in months and in microseconds.
const maxInterval = 1 << 61

// times is so many units, a longest interval at most.
func times(n, unit int64) int64 {
	if unit != 0 && (n > maxInterval/unit || n < -maxInterval/unit) {
		return max(min(n, 1), -1) * maxInterval
	}
	return n * unit
}

// dateAdd is my_date_add(date, amount, unit, sign, kind of the result, its fractional digits).
func dateAdd(a []driver.Value) (driver.Value, error) {
	unit, sign := str(a[2]), whole(a[3])
	months, usec, ok := IntervalOf(a[1], unit)
	if !ok {
		return nil, nil
	}
	t := types.Type{Kind: types.Kind(whole(a[4])), Scale: int(whole(a[5]))}
	if t.Kind == types.Time {
		m, ok := ParseClock(str(a[0]))
		if usec = m.microseconds() + sign*usec; !ok || months != 0 || max(usec, -usec) > maxClock {
			return nil, nil
		}
		return clockOf(usec).clockText(t.Scale), nil
	}
	m, ok := ParseMoment(str(a[0]))
	if !ok || !m.real() {
		return nil, nil
	}
	text := t.Kind == types.String
	if text { // a text in, a text out: with a time if there was one or the unit has one
		t.Kind = types.Date
		if m.clock || strings.Contains(unit, "SECOND") || strings.Contains(unit, "MINUTE") ||
			strings.Contains(unit, "HOUR") {
			t.Kind = types.Datetime
		}
	}
	total := int64(m.year)*12 + int64(m.month) - 1 + sign*months
	if total < 0 || total >= 12*10000 {
		return nil, nil
	}
	m.year, m.month = int(total/12), int(total%12)+1
	m.day = min(m.day, daysIn(m.year, m.month))
	out := m
	if _, ok := UnitMonths[unit]; !ok {
		if out, ok = m.plus(sign * usec); !ok {
			return nil, nil
		}
	}
	if text && out.usec != 0 {
		t.Scale = 6
	}
	return out.Format(t), nil
}

// addTime is my_add_time(moment or time, time, sign, digits of a second): -1 are as many as there are.
func addTime(a []driver.Value) (driver.Value, error) {
	m, ok := ParseTimeOrMoment(str(a[0]))
	by, is := ParseTimeOrMoment(str(a[1]))
	t := types.Type{Kind: types.Time, Scale: int(whole(a[3]))}
	usec := whole(a[2]) * by.microseconds()
	switch {
	case !ok, !is, by.dated: // a date is no length of time
		return nil, nil
	case !m.dated:
		m = clockOf(m.microseconds() + usec)
	case m.year != 0 && !m.real():
		return nil, refused("ADDTIME of a date with a zero in it")
	default:
		t.Kind = types.Datetime
		if m, ok = m.plus(usec); !ok || !m.real() {
			return nil, nil
		}
	}
	if t.Scale < 0 {
		t.Scale = 6 * min(m.usec, 1)
	}
	return m.Format(t), nil
}

// timestampDiff is my_timestampdiff(unit, from, to): whole units.
func timestampDiff(a []driver.Value) (driver.Value, error) {
	from, ok1 := ParseMoment(str(a[1]))
	to, ok2 := ParseMoment(str(a[2]))
	if !ok1 || !ok2 || !from.real() || !to.real() {
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
	return sign * (months / UnitMonths[unit]), nil
}

// extract is my_extract(unit, value, kind).
func extract(a []driver.Value) (driver.Value, error) {
	text, unit := str(a[1]), str(a[0])
	_, day := map[string]bool{"YEAR": true, "QUARTER": true, "MONTH": true, "WEEK": true, "DAY": true,
		"YEAR_MONTH": true}[unit]
	m, ok := ParseTimeOrMoment(text)
	if day && types.Kind(whole(a[2])) != types.Time {
		m, ok = ParseMoment(text)
	}
	if !ok {
		return nil, nil
	}
	sign := map[bool]int{false: 1, true: -1}[m.negative]
	one := map[string]int{"YEAR": m.year, "MONTH": m.month, "DAY": m.day, "HOUR": m.hour, "MINUTE": m.minute,
		"SECOND":      m.second,
		"MICROSECOND": m.usec, "QUARTER": (m.month + 2) / 3}
	if n, ok := one[unit]; ok {
		return int64(sign * n), nil
	}
	if unit == "WEEK" {
		if !m.real() {
			return nil, refused("EXTRACT(WEEK FROM a date with a month or day of zero)")
		}
		_, w := week(m, 0)
		return int64(w), nil
	}
	all := int64(0)
	for _, part := range partsOf(unit) {
		if all *= 100; part == "MICROSECOND" {
			all *= 10_000
		}
		all += int64(one[part])
	}
	return int64(sign) * all, nil
}
