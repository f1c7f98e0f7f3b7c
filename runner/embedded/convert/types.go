package convert

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// kind is what a column holds.
type kind int

const (
	text kind = iota
	whole
	fixed // a decimal
	double
	date
	datetime
	clockTime
	blob
)

// At most one of oddShare values, and not more than maxOdd, may be of no type in a column that has one.
const (
	oddShare = 100
	maxOdd   = 20
)

// maxDigits is how many digits a whole number may have that is no code.
const maxDigits = 15

// column is what was seen of the values of one. Its type is found by all of them together, when all were seen.
type column struct {
	name  string
	texts bool // the file says that its values are texts, whatever they look like
	float bool // or floating-point numbers

	nulls        int
	empty        int            // texts without a character
	blank        int            // those of blanks, without quotes: they are NULL
	padded, bare int            // texts with blanks around them, texts without quotes
	words        map[string]int // words for NULL, by how often they stand without quotes
	quotedWords  map[string]int // and within
	seen         []seen
	plain        extent    // of numbers that are the same with a point and a comma
	cut          [2]extent // of those with decimals or thousands: with a point, with a comma
	fraction     int       // digits of a second
	chars        int
	bytes        int
	unit, zone   string // of the first number, of the first time
	units        bool   // there are others
	least        int    // bytes of the shortest
	sample       []cell // the first values
	numerals     int    // texts that are numbers, of a file that has both
	logical      int    // texts that are true or false
	garbled      string // one that seems to be UTF-8, read as something else

	// what is found of it
	kind   kind
	read   form // how its values are read: one of pointed to clock
	shaped bool // some values must be written in another form
	odd    int  // values that are NULL since they are of no type
	isNull map[string]bool
	trim   bool // blanks around its texts are left out
}

// seen is how often values of a form were met, and the first of them.
type seen struct {
	form  form
	n     int
	first string
	line  int
}

// extent is how large numbers are.
type extent struct {
	some          bool
	low, high     int64
	digits, scale int
	least, zeros  int   // places behind the point: the fewest, the most with a zero at the end
	wide          bool  // more than 64 bits
	next          int64 // the highest that is no noAnswer
}

func (e *extent) add(negative bool, digits, part string) {
	n, err := strconv.ParseInt(digits, 10, 64)
	if digits != "" && err != nil {
		e.wide = true
	}
	if negative {
		n = -n
	}
	if !e.some {
		e.low, e.high, e.some, e.least = n, n, true, len(part)
	}
	if e.least = min(e.least, len(part)); strings.HasSuffix(part, "0") {
		e.zeros = max(e.zeros, len(part))
	}
	e.low, e.high = min(e.low, n), max(e.high, n)
	if !noAnswer[n] {
		e.next = max(e.next, n)
	}
	e.digits, e.scale = max(e.digits, len(strings.TrimLeft(digits, "0")), 1), max(e.scale, len(part))
}

func (e extent) with(o extent) extent {
	if !e.some || !o.some {
		return cmp.Or(e, o)
	}
	return extent{some: true, low: min(e.low, o.low), high: max(e.high, o.high), digits: max(e.digits, o.digits),
		scale: max(e.scale, o.scale), wide: e.wide || o.wide, next: max(e.next, o.next)}
}

// look notes a value.
func (c *column) look(v cell, line int, known map[string]bool) {
	if v.mark == none {
		c.nulls++
		return
	}
	if len(c.sample) < 3 {
		c.sample = append(c.sample, v)
	}
	if v.mark == truth {
		c.length(v.text)
		v = cell{truths[v.text], exact}
	}
	c.length(v.text)
	if c.garbled == "" && strings.IndexByte(v.text, '\xc3') >= 0 {
		if meant, err := charmap.Windows1252.NewEncoder().String(v.text); err == nil && utf8.ValidString(meant) {
			c.garbled = v.text // Ã© for é
		}
	}
	if c.texts {
		c.note(0, v.text, line)
		return
	}
	s := strings.TrimSpace(v.text)
	switch {
	case s == "" && v.mark >= quoted:
		c.empty++
		return
	case s == "":
		c.blank++
		return
	case len(s) < len(v.text) && v.mark == open:
		c.padded++
	}
	if v.mark == typed && !(len(s) > 9 && len(s) < 41 && s[4] == '-' && new(column).formOf(s, true)&anyDay == anyDay) {
		if f, ok := new(column).plainNumber(s, false); ok && f&code == 0 {
			c.numerals++
		}
		c.note(0, s, line)
		return
	}
	if v.mark != exact && len(s) < maxWord && known[strings.ToLower(s)] {
		words := &c.words
		if v.mark == quoted {
			words = &c.quotedWords
		}
		if *words == nil {
			*words = map[string]int{}
		}
		(*words)[s]++
		return
	}
	if v.mark == open {
		c.bare++
	}
	if len(s) < 6 && truths[strings.ToLower(s)] != "" {
		c.logical++
	}
	c.note(c.formOf(s, v.mark == exact), s, line)
}

var truths = map[string]string{"true": "1", "false": "0"}

func (c *column) length(s string) {
	if len(s) > c.chars { // then it may have more characters, too
		c.chars, c.bytes = max(c.chars, utf8.RuneCountInString(s)), max(c.bytes, len(s))
	}
}

// note counts a value of a form.
func (c *column) note(f form, s string, line int) {
	c.least = min(cmp.Or(c.least, len(s)), len(s))
	for i := range c.seen {
		if c.seen[i].form == f {
			c.seen[i].n++
			return
		}
	}
	c.seen = append(c.seen, seen{f, 1, s, line})
}

// formOf is what a text can be read as.
func (c *column) formOf(s string, exact bool) form {
	if f, ok := c.plainNumber(s, exact); ok {
		return f
	}
	if len(s) == len(time.DateOnly) && s[4] == '-' && s[7] == '-' {
		if at, err := time.Parse(time.DateOnly, s); err == nil && at.Year() >= 1000 {
			return anyDay
		}
	}
	first := strings.IndexFunc(s, digit)
	if first < 0 {
		return 0
	}
	if !exact && numbered.MatchString(s) {
		return code
	}
	var f form
	if d, ok := parseDay(s); ok {
		f = d.fits
		if d.clock != "" {
			f |= timed
			c.clock(d.clock, d.zone)
		}
		if day := d.date(ymd); f&ymd == 0 || s != day && s != day+" "+d.clock {
			f |= shaped
		}
		return f
	}
	if text, zone, ok := parseClock(s, 838); ok && zone == "" {
		c.clock(text, "")
		if text != s {
			return clock | shaped
		}
		return clock
	}
	for i, decimal := range []byte{'.', ','} {
		n, ok := parseNumber(s, decimal)
		if !ok || exact && decimal == ',' {
			continue
		}
		f |= []form{pointed, commaed}[i] | shaped
		c.unit = cmp.Or(c.unit, n.unit)
		switch {
		case n.unit == "%":
			f |= percent
		case measures[n.unit]:
			f |= measure
		}
		c.units = c.units || n.unit != "" && n.unit != c.unit
		if n.bracket {
			f |= bracketed
		}
		if n.power != "" {
			f |= power
		}
		into := &c.plain
		if strings.ContainsAny(s[:strings.LastIndexFunc(s, digit)+1], ".,") {
			f |= cut
			into = &c.cut[i]
		}
		part := n.part
		if n.unit == "%" {
			part += "00"
		}
		into.add(n.negative, n.whole, part)
		if s[0] == '+' && strings.Count(s, "")-1 > 7 && n.unit == "" && n.part == "" {
			f |= plus
		}
	}
	if f == 0 && first < 4 && len(s) <= maxWord && (!digit(rune(s[len(s)-1])) || strings.Contains(s, " day")) &&
		worded.MatchString(s) {
		f = noted
	}
	if f == 0 && s[0] == '+' && len(s) > 7 && strings.Trim(s[1:], "0123456789 ()/-.") == "" {
		f = plus // a telephone number in groups
	}
	return f
}

// plainNumber notes what needs no closer look: digits, with a minus and a point that may be there.
func (c *column) plainNumber(s string, exact bool) (form, bool) {
	digits, point := s, -1
	negative := s[0] == '-'
	if negative {
		digits = s[1:]
	}
	for i := range len(digits) {
		if b := digits[i]; b == '.' && point < 0 {
			point = i
		} else if b < '0' || b > '9' {
			return 0, false
		}
	}
	switch n := len(digits); {
	case n == 0 || point == n-1 || n > maxNumber:
		return 0, false
	case point < 0 && !exact && n > 1 && digits[0] == '0':
		return code, true
	case point < 0:
		if c.plain.add(negative, digits, ""); !exact && n > maxDigits {
			return pointed | commaed | code, true
		}
		if !exact && n == len("20240131") && (digits[:2] == "19" || digits[:2] == "20") {
			if _, ok := parseDay(s); ok {
				return pointed | commaed | dayDigits | shaped, true
			}
		}
		return pointed | commaed, true
	case point > 1 && digits[0] == '0':
		return code, true
	case exact:
		c.plain.add(negative, digits[:point], digits[point+1:])
		return pointed | commaed, true
	case n-point == 4 && 1 <= point && point <= 3 && digits[0] != '0': // thousands with a point
		c.cut[1].add(negative, digits[:point]+digits[point+1:], "")
		c.cut[0].add(negative, digits[:point], digits[point+1:])
		return pointed | commaed | cut, true
	}
	c.cut[0].add(negative, digits[:point], digits[point+1:])
	return pointed | cut, true
}

// numbered is what an article may be called, and nearly no writer of numbers makes: those have a point or a sign.
var numbered = regexp.MustCompile(`^[0-9]+E[0-9]+$`)

func (c *column) clock(text, zone string) {
	if !strings.Contains(c.zone, zone) {
		c.zone = strings.TrimPrefix(c.zone+" and "+zone, " and ")
	}
	if _, part, ok := strings.Cut(text, "."); ok {
		c.fraction = max(c.fraction, len(part))
	}
}

// some is how many values are of forms that fit, and the first of them.
func (c *column) some(fits func(form) bool) (n int, first seen) {
	for _, s := range c.seen {
		if fits(s.form) {
			if n += s.n; first.n == 0 || s.line < first.line {
				first = s
			}
		}
	}
	return n, first
}

// count is how many values have one of some forms.
func (c *column) count(f form) int {
	n, _ := c.some(func(g form) bool { return g&f != 0 })
	return n
}

// seenAll is how many values there are.
func (c *column) seenAll() int {
	n, _ := c.some(func(form) bool { return true })
	return n
}

// settle finds the column's type, and says what is doubtful.
func (c *column) settle(o *Options, comma byte, d *doubts) {
	all := c.seenAll()
	defer c.settleWords(o, d, all)
	if c.garbled != "" {
		d.add("", "%s: %q seems to be UTF-8, read as windows-1252: write the file anew", c.name, clip(c.garbled))
	}
	if c.numerals == all && all > 0 && c.least != c.chars {
		d.add("", "%s: its numbers are in quotes, as %q: they are texts and sort so", c.name, clip(c.seen[0].first))
	}
	if c.texts || all == 0 || o.Types == "text" {
		return
	}
	read, most := c.best(o, comma)
	if c.count(dayDigits) == all && all > 2 {
		read, most = ymd, all
		d.add("", "%s: its numbers are days: %q is one; --types text keeps them", c.name, c.seen[0].first)
	}
	odd, first := c.some(func(f form) bool { return f&read == 0 && (f&dayDigits == 0 || read != ymd) })
	what := cmp.Or(map[form]string{0: "numbers", pointed: "numbers", commaed: "numbers", clock: "times"}[read], "dates")
	shown := clip(first.first)
	odds := fmt.Sprintf("%d of %d values are no %s (the first is %q, row %d)", odd, all, what, shown, first.line)
	codes, long := c.some(func(f form) bool { return f&code != 0 })
	zeros, _ := c.some(func(f form) bool { return f&code != 0 && f&pointed == 0 })
	number, why, hint := read&(pointed|commaed) != 0, "", "" // why it is a text, and what to do
	coded := number && codes > 0 && (zeros > 0 || c.plain.wide || 2*c.least > maxDigits)
	switch _, split := c.some(func(f form) bool { return f&cut != 0 }); {
	case coded && (c.least == c.chars || 4*codes > all) || 2*c.count(plus) > all:
		return
	case coded:
		why = fmt.Sprintf("%q, row %d, is a code, with a leading zero or too many digits", clip(long.first), long.line)
	case 2*c.count(noted) > all:
		why = fmt.Sprintf("most of its values are numbers with something behind them, as %q", shown)
	case most == 0 || (odd > maxOdd || odd*oddShare > all) && 2*(most+c.count(noted)) < all:
		return
	case odd > maxOdd || odd*oddShare > all:
		why, hint = odds, "; --null "+shellWord(shown)+" makes it NULL"
	case number && c.units:
		why = "its numbers have several units"
	case number && c.count(percent|measure) > 0 && c.count(percent|measure) < most:
		why = fmt.Sprintf("%d of %d numbers have a percent sign or a unit", c.count(percent|measure), most)
	case number && o.Decimal == "" && comma == 0 && c.count(cut) > 0 && c.count(pointed) == c.count(commaed):
		why, hint = fmt.Sprintf("%q has thousands or decimals, nothing says which", clip(split.first)), "; --decimal , or --decimal . does"
	case read&anyDay != 0 && o.Dates == "" && len(c.orders(read)) > 1:
		why = fmt.Sprintf("%q fits several orders of day and month", clip(c.seen[0].first))
		hint = "; --dates " + strings.Join(c.orders(read), " or --dates ") + " says which"
	}
	if why != "" {
		d.add("", "%s: %s: text%s", c.name, why, hint)
		return
	}
	c.read, c.odd, c.shaped = read, odd, read == commaed || c.count(shaped) > 0 || odd > 0
	if odd > 0 {
		d.add("", "%s: %s: NULL; --null %s says so", c.name, odds, shellWord(shown))
	}
	switch e := c.extent(); {
	case read == clock:
		c.kind = clockTime
	case !number && c.count(timed) > 0:
		if c.kind = datetime; c.zone != "" {
			d.add("", "%s: its times have the zone %s: they are kept as written, without it, and compare so", c.name, c.zone)
		}
	case !number:
		c.kind = date
	case c.float || c.count(power) > 0 || e.digits+e.scale > 65 || e.scale > 30:
		c.kind = double
	case e.scale > 0 || e.wide:
		c.kind = fixed
	default:
		c.kind = whole
	}
	named, day := c.some(func(f form) bool { return f&anyDay == anyDay && f&vague == 0 })
	_, other := c.some(func(f form) bool { return f&anyDay != anyDay && f&read != 0 })
	if !number && named > 0 && other.n > 0 {
		d.add("", "%s: its days have several orders, as %q, %q: look at both", c.name, day.first, other.first)
	}
	if number && c.unit != "" && c.count(percent|measure) == 0 {
		d.add("", "%s: its numbers have the unit %s, which is left out", c.name, c.unit)
	}
	if e := c.extent(); number && noAnswer[e.low] {
		d.add("", noAnswerTold, c.name, e.low, e.low)
	} else if number && noAnswer[e.high] && e.high/2 > e.next {
		d.add("", noAnswerTold, c.name, e.high, e.high)
	}
	for _, t := range tellings {
		n, s := c.some(func(f form) bool { return f&t.form != 0 })
		if v, _ := c.value(cell{text: s.first}); number && n > 0 && (t.when == nil || t.when(c, c.extent(), s.first)) {
			d.add("", "%s: "+t.text, c.name, s.first, v)
		}
	}
}

// tellings are what is told of numbers that have some forms, and when: with the first of them, and how it is read.
var tellings = []struct {
	form form
	when func(c *column, e extent, first string) bool // nil is always
	text string
}{
	{percent, nil, "its values are percents: %q is %s"},
	{measure, nil, "its numbers have a unit, which is left out: %q is %s"},
	{bracketed, nil, "numbers in brackets are below zero, as accountants write them: %q is %s; --types text keeps the brackets"},
	{power, func(_ *column, _ extent, first string) bool { return lost.MatchString(first) },
		"its numbers have exponents, as %q, which is %s: if they are codes, digits are lost: export them as texts"},
	{pointed, func(c *column, e extent, _ string) bool {
		return c.kind != double && e.low > 20_000 && e.high < 60_000 && dayName.MatchString(c.name)
	}, "its numbers may be days as Excel counts them, such as %q, which is %s: format its cells as days there"},
	{cut, func(c *column, _ extent, _ string) bool {
		e := c.cut[0]
		return e.zeros == e.scale && 0 < e.least && e.least < e.scale
	}, "its numbers have several lengths, and some end with 0: if %q, which is %s, is a version, --types text keeps it"},
}

var (
	lost         = regexp.MustCompile(`[eE]\+?(?:0?9|1\d)$`) // ends a number of which Excel shows the first digits
	dayName      = regexp.MustCompile(`(?i)(^|[^\pL])(date|day|jour|created|updated)([^\pL]|$)|datum$|tag$|Date$`)
	noAnswerTold = "%s: %d may mean that there is no answer: --null=%d says so"
	// noAnswer are numbers by which surveys say that there is none.
	noAnswer = map[int64]bool{-9: true, -99: true, -999: true, -9999: true, 999: true, 9999: true, 99999: true}
)

func (c *column) extent() extent {
	if c.read == commaed {
		return c.plain.with(c.cut[1])
	}
	return c.plain.with(c.cut[0])
}

// best is the way in which most values can be read.
func (c *column) best(o *Options, comma byte) (read form, most int) {
	try := func(f form) {
		if n := c.count(f); n > most {
			read, most = f, n
		}
	}
	signs := map[bool]string{false: ".,", true: ",."}[comma == ',']
	for _, sign := range cmp.Or(o.Decimal, signs) {
		try(map[rune]form{'.': pointed, ',': commaed}[sign])
	}
	for _, order := range orders {
		if o.Dates == "" || o.Dates == order.name {
			try(order.form)
		}
	}
	try(clock)
	return read, most
}

// orders are those of day, month and year that fit the dates as well as one, where they are others then.
func (c *column) orders(read form) (names []string) {
	known, _ := c.some(func(f form) bool { return f&read != 0 && (f&anyDay != anyDay || f&vague != 0) })
	for _, o := range orders {
		if known > 0 && c.count(o.form) == c.count(read) {
			names = append(names, o.name)
		}
	}
	return names
}

// settleWords says which texts of the column are NULL: words for that, and texts without a character beside numbers
// and dates. Within quotes a word is a text where the column is of texts.
func (c *column) settleWords(o *Options, d *doubts, all int) {
	if c.texts {
		return
	}
	c.isNull = map[string]bool{}
	if c.blank > 0 && o.Types != "text" {
		c.nulls += c.blank
		c.isNull[""] = true
	}
	if c.trim = o.Types != "text" && 2*c.padded > all && all > 1 && c.kind == text; c.trim {
		d.add("", "%s: %d of %d texts have blanks around them, which are left out; --types text keeps them", c.name, c.padded, all)
	}
	tell := func(words map[string]int) {
		for word, n := range words {
			weak := weakWords[strings.ToLower(word)] && word != "NULL" && word != "null" // but Null is a name
			if c.kind == text && weak && (c.bare > 0 && c.logical < all || all == 0) {
				continue // where the others have quotes it is none of them
			}
			c.isNull[word] = true
			c.nulls += n
			d.add("", "%s: %d of %d values are %q: NULL; --null '' keeps them", c.name, n, all+n, word)
		}
	}
	tell(c.words)
	if c.kind != text {
		tell(c.quotedWords)
		c.nulls += c.empty
	}
}

// value is a value as the column's type has it; ok is false for NULL.
func (c *column) value(v cell) (string, bool) {
	if v.mark == none {
		return "", false
	}
	if c.kind == text {
		if c.isNull != nil && v.mark == open && c.isNull[strings.TrimSpace(v.text)] {
			return "", false
		}
		if c.trim && v.mark == open {
			return strings.TrimSpace(v.text), true
		}
		return v.text, true
	}
	s := strings.TrimSpace(v.text)
	if v.mark == truth {
		return truths[s], true
	}
	if s == "" || len(c.isNull) > 0 && v.mark != exact && c.isNull[s] {
		return "", false
	}
	if !c.shaped {
		return s, true
	}
	switch {
	case c.kind == clockTime:
		text, _, ok := parseClock(s, 838)
		return text, ok
	case c.read&anyDay != 0:
		d, ok := parseDay(s)
		order := c.read
		if v.mark == exact {
			order = ymd
		}
		if !ok || d.fits&order == 0 {
			return "", false
		}
		text := d.date(order)
		if c.kind == datetime && d.clock != "" {
			text += " " + d.clock
		}
		return text, true
	}
	decimal := byte('.')
	if c.read == commaed && v.mark != exact {
		decimal = ','
	}
	n, ok := parseNumber(s, decimal)
	return n.text(), ok
}

// declared is the column's type in MySQL's words.
func (c *column) declared() string {
	switch e := c.extent(); c.kind {
	case whole:
		if e.low >= math.MinInt32 && e.high <= math.MaxInt32 {
			return "int"
		}
		return "bigint"
	case fixed:
		return fmt.Sprintf("decimal(%d,%d)", e.digits+e.scale, e.scale)
	case text:
	default:
		name := map[kind]string{double: "double", date: "date", blob: "longblob", datetime: "datetime", clockTime: "time"}[c.kind]
		if c.fraction > 0 && (c.kind == datetime || c.kind == clockTime) {
			name += fmt.Sprintf("(%d)", c.fraction)
		}
		return name
	}
	switch {
	case c.chars <= 255:
		return fmt.Sprintf("varchar(%d)", max(c.chars, 1))
	case c.bytes < 1<<16:
		return "text"
	}
	return "longtext"
}

// maxWord is how many bytes a word for NULL may have.
const maxWord = 32

// clip is the beginning of a text that is shown.
func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// shellWord is a text as a shell takes it.
func shellWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
