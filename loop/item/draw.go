package item

import (
	"crypto/sha512"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"

	"nl2sql/sqlcheck/syntax"

	"gonum.org/v1/gonum/mathext/prng"
)

// Sample draws n items at random, and keeps their order. The same seed draws the same. All are taken where n is 0, or
// as many.
func Sample(items []Item, n int, seed uint64) []Item {
	if n == 0 || n >= len(items) {
		return items
	}
	at := rand.New(rand.NewPCG(seed, 0)).Perm(len(items))[:n]
	slices.Sort(at)
	return syntax.Map(at, func(j int) Item { return items[j] })
}

// Pool is what exemplars are drawn from.
type Pool struct {
	Name  string // "test": the items of the run themselves, as the original did it; else what it is called
	Items []Item
}

// Draws holds places in a pool, a list for each item of a run.
type Draws [][]int

// DrawRun draws k exemplars for each item as the original's few-shot runs did: one generator for the whole run, so
// that a draw depends on the items before it. From the pool "test" these are the recorded draws.
// Source: dissertation.md §4.4.
func (p Pool) DrawRun(items []Item, seed string, k int) (Draws, error) {
	r := newPyRandom(seed)
	draws := make(Draws, len(items))
	for i, it := range items {
		from := p.usable(it, func(e Item) bool { return e.Question == it.Question && e.SQL == it.SQL })
		if len(from) < k {
			return nil, fmt.Errorf("pool %s: %d exemplars are left for question %d, which needs %d", p.Name,
				len(from), i+1, k)
		}
		draws[i] = syntax.Map(r.sample(len(from), k), func(j int) int { return from[j] })
	}
	return draws, nil
}

// DrawEach puts the pool in another order for each item, as the original's ReAct runs did: its exemplars are the first
// that run. Each question has a generator of its own, so that the items of a run may be any. From the pool "test" these
// are the recorded draws. Source: dissertation.md §1.3.
func (p Pool) DrawEach(items []Item, seed string) Draws {
	draws := make(Draws, len(items))
	for i, it := range items {
		question := normalQuestion(it.Question)
		from := p.usable(it, func(e Item) bool { return normalQuestion(e.Question) == question })
		drawn := newPyRandomText(seed+":"+question).sample(len(from), len(from))
		draws[i] = syntax.Map(drawn, func(j int) int { return from[j] })
	}
	return draws
}

// usable lists what may be shown with an item. The pool "test" leaves out what is the same by the original's measure.
// Others leak nothing: they leave out the item's question and its gold query, and queries on other databases, whose
// tables no prompt explains.
func (p Pool) usable(it Item, same func(Item) bool) []int {
	question, gold := normalQuestion(it.Question), ExactText(it.SQL)
	var from []int
	for i, e := range p.Items {
		out := same(e)
		if p.Name != "test" {
			out = normalQuestion(e.Question) == question || ExactText(e.SQL) == gold || e.Database != it.Database
		}
		if !out {
			from = append(from, i)
		}
	}
	return from
}

// pyRandom draws what Python's random.Random draws, bit for bit (CPython 3.9 to 3.14, Lib/random.py and
// _randommodule.c).
type pyRandom struct{ mt *prng.MT19937 }

// newPyRandom is random.Random(seed) with an int where seed is written as one, else with a str (seeding version 2).
func newPyRandom(seed string) pyRandom {
	if n, ok := new(big.Int).SetString(seed, 10); ok {
		return seeded(n)
	}
	return newPyRandomText(seed)
}

// newPyRandomText is random.Random(seed) with a str.
func newPyRandomText(seed string) pyRandom {
	sum := sha512.Sum512([]byte(seed))
	return seeded(new(big.Int).SetBytes(append([]byte(seed), sum[:]...)))
}

// seeded takes the absolute value's 32-bit digits, the lowest first, as init_by_array's key.
func seeded(n *big.Int) pyRandom {
	key := []uint32{}
	digit, mask := new(big.Int).Abs(n), big.NewInt(1<<32-1)
	for digit.Sign() > 0 {
		key = append(key, uint32(new(big.Int).And(digit, mask).Uint64()))
		digit.Rsh(digit, 32)
	}
	if len(key) == 0 {
		key = append(key, 0)
	}
	r := pyRandom{prng.NewMT19937()}
	r.mt.SeedFromKeys(key)
	return r
}

// below is randrange(n) for 0 < n < 2³².
func (r pyRandom) below(n int) int {
	k := bits.Len(uint(n))
	for {
		if x := int(r.mt.Uint32() >> (32 - k)); x < n {
			return x
		}
	}
}

// sample is sample(range(n), k), for k ≤ n. Python draws from a list that shrinks where that is smaller than a set of
// k numbers, else anew until a number is new: the two give different draws.
func (r pyRandom) sample(n, k int) []int {
	out := make([]int, k)
	setSize := 21
	if k > 5 {
		table := 1 // Python writes it with logarithms; 3k is never a power of 4, so both are exact
		for table < 3*k {
			table *= 4
		}
		setSize += table
	}
	if n <= setSize {
		pool := make([]int, n)
		for i := range pool {
			pool[i] = i
		}
		for i := range out {
			j := r.below(n - i)
			out[i] = pool[j]
			pool[j] = pool[n-i-1]
		}
		return out
	}
	drawn := map[int]bool{}
	for i := range out {
		j := r.below(n)
		for drawn[j] {
			j = r.below(n)
		}
		drawn[j] = true
		out[i] = j
	}
	return out
}
