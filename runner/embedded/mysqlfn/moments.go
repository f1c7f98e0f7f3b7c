package mysqlfn

import (
	"database/sql/driver"
	"encoding/binary"
	"math"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"

	"nl2sql/runner/embedded/types"
)

// The last number of each form that a date may be written in as a number, and the first of the next. Years of two
// digits turn at 70.
const (
	lastShortDay, firstShortDay       = 69_12_31, 70_01_01
	lastDay                           = 9999_12_31
	lastShortMoment, firstShortMoment = 69_12_31_23_59_59, 70_01_01_00_00_00
	firstMoment                       = 1000_01_01_00_00_00
)

// NumberMoment reads a number as a date or, beyond eight digits, a date and time. Zero is the zero date.
// Source: number_to_datetime in sql-common/my_time.cc.
func NumberMoment(f float64) (m Moment, ok bool) {
	n := int64(math.Floor(f))
	clock := n > lastDay
	switch {
	case f < 0 || f >= 1e14:
		return m, false
	case n == 0 || n >= firstMoment:
	case n < 101:
		return m, false
	case n <= lastShortDay:
		n = (n + 2000_00_00) * 1e6
	case n < firstShortDay:
		return m, false
	case n <= 99_12_31:
		n = (n + 1900_00_00) * 1e6
	case n <= lastDay:
		n *= 1e6
	case n < 101_00_00_00:
		return m, false
	case n <= lastShortMoment:
		n += 2000_00_00_00_00_00
	case n < firstShortMoment:
		return m, false
	case n <= 99_12_31_23_59_59:
		n += 1900_00_00_00_00_00
	}
	day, second := n/1e6, n%1e6
	m = Moment{year: int(day / 10000), month: int(day / 100 % 100), day: int(day % 100), hour: int(second / 10000),
		minute: int(second / 100 % 100), second: int(second % 100), clock: clock}
	m.usec = int(math.Round((f - math.Floor(f)) * 1e6))
	return m, m.valid() && m.hour < 24 && m.usec < 1e6
}

// NumberClock reads a number as a time, HHMMSS; one of more than ten digits as the time of day of a date.
// Source: number_to_time in sql-common/my_time.cc.
func NumberClock(f float64) (m Moment, ok bool) {
	a := math.Abs(f)
	n := int64(a)
	if n > 838_59_59 {
		if f < 1e10 {
			return m, false
		}
		m, ok = NumberMoment(f)
		return m, ok && m.real()
	}
	m = Moment{hour: int(n / 10000), minute: int(n / 100 % 100), second: int(n % 100), negative: f < 0, clock: true}
	m.usec = int(math.Round((a - math.Floor(a)) * 1e6))
	return m, m.minute < 60 && m.second < 60 && m.usec < 1e6
}

// StoredYear is what a YEAR holds of a number or a text: two digits stand for 1970 to 2069, and only the number 0 for
// 0. Source: Field_year::store in sql/field.cc.
func StoredYear(f float64, text bool) (year int64, ok bool) {
	year = int64(math.RoundToEven(f))
	switch {
	case year < 0 || year > 2155 || year > 99 && year < 1901:
		return 0, false
	case year == 0 && !text:
		return 0, true
	case year < 70:
		return year + 2000, true
	case year < 100:
		return year + 1900, true
	}
	return year, true
}

// parted is a number, or a DECIMAL as a text, as a whole number and its fraction: "" or a point and digits.
func parted(v driver.Value) (n float64, frac string) {
	text, ok := v.(string)
	if !ok {
		text = strconv.FormatFloat(num(v), 'f', 9, 64)
	}
	digits, frac, _ := strings.Cut(text, ".")
	if frac = strings.TrimRight(frac, "0"); frac != "" {
		frac = "." + frac
	}
	return LeadingNumber(digits), frac
}

// crossings are what translations call for values where a date or time is wanted, or a date or time where a number is.
var crossings = table{
	"number_moment": {Call: func(a []driver.Value) (driver.Value, error) { // as a text
		n, frac := parted(a[0])
		m, ok := NumberMoment(n)
		switch {
		case !ok, math.Signbit(n) && frac != "":
			return nil, nil
		case !m.clock && n != 0:
			return m.Date(), nil
		}
		return m.Format(types.Type{Kind: types.Datetime}) + frac, nil
	}},
	"number_clock": {Call: func(a []driver.Value) (driver.Value, error) { // as a text
		n, frac := parted(a[0])
		m, ok := NumberClock(n)
		switch {
		case !ok:
			return nil, nil
		case m.real():
			return m.Format(types.Type{Kind: types.Datetime}) + frac, nil
		case math.Signbit(n):
			return "-" + strings.TrimPrefix(m.clockText(0), "-") + frac, nil
		}
		return m.clockText(0) + frac, nil
	}},
	"bit_bytes": {Call: func(a []driver.Value) (driver.Value, error) { // number, bits
		return binary.BigEndian.AppendUint64(nil, uint64(whole(a[0])))[8-(whole(a[1])+7)/8:], nil
	}},
	"latin1_bytes": {Call: func(a []driver.Value) (driver.Value, error) {
		b := []byte{}
		for _, r := range str(a[0]) {
			c, ok := charmap.Windows1252.EncodeRune(r)
			if !ok {
				c = '?'
			}
			b = append(b, c)
		}
		return b, nil
	}},
	"day_clock": {Call: func(a []driver.Value) (driver.Value, error) { // time, the statement's day, digits
		m, ok := ParseClock(str(a[0]))
		if !ok {
			return nil, nil
		}
		t := types.Type{Kind: types.Datetime, Scale: int(whole(a[2]))}
		today, _ := ParseMoment(str(a[1]))
		m, _ = today.plus(m.microseconds()) // no clock shows a day near 9999
		return formatted(m.rounded(t.Scale))(t), nil
	}},
	"moment": {Call: func(a []driver.Value) (driver.Value, error) { // of any text: one that is none is the zero date
		m, ok := ParseMoment(str(a[0]))
		if !ok || !m.real() {
			m = Moment{}
		}
		return m.Format(types.Type{Kind: types.Datetime, Scale: 6}), nil
	}},
	"year_moment": {Call: func(a []driver.Value) (driver.Value, error) {
		return Moment{year: int(whole(a[0]))}.Date(), nil
	}},
	// a moment or time with digits of a second
	"temporal_decimal": {Call: func(a []driver.Value) (driver.Value, error) {
		text := str(a[0])
		n, err := temporalNumber(text, types.Kind(whole(a[1])))
		if n == nil || err != nil {
			return nil, err
		}
		_, frac, _ := strings.Cut(text, ".")
		sign := ""
		if strings.HasPrefix(text, "-") && n == int64(0) {
			sign = "-"
		}
		return EncodeWide(sure(parseWide(sign + strconv.FormatInt(n.(int64), 10) + "." + frac)))
	}},
	"dated_number": {Call: func(a []driver.Value) (driver.Value, error) { // of a date, moment or time as a text
		m, ok := ParseMoment(str(a[0]))
		t := types.Type{Kind: map[bool]types.Kind{false: types.Date, true: types.Datetime}[m.clock]}
		if strings.LastIndex(str(a[0]), "-") < 1 {
			m, ok = ParseClock(str(a[0]))
			t.Kind = types.Time
		}
		switch {
		case !ok:
			return nil, nil
		case m.negative:
			return float64(m.number(t)) - float64(m.usec)/1e6, nil
		}
		return float64(m.number(t)) + float64(m.usec)/1e6, nil
	}},
	"kept_date": {Call: func(a []driver.Value) (driver.Value, error) {
		m, ok := ParseMoment(str(a[0]))
		if ok && strings.Contains(m.Date(), "-00") && (m.Date() > "0001" || m.HasFraction()) {
			return nil, refused("a text that is a date with a month or day of zero where a table keeps it")
		}
		return a[0], nil
	}},
	"temporal_number": {Call: func(a []driver.Value) (driver.Value, error) {
		return temporalNumber(str(a[0]), types.Kind(whole(a[1])))
	}},
}

// temporalNumber is a moment or time as a number, without its fraction.
func temporalNumber(text string, k types.Kind) (driver.Value, error) {
	m, ok := ParseMoment(text)
	if k == types.Time {
		m, ok = ParseClock(text)
	}
	if !ok {
		return nil, nil
	}
	return m.number(types.Type{Kind: k}), nil
}

// MySQL's calendar is the Gregorian one from year 0, which is no leap year there, to 9999. All that counts days counts
// with these numbers. Source: calc_daynr, get_date_from_daynr, calc_weekday in sql-common/my_time.cc.

// lastDayNumber is that of 9999-12-31.
const lastDayNumber = 3652424

// daysIn is how many days a month has.
func daysIn(year, month int) int {
	if year == 0 && month == 2 {
		return 28
	}
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// dayNumber is TO_DAYS: days since year 0.
func dayNumber(year, month, day int) int64 {
	if year == 0 && month == 0 {
		return 0
	}
	n := 365*year + 31*(month-1) + day
	if month <= 2 {
		year--
	} else {
		n -= (month*4 + 23) / 10
	}
	return int64(n + year/4 - (year/100+1)*3/4)
}

// fromDayNumber is FROM_DAYS: the zero date for what is before year 1, or long after 9999.
func fromDayNumber(n int64) Moment {
	const beyond = 3652500
	if n <= 365 || n >= beyond {
		return Moment{}
	}
	t := time.Unix((n-719528)*86400, 0).UTC()
	return Moment{year: t.Year(), month: int(t.Month()), day: t.Day()}
}

// real says that a moment is of a day: neither its month nor its day is 0.
func (m Moment) real() bool { return m.month != 0 && m.day != 0 }

// dayNumber is that of the moment's day.
func (m Moment) dayNumber() int64 { return dayNumber(m.year, m.month, m.day) }

// weekday is that of the moment's day.
func (m Moment) weekday() time.Weekday { return time.Weekday((m.dayNumber() + 6) % 7) }

// yearDay is the number of the moment's day in its year, from 1 on.
func (m Moment) yearDay() int64 { return m.dayNumber() - dayNumber(m.year, 1, 1) + 1 }

// on is the time of day of the moment on another day.
func (m Moment) on(day int64) Moment {
	date := fromDayNumber(day)
	m.year, m.month, m.day = date.year, date.month, date.day
	return m
}

// plus is the moment so many microseconds later. ok is false where that is before year 0 or after 9999; within year 0
// MySQL gives the zero date.
func (m Moment) plus(usec int64) (out Moment, ok bool) {
	const day = 86400 * 1e6
	usec += m.microsecondsOfDay()
	days := usec / day
	if usec %= day; usec < 0 {
		usec += day
		days--
	}
	out = clockOf(usec)
	days += m.dayNumber()
	return out.on(days), days >= 0 && days <= lastDayNumber
}
