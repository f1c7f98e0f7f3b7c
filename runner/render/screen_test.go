package render

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// screens are results as terminals of three sizes show them.
var screens = []struct {
	name string
	res  runner.Result
}{
	{"thirteen wide columns", runner.Result{
		Columns: []string{"customerNumber", "customerName", "contactLastName", "contactFirstName", "phone",
			"addressLine1", "addressLine2", "city", "state", "postalCode", "country",
			"salesRepEmployeeNumber", "creditLimit"},
		Rows: [][]any{
			{int64(103), "Atelier graphique", "Schmitt", "Carine ", "40.32.2555", "54, rue Royale", nil, "Nantes", nil,
				"44000", "France", int64(1370), runner.Decimal("21000.00")},
			{int64(112), "Signal Gift Stores", "King", "Jean", "7025551838", "8489 Strong St.", nil, "Las Vegas", "NV",
				"83030", "USA", int64(1166), runner.Decimal("71800.00")},
		},
	}},
	{"long text, few rows", runner.Result{
		Columns: []string{"productCode", "productDescription", "MSRP"},
		Rows: [][]any{
			{"S10_1678", "This replica features working kickstand, front suspension, gear-shift lever, footbrake lever, drive chain, wheels and steering. All parts are particularly delicate due to their precise scale and require special care and attention.", runner.Decimal("95.70")},
			{"S10_1949", "Turnable front wheels; steering function.", runner.Decimal("214.30")},
		},
	}},
	{"long text, many rows", many("ein langer Text über nichts, der nirgends aufhört, wo er es sollte, und noch viel weiter geht, bis kein Rand ihn mehr hält und jede Zeile voll ist, und dann noch weiter geht")},
	{"letters of East Asia, emoji, marks", runner.Result{
		Columns: []string{"city", "都市の名前", "note"},
		Rows: [][]any{
			{"Tōkyō", "東京都千代田区丸の内一丁目", "e\u0301le\u0300ve 👩‍🚀 🇯🇵"},
			{"Seoul", "서울특별시", "ok 👍"},
			{"Wien", nil, "ä"},
		},
	}},
	{"NULL is no text", runner.Result{
		Columns: []string{"a", "b"},
		Rows:    [][]any{{nil, "NULL"}, {"'NULL'", ""}, {"\x1b[31mred\x1b[0m\a", "line\nline\ttab\u202e\u200b"}},
	}},
	{"numbers and dates are whole", runner.Result{
		Columns: []string{"SUM(quantityOrdered * priceEach)", "orderDate", "comment",
			"a label that is longer than all of its numbers by far and far and far, so that it takes some lines"},
		Rows: [][]any{
			{runner.Decimal("9604190.61"), "2004-11-24 23:59:59",
				"Customer requested that DHL is used for this shipping", uint64(18446744073709551615)},
			{-1.5e-7, "2005-01-01 00:00:00", nil, int64(-9223372036854775808)},
		},
	}},
}

func many(text string) (res runner.Result) {
	res.Columns = []string{"n", "text", "other"}
	for n := range 40 {
		res.Rows = append(res.Rows, []any{int64(n * n * n), text[:min(len(text), 20*n)] + "!",
			strings.Repeat("x", n%7)})
	}
	return res
}

// Terminals of three sizes; -update rewrites what they show.
func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}, {200, 50}} {
		name := fmt.Sprintf("testdata/%dx%d.txtar", size[0], size[1])
		golden, err := txtar.ParseFile(name)
		must.Have(t, err == nil || *update, err)
		now := &txtar.Archive{Comment: fmt.Appendf(nil, "What a terminal of %d columns and %d lines shows.\n",
			size[0], size[1])}
		for _, s := range screens {
			var b bytes.Buffer
			must.Get(Write(&b, s.res, Table, Options{Width: size[0], Height: size[1]}))(t)
			now.Files = append(now.Files, txtar.File{Name: s.name, Data: b.Bytes()})
		}
		if *update {
			must.Do(t, os.WriteFile(name, txtar.Format(now), 0o644))
			continue
		}
		must.Same(t, string(txtar.Format(now)), string(txtar.Format(golden)), name)
	}
}

var aDate = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`)

// Whatever a result holds: no line is wider than the terminal, every number and date is there whole, no text of a
// report is cut, and colours change nothing but colours.
func TestTablesFit(t *testing.T) {
	word := rapid.OneOf(rapid.StringN(0, 60, -1), rapid.StringMatching(`[a-zA-Z_ ]{0,200}`),
		rapid.SampledFrom([]string{"", "NULL", "東京", "👩‍🚀", "e\u0301", "🇯🇵🇯🇵"}))
	date := rapid.StringMatching(`20[0-9]{2}-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-5][0-9]`)
	value := rapid.OneOf(rapid.Just(any(nil)), rapid.Int64().AsAny(), rapid.Uint64().AsAny(), rapid.Float64().AsAny(),
		word.AsAny(), date.AsAny(),
		rapid.Map(rapid.StringMatching(`-?[0-9]{1,12}\.[0-9]{2}`), func(s string) any { return runner.Decimal(s) }))
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.SliceOfN(word, 1, 20).Draw(t, "columns")
		res := runner.Result{Columns: columns, Rows: rapid.SliceOfN(rapid.SliceOfN(value, len(columns), len(columns)),
			0, 12).Draw(t, "rows")}
		o := Options{Width: rapid.IntRange(40, 220).Draw(t, "width"), Height: rapid.IntRange(0, 60).Draw(t, "height"),
			Report: rapid.Bool().Draw(t, "report")}
		format := rapid.SampledFrom([]Format{Table, Expanded}).Draw(t, "format")
		var b, colored bytes.Buffer
		isCut := must.Get(Write(&b, res, format, o))(t)
		text := b.String()
		for line := range strings.Lines(text) {
			if n := width(strings.TrimSuffix(line, "\n")); n > o.Width {
				t.Fatalf("a line of %d columns on a terminal of %d:\n%s", n, o.Width, text)
			}
		}
		for _, row := range res.Rows {
			for _, v := range row {
				if s := CellText(v); v != nil &&
					(numeric(runner.Result{Columns: []string{""}, Rows: [][]any{{v}}})[0] || aDate.MatchString(s)) &&
					!strings.Contains(text, s) {
					t.Fatalf("%q is not whole in\n%s", s, text)
				}
			}
		}
		if isCut && (o.Report || format == Expanded || !strings.Contains(text, "…")) {
			t.Fatalf("said to be cut:\n%s", text)
		}
		o.Color = true
		must.Get(Write(&colored, res, format, o))(t)
		if diff := cmp.Diff(text, withoutColors(colored.String())); diff != "" {
			t.Fatal(diff)
		}
	})
}

var sgr = strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "", "\x1b[32m", "", "\x1b[33m",
	"", "\x1b[36m", "")

func withoutColors(s string) string { return sgr.Replace(s) }

func TestColors(t *testing.T) {
	var b bytes.Buffer
	must.Get(Write(&b, runner.Result{Columns: []string{"a"}, Rows: [][]any{{nil}, {"x"}}}, Table,
		Options{Width: 80, Color: true}))(t)
	want := `
┌──────┐
│ [1ma[0m    │
├──────┤
│ [2mNULL[0m │
│ x    │
└──────┘
(2 rows)
`
	must.Same(t, "\n"+strings.ReplaceAll(b.String(), "\x1b", ""), want)
}

func TestWrap(t *testing.T) {
	tests := []struct {
		in   string
		n    int
		want []string
	}{
		{"", 5, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 3, []string{"one", "two", "thr", "ee"}},
		{"salesRepEmployeeNumber", 10, []string{"salesRep", "Employee", "Number"}},
		{"order_line_number", 12, []string{"order_line_", "number"}},
		{"東京都千代", 5, []string{"東京", "都千", "代"}},
		{"e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
	}
	for _, test := range tests {
		must.Same(t, wrap(test.in, test.n), test.want, test.in, test.n)
	}
}

// What cannot be seen, or makes a terminal or a spreadsheet do something, is escaped in every form.
func TestUnseen(t *testing.T) {
	const text = "a\r\a\u202e\U000E0041\u3164\uffa0z\ufe0f\U000E0100"
	res := runner.Result{Columns: []string{"c", "d"}, Rows: [][]any{{text, nil}}}
	for format, want := range map[Format]string{
		CSV:   `a\r\a\u202e\U000e0041\u3164\uffa0z\ufe0f`,
		Table: `a\r\a\u202e\U000e0041\u3164\uffa0z\ufe0f`,
		JSON:  `a\r\u0007\u202e\udb40\udc41\u3164\uffa0z\ufe0f`,
	} {
		var b bytes.Buffer
		must.Get(Write(&b, res, format, Options{}))(t)
		must.Has(t, b.String(), want, string(format))
	}
	must.Equal(t, Visible("☎\ufe0f"), "☎\ufe0f")
	var back string
	must.Do(t, json.Unmarshal(must.Get(JSONText(text))(t), &back))
	must.Equal(t, back, text)
	for text, want := range map[string]string{"=1": "'=1", " =1": "' =1", "\u3000＝1": "'\u3000＝1", "＠x": "'＠x",
		"\u200b+1": "'\u200b+1", "a=1": "a=1", "": "", " ": " "} {
		got := NoFormulas(runner.Result{Columns: []string{"c"}, Rows: [][]any{{text}}})
		must.Equal(t, got.Rows[0][0], any(want), text)
	}
}
