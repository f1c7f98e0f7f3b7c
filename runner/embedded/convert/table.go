package convert

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"nl2sql/runner/embedded/xlsx"
	"nl2sql/sqlcheck/syntax"
)

// table is one whose values are texts, that tell their types.
type table struct {
	name    string
	comma   bool // numbers have one instead of a point
	columns []*column
	keyed   map[string]bool // the values of the first column so far; nil if one came twice
}

func newTable(name string) *table { return &table{name: name, keyed: map[string]bool{}} }

// write writes the table. each calls its function with one row after the other, and names what an error is about; it
// is called twice, for the types of the values and for the rows.
func (t *table) write(out *bufio.Writer, each func(do func(row []string) error) error) error {
	if err := each(t.look); err != nil {
		return err
	}
	t.define(out)
	rows := &inserts{out: out, table: syntax.QuoteName(t.name)}
	defer rows.end()
	return each(func(row []string) error {
		rows.row(len(t.columns), func(i int) int { return t.cell(out, i, row[i]) })
		return nil
	})
}

// header names the columns.
func (t *table) header(row []string) error {
	if len(row) > xlsx.MaxColumns {
		return fmt.Errorf("it has %d columns, and a table has at most %d", len(row), xlsx.MaxColumns)
	}
	known, numbers := map[string]bool{}, 0
	for i, name := range row {
		name = strings.TrimSpace(name)
		switch {
		case name == "":
			name = fmt.Sprintf("column_%d", i+1)
		case !utf8.ValidString(name):
			return errNotUTF8
		case utf8.RuneCountInString(name) > 64:
			return fmt.Errorf("%q is too long to name a column: the first line should name the columns",
				string([]rune(name)[:20])+"…")
		case known[strings.ToLower(name)]:
			return fmt.Errorf("two columns are named %q", name)
		}
		known[strings.ToLower(name)] = true
		c := &column{name: name, comma: t.comma}
		c.number(name)
		numbers += c.seen[whole] + c.seen[fixed] + c.seen[date]
		t.columns = append(t.columns, &column{name: name, comma: c.comma})
	}
	if numbers == len(row) {
		return errors.New("it holds values only: the first line should name the columns")
	}
	return nil
}

var errNotUTF8 = errors.New("a text is not UTF-8: save the file as UTF-8")

// maxKeys is how many values of a column are held against each other.
const maxKeys = 2_000_000

// look notes the types of a row.
func (t *table) look(row []string) error {
	for i, cell := range row {
		c := t.columns[i]
		switch {
		case isNull(cell):
			c.nulls++
		case !utf8.ValidString(cell):
			return errNotUTF8
		case c.texts:
			c.length(cell)
			c.seen[text]++
		default:
			c.number(cell)
		}
	}
	if t.keyed != nil {
		if t.keyed[row[0]] || len(t.keyed) == maxKeys {
			t.keyed = nil
			return nil
		}
		t.keyed[strings.Clone(row[0])] = true
	}
	return nil
}

// isNull says that a value is none.
func isNull(cell string) bool { return cell == "" || cell == `\N` }

// define writes the CREATE TABLE. The first column is the key if it is a whole number named id, or something that ends
// with it, and never comes twice.
func (t *table) define(out *bufio.Writer) {
	var defs []string
	for _, c := range t.columns {
		def := syntax.QuoteName(c.name) + " " + c.declared()
		if c.nulls == 0 && t.columns[0].seen != [kinds]int{} {
			def += " NOT NULL"
		}
		defs = append(defs, def)
	}
	if first := t.columns[0]; t.keyed != nil && first.only(whole) && first.nulls == 0 &&
		strings.HasSuffix(strings.ToLower(first.name), "id") {
		defs = append(defs, "PRIMARY KEY ("+syntax.QuoteName(first.name)+")")
	}
	fmt.Fprintf(out, "CREATE TABLE %s (%s);\n", syntax.QuoteName(t.name), strings.Join(defs, ", "))
}

// cell writes a value as its column's type has it, and says how long it is.
func (t *table) cell(out *bufio.Writer, i int, cell string) (bytes int) {
	c := t.columns[i]
	if isNull(cell) {
		out.WriteString("NULL")
		return 4
	}
	switch c.kind() {
	case fixed, double, whole:
		if c.comma {
			cell = strings.Replace(cell, ",", ".", 1)
		}
	case datetime:
		cell = strings.Replace(cell, "T", " ", 1)
	}
	writeText(out, cell)
	return len(cell)
}
