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
		f := loop.Features{"believed": share, "doubts": repairs, "noise": random.NormFloat64()}
		if i%2 == 0 { // what is known of half of them alone does no harm to the others
			f["unsaid"] = share
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
		if s.Name == "noise" || s.Name == "doubts" && s.Weight > -0.5 {
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

func TestBelowAt(t *testing.T) {
	var samples []Sample
	for i := range 20 {
		samples = append(samples, Sample{P: float64(i) / 20, Right: i >= 10, Answerable: true})
	}
	samples = append(samples, Sample{P: 0}, Sample{P: 0.09}, Sample{P: 0.5}, Sample{P: 0.9}, Sample{P: 0.91})
	want := Below{All: 15.0 / 25, Right: 0.2, Wrong: 13.0 / 15, Left: 2.0 / 25, Unanswerable: 3.0 / 5}
	must.Same(t, BelowAt(samples, 0.6, func(s Sample) float64 { return s.P }), want)
}
