package render

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/guptarohit/asciigraph"

	"nl2sql/runner"
)

// Chart says how a result is drawn. Its JSON is an interface: the page of serve draws by it.
type Chart struct {
	Kind string `json:"kind"` // Bars, Line or Points
	X    int    `json:"x"`    // the place of the column along which it is drawn
	Y    int    `json:"y"`    // and of the one whose numbers are drawn
	// Series is the column that tells rows of one X apart, a line or a colour each; nil where each X has one row.
	Series *int `json:"series,omitempty"`
}

// Kinds of charts.
const (
	Bars   = "bars"   // a name, or a step such as a month, and a number
	Line   = "line"   // a number over time
	Points = "points" // two numbers
)

// Bounds of what is drawn, in rows: less is no chart, and of more nobody sees anything.
const (
	leastChart, mostChart = 2, 500
	mostBars              = 40
	leastLine             = 3
	leastPoints           = 8
	mostSeries            = 6
)

var (
	aTime = regexp.MustCompile(`^\d{4}(-\d{2}(-\d{2}([ T].*)?)?)?$`)
	aYear = regexp.MustCompile(`^(19|20)\d\d$`)
	aKey  = regexp.MustCompile(`(^|_)(id|code|number)$|[a-z](Id|ID|Code|Number)$`)
)

// ChartOf says how a result is drawn; nil where it is no chart.
func ChartOf(res runner.Result) *Chart {
	if len(res.Rows) < leastChart || len(res.Rows) > mostChart {
		return nil
	}
	number, key, times := numeric(res), make([]bool, len(res.Columns)), make([]bool, len(res.Columns))
	steps := make([]bool, len(res.Columns))
	x, y := -1, -1
	for c, label := range res.Columns {
		key[c], times[c] = aKey.MatchString(label), timely(res, c)
		steps[c] = number[c] && stepped(res, c)
		if times[c] && x < 0 {
			x = c
		}
		if number[c] && !times[c] && !key[c] && (y < 0 || steps[y] || !steps[c]) {
			y = c
		}
	}
	if y < 0 {
		return nil
	}
	names := func(c int) bool { return !number[c] || times[c] || key[c] || steps[c] }
	series := func(x int) *int {
		for c := range res.Columns {
			if c != x && c != y && names(c) && different(res, x, c) == len(res.Rows) {
				return &c
			}
		}
		return nil
	}
	if x >= 0 && len(res.Rows) >= leastLine {
		if different(res, x) == len(res.Rows) {
			return &Chart{Line, x, y, nil}
		}
		if s := series(x); s != nil && different(res, *s) <= mostSeries {
			return &Chart{Line, x, y, s}
		}
	}
	first := func(is func(c int) bool) int {
		for c := range res.Columns {
			if c != y && is(c) {
				return c
			}
		}
		return -1
	}
	if name := first(names); name >= 0 && len(res.Rows) <= mostBars {
		if different(res, name) == len(res.Rows) {
			return &Chart{Bars, name, y, nil}
		}
		if s := series(name); s != nil {
			return &Chart{Bars, name, y, s}
		}
		return nil
	}
	other := first(func(c int) bool { return number[c] && !times[c] && !key[c] })
	if other >= 0 && len(res.Rows) >= leastPoints {
		return &Chart{Points, other, y, nil}
	}
	return nil
}

// timely says that all cells of a column are times or NULL, and one is a time.
func timely(res runner.Result, c int) (some bool) {
	for _, row := range res.Rows {
		if row[c] == nil {
			continue
		}
		is := aYear
		if _, text := row[c].(string); text {
			is = aTime
		}
		if !is.MatchString(CellText(row[c])) {
			return false
		}
		some = true
	}
	return some
}

// stepped says that the numbers of a column are steps, such as months or stars: whole, all different, and most between
// the least and the greatest are there.
func stepped(res runner.Result, c int) bool {
	least, most := math.Inf(1), math.Inf(-1)
	for _, row := range res.Rows {
		n, err := strconv.ParseFloat(CellText(row[c]), 64)
		if err != nil || n != math.Trunc(n) {
			return false
		}
		least, most = min(least, n), max(most, n)
	}
	return most-least < 2*float64(len(res.Rows)) && different(res, c) == len(res.Rows)
}

// different is how many different rows some columns have.
func different(res runner.Result, columns ...int) int {
	seen := map[string]bool{}
	for _, row := range res.Rows {
		key := ""
		for _, c := range columns {
			key += strconv.Quote(CellText(row[c]))
		}
		seen[key] = true
	}
	return len(seen)
}

// mark is a value of a chart with what it is of.
type mark struct {
	name, number string // as the result has them, for a terminal
	x, y         float64
}

// marks are the values to draw; rows without one are left out. Those of a line are in the order of their times, and
// where one is no time as clocks have it, equally far from each other.
func (c Chart) marks(res runner.Result) (out []mark) {
	timed := c.Kind == Line
	for i, row := range res.Rows {
		y, err := strconv.ParseFloat(CellText(row[c.Y]), 64)
		if row[c.Y] == nil || err != nil || c.Kind != Bars && row[c.X] == nil {
			continue
		}
		m := mark{Visible(shown(row[c.X])), CellText(row[c.Y]), float64(i), y}
		if c.Series != nil {
			m.name += " · " + Visible(shown(row[*c.Series]))
		}
		if timed {
			m.x, timed = moment(m.name)
		}
		out = append(out, m)
	}
	if c.Kind != Line {
		return out
	}
	slices.SortStableFunc(out, func(a, b mark) int { return cmp.Compare(a.name, b.name) })
	for i := range out {
		if !timed {
			out[i].x = float64(i)
		}
	}
	return out
}

// moment is a time in seconds since 1970.
func moment(text string) (float64, bool) {
	for _, layout := range []string{"2006-01-02", "2006-01", "2006", "2006-01-02 15:04:05", "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, text); err == nil {
			return float64(t.Unix()), true
		}
	}
	return 0, false
}

// Measures of charts, in columns and lines of the terminal.
const (
	chartWidth, widestChart = 80, 110 // where there is no terminal, and at most
	lineHeight              = 10
	widestName              = 28
	leastBar                = 10
)

// ChartText draws bars or a line for a terminal, or as wide as one; none says why there is no drawing.
func ChartText(res runner.Result, o Options) (text, none string) {
	c := ChartOf(res)
	if c == nil {
		return "", fmt.Sprintf("no chart: one has %d to %d rows with a column of numbers, beside names (%d at most) or times",
			leastChart, mostChart, mostBars)
	}
	marks := c.marks(res)
	switch {
	case c.Kind == Line && c.Series != nil && len(marks) > mostBars:
		return "", "no chart: several lines are what the page of nl2sql serve draws, and a terminal does not"
	case c.Kind == Points:
		return "", "no chart: two numbers are points, which the page of nl2sql serve draws, and a terminal does not"
	case len(marks) < leastChart:
		return "", "no chart: too few rows have a number"
	}
	across := min(cmp.Or(o.Width, chartWidth), widestChart)
	head := Visible(res.Columns[c.Y]) + " by " + Visible(res.Columns[c.X])
	if c.Series != nil {
		head += " and " + Visible(res.Columns[*c.Series])
	}
	head = cut(head, across)
	if c.Kind == Line && c.Series == nil && len(marks) >= leastLine {
		return head + "\n" + lineChart(marks, across), ""
	}
	return head + "\n" + barChart(marks, across, o.Color), ""
}

// barChart draws a bar a line: its name, itself, its number. Bars below zero lie left of those above.
func barChart(marks []mark, across int, color bool) string {
	names, numbers := 0, 0
	low, high := 0.0, 0.0
	for _, m := range marks {
		names, numbers = max(names, min(widestName, width(m.name))), max(numbers, len(m.number))
		low, high = min(low, m.y), max(high, m.y)
	}
	room := max(leastBar, across-names-numbers-2)
	left := int(math.Round(float64(room) * -low / max(high-low, math.SmallestNonzeroFloat64)))
	per := float64(room) / max(high-low, math.SmallestNonzeroFloat64)
	style := ""
	if color {
		style = cyan
	}
	var b strings.Builder
	for _, m := range marks {
		bar := ""
		if m.y < 0 {
			n := min(left, int(math.Round(-m.y*per)))
			bar = strings.Repeat(" ", left-n) + paint(style, strings.Repeat("█", n))
		} else { // exact to an eighth
			n := min(8*(room-left), int(math.Round(8*m.y*per)))
			part := strings.TrimSpace(string([]rune(" ▏▎▍▌▋▊▉")[n%8]))
			bar = strings.Repeat(" ", left) + paint(style, strings.Repeat("█", n/8)+part)
		}
		fmt.Fprintf(&b, "%s %s %s\n", pad(cut(m.name, names), "", names, false), bar, m.number)
	}
	return b.String()
}

// bridged is the greatest distance in seconds of two neighbours that a line joins: years (2006) and months (2006-01)
// are steps of which one may be missing; other times are joined.
func bridged(name string) float64 {
	switch len(name) {
	case len("2006"):
		return 366 * 86400
	case len("2006-01"):
		return 31 * 86400
	}
	return math.Inf(1)
}

// lineChart draws values over time, which pass as fast everywhere, and below it the first time and the last.
func lineChart(marks []mark, across int) string {
	low, high, digits, whole := 0.0, 0.0, 0, true
	for _, m := range marks {
		low, high, digits = min(low, m.y), max(high, m.y), max(digits, len(strconv.Itoa(int(m.y))))
		whole = whole && m.y == math.Trunc(m.y)
	}
	precision, height := uint(0), lineHeight
	if high-low < 10*lineHeight/2 && whole {
		height = max(1, min(lineHeight, int(high-low)))
	} else if high-low < 10*lineHeight/2 {
		precision, digits = 2, digits+3
	}
	room := max(leastBar, across-digits-4)
	first, last := marks[0], marks[len(marks)-1]
	joined := bridged(first.name)
	at := func(i int) float64 { return first.x + (last.x-first.x)*float64(i)/float64(room-1) }
	drawn := make([]float64, room)
	for i, k := 0, 0; i < room; i++ {
		for k < len(marks)-2 && marks[k+1].x < at(i) {
			k++
		}
		a, b := marks[k], marks[k+1]
		if b.x-a.x > joined && at(i) != a.x && at(i) < b.x { // years or months without a row
			drawn[i] = math.NaN()
			continue
		}
		drawn[i] = a.y + (b.y-a.y)*min(1, max(0, (at(i)-a.x)/max(b.x-a.x, math.SmallestNonzeroFloat64)))
	}
	graph := asciigraph.Plot(drawn, asciigraph.Height(height), asciigraph.LowerBound(low),
		asciigraph.UpperBound(high), asciigraph.Precision(precision))
	begin := strings.IndexAny(strings.SplitN(graph, "\n", 2)[0], "┤┼") + 1
	between := room - width(first.name) - width(last.name)
	return fmt.Sprintf("%s\n%s%s%s%s\n", graph, strings.Repeat(" ", begin), first.name,
		strings.Repeat(" ", max(1, between)), last.name)
}
