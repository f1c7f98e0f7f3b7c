package llamacpp

import "time"

// pace knows what evaluations cost and how often guesses come true, and chooses how many tokens to draft. A draft of k
// tokens makes an evaluation of one row one of k+1 rows: on a graphics card that takes hardly longer, on a processor
// often k times. So it starts from the belief that k rows cost as much as k evaluations, where no draft pays, and tries
// other numbers of rows with a small part of the time. The zero value knows nothing.
//
// What it says follows from what it was told alone, and changes the speed of an answer, never its text.
type pace struct {
	unit    time.Duration         // what an evaluation takes now, divided by its cost; 0 means that none was seen
	costs   [mostRows + 1]cost    // by rows
	evals   int                   // evaluations seen
	rows    int                   // of the last
	spare   float64               // cost that may be lost with trying
	guesses [mostAlike + 1]record // by option.record
}

// cost is what an evaluation costs beside others.
type cost struct {
	is    float64
	seen  int // times that it was compared with others
	after int // evaluations seen when that was done last
}

// record counts guesses, the last ones more.
type record struct{ right, all float64 }

// option is what can be drafted for one answer.
type option struct {
	tokens int // that were guessed; 0 means none
	alike  int // tokens in front of them that were alike elsewhere
}

// record returns which of pace.guesses the i-th token belongs to, 2 to mostAlike: a token that comes true makes one
// more alike in front of the next.
func (o option) record(i int) int { return min(o.alike+i, mostAlike) }

const (
	toTry   = 1. / 64 // of the time may be lost with trying what drafts cost
	atOnce  = 2.      // cost that may be lost at the beginning
	atLeast = 1.03    // times faster a draft must be

	mostRows = 64 // of an evaluation with drafts
)

// lengths are the drafts that pace chooses from. With the token before them they fill the groups of four rows that
// kernels work on; few lengths are soon known.
var lengths = [...]int{0, 1, 2, 3, 7, longestDraft}

const longestDraft = 15

// choose returns the length of the drafts with which answers become most tokens in a time, all in one evaluation of at
// most that many rows, with one row more than the draft for each answer.
func (p *pace) choose(answers []option, most int) int {
	n := len(answers)
	tokens := func(k int) float64 { // that will be drawn
		sum := float64(n)
		for _, a := range answers {
			sum += p.expect(a, min(k, a.tokens))
		}
		return sum
	}
	var best int
	speed := float64(n) / p.cost(n)
	longest := 0
	for _, a := range answers {
		longest = max(longest, a.tokens)
	}
	for _, k := range lengths[1:] {
		if k > longest || n*(k+1) > most {
			break
		}
		if s := tokens(k) / p.cost(n*(k+1)); s > speed*atLeast {
			best, speed = k, s
		}
	}
	if p.unit == 0 {
		return 0
	}
	for _, k := range lengths {
		if k > longest || n*(k+1) > most {
			break
		}
		rows := n * (k + 1)
		c := p.costs[rows]
		if k == best || c.seen > 0 && p.evals-c.after < 16<<min(c.seen, 4) || k > 0 &&
			tokens(k)/p.cost(n) < speed*atLeast {
			continue // it is known, or no good if more rows were free
		}
		if lost := p.cost(rows) - tokens(k)/speed; lost <= p.spare {
			p.spare -= max(0, lost)
			return k
		}
	}
	return best
}

// cost returns what an evaluation of that many rows costs, as far as it is known: at most what its rows cost in the
// nearest smaller one.
func (p *pace) cost(rows int) float64 {
	for n := rows; n > 0; n-- {
		if c := p.costs[n]; c.seen > 0 {
			return c.is * float64(rows) / float64(n)
		}
	}
	for n := rows + 1; n < len(p.costs); n++ {
		if c := p.costs[n]; c.seen > 0 {
			return c.is * float64(rows) / float64(n)
		}
	}
	return float64(rows)
}

// expect returns how many of the first k tokens of a guess will come true.
func (p *pace) expect(o option, k int) (sum float64) {
	all := 1.
	for i := range k {
		r := p.guesses[o.record(i)]
		all *= (r.right + 1) / (r.all + 2)
		sum += all
	}
	return sum
}

// learn takes in whether the i-th token of a guess came true, those before it did.
func (p *pace) learn(o option, i int, right bool) {
	const kept = 1 - 1./128
	r := &p.guesses[o.record(i)]
	r.right, r.all = r.right*kept, r.all*kept+1
	if right {
		r.right++
	}
}

// took takes in how long an evaluation took. Costs are learned where the number of rows changes: what the machine does
// beside and how long the text has become is then the same for both.
func (p *pace) took(rows int, d time.Duration) {
	if d <= 0 || rows >= len(p.costs) {
		return
	}
	p.evals++
	c := &p.costs[rows]
	switch {
	case p.unit == 0:
		c.is, c.seen, c.after = float64(rows), 1, p.evals
		p.unit, p.spare = max(1, d/time.Duration(rows)), atOnce*float64(rows)
	case c.seen == 0:
		c.is, c.seen, c.after = float64(d)/float64(p.unit), 1, p.evals
	default:
		is := float64(d) / float64(p.unit)
		if rows != p.rows {
			c.seen++
			c.after = p.evals
			c.is += (max(c.is/4, min(is, c.is*4)) - c.is) / float64(min(c.seen, 8))
		}
		p.unit = max(1, (p.unit+time.Duration(float64(d)/c.is))/2)
	}
	p.rows = rows
	p.spare = min(p.spare+toTry*c.is, mostRows)
}
