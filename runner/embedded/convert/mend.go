package convert

import (
	"math"
	"strings"
	"unicode"
)

// What it costs to read a row otherwise than it stands, as logarithms of how likely that is.
const (
	costQuote  = 1.0 // a quote stands for itself
	costDelete = 1.5 // a sign is too much
	costSplit  = 2.0 // one is missing
	costMerge  = 2.0 // one belongs to a value
	costInsert = 2.0 // values are missing at the end
	misfit     = -5.5
	goodFit    = -2.3 // of both values where a sign is missing
	exactFit   = -.7  // of one of them
)

// Bounds on mending, which takes longer than reading.
const (
	maxMended     = 20_000 // rows of a file
	maxMendedLine = 20_000 // bytes
	maxMerged     = 12     // signs in a value
	maxSplit      = 400    // bytes of a value that is split between any two characters
)

// mendable says that a line may be mended.
func (f *csvFile) mendable(s string) bool {
	return f.width > 1 && len(s) <= maxMendedLine && f.mended < maxMended
}

// mend reads a line as the usual number of values, where it has others: by where they fit the columns best.
func (f *csvFile) mend(s string) ([]cell, bool) {
	if !f.mendable(s) {
		return nil, false
	}
	f.mended++
	tokens := strings.Count(s, string(f.between)) + 1
	if tokens > 4*f.width+8 {
		return nil, false
	}
	if 2*tokens > f.width {
		row, ok := f.mender(s, f.between, false).best()
		if !ok { // a row of other values, as the header is
			row, ok = f.mender(s, f.between, true).best()
		}
		return row, ok
	}
	for _, other := range signs {
		if byte(other) == f.between || strings.Count(s, string(other)) < f.width-1 {
			continue
		}
		if row, ok := f.mender(s, byte(other), false).best(); ok {
			return row, true
		}
	}
	return nil, false
}

// mender is the search for the best reading of a line.
type mender struct {
	*csvFile
	dialect
	s     string
	other bool // the sign is not that of the file
	// nothing is read otherwise than it stands because it fits: quotes and empty values tell
	strict bool
	known  map[[2]int]*reading
}

// reading is how a line can be read from a place on, for the columns from one on.
type reading struct {
	score                    float64
	cells                    []cell // of this step
	next                     *reading
	misfits, guesses, chosen int // values that do not fit; steps that need a fit; other steps
}

func (f *csvFile) mender(s string, between byte, strict bool) *mender {
	m := &mender{csvFile: f, dialect: f.dialect, s: s, other: between != f.between, strict: strict}
	m.known = map[[2]int]*reading{}
	m.dialect.between = between
	return m
}

func (m *mender) best() ([]cell, bool) {
	r := m.from(0, 0)
	switch {
	case math.IsInf(r.score, -1):
		return nil, false
	case m.other && (r.misfits > 0 && r.guesses+r.chosen > 0):
		return nil, false
	case 2*r.misfits > m.width && r.guesses > 0:
		return nil, false
	}
	var row []cell
	for ; r != nil; r = r.next {
		row = append(row, r.cells...)
	}
	return row, len(row) == m.width
}

var impossible = &reading{score: math.Inf(-1)}

// from is the best reading from a byte on, where a value begins, for the columns from one on. len(s)+1 is the end.
func (m *mender) from(at, column int) *reading {
	key := [2]int{at, column}
	if r := m.known[key]; r != nil {
		return r
	}
	best := impossible
	take := func(rest *reading, cost float64, cells []cell, guesses, chosen int) {
		if m.strict && guesses > 0 {
			return
		}
		score, misfits := rest.score-cost, rest.misfits
		for i, c := range cells {
			fit := m.fits[column+i].score(c.text)
			score += fit
			if fit < misfit {
				misfits++
			}
		}
		if score > best.score {
			best = &reading{score, cells, rest, misfits, rest.guesses + guesses, rest.chosen + chosen}
		}
	}
	switch {
	case at > len(m.s) && column == m.width:
		best = &reading{}
	case at > len(m.s) && 2*column > m.width:
		take(m.from(at, column+1), costInsert, []cell{{mark: none}}, 1, 0)
	case at > len(m.s):
	default:
		for _, t := range m.tokens(at) {
			if t.text == "" && t.mark == none {
				take(m.from(t.next, column), costDelete, nil, 0, 1)
			}
			if column < m.width {
				take(m.from(t.next, column+1), t.cost, []cell{t.cell}, t.guesses, 0)
			}
			if column+1 < m.width {
				rest := m.from(t.next, column+2)
				for _, half := range m.halves(t, column) {
					guesses := 1
					if half.atQuote {
						guesses = 0
					}
					take(rest, t.cost+costSplit-half.bonus, half.cells, guesses, 1)
				}
			}
		}
	}
	m.known[key] = best
	return best
}

// token is one way to read a value.
type token struct {
	cell
	next    int // where the next one begins
	cost    float64
	guesses int
}

// tokens are the ways to read the value that begins at a byte.
func (m *mender) tokens(at int) (out []token) {
	s := m.s[at:]
	blanks := len(s) - len(strings.TrimLeft(s, " "))
	if !m.blanks || m.dialect.between == ' ' {
		blanks = 0
	}
	s = s[blanks:]
	at += blanks
	if s != "" && m.around != 0 && s[0] == m.around {
		text, end, bad := m.quoted(s)
		for merged := 0; end >= 0 && merged < maxMerged; merged++ { // quotes and signs may belong to it
			cost := float64(merged) * costMerge
			if bad {
				cost += costQuote
			}
			out = append(out, token{cell{text, quoted}, at + end + 1, cost, min(merged, 1)})
			if end == len(s) {
				break
			}
			more, next, _ := m.quoted(s[end-1:])
			text, end, bad = text+string(m.around)+more, end-1+next, true
			if next < 0 {
				break
			}
		}
		// the first quote closes it, whatever follows
		if end := strings.IndexByte(s[1:], m.around); end >= 0 {
			rest := strings.IndexByte(s[end+2:], m.dialect.between)
			if rest < 0 {
				rest = len(s) - end - 2
			}
			if rest > 0 {
				text := s[1:end+1] + string(m.around) + s[end+2:end+2+rest]
				out = append(out, token{cell{text, quoted}, at + end + 2 + rest + 1, 2 * costQuote, 0})
			}
		}
	}
	cost := 0.0
	if strings.IndexByte(s, m.around) == 0 && m.around != 0 {
		cost = 2 * costQuote
	}
	for end, merged := 0, 0; merged < maxMerged; merged++ {
		n := strings.IndexByte(s[end:], m.dialect.between)
		if n < 0 {
			n = len(s) - end
		}
		end += n
		c := cell{text: s[:end]}
		if end == 0 {
			c.mark = none
		}
		guesses := 0
		if merged > 0 {
			guesses = 1
		}
		out = append(out, token{c, at + end + 1, cost + float64(merged)*costMerge, guesses})
		if end++; end > len(s) {
			break
		}
	}
	return out
}

// halves are the two values of one, where the sign between them is missing.
type halves struct {
	cells   []cell
	bonus   float64
	atQuote bool
}

func (m *mender) halves(t token, column int) (out []halves) {
	if q := m.around; q != 0 {
		for i := 0; i < len(t.text); i++ {
			if t.text[i] == q && i > 0 && i < len(t.text)-1 {
				left := strings.TrimSuffix(t.text[:i], string(q))
				right := strings.Trim(t.text[i+1:], string(q))
				out = append(out, halves{[]cell{{text: left}, {right, quoted}}, costSplit / 2, true})
			}
		}
	}
	if len(t.text) > maxSplit || t.mark == quoted && strings.IndexByte(t.text, m.around) >= 0 {
		return out
	}
	last := ' '
	for i, r := range t.text {
		before, after := t.text[:i], t.text[i:]
		change := digit(last) != digit(r) && unicode.IsLetter(last) != unicode.IsLetter(r)
		if last = r; i == 0 {
			continue
		}
		left, right := m.fits[column].score(before), m.fits[column+1].score(after)
		switch {
		case min(left, right) < goodFit:
		case max(left, right) > exactFit:
			out = append(out, halves{[]cell{{text: before}, {text: after}}, 0, false})
		case change && look(before) != look(after):
			out = append(out, halves{[]cell{{text: before}, {text: after}}, -costSplit / 4, false})
		}
	}
	return out
}
