package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// filter is a condition on rows of one table, and the words for it: orders that "are open", orders "with status open".
type filter struct {
	columns []*column
	sql     string // names of columns within {}
	do      []string
	that    []string
	year    int    // of a date; 0 for others
	label   string // of one row by its name
}

// condition makes a filter on c of a kind that fits it, nil if there is none.
func (b *binder) condition(c *column) *filter {
	if len(c.values) < 2 {
		return nil
	}
	if c.nulls && c.null != "" && b.rng.IntN(4) == 0 {
		return missing(c)
	}
	switch c.role {
	case category:
		return b.is(c)
	case moment:
		return b.when(c)
	case amount, rate, duration:
		return b.compare(c)
	case year:
		return b.built(c)
	}
	return nil
}

func missing(c *column) *filter {
	if c.null == "" {
		return nil
	}
	f := &filter{columns: []*column{c}, sql: c.expr + " IS NULL", do: []string{c.null}}
	return f
}

// is compares a category with one or two of its values.
func (b *binder) is(c *column) *filter {
	if len(c.values) < 2 || c.meaning == nil && len(c.values) > 60 {
		return nil
	}
	v := pick(b.rng, c.values)
	f := &filter{columns: []*column{c}, sql: c.expr + " = " + c.literal(v)}
	words := b.valueText(c, v)
	switch w := pick(b.rng, c.values); {
	case w != v && len(c.values) > 3 && b.rng.IntN(7) == 0:
		f.sql = fmt.Sprintf("%s IN (%s, %s)", c.expr, c.literal(v), c.literal(w))
		words += " or " + b.valueText(c, w)
	case !c.nulls && len(c.values) > 2 && b.rng.IntN(9) == 0:
		f.sql = c.expr + " <> " + c.literal(v)
		if c.do != "" && notPlural(c.do) != "" {
			f.do = []string{strings.ReplaceAll(notPlural(c.do), "%", words)}
		} else {
			f.do = []string{"do not have " + c.noun + " " + words, "have " + article(c.noun) + " other than " + words}
		}
		return f
	}
	if c.do != "" {
		f.do = []string{strings.ReplaceAll(c.do, "%", words)}
		if c.that != "" {
			f.that = []string{strings.ReplaceAll(c.that, "%", words)}
		}
		return f
	}
	f.do = []string{"have " + c.noun + " " + words, "have the " + c.noun + " " + words}
	f.that = []string{"with " + c.noun + " " + words, "whose " + c.noun + is(c.noun) + words, "with the " +
		c.noun + " " + words}
	return f
}

// notPlural says that people or things do not; "" if it cannot.
func notPlural(do string) string {
	first, rest, _ := strings.Cut(do, " ")
	switch first {
	case "are", "were":
		return first + " not " + rest
	case "have":
		return "do not have " + rest
	}
	return ""
}

// valueText is how a question names a value: by its meaning, in quotes or bare.
func (b *binder) valueText(c *column, v string) string {
	if m := c.meaning[v]; m != "" {
		return m
	}
	switch b.rng.IntN(8) {
	case 0, 1:
		return `"` + v + `"`
	case 2:
		return "'" + v + "'"
	}
	return v
}

func (c *column) literal(v string) string {
	if _, err := strconv.ParseFloat(v, 64); err == nil && !isText(c.typ) {
		return v
	}
	return literal(v)
}

func isText(typ string) bool {
	return typ == "" || strings.Contains(typ, "char") || strings.Contains(typ, "text") || strings.HasPrefix(typ, "enum")
}

// compare holds a number against one of its middle values.
func (b *binder) compare(c *column) *filter {
	n := len(c.values)
	if n < 4 {
		return nil
	}
	v := round(c.values[n/5+b.rng.IntN(n*3/5)])
	f := &filter{columns: []*column{c}}
	say := func(op, v, words string, of ...string) *filter {
		f.sql = c.expr + " " + op + " " + v
		noun := article(c.noun)
		unit := strings.TrimSpace(words + " " + c.unit)
		w := pick(b.rng, of)
		with := noun + " of " + w + " " + unit
		if strings.HasSuffix(w, "ove") || strings.HasSuffix(w, "er") || strings.HasSuffix(w, "low") || w == "between" {
			with = noun + " " + w + " " + unit
		}
		f.do = []string{"have " + with}
		f.that = []string{"with " + with, "whose " + c.noun + is(c.noun) + w + " " + unit}
		return f
	}
	switch b.rng.IntN(6) {
	case 0:
		return say(">=", v, v, "at least")
	case 1:
		return say("<", v, v, "below", "less than", "under")
	case 2:
		return say("<=", v, v, "at most", "no more than")
	case 3:
		if w := round(c.values[n*4/5]); number(v) < number(w) {
			return say("BETWEEN", v+" AND "+w, v+" and "+w, "between")
		}
	}
	return say(">", v, v, "above", "more than", "over", "more than")
}

func number(s string) float64 { f, _ := strconv.ParseFloat(s, 64); return f }

// built holds a year against another one.
func (b *binder) built(c *column) *filter {
	if len(c.values) < 4 {
		return nil
	}
	v := c.values[len(c.values)/5+b.rng.IntN(len(c.values)*3/5)]
	at := pick(b.rng, [][2]string{{">", "after"}, {"<", "before"}, {"=", "in"}, {">=", "in or after"}})
	noun := article(c.noun)
	return &filter{columns: []*column{c}, sql: c.expr + " " + at[0] + " " + v,
		do:   []string{"have " + noun + " " + at[1] + " " + v},
		that: []string{"whose " + c.noun + " is " + at[1] + " " + v, "with " + noun + " " + at[1] + " " + v}}
}

// round keeps a number short, as people say it.
func round(v string) string {
	f := number(v)
	switch {
	case f >= 3000 || f <= -3000:
		return strconv.FormatFloat(float64(int(f/100))*100, 'f', -1, 64)
	case f >= 100:
		if f < 2100 && f > 1700 && f == float64(int(f)) { // years
			return v
		}
		return strconv.FormatFloat(float64(int(f/10))*10, 'f', -1, 64)
	case f >= 10:
		return strconv.Itoa(int(f))
	}
	return strconv.FormatFloat(float64(int(f*10))/10, 'f', -1, 64)
}

// like looks for a part of a name.
func (b *binder) like(c *column) *filter {
	if len(c.values) < 4 {
		return nil
	}
	r := []rune(pick(b.rng, c.values))
	if len(r) < 4 {
		return nil
	}
	noun := c.noun
	f := &filter{columns: []*column{c}}
	if !unicode.IsLetter(r[0]) || !unicode.IsLetter(r[len(r)-1]) {
		return nil
	}
	switch b.rng.IntN(3) {
	case 0:
		f.sql = c.expr + " LIKE " + literal(string(r[0])+"%")
		f.that = []string{fmt.Sprintf("whose %s starts with %c", noun, r[0]),
			fmt.Sprintf("whose %s begins with the letter %c", noun, r[0])}
		f.do = []string{fmt.Sprintf("have %s that starts with '%c'", article(noun), r[0])}
	case 1:
		words := strings.Fields(string(r))
		w := pick(b.rng, words)
		if len(w) < 3 {
			return nil
		}
		f.sql = c.expr + " LIKE " + literal("%"+w+"%")
		f.that = []string{fmt.Sprintf("whose %s contains %q", noun, w), fmt.Sprintf("with '%s' in the %s", w, noun)}
		f.do = []string{fmt.Sprintf("have '%s' in their %s", w, noun), fmt.Sprintf("have %s that contains '%s'",
			article(noun), w)}
	default:
		end := string(r[len(r)-1])
		f.sql = c.expr + " LIKE " + literal("%"+end)
		f.that = []string{fmt.Sprintf("whose %s ends with %q", noun, end)}
		f.do = []string{fmt.Sprintf("have %s that ends with '%s'", article(noun), end)}
	}
	return f
}

// year is the rows of one year.
func (b *binder) year(c *column) *filter {
	for range 30 {
		if f := b.when(c); f != nil && f.year != 0 {
			return f
		}
	}
	return nil
}

// when holds a date against a year, a month, a quarter, a weekday or other dates.
func (b *binder) when(c *column) *filter {
	day, err := time.Parse(time.DateOnly, pick(b.rng, c.values)[:min(10, len(c.values[0]))])
	if err != nil {
		return nil
	}
	clock := strings.HasPrefix(c.typ, "datetime") || strings.HasPrefix(c.typ, "timestamp")
	f := &filter{columns: []*column{c}}
	year := day.Year()
	say := func(sql string, words ...string) *filter {
		f.sql = strings.ReplaceAll(sql, "@", c.expr)
		w := pick(b.rng, words)
		if c.do != "" {
			f.do = []string{c.do + " " + w}
			if done, ok := strings.CutPrefix(c.do, "were "); ok {
				f.that = []string{done + " " + w}
			}
			return f
		}
		f.do = []string{"have " + article(c.noun) + " " + w}
		f.that = []string{"with " + article(c.noun) + " " + w}
		return f
	}
	at := func(t time.Time) string {
		return t.Format(pick(b.rng, []string{"2 January 2006", "January 2, 2006", "2006-01-02",
			"2006-01-02", "2 Jan 2006"}))
	}
	iso := func(t time.Time) string { return literal(t.Format(time.DateOnly)) }
	switch b.rng.IntN(12) {
	case 0, 1, 2:
		f.year = year
		return say(fmt.Sprintf("YEAR(@) = %d", year), fmt.Sprintf("in %d", year), fmt.Sprintf("in the year %d", year),
			fmt.Sprintf("during %d", year))
	case 3, 4:
		return say(fmt.Sprintf("YEAR(@) = %d AND MONTH(@) = %d", year, day.Month()), day.Format("in January 2006"),
			day.Format("in January 2006"), day.Format("in Jan 2006"), day.Format("in 01/2006"))
	case 5:
		q := (int(day.Month()) + 2) / 3
		words := []string{fmt.Sprintf("in the %s quarter of %d", ordinal(q), year), fmt.Sprintf("in Q%d %d", q, year),
			fmt.Sprintf("in quarter %d of %d", q, year)}
		if q == 4 {
			words = append(words, fmt.Sprintf("in the last quarter of %d", year))
		}
		return say(fmt.Sprintf("YEAR(@) = %d AND QUARTER(@) = %d", year, q), words...)
	case 6, 7:
		to := day.AddDate(0, 1+b.rng.IntN(8), b.rng.IntN(20))
		x := "@"
		if clock {
			x = "DATE(@)"
		}
		layout := pick(b.rng, []string{"2 January 2006", "January 2, 2006", "2006-01-02"})
		return say(fmt.Sprintf("%s BETWEEN %s AND %s", x, iso(day), iso(to)), "between "+day.Format(layout)+" and "+
			to.Format(layout), "from "+day.Format(layout)+" to "+to.Format(layout))
	case 8:
		first := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		if b.rng.IntN(2) == 0 {
			return say("@ < "+iso(day), "before "+at(day))
		}
		return say("@ < "+iso(first), fmt.Sprintf("before %d", year))
	case 9:
		if b.rng.IntN(2) == 0 {
			return say(fmt.Sprintf("YEAR(@) > %d", year-1), fmt.Sprintf("after %d", year-1))
		}
		if clock {
			return say("DATE(@) > "+iso(day), "after "+at(day))
		}
		return say("@ > "+iso(day), "after "+at(day))
	case 10:
		if b.rng.IntN(2) == 0 {
			return say(fmt.Sprintf("MONTH(@) = %d", day.Month()), day.Format("in January of any year"),
				day.Format("in the month of January, whatever the year"))
		}
		return say(fmt.Sprintf("DAYNAME(@) = '%s'", day.Weekday()), fmt.Sprintf("on a %s", day.Weekday()))
	}
	if clock {
		return say("DATE(@) = "+iso(day), "on "+at(day))
	}
	return say("@ = "+iso(day), "on "+at(day))
}

func ordinal(n int) string {
	return []string{"", "first", "second", "third", "fourth"}[n]
}

// both joins two conditions.
func both(a, b *filter, word string) *filter {
	f := &filter{columns: append(append([]*column{}, a.columns...), b.columns...), sql: a.sql + " " +
		strings.ToUpper(word) + " " + b.sql}
	for _, x := range a.do {
		for _, y := range b.do {
			f.do = append(f.do, x+" "+word+" "+y)
		}
	}
	return f
}
