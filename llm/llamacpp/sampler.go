package llamacpp

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"nl2sql/llm"
)

var errNoLogits = errors.New("the model's output is not a number: damaged weights")

// sampler draws the tokens of one answer, in order.
type sampler struct {
	p      llm.Params
	random *rand.Rand
}

func (m *Model) sampler(p llm.Params) func(logits []float32) (int32, error) {
	return (&sampler{p, rand.New(rand.NewPCG(uint64(p.Seed), 0))}).next
}

// next chooses a token from the logits after the one before it.
func (s *sampler) next(logits []float32) (token int32, err error) {
	if s.p.Temperature == 0 {
		if token = likeliest(logits); token < 0 {
			return 0, errNoLogits
		}
		return token, nil
	}
	c, err := likely(logits, s.p.Temperature, s.p.TopP)
	if err != nil {
		return 0, err
	}
	return c.list[c.draw(s.random.Float64())].token, nil
}

// likeliest returns the token with the highest logit, the first of equals, or -1 if no logit is a number.
func likeliest(logits []float32) int32 {
	best := int32(-1)
	for i, l := range logits {
		if l == l && (best < 0 || l > logits[best]) {
			best = int32(i)
		}
	}
	return best
}

// highest returns the highest logit, or minus infinity if none is a number. Four at a time wait for none of each other.
func highest(logits []float32) float32 {
	low := float32(math.Inf(-1))
	top := [4]float32{low, low, low, low}
	for ; len(logits) >= 4; logits = logits[4:] {
		for i, l := range (*[4]float32)(logits) {
			if l > top[i] {
				top[i] = l
			}
		}
	}
	for _, l := range logits {
		if l > top[0] {
			top[0] = l
		}
	}
	return max(top[0], top[1], top[2], top[3])
}

// What is further than far below the likeliest token adds less than a thousandth, all together.
const far, finer = 20, 64

// powers are e^-x in steps of 1/finer, up to far.
var powers = func() (e [far*finer + 1]float64) {
	for i := range e {
		e[i] = math.Exp(-float64(i) / finer)
	}
	return e
}()

// logProb is the natural logarithm of the probability that logits give to a token. Exponentials of some 30,000 others
// come from powers and the series, right to 9 digits. Which ones count is found out first, without jumps: nobody can
// guess them.
func logProb(logits []float32, token int32) float64 {
	top := highest(logits)
	sum := 0.0
	var near [512]float32
	for part := range slices.Chunk(logits, len(near)) {
		n := 0
		for _, l := range part {
			near[n%len(near)] = l
			if l > top-far {
				n++
			}
		}
		for _, l := range near[:n] {
			x := float64(top-l) * finer
			i := int(x + 0.5)
			z := (float64(i) - x) / finer
			sum += powers[i] * (1 + z*(1+z*(1./2+z/6)))
		}
	}
	return float64(logits[token]-top) - math.Log(sum)
}

// choice is a token and its probability, as a multiple of the likeliest token's.
type choice struct {
	token int32
	p     float64
}

// choices are tokens to draw from, the likeliest first.
type choices struct {
	list []choice
	sum  float64
}

// likely returns the tokens that together reach topP at that temperature (0 means all).
func likely(logits []float32, temperature, topP float32) (c choices, err error) {
	top := float64(highest(logits))
	if math.IsInf(top, 0) {
		return c, errNoLogits
	}
	const least = 1e-9 // of the likeliest token's probability; what is below never matters
	far := float32(top + float64(temperature)*math.Log(least/2))
	for i, l := range logits {
		if l < far { // of 150,000 nearly all: an exponential function of each took longer than all else
			continue
		}
		if p := math.Exp((float64(l) - top) / float64(temperature)); p > least {
			c.list = append(c.list, choice{int32(i), p})
			c.sum += p
		}
	}
	slices.SortStableFunc(c.list, func(a, b choice) int { return cmp.Compare(b.p, a.p) })
	if topP > 0 && topP < 1 {
		var kept float64
		for i, one := range c.list {
			if kept += one.p; kept >= float64(topP)*c.sum {
				return choices{c.list[:i+1], kept}, nil
			}
		}
	}
	return c, nil
}

// draw chooses by probability and returns an index of the list. u in [0,1) is the random number.
func (c choices) draw(u float64) int {
	for i, one := range c.list {
		if u -= one.p / c.sum; u < 0 {
			return i
		}
	}
	return len(c.list) - 1
}
