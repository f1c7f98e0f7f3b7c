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
	maxSplit      = 80     // bytes of a value that is split between any two characters
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
		if row, ok := f.mender(s, byte(other), true).best(); ok && f.width > 4 &&
			(other != ' ' || !f.headed || f.evident(row)) { // else it is a title
			return row, true
		}
		if row, ok := f.mender(s, byte(other), false).best(); ok && f.evident(row) {
			return row, true
		}
	}
	return nil, false
}

// evident says that a third of the values are numbers, dates and the like that fit their columns.
func (f *csvFile) evident(row []cell) bool {
	n := 0
	for i, c := range row {
		if l := look(c.text); l > 0 && l < 5 && f.fits[i].score(c.text) > exactFit {
			n++
		}
	}
	return 3*n >= len(row)
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
	case math.IsInf(r.score, -1), m.other && (m.strict || r.misfits > 0) && r.guesses+r.chosen > 0,
		2*r.misfits > m.width && r.guesses > 0:
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
			if column+1 < m.width && t.guesses == 0 {
				rest := m.from(t.next, column+2)
				for _, half := range m.halves(t.text, column) {
					take(rest, t.cost+half.cost, half.cells, 1, 1)
				}
			}
		}
		for _, p := range m.pairs(at) {
			if column+1 < m.width {
				take(m.from(p.next, column+2), p.cost, p.cells, 0, 1)
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
	if m.blanks && m.dialect.between != ' ' {
		s = strings.TrimLeft(s, " ")
	}
	at = len(m.s) - len(s)
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
		} else if m.around != 0 && strings.IndexByte(c.text[1:], m.around) >= 0 {
			cost += costQuote
		}
		out = append(out, token{c, at + end + 1, cost + float64(merged)*costMerge, min(merged, 1)})
		if end++; end > len(s) {
			break
		}
	}
	return out
}

// pair is two values, where the sign between them is missing.
type pair struct {
	cells []cell
	next  int
	cost  float64
}

// maxPairs is how many quotes of a value may be where another begins.
const maxPairs = 8

// pairs are the ways to read two values from a byte on, between which a quote stands instead of a sign.
func (m *mender) pairs(at int) (out []pair) {
	s, q := m.s[at:], m.around
	if q == 0 || s == "" {
		return nil
	}
	from, mark := 0, open
	if s[0] == q {
		from, mark = 1, quoted
	}
	for range maxPairs {
		n := strings.IndexByte(s[from:], q)
		if n < 0 {
			break
		}
		n += from
		left, rest := s[mark:n], s[n:]
		if mark == open && strings.IndexByte(left, m.dialect.between) >= 0 {
			break
		}
		if from = n + 1; mark == quoted {
			if rest = rest[1:]; rest != "" && rest[0] == m.dialect.between {
				break // it is closed
			}
		}
		right := cell{mark: quoted}
		end, bad := strings.IndexByte(rest, m.dialect.between), false
		if rest != "" && rest[0] == q {
			right.text, end, bad = m.quoted(rest)
		} else if end < 0 {
			end = len(rest)
			right = cell{text: rest}
		} else {
			right = cell{text: rest[:end]}
		}
		if left == "" || right.text == "" || end < 0 || left[len(left)-1] == m.dialect.between {
			continue
		}
		cost := costSplit / 2
		if bad || right.mark == quoted && strings.IndexByte(right.text, q) >= 0 {
			cost += costQuote
		}
		doubled := string([]byte{q, q})
		left = strings.ReplaceAll(left, doubled, doubled[:1])
		out = append(out, pair{[]cell{{left, mark}, right}, len(m.s) - len(rest) + end + 1, cost})
	}
	return out
}

// halves are the two values of one, where the sign between them is missing, and what each fits tells.
func (m *mender) halves(text string, column int) (out []pair) {
	if len(text) > maxSplit {
		return nil
	}
	last := ' '
	for i, r := range text {
		before, after := text[:i], text[i:]
		change := digit(last) != digit(r) && unicode.IsLetter(last) != unicode.IsLetter(r) ||
			unicode.IsLower(last) && unicode.IsUpper(r)
		if last = r; i == 0 {
			continue
		}
		left := m.fits[column].score(before)
		if left < goodFit {
			continue
		}
		right := m.fits[column+1].score(after)
		cost := costSplit
		if change {
			cost -= costSplit / 4
		}
		sure := m.fits[column].values[before] || m.fits[column+1].values[after]
		if right > goodFit && (change || sure || max(left, right) > exactFit && shape(before) != shape(after)) {
			out = append(out, pair{cells: []cell{{text: before}, {text: after}}, cost: cost})
		}
	}
	return out
}
