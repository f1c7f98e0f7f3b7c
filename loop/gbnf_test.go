package loop

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// gbnf is a grammar in llama.cpp's notation, as far as ours use it. It recognizes texts and makes some up.
type gbnf struct {
	rules map[string]*node
	nodes int
}

type node struct {
	id       int
	kind     byte // 's'equence, 'a'lternatives, 'r'epetition, 'c'lass, 'n'ame
	kids     []*node
	min, max int // of a repetition; a negative max is none
	name     string
	ranges   [][2]rune
	not      bool
}

func readGBNF(t testing.TB, text string) *gbnf {
	t.Helper()
	g := &gbnf{rules: map[string]*node{}}
	for line := range strings.Lines(text) {
		name, body, ok := strings.Cut(strings.TrimSpace(line), " ::= ")
		must.Have(t, ok, "no rule", line)
		p := gbnfReader{g, []rune(body), 0}
		g.rules[name] = p.alternatives()
		if p.at < len(p.text) {
			t.Fatalf("rule %s: %q is left", name, string(p.text[p.at:]))
		}
	}
	return g
}

type gbnfReader struct {
	g    *gbnf
	text []rune
	at   int
}

func (p *gbnfReader) node(kind byte, kids ...*node) *node {
	p.g.nodes++
	return &node{id: p.g.nodes, kind: kind, kids: kids}
}

func (p *gbnfReader) peek() rune {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

func (p *gbnfReader) alternatives() *node {
	n := p.node('a', p.sequence())
	for p.peek() == '|' {
		p.at++
		n.kids = append(n.kids, p.sequence())
	}
	return n
}

func (p *gbnfReader) sequence() *node {
	n := p.node('s')
	for {
		var one *node
		switch r := p.peek(); {
		case r == 0 || r == '|' || r == ')':
			return n
		case r == '"':
			one = p.node('s')
			for p.at++; p.text[p.at] != '"'; {
				c := p.node('c')
				r := p.char()
				c.ranges = [][2]rune{{r, r}}
				one.kids = append(one.kids, c)
			}
			p.at++
		case r == '[':
			one = p.node('c')
			p.at++
			if p.text[p.at] == '^' {
				one.not = true
				p.at++
			}
			for p.text[p.at] != ']' {
				from := p.char()
				to := from
				if p.text[p.at] == '-' && p.text[p.at+1] != ']' {
					p.at++
					to = p.char()
				}
				one.ranges = append(one.ranges, [2]rune{from, to})
			}
			p.at++
		case r == '(':
			p.at++
			one = p.alternatives()
			if p.peek() != ')' {
				panic("no ) at " + string(p.text[p.at:]))
			}
			p.at++
		default:
			from := p.at
			for p.at < len(p.text) && (p.text[p.at] == '-' || p.text[p.at] >= 'a' && p.text[p.at] <= 'z') {
				p.at++
			}
			if p.at == from {
				panic("no symbol at " + string(p.text[p.at:]))
			}
			one = p.node('n')
			one.name = string(p.text[from:p.at])
		}
		n.kids = append(n.kids, p.repeated(one))
	}
}

func (p *gbnfReader) repeated(one *node) *node {
	if p.at == len(p.text) {
		return one
	}
	n := p.node('r', one)
	switch n.max = -1; p.text[p.at] {
	case '*':
	case '+':
		n.min = 1
	case '?':
		n.max = 1
	case '{':
		end := p.at + slices.Index(p.text[p.at:], '}')
		from, to, two := strings.Cut(string(p.text[p.at+1:end]), ",")
		n.min, _ = strconv.Atoi(from)
		if n.max = n.min; two {
			n.max, _ = strconv.Atoi(to)
		}
		p.at = end
	default:
		return one
	}
	p.at++
	return n
}

func (p *gbnfReader) char() rune {
	r := p.text[p.at]
	p.at++
	if r != '\\' {
		return r
	}
	r = p.text[p.at]
	p.at++
	switch r {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'x':
		n, err := strconv.ParseInt(string(p.text[p.at:p.at+2]), 16, 32)
		if err != nil {
			panic(err)
		}
		p.at += 2
		return rune(n)
	}
	return r
}

// admits reports whether text is one of the grammar's.
func (g *gbnf) admits(text string) bool {
	m := matcher{g, []rune(text), map[[2]int]places{}, 0}
	return m.ends(g.rules["root"], 0).has(len(m.text))
}

// reach is how far the grammar goes along with text.
func (g *gbnf) reach(text string) string {
	m := matcher{g, []rune(text), map[[2]int]places{}, 0}
	m.ends(g.rules["root"], 0)
	return string(m.text[:m.far])
}

// places are the places of a text where a match may end, as a set of bits.
type places []uint64

func (p places) has(i int) bool { return p[i/64]>>(i%64)&1 == 1 }
func (p places) add(i int)      { p[i/64] |= 1 << (i % 64) }

func (p places) addAll(q places) {
	for i, bits := range q {
		p[i] |= bits
	}
}

func (p places) all(yield func(int) bool) {
	for i, word := range p {
		for ; word != 0; word &= word - 1 {
			if !yield(64*i + bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}

type matcher struct {
	g    *gbnf
	text []rune
	memo map[[2]int]places
	far  int
}

func (m *matcher) places(at ...int) places {
	p := make(places, len(m.text)/64+1)
	for _, i := range at {
		p.add(i)
	}
	return p
}

// ends tells where what n matches from one place may end.
func (m *matcher) ends(n *node, from int) places {
	key := [2]int{n.id, from}
	if e, ok := m.memo[key]; ok {
		return e
	}
	e := m.places()
	m.memo[key] = e
	m.far = max(m.far, from)
	step := func(n *node, at places) places {
		next := m.places()
		for i := range at.all {
			next.addAll(m.ends(n, i))
		}
		return next
	}
	switch n.kind {
	case 'n':
		rule := m.g.rules[n.name]
		if rule == nil {
			panic("no rule " + n.name)
		}
		e.addAll(m.ends(rule, from))
	case 'c':
		if from < len(m.text) && n.matches(m.text[from]) {
			e.add(from + 1)
		}
	case 'a':
		for _, k := range n.kids {
			e.addAll(m.ends(k, from))
		}
	case 's':
		at := m.places(from)
		for _, k := range n.kids {
			at = step(k, at)
		}
		e.addAll(at)
	case 'r':
		at := m.places(from)
		for times := 0; n.max < 0 || times <= n.max; times++ {
			if times >= n.min {
				before := slices.Clone(e)
				if e.addAll(at); times > n.min && slices.Equal(before, e) {
					break // nothing new
				}
			}
			at = step(n.kids[0], at)
		}
	}
	return e
}

func (n *node) matches(r rune) bool {
	in := slices.ContainsFunc(n.ranges, func(x [2]rune) bool { return r >= x[0] && r <= x[1] })
	return in != n.not
}

// random makes up a text of the grammar; deep ones end soon.
func (g *gbnf) random(random *rand.Rand) string {
	var b strings.Builder
	g.write(&b, g.rules["root"], random, 0)
	return b.String()
}

func (g *gbnf) write(b *strings.Builder, n *node, random *rand.Rand, depth int) {
	switch n.kind {
	case 'n':
		g.write(b, g.rules[n.name], random, depth+1)
	case 'c':
		for {
			r := rune(random.IntN(0x250))
			if !n.not {
				x := n.ranges[random.IntN(len(n.ranges))]
				r = x[0] + rune(random.IntN(int(x[1]-x[0])+1))
			}
			if n.matches(r) {
				b.WriteRune(r)
				return
			}
		}
	case 'a':
		k := n.kids[random.IntN(len(n.kids))]
		if depth > 40 {
			k = n.kids[len(n.kids)-1]
		}
		g.write(b, k, random, depth)
	case 's':
		for _, k := range n.kids {
			g.write(b, k, random, depth)
		}
	case 'r':
		most := n.max
		if most < 0 || most > n.min+4 {
			most = n.min + 4
		}
		for range n.min + random.IntN(most-n.min+1) {
			g.write(b, n.kids[0], random, depth+1)
		}
	}
}
