package convert

import (
	"archive/zip"
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"nl2sql/scripts/must"
)

// workbookOf is a workbook as excelize writes it.
func workbookOf(t *testing.T, fill func(f *excelize.File, style func(format string) int)) string {
	t.Helper()
	f := excelize.NewFile()
	fill(f, func(format string) int { return must.Get(f.NewStyle(&excelize.Style{CustomNumFmt: &format}))(t) })
	path := filepath.Join(t.TempDir(), "book.xlsx")
	must.Do(t, f.SaveAs(path))
	return path
}

// changed is a workbook with another text in its parts.
func changed(t *testing.T, path, old, new string) string {
	t.Helper()
	in := must.Get(zip.OpenReader(path))(t)
	defer in.Close()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, part := range in.File {
		text := must.Get(io.ReadAll(must.Get(part.Open())(t)))(t)
		must.Get(must.Get(z.Create(part.Name))(t).Write(bytes.ReplaceAll(text, []byte(old), []byte(new))))(t)
	}
	must.Do(t, z.Close())
	must.Do(t, os.WriteFile(path, out.Bytes(), 0o600))
	return path
}

// What Excel shows is what a table holds: days, hours, durations and percents by their formats, merged values.
func TestWorkbooks(t *testing.T) {
	for name, tt := range map[string]struct {
		fill       func(f *excelize.File, style func(format string) int)
		want, left string
	}{
		"formats": {func(f *excelize.File, style func(string) int) {
			for i, row := range [][]any{{"day", "hours", "at", "pct", "code"},
				{45351, 1.25, .378472222222222, .125, "007"},
				{1, .5, 0, 1, "1"}} {
				must.Do(t, f.SetSheetRow("Sheet1", string(rune('A'))+string(rune('1'+i)), &row))
			}
			for column, format := range map[string]string{"A": "dd.mm.yyyy", "B": "[h]:mm", "C": "hh:mm", "D": "0.0%"} {
				must.Do(t, f.SetCellStyle("Sheet1", column+"2", column+"3", style(format)))
			}
		}, "('2024-02-29','30:00:00','09:05:00','0.125','007'),('1900-01-01','12:00:00','00:00:00','1','1')", ""},
		"merged title, merged values": {func(f *excelize.File, _ func(string) int) {
			for i, row := range [][]any{{"Sales of March"}, {"region", "town", "n"},
				{"north", "Kiel", 1}, {nil, "Oslo", 2}} {
				must.Do(t, f.SetSheetRow("Sheet1", "A"+string(rune('1'+i)), &row))
			}
			must.Do(t, f.MergeCell("Sheet1", "A1", "C1"))
			must.Do(t, f.MergeCell("Sheet1", "A3", "A4"))
		}, "('north','Kiel','1'),('north','Oslo','2')", "left out above the header, to line 1: \"Sales of March"},
		"formula": {func(f *excelize.File, _ func(string) int) {
			must.Do(t, f.SetSheetRow("Sheet1", "A1", &[]any{"a", "b"}))
			must.Do(t, f.SetSheetRow("Sheet1", "A2", &[]any{"x"}))
			must.Do(t, f.SetCellFormula("Sheet1", "B2", "1+1"))
			must.Do(t, f.SetSheetRow("Sheet1", "A3", &[]any{"y"}))
			must.Do(t, f.SetCellFormula("Sheet1", "B3", "B2+NOW()"))
		}, "('x','2'),('y',NULL)", "2 formulas were never computed: 1 are now, 1 are NULL (the first: =B2+NOW(): it is left as it is)"},
		"hidden": {func(f *excelize.File, _ func(string) int) {
			must.Do(t, f.SetSheetRow("Sheet1", "A1", &[]any{"a", "b"}))
			must.Do(t, f.SetSheetRow("Sheet1", "A2", &[]any{"x", "y"}))
			must.Do(t, f.SetRowVisible("Sheet1", 2, false))
		}, "('x','y')", "1 rows are hidden"},
	} {
		t.Run(name, func(t *testing.T) {
			text, left, err := scriptOf(t, workbookOf(t, tt.fill))
			must.Do(t, err)
			must.Has(t, text, tt.want, "rows")
			must.Has(t, strings.Join(left, "; "), tt.left, "told")
		})
	}
}

// XlsxWriter writes 0 for what it does not compute, and that somebody must.
func TestFormulasOfXlsxWriter(t *testing.T) {
	path := workbookOf(t, func(f *excelize.File, _ func(string) int) {
		must.Do(t, f.SetSheetRow("Sheet1", "A1", &[]any{"a", "b", "c"}))
		must.Do(t, f.SetSheetRow("Sheet1", "A2", &[]any{"x", nil, 0}))
		must.Do(t, f.SetCellFormula("Sheet1", "B2", "NOW()"))
	})
	changed(t, changed(t, path, ` t="str"><f>NOW()</f>`, "><f>NOW()</f><v>0</v>"), "<calcPr ", `<calcPr fullCalcOnLoad="1" `)
	text, left, err := scriptOf(t, path)
	must.Do(t, err)
	must.Has(t, text, "('x',NULL,'0')", "rows")
	must.Has(t, strings.Join(left, "; "), "1 formulas were never computed")
}

// A file that says little in a few bytes, and means much, is refused before it is held.
func TestHostileTables(t *testing.T) {
	book := workbookOf(t, func(f *excelize.File, _ func(string) int) {
		must.Do(t, f.SetSheetRow("Sheet1", "A1", &[]any{"id", "note"}))
		must.Do(t, f.SetSheetRow("Sheet1", "A2", &[]any{1, "x"}))
	})
	parquetOf := func(text string) string {
		path := filepath.Join(t.TempDir(), "t.parquet")
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	type floats struct {
		ID int64   `parquet:"id,plain"`
		F  float64 `parquet:"f,plain"`
	}
	var packed bytes.Buffer
	must.Do(t, parquet.Write(&packed, []floats{{1, math.NaN()}, {2, .5}}))
	text, left, err := scriptOf(t, parquetOf(packed.String()))
	must.Do(t, err)
	must.Has(t, text, "`f` double", "a column with NaN")
	must.Has(t, strings.Join(left, "; "), "f: row 1 is NaN or infinite: NULL", "told")
	must.Be(t, grows(growsFreely+1, 200<<10) != nil, "a file of 200 KiB may become more than 1 GiB")
	must.Be(t, grows(growsFreely+1, 200<<20) == nil, "a file of 200 MiB may not become more than 1 GiB")
	var lz4 bytes.Buffer
	must.Do(t, parquet.Write(&lz4, []floats{{1, .5}, {2, .5}}, parquet.Compression(&parquet.Lz4Raw)))
	for name, tt := range map[string]struct{ path, want string }{
		"LZ4": {parquetOf(lz4.String()), "packed by LZ4, which cannot be read: write it with compression zstd or snappy"},
		"a header of broken XML": {changed(t, book, "<row r=\"1\"", "<row r=\"1\"><x></y></row><row r=\"1\""),
			"its XML is broken behind row"},
		"a footer longer than the file": {parquetOf("PAR1" + strings.Repeat("\x00", 50) + "\xff\xff\xff\xffPAR1"),
			"its footer of 4294967295 bytes is too long"},
		"a footer that is missing": {parquetOf("PAR1"), "its end is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := failure(t, tt.path)
			runtime.ReadMemStats(&after)
			must.Has(t, got, tt.want, "refused")
			must.Be(t, after.HeapSys < before.HeapSys+256<<20, "it holds", after.HeapSys)
		})
	}
}

// Sheets of one form are one table where that is asked for.
func TestJoinedSheets(t *testing.T) {
	path := workbookOf(t, func(f *excelize.File, _ func(string) int) {
		for i, sheet := range []string{"May", "June", "Prices"} {
			must.Get(f.NewSheet(sheet))(t)
			must.Do(t, f.SetSheetRow(sheet, "A1", &[]any{[]string{"town", "town", "item"}[i], "n"}))
			must.Do(t, f.SetSheetRow(sheet, "A2", &[]any{"Kiel", i}))
		}
		must.Do(t, f.DeleteSheet("Sheet1"))
	})
	s, _, err := Open(path, plain)
	must.Do(t, err)
	s.Options.Join = true
	text := string(must.Get(io.ReadAll(s.Script(t.Context())))(t))
	must.Has(t, text, "INSERT INTO `May` VALUES ('May','Kiel','0'),('June','Kiel','1');")
	must.Has(t, text, "INSERT INTO `Prices` VALUES ('Kiel','2');")
}
