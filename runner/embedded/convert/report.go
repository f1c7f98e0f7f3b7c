package convert

import (
	"fmt"
	"slices"
)

// Options say how files are read where what is found of them would be wrong. The zero value finds all.
type Options struct {
	Encoding  string   // of texts, by its name at IANA: "windows-1252", "utf-16le"
	Delimiter string   // between values; "tab" or "\t" is one
	Quote     string   // around values; "none"
	Header    string   // the number of its line, from 1, or "none"
	Skip      int      // lines before the table
	Decimal   string   // "," or "." before the decimals of a number
	Dates     string   // "DMY", "MDY" or "YMD": the order of a date's parts
	Null      []string // the texts that mean NULL, instead of those that are known
	Types     string   // "text" leaves every value as it is written
	Join      bool     // the sheets of a workbook that have the same header are one table, with a column for the sheet
}

// check says which option cannot be.
func (o *Options) check() error {
	if o.Decimal != "" && o.Decimal != "," && o.Decimal != "." {
		return fmt.Errorf("--decimal is a comma or a point, not %q", o.Decimal)
	}
	return nil
}

// Table is what was read of one table.
type Table struct {
	Name    string   `json:"name"`
	File    string   `json:"file"`           // without its folder
	Read    string   `json:"read,omitempty"` // how: encoding, signs between and around values, line of the header
	Rows    int64    `json:"rows"`
	Columns []Column `json:"columns"`
	Doubts  []string `json:"doubts,omitempty"` // a line each: what is doubtful, then what to do
}

// Column is one of a table.
type Column struct {
	Name   string   `json:"name"`
	Type   string   `json:"type"`
	Values []string `json:"values"` // the first three, as they are imported
}

// doubts collect what a reader and the types find doubtful. The zero value is ready.
type doubts []doubt

type doubt struct {
	kind, text string // texts of one kind are alike: only the first is shown
	more       int
}

// add notes one. kind "" is shown always.
func (d *doubts) add(kind, format string, values ...any) {
	if i := slices.IndexFunc(*d, func(o doubt) bool { return kind != "" && o.kind == kind }); i >= 0 {
		(*d)[i].more++
		return
	}
	*d = append(*d, doubt{kind: kind, text: fmt.Sprintf(format, values...)})
}

func (d doubts) lines() []string {
	var out []string
	for _, one := range d {
		if one.more > 0 {
			one.text += fmt.Sprintf(" (and %d more)", one.more)
		}
		out = append(out, one.text)
	}
	return out
}
