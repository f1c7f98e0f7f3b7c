package llamacpp

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"nl2sql/scripts/must"
)

// drawnLogits are at most so many; odd ones have what is no number among them.
func drawnLogits(r *rand.Rand, most int, odd bool) []float32 {
	logits := make([]float32, 1+r.IntN(most))
	for j := range logits {
		logits[j] = float32(r.NormFloat64() * math.Pow(10, r.Float64()*4-1))
	}
	if odd {
		logits[r.IntN(len(logits))] = float32(math.Inf(-1))
		logits[0] = float32(math.NaN())
	}
	return logits
}

// Tokens that are passed over unseen are those that were left out where each had its probability computed.
func TestLikely(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		logits := drawnLogits(r, 300, i%5 == 0)
		if highest(logits) == float32(math.Inf(-1)) {
			continue
		}
		temperature := float32(math.Pow(10, r.Float64()*4-2))
		want := choices{}
		for j, l := range logits {
			p := math.Exp((float64(l) - float64(highest(logits))) / float64(temperature))
			if p > 1e-9 {
				want.list, want.sum = append(want.list, choice{int32(j), p}), want.sum+p
			}
		}
		slices.SortStableFunc(want.list, func(a, b choice) int { return cmp.Compare(b.p, a.p) })
		got := must.Get(likely(logits, temperature, 0))(t)
		must.Be(t, got.sum == want.sum && slices.Equal(got.list, want.list), "temperature", temperature, "of", logits)
	}
	_, err := likely([]float32{float32(math.NaN()), float32(math.Inf(-1))}, 1, 0)
	must.Equal(t, err, errNoLogits)
}

// A logarithm of a probability is that of exponentials that are computed, to 9 digits.
func TestLogProbs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 500 {
		logits := drawnLogits(r, 2000, i%5 == 0)
		top, sum := float32(math.Inf(-1)), 0.0
		for _, l := range logits {
			if l > top {
				top = l
			}
		}
		must.Equal(t, highest(logits), top)
		if math.IsInf(float64(top), 0) {
			continue
		}
		for _, l := range logits {
			if l > top-far {
				sum += math.Exp(float64(l) - float64(top))
			}
		}
		token := int32(r.IntN(len(logits)))
		want := float64(logits[token]-top) - math.Log(sum)
		got := logProb(logits, token)
		must.Be(t, got == want || math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) < 1e-9, got, want)
	}
}

func BenchmarkLogProb(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	logits := make([]float32, 151_936) // a fifth of them counts, as in a real model
	for i := range logits {
		logits[i] = float32(r.NormFloat64() * 2.5)
	}
	logits[777] = 22
	for b.Loop() {
		logProb(logits, 777)
	}
}
