package convert

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// tableOf is what is read of a file, every value as it is written: the names of its columns, then its rows.
func tableOf(t testing.TB, path string, o Options) (rows [][]string, told []string) {
	t.Helper()
	o.Types = "text"
	s := &Source{paths: []string{path}, unpack: plain, Options: o}
	must.Do(t, readCSV(t.Context(), s, path, func(g *grid) error {
		l, err := g.layout(&s.Options)
		if err != nil {
			return err
		}
		rows, *g.doubts = append(rows, l.header), nil
		err = g.records(l, func(_ int, row []cell) error {
			var texts []string
			for _, c := range row {
				texts = append(texts, c.text)
			}
			rows = append(rows, texts)
			return nil
		})
		told = append(l.doubts, *g.doubts...).lines()
		return err
	}), path)
	return rows, told
}

// score is Pollock's of a file that was loaded: success, and precision, recall and F1 of its header, its records and
// its cells, together 10.
func score(got, want [][]string) float64 {
	if len(want) == 0 {
		return 10
	}
	var header, records, cells [2][]string
	for i, rows := range [][][]string{got, want} {
		header[i] = rows[0]
		for n, row := range rows {
			cells[i] = append(cells[i], row...)
			if n > 0 {
				joined := ""
				for _, c := range row {
					joined += normal(c)
				}
				records[i] = append(records[i], joined)
			}
		}
	}
	sum := 1.0
	for _, pair := range [][2][]string{header, records, cells} {
		p, r := shared(pair[0], pair[1]), shared(pair[1], pair[0])
		if len(pair[0]) == 0 && len(pair[1]) == 0 {
			p, r = 1, 1
		}
		sum += p + r
		if p+r > 0 {
			sum += 2 * p * r / (p + r)
		}
	}
	return sum
}

// shared is which part of a multiset is in another.
func shared(a, b []string) float64 {
	counts, n := map[string]int{}, 0
	for _, x := range b {
		counts[x]++
	}
	for _, x := range a {
		if counts[x] > 0 {
			counts[x]--
			n++
		}
	}
	if len(a) == 0 {
		return 0
	}
	return float64(n) / float64(len(a))
}

// normal is a value in lower-case letters, a number in one form.
func normal(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if f, err := strconv.ParseFloat(strings.TrimPrefix(s, "$"), 64); err == nil {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return s
}

// weights are how often a hundred real files have a pollution, for the kinds that the survey of Pollock names.
var weights = []struct {
	name string
	part float64
}{{"record_delimiter_0xA", 38}, {"field_delimiter_0x3B", 19}, {"no_header", 11}, {"preamble", 6}, {"more_sep", 6},
	{"less_sep", 6}, {"no_trailing_newline", 4}}

// The sixty files of ../shared are read as they should be, with no flag but --types text.
func TestPollock(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "..", "shared", "data", "pollock")
	files, err := filepath.Glob(filepath.Join(dir, "csv", "*.csv"))
	must.Do(t, err)
	if len(files) == 0 {
		t.Skip("there is no ../shared/data/pollock")
	}
	kinds, sums := regexp.MustCompile(`^row_(extra_quote|less_sep|more_sep|field_delimiter)`), map[string][2]float64{}
	for _, path := range files {
		name := filepath.Base(path)
		in := csv.NewReader(strings.NewReader(string(must.Get(os.ReadFile(filepath.Join(dir, "clean", name)))(t))))
		in.FieldsPerRecord = -1
		want := must.Get(in.ReadAll())(t)
		got, told := tableOf(t, path, Options{})
		points := score(got, want)
		if points < 9.6 && !(strings.Contains(name, "no_header") && points > 6) {
			t.Errorf("%s: %.2f: %q %q", name, points, told, got[0])
		}
		kind := kinds.FindString(name)
		if kind == "" {
			_, kind, _ = strings.Cut(strings.TrimSuffix(name, ".csv"), "_")
		}
		sums[kind] = [2]float64{sums[kind][0] + points, sums[kind][1] + 1}
	}
	rows, n := 0.0, 0.0
	for kind, s := range sums {
		if strings.HasPrefix(kind, "row_") {
			rows, n = rows+s[0], n+s[1]
		}
		t.Logf("%-28s %.3f of %v files", kind, s[0]/s[1], s[1])
	}
	must.Be(t, rows/n >= 9.7, "files with one bad row score", rows/n)
	weighted, all := 0.0, 0.0
	for _, w := range weights {
		for kind, s := range sums {
			if strings.Contains(kind, w.name) {
				weighted, all = weighted+w.part*s[0]/s[1], all+w.part
			}
		}
	}
	t.Logf("rows %.3f, weighted by what is common %.3f", rows/n, weighted/all)
	must.Be(t, weighted/all >= 9.5, "files weighted by how often real ones are so score", weighted/all)
}
