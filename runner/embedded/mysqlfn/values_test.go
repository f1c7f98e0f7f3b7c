package mysqlfn

import (
	"cmp"
	"database/sql/driver"
	"math"
	"slices"
	"strings"
	"testing"

	"nl2sql/runner/embedded/types"
	"nl2sql/scripts/must"
)

func TestCollations(t *testing.T) {
	for _, tt := range []struct {
		coll types.Collation
		a, b string
		want int
	}{
		{types.CollAI, "abc", "ABC", 0},
		{types.CollAI, "résumé", "RESUME", 0},
		{types.CollAI, "a", "a ", -1},
		{types.CollAI, "straße", "STRASSE", 0},
		{types.CollAI, "øre", "ore", 0},
		{types.CollAI, "æ", "ae", 0},
		{types.CollAI, "ı", "i", 1},
		{types.CollUnicode, "Æ", "ae", 1},
		{types.CollUnicode, "đ", "d", 1},
		{types.CollUnicode, "😀", "🚲", 0},
		{types.CollUnicode520, "æ", "ae", 0},
		{types.CollAI, "a-b", "ab", -1},
		{types.CollAI, "_", "1", -1},
		{types.CollAI, "9", "a", -1},
		{types.CollAI, "", "a", -1},
		{types.CollAI, "a\u0301", "a", 0},
		{types.CollUnicode, "a", "a  ", 0},
		{types.CollUnicode, "ø", "o", 1},
		{types.CollGeneral, "ß", "s", 0},
		{types.CollGeneral, "É", "e", 0},
		{types.CollSwedish, "Norway  ", "norway", 0},
		{types.CollSwedish, "å", "z", 1},
		{types.CollSwedish, "ü", "y", 0},
		{types.CollSwedish, "é", "e", 0},
		{types.CollBin, "a", "a ", 0},
		{types.CollBin, "a", "A", 1},
		{types.CollBytes, "a", "a ", -1},
		{types.CollAI, strings.Repeat("é", 100) + "a", strings.Repeat("é", 100) + "B", -1},
		{types.CollAI, strings.Repeat("é", 50) + "É" + strings.Repeat("é", 50), strings.Repeat("é", 101), 0},
		{types.CollGeneral, "x" + strings.Repeat("é", 100) + "Å", "x" + strings.Repeat("é", 100) + "å", 0},
		{types.CollAI, strings.Repeat("a", 200), strings.Repeat("a", 201), -1},
	} {
		got := compareTexts(tt.coll, tt.a, tt.b)
		if sign(got) != tt.want || sign(compareTexts(tt.coll, tt.b, tt.a)) != -tt.want {
			t.Errorf("%s: compare(%q, %q) = %d, want %d", tt.coll, tt.a, tt.b, got, tt.want)
		}
		must.Equal(t, sortKey(tt.coll, tt.a) == sortKey(tt.coll, tt.b), tt.want == 0, tt.coll, "keys of", tt.a, tt.b)
	}
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func TestDecimals(t *testing.T) {
	for _, tt := range []struct {
		in    float64
		scale int
		want  string
	}{
		{2.345, 2, "2.35"}, {-2.345, 2, "-2.35"}, {1.005, 2, "1.01"}, {0.5, 0, "1"}, {-0.4, 0, "0"},
		{1e14, 0, "100000000000000"},
		{8853839.23, 2, "8853839.23"}, {0.1 + 0.2, 1, "0.3"}, {1234.5, -2, "1200"}, {99.995, 2, "100.00"},
		{0, 3, "0.000"}, {1e-7, 9, "0.000000100"},
	} {
		got, ok := formatDecimal(roundTo(tt.in, tt.scale), max(tt.scale, 0))
		if string(got) != tt.want || !ok {
			t.Errorf("%v at %d places: %s %t, want %s", tt.in, tt.scale, got, ok, tt.want)
		}
	}
	if got, ok := formatDecimal(1234567890123.4567, 4); ok {
		t.Errorf("17 digits are printed as %s", got)
	}
	for f, want := range map[float64]string{0.1: "0.1", 1e15: "1e15", 123456789: "123456789", 1e-16: "1e-16",
		-2.5: "-2.5", 1e100: "1e100"} {
		must.Equal(t, FormatDouble(f, 64), want, "FormatDouble", f)
	}
}

func TestMoments(t *testing.T) {
	for in, want := range map[string]string{
		"2004-01-02": "2004-01-02 00:00:00.000000", "2004-1-2": "2004-01-02 00:00:00.000000",
		"04/1/2":   "2004-01-02 00:00:00.000000",
		"20040102": "2004-01-02 00:00:00.000000", "040102": "2004-01-02 00:00:00.000000",
		"20040102030405":     "2004-01-02 03:04:05.000000",
		"2004-01-02 3:4:5.6": "2004-01-02 03:04:05.600000", "2004-01-02T03:04:05": "2004-01-02 03:04:05.000000",
		"0000-00-00": "0000-00-00 00:00:00.000000",
		"2004-02-29": "2004-02-29 00:00:00.000000", "2003-02-29": "", "2004-13-01": "", "yesterday": "", "": "",
		"2004-01": "", "2004-01-02 25:00:00": "",
	} {
		m, ok := ParseMoment(in)
		got := ""
		if ok {
			got = m.Format(types.Type{Kind: types.Datetime, Scale: 6})
		}
		must.Equal(t, got, want, "ParseMoment", in)
	}
	for in, want := range map[string]string{"10:20:30": "10:20:30", "-1:2:3": "-01:02:03", "1 2:3": "26:03:00",
		"102030": "10:20:30", "12:60:00": "", "x": "", "100:00:00": "100:00:00"} {
		m, ok := ParseClock(in)
		got := ""
		if ok {
			got = m.clockText(0)
		}
		must.Equal(t, got, want, "ParseClock", in)
	}
}

func TestSubstringIndex(t *testing.T) {
	for _, tt := range []struct {
		text, separator string
		n               int64
		want            string
	}{
		{"a,b,c", ",", 1, "a"}, {"a,b,c", ",", 2, "a,b"}, {"a,b,c", ",", 3, "a,b,c"}, {"a,b,c", ",", 0, ""},
		{"a,b,c", "", 1, ""},
		{"a,b,c", ",", -1, "c"}, {"a,b,c", ",", -2, "b,c"}, {"a,b,c", ",", -3, "a,b,c"},
		{"a,b,c", ",", math.MinInt64, "a,b,c"},
		{"xaaay", "aa", 1, "x"}, {"xaaay", "aa", -1, "ay"}, {"xaaaay", "aa", -1, "y"}, {"xaaaay", "aa", -2, "aay"},
		{"", ",", -1, ""}, {",", ",", -1, ""}, {"éßé", "ß", -1, "é"},
	} {
		if got, err := substringIndex([]driver.Value{tt.text, tt.separator, tt.n}); err != nil || got != tt.want {
			t.Errorf("SUBSTRING_INDEX(%q, %q, %d) = %q, %v, want %q", tt.text, tt.separator, tt.n, got, err, tt.want)
		}
	}
}

// The short way with ASCII characters orders them as their weights do.
func TestASCIIWeights(t *testing.T) {
	for _, c := range WeightCollations {
		for a := range rune(128) {
			for b := range rune(128) {
				short := cmp.Compare(asciiWeight(c.Collation, byte(a)), asciiWeight(c.Collation, byte(b)))
				if long := slices.Compare(appendRune(c.Collation, nil, a), appendRune(c.Collation, nil,
					b)); short != long {
					t.Errorf("%s: %q and %q: %d, by their weights %d", c.Name, a, b, short, long)
				}
			}
		}
	}
}
