package mysqlfn

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"nl2sql/runner/embedded/types"
)

// microsecondsOfDay is the time of day of a moment.
func (m Moment) microsecondsOfDay() int64 {
	m.negative = false
	return m.microseconds()
}

// total is the moment in microseconds since year 0.
func (m Moment) total() int64 { return m.dayNumber()*86400*1e6 + m.microsecondsOfDay() }

// Moment is a date, a date and time, or (date zero) a time. Months and days may be 0 as in MySQL's zero dates.
type Moment struct {
	year, month, day           int
	hour, minute, second, usec int
	negative                   bool // of a time
	clock                      bool // a time of day was given
	dated                      bool // a text had a date, perhaps of zeros
	beyond                     bool // of a time: it was longer than MySQL's longest
}

// FromTime is a Go time as a date and time.
func FromTime(t time.Time) Moment {
	return Moment{year: t.Year(), month: int(t.Month()), day: t.Day(), hour: t.Hour(), minute: t.Minute(),
		second: t.Second(), usec: t.Nanosecond() / 1000, clock: true}
}

// Date is YYYY-MM-DD.
func (m Moment) Date() string { return fmt.Sprintf("%04d-%02d-%02d", m.year, m.month, m.day) }

// clockText is HH:MM:SS with fsp fractional digits (0 to 6).
func (m Moment) clockText(fsp int) string {
	text := fmt.Sprintf("%02d:%02d:%02d", m.hour, m.minute, m.second)
	if fsp > 0 {
		text += fmt.Sprintf(".%06d", m.usec)[:fsp+1]
	}
	if m.negative && m.microseconds() != 0 {
		text = "-" + text
	}
	return text
}

// Format writes the moment as a column of this type holds it.
func (m Moment) Format(t types.Type) string {
	switch t.Kind {
	case types.Date:
		return m.Date()
	case types.Time:
		return m.clockText(t.Scale)
	}
	return m.Date() + " " + m.clockText(t.Scale)
}

// HasFraction says that there is a fraction of a second.
func (m Moment) HasFraction() bool { return m.usec != 0 }

// Midnight says that the day has just begun, as far as seconds tell.
func (m Moment) Midnight() bool { return m.hour == 0 && m.minute == 0 && m.second == 0 }

// LateDay says that a date is none only because its month has no such day.
func (m Moment) LateDay() bool {
	return m.month >= 1 && m.month <= 12 && m.day > 28 && m.day <= 31 && !m.clock
}

// valid says that the date exists, zero dates included.
func (m Moment) valid() bool {
	if m.month > 12 || m.day > 31 || m.minute > 59 || m.second > 59 || m.year > 9999 {
		return false
	}
	if m.month == 0 || m.day == 0 {
		return true
	}
	return m.day <= daysIn(m.year, m.month)
}

// ParseMoment reads a date or a date and time as loosely as MySQL does: any punctuation between the parts, one-digit
// parts, two-digit years, no punctuation at all. What follows a complete date is ignored (MySQL warns).
func ParseMoment(s string) (m Moment, ok bool) {
	if m, ok = parseMoment(s); !ok {
		return m, false
	}
	return m.carried()
}

// parseMoment is ParseMoment, but a fraction may be a whole second.
func parseMoment(s string) (m Moment, ok bool) {
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	if fastDate(s) {
		n := func(from, to int) int { v, _ := strconv.Atoi(s[from:to]); return v }
		m = Moment{year: n(0, 4), month: n(5, 7), day: n(8, 10), dated: true}
		return m, m.valid()
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789T"))
	internal, width := digits == len(s) || s[digits] == '.', 2 // no signs between the parts, so each has its width
	if digits == 4 || digits == 8 || digits >= 14 {
		width = 4
	}
	short := internal && width == 2 // the year
	var part [6]int
	i, n := 0, 0
	for n < 6 && i < len(s) {
		start := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' && (!internal || i-start < width) {
			i++
		}
		if i == start || n == 0 && i-start > 4 {
			break
		}
		part[n], _ = strconv.Atoi(s[start:i])
		short = short || n == 0 && i-start == 2
		width = 2
		if n++; n == 6 || i == len(s) {
			break
		}
		if n == 3 && s[i] == 'T' {
			i++
			continue
		}
		next := len(s) - len(strings.TrimLeftFunc(s[i:], func(c rune) bool {
			return c < 0x80 && (unicode.IsPunct(c) || unicode.IsSymbol(c) || unicode.IsSpace(c))
		}))
		if n != 3 && strings.ContainsFunc(s[i:next], unicode.IsSpace) { // which may only follow the day
			return m, false
		}
		i = next
	}
	if n < 3 || part == [6]int{} && (short || !strings.HasPrefix(s, "0000")) {
		return m, false
	}
	if short {
		part[0] = century(part[0])
	}
	m.clock = n > 3
	m.year, m.month, m.day, m.hour, m.minute, m.second = part[0], part[1], part[2], part[3], part[4], part[5]
	m.dated = true
	m.usec = fraction(s[i:])
	return m, m.valid() && m.hour < 24
}

// fastDate says that s looks like YYYY-MM-DD.
func fastDate(s string) bool {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return false
	}
	for i := range len(s) {
		if i != 4 && i != 7 && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return true
}

// century completes a two-digit year: 70 to 99 are 1970 to 1999.
func century(y int) int {
	if y < 70 {
		return 2000 + y
	}
	return 1900 + y
}

// carried is the moment whose fraction may be a whole second, rounded up from more than six digits. ok is false where
// that is after 9999.
func (m Moment) carried() (out Moment, ok bool) {
	switch {
	case m.usec < 1e6:
		return m, true
	case m.real():
		m.usec = 0
		out, ok = m.plus(1e6)
		out.dated = m.dated
		return out, ok
	case m.dated && m.Date() == Moment{}.Date():
		return m, false
	case m.dated: // a date with a zero in it
		m.usec = 999999
		return m, true
	}
	negative := m.negative
	m = clockOf(m.microsecondsOfDay())
	m.negative = negative
	return m, true
}

// fraction reads ".5" as microseconds, rounded by the seventh digit: it may be a whole second.
func fraction(s string) int {
	if !strings.HasPrefix(s, ".") {
		return 0
	}
	end := 1
	for end < len(s) && end < 7 && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, _ := strconv.Atoi((s[1:end] + "000000")[:6])
	if end == 7 && len(s) > 7 && s[7] >= '5' && s[7] <= '9' {
		n++
	}
	return n
}

// noTime is how a long text begins that MySQL takes for a date, which it is not.
var noTime = regexp.MustCompile(`^\d{1,6}[^\d\s[:punct:]]`)

// ParseTimeOrMoment reads a time, or a date and time; a time has no day. What is rounded up to a whole second is so in
// its hours, not its day.
func ParseTimeOrMoment(s string) (m Moment, ok bool) {
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	switch {
	case len(s) >= 12 && noTime.MatchString(s):
		return m, false
	case len(s) >= 12 && (strings.Contains(s, " ") || strings.Trim(s, "0123456789") == ""):
		if m, ok := parseMoment(s); ok && m.usec < 1e6 {
			return m, true
		} else if ok {
			m = clockOf(m.microseconds())
			m.dated = true
			return m, true
		}
	}
	return parseTime(s)
}

// ParseClock is parseTimeOrMoment without the day.
func ParseClock(s string) (Moment, bool) {
	m, ok := ParseTimeOrMoment(s)
	m.year, m.month, m.day, m.dated = 0, 0, 0, false
	return m, ok
}

// parseTime reads a time: [-][D ]HH:MM[:SS[.f]], HHMMSS[.f]. What follows is ignored (MySQL warns), so 2004-01-01 is
// 2004, hence 00:20:04. Source: str_to_time in sql-common/my_time.cc.
func parseTime(s string) (m Moment, ok bool) {
	m.clock = true
	s, m.negative = strings.CutPrefix(s, "-")
	given := s != "" && (s[0] >= '0' && s[0] <= '9' || s[0] == '.')
	number := func() int {
		end := 0
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi("0" + s[:end])
		given = given && err == nil && n <= math.MaxUint32
		s = s[end:]
		return n
	}
	colon := func() bool { return len(s) > 1 && s[0] == ':' && s[1] >= '0' && s[1] <= '9' }
	first := number()
	rest := strings.TrimLeft(s, " ")
	switch {
	case len(rest) < len(s) && len(rest) > 1 && rest[0] >= '0' && rest[0] <= '9': // days
		s = rest
		m.hour = first * 24
		m.hour += number()
	case colon():
		m.hour = first
	default:
		m.hour, m.minute, m.second = first/10000, first/100%100, first%100
		given = given && !exponent.MatchString(s)
		return m.timed(s, given)
	}
	for _, part := range []*int{&m.minute, &m.second} {
		if !colon() {
			break
		}
		s = s[1:]
		*part = number()
	}
	return m.timed(s, given)
}

// timed is a time with the fraction that a text begins with, and no longer than MySQL's longest. ok is false if it was
// none before.
func (m Moment) timed(frac string, ok bool) (Moment, bool) {
	ok = ok && m.minute < 60 && m.second < 60
	m.usec = fraction(frac)
	if m.hour > 838 || m.microsecondsOfDay() > maxClock {
		m.hour, m.minute, m.second, m.usec, m.beyond = 838, 59, 59, 0, true
	}
	m, _ = m.carried()
	return m, ok
}

// exponent is that of a number, behind its digits.
var exponent = regexp.MustCompile(`^(\.[0-9]*)?[eE][-+]?[0-9]`)

// CanonicalTemporal writes a text as a column of this type holds it.
func CanonicalTemporal(text string, t types.Type) (string, bool) {
	if t.Kind == types.Time {
		m, ok := ParseClock(text)
		m, fits := m.rounded(t.Scale)
		return m.Format(t), ok && fits && strings.Trim(text, "0123456789:.- T") == ""
	}
	m, ok := ParseMoment(text)
	fits := true
	if t.Kind == types.Datetime {
		m, fits = m.rounded(t.Scale)
	}
	return m.Format(t), ok && fits
}

// TemporalLiteral is [CanonicalTemporal] of a literal, which must not be longer than MySQL's longest time nor have a
// zero for its month or day.
func TemporalLiteral(text string, t types.Type) (string, bool) {
	if t.Kind == types.Time {
		m, _ := ParseClock(text)
		text, ok := CanonicalTemporal(text, t)
		return text, ok && !m.beyond
	}
	m, ok := ParseMoment(text)
	return m.Format(t), ok && m.real()
}

// microseconds is a time's length.
func (m Moment) microseconds() int64 {
	n := (int64(m.hour)*3600+int64(m.minute)*60+int64(m.second))*1e6 + int64(m.usec)
	if m.negative {
		return -n
	}
	return n
}

// maxClock is MySQL's longest time, 838:59:59, in microseconds.
const maxClock = (838*3600 + 59*60 + 59) * 1e6

// rounded is the moment with so many digits of a second, rounded half up. ok is false where that is after 9999.
func (m Moment) rounded(places int) (out Moment, ok bool) {
	unit := int(powers[6-min(places, 6)])
	m.usec = (m.usec + unit/2) / unit * unit
	return m.carried()
}

// clockOf is a time of so many microseconds, limited to MySQL's ±838:59:59.
func clockOf(usec int64) Moment {
	m := Moment{clock: true}
	if usec < 0 {
		m.negative, usec = true, -usec
	}
	usec = min(usec, maxClock)
	m.usec = int(usec % 1e6)
	s := usec / 1e6
	m.hour, m.minute, m.second = int(s/3600), int(s/60%60), int(s%60)
	return m
}

// number is the moment as MySQL's temporal values are in numeric context: 20030106 or 20030106101500.
func (m Moment) number(t types.Type) int64 {
	clock := int64(m.hour)*10000 + int64(m.minute)*100 + int64(m.second)
	switch t.Kind {
	case types.Time:
		if m.negative {
			return -clock
		}
		return clock
	case types.Date:
		return int64(m.year)*10000 + int64(m.month)*100 + int64(m.day)
	}
	return (int64(m.year)*10000+int64(m.month)*100+int64(m.day))*1e6 + clock
}

// Unix is a moment of UTC in microseconds since 1970.
func (m Moment) Unix() int64 { return m.total() - dayNumber(1970, 1, 1)*86400*1e6 }
