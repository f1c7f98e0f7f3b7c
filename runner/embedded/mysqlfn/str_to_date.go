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
		for n := time.January; n <= time.December; n++ {
			if c == 'M' && r.named(n.String(), false) || r.named(n.String(), true) {
				m.month = int(n)
				return true
			}
		}
	case 'W', 'a':
		for n := time.Sunday; n <= time.Saturday; n++ {
			if r.named(n.String(), c == 'a') {
				return true
			}
		}
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
		end := 0
		for end < len(r.s) && end < 6 && r.s[end] >= '0' && r.s[end] <= '9' {
			end++
		}
		m.usec = fraction("." + r.s[:end])
		r.s = r.s[end:]
		return end > 0
	case 'p':
		r.pm = r.named("PM", false)
		return r.pm || r.named("AM", false)
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

// named reads a name, or its first three letters, ignoring case.
func (r *formatReader) named(name string, short bool) bool {
	if short {
		name = name[:3]
	}
	if len(r.s) < len(name) || !strings.EqualFold(r.s[:len(name)], name) {
		return false
	}
	r.s = r.s[len(name):]
	return true
}
