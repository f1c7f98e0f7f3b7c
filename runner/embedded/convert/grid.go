package convert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"nl2sql/runner/embedded/xlsx"
	"nl2sql/sqlcheck/syntax"
)

// cell is a value as it stands in a file.
type cell struct {
	text string
	mark mark
}

// mark is what a file says of a value beside its text.
type mark uint8

const (
	open   mark = iota // nothing: its column tells what it is
	quoted             // it is in quotes: "" is the empty text, and no word means NULL
	exact              // the file has its type: a number has a point, a day and a time are in ISO's form
	typed              // it is a text, which may be a day in ISO's form
	truth              // it is true or false, which are 1 and 0 among numbers
	none               // it is NULL
)

// grid is the cells of a table as they stand in a file: what a reader gives, and what becomes a table by its layout and
// the types of its columns. A reader knows nothing of types; types know nothing of files.
type grid struct {
	name string // of the table
	read string // how the file was read, for the report
	// columns are the names where the file has them apart from its cells, as Parquet does; nil: a row of each may be
	// the header, which layout finds.
	columns []string
	texts   []bool // by column: the file says that its values are texts, whatever they look like; may be nil
	floats  []bool // or floating-point numbers
	sum     int    // the line that adds up those above it, which is left out; 0: none
	comma   byte   // ',' or '.' is likely to stand before decimals; 0: nobody knows
	// each calls do with one row after the other, and the number of its line or row from 1. A row is of no fixed
	// length, without cells where a line is blank, and may be used again after do. It is called three times: for the
	// layout, where do ends it by errEnough, for the types and for the rows.
	each   func(do func(line int, row []cell) error) error
	doubts *doubts // of the reader; each may add to them
}

// A reader finds the grids of a file and calls found with one after the other. Its errors name the line. What it leaves
// out goes to Source.Left.
type reader func(ctx context.Context, s *Source, path string, found func(*grid) error) error

// layout is where the parts of a table stand in its grid.
type layout struct {
	header []string        // the names of the columns: told apart, none is empty or too long
	first  int             // the line behind which the rows of values begin
	again  map[string]bool // the names of the header, and its lines
	titles map[string]bool // what stands above it
	start  line            // the first row of values
	bare   map[int]bool    // columns without a name
	fits   []fit           // what the columns hold
	doubts doubts
}

const (
	sampled    = 1000 // rows that show a layout
	compared   = 200  // rows below a header that it is compared with
	maxHeaders = 5    // lines of a header
	maxName    = 64   // characters of a column's name
	maxHeld    = 100  // rows that may be footnotes
)

// line is a row of a grid with its number.
type line struct {
	number int
	cells  []cell
}

// filled is how many cells hold something: one where all hold the same, as a title does in cells that are merged.
func (l line) filled() (n int) {
	same := true
	for i, c := range l.cells {
		if c.text != "" {
			n++
		}
		same = same && c.text == l.cells[0].text && i < len(l.cells)
	}
	if same {
		return min(n, 1)
	}
	return n
}

// groups says that a row names several columns at a time.
func (l line) groups() bool { return l.at(0) == "" && l.filled() > 1 && l.at(len(l.cells)-1) == "" }

// filled are the rows that hold something.
func filled(rows []line) []line {
	return slices.DeleteFunc(slices.Clone(rows), func(r line) bool { return r.filled() == 0 })
}

// at is the text of a column, "" behind the last one.
func (l line) at(i int) string {
	if i < len(l.cells) && l.cells[i].mark != none {
		return strings.TrimSpace(l.cells[i].text)
	}
	return ""
}

// layout finds the header and the first row of values.
func (g *grid) layout(o *Options) (*layout, error) {
	l := &layout{}
	if g.columns != nil {
		l.names(g.columns)
		return l, nil
	}
	var rows []line
	err := g.each(func(number int, row []cell) error {
		if number > o.Skip {
			rows = append(rows, line{number, slices.Clone(row)})
		}
		if len(rows) == sampled {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	if n := usual(rows); n > xlsx.MaxColumns {
		return nil, fmt.Errorf(tooWide, n, xlsx.MaxColumns)
	}
	from, headers := 0, 0 // the header is rows[from:from+headers]
	switch given, err := strconv.Atoi(o.Header); {
	case o.Header == "":
		from, headers = head(rows)
	case o.Header == "none":
		from, _ = head(rows)
	case err != nil || given < 1:
		return nil, fmt.Errorf("--header is the number of a line or none, not %q", o.Header)
	default:
		from, headers = slices.IndexFunc(rows, func(r line) bool { return r.number >= given }), 1
		if from < 0 {
			return nil, fmt.Errorf("there is no line %d for the header", given)
		}
	}
	if len(rows) == 0 || from == len(rows) {
		l.doubts.add("", "it holds no values: a table without rows")
		l.names([]string{""})
		return l, nil
	}
	if from > 0 && headers > 0 && rows[from-1].groups() && rows[from-1].number == rows[from].number-1 {
		from, headers = from-1, headers+1
	}
	body := rows[from+headers:]
	width := usual(body)
	if width == 0 || headers > 0 && len(rows[from].cells) > width {
		width = len(rows[from].cells)
	}
	names := make([]string, width)
	for n, r := range rows[from : from+headers] {
		group, again := "", n > 0 && r.words() != rows[from].words() // merged cells are named once
		for i := range names {
			text := r.at(i)
			next := append(rows[from+n+1:from+headers:from+headers], line{})[0]
			if text == "" && next.at(i) != "" {
				text = group // its cell was merged
			}
			group = text
			if again && text == rows[from+n-1].at(i) || strings.HasPrefix(text, `{"`) { // Qualtrics' codes
				continue
			}
			names[i] = strings.TrimSpace(names[i] + " " + text)
		}
	}
	holds := func(r line) bool { return r.at(width-1) != "" }
	for width > 1 && names[width-1] == "" && !slices.ContainsFunc(body, holds) {
		width--
	}
	names = names[:width]
	if n := len(rows[from].cells); headers > 0 && n < usual(body) {
		l.doubts.add("", "line %d names %d columns, and the rows have %d", rows[from].number, n, usual(body))
	}
	if missing := width - len(rows[from].cells); headers == 1 && missing == 1 && names[width-1] == "" {
		// the names begin behind row names, as R writes them
		names = append([]string{""}, names[:width-1]...)
	}
	if above := filled(rows[:from]); len(above) > 0 {
		l.doubts.add("", "left out above the header, to line %d: %q; --header LINE says which line names the columns",
			above[len(above)-1].number, clip(above[0].words()))
	}
	for i := range width {
		l.fits = append(l.fits, fitOf(body[:min(len(body), compared)], i))
	}
	l.first = rows[from].number - 1
	switch {
	case headers == 0:
		l.doubts.add("", "no line names the columns: they are column_1 to column_%d; --header LINE says which one does", width)
		l.names(names)
		return l, nil
	case headers > 1:
		l.doubts.add("", "lines %d to %d name the columns together; --header LINE takes one", rows[from].number,
			rows[from+headers-1].number)
	}
	l.first = rows[from+headers-1].number
	l.start = append(body, line{})[0]
	l.again, l.titles = map[string]bool{}, map[string]bool{"": true}
	for _, r := range rows[from : from+headers] {
		for i := range width {
			l.again[r.at(i)] = true
		}
		l.again[r.words()] = true
	}
	for _, r := range rows[:from] {
		l.titles[r.title()] = true
	}
	delete(l.again, "")
	l.names(names)
	return l, nil
}

// words are the texts of a row, of merged cells once.
func (l line) words() string {
	var words []string
	for i := range l.cells {
		if text := l.at(i); text != "" && (i == 0 || text != l.at(i-1)) {
			words = append(words, text)
		}
	}
	return strings.Join(words, " ")
}

// title is a row without digits, as those of pages are.
func (l line) title() string { return strings.Join(strings.FieldsFunc(l.words(), digit), "") }

// usual is how many cells most rows have.
func usual(rows []line) (width int) {
	counts := map[int]int{}
	for _, r := range rows {
		if n := len(r.cells); n > 0 && r.filled() > 0 {
			if counts[n]++; counts[n] > counts[width] || counts[n] == counts[width] && n > width {
				width = n
			}
		}
	}
	return width
}

// head finds the first row that is no title, and how many rows from there on name the columns.
func head(rows []line) (from, headers int) {
	width, fill := usual(rows), 0
	for _, r := range rows[:min(len(rows), compared)] {
		if len(r.cells) == width {
			fill = max(fill, r.filled())
		}
	}
	full := func(r line) bool { // a title alone fills half of two columns
		n := r.filled()
		return n > 0 && 2*n >= fill && (n > 1 || fill < 2 || r.at(0) == "")
	}
	from = slices.IndexFunc(rows, full)
	if from < 0 {
		return len(rows), 0
	}
	columns := make([]fit, width)
	named := func(at int) bool {
		for i := range columns {
			columns[i] = fitOf(rows[at+1:min(len(rows), at+1+compared)], i)
		}
		return isHeader(rows[at], columns)
	}
	// prose with commas above is shorter than what follows, and so may be what a blank line parts from it
	for next := from + 1; next < min(len(rows), from+20); next++ {
		r, short := rows[next], len(rows[from].cells) < width-1
		parted := 2 < next && next <= from+maxHeaders+1 && rows[next-1].filled() == 0
		if short && len(r.cells) >= width-1 && full(r) ||
			parted && r.at(width-1) != "" && rows[from].at(width-1) == "" && named(next) {
			from = next
		}
	}
	// so are pairs of a name and a value
	wide := func(r line) bool { return r.filled() > 2 || r.filled() > 0 && (r.at(0) == "" || r.at(1) == "") }
	if n := slices.IndexFunc(rows[from:], wide); width > 2 && n > 1 && rows[from+n].filled() > 2 && named(from+n) {
		from += n
	}
	codes := func(r line) bool { return strings.HasPrefix(r.at(0), `{"ImportId"`) } // end a header of Qualtrics
	if n := slices.IndexFunc(rows[from:min(len(rows), from+maxHeaders)], codes); n > 0 {
		return from, n + 1
	}
	if !named(from) {
		return from, 0
	}
	headers = 1
	for headers < min(maxHeaders, len(rows)-from) && continues(rows[from], rows[from+headers], columns) {
		headers++
	}
	return from, headers
}

// fitOf is what the values of a column look like, without words for nothing.
func fitOf(rows []line, column int) (f fit) {
	for _, r := range rows {
		if text := r.at(column); text != "" && !nullWords[strings.ToLower(text)] {
			f.add(text)
		}
	}
	return f
}

// isTyped says that a text is a number, a date or a time, or digits of a code.
func isTyped(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && new(column).formOf(text, false)&^noted != 0
}

// shape is a text with 9 for each digit and A for letters: "KI-99" is "A-99".
func shape(text string) string {
	var b strings.Builder
	letters := false
	for i, r := range text {
		if i > 60 {
			break
		}
		switch {
		case digit(r):
			b.WriteByte('9')
		case r >= utf8.RuneSelf || r|' ' >= 'a' && r|' ' <= 'z':
			if !letters {
				b.WriteByte('A')
			}
			letters = true
			continue
		default:
			b.WriteRune(r)
		}
		letters = false
	}
	return b.String()
}

// isHeader says that a row names the columns: its cells differ in kind from those below; where kinds say nothing, its
// cells are distinct and not empty.
func isHeader(row line, columns []fit) bool {
	votes, years := 0, isYears(row)
	distinct, cells := map[string]bool{}, 0
	for i := range row.cells {
		text := row.at(i)
		if text != "" || i < len(columns) && columns[i].n > 0 {
			distinct[strings.ToLower(text)] = true
			cells++
		}
		if text == "" || i >= len(columns) {
			continue
		}
		typed := isTyped(text) && !years
		switch p := columns[i]; {
		case typed && p.looks[look(text)] == 0 && 10*p.looks[3] >= 6*p.n && p.n > 0: // a month or an hour above numbers
			votes++
		case typed:
			votes -= 2
		case 10*p.typed() >= 6*p.n && p.n > 0:
			votes += 2
		case p.n > 2 && len(p.shapes) == 1:
			if strings.Trim(shape(text), "A ") == "" && p.shapes[shape(text)] == 0 {
				votes++
			} else if p.shapes[shape(text)] > 0 && shape(text) != "A" {
				votes--
			}
		case len(text) > maxName*2:
			votes--
		}
	}
	if !slices.ContainsFunc(columns, func(p fit) bool { return p.n > 0 }) {
		return votes >= 0 // nothing is below
	}
	return votes > 0 || votes == 0 && len(distinct) == cells && !distinct[""]
}

// isYears says that the numbers of a row are years, the same or one after the other, or none.
func isYears(row line) bool {
	last, some := 0, 0
	for i := range row.cells {
		n, err := strconv.Atoi(row.at(i))
		if err != nil {
			continue
		}
		if n < 1900 || n > 2100 || last != 0 && (n < last-1 || n > last+1) {
			return false
		}
		last = n
		some++
	}
	return some > 1
}

// continues says that a row below the first of a header belongs to it: it is the same again, has texts where the
// columns hold numbers and dates, or years where a cell is merged with that above it; it names the columns of labels
// alone, as pandas does.
func continues(first, row line, columns []fit) bool {
	typed, texts, empty, same, merged := 0, 0, 0, len(first.cells) == len(row.cells), false
	full, years := row.filled() == len(row.cells), isYears(row)
	for i := range max(len(row.cells), len(first.cells)) {
		text := row.at(i)
		same = same && strings.EqualFold(text, first.at(i))
		merged = merged || text != "" && (text == first.at(i) || row.at(0) == "" && first.at(i) == "")
		if i >= len(columns) {
			continue
		}
		p, s := columns[i], shape(text)
		if 10*p.typed() < 6*p.n || p.n == 0 {
			if strings.ContainsRune(s, '9') && (p.shapes[s] > 1 || isTyped(text)) {
				return false // it is a value
			}
			continue
		}
		switch typed++; {
		case text == "":
			empty++
		case !isTyped(text) && !nullWords[strings.ToLower(text)]:
			texts++
		case !years:
			return false
		}
	}
	switch {
	case years:
		return merged || texts > 0 // of a pivot table
	case empty == typed && typed > 0 && first.at(0) == "":
		return row.filled() > 1 && row.filled() == len(columns)-typed
	}
	return same || texts > 0 && 2*texts >= typed && row.filled() > 1 && (texts > 1 || !full)
}

const pageAgain = "row %d is the header again: it is left out, with what stands above it"

// records calls do with each row of the values, as many cells as columns. Behind the last one there may be footnotes,
// or another table: they are left out, and told.
func (g *grid) records(l *layout, do func(line int, row []cell) error) error {
	width := len(l.header)
	whole := make([]cell, width)
	give := func(r line) error {
		if g.columns == nil && width > 2 && (r.at(0) == "" || r.at(1) == "") && r.filled() == 1 {
			g.doubts.add("group", "row %d holds no more than %q: it is a row of the table, if it names others, too",
				r.number, clip(r.words()))
		}
		if n := len(r.cells); n != width {
			if n > width && line.filled(line{cells: r.cells[width:]}) > 0 {
				g.doubts.add("more", "row %d has %d values for %d columns: the last holds what is too much", r.number, n, width)
				texts := syntax.Map(r.cells[width-1:], func(c cell) string { return c.text })
				r.cells[width-1].text = strings.Join(texts, " ")
			} else if n < width && g.columns == nil {
				g.doubts.add("fewer", "row %d has %d values for %d columns: the others are NULL", r.number, n, width)
			}
			copy(whole, r.cells)
			for i := n; i < width; i++ {
				whole[i] = cell{mark: none}
			}
			r.cells = whole
		}
		return do(r.number, r.cells)
	}
	var held []line                  // rows that are footnotes if no other follows
	blank, over, page := false, 0, 0 // the lines that begin another table, and the table's next page
	err := g.each(func(number int, row []cell) error {
		r := line{number, row}
		if page > 0 && len(row) > 0 && (r.at(0) != l.start.at(0) || r.at(1) != l.start.at(1)) {
			g.doubts.add("page", pageAgain, page)
			page = 0
		}
		switch {
		case number <= l.first || number == g.sum || g.columns != nil && len(row) == 0:
			return nil
		case g.columns != nil, len(row) == width && width > 1 && row[0].text != "" && row[1].text != "" &&
			len(held)+page == 0 && !l.again[row[0].text]:
			blank = false
			return give(r)
		case r.words() == "" && !slices.Contains(row, cell{mark: quoted}):
			blank = true
			return nil
		case l.again[r.words()] && r.filled() > 1 && (len(held) == 0 || slices.ContainsFunc(held, func(r line) bool {
			return l.titles[r.title()]
		})):
			held, blank, page = held[:0], false, number
			return nil
		case page > 0: // a copy of the table, and not its next page
			over, page = page, 0
			return errEnough
		case l.another(r, blank):
			over = number
			return errEnough
		}
		filled := r.filled()
		if width > 1 && (filled == 0 || 3*filled <= width && filled <= 2 || blank && len(row) != width ||
			(blank || len(held) > 0) && 2*filled <= width) {
			if held = append(held, line{number, slices.Clone(row)}); len(held) < maxHeld {
				return nil
			}
			if blank && len(held[0].cells) != width {
				return errEnough
			}
		} else {
			held = append(held, r)
		}
		blank = false
		for _, r := range held {
			if err := give(r); err != nil {
				return err
			}
		}
		held = held[:0]
		return nil
	})
	switch {
	case over > 0:
		g.doubts.add("", "line %d begins another table: it is left out, with what follows", over)
	case err != nil && !errors.Is(err, errEnough):
		return err
	}
	if page > 0 {
		g.doubts.add("page", pageAgain, page)
	}
	for ; over == 0 && len(held) > 0 && l.record(held[0]); held = held[1:] {
		if err := give(held[0]); err != nil {
			return err
		}
	}
	if left := filled(held); len(left) > 0 {
		g.doubts.add("", "left out behind the table, from line %d: %q", left[0].number, clip(left[0].words()))
	}
	return nil
}

// record says that a row at the end is no footnote and no sum: its values are as others of their columns.
func (l *layout) record(r line) bool {
	if len(r.cells) != len(l.fits) || r.at(0) == "" || r.filled() < 2 && total.MatchString(r.at(0)) {
		return false
	}
	for i, f := range l.fits {
		text, kind := r.at(i), look(r.at(i))
		if text != "" && f.shapes[shape(text)] < 2 && (kind == looks-1 || 2*f.looks[kind] <= f.n) {
			return false
		}
	}
	return true
}

// another says that a row is another table's header: names of this one, behind a blank line or each in its place.
func (l *layout) another(r line, blank bool) bool {
	known := 0
	for i := range r.cells {
		if blank && l.again[r.at(i)] || i < len(l.header) && r.at(i) == l.header[i] {
			known++
		}
	}
	return known > 1 && (blank && 3*known >= 2*r.filled() || 5*known >= 4*len(l.header))
}

// names makes names of columns from what a file has for them.
func (l *layout) names(cells []string) {
	known := map[string]bool{}
	if l.bare = map[int]bool{}; len(cells) == 1 && strings.ContainsAny(cells[0], ";,|\t\x01") {
		l.doubts.add("", "it has one column, %q: if those are several, --delimiter and --quote say how", clip(cells[0]))
	}
	for i, name := range cells {
		unseen := func(r rune) bool { return unicode.In(r, unicode.White_Space, unicode.Cf) }
		name = strings.Join(strings.FieldsFunc(name, unseen), " ")
		if name == "" {
			name, l.bare[i] = fmt.Sprintf("column_%d", i+1), true
		}
		if r := []rune(name); len(r) > maxName {
			l.doubts.add("long", "the name of column %d is too long and cut: %s", i+1, clip(name))
			name = string(r[:maxName-4])
		}
		given := name
		for n := 2; known[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s_%d", given, n)
		}
		if name != given {
			l.doubts.add("twice", "two columns are named %q: the second is %s", given, name)
		}
		known[strings.ToLower(name)] = true
		l.header = append(l.header, name)
	}
}
