package convert

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"nl2sql/scripts/must"
)

// draft is a clean table on its way to a file: each cell as an office of a country shows it, and what should be read.
type draft struct {
	kinds  string // by column: c a code, t a text, i a whole number, d one with two decimals, D a day
	header []string
	shown  [][]string // as the file has them; the header is the first
	want   [][]string // NULL is "-"
	number func(string) string
	day    func(string) string
	native map[string]any // what a cell of a workbook holds, by kind and text
	was    [][]string     // the values as they are written
}

// values are the rows of values as they are written.
func (d *draft) values() (rows [][]string) {
	for _, row := range d.shown {
		if len(row) == len(d.kinds) && !slices.Equal(row, d.shown[0]) {
			rows = append(rows, row)
		}
	}
	return append(rows, make([][]string, 2)...)
}

// clean are tables that are polluted.
var clean = []struct {
	kinds, header string
	row           func(i int) string
}{
	{"ctiid", "code,town,year,people,rate", func(i int) string {
		return fmt.Sprintf("%05d|%s|%d|%d|%d.%02d", 1001+i*37, []string{"Ulm", "Kiel", "Bonn", "Jena", "Trier"}[i%5],
			2019+i%5,
			9127+i*15377, 3+i*7%90, 5+i*13%90)
	}},
	{"iDtd", "no,day,text,amount", func(i int) string {
		return fmt.Sprintf("%d|2024-%02d-%02d|%s|%s%d.%02d", 100+i, 1+i%12, 1+i*5%28, []string{"rent", "water", "wages of May",
			"card 12"}[i%4], []string{"-", ""}[i%2], 12+i*377%4000, 10+i*7%90)
	}},
	{"iitdt", "respondent,age,sex,score,comment", func(i int) string {
		return fmt.Sprintf("%d|%d|%s|%d.%02d|%s", 1+i, 18+i*11%60, []string{"f", "m"}[i%2], 1+i%4, 11+i*17%80,
			[]string{"good", "it was fine", "too long", "none of it"}[i%4])
	}},
}

// habits are how countries write numbers and days.
var habits = []struct {
	name, sign  string
	number, day func(string) string
}{
	{"English", ",", grouped(",", "."), func(s string) string { return s }},
	{"German", ";", grouped(".", ","), func(s string) string { return s[8:] + "." + s[5:7] + "." + s[:4] }},
	{"French", ";", grouped("\u202f", ","), func(s string) string { return s[8:] + "/" + s[5:7] + "/" + s[:4] }},
	{"Excel", "", func(s string) string { return s }, func(s string) string { return s }},
}

func grouped(thousands, point string) func(string) string {
	return func(s string) string {
		whole, part, _ := strings.Cut(strings.TrimPrefix(s, "-"), ".")
		text := ""
		for len(whole) > 3 && part != "" {
			whole, text = whole[:len(whole)-3], thousands+whole[len(whole)-3:]+text
		}
		text = s[:strings.IndexAny(s, "0123456789")] + whole + text
		if part != "" {
			text += point + part
		}
		return text
	}
}

// first is the first column of a kind, -1 without one.
func (d *draft) first(kind byte) int { return strings.IndexByte(d.kinds, kind) }

// each changes the cells of a column in the rows that which takes, and what should be read of them.
func (d *draft) each(kind byte, which func(i int) bool, change func(shown, want string) (string, string)) {
	c := d.first(kind)
	for i := range d.want {
		if which(i) && c >= 0 {
			d.shown[i+1][c], d.want[i][c] = change(d.shown[i+1][c], d.want[i][c])
		}
	}
}

func every(n int) func(int) bool { return func(i int) bool { return i%n == n-1 } }
func all(int) bool               { return true }

// behind writes something behind a cell, which is left out.
func behind(mark string) func(string, string) (string, string) {
	return func(shown, want string) (string, string) { return shown + mark, want }
}

// instead writes something instead of a cell, which means nothing.
func instead(mark string) func(string, string) (string, string) {
	return func(_, _ string) (string, string) { return mark, "-" }
}

// kept writes something that is read as it is written.
func kept(mark string) func(string, string) (string, string) {
	return func(shown, _ string) (string, string) { return shown + mark, shown + mark }
}

func (d *draft) above(rows ...[]string) { d.shown = append(slices.Clone(rows), d.shown...) }
func (d *draft) below(rows ...[]string) { d.shown = append(d.shown, rows...) }

// sums is a row of totals behind a label, as it is shown and as it should be read.
func (d *draft) sums(label string) (shown, want []string) {
	shown, want = make([]string, len(d.kinds)), make([]string, len(d.kinds))
	shown[0], want[0] = label, cmp.Or(label, "-")
	for c, k := range d.kinds {
		if want[c] = cmp.Or(want[c], "-"); k != 'i' && k != 'd' || c == 0 {
			continue
		}
		cents := 0
		for _, r := range d.want {
			n, _ := strconv.ParseFloat(r[c], 64)
			cents += int(math.Round(n * 100))
		}
		want[c] = fmt.Sprint(cents / 100)
		if shown[c] = want[c]; k == 'd' {
			want[c] = strconv.FormatFloat(float64(cents)/100, 'f', 2, 64)
			shown[c] = d.number(want[c])
		}
	}
	return shown, want
}

func (d *draft) total(label string) {
	shown, want := d.sums(label)
	d.shown, d.want = append(d.shown, shown), append(d.want, want)
}

// pollutions are what offices do to a clean table, one at a time.
var pollutions = []struct {
	name string
	do   func(d *draft)
}{
	{"nothing", func(d *draft) {}},
	// statistical offices
	{"a star behind some numbers", func(d *draft) { d.each('d', every(4), behind("*")) }},
	{"a star behind most numbers", func(d *draft) {
		d.each('d', func(i int) bool { return i%4 > 0 }, behind("*"))
	}},
	{"(p) behind some", func(d *draft) { d.each('i', every(3), behind(" (p)")) }},
	{"(p) behind most", func(d *draft) { d.each('d', func(i int) bool { return i%5 > 0 }, behind(" (p)")) }},
	{"r behind some", func(d *draft) { d.each('d', every(3), behind(" r")) }},
	{"r and p and b behind most", func(d *draft) {
		n := 0
		d.each('d', func(i int) bool { return i%5 > 0 }, func(s, w string) (string, string) {
			n++
			return s + " " + []string{"r", "p", "b", "e"}[n%4], w
		})
	}},
	{"r and p behind half, without a blank", func(d *draft) {
		n := 0
		d.each('d', every(2), func(s, w string) (string, string) {
			n++
			return s + []string{"r", "p"}[n%2], w
		})
	}},
	{"raised figures", func(d *draft) { d.each('d', every(3), behind("¹")) }},
	{"raised figures in brackets", func(d *draft) { d.each('d', every(3), behind(" ¹)")) }},
	{"1) behind some", func(d *draft) { d.each('d', every(3), behind(" 1)")) }},
	{"[1] behind some", func(d *draft) { d.each('d', every(3), behind(" [1]")) }},
	{"1) behind names", func(d *draft) { d.each('t', every(3), kept(" 1)")) }},
	{"a dagger behind a few", func(d *draft) { d.each('d', every(6), behind(" †")) }},
	{"brackets around what is not sure", func(d *draft) {
		d.each('i', every(5), func(s, w string) (string, string) { return "(" + s + ")", w })
	}},
	{"a slash for what is not sure", func(d *draft) { d.each('d', every(5), instead("/")) }},
	{"a point for what is secret", func(d *draft) { d.each('d', every(5), instead(".")) }},
	{"a colon for what is missing", func(d *draft) { d.each('d', every(5), instead(":")) }},
	{"a colon and a flag", func(d *draft) { d.each('d', every(5), instead(": c")) }},
	{"several marks for nothing", func(d *draft) {
		n := 0
		d.each('d', every(3), func(string, string) (string, string) {
			n++
			return []string{"-", "…", "x", ".", "/"}[n%5], "-"
		})
	}},
	{"about", func(d *draft) { d.each('d', every(4), func(s, w string) (string, string) { return "ca. " + s, w }) }},
	{"tildes", func(d *draft) { d.each('d', every(4), func(s, w string) (string, string) { return "~" + s, w }) }},
	{"less than", func(d *draft) {
		d.each('d', every(4), func(s, _ string) (string, string) { return "<" + s, "<" + s })
	}},
	{"s before", func(d *draft) { d.each('d', every(4), func(s, w string) (string, string) { return "s " + s, w }) }},
	{"a line of units", func(d *draft) {
		row := make([]string, len(d.kinds))
		for i, k := range d.kinds {
			if k == 'd' || k == 'i' {
				row[i] = []string{"Anzahl", "EUR", "%"}[i%3]
			}
		}
		d.shown = slices.Insert(d.shown, 1, row)
		for i, u := range row {
			d.header[i] = strings.TrimSpace(d.header[i] + " " + u)
		}
	}},
	{"a line of numbers of columns", func(d *draft) {
		var row []string
		for i := range d.kinds {
			row = append(row, fmt.Sprint(i+1))
		}
		d.shown = slices.Insert(d.shown, 1, row)
		for i := range row {
			d.header[i] += " " + row[i]
		}
	}},
	{"a title, a source and notes", func(d *draft) {
		d.above([]string{"Table 12: people by town"}, []string{"as of 31.12.2023"}, []string{})
		d.below([]string{}, []string{"Source: the office"}, []string{"* provisional"})
	}},
	{"notes at once", func(d *draft) { d.below([]string{"1) without the coast"}, []string{"© the office, 2024"}) }},
	{"a total", func(d *draft) { d.total("Insgesamt") }},
	{"a total that is named otherwise", func(d *draft) { d.total("Deutschland") }},
	{"a total without a label", func(d *draft) { d.total("") }},
	{"a total above", func(d *draft) {
		shown, want := d.sums("Bund")
		d.shown, d.want = slices.Insert(d.shown, 1, shown), slices.Insert(d.want, 0, want)
	}},
	{"a label once a group", func(d *draft) {
		const c = 0
		d.kinds, d.native = "t"+d.kinds[1:], map[string]any{}
		for i := range d.want {
			d.shown[i+1][c], d.want[i][c] = "group "+string(rune('A'+i/6)), "group "+string(rune('A'+i/6))
			if i%6 > 0 {
				d.shown[i+1][c] = ""
			}
		}
	}},
	{"lines of groups between", func(d *draft) {
		row := make([]string, len(d.kinds))
		row[0] = "Region North"
		other := slices.Clone(row)
		other[0] = "Region South"
		d.shown = slices.Insert(slices.Insert(d.shown, 12, other), 1, row)
	}},
	{"the header again as the last line", func(d *draft) { d.below(slices.Clone(d.header)) }},
	{"the header again on each page", func(d *draft) {
		d.shown = slices.Insert(slices.Insert(d.shown, 21, slices.Clone(d.header)), 11, slices.Clone(d.header))
	}},
	{"blank lines between", func(d *draft) {
		d.shown = slices.Insert(slices.Insert(d.shown, 21, []string{}), 11, []string{})
	}},
	{"ranges", func(d *draft) { d.each('i', every(4), kept("-99")) }},
	{"millions in words", func(d *draft) { d.each('d', every(4), kept(" Mio.")) }},
	// ERP, banks
	{"a minus behind", func(d *draft) {
		d.each('d', all, func(s, w string) (string, string) {
			if s[0] == '-' {
				return s[1:] + "-", w
			}
			return s, w
		})
	}},
	{"S and H behind", func(d *draft) {
		d.each('d', all, func(s, w string) (string, string) {
			if s[0] == '-' {
				return s[1:] + " S", w
			}
			return s + " H", strings.TrimPrefix(w, "-")
		})
	}},
	{"EUR behind", func(d *draft) { d.each('d', all, behind(" EUR")) }},
	{"EUR and USD", func(d *draft) {
		d.each('d', every(2), behind(" EUR"))
		d.each('d', func(i int) bool { return i%2 == 0 }, behind(" USD"))
	}},
	{"USD behind a few", func(d *draft) { d.each('d', every(5), behind(" USD")) }},
	{"days of digits", func(d *draft) {
		d.each('D', all, func(_, w string) (string, string) { return strings.ReplaceAll(w, "-", ""), w })
	}},
	{"days as Excel counts them", func(d *draft) {
		d.each('D', all, func(_, w string) (string, string) {
			at, _ := time.Parse(time.DateOnly, w)
			return fmt.Sprint(25569 + at.Unix()/86400), w
		})
	}},
	{"days of two habits", func(d *draft) {
		d.each('D', every(3), func(_, w string) (string, string) { return w[8:] + "." + w[5:7] + "." + w[:4], w })
	}},
	{"a day that is none", func(d *draft) {
		d.each('D', every(10), func(string, string) (string, string) { return "31.02.2024", "-" })
	}},
	{"days far away", func(d *draft) {
		d.each('D', every(10), func(string, string) (string, string) { return "31.12.9999", "9999-12-31" })
	}},
	{"days without a year", func(d *draft) {
		d.each('D', every(4), func(_, w string) (string, string) {
			short := w[8:] + "." + w[5:7] + "."
			return short, short
		})
	}},
	{"codes of digits as numbers with an exponent", func(d *draft) {
		n := 0
		d.each('i', all, func(string, string) (string, string) {
			n++
			text := d.number(fmt.Sprintf("4.%05d", 10000+n*117)) + "E+12"
			return text, text
		})
	}},
	{"an apostrophe before codes", func(d *draft) {
		d.each('c', all, func(s, w string) (string, string) { return "'" + s, w })
	}},
	{"codes without their zeros in some rows", func(d *draft) {
		d.each('c', every(2), func(s, _ string) (string, string) {
			short := strings.TrimLeft(s, "0")
			return short, short
		})
	}},
	{"##### for what was too wide", func(d *draft) { d.each('d', every(9), instead("#####")) }},
	{"errors of Excel", func(d *draft) { d.each('d', every(9), instead("#BEZUG!")) }},
	{"errors of Excel, in French", func(d *draft) { d.each('d', every(9), instead("#VALEUR!")) }},
	{"blanks around values", func(d *draft) {
		for _, r := range d.shown {
			for c := range r {
				r[c] = " " + r[c] + "  "
			}
		}
	}},
	{"blanks for nothing", func(d *draft) { d.each('t', every(4), instead("  ")) }},
	{"both decimal signs", func(d *draft) {
		d.each('d', every(3), func(s, w string) (string, string) {
			if strings.Contains(s, ",") {
				return w, w
			}
			return strings.Replace(w, ".", ",", 1), w
		})
	}},
	{"numbers without decimals beside others", func(d *draft) {
		d.each('d', every(3), func(s, w string) (string, string) { return d.number("4711.00"), "4711" })
	}},
	{"percents on some", func(d *draft) { d.each('d', every(3), behind(" %")) }},
	{"a number too much in brackets", func(d *draft) { d.each('t', every(6), kept(" (2)")) }},
	// survey tools
	{"-99 for no answer", func(d *draft) { d.each('i', every(7), instead("-99")) }},
	{"999 for no answer", func(d *draft) { d.each('i', every(7), instead("999")) }},
	{"no answer in words", func(d *draft) { d.each('i', every(7), instead("no answer")) }},
	{"weiß nicht", func(d *draft) { d.each('i', every(7), instead("weiß nicht")) }},
	{"refused", func(d *draft) { d.each('i', every(7), instead("refused")) }},
	{"questions below the names", func(d *draft) {
		var row []string
		for i := range d.kinds {
			row = append(row, fmt.Sprintf("Which was it, in your %d. year?", i+1))
		}
		d.shown = slices.Insert(d.shown, 1, row)
		for i := range row {
			d.header[i] += " " + row[i]
		}
	}},
	{"NA", func(d *draft) { d.each('d', every(4), instead("NA")) }},
	{"NA among texts", func(d *draft) { d.each('t', every(4), kept("NA")) }},
	{"unknown among texts", func(d *draft) { d.each('t', every(4), instead("n/a")) }},
	{"NULL among texts", func(d *draft) { d.each('t', every(4), instead("NULL")) }},
	{"several answers in a cell", func(d *draft) { d.each('t', every(4), kept(";2;3")) }},
	{"years and ages with words", func(d *draft) { d.each('i', every(3), behind(" years")) }},
	{"hours in words", func(d *draft) {
		d.each('i', all, func(s, w string) (string, string) { return "1 h " + s + " min", "1 h " + s + " min" })
	}},
	{"ages with a plus", func(d *draft) { d.each('i', every(6), kept("+")) }},
	{"a text that is a number once", func(d *draft) {
		d.each('t', every(9), func(string, string) (string, string) { return "12", "12" })
	}},
}

// draftOf is a clean table in the habit of a country, polluted.
func draftOf(table, habit int, do func(d *draft)) *draft {
	d := &draft{kinds: clean[table].kinds, header: strings.Split(clean[table].header, ",")}
	d.number, d.day = habits[habit].number, habits[habit].day
	d.shown = append(d.shown, slices.Clone(d.header))
	for i := range 36 {
		row := strings.Split(clean[table].row(i), "|")
		d.want = append(d.want, slices.Clone(row))
		for c, k := range d.kinds {
			if k == 'd' {
				row[c] = d.number(row[c])
			} else if k == 'D' {
				row[c] = d.day(row[c])
			}
		}
		d.shown = append(d.shown, row)
	}
	d.native = map[string]any{}
	for i, row := range d.want {
		for c, k := range d.kinds {
			if n, err := strconv.ParseFloat(row[c], 64); err == nil && (k == 'i' || k == 'd') {
				d.native[string(k)+d.shown[i+1][c]] = n
			} else if at, err := time.Parse(time.DateOnly, row[c]); err == nil {
				d.native["D"+d.shown[i+1][c]] = at
			}
		}
	}
	do(d)
	return d
}

// write makes a file of it: a workbook where the habit has no sign between values.
func (d *draft) write(t *testing.T, sign string) string {
	t.Helper()
	if sign == "" {
		return workbookOf(t, func(f *excelize.File, style func(string) int) {
			for r, row := range d.shown {
				for c, text := range row {
					name := must.Get(excelize.CoordinatesToCellName(c+1, r+1))(t)
					n := any(nil)
					if c < len(d.kinds) {
						n = d.native[string(d.kinds[c])+text]
					}
					if n != nil {
						must.Do(t, f.SetCellValue("Sheet1", name, n))
					} else if text != "" {
						must.Do(t, f.SetCellValue("Sheet1", name, text))
					}
				}
			}
		})
	}
	var b strings.Builder
	for _, row := range d.shown {
		for c, text := range row {
			if c > 0 {
				b.WriteString(sign)
			}
			if strings.ContainsAny(text, sign+"\"\n") {
				text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
			}
			b.WriteString(text)
		}
		b.WriteString("\n")
	}
	path := filepath.Join(t.TempDir(), "book.csv")
	must.Do(t, os.WriteFile(path, []byte(b.String()), 0o600))
	return path
}

// kindsOf are the kinds of columns of a table that was imported: as in draft.
func kindsOf(t *Table) (kinds string) {
	for _, c := range t.Columns {
		switch {
		case strings.HasPrefix(c.Type, "decimal"), c.Type == "double":
			kinds += "d"
		case strings.HasSuffix(c.Type, "int"):
			kinds += "i"
		case c.Type == "date", strings.HasPrefix(c.Type, "datetime"):
			kinds += "D"
		case strings.HasPrefix(c.Type, "time"):
			kinds += "T"
		default:
			kinds += "t"
		}
	}
	return kinds
}

// differs says where a table is not what a draft holds: "" nowhere, else the first place, and whether a value is wrong
// and not only the type that a column could have.
func (d *draft) differs(kinds string, header []string, rows [][]string) (where string, value bool) {
	if !slices.Equal(header, d.header) {
		return fmt.Sprintf("the header is %q", header), true
	}
	if len(rows) != len(d.want) {
		return fmt.Sprintf("%d rows for %d", len(rows), len(d.want)), true
	}
	for i, row := range d.want {
		for c, want := range row {
			got := rows[i][c]
			n, err := strconv.ParseFloat(got, 64)
			m, err2 := strconv.ParseFloat(want, 64)
			if err == nil && err2 == nil && math.Abs(n-m) < 1e-6 && kinds[c] != 't' || got == want {
				continue
			}
			if err == nil && err2 == nil && math.Abs(n-m) < 1e-6 || got == d.was[i][c] && kinds[c] == 't' {
				where = fmt.Sprintf("%s, row %d: %q is kept as it is written", header[c], i+1, got)
				continue
			}
			return fmt.Sprintf("%s, row %d: %q for %q", header[c], i+1, got, want), true
		}
	}
	for c, k := range d.kinds {
		if k == 'c' {
			k = 't'
		}
		fits := true // all that is wanted is of the kind
		for _, row := range d.want {
			_, err := strconv.ParseFloat(row[c], 64)
			_, noDay := time.Parse(time.DateOnly, row[c])
			fits = fits && (row[c] == "-" || k == 't' || k == 'D' && noDay == nil || k != 'D' && err == nil)
		}
		if fits && byte(k) != kinds[c] && !(k == 'd' && kinds[c] == 'i') && !(k == 'i' && kinds[c] == 'd') {
			where = cmp.Or(where, fmt.Sprintf("%s is of kind %c for %c", header[c], kinds[c], k))
		}
	}
	return where, false
}

// readAs is what a file becomes.
func readAs(t *testing.T, path string) (table *Table, rows [][]string) {
	t.Helper()
	s, ok, err := Open(path, plain)
	must.Be(t, ok && err == nil, err)
	in := s.Script(t.Context())
	defer in.Close()
	script := string(must.Get(io.ReadAll(in))(t))
	_, script, _ = strings.Cut(script, ";\n")
	for _, line := range strings.Split(script, "INSERT INTO") {
		_, line, _ = strings.Cut(line, "VALUES ")
		for _, m := range rowText.FindAllString(line, -1) {
			var row []string
			for _, v := range valueText.FindAllString(m, -1) {
				if v == "NULL" {
					v = "-"
				} else {
					v = strings.NewReplacer(`\\'`, "'", `\\\\`, `\\`).Replace(v[1 : len(v)-1])
				}
				row = append(row, v)
			}
			rows = append(rows, row)
		}
	}
	return s.Tables[0], rows
}

var (
	valueText = regexp.MustCompile(`NULL|'(?:[^'\\]|\\.)*'`)
	rowText   = regexp.MustCompile(`\((?:NULL|'(?:[^'\\]|\\.)*'|,)*\)`)
)

// untold is what nobody is told of: such a file is read as it is written.
var untold = map[string]bool{"a line of numbers of columns": true, "an apostrophe before codes": true}

// What offices do to a clean table is undone, or told: in each habit, one pollution at a time.
func TestHabits(t *testing.T) {
	counts := map[string]int{}
	for _, p := range pollutions {
		for h, habit := range habits {
			for table := range clean {
				before := draftOf(table, h, func(*draft) {})
				d := draftOf(table, h, p.do)
				if p.name != "nothing" && slices.EqualFunc(before.shown, d.shown, slices.Equal[[]string]) {
					continue
				}
				d.was = d.values()
				clear := map[string]bool{}
				was, _ := readAs(t, before.write(t, habit.sign))
				for _, line := range was.Doubts {
					clear[line] = true
				}
				got, rows := readAs(t, d.write(t, habit.sign))
				var header, told []string
				for _, c := range got.Columns {
					header = append(header, c.Name)
				}
				for _, line := range got.Doubts {
					if !clear[line] {
						told = append(told, line)
					}
				}
				where, value := d.differs(kindsOf(got), header, rows)
				result := "right"
				switch {
				case where != "" && len(told) > 0:
					result = "told"
				case value:
					result = "SILENT value"
				case where != "":
					result = "silent type"
				}
				counts[result]++
				if strings.HasPrefix(strings.ToLower(result), "silent") && !untold[p.name] {
					t.Errorf("%s, %s, %s, %s: %s", result, p.name, habit.name, clean[table].header, where)
				} else if result != "right" {
					t.Logf("%-12s %-45s %-8s %s: %s %q", result, p.name, habit.name, clean[table].header, where, told)
				}
			}
		}
	}
	t.Log(len(pollutions), "pollutions:", counts)
	must.Be(t, counts["right"] > 400, counts)
}
