package render

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// WriteColumns prints rows of texts in columns with two blanks between, and no lines; no cell can send a control sequence.
// The first right columns are aligned to the right, after two blanks.
func WriteColumns(w io.Writer, rows [][]string, right int) error {
	t := table.NewWriter()
	style := table.Style{Box: table.BoxStyle{PaddingRight: "  "}, Options: table.OptionsNoBordersAndSeparators}
	if right > 0 {
		style.Box = table.BoxStyle{PaddingLeft: "  "}
	}
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	var configs []table.ColumnConfig
	for c := range right {
		configs = append(configs, table.ColumnConfig{Number: c + 1, Align: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	for _, row := range rows {
		var cells table.Row
		for _, cell := range row {
			cells = append(cells, Visible(cell))
		}
		t.AppendRow(cells)
	}
	if len(rows) == 0 {
		return nil
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}
