package convert

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"nl2sql/runner/embedded/xlsx"
	"nl2sql/scripts/must"
)

// shown has formulas, what Excel shows of each, and ? where it stays open.
const shown = `
B2*C2 → 15
B2*C2*1.19 → 17.85
SUM(B2:B5) → 13
SUM(B2:B5)*2 → 26
SUM(B2:B5,100,C2) → 114.5
SUM(B2:B3)+SUM(B4:B5) → 13
SUM(B2:B5)/COUNT(B2:B5) → 3.25
SUM(B:B) → 13
SUM(2:2) → ?
SUM(B2:D2) → 45362.5
B2-B3-B4 → 11
B2-(B3-B4) → 5
-B2 → -10
-B2^2 → 100
2^3^2 → 64
0-2^2 → -4
B2/B3 → 5
B2/E2 → ?
IFERROR(B2/E2,0) → 0
IFERROR(B2/E2,"") → 
IFERROR(1/0,IFERROR(1/0,5)) → 5
IF(B2>5,"viel","wenig") → viel
IF(B3>5,"viel","wenig") → wenig
IF(B2>5,B2*C2,0) → 15
IF(B2,1,2) → ?
IF(E2,1,2) → ?
IF(A2,1,2) → ?
IF(AND(B2>5,C2<2),1,2) → 1
IF(OR(B2>50,C2<2),1,2) → 1
IF(OR(-1,1),1,2) → ?
IF(NOT(B2>50),1,2) → 1
IF(AND(B2/E2>0,TRUE),1,2) → ?
IF(A2="Schraube",1,0) → 1
IF(A2="schraube",1,0) → 1
IF(A2=A4,1,0) → 1
IF(E2="",1,0) → 1
IF(A2<>"",LEFT(A2,1)&". "&A3,"") → S. Mutter
IF(OR(B2="",B3=""),"",B2+B3) → 12
IF(""=E2,1,0) → ?
IF(ISBLANK(E2),"leer",E2*2) → leer
IF(E2=0,1,0) → 1
IF(B2>=10,"A",IF(B2>=5,"B","C")) → A
IF(B3>=10,"A",IF(B3>=5,"B","C")) → C
IF(SUM(B2:B3)>11,SUM(B2:B3)*2,-1) → 24
IF(B2>5,"a"&A2,"b"&A3) → aSchraube
IF(G2,1,2) → 1
IF(G3,1,2) → 2
IF(B2>5,E2,2) → ?
IF(B2>5,,2) → ?
IF(B2-B3>5,B2-B3,0) → 8
IF((B2-B3)*2>5,(B2-B3)*2,0) → 16
IF(B2*C2>10,B2*C2*0.9,B2*C2) → 13.5
IF(B2>5,1,0)+IF(B3>5,1,0) → 1
-IF(B2>5,1,0) → -1
IF(B2>5,-1,1)*B3 → -2
IF(A2="x",1,2)*3+IF(A3="Mutter",1,2)*4 → 10
SUM(B2:B3)*IF(A2="Schraube",2,1)+1 → 25
SUM(B2,IF(B2>5,1,2),3) → 14
IF(B2=10,IF(B3=2,IF(B4=-3,"ok","a"),"b"),"c") → ok
"x"&IF(B2>5,"y","z")&"w" → xyw
IF(ISERROR(VLOOKUP("zz",A2:C5,2,FALSE)),0,1) → 0
IF(ISNA(MATCH("zz",A2:A5,0)),0,1) → 0
IF(ISNUMBER(SEARCH("raub",A2)),1,2) → 1
IF(ISTEXT(A2),1,0) → 1
IF(MOD(B2,2)=0,"gerade","ungerade") → gerade
AVERAGE(B2:B5) → 3.25
AVERAGE(B2:B5,F2) → ?
AVERAGE(E2:E5) → ?
MIN(B2:B5) → -3
MAX(B2:B5)-MIN(B2:B5) → 13
MAX(MIN(B2,5),1) → 5
MAX(0,B2-B3) → 8
MAX(B2-5,0)*C2 → 7.5
COUNT(A2:B5) → 4
COUNTA(A2:A5) → 4
COUNTIF(B2:B5,">3") → 2
COUNTIF(A2:A5,"Schraube") → 2
COUNTIF(A2:A5,"*ut*") → 1
COUNTIF(A$2:A2,A2) → 1
COUNTIF(B2:B5,">"&B3) → 2
COUNTIF(F2:F5,7) → ?
SUMIF(A2:A5,"Schraube",B2:B5) → 7
SUMIF(A:A,"Mutter",B:B) → 2
SUMIF(B2:B5,">3") → 14
SUMIF(B2:B5,10,C2) → ?
SUMIF(A2:A5,"<>"&A3,B2:B5) → 11
SUMIFS(B2:B5,A2:A5,"Schraube",C2:C5,">1") → 10
COUNTIFS(B2:B5,">=2",B2:B5,"<=4") → 2
SUMPRODUCT(B2:B5,C2:C5) → 4014.6
SUMPRODUCT(B2:B5,C2:C5)/SUM(B2:B5) → 308.815384615385
SUMPRODUCT((A2:A5="Schraube")*B2:B5) → ?
ROUND(B2/3,2) → 3.33
ROUND(2.5,0) → 3
ROUND(-1.5,0) → -2
ROUND(1.005,2) → 1.01
ROUND(2.675,2) → 2.68
ROUND(1234.5,-2) → 1200
ROUND(IF(B2>5,C2*1.15,C2),2) → 1.73
ROUND(SUM(B2:B5)/3,1) → 4.3
ROUNDUP(2.1,0) → 3
ROUNDDOWN(-2.9,0) → -2
INT(-2.5) → -3
ABS(B4) → 3
MOD(-10,3) → 2
POWER(2,10) → 1024
A2&" "&A3 → Schraube Mutter
A2&" ("&B2&")" → Schraube (10)
A2&B2+1 → Schraube11
CONCATENATE(A2,"-",B2) → Schraube-10
LEFT(A2,FIND("r",A2)-1) → Sch
MID(A2,2,3) → chr
LEN(A2) → 8
UPPER("äöü") → ÄÖÜ
TRIM("  a  b ") → a b
F2*1 → ?
YEAR(D2) → 2024
DATE(YEAR(D2),MONTH(D2)+1,1) → 45352
EOMONTH(D2,1) → 45382
EDATE(D2,1) → 45380
WEEKDAY(D2,2) → 4
D3-D2 → 1
D2+30 → 45381
INT((MONTH(D2)-1)/3)+1 → 1
VLOOKUP(A2,'Preise 2024'!A1:B2,2,FALSE) → 7
VLOOKUP(A2,'Preise 2024'!$A$1:$B$2,2,0)*B2 → 70
VLOOKUP("zzz",'Preise 2024'!A1:B2,2,FALSE) → ?
IFERROR(VLOOKUP("zzz",'Preise 2024'!A1:B2,2,FALSE),"fehlt") → fehlt
VLOOKUP("Mutter",A:C,2,FALSE) → 2
INDEX(B2:B5,MATCH("Mutter",A2:A5,0)) → 2
INDEX(A2:C5,MATCH("Mutter",A2:A5,0),3) → 0.1
'Preise 2024'!B1*B2 → 70
SUM('Preise 2024'!B1:B2) → 15
SUM('Preise 2024'!B:B) → 15
50% → 0.5
B2*(1+19%) → 11.9
B2>5 → 1
B2<>10 → 0
A2>A3 → ?
A2="a""b" → 0
E2+1 → 1
E2&"x" → x
A2 → Schraube
E2 → 0
1+2*3-4/2 → 5
+B2 → 10
B2+-B3 → 8
--B2 → 10
-(B2+B3) → -12
B2/SUM($B$2:$B$5)*100 → 76.9230769230769
0.1+0.2 → 0.3
1.5E-3*2 → 0.003
TEXT(B2,"000") → ?
NOW() → ?
TODAY()-D2 → ?
IFERROR(RAND(),1) → ?
[1]Preise!A1 → ?
Preise!A1 → ?
steuer*2 → ?
B2:B5 → ?
SUM(B2:B5 → ?
SUM(A1:ZZ99999) → ?
`

// What nobody has computed is computed as Excel does, or stays open and is told.
func TestFormulas(t *testing.T) {
	list := strings.Split(strings.TrimSpace(shown), "\n")
	path := workbookOf(t, func(f *excelize.File, _ func(string) int) {
		for i, row := range [][]any{{"Art", "Menge", "Preis", "Tag", "leer", "Text", "ok"},
			{"Schraube", 10, 1.5, 45351, nil, "007", true}, {"Mutter", 2, 0.1, 45352, nil, "abc", false},
			{"schraube", -3, 0.2, 45383, nil, "Ä b", true}, {"Bolzen", 4, 1000, 45747, nil, nil, nil}} {
			must.Do(t, f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row))
		}
		must.Get(f.NewSheet("Preise 2024"))(t)
		must.Do(t, f.SetSheetRow("Preise 2024", "A1", &[]any{"Schraube", 7}))
		must.Do(t, f.SetSheetRow("Preise 2024", "A2", &[]any{"Mutter", 8}))
		for i, line := range list {
			formula, _, _ := strings.Cut(line, " → ")
			must.Do(t, f.SetCellFormula("Sheet1", fmt.Sprintf("J%d", i+1), formula))
		}
	})
	_, sh := computedOf(t, path)
	got := map[int]string{}
	must.Get(sh.Rows(func(r xlsx.Row) error {
		if len(r.Cells) == 10 {
			got[r.Number] = r.Cells[9].Text
		}
		if len(r.Cells) == 10 && r.Cells[9].Kind == xlsx.Formula {
			got[r.Number] = "?"
		}
		return nil
	}))(t)
	for i, line := range list {
		if _, want, _ := strings.Cut(line, " → "); got[i+1] != want {
			t.Errorf("%s is %q", line, got[i+1])
		}
	}
}

// computedOf is the first sheet of a workbook, computed, and what is told of it.
func computedOf(t *testing.T, path string) (told []string, sh *sheet) {
	in := must.Get(os.Open(path))(t)
	t.Cleanup(func() { in.Close() })
	book := must.Get(xlsx.Open(t.Context(), in, must.Get(in.Stat())(t).Size()))(t)
	sh = &sheet{Sheet: book.Sheets[0]}
	must.Do(t, sh.look(1<<20))
	must.Do(t, book.Compute(t.Context()))
	sh = &sheet{Sheet: sh.Sheet, before: sh.formulas}
	must.Do(t, sh.look(1<<20))
	var d doubts
	sh.tell(&d)
	return d.lines(), sh
}

// Formulas that would take long, or much, or have no end leave theirs open in time.
func TestHostileFormulas(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 2000
	}
	down := func(i int) string { return fmt.Sprintf("A%d+1", i-1) }
	for name, tt := range map[string]struct {
		formula func(i int) string
		rows    int
		why     string
	}{
		"a chain":            {down, n, "they are now"},
		"a chain upwards":    {func(i int) string { return fmt.Sprintf("A%d+1", i+1) }, n, "they are now"},
		"too many":           {down, 10_005, "3 are NULL"},
		"circles":            {func(i int) string { return fmt.Sprintf("A%d+1", i%20+2) }, 20, "refers to itself"},
		"whole columns":      {func(int) string { return "SUM(B:B)*SUM(C:C)" }, 10_000, "too much"},
		"running sums":       {func(i int) string { return fmt.Sprintf("SUM(B$1:B%d)", i) }, 10_000, "too much"},
		"texts that double":  {func(i int) string { return fmt.Sprintf("A%d&A%d&\"x\"", i-1, i-1) }, 100, "84 are NULL"},
		"NOW in another":     {func(i int) string { return []string{"NOW()", "A2*2"}[min(i-2, 1)] }, 4, "=NOW(): it is left"},
		"brackets":           {func(int) string { return strings.Repeat("(", 4000) + "1" + strings.Repeat(")", 4000) }, 9, ""},
		"brackets that open": {func(int) string { return strings.Repeat("SUM(", 99) }, 9, "is left"},
		"brackets that end":  {func(int) string { return ")1(" }, 9, "is left"},
		"signs":              {func(int) string { return strings.Repeat("-", 3000) + "1" }, 9, ""},
		"a large block":      {func(int) string { return "SUM(A1:XFD1048576)" }, 9, "too much"},
		"powers":             {func(int) string { return "9^9^9^9^9^9^9" }, 9, "gives"},
	} {
		t.Run(name, func(t *testing.T) {
			path := workbookOf(t, func(f *excelize.File, _ func(string) int) {
				must.Do(t, f.SetSheetRow("Sheet1", "A1", &[]any{"a", 1, 2}))
				for i := 2; i <= tt.rows; i++ {
					must.Do(t, f.SetSheetRow("Sheet1", fmt.Sprintf("B%d", i), &[]any{i, 2}))
					must.Do(t, f.SetCellFormula("Sheet1", fmt.Sprintf("A%d", i), tt.formula(i)))
				}
				if name == "a chain" || name == "too many" || name == "texts that double" {
					must.Do(t, f.SetCellValue("Sheet1", "A2", "1"))
					must.Do(t, f.SetCellValue("Sheet1", "A2", 1))
				}
			})
			start := time.Now()
			told, _ := computedOf(t, path)
			took := time.Since(start)
			t.Log(told, took)
			must.Be(t, took < 8*time.Second, "it took", took)
			must.Has(t, told[0], tt.why)
		})
	}
}

// Formulas end with their context, and take no more memory than other files may.
func TestFormulasEnd(t *testing.T) {
	path := workbookOf(t, func(f *excelize.File, _ func(string) int) {
		for i := 1; i < 9000; i++ {
			must.Do(t, f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i), &[]any{i, "a text", i, i, i, i, i, i}))
			must.Do(t, f.SetCellFormula("Sheet1", fmt.Sprintf("I%d", i), fmt.Sprintf("SUM(A1:A%d)", i)))
		}
	})
	ctx, end := context.WithCancel(t.Context())
	in := must.Get(os.Open(path))(t)
	defer in.Close()
	book := must.Get(xlsx.Open(t.Context(), in, must.Get(in.Stat())(t).Size()))(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	timer := time.AfterFunc(time.Second, func() { start = time.Now(); end() })
	err := book.Compute(ctx)
	took := time.Since(start)
	must.Be(t, !timer.Stop() && errors.Is(err, context.Canceled) && took < 5*time.Second, err, "after", took)
	runtime.ReadMemStats(&after)
	must.Be(t, after.HeapSys < before.HeapSys+400<<20, "it holds", after.HeapSys)
}
