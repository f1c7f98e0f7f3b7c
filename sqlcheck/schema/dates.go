package schema

import (
	"slices"
	"strings"
	"time"
)

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
