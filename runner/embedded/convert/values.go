package convert

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// form is a set of what a text can be read as, and of what else it looks like.
type form uint32

const (
	pointed   form = 1 << iota // a number that has a point before its decimals
	commaed                    // one that has a comma there
	dmy                        // a day, its parts in this order
	mdy                        //
	ymd                        //
	clock                      // a time of day, or a span of hours
	cut                        // a number with decimals or thousands: pointed and commaed may be different numbers
	power                      // a number with an exponent
	percent                    // a number with a percent sign
	plus                       // a plus and 7 digits or more
	bracketed                  // a number in brackets
	noted                      // a number with a word behind it, or a footnote's mark
	dayDigits                  // eight digits that are a day
	code                       // digits only: a leading zero, or 16 and more
	timed                      // a day with a time
	shaped                     // it is not yet in MySQL's form
	measure                    // a number with a unit of measure
	vague                      // a day of two digits each, in any order
	anyDay    = dmy | mdy | ymd
)

// order is one of a day's parts, by its name of --dates.
type order struct {
	name string
	form form
	at   [3]int // where year, month and day stand
}

// lastOfTwo is the last year that two digits mean in this century: births and ends of contracts are of two digits.
const lastOfTwo = 2045

var orders = []order{{"DMY", dmy, [3]int{2, 1, 0}}, {"MDY", mdy, [3]int{2, 0, 1}}, {"YMD", ymd, [3]int{0, 1, 2}}}

// number is one that was read.
type number struct {
	negative           bool
	whole, part, power string // digits before and behind the point, without thousands, and the exponent
	unit               string // "%" or the currency's sign
	bracket            bool   // it stands in brackets
}

// text is the number in MySQL's form. Of percents it is a hundredth.
func (n number) text() string {
	if n.unit == "%" {
		digits := "00" + n.whole
		n.whole, n.part = strings.TrimLeft(digits[:len(digits)-2], "0"), digits[len(digits)-2:]+n.part
	}
	text := cmp.Or(n.whole, "0")
	if n.part != "" {
		text += "." + n.part
	}
	if n.negative {
		text = "-" + text
	}
	return text + n.power
}

// worded is what may be a number with a word behind it, or the mark of a footnote: "12 p", "12,5*", "12¹", "12 1)"; or
// a span of pandas: "0 days 06:30:18".
var worded = regexp.MustCompile(`^[^\pL\d]{0,3}[0-9][0-9.,\x{a0}\x{202f}]*(?:[ \x{a0}]?(?:[\p{L}°²³µ/]{1,12}\.?|\*+|[†‡§]|[¹²³⁴-⁹]+\)?|` +
	`\([a-z]\)|\[\w+\])|[ \x{a0}]\d\)| days?,? [+\d:.]+)$`)

// signed is the sign of a currency, with letters at it: A$.
var signed = regexp.MustCompile(`^\pL{0,3}\p{Sc}\pL{0,3}$`)

// affix reads what stands before or behind the digits of a number: a sign, brackets, a unit.
func affix(s string) (unit string, minus, bracket, ok bool) {
	if s == "" {
		return "", false, false, true
	}
	s = strings.ToLower(strings.Join(strings.Fields(s), ""))
	inner := strings.Trim(s, "()")
	unit = strings.Trim(inner, "-−–")
	if units[inner] {
		unit = inner
	}
	return unit, unit != inner, inner != s, unit == "" || unit == "+" || units[unit] || measures[unit] ||
		signed.MatchString(unit)
}

func digit(r rune) bool { return '0' <= r && r <= '9' }

func digitsOnly(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !digit(r) }) < 0
}

// parseNumber reads a number with a point or a comma before its decimals: "-1.50", "1.234,50 €", "(5)", "1e5", "7 %".
func parseNumber(s string, decimal byte) (n number, ok bool) {
	if dashes := strings.TrimRight(s, "-–"); len(dashes) < len(s) && strings.HasSuffix(dashes, string(decimal)) {
		s = dashes[:len(dashes)-1] // 5.--
	}
	first, last := strings.IndexFunc(s, digit), strings.LastIndexFunc(s, digit)
	if first < 0 || len(s) > maxNumber {
		return n, false
	}
	if first > 0 && s[first-1] == decimal && (first == 1 || !units[strings.ToLower(strings.TrimSpace(s[:first]))]) {
		first-- // .5
	}
	short := last > 2 && s[last-2] == decimal && known["currency before cents"][strings.ToLower(s[:first])] // R 5.00
	unit, minus, bracket, ok1 := affix(s[:first])
	unit2, minus2, bracket2, ok2 := affix(s[last+1:])
	if !ok1 && !short || !ok2 || measures[unit] || unit2 == "+" ||
		bracket != bracket2 || minus && minus2 || unit != "" && unit != "+" && unit2 != "" {
		return n, false
	}
	n.negative, n.bracket = minus || minus2 || bracket, bracket
	n.unit = strings.TrimPrefix(unit+unit2, "+")
	body := s[first : last+1]
	if e := strings.IndexAny(body, "eE"); e > 0 {
		digits := strings.TrimLeft(body[e+1:], "+-")
		if len(body)-e-1-len(digits) > 1 || len(digits) > 3 || !digitsOnly(digits) {
			return n, false
		}
		body, n.power = body[:e], "e"+body[e+1:]
	}
	n.whole = body
	if at := strings.LastIndexByte(body, decimal); at >= 0 {
		if n.whole, n.part = body[:at], body[at+1:]; n.part == "" {
			return n, false
		}
	}
	n.whole, ok = ungroup(n.whole, decimal)
	_, err := strconv.ParseFloat(n.text(), 64) // 1e400 is beyond a double
	return n, ok && digitsOnly(n.part) && err == nil
}

// maxNumber is how many bytes a text may have that is read as a number.
const maxNumber = 100

// ungroup takes the signs between thousands out of digits: all are the same, and three digits follow each.
func ungroup(s string, decimal byte) (digits string, ok bool) {
	at := strings.IndexFunc(s, func(r rune) bool { return !digit(r) })
	if at < 0 {
		return s, true
	}
	sign, size := utf8.DecodeRuneInString(s[at:])
	if at == 0 || at > 3 || s[0] == '0' || sign == rune(decimal) || !strings.ContainsRune(thousands, sign) {
		return "", false
	}
	groups := strings.Split(s[at+size:], string(sign))
	for i, g := range groups {
		want := 3
		if sign == ',' && at < 3 && len(groups[0]) == 2 && i < len(groups)-1 {
			want = 2 // 12,34,567 in India
		}
		if len(g) != want || !digitsOnly(g) {
			return "", false
		}
	}
	return s[:at] + strings.Join(groups, ""), true
}

// thousands are the signs between those of a number, among them blanks that do not break, and apostrophes.
const thousands = "., \u00a0\u202f\u2009'’"

// monthOf is the number of a month by three letters of its name or more; 0 for other words.
func monthOf(word string) int {
	word = strings.ToLower(word)
	for i := 1; i <= 12 && utf8.RuneCountInString(word) >= 3 && !digit(rune(word[0])); i++ {
		for name := range known["month "+strconv.Itoa(i)] {
			if strings.HasPrefix(name, word) {
				return i
			}
		}
	}
	return 0
}

// day is a date as it is written: three numbers, and a time that may follow.
type day struct {
	part  [3]int
	fits  form   // the orders in which it is a day
	named bool   // the parts are year, month and day, whatever the order of others
	clock string // the time in MySQL's form; "" without
	zone  string // "Z", "+01:00"
}

// date is the date in MySQL's form, of parts in an order.
func (d day) date(order form) string {
	y, m, n := d.in(order)
	return fmt.Sprintf("%04d-%02d-%02d", y, m, n)
}

func (d day) in(order form) (y, m, n int) {
	at := [3]int{0, 1, 2}
	for _, o := range orders {
		if o.form == order && !d.named {
			at = o.at
		}
	}
	if y = d.part[at[0]]; y+2000 <= lastOfTwo {
		y += 2000
	} else if y < 100 {
		y += 1900
	}
	return y, d.part[at[1]], d.part[at[2]]
}

// parseDay reads a date, with or without a time: "2024-01-31", "31.1.24 10:00", "Jan 31, 2024", "2024-01-31T10:00:00Z".
func parseDay(s string) (d day, ok bool) {
	if len(s) < 6 || len(s) > 40 {
		return d, false
	}
	if len(s) == 8 && digitsOnly(s) {
		s = s[:4] + "-" + s[4:6] + "-" + s[6:]
	}
	if word, rest, found := strings.Cut(s, ", "); found && weekdays[strings.ToLower(strings.TrimSuffix(word, "."))] {
		s = rest
	}
	if at := strings.IndexByte(s, ':'); at > 0 {
		at = strings.LastIndexAny(s[:at], " T")
		if at < 0 {
			return d, false
		}
		if d.clock, d.zone, ok = parseClock(s[at+1:], 23); !ok {
			return d, false
		}
		s = strings.TrimRight(s[:at], ", ")
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return r <= '/' && strings.ContainsRune("-/., ", r) })
	if len(parts) != 3 || !strings.HasPrefix(s, parts[0]) || !strings.HasSuffix(s, parts[2]) {
		return d, false
	}
	sign, rest, _ := strings.Cut(s[len(parts[0]):], parts[1])
	var length [3]int
	month := -1
	for i, p := range parts {
		if length[i] = len(p); p == "" || length[i] > 20 {
			return d, false
		}
		if m := monthOf(p); m > 0 && month < 0 {
			d.part[i], month = m, i
			continue
		}
		if p == "1er" {
			p, length[i] = "1", 1
		}
		n, err := strconv.Atoi(p)
		if err != nil || length[i] > 4 || length[i] == 3 || length[i] == 4 && n < 1000 || !digitsOnly(p) {
			return d, false
		}
		d.part[i] = n
	}
	p := d.part
	switch same := rest == sign+parts[2]; {
	case month == 0 && length[2] != 1: // Jan 31, 2024
		d.part, d.named = [3]int{p[2], p[0], p[1]}, true
	case month == 1 && length[0] == 4: // 2024-Jan-31
		d.named = true
	case month == 1 && length[2] != 1: // 31 January 2024
		d.part, d.named = [3]int{p[2], p[1], p[0]}, true
	case month >= 0 || !same || !slices.Contains([]string{"-", "/", ".", ". "}, sign):
		return d, false
	case length[0] == 4 && length[1] <= 2 && length[2] <= 2:
		d.named = true
	case length[0] > 2 || length[1] > 2 || length[2] == 1:
		return d, false
	case sign == "-" && length == [3]int{2, 2, 2}:
		d.fits = anyDay | vague
	case sign == "/" || sign == "-":
		d.fits = dmy | mdy
	default: // nobody writes months first with points
		d.fits = dmy
	}
	if d.named {
		d.fits = anyDay
	}
	for _, o := range orders {
		y, m, n := d.in(o.form)
		at := time.Date(y, time.Month(m), n, 0, 0, 0, 0, time.UTC)
		if d.fits&o.form != 0 && (y < 1000 || m < 1 || m > 12 || n < 1 || at.Day() != n) {
			d.fits &^= o.form
		}
	}
	return d, d.fits&anyDay != 0
}

// parseClock reads a time of day or a span of hours, "8:15", "8h05", "10:00:00.5", "9:30 PM", and a zone behind it.
func parseClock(s string, most int) (clock, zone string, ok bool) {
	h, rest, ok := strings.Cut(s, ":")
	if !ok && strings.Contains(s, "h") { // 8h05
		h, rest, ok = strings.Cut(strings.ReplaceAll(s, " ", ""), "h")
	}
	if !ok || len(h) == 0 || len(h) > 3 || len(rest) < 2 || len(s) > 40 || !digitsOnly(h) {
		return "", "", false
	}
	hours, _ := strconv.Atoi(h)
	end := strings.IndexFunc(rest, func(r rune) bool { return !digit(r) && r != ':' && r != '.' && r != ',' })
	if end >= 0 {
		switch zone = strings.TrimSpace(rest[end:]); strings.ToUpper(zone) {
		case "AM", "PM", "A.M.", "P.M.":
			if hours < 1 || hours > 12 {
				return "", "", false
			}
			if hours %= 12; zone[0] == 'P' || zone[0] == 'p' {
				hours += 12
			}
			zone = ""
		case "UHR", "H":
			zone = ""
		case "UTC", "GMT", "Z":
			zone = "Z"
		default:
			_, err := time.Parse("-0700", strings.Replace(zone, ":", "", 1))
			_, hours := time.Parse("-07", zone) // as PostgreSQL has it
			if err != nil && hours != nil {
				return "", "", false
			}
		}
		rest = strings.TrimRight(rest[:end], " ")
	}
	minutes, seconds, some := strings.Cut(rest, ":")
	seconds, part, fraction := strings.Cut(strings.Replace(seconds, ",", ".", 1), ".")
	if !some {
		seconds = "00"
	}
	if len(minutes) != 2 || len(seconds) != 2 || !digitsOnly(minutes+seconds+part) ||
		minutes > "59" || seconds > "59" || hours > most || fraction && (part == "" || len(part) > 9) {
		return "", "", false
	}
	if part = part[:min(len(part), 6)]; part != "" {
		seconds += "." + part
	}
	return fmt.Sprintf("%02d:%s:%s", hours, minutes, seconds), zone, true
}
