package words

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
)

func TestTokens(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"How many 3rd orders?", "how many 3rd order ?"},
		{"3.5 of 1,000", "#3 . #5 of #1 , #000"},
		{`the "Red Oak's" and 'it'`, `the '" 'red 'oak '' 's " and '' 'it '`},
		{"don't; the customers' cities", "don ' t ; the customer ' city"},
		{`5" and 6`, `#5 " and #6`}, {"the 'Red Oak's size", "the ' red oak ' s size"},
		{"a “b” ‘c’ `d`", "a '“ 'b ” '‘ 'c ’ '` 'd `"},
		{"Straße\nKÖLN", "strasse \n koln"},
		{"caf\u0065\u0301 \u0301x", "cafe \u0301 x"},
		{"a_b", "a _ b"},
		{"客户 \xff", "客户 \xff"},
	} {
		var got []string
		for tok := range Tokens(tt.text) {
			s := tok.Text
			if tok.Kind != Sign {
				s = Fold(tok.Stem)
			}
			if tok.Kind == Number {
				s = "#" + s
			}
			if tok.Quoted {
				s = "'" + s
			}
			got = append(got, s)
		}
		if diff := cmp.Diff(strings.Fields(strings.ReplaceAll(tt.want, "\n", "\\n")),
			strings.Fields(strings.ReplaceAll(strings.Join(got, " "), "\n", "\\n"))); diff != "" {
			t.Errorf("%q: %s", tt.text, diff)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"orderDates": "order date", "order_dates": "order date", "IDNumber": "id number", "address2b": "address 2b",
		"HTTPServer_v2": "http server v 2", "ORDERS": "order",
		"numéroCommande": "numéro commande", "#": "", "straße": "straße", "id": "id", "a\xffB": "a b",
	} {
		must.Equal(t, strings.Join(OfName(name), " "), want, name)
	}
	var got []string
	for tok := range Identifiers("SELECT a_1.b_ FROM `x y`, _z") {
		got = append(got, tok.Text)
	}
	must.Same(t, got, []string{"SELECT", "a_1", "b_", "FROM", "x", "y", "_z"})
}

func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"Ünder": "Under", "straße": "strasse", "São Paulo": "Sao Paulo", "Nánjīng": "Nanjing", "e\u0301": "e",
		"øre": "øre", "가": "가", "abc": "abc",
	} {
		must.Equal(t, Fold(text), want, "Fold", text)
	}
	must.Be(t, SameText("Málaga  ", "malaga") && !SameText("a", " a"), "SameText")
}

func TestBegins(t *testing.T) {
	known := map[string]bool{"name": true, "employee": true, "airport": true, "movy": true, "dorm": true}
	for word, want := range map[string]bool{
		"name": true, "employed": true, "movie": true, "dormitory": true, "surname": false, "airplane": false, "emu": false,
	} {
		must.Equal(t, Begins(known, word), want, word)
	}
}

func TestStands(t *testing.T) {
	for _, tt := range []struct {
		known, word string
		want        bool
	}{
		{"employee", "employed", true}, {"birth", "birthday", true}, {"movie", "movy", true}, {"movy", "movie", true},
		{"age", "oldest", false}, {"cat", "category", false},
	} {
		must.Equal(t, Stands(map[string]bool{tt.known: true}, tt.word), tt.want, tt.known, "stands for", tt.word)
	}
	if !StandsFor(map[string]bool{"age": true}, "oldest") || StandsFor(map[string]bool{"city": true}, "oldest") {
		t.Error("StandsFor")
	}
}

// Tokens lie in order in the text and leave nothing but blanks out; folding and stemming change nothing that they made.
func FuzzTokens(f *testing.F) {
	for _, text := range []string{"How many “Red Oaks” are 3.5 m?", "'\xff' e\u0301", "İstanbul ǅ ẞ", "a_b.c\n\td",
		"`x' ‘y", "'a'b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end, quoted := 0, false
		for tok := range Tokens(text) {
			if tok.At < end || tok.End <= tok.At || tok.Text != text[tok.At:tok.End] ||
				strings.TrimSpace(text[end:tok.At]) != "" {
				t.Fatalf("%q: %+v behind %d", text, tok, end)
			}
			end, quoted = tok.End, tok.Quoted
			if tok.Kind != Sign && (tok.Low != strings.ToLower(tok.Text) || tok.Fold != Fold(tok.Low)) {
				t.Errorf("%q: %+v", text, tok)
			}
		}
		must.Equal(t, strings.TrimSpace(text[end:]), "", text[end:], "is lost of", text)
		must.Be(t, !quoted, text, "quotes are open at the end")
		if utf8.ValidString(text) {
			if once := Fold(text); Fold(once) != once {
				t.Errorf("%q is folded to %q and to %q", text, once, Fold(once))
			}
		}
		OfName(text)
		if lang := LanguageOf(text); lang >= Langs {
			t.Errorf("language %d", lang)
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for range Tokens("What are the names and the cities of all customers who ordered \"Red Oak\" more than 3 times in 2003?") {
		}
	}
}

func BenchmarkUses(b *testing.B) {
	for b.Loop() {
		Uses("oldest")
	}
}

func BenchmarkSenses(b *testing.B) {
	for b.Loop() {
		Senses(Near, English, "oldest")
	}
}

// BenchmarkLoad reads all word data, as a process does once.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		d := &dictionary{uses: map[string]Use{}, numbers: map[string]int{},
			cues: [Langs]map[string]string{{}, {}, {}, {}}}
		mustLoad("uses.txt", d.readUses)
		mustLoad("cues.txt", d.readCues)
		mustLoad("synonyms.txt", readSenses)
		mustLoad("translations.txt", readSenses)
		mustLoad("changes.txt", readChanges)
	}
}
