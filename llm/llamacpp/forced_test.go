//go:build cgo && llamacpp

package llamacpp

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// after returns where a text leads in a grammar.
func after(tb testing.TB, m *Model, grammar, text string) *grammar {
	tb.Helper()
	g, err := m.newGrammar(grammar)
	if err != nil {
		tb.Fatalf("%s: %v", grammar, err)
	}
	tb.Cleanup(g.free)
	tokens := words(tb, m, text)
	if n := follow(tb, m, g, tokens); n < len(tokens) {
		tb.Fatalf("%s: %q leaves it after %d tokens", grammar, text, n)
	}
	return g
}

func TestForced(t *testing.T) {
	m := open(t, "smollm2-135m", Options{Context: 512})
	action, sql := demoGrammars(t)
	long := strings.Repeat("abc", 40)
	for _, tt := range []struct{ name, grammar, text, want string }{
		{"a literal", `root ::= "yes"`, "", "yes"},
		{"its rest", `root ::= "yes, of course"`, "yes", ", of course"},
		{"its end", `root ::= "yes"`, "yes", ""},
		{"two literals", `root ::= "yes" "no"`, "y", "esno"},
		{"alternatives", `root ::= "yes" | "no"`, "", ""},
		{"an alternative", `root ::= "yes" | "no"`, "n", "o"},
		{"alternatives that begin alike", `root ::= "getter" | "getting"`, "", "gett"},
		{"of which one ends", `root ::= "get" | "getting"`, "", "get"},
		{"alternatives that are equal", `root ::= "get" | "get"`, "", "get"},
		{"the same beginning in other rules", "root ::= a | b\na ::= \"x\" \"y\" [0-9]\nb ::= \"xy\" [a-z]", "", "xy"},
		{"what follows a rule", "root ::= a \"]\"\na ::= \"[\" b\nb ::= \"1\" | \"2\"", "[1", "]"},
		{"a class", `root ::= "a" [b-d] "e"`, "", "a"},
		{"behind a class", `root ::= "a" [b-d] "e"`, "ac", "e"},
		{"a class of one", `root ::= [a] [b-b] [cc] [d-dd] "e" [f-g]`, "", "abcde"},
		{"all but one", `root ::= "a" [^b]`, "", "a"},
		{"any", `root ::= "a" . "c"`, "", "a"},
		{"an empty range", `root ::= "a" [c-b]`, "", "a"},
		{"optional", `root ::= "a" "b"? "c"`, "", "a"},
		{"optional and equal", `root ::= "a" "b"? "b"`, "", "ab"},
		{"any number", `root ::= "a" "b"* "c"`, "ab", ""},
		{"a number", `root ::= "ab"{3} "c"`, "", "abababc"},
		{"a least number", `root ::= "ab"{2,} "c"`, "a", "bab"},
		{"a most number", `root ::= "ab"{0,2} "c"`, "abab", "c"},
		{"characters of several bytes", `root ::= "Größe 日本 😀" [a-b]`, "Gr", "öße 日本 😀"},
		{"alternatives that share a byte", `root ::= "x" ("é" | "è")`, "", "x"},
		{"no character", `root ::= "a" "\U00110000"`, "", "a"},
		{"a surrogate", `root ::= "a" [\uD800]`, "", "a"},
		{"a zero byte", `root ::= "a" [\x00] "b"`, "", "a"},
		{"an empty literal", `root ::= "" "a" ""`, "", "a"},
		{"a token", `root ::= "a" <[20]>`, "", "a"},
		{"long", "root ::= " + strconv.Quote(long), "abc", long[:longestForced]},
		{"the bound amid a character", `root ::= "a" "日"{30}`, "", "a" + strings.Repeat("日", (longestForced-1)/3)},
		{"many ways", "root ::= (" + strings.Repeat(`"ab" [c-d] | `, 600) + `"ab" [e-f])`, "", "a"},
		{"too many ways", "root ::= (" + strings.Repeat(`"ab" [c-d] | `, 1100) + `"ab" [e-f])`, "", ""},
		{"an action's beginning", action, "", ""},
		{"a thought", action, "Thought", ":"},
		{"in a thought", action, "Thought: the rows", ""},
		{"behind a thought", action, "Thought: x.\nAc", "tion:"},
		{"an action", action, "Action", ":"},
		{"a tool without arguments", action, "Action: run", "_sql[{}]"},
		{"another", action, "Action: link", "_schema[{}]"},
		{"a tool with an argument", action, `Action: get_ta`, `ble_samples[{"table":`},
		{"a table", action, `Action: get_table_samples[{"table": "off`, `ices"`},
		{"an optional argument", action, `Action: get_table_samples[{"table": "offices",`, ""},
		{"its name", action, `Action: get_table_samples[{"table": "offices", "`, `n":`},
		{"SQL", sql, "", ""},
		{"SQL, of which any letter may be large or small", sql, "SELECT `customerNu", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := after(t, m, tt.grammar, tt.text)
			for range 2 { // asking changes nothing
				must.Equal(t, g.forced(), tt.want, "after", tt.text)
			}
			if len(tt.want) > 0 {
				if rest := words(t, m, tt.want); follow(t, m, g, rest) < len(rest) {
					t.Errorf("%q may not follow %q", tt.want, tt.text)
				}
			}
		})
	}
	var none *grammar
	must.Equal(t, none.forced(), "", "no grammar forces")
	half := after(t, m, `root ::= "日本"`, "")
	if n := follow(t, m, half, words(t, m, "日")[:1]); n != 1 || half.forced() != "" {
		t.Errorf("amid a character %q is forced", half.forced())
	}
}

// language is a grammar's expression and all texts that it admits.
type language struct {
	expression string
	texts      []string
}

const mostTexts = 100

// languages reads a grammar out of bytes.
type languages struct {
	data  []byte
	rules []string
}

func (l *languages) byte() (b byte) {
	if len(l.data) > 0 {
		b, l.data = l.data[0], l.data[1:]
	}
	return b
}

func (l *languages) literal() language {
	pieces := []string{"a", "ab", "abc", "b", "é", "è", "日本", "日", "😀x", " ", `"`, "\n", "{", "table", "tables"}
	p := pieces[int(l.byte())%len(pieces)]
	return language{strconv.Quote(p), []string{p}}
}

func (l *languages) read(depth int) (one language) {
	kind := l.byte() % 8
	if depth == 0 {
		kind = 0
	}
	switch kind {
	case 0, 1:
		return l.literal()
	case 2:
		classes := []language{{"[ab]", []string{"a", "b"}}, {"[a-c]", []string{"a", "b", "c"}},
			{"[a-aa]", []string{"a"}}, {"[éè日]", []string{"é", "è", "日"}}, {"[日]", []string{"日"}}}
		return classes[int(l.byte())%len(classes)]
	case 3, 4:
		a, b := l.read(depth-1), l.read(depth-1)
		return language{a.expression + " " + b.expression, pairs(a.texts, b.texts)}
	case 5:
		a, b := l.read(depth-1), l.read(depth-1)
		return language{"(" + a.expression + " | " + b.expression + ")", distinct(slices.Concat(a.texts, b.texts))}
	case 6:
		a := l.read(min(depth-1, 1)) // one in another takes llama.cpp exponential time
		least := int(l.byte() % 3)
		most := least + int(l.byte()%3)
		one = language{fmt.Sprintf("(%s){%d,%d}", a.expression, least, most), nil}
		power := []string{""}
		for i := range most + 1 {
			if i >= least {
				one.texts = append(one.texts, power...)
			}
			power = pairs(power, a.texts)
		}
		one.texts = distinct(one.texts)
		return one
	default:
		a := l.read(depth - 1)
		name := fmt.Sprintf("r%d", len(l.rules))
		l.rules = append(l.rules, name+" ::= "+a.expression)
		return language{name, a.texts}
	}
}

func pairs(a, b []string) (out []string) {
	for _, x := range a {
		for _, y := range b {
			if out = append(out, x+y); len(out) > 100*mostTexts {
				return out // too many in any case
			}
		}
	}
	return distinct(out)
}

func distinct(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

// beginning returns what all texts have in common behind a prefix that some of them have, up to longestForced bytes.
func beginning(texts []string, prefix string) string {
	common, found := "", false
	for _, text := range texts {
		rest, ok := strings.CutPrefix(text, prefix)
		if !ok {
			continue
		}
		if !found {
			common, found = rest, true
		}
		n := 0
		for n < min(len(common), len(rest)) && common[n] == rest[n] {
			n++
		}
		common = common[:n]
	}
	common = common[:min(len(common), longestForced)]
	for !utf8.ValidString(common) {
		common = common[:len(common)-1]
	}
	return common
}

// FuzzForced holds what is forced against all texts of a grammar that admits few: at each token of each text it is what
// all texts that begin like this one go on with, not more and not less, and asking for it changes nothing.
func FuzzForced(f *testing.F) {
	m := open(f, "smollm2-135m", Options{Context: 512})
	f.Add([]byte{5, 3, 0, 13, 2, 0, 3, 0, 14, 2, 1})
	f.Add([]byte{3, 6, 5, 0, 4, 0, 5, 1, 2, 7, 3, 0, 6, 2, 3})
	f.Add([]byte{6, 6, 0, 1, 1, 1, 1, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		l := languages{data: data[:min(len(data), 40)]}
		root := l.read(4)
		if len(root.texts) > mostTexts || len(l.rules) > 20 {
			return
		}
		grammar := "root ::= " + root.expression + "\n" + strings.Join(l.rules, "\n")
		g, err := m.newGrammar(grammar)
		must.Do(t, err, grammar)
		g.free()
		for _, text := range root.texts {
			g := must.Get(m.newGrammar(grammar))(t)
			tokens, at := words(t, m, text), ""
			for i := 0; ; i++ {
				want := ""
				if utf8.ValidString(at) {
					want = beginning(root.texts, at)
				}
				if got := g.forced(); got != want {
					t.Fatalf("%s\nafter %q: %q, want %q", grammar, at, got, want)
				}
				if i == len(tokens) {
					break
				}
				if follow(t, m, g, tokens[i:i+1]) == 0 {
					t.Fatalf("%s\nafter %q: %q is refused", grammar, at, m.model.Piece(tokens[i]))
				}
				at += m.model.Piece(tokens[i])
			}
			g.free()
		}
	})
}

// A forced text becomes the tokens that the model's tokenizer makes of it behind the token before it.
func TestForcedTokens(t *testing.T) {
	action, _ := demoGrammars(t)
	each(t, func(t *testing.T, m *Model) {
		for _, tt := range []struct{ name, grammar, text, rest string }{
			{"a tool", action, "Action: run", "_sql[{}]"},
			{"an argument", action, "Action: get_table", `_samples[{"table":`},
			{"behind a space", `root ::= "The answer is forty two."`, "The answer", " is forty two."},
			{"lines", `root ::= "One\nTwo\n\nThree"`, "One", "\nTwo\n\nThree"},
		} {
			before := words(t, m, tt.text)
			must.Equal(t, after(t, m, tt.grammar, tt.text).forced(), tt.rest, tt.name, "is forced")
			for range 2 { // anew and remembered
				if diff := cmp.Diff(words(t, m, tt.text+tt.rest),
					slices.Concat(before, m.split(continuation{before[len(before)-1], tt.rest}))); diff != "" {
					t.Errorf("%s: %s", tt.name, diff)
				}
			}
		}
		for i := range int32(1100) {
			m.split(continuation{i, "x"})
		}
		if n := len(m.splits); n > 1024 {
			t.Errorf("%d continuations are remembered", n)
		}
		if got := m.split(continuation{words(t, m, "n")[0], "ame"}); len(got) == 0 ||
			m.model.Piece(got[0]) != "ame"[:len(m.model.Piece(got[0]))] {
			t.Errorf("%v behind a part of a word", got)
		}
		for _, tt := range []struct {
			tokens, text string
			want         bool
		}{
			{"", "a", false},
			{"one two", "one", true},
			{"one two", "on", true},
			{"one two", "one two", true},
			{"one two", "one two three", true},
			{"one two", "one three", false},
			{"one two", "two", false},
		} {
			must.Equal(t, m.agree(words(t, m, tt.tokens), tt.text), tt.want,
				"the tokens of", tt.tokens, "agree with", tt.text)
		}
	})
}

// Answers that are held to a grammar have the same bytes with drafts and without, and what no text repeats and only the
// grammar knows is drafted, and right.
func TestForcedDrafts(t *testing.T) {
	action, sql := demoGrammars(t)
	unheard := `root ::= "Vexing quartz: jocund wyverns blitz " ("dwarf" | "nymph") "; fjord 日本 ∑ zephyrs hum." [a-b]`
	ways := []Options{{NoDraft: true}, {}, {Parallel: 2}, {Parallel: 3, Fast: true}}
	for name, ways := range map[string][]Options{"smollm2-135m": ways, "qwen2.5-coder-0.5b": ways[:2]} {
		t.Run(name, func(t *testing.T) {
			all := []llm.Params{{Grammar: unheard, MaxTokens: 7}}
			for _, grammar := range []string{unheard, action, sql} {
				all = append(all, llm.Params{Grammar: grammar, MaxTokens: 24},
					llm.Params{Grammar: grammar, MaxTokens: 16, Temperature: 1.5, Seed: 5,
						Stop: []string{"zephyrs", "get_"}})
			}
			want := make([]llm.Completion, len(all))
			for _, o := range ways {
				o.Context = 400
				m := open(t, name, o)
				m.do(func() { m.clock = steady() })
				var wg sync.WaitGroup
				limit := make(chan struct{}, max(1, o.Parallel))
				got := make([]llm.Completion, len(all))
				for i, p := range all {
					limit <- struct{}{}
					wg.Go(func() {
						defer func() { <-limit }()
						var err error
						if got[i], err = m.Generate(context.Background(), question(questions[i%3]), p); err != nil {
							t.Error(err)
						}
					})
				}
				wg.Wait()
				var drafted, accepted, drawn, forced int
				for i, out := range got {
					drafted, accepted, drawn = drafted+out.DraftedTokens, accepted+out.AcceptedTokens,
						drawn+out.OutputTokens
					if all[i].Grammar == unheard {
						forced += out.AcceptedTokens
					}
					out.Took, out.CachedTokens, out.DraftedTokens, out.AcceptedTokens = 0, 0, 0, 0
					if o.NoDraft {
						want[i] = out
					} else if diff := cmp.Diff(want[i], out); diff != "" && !o.Fast {
						t.Errorf("answer %d: %s", i, diff)
					}
				}
				t.Logf("parallel %d, fast %v: %d tokens drafted, %d accepted, %d of these unheard of, of %d",
					o.Parallel, o.Fast, drafted, accepted, forced, drawn)
				// two together have three rows
				if o.NoDraft && drafted > 0 || !o.NoDraft && (o.Parallel == 0 || o.Fast) && forced < 5 {
					t.Errorf("parallel %d, fast %v, drafts %v: %d tokens drafted, %d unheard of accepted", o.Parallel,
						o.Fast, !o.NoDraft, drafted, forced)
				}
				must.Do(t, m.Close())
			}
		})
	}
}
