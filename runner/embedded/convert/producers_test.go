package convert

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

var update = flag.Bool("update", false, "write the board of runner/README.md")

// producers have written the files of testdata/producers, which hold the same two rows.
var producers = []struct{ file, by string }{
	{"pandas.csv", "pandas 3.1, to_csv"}, {"polars.csv", "Polars, write_csv"}, {"duckdb.csv", "DuckDB 2.0, COPY"},
	{"openpyxl.xlsx", "openpyxl 3.1"}, {"xlsxwriter.xlsx", "XlsxWriter"}, {"pandas.xlsx", "pandas 3.1, to_excel"},
	{"pyarrow.parquet", "PyArrow"}, {"pyarrow_int96.parquet", "PyArrow, INT96 as Spark has it"},
	{"pandas.parquet", "pandas 3.1, to_parquet"}, {"polars.parquet", "Polars"}, {"duckdb.parquet", "DuckDB 2.0"},
}

// What each producer writes is read with its values, and the board of runner/README.md says by which types.
func TestProducers(t *testing.T) {
	var board strings.Builder
	board.WriteString("| written by | whole numbers | texts with signs and quotes | days | moments | decimals | NULL beside numbers | truths |\n" +
		"|---|---|---|---|---|---|---|---|\n")
	plainer := strings.NewReplacer(".000000", "", "True", "1", "true", "1", "False", "0", "false", "0", "1234.50", "1234.5",
		"2024-02-29 00:00:00", "2024-02-29", "2023-12-31 00:00:00", "2023-12-31")
	for _, p := range producers {
		got, told := tableText(t, filepath.Join("testdata/producers", p.file))
		defs, rows, _ := strings.Cut(got, "\n")
		must.Equal(t, plainer.Replace(rows), "1|Ada, \"x\"|2024-02-29|2024-02-29 10:00:05|1234.5|0.25|1\n"+
			"2|Zoë; y|2023-12-31|2023-12-31 23:59:59|-0.99||0", p.file)
		must.Be(t, len(told) == 0, p.file, told)
		types := regexp.MustCompile(`(\w+) (\w+(?:\([0-9,]+\))?)(?:, |$)`).FindAllStringSubmatch(defs, -1)
		must.Equal(t, len(types), 7, defs)
		fmt.Fprintf(&board, "| %s", p.by)
		for _, m := range types {
			fmt.Fprintf(&board, " | %s", m[2])
		}
		board.WriteString(" |\n")
	}
	fmt.Fprintf(&board, "\n%d other files stand for what DATEV, SAP, banks, statistical offices and Excel in Germany, France and\n"+
		"elsewhere write (`convert/offices_test.go`): each is read right, or told.\n", len(offices))
	const readme = "../../README.md"
	text := string(must.Get(os.ReadFile(readme))(t))
	before, rest, ok := strings.Cut(text, "<!-- files -->\n")
	_, behind, ended := strings.Cut(rest, "<!-- /files -->")
	must.Be(t, ok && ended, "the README has no place for the board")
	want := before + "<!-- files -->\n" + board.String() + "<!-- /files -->" + behind
	if *update {
		must.Do(t, os.WriteFile(readme, []byte(want), 0o644))
	}
	must.Be(t, *update || text == want, "runner/README.md: go test ./runner/embedded/convert -run Producers -update writes the board")
}
