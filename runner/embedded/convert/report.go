package convert

import (
	"fmt"
	"slices"
)

// Options say how files are read where what is found of them would be wrong, as flags of the command line. The zero
// value finds all.
type Options struct {
	Encoding  string   `help:"Of CSV and JSON files: their encoding, as windows-1252, gbk or utf-16le, where it is not found." placeholder:"NAME"`
	Delimiter string   `help:"Of CSV files: the character between values, or tab." placeholder:"CHAR"`
	Quote     string   `help:"Of CSV files: the character around values, or none." placeholder:"CHAR"`
	Header    string   `help:"Of CSV files and sheets: the line that names the columns, or none." placeholder:"LINE"`
	Skip      int      `help:"Of CSV files and sheets: how many lines stand before the table." placeholder:"N" range:"0.."`
	Decimal   string   `help:"Of CSV files and sheets: the character before decimals, a comma or a point." placeholder:"CHAR"`
	Dates     string   `help:"Of CSV files and sheets: the order of day, month and year where several fit: DMY, MDY or YMD." enum:"DMY,MDY,YMD," default:"" placeholder:"ORDER"`
	Null      []string `help:"Of CSV files and sheets: a text that means NULL, instead of those that are known; may be given again." sep:"none" placeholder:"TEXT"`
	Join      bool     `name:"join-sheets" help:"Of workbooks: sheets with the same header are one table, with a column for the sheet."`
	Types     string   `help:"Of CSV files and sheets: text leaves every value as it is written." enum:"auto,text" default:"auto" placeholder:"TYPES"`
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
