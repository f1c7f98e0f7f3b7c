package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// filter is a condition on one column of a table, and the words for it: orders that "have status open", orders "with
// status open".
type filter struct {
	column *column
	sql    string // names of columns within {}
	do     []string
	that   []string
}

// filterOf draws a condition on a table's rows; nil if there is none.
func filterOf(rng *rand.Rand, t *table) *filter {
	c := choose(rng, t.cols, func(c *column) bool { return c.noun != "" })
	if c == nil || len(c.values) < 2 {
		return nil
	}
	switch c.role {
	case category:
		return c.is(rng)
	case moment:
		return c.when(rng)
	case amount, rate:
		return c.compare(rng)
	case year:
		return c.built(rng)
	}
	return nil
}

// is compares a category with one or two of its values.
func (c *column) is(rng *rand.Rand) *filter {
	if len(c.values) > 60 {
		return nil
	}
	v := pick(rng, c.values)
	f := &filter{column: c, sql: c.expr + " = " + c.literal(v)}
	words := valueText(rng, v)
	switch w := pick(rng, c.values); {
	case w != v && len(c.values) > 3 && rng.IntN(7) == 0:
		f.sql = fmt.Sprintf("%s IN (%s, %s)", c.expr, c.literal(v), c.literal(w))
		words += " or " + valueText(rng, w)
	case !c.nulls && len(c.values) > 2 && rng.IntN(9) == 0:
		f.sql = c.expr + " <> " + c.literal(v)
		f.do = []string{"do not have " + c.noun + " " + words, "have " + article(c.noun) + " other than " + words}
		return f
	}
	f.do = []string{"have " + c.noun + " " + words, "have the " + c.noun + " " + words}
	f.that = []string{"with " + c.noun + " " + words, "whose " + c.noun + is(c.noun) + words, "with the " +
		c.noun + " " + words}
	return f
}

// valueText is how a question names a value: in quotes or bare.
func valueText(rng *rand.Rand, v string) string {
	switch rng.IntN(8) {
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

func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func isText(typ string) bool {
	return typ == "" || strings.Contains(typ, "char") || strings.Contains(typ, "text") || strings.HasPrefix(typ, "enum")
}

// compare holds a number against one of its middle values.
func (c *column) compare(rng *rand.Rand) *filter {
	n := len(c.values)
	if n < 4 {
		return nil
	}
	v := round(c.values[n/5+rng.IntN(n*3/5)])
	f := &filter{column: c}
	say := func(op, v, words string, of ...string) *filter {
		f.sql = c.expr + " " + op + " " + v
		noun := article(c.noun)
		w := pick(rng, of)
		with := noun + " of " + w + " " + words
		if strings.HasSuffix(w, "ove") || strings.HasSuffix(w, "er") || strings.HasSuffix(w, "low") || w == "between" {
			with = noun + " " + w + " " + words
		}
		f.do = []string{"have " + with}
		f.that = []string{"with " + with, "whose " + c.noun + is(c.noun) + w + " " + words}
		return f
	}
	switch rng.IntN(6) {
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
func (c *column) built(rng *rand.Rand) *filter {
	if len(c.values) < 4 {
		return nil
	}
	v := c.values[len(c.values)/5+rng.IntN(len(c.values)*3/5)]
	at := pick(rng, [][2]string{{">", "after"}, {"<", "before"}, {"=", "in"}, {">=", "in or after"}})
	noun := article(c.noun)
	return &filter{column: c, sql: c.expr + " " + at[0] + " " + v,
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

// when holds a date against a year, a month, a quarter, a weekday or other dates.
func (c *column) when(rng *rand.Rand) *filter {
	day, err := time.Parse(time.DateOnly, pick(rng, c.values)[:min(10, len(c.values[0]))])
	if err != nil {
		return nil
	}
	clock := strings.HasPrefix(c.typ, "datetime") || strings.HasPrefix(c.typ, "timestamp")
	f := &filter{column: c}
	year := day.Year()
	say := func(sql string, words ...string) *filter {
		f.sql = strings.ReplaceAll(sql, "@", c.expr)
		w := pick(rng, words)
		f.do = []string{"have " + article(c.noun) + " " + w}
		f.that = []string{"with " + article(c.noun) + " " + w}
		return f
	}
	at := func(t time.Time) string {
		return t.Format(pick(rng, []string{"2 January 2006", "January 2, 2006", "2006-01-02",
			"2006-01-02", "2 Jan 2006"}))
	}
	iso := func(t time.Time) string { return literal(t.Format(time.DateOnly)) }
	switch rng.IntN(12) {
	case 0, 1, 2:
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
		to := day.AddDate(0, 1+rng.IntN(8), rng.IntN(20))
		x := "@"
		if clock {
			x = "DATE(@)"
		}
		layout := pick(rng, []string{"2 January 2006", "January 2, 2006", "2006-01-02"})
		return say(fmt.Sprintf("%s BETWEEN %s AND %s", x, iso(day), iso(to)), "between "+day.Format(layout)+" and "+
			to.Format(layout), "from "+day.Format(layout)+" to "+to.Format(layout))
	case 8:
		first := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		if rng.IntN(2) == 0 {
			return say("@ < "+iso(day), "before "+at(day))
		}
		return say("@ < "+iso(first), fmt.Sprintf("before %d", year))
	case 9:
		if rng.IntN(2) == 0 {
			return say(fmt.Sprintf("YEAR(@) > %d", year-1), fmt.Sprintf("after %d", year-1))
		}
		if clock {
			return say("DATE(@) > "+iso(day), "after "+at(day))
		}
		return say("@ > "+iso(day), "after "+at(day))
	case 10:
		if rng.IntN(2) == 0 {
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
