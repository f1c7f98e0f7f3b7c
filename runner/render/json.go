package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"nl2sql/runner"
	"nl2sql/sqlcheck/syntax"
)

// writeJSON keeps labels and rows apart, so that columns of one name stay two; a row is a line.
func writeJSON(w *bytes.Buffer, res runner.Result) error {
	columns, err := JSONText(append([]string{}, res.Columns...))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "{\"columns\":%s,\"rows\":[", columns)
	for i, row := range res.Rows {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString("\n[")
		if err := writeCells(w, row, nil); err != nil {
			return err
		}
		w.WriteByte(']')
	}
	if len(res.Rows) > 0 {
		w.WriteByte('\n')
	}
	fmt.Fprintf(w, "],\"truncated\":%t}\n", res.Truncated)
	return nil
}

func writeNDJSON(w *bytes.Buffer, res runner.Result) error {
	keys := make([][]byte, len(res.Columns))
	for c, label := range uniqueLabels(res.Columns) {
		text, err := JSONText(label)
		if err != nil {
			return err
		}
		keys[c] = text
	}
	for _, row := range res.Rows {
		w.WriteByte('{')
		if err := writeCells(w, row, keys); err != nil {
			return err
		}
		w.WriteString("}\n")
	}
	return nil
}

// writeCells writes the cells of a row with commas between, behind their keys if there are any.
func writeCells(w *bytes.Buffer, row []any, keys [][]byte) error {
	for c, v := range row {
		if c > 0 {
			w.WriteByte(',')
		}
		if keys != nil {
			w.Write(keys[c])
			w.WriteByte(':')
		}
		text, err := JSONText(jsonCell(v))
		if err != nil {
			return err
		}
		w.Write(text)
	}
	return nil
}

// uniqueLabels adds _2, _3 … to labels that came before.
func uniqueLabels(labels []string) []string {
	taken, seen := syntax.Set(labels), map[string]bool{}
	out := slices.Clone(labels)
	for c, label := range labels {
		for n := 2; seen[out[c]]; n++ {
			if next := fmt.Sprintf("%s_%d", label, n); !taken[next] {
				out[c] = next
			}
		}
		seen[out[c]] = true
	}
	return out
}

// jsonCell keeps the digits of a DECIMAL: 10.50 stays 10.50. Bytes are hexadecimal text.
func jsonCell(v any) any {
	switch v := v.(type) {
	case runner.Decimal:
		return JSONNumber(string(v))
	case []byte:
		return CellText(v)
	}
	return v
}

var zeros = regexp.MustCompile(`^(-?)0+(\d)`)

// JSONNumber is a number as JSON has it: without the zeros before it that ZEROFILL gives.
func JSONNumber(text string) json.Number { return json.Number(zeros.ReplaceAllString(text, "$1$2")) }

// WriteJSON writes each value as a line of JSON, which a terminal shows and does not obey.
func WriteJSON[T any](w io.Writer, values ...T) error {
	for _, v := range values {
		text, err := JSONText(v)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// JSONText is json.Marshal without HTML escapes, and with those control characters escaped that JSON
// leaves alone and terminals obey (DEL and C1), and what [Visible] escapes.
func JSONText(v any) ([]byte, error) {
	line, err := syntax.JSONLine(v)
	if err != nil {
		return nil, err
	}
	text := bytes.TrimSuffix(line, []byte("\n"))
	if !bytes.ContainsFunc(text, func(r rune) bool { return hidden(r) || selector(r) }) {
		return text, nil
	}
	var out bytes.Buffer
	before := ' '
	for _, r := range string(text) {
		if hidden(r) && r != utf8.RuneError || selector(r) && unicode.IsLetter(before) {
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&out, `\u%04x`, unit)
			}
		} else {
			out.WriteRune(r)
		}
		before = r
	}
	return out.Bytes(), nil
}
