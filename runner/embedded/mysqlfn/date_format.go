package mysqlfn

import (
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// week is MySQL's WEEK with a mode, and the year that the week belongs to.
// Source: calc_week in sql-common/my_time.cc.
func week(m Moment, mode int) (year, week int) {
	monday, iso, firstWeekday := mode&1 != 0, mode&2 != 0, mode&4 != 0
	if !monday {
		firstWeekday = !firstWeekday
	}
	year = m.year
	dayNr := m.dayNumber()
	firstNr := dayNumber(m.year, 1, 1)
	weekday := func(n int64) int { // 0 is the first day of the week
		if monday {
			return int((n + 5) % 7)
		}
		return int((n + 6) % 7)
	}
	first := weekday(firstNr)
	late := func() bool { return firstWeekday && first != 0 || !firstWeekday && first >= 4 }
	if m.month == 1 && m.day <= 7-first && late() {
		switch {
		case !iso:
			return year, 0
		case year == 0:
			panic(stop{refused("a week before year 0")})
		}
		year--
		firstNr = dayNumber(m.year-1, 1, 1)
		first = weekday(firstNr)
	}
	days := int(dayNr-firstNr) + first
	if late() {
		days -= 7
	}
	if iso && days >= 52*7 {
		next := dayNumber(year+1, 1, 1)
		if w := weekday(next); !firstWeekday && w < 4 && days/7 == 52 || firstWeekday && w == 0 {
			if dayNr >= next-int64(w) {
				return year + 1, 1
			}
		}
	}
	return year, days/7 + 1
}

// dateFormat is DATE_FORMAT.
func dateFormat(m Moment, format string) driver.Value {
	if format == "" {
		return nil
	}
	timed := m.clock && !m.dated && m.year == 0 && !m.real() // of TIME_FORMAT
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
		numbers := [...]int{m.year, m.year % 100, m.month, m.month, m.day, m.day, m.hour, m.hour, hour12, hour12,
			hour12, m.minute, m.second, m.second, m.usec}
		if at := strings.IndexByte("YymcdeHkhIlisSf", format[i]); at >= 0 {
			fmt.Fprintf(&b, "%0*d", int("422121212212226"[at]-'0'), numbers[at])
			continue
		}
		half := map[bool]string{true: "PM", false: "AM"}[m.hour%24 >= 12]
		switch c := format[i]; c {
		case 'D':
			if timed {
				return nil
			}
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
			if m.dated && !m.real() {
				panic(stop{refused("DATE_FORMAT of a date with a zero in it, with %%%c", c)})
			} else if !m.real() {
				return nil
			}
			dayFormat(&b, m, c)
		case 'p':
			b.WriteString(half)
		case 'T':
			fmt.Fprintf(&b, "%02d:%02d:%02d", m.hour, m.minute, m.second)
		case 'r':
			fmt.Fprintf(&b, "%02d:%02d:%02d %s", hour12, m.minute, m.second, half)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// dayFormat writes the parts of a DATE_FORMAT that need a real day.
func dayFormat(b *strings.Builder, m Moment, c byte) {
	modes := map[byte]int{'U': 0, 'u': 1, 'V': 2, 'v': 3, 'X': 2, 'x': 3}
	y, w := week(m, modes[c])
	switch c {
	case 'W':
		b.WriteString(m.weekday().String())
	case 'a':
		b.WriteString(m.weekday().String()[:3])
	case 'w':
		fmt.Fprintf(b, "%d", m.weekday())
	case 'j':
		fmt.Fprintf(b, "%03d", m.yearDay())
	case 'X', 'x':
		fmt.Fprintf(b, "%04d", y)
	default:
		fmt.Fprintf(b, "%02d", w)
	}
}

func ordinal(n int) string {
	suffix := "th"
	if n/10 != 1 && n%10 < 4 {
		suffix = [...]string{"th", "st", "nd", "rd"}[n%10]
	}
	return strconv.Itoa(n) + suffix
}
