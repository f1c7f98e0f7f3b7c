package mysqlfn

import (
	"strconv"
	"strings"
	"time"
)

// FormatHolds says what a format of STR_TO_DATE reads.
func FormatHolds(format string) (date, clock bool) {
	for i := 0; i+1 < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		i++
		date = date || strings.IndexByte("YymcdeDMbWa", format[i]) >= 0
		clock = clock || strings.IndexByte("HkhIlisSfpTr", format[i]) >= 0
	}
	return date, clock
}

// formatReader reads a text by a format of DATE_FORMAT.
type formatReader struct {
	s      string // what is left
	m      Moment
	twelve bool // the hour is one of twelve
	pm     bool
}

// parseFormat is STR_TO_DATE. Text behind what the format reads is passed over, as MySQL does with a warning.
func parseFormat(s, format string) (Moment, bool) {
	r := formatReader{s: s}
	for i := 0; i < len(format); i++ {
		if r.s = strings.TrimLeft(r.s, " "); r.s == "" { // what the format has more is 0
			break
		}
		switch {
		case format[i] == ' ':
		case format[i] == '%' && i+1 < len(format):
			i++
			if !r.part(format[i]) {
				return r.m, false
			}
		case !r.prefix(format[i : i+1]):
			return r.m, false
		}
	}
	if r.twelve {
		r.m.hour %= 12
		if r.pm {
			r.m.hour += 12
		}
	}
	return r.m, r.m.hour < 24 && r.m.minute < 60 && r.m.second < 60
}

func (r *formatReader) prefix(p string) bool {
	rest, ok := strings.CutPrefix(r.s, p)
	r.s = rest
	return ok
}

// number reads at most width digits into n.
func (r *formatReader) number(width int, n *int) bool {
	end := 0
	for end < len(r.s) && end < width && r.s[end] >= '0' && r.s[end] <= '9' {
		end++
	}
	v, err := strconv.Atoi(r.s[:end])
	*n, r.s = v, r.s[end:]
	return err == nil
}

// part reads what %c stands for.
func (r *formatReader) part(c byte) bool {
	m := &r.m
	switch c {
	case 'Y':
		left := len(r.s)
		ok := r.number(4, &m.year)
		if left-len(r.s) <= 2 {
			m.year = century(m.year)
		}
		return ok
	case 'y':
		ok := r.number(2, &m.year)
		m.year = century(m.year)
		return ok
	case 'm', 'c':
		return r.number(2, &m.month)
	case 'd', 'e':
		return r.number(2, &m.day)
	case 'D': // 1st
		ok := r.number(2, &m.day) && len(r.s) >= 2
		if ok {
			r.s = r.s[2:]
		}
		return ok
	case 'M', 'b':
		m.month = r.named(12, c == 'b', func(n int) string { return time.Month(n).String() })
		return m.month > 0
	case 'W', 'a':
		return r.named(7, c == 'a', func(n int) string { return time.Weekday(n - 1).String() }) > 0
	case 'H', 'k':
		return r.number(2, &m.hour)
	case 'h', 'I', 'l':
		r.twelve = true
		return r.number(2, &m.hour) && m.hour >= 1 && m.hour <= 12
	case 'i':
		return r.number(2, &m.minute)
	case 's', 'S':
		return r.number(2, &m.second)
	case 'f':
		digits, n := r.s, 0
		ok := r.number(6, &n)
		m.usec = fraction("." + digits[:len(digits)-len(r.s)])
		return ok
	case 'p':
		word := strings.ToUpper(r.s[:min(2, len(r.s))])
		r.s, r.pm = r.s[len(word):], word == "PM"
		return r.pm || word == "AM"
	case 'T':
		return r.part('H') && r.prefix(":") && r.part('i') && r.prefix(":") && r.part('s')
	case 'r':
		return r.part('I') && r.prefix(":") && r.part('i') && r.prefix(":") && r.part('s') &&
			r.prefix(" ") && r.part('p')
	case '%':
		return r.prefix("%")
	}
	return false
}

// named reads a word that is one of the names 1 to n, or begins no other, and says which; 0 is none. Source: check_word
// in sql/item_timefunc.cc.
func (r *formatReader) named(n int, short bool, name func(int) string) (found int) {
	rest := strings.TrimLeft(r.s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	word, fits := r.s[:len(r.s)-len(rest)], 0
	for i := 1; i <= n; i++ {
		full := name(i)
		if short {
			full = full[:3]
		}
		if len(word) > 0 && len(word) <= len(full) && strings.EqualFold(full[:len(word)], word) {
			if found, fits = i, fits+1; len(word) == len(full) {
				fits = 1
				break
			}
		}
	}
	if r.s = rest; fits != 1 {
		return 0
	}
	return found
}
