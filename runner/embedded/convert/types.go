package convert

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// kind is what a value looks like.
type kind int

const (
	whole kind = iota
	fixed      // a decimal
	double
	date
	datetime
	text
	blob
	kinds
)

// column is what was seen of the values of one.
type column struct {
	name  string
	seen  [kinds]int
	nulls int

	low, high     int64 // of whole ones
	digits, scale int   // before and behind the point
	fraction      int   // digits of a second
	chars, bytes  int

	comma bool // decimals have one instead of a point
	texts bool // the file says that its values are texts, whatever they look like
}

var (
	wholeText    = regexp.MustCompile(`^[+-]?(0|[1-9][0-9]{0,18})$`)
	fixedText    = regexp.MustCompile(`^[+-]?([0-9]*)\.([0-9]+)$`)
	doubleText   = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]{1,3}$`)
	dateText     = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	datetimeText = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?$`)
)

// number notes a text of a CSV file, which may be a number.
func (c *column) number(s string) {
	c.length(s)
	if c.comma {
		s = strings.Replace(s, ",", ".", 1)
	}
	switch m := fixedText.FindStringSubmatch(s); {
	case wholeText.MatchString(s):
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			c.seen[text]++
			return
		}
		c.whole(n)
	case m != nil && !(len(m[1]) > 1 && m[1][0] == '0'):
		c.seen[fixed]++
		c.digits, c.scale = max(c.digits, len(m[1])), max(c.scale, len(m[2]))
	case doubleText.MatchString(s):
		c.seen[double]++
	default:
		c.text(s)
	}
}

func (c *column) whole(n int64) {
	if c.seen[whole] == 0 {
		c.low, c.high = n, n
	}
	c.low, c.high = min(c.low, n), max(c.high, n)
	c.digits = max(c.digits, len(strings.TrimLeft(strconv.FormatInt(n, 10), "-")))
	c.seen[whole]++
}

// text notes a text that is no number.
func (c *column) text(s string) {
	c.length(s)
	switch {
	case dateText.MatchString(s) && isTime(time.DateOnly, s):
		c.seen[date]++
	case datetimeText.MatchString(s) && isTime("2006-01-02 15:04:05", (strings.Replace(s, "T", " ", 1) + ":00")[:19]):
		c.seen[datetime]++
		if len(s) > 20 {
			c.fraction = max(c.fraction, len(s)-20)
		}
	default:
		c.seen[text]++
	}
}

func isTime(layout, s string) bool {
	t, err := time.Parse(layout, s)
	return err == nil && t.Year() > 0
}

func (c *column) length(s string) {
	c.chars, c.bytes = max(c.chars, utf8.RuneCountInString(s)), max(c.bytes, len(s))
}

// only says that all values are of these kinds, and there are some.
func (c *column) only(list ...kind) bool {
	all, some := 0, 0
	for _, n := range c.seen {
		all += n
	}
	for _, k := range list {
		some += c.seen[k]
	}
	return all > 0 && all == some
}

// kind is that of the column.
func (c *column) kind() kind {
	switch {
	case c.only(whole):
		return whole
	case c.only(whole, fixed) && c.digits+c.scale <= 65 && c.scale <= 30:
		return fixed
	case c.only(whole, fixed, double):
		return double
	case c.only(date):
		return date
	case c.only(date, datetime):
		return datetime
	case c.seen[blob] > 0:
		return blob
	}
	return text
}

// declared is the column's type in MySQL's words.
func (c *column) declared() string {
	switch c.kind() {
	case whole:
		if c.low >= math.MinInt32 && c.high <= math.MaxInt32 {
			return "int"
		}
		return "bigint"
	case fixed:
		return fmt.Sprintf("decimal(%d,%d)", c.digits+c.scale, c.scale)
	case double:
		return "double"
	case date:
		return "date"
	case datetime:
		if c.fraction > 0 {
			return fmt.Sprintf("datetime(%d)", c.fraction)
		}
		return "datetime"
	case blob:
		return "longblob"
	}
	switch {
	case c.chars <= 255:
		return fmt.Sprintf("varchar(%d)", max(c.chars, 1))
	case c.bytes < 1<<16:
		return "text"
	}
	return "longtext"
}
