package render

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

// every has one column of each cell type, and NULLs.
var every = runner.Result{
	Columns: []string{"name", "n", "big", "ratio", "money", "blob"},
	Rows: [][]any{
		{"Ada, \"A\"", int64(-9007199254740993), uint64(18446744073709551615), 0.1,
			runner.Decimal("10.50"), []byte{0, 0xff}},
		{nil, nil, nil, nil, nil, nil},
	},
}

func TestWriteResult(t *testing.T) {
	tests := []struct {
		name   string
		res    runner.Result
		format Format
		o      Options
		want   string
	}{
		{"table", every, Table, Options{}, `
┌──────────┬───────────────────┬──────────────────────┬───────┬───────┬────────┐
│ name     │                 n │                  big │ ratio │ money │ blob   │
├──────────┼───────────────────┼──────────────────────┼───────┼───────┼────────┤
│ Ada, "A" │ -9007199254740993 │ 18446744073709551615 │   0.1 │ 10.50 │ 0x00FF │
│ NULL     │              NULL │                 NULL │  NULL │  NULL │ NULL   │
└──────────┴───────────────────┴──────────────────────┴───────┴───────┴────────┘
(2 rows)
`},
		{"table cuts the widest first", runner.Result{Columns: []string{"id", "text"},
			Rows: [][]any{{int64(7), "a long story about nothing"}}}, Table, Options{Width: 24}, `
┌────┬─────────────────┐
│ id │ text            │
├────┼─────────────────┤
│  7 │ a long story a… │
└────┴─────────────────┘
(1 row)
`},
		{"table not cut in a pipe", runner.Result{Columns: []string{"text"}, Rows: [][]any{{strings.Repeat("x", 30)}}},
			Table, Options{}, `
┌────────────────────────────────┐
│ text                           │
├────────────────────────────────┤
│ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx │
└────────────────────────────────┘
(1 row)
`},
		{"table without rows", runner.Result{Columns: []string{"a"}}, Table, Options{Width: 80}, `
┌───┐
│ a │
├───┤
└───┘
(no rows)
`},
		{"table counts double width", runner.Result{Columns: []string{"日本"}, Rows: [][]any{{"東京"}, {"é"}},
			Truncated: true}, Table, Options{Width: 80}, `
┌──────┐
│ 日本 │
├──────┤
│ 東京 │
│ é    │
└──────┘
(2 rows)
`},
		{"plain", every, Plain, Options{}, "\n" +
			"name\tn\tbig\tratio\tmoney\tblob\n" +
			"Ada, \"A\"\t-9007199254740993\t18446744073709551615\t0.1\t10.50\t0x00FF\n" +
			"NULL\tNULL\tNULL\tNULL\tNULL\tNULL\n"},
		{"plain escapes", runner.Result{Columns: []string{"a\tb"}, Rows: [][]any{{"one\ntwo\\"}}, Truncated: true},
			Plain, Options{}, `
a\tb
one\ntwo\\
`},
		{"csv", every, CSV, Options{}, `
name,n,big,ratio,money,blob
"Ada, ""A""",-9007199254740993,18446744073709551615,0.1,10.50,0x00FF
,,,,,
`},
		{"csv tells NULL from empty", runner.Result{Columns: []string{"a", "b"},
			Rows: [][]any{{nil, ""}}}, CSV, Options{}, `
a,b
,""
`},
		{"csv has no blank line", runner.Result{Columns: []string{"a"}, Rows: [][]any{{nil}}}, CSV, Options{}, `
a
""
`},
		{"json", every, JSON, Options{}, `
{"columns":["name","n","big","ratio","money","blob"],"rows":[
["Ada, \"A\"",-9007199254740993,18446744073709551615,0.1,10.50,"0x00FF"],
[null,null,null,null,null,null]
],"truncated":false}
`},
		{"json of numbers with zeros before them", runner.Result{Columns: []string{"a", "b"},
			Rows: [][]any{{runner.Decimal("001.50"), runner.Decimal("-0.10")}, {runner.Decimal("000"), nil}}}, JSON,
			Options{}, `
{"columns":["a","b"],"rows":[
[1.50,-0.10],
[0,null]
],"truncated":false}
`},
		{"json of nothing", runner.Result{}, JSON, Options{}, `
{"columns":[],"rows":[],"truncated":false}
`},
		{"ndjson keeps every column of one name", runner.Result{Columns: []string{"a", "a", "a_2", "a"},
			Rows: [][]any{{int64(1), int64(2), int64(3), int64(4)}}}, NDJSON, Options{}, `
{"a":1,"a_3":2,"a_2":3,"a_4":4}
`},
		{"ndjson leaves HTML alone", runner.Result{Columns: []string{"COUNT(*)"}, Rows: [][]any{{"<b>&"}}},
			NDJSON, Options{}, `
{"COUNT(*)":"<b>&"}
`},
		{"markdown", runner.Result{Columns: []string{"a|b", "sum_of"},
			Rows: [][]any{{"<i>\n*", runner.Decimal("1.0")}}}, Markdown, Options{}, `
| a\|b | sum\_of |
| --- | ---: |
| &lt;i><br>\* | 1.0 |

1 row
`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var b bytes.Buffer
			must.Get(Write(&b, test.res, test.format, test.o))(t)
			must.Same(t, "\n"+b.String(), test.want)
		})
	}
}

func TestWriteResultUnknownFormat(t *testing.T) {
	if _, err := Write(&bytes.Buffer{}, every, "xml", Options{}); err == nil ||
		!strings.Contains(err.Error(), `"xml"`) {
		t.Errorf("got %v, want an error that names the format", err)
	}
}

func TestVisible(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain é 東", "plain é 東"},
		{"\x1b[31mred\x07", `\x1b[31mred\a`},
		{"a\u009bb\x7f", `a\u009bb\x7f`},
		{"ab\u202eba", `ab\u202eba`},
		{"\xff\xfeok\ufffd", `\xff\xfeok\ufffd`},
		{"tab\tline\n", `tab\tline\n`},
	}
	for _, test := range tests {
		must.Same(t, Visible(test.in), test.want, test.in)
	}
}

func TestFloatText(t *testing.T) {
	tests := []struct {
		in   float64
		want string
	}{{0, "0"}, {-0.5, "-0.5"}, {1e20, "100000000000000000000"}, {1e21, "1e+21"}, {1e-7, "1e-07"},
		{0.30000000000000004, "0.30000000000000004"}}
	for _, test := range tests {
		if got := floatText(test.in); got != test.want {
			t.Errorf("floatText(%g) = %s, want %s", test.in, got, test.want)
		}
	}
}

// Whatever a cell holds, every format reads back, and no format sends a control sequence to a terminal.
func FuzzWriteResult(f *testing.F) {
	for _, s := range []string{"", "a,b", "\"", "\x1b]0;x\x07", "a\r\nb", "\xff", "\u202e", "|", " x "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		res := runner.Result{Columns: []string{"a", cell}, Rows: [][]any{{cell, int64(1)}, {nil, cell}}}
		for _, format := range []Format{Table, Plain, JSON, NDJSON, CSV, Markdown} {
			var b bytes.Buffer
			must.Get(Write(&b, res, format, Options{Width: 80}))(t)
			if strings.ContainsFunc(b.String(), func(r rune) bool {
				return hidden(r) && r != '\n' && r != utf8.RuneError && !(r == '\t' && format == Plain)
			}) {
				t.Errorf("%s: control character in %q", format, b.String())
			}
		}
		var b bytes.Buffer
		must.Get(Write(&b, res, CSV, Options{}))(t)
		must.Be(t, !strings.ContainsAny(b.String(), "\x1b\u009b"), "csv: a control sequence in", b.String())
		b.Reset()
		must.Get(Write(&b, res, CSV, Options{Raw: true}))(t)
		records := must.Get(csv.NewReader(&b).ReadAll())(t, "csv")
		asRead := strings.ReplaceAll(cell, "\r\n", "\n") // encoding/csv reads CRLF as LF
		must.Same(t, records, [][]string{{"a", asRead}, {asRead, "1"}, {"", asRead}})
		if !utf8.ValidString(cell) {
			return // JSON cannot hold it: broken bytes become U+FFFD
		}
		b.Reset()
		must.Get(Write(&b, res, JSON, Options{}))(t)
		var back struct{ Rows [][]any }
		must.Do(t, json.Unmarshal(b.Bytes(), &back), "json", b.String())
		must.Be(t, back.Rows[0][0] == cell && back.Rows[1][0] == nil, "json", back.Rows, cell)
	})
}

func TestNoFormulas(t *testing.T) {
	in := runner.Result{Columns: []string{"=cmd()", "n"}, Rows: [][]any{
		{"=1+1", int64(-1)}, {"+1", runner.Decimal("-1.50")}, {"-1", nil}, {"@a", -0.5}, {"\tx", uint64(1)},
		{"\rx", []byte("=1")}, {"a=1", "'=1"}, {"", "ä"}, {"\u034f=1", "\u2800 ＝1"},
	}, Truncated: true}
	want := runner.Result{Columns: []string{"'=cmd()", "n"}, Rows: [][]any{
		{"'=1+1", int64(-1)}, {"'+1", runner.Decimal("-1.50")}, {"'-1", nil}, {"'@a", -0.5}, {"'\tx", uint64(1)},
		{"'\rx", []byte("=1")}, {"a=1", "'=1"}, {"", "ä"}, {"'\u034f=1", "'\u2800 ＝1"},
	}, Truncated: true}
	must.Same(t, NoFormulas(in), want)
}
