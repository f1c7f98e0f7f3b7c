package embedded

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// Statements and their answers stand in txtar files: a statement on a line of its own, then a line for each row behind
// a tab, its cells between bars. The first such line of a recorded answer has the columns' labels; "error N" stands
// for an error.

// cellText writes a cell so that it stands on one line between bars.
var cellText = strings.NewReplacer("\\", "\\\\", "|", "\\|", "\n", "\\n", "\r", "\\r", "\t", "\\t", "\x00", "\\0")

func printCells(cells []string) string {
	var out []string
	for _, c := range cells {
		switch {
		case c == "":
			c = "''"
		case c == "''":
			c = `\'\'`
		case strings.Trim(c, " ") != c: // which an editor may cut
			c = strings.Repeat("\\s", len(c)-len(strings.TrimLeft(c, " "))) + cellText.Replace(strings.Trim(c, " ")) +
				strings.Repeat("\\s", min(len(strings.TrimLeft(c, " "))-len(strings.Trim(c, " ")), len(c)))
		default:
			c = cellText.Replace(c)
		}
		out = append(out, c)
	}
	return strings.Join(out, " | ")
}

// parseCells reads what printCells wrote.
func parseCells(line string) []string {
	var out []string
	var cell strings.Builder
	end := func() {
		text := strings.Trim(cell.String(), " ")
		cell.Reset()
		if text == "''" {
			text = ""
		}
		out = append(out, strings.NewReplacer("\x01", " ", "\x02", "'").Replace(text))
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line):
			i++
			switch e := line[i]; e {
			case 'n':
				cell.WriteByte('\n')
			case 'r':
				cell.WriteByte('\r')
			case 't':
				cell.WriteByte('\t')
			case '0':
				cell.WriteByte(0)
			case 's':
				cell.WriteByte('\x01')
			case '\'':
				cell.WriteByte('\x02')
			default:
				cell.WriteByte(e)
			}
		case c == '|':
			end()
		default:
			cell.WriteByte(c)
		}
	}
	end()
	return out
}

// parseAnswers reads a section; labelled says that the columns' labels come before the rows.
func parseAnswers(t testing.TB, text string, labelled bool) (list []answer) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		row, isRow := strings.CutPrefix(line, "\t")
		switch {
		case line == "":
		case !isRow:
			list = append(list, answer{SQL: line})
		case len(list) == 0:
			t.Fatalf("a row before the first statement: %q", line)
		case labelled && list[len(list)-1].Columns == nil && strings.HasPrefix(row, "error "):
			code := must.Get(strconv.ParseUint(strings.TrimPrefix(row, "error "), 10, 16))(t)
			list[len(list)-1].Code = uint16(code)
		case labelled && list[len(list)-1].Columns == nil:
			list[len(list)-1].Columns = parseCells(row)
		default:
			list[len(list)-1].Rows = append(list[len(list)-1].Rows, parseCells(row))
		}
	}
	return list
}

// printAnswer writes a recorded answer with its labels.
func printAnswer(a answer) string {
	var b strings.Builder
	b.WriteString(a.SQL + "\n")
	if a.Code != 0 {
		fmt.Fprintf(&b, "\terror %d\n", a.Code)
		return b.String()
	}
	b.WriteString("\t" + printCells(a.Columns) + "\n")
	for _, row := range a.Rows {
		b.WriteString("\t" + printCells(row) + "\n")
	}
	return b.String()
}

func TestCells(t *testing.T) {
	for _, cells := range [][]string{{"a", "b"}, {""}, {" a ", "  ", "|", "\\", "a\nb\t\x00"},
		{"NULL", "'x'"}, {"''"}} {
		must.Equal(t, fmt.Sprintf("%q", parseCells(printCells(cells))), fmt.Sprintf("%q", cells),
			cells, "by way of", printCells(cells))
	}
}
