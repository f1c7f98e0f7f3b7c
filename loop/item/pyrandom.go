package item

import (
	"crypto/sha512"
	"math/big"
	"math/bits"

	"gonum.org/v1/gonum/mathext/prng"
)

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
