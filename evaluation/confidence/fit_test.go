package confidence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/loop"
	"nl2sql/scripts/must"
)

// drawn are samples whose chance to be right is known.
func drawn(n int) (samples []Sample, chances []float64) {
	random := rand.New(rand.NewPCG(5, 5))
	for i := range n {
		share, repairs := random.Float64(), float64(random.IntN(4))
		f := loop.Features{"share": share, "repairs": repairs, "noise": random.NormFloat64(), "same": 3}
		if i%2 == 0 { // what is known of half of them alone does no harm to the others
			f["likely"] = share
		}
		p := 1 / (1 + math.Exp(-(4*share - 1 - repairs)))
		chances = append(chances, p)
		samples = append(samples, Sample{Database: fmt.Sprint(i % 17), Features: f, Right: random.Float64() < p,
			Answerable: true, Given: true})
	}
	return samples, chances
}

func TestFit(t *testing.T) {
	samples, chances := drawn(4000)
	c := must.Get(Fit(samples, "drawn"))(t)
	if again, _ := Fit(samples, "drawn"); cmp.Diff(c, again) != "" {
		t.Error("the same samples give another model")
	}
	off := 0.0
	for i, s := range samples {
		off += math.Abs(c.Of(s.Features)-chances[i]) / float64(len(samples))
	}
	if off > 0.03 {
		t.Errorf("off by %.3f in the mean: %+v", off, c)
	}
	for _, s := range c.Right.Scale {
		if s.Name == "noise" && math.Abs(s.Weight) > 0.1 || s.Name == "repairs" && s.Weight > -0.5 || s.Name == "same" {
			t.Errorf("%+v", s)
		}
	}
	if _, err := Fit(slices.DeleteFunc(samples, func(s Sample) bool { return s.Right }), ""); err == nil {
		t.Error("a model of wrong answers alone")
	}
}

// What a model says of databases that it was not fitted on is reliable, and puts wrong answers last.
func TestHeld(t *testing.T) {
	samples, _ := drawn(4000)
	held := must.Get(Held(samples))(t)
	for _, b := range Reliability(held) {
		if b.N > 100 && math.Abs(b.Mean-b.Right) > 0.1 {
			t.Errorf("bin %+v", b)
		}
	}
	curve, area := RiskCoverage(held)
	all := curve[len(curve)-1]
	if all.Coverage != 1 || area > all.Risk-0.1 {
		t.Errorf("area %.3f, and %.3f are wrong", area, all.Risk)
	}
	if _, blind := RiskCoverage(samples); blind != all.Risk { // P is 0 for all
		t.Errorf("a confidence that says nothing has area %.3f, want %.3f", blind, all.Risk)
	}
}

func TestRefusalAt(t *testing.T) {
	var samples []Sample
	for i := range 20 {
		samples = append(samples, Sample{P: float64(i) / 20, Right: i >= 10, Answerable: true})
	}
	samples = append(samples, Sample{P: 0}, Sample{P: 0.09}, Sample{P: 0.5})
	want := Refusal{P: 0.1, Answerable: 0.1, Unanswerable: 2.0 / 3}
	must.Same(t, RefusalAt(samples, 0.1, func(s Sample) float64 { return s.P }), want)
}
