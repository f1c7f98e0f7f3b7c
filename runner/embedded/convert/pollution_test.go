package convert

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// Tables to pollute: the first line names the columns; * stands before a value that is in quotes.
var polluted = map[string][]string{
	"orders": {`ORDERED|HOUR|N|CODE|Price|Kind|*Text|*Link|Remark`,
		`03/01/2017|00:15|2|AB-1201|$12.50|Men's Rain Coat|*Keeps you dry all day, even on the fells, and packs small.|*https://shop.example/p/AB_1201.html|`,
		`04/01/2017|08:30|0|CD-7719|$5.95|Wool Socks|*Warm socks. They don't itch, says who wears them.|*https://shop.example/p/CD_7719.html|`,
		`05/01/2017|09:45|11|AB-1209|$120.00|*Tent, two men|*A light tent, 2.1 kg, for 24" rucksacks; two doors.|*https://shop.example/p/AB_1209.html|`,
		`06/01/2017|10:00|1|EF-0031|$48.2|Lamp|*Runs for 40 hours on one battery.|*https://shop.example/p/EF_0031.html|`,
		`17/01/2017|11:15|3|GH-4410|$33.00|*Boots, Leather|*Leather boots, "made to last", which should be oiled now and then.|*https://shop.example/p/GH_4410.html|`,
		`18/01/2017|12:30|4|AB-1288|$9.99|Kids' Cap|*Sun cap for children of 4 and more.|*https://shop.example/p/AB_1288.html|`,
		`19/02/2017|13:45|7|CD-1010|$64.15|Men's Gloves|*Gloves that stay dry, with a strap.|*https://shop.example/p/CD_1010.html|`,
		`20/02/2017|14:00|1|EF-7781|$71.80|Rope|*Sixty metres, 9 mm.|*https://shop.example/p/EF_7781.html|`},
	"people": {`id|name|born|city|salary|active`,
		`1|Ada Byron|1815-12-10|London|5100.50|yes`, `2|Emmy Noether|1882-03-23|Erlangen|4800.00|yes`,
		`3|*Curie, Marie|1867-11-07|Paris|7200.25|no`, `4|Sofja K.|1850-01-15|Moskau|6100.75|yes`,
		`5|Mary S.|1780-12-26|Jedburgh|3900.00|no`, `6|Hypatia|1970-01-01|Alexandria|100.00|no`,
		`7|Grace Hopper|1906-12-09|New York|8800.10|yes`, `8|Ida R.|1912-06-01|Genua|2500.00|no`},
	"words": {`word|language|meaning`, `Haus|German|house`, `maison|French|house`, `casa|Spanish|house`,
		`dog|English|*animal, barks`, `Hund|German|dog`, `chien|French|dog`, `perro|Spanish|dog`},
}

func parse(lines []string) (rows [][]string, quoted [][]bool) {
	for _, l := range lines {
		var row []string
		var q []bool
		for _, c := range strings.Split(l, "|") {
			text := strings.TrimPrefix(c, "*")
			row, q = append(row, text), append(q, text != c)
		}
		rows, quoted = append(rows, row), append(quoted, q)
	}
	return rows, quoted
}

// writeRow writes a row with a sign before each value but the first; change may make another one of it.
func writeRow(row []string, quoted []bool, sign string, change func(column int, sign, value string) string) string {
	var b strings.Builder
	for i, text := range row {
		if quoted[i] {
			text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
		before := sign
		if i == 0 {
			before = ""
		}
		b.WriteString(change(i, before, text))
	}
	return b.String() + "\n"
}

func asIs(_ int, sign, value string) string { return sign + value }

// read is how well a file with this text is read.
func read(t *testing.T, text string, want [][]string) (points float64, got [][]string, told []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.csv")
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	got, told = tableOf(t, path, Options{})
	return score(got, want), got, told
}

// One row that is written wrongly, in each row and each column of the tables, is mended. A header of whose names two
// are one cannot be.
func TestPollutedRows(t *testing.T) {
	for name, lines := range polluted {
		rows, quoted := parse(lines)
		for kind, change := range map[string]func(sign, value string) string{
			"less":  func(_, value string) string { return value },
			"more":  func(sign, value string) string { return sign + "," + value },
			"quote": func(sign, value string) string { return sign + `"` + value },
		} {
			for r := range rows {
				for c := range rows[r] {
					if kind == "less" && c == 0 {
						continue
					}
					text := ""
					for i, row := range rows {
						text += writeRow(row, quoted[i], ",", func(column int, sign, value string) string {
							if i == r && column == c {
								return change(sign, value)
							}
							return sign + value
						})
					}
					want := append([][]string(nil), rows...)
					if kind == "quote" {
						want[r] = append([]string(nil), rows[r]...)
						want[r][c] = `"` + want[r][c]
					}
					points, got, told := read(t, text, want)
					if least := 9.5; points < least && !(kind == "less" && r == 0 && points > 6) {
						t.Errorf("%s, %s, row %d, column %d: %.2f %q\n%s\n%q", name, kind, r, c, points, told,
							strings.Split(text, "\n")[r], got[min(r, len(got)-1)])
					}
				}
			}
		}
		for r := range rows {
			text := ""
			for i, row := range rows {
				sign := ","
				if i == r {
					sign = " "
				}
				text += writeRow(row, quoted[i], sign, asIs)
			}
			if points, got, told := read(t, text, rows); points < 9 && (r > 0 || len(rows[r]) > 4) {
				t.Errorf("%s, row %d in blanks: %.2f %q %q", name, r, points, told, got[r])
			}
		}
	}
}

// A file that is written in another way is read as well.
func TestPollutedFiles(t *testing.T) {
	for name, lines := range polluted {
		rows, quoted := parse(lines)
		width := len(rows[0])
		write := func(rows [][]string, sign string) (text string) {
			for i, row := range rows {
				text += writeRow(row, quoted[i%len(quoted)], sign, asIs)
			}
			return text
		}
		plain := write(rows, ",")
		again := append([][]string{rows[0]}, rows...)
		twice := append([][]string{}, rows...)
		twice[0] = nil
		for _, name := range rows[0] {
			twice[0] = append(twice[0], name+" "+name)
		}
		header := write(rows[:1], ",")
		title := "Report of March" + strings.Repeat(",", width-1) + "\n" + strings.Repeat(",", width-1) + "\n"
		for kind, tt := range map[string]struct {
			text string
			want [][]string
		}{
			"plain": {plain, rows}, "semicolon": {write(rows, ";"), rows}, "tab": {write(rows, "\t"), rows},
			"pipe": {write(rows, "|"), rows}, "comma and blank": {write(rows, ", "), rows},
			"CR": {strings.ReplaceAll(plain, "\n", "\r"), rows}, "CRLF": {strings.ReplaceAll(plain, "\n", "\r\n"), rows},
			"mixed":         {strings.ReplaceAll(strings.Replace(plain, "\n", "\r", 2), "e\n", "e\r\n"), rows},
			"single quotes": {strings.ReplaceAll(strings.ReplaceAll(plain, `,"`, ",'"), `",`, "',"), nil},
			"backslash":     {strings.ReplaceAll(plain, `""`, `\"`), rows},
			"title padded":  {title + plain, rows}, "title": {"Report of March\n\n" + plain, rows},
			"comment": {"# made by a program\n" + plain, rows}, "header twice": {write(again, ","), twice},
			"trailing": {strings.ReplaceAll(plain, "\n", ",\n"), rows}, "no end": {strings.TrimSuffix(plain, "\n"), rows},
			"blank lines at the end": {plain + "\n\n", rows}, "a blank line within": {header + "\n" + write(rows[1:], ","), rows},
			"another table": {plain + header + write(rows[1:], ","), rows}, "footnote": {plain + "\nSource: the office\n", rows},
			"a footnote at once": {plain + "Source: the office\n", rows},
			"header only":        {header, rows[:1]}, "one row": {write(rows[:2], ","), rows[:2]}, "sep": {"sep=;\n" + write(rows, ";"), rows},
			"BOM": {"\xef\xbb\xbf" + plain, rows},
		} {
			if tt.want == nil {
				continue
			}
			if points, got, told := read(t, tt.text, tt.want); points < 9.9 {
				t.Errorf("%s, %s: %.2f %q %q", name, kind, points, told, got[:min(3, len(got))])
			}
		}
	}
}
