//go:build cgo && llamacpp

package llamacpp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

const anyText = `root ::= [^\x00]*`

// A text that obeys is the same bytes with its grammar as without one, drawn or not, alone or beside others.
func TestGrammarChangesNothing(t *testing.T) {
	for _, o := range []Options{{}, {Parallel: 3}, {Parallel: 3, Fast: true}} {
		t.Run(fmt.Sprintf("parallel %d fast %v", o.Parallel, o.Fast), func(t *testing.T) {
			o.Context = 1024
			m := open(t, "smollm2-135m", o)
			var wg sync.WaitGroup
			for i, q := range questions[:4] {
				wg.Go(func() {
					p := llm.Params{MaxTokens: 12}
					if i%2 == 1 {
						p.Temperature, p.TopP, p.Seed = 1.2, 0.95, uint32(i)
					}
					free, err := m.Generate(context.Background(), question(q), p)
					if err != nil {
						t.Error(err)
						return
					}
					for _, p.Grammar = range []string{anyText, "root ::= " + strconv.Quote(free.Text) + ` [^\x00]*`} {
						bound, err := m.Generate(context.Background(), question(q), p)
						if err != nil {
							t.Errorf("%s: %v", p.Grammar, err)
						} else if bound.Text != free.Text || bound.OutputTokens != free.OutputTokens ||
							bound.StopReason != free.StopReason {
							t.Errorf("%s: %+v, want %+v", p.Grammar, bound, free)
						}
					}
				})
			}
			wg.Wait()
		})
	}
	must.Equal(t, grammars.Load(), 0, "grammars are not freed")
}

// What a model would never write comes out where the grammar asks for it, and the answer ends only where it may.
func TestGrammarIsKept(t *testing.T) {
	tests := []struct{ name, grammar, want string }{
		{"words", `root ::= "yes" | "no"`, `yes|no`},
		{"number of digits", `root ::= [0-9]{12}`, `[0-9]{12}`},
		{"bytes of characters", `root ::= "日本 ∑é" [a-c]{2}`, `日本 ∑é[a-c]{2}`},
		{"no likely character", `root ::= [Ѫ-Ѯ]{3}`, `[Ѫ-Ѯ]{3}`},
		{"rules", "root ::= item (\", \" item){2}\n# numbers, whole ones\nitem ::= [1-9] [0-9]{1,3}",
			`[1-9][0-9]{1,3}(, [1-9][0-9]{1,3}){2}`},
		{"JSON", `root ::= "{" "\"table\": \"" ("authors" | "sales") "\"" "}" "\n"?`,
			`\{"table": "(authors|sales)"\}\n?`},
	}
	m := open(t, "smollm2-135m", Options{Context: 512})
	for _, tt := range tests {
		for _, temperature := range []float32{0, 1.5} {
			p := llm.Params{MaxTokens: 30, Temperature: temperature, TopP: 0.9, Seed: 3, Grammar: tt.grammar}
			first := generate(t, m, question(questions[0]), p)
			if !regexp.MustCompile("^("+tt.want+")$").MatchString(first.Text) || first.StopReason != llm.StopEnd {
				t.Errorf("%s, temperature %v: %q, %s", tt.name, temperature, first.Text, first.StopReason)
			}
			must.Equal(t, generate(t, m, question(questions[0]), p).Text, first.Text,
				tt.name, "temperature", temperature)
		}
	}
}

// Requests that are worked on together have a grammar each, and give what they give alone.
func TestGrammarsTogether(t *testing.T) {
	for _, fast := range []bool{false, true} {
		m := open(t, "smollm2-135m", Options{Context: 1024, Parallel: 4, Fast: fast})
		ask := func(i int) (string, error) {
			p := params(i)
			p.Grammar = fmt.Sprintf(`root ::= [%c-%c]{%d}`, 'a'+i, 'c'+i, 4+i)
			out, err := m.Generate(context.Background(), question(questions[i%len(questions)]), p)
			return out.Text, err
		}
		const n = 8
		together := make([]string, n)
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				var err error
				if together[i], err = ask(i); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for i, got := range together {
			if want := fmt.Sprintf("^[%c-%c]+$", 'a'+i, 'c'+i); !regexp.MustCompile(want).MatchString(got) ||
				len(got) > 4+i {
				t.Errorf("request %d: %q does not match %s", i, got, want)
			}
			if alone, err := ask(i); err != nil || !fast && alone != got {
				t.Errorf("request %d: %q together, %q alone, %v", i, got, alone, err)
			}
		}
	}
}

func TestGrammarErrors(t *testing.T) {
	m := open(t, "smollm2-135m", Options{Context: 1024})
	cold(m)
	for _, tt := range []struct{ name, grammar, want string }{
		{"empty", " \n", "no rule root"},
		{"no root", `top ::= "a"`, "no rule root"},
		{"undefined rule", "root ::= \"a\" missing", "no rule missing"},
		{"open bracket", `root ::= ("a"`, "expecting ')'"},
		{"open quote", `root ::= "a`, "unexpected end"},
		{"no definition", `root = "a"`, "expecting ::="},
		{"left recursion", `root ::= root "a" | "b"`, "begins with itself"},
		{"too many repetitions", `root ::= "a"{100000}`, "repetitions"},
		{"a zero byte", "root ::= \"a\x00\"", "zero byte"},
		{"too long", "root ::= \"" + strings.Repeat("a", maxGrammar) + `"`, "at most"},
		{"text", "SELECT 1;", "expecting ::="},
	} {
		start := time.Now()
		out, err := m.Generate(context.Background(), question(questions[0]), llm.Params{Grammar: tt.grammar})
		if err == nil || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 200 ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", tt.name, err)
		}
		if out.Text != "" || out.PromptTokens > 0 {
			t.Errorf("%s: %+v after %v", tt.name, out, time.Since(start))
		}
	}
	if out := generate(t, m, question(questions[0]), llm.Params{MaxTokens: 1}); out.CachedTokens > 0 {
		t.Errorf("the prompt of an invalid grammar was evaluated: %+v", out)
	}
	must.Equal(t, grammars.Load(), 0, "grammars are not freed")
}

// Each way out frees the grammar: a wait that ends before the turn, an answer that is cut, a prompt too long.
func TestGrammarIsFreed(t *testing.T) {
	m := open(t, "smollm2-135m", Options{Context: 512, Parallel: 2})
	random := rand.New(rand.NewPCG(4, 2))
	var wg sync.WaitGroup
	for i := range 40 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(random.IntN(300))*time.Millisecond)
		wg.Go(func() {
			defer cancel()
			q := questions[i%len(questions)]
			if i%7 == 0 {
				q = strings.Repeat(q, 2000)
			}
			_, err := m.Generate(ctx, question(q), llm.Params{MaxTokens: 50, Grammar: anyText})
			must.Be(t, err == nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, llm.ErrContextFull),
				err)
		})
	}
	wg.Wait()
	// the scheduler has seen the others go
	generate(t, m, question(questions[0]), llm.Params{MaxTokens: 1, Grammar: anyText})
	for range 100 {
		if grammars.Load() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d grammars are not freed", grammars.Load())
}

// likeliest finds what a look at all tokens finds, whether it is among the first or the last.
func TestLikeliestAllowed(t *testing.T) {
	m := open(t, "smollm2-135m", Options{Context: 512})
	random := rand.New(rand.NewPCG(1, 9))
	for _, text := range []string{anyText, `root ::= [a-z ]*`, `root ::= "SELECT " [a-z]*`, `root ::= "Ѫ"`} {
		g := must.Get(m.newGrammar(text))(t)
		defer g.free()
		for range 5 {
			l := make([]float32, m.model.NumVocab())
			for i := range l {
				l[i] = float32(random.IntN(1000)) // many are equal
			}
			masked := must.Get(g.mask(l))(t)
			got, err := g.likeliest(l)
			if want := slices.Index(masked, slices.Max(masked)); err != nil || int(got) != want {
				t.Errorf("%s: token %d, %v; want %d", text, got, err, want)
			}
		}
		for token := range int32(17) { // control tokens are no text
			may, err := g.allows(token)
			if eog := m.model.TokenIsEog(int(token)); err != nil || may[0] != (eog && strings.HasSuffix(text, "*") &&
				!strings.Contains(text, "SELECT")) {
				t.Errorf("%s: token %d allowed %v, %v", text, token, may, err)
			}
		}
	}
}

// Redrawing keeps the proportions of what is allowed.
func TestRedraw(t *testing.T) {
	m := open(t, "smollm2-135m", Options{Context: 512})
	word := func(text string) int32 {
		ids, err := m.model.Tokenize(text, false, false)
		must.Have(t, err == nil && len(ids) == 1, text, len(ids), "tokens", err)
		return int32(ids[0])
	}
	share := map[int32]float64{word("yes"): 0.1, word("no"): 0.3, word("the"): 0.5, word("and"): 0.1}
	l := make([]float32, m.model.NumVocab())
	for i := range l {
		l[i] = -1000
	}
	for token, p := range share {
		l[token] = float32(math.Log(p))
	}
	g := must.Get(m.newGrammar(`root ::= "yes" | "no"`))(t)
	defer g.free()
	s := sampler{m, llm.Params{Temperature: 1}, rand.New(rand.NewPCG(7, 0)), g}
	const n = 4000
	yes := 0
	for range n {
		c := must.Get(likely(l, 1, 0))(t)
		i := c.draw(s.random.Float64())
		token := c.list[i].token
		if may, err := s.grammar.allows(token); err != nil {
			t.Fatal(err)
		} else if !may[0] {
			c.remove(i)
			if token, err = s.redraw(c, l); err != nil {
				t.Fatal(err)
			}
		}
		switch token {
		case word("yes"):
			yes++
		case word("no"):
		default:
			t.Fatalf("drew %q", m.model.Piece(token))
		}
	}
	if got := float64(yes) / n; got < 0.22 || got > 0.28 {
		t.Errorf("%.3f of the draws are the word with a quarter of the allowed probability", got)
	}
}
