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
	{"r.csv", "R 4.2, write.csv"}, {"r2.csv", "R 4.2, write.csv2 in latin1"}, {"r.xlsx", "R's openxlsx"},
	{"libreoffice.csv", "LibreOffice 7.4, CSV"}, {"libreoffice.xlsx", "LibreOffice 7.4, xlsx"},
	{"spark.csv", "Spark 4.3, CSV"}, {"spark.parquet", "Spark 4.3, Parquet"},
}

// What each producer writes is read with its values, and the board of runner/README.md says by which types.
func TestProducers(t *testing.T) {
	var board strings.Builder
	board.WriteString("| written by | whole numbers | texts with signs and quotes | days | moments | decimals | NULL beside numbers | truths |\n" +
		"|---|---|---|---|---|---|---|---|\n")
	plainer := strings.NewReplacer(".000000", "", ".000", "", "True", "1", "true", "1", "TRUE", "1", "False", "0",
		"false", "0", "FALSE", "0", "1234.50", "1234.5",
		"2024-02-29 00:00:00", "2024-02-29", "2023-12-31 00:00:00", "2023-12-31")
	for _, p := range producers {
		got, told := tableText(t, filepath.Join("testdata/producers", p.file))
		defs, rows, _ := strings.Cut(got, "\n")
		must.Equal(t, plainer.Replace(rows), "1|Ada, \"x\"|2024-02-29|2024-02-29 10:00:05|1234.5|0.25|1\n"+
			"2|Zoë; y|2023-12-31|2023-12-31 23:59:59|-0.99||0", p.file)
		for _, line := range told {
			must.Be(t, strings.Contains(line, "moments in UTC") || strings.Contains(line, "windows-1252") ||
				strings.Contains(line, `"NA": NULL`), p.file, line)
		}
		types := regexp.MustCompile(`(\w+) (\w+(?:\([0-9,]+\))?)(?:, |$)`).FindAllStringSubmatch(defs, -1)
		must.Equal(t, len(types), 7, defs)
		fmt.Fprintf(&board, "| %s", p.by)
		for _, m := range types {
			fmt.Fprintf(&board, " | %s", m[2])
		}
		board.WriteString(" |\n")
	}
	board.WriteString("\nExcel itself could not be had for this test: what it writes is known from its format, and from what openpyxl,\n" +
		"XlsxWriter and LibreOffice write in its stead.\n")
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

// What producers make of tables that are not plain: merged names of columns, spans of time, rows without names.
func TestProducersHabits(t *testing.T) {
	for _, tt := range []struct{ file, columns, first, told string }{
		{"libreoffice_merged.xlsx", "Land varchar(19), Erwerbstätige 2022 int, Erwerbstätige 2023 int, Quote in % 2022 decimal(2,1), " +
			"Quote in % 2023 decimal(2,1)", "Schleswig-Holstein|8584607|7583392|3.4|6.8", "lines 2 to 3 name the columns together"},
		{"libreoffice_merged.csv", "Land varchar(19), Erwerbstätige 2022 int, Erwerbstätige 2023 int, Quote in % 2022 decimal(2,1), " +
			"Quote in % 2023 decimal(2,1)", "Schleswig-Holstein|8584607|7583392|3.4|6.8", "lines 2 to 3 name the columns together"},
		{"pandas_pivot.xlsx", "region varchar(5), quarter town varchar(6), cost Q1 int, cost Q2 int, cost Q3 int, cost Q4 int, " +
			"sales Q1 int, sales Q2 int, sales Q3 int, sales Q4 int", "North|Bergen|396|381|56|393|562|253|617|190",
			"lines 1 to 3 name the columns together"},
		{"pyarrow_spans.parquet", "id int, s time, ms time(2), took time(1), ns varchar(9), at datetime",
			"1|00:00:05|00:00:05|30:00:05|00:00:01|2024-06-01 22:30:00", "at: the file has its moments in UTC"},
		{"polars_spans.parquet", "id int, took time(1)", "1|30:00:05", ""},
		{"r_rownames.csv", "column_1 int, name varchar(8), dept varchar(5), hired date, salary decimal(6,2), bonus decimal(4,3)",
			"1|Person 0|Sales|2010-01-01|2618.25|", `dept: 1 of 3 values are "NA": NULL`},
		{"qualtrics.csv", "ResponseId Response ID varchar(5), Q1 How satisfied are you with our service, 1 to 5? int, " +
			"Q2 How old are you? int, Q3 We are fast. varchar(9)", "R_000|1|32|agree", "lines 1 to 3 name the columns together"},
	} {
		got, told := tableText(t, filepath.Join("testdata/producers", tt.file))
		columns, rows, _ := strings.Cut(got, "\n")
		first, _, _ := strings.Cut(rows, "\n")
		must.Equal(t, columns, tt.columns, tt.file)
		must.Equal(t, first, tt.first, tt.file)
		must.Has(t, strings.Join(told, "; "), tt.told, tt.file)
	}
}
