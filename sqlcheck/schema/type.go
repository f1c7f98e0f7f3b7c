package schema

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Type is a column's type, read from its text. The zero value is no type.
type Type struct {
	Name     string // "decimal", lower case
	Unsigned bool
	rest     string // behind the name
}

// ParseType reads a type as information_schema's COLUMN_TYPE writes it: "decimal(10,2) unsigned".
func ParseType(text string) Type {
	text = strings.TrimSpace(text)
	end := 0
	for end < len(text) && text[end] != '(' && text[end] != ' ' {
		end++
	}
	t := Type{Name: strings.ToLower(text[:end]), rest: strings.TrimLeft(text[end:], " ")}
	t.Unsigned = !t.listed() && strings.Contains(strings.ToLower(t.rest), "unsigned")
	return t
}

func (t Type) listed() bool { return t.Name == "enum" || t.Name == "set" }

// Args are what stands in brackets: "10" and "2", or the values of an ENUM or SET without their quotes.
func (t Type) Args() (args []string) {
	text, bracket := strings.CutPrefix(t.rest, "(")
	for bracket && len(text) > 0 && text[0] != ')' {
		var arg string
		switch text[0] {
		case ',', ' ':
			text = text[1:]
			continue
		case '\'':
			arg, text = member(text[1:])
		default:
			end := strings.IndexAny(text, ",)")
			if end < 0 {
				end = len(text)
			}
			arg, text = strings.TrimSpace(text[:end]), text[end:]
		}
		args = append(args, arg)
	}
	return args
}

// member reads a value of an ENUM behind its first quote. Quotes are doubled in it.
func member(text string) (value, rest string) {
	var b strings.Builder
	for {
		part, after, closed := strings.Cut(text, "'")
		b.WriteString(part)
		if !closed || !strings.HasPrefix(after, "'") {
			return b.String(), after
		}
		b.WriteByte('\'')
		text = after[1:]
	}
}

// Length is the first number in brackets: characters, bytes or digits.
func (t Type) Length() (n int, ok bool) { return t.number(0) }

// Scale is how many decimal places the type has; 0 if it does not say.
func (t Type) Scale() int {
	n, _ := t.number(1)
	return n
}

func (t Type) number(i int) (n int, ok bool) {
	text, ok := strings.CutPrefix(t.rest, "(")
	text, _, _ = strings.Cut(text, ")")
	for ; i > 0; i-- {
		_, text, ok = strings.Cut(text, ",")
	}
	if text, _, _ = strings.Cut(text, ","); !ok || t.listed() {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimSpace(text))
	return n, err == nil
}

// Kind is what values are, roughly.
type Kind byte

// The kinds of values.
const (
	Other Kind = iota // bytes, JSON, places
	Number
	Text
	Date // or time
)

// Kind is what the values of a type are.
func (t Type) Kind() Kind {
	switch t.Name {
	case "tinyint", "smallint", "mediumint", "int", "integer", "bigint", "decimal", "numeric", "float",
		"double", "real", "bit":
		return Number
	case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set":
		return Text
	case "date", "datetime", "timestamp", "time", "year":
		return Date
	}
	return Other
}

// Kind is what the column's values are.
func (c *Column) Kind() Kind { return ParseType(c.Type).Kind() }

// IsFreeText reports whether the column's values are texts, and not members of a list.
func (c *Column) IsFreeText() bool {
	name := ParseType(c.Type).Name
	return c.Kind() == Text && name != "enum" && name != "set"
}

// Holds reports whether the column is known to hold every one of texts, whatever their case.
func (c *Column) Holds(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool {
		return !slices.ContainsFunc(c.Values, func(v string) bool { return strings.EqualFold(v, text) })
	})
}

// Held are the texts of a column, if all that could be equal to text are known.
func (c *Column) Held(text string) ([]string, bool) {
	switch {
	case c.Kind() != Text:
	case c.Complete:
		return c.Values, len(c.Values) > 0
	case c.AllTexts && strings.TrimSpace(text) != "" && len(text) <= TextWidth:
		return c.Texts, true
	}
	return nil, false
}

// All are the texts of a column, if all are known; the empty one may be missing.
func (c *Column) All() ([]string, bool) {
	if !c.Complete && (c.Longest == 0 || c.Longest > TextWidth) {
		return nil, false
	}
	return c.Held("any")
}

// Known are the texts of a column that were read, without blanks around them.
func (c *Column) Known() (texts []string) {
	for _, text := range slices.Concat(c.Values, c.Texts) {
		if text = strings.TrimSpace(text); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// NoNumeral is one of the known texts of a column that is no number.
func (c *Column) NoNumeral() (text string, is bool) {
	for _, text := range c.Known() {
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return text, true
		}
	}
	return "", false
}

// Numerals reports whether a column holds numbers as texts whose order is not that of the numbers: all texts that are
// known of it are some, and high is more than low, but a text before it. Texts that begin with a zero are codes.
func (c *Column) Numerals() (low, high string, is bool) {
	if _, is := c.NoNumeral(); is || !c.IsFreeText() {
		return "", "", false
	}
	number := func(text string) float64 {
		n, _ := strconv.ParseFloat(text, 64) // it is one
		return n
	}
	texts := c.Known()
	isCode := func(text string) bool { return len(text) > 1 && text[0] == '0' && text[1] != '.' }
	if slices.ContainsFunc(texts, isCode) {
		return "", "", false
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	for i := 1; i < len(texts); i++ {
		if texts[i] < texts[i-1] && number(texts[i]) > number(texts[i-1]) {
			return texts[i-1], texts[i], true
		}
	}
	return "", "", false
}

// DateForm is how all texts of a column say dates. The zero value is that they say none, or not in one form.
type DateForm struct {
	Format  string // of STR_TO_DATE
	Clock   bool   // with a time of day
	InOrder bool   // the texts sort as the dates do
	layout  string // of package time
}

// days and clocks are the forms that are known, as package time writes them.
var (
	days = strings.Split("2.1.2006|2.1.06|2. 1. 2006|2/1/2006|1/2/2006|2/1/06|1/2/06|2-1-2006|1-2-2006|2-1-06|1-2-06|2-Jan-2006|"+
		"2-Jan-06|2 January 2006|2. January 2006|2 Jan 2006|2. Jan 2006|January 2, 2006|Jan 2, 2006|2006/1/2|2006.1.2|2006-1-2|"+
		"20060102", "|")
	clocks = strings.Split("| 15:04| 15:04:05|, 15:04|, 15:04:05| 3:04 PM| 3:04PM| 3:04:05 PM|, 3:04 PM", "|")
)

// formats writes them as STR_TO_DATE has them.
var formats = strings.NewReplacer("2006", "%Y", "January", "%M", "Jan", "%b", "06", "%y", "01", "%m", "02", "%d", "15", "%H",
	"04", "%i", "05", "%s", "PM", "%p", "3", "%h", "2", "%d", "1", "%m")

// DateForm is the one form of the texts of a column, if all are known and they are dates that MySQL does not read as
// they stand. Two forms that may be meant, as that of 3/4/2021, are none.
func (c *Column) DateForm() (form DateForm) {
	if !c.Complete && !c.AllTexts || c.Longest > TextWidth || !c.IsFreeText() {
		return DateForm{}
	}
	texts := c.Known()
	slices.Sort(texts)
	var found []time.Time
	for _, day := range days {
		for _, clock := range clocks {
			dates := read(texts, day+clock)
			if dates == nil {
				continue
			}
			if found != nil && !slices.EqualFunc(found, dates, time.Time.Equal) {
				return DateForm{}
			}
			inOrder := strings.HasPrefix(day, "2006") && slices.IsSortedFunc(dates, time.Time.Compare)
			if found = dates; inOrder && strings.Contains(day, "-") {
				return DateForm{}
			}
			form = DateForm{formats.Replace(day + clock), clock != "", inOrder, day + clock}
		}
	}
	return form
}

// read are the dates that texts say in a layout; nil if they do not all say one.
func read(texts []string, layout string) (dates []time.Time) {
	for _, text := range texts {
		date, err := time.Parse(layout, text)
		if err != nil {
			return nil
		}
		dates = append(dates, date)
	}
	return dates
}

// Read is the date that a text of the form says, as MySQL writes it.
func (f DateForm) Read(text string) (date string, ok bool) {
	t, err := time.Parse(f.layout, text)
	if f.Clock {
		return t.Format(time.DateTime), err == nil
	}
	return t.Format(time.DateOnly), err == nil
}
