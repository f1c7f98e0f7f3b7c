package report

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"nl2sql/scripts/must"
)

// near compares floats to a relative 1e-9, and to an absolute one beside 0.
var near = cmpopts.EquateApprox(1e-9, 1e-12)

// The wanted values are scipy 1.17.1's: mannwhitneyu(left, right, alternative="two-sided", method="auto").
func TestMannWhitney(t *testing.T) {
	tests := []struct {
		name        string
		left, right []float64
		u, p        float64
	}{
		{"exact", []float64{.645, .665, .66, .67}, []float64{.55, .5, .6, .675, .71}, 12, 0.7301587301587302},
		{"exact, one each", []float64{1}, []float64{2}, 0, 1},
		{"exact, 8 against 12", []float64{1, 4, 6, 9, 13, 16, 18, 20}, []float64{2, 3, 5, 7, 8, 10, 11, 12, 14, 15, 17,
			19}, 51, 0.8506311026434865},
		{"asymptotic, 9 against 9", []float64{1, 3, 5, 7, 9, 11, 13, 15, 17}, []float64{2, 4, 6, 8, 10, 12, 14, 16, 18},
			36, 0.7239320396139757},
		{"ties", []float64{.545, .55, .575, .53, .54, .575, .565, .55, .565, .565}, []float64{.645, .665, .66, .67,
			.545}, 7.5, 0.036152997225409586},
		{"all tied", []float64{1, 1, 1}, []float64{1, 1}, 3, 1},
		{"the same sample", []float64{1, 2, 3}, []float64{1, 2, 3}, 4.5, 1},
		{"U at its mean", []float64{1, 4}, []float64{2, 3}, 2, 1},
	}
	for _, tt := range tests {
		u, p := MannWhitney(tt.left, tt.right)
		if diff := cmp.Diff([]float64{tt.u, tt.p}, []float64{u, p}, near); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
	if _, p := MannWhitney(nil, []float64{1}); p != 1 {
		t.Errorf("no left values: p = %v, want 1", p)
	}
}

// statsmodels 0.15.0: proportion_confint(hits, n, 0.05, method="wilson").
func TestWilson(t *testing.T) {
	for _, tt := range []struct {
		hits, n   int
		low, high float64
	}{
		{0, 10, 0, 0.27753279986288926},
		{10, 10, 0.7224672001371106, 1},
		{415, 1000, 0.3848433602464026, 0.4458071886961417},
		{83, 200, 0.34894285449757567, 0.4842608509865596},
		{1, 1, 0.2065493143772374, 1},
		{0, 0, 0, 1},
	} {
		if diff := cmp.Diff(Interval{tt.low, tt.high}, *Wilson(tt.hits, tt.n), near); diff != "" {
			t.Errorf("%d of %d: %s", tt.hits, tt.n, diff)
		}
	}
}

// statsmodels 0.15.0: mcnemar([[0, up], [down, 0]], exact=True).pvalue.
func TestMcNemar(t *testing.T) {
	for _, tt := range []struct {
		up, down int
		p        float64
	}{
		{99, 267, 6.041849358402035e-19}, {173, 57, 8.88968929941303e-15}, {0, 0, 1}, {5, 5, 1}, {1, 0, 1},
		{3, 9, 0.14599609375}, {0, 6, 0.03125}, {620, 600, 0.5864812402931913},
	} {
		if p := McNemar(tt.up, tt.down); math.Abs(p/tt.p-1) > 1e-9 {
			t.Errorf("%d against %d: p = %v, want %v", tt.up, tt.down, p, tt.p)
		}
	}
}

// statsmodels 0.15.0: multipletests(p, method="holm")[1].
func TestHolm(t *testing.T) {
	for _, tt := range []struct{ p, want []float64 }{
		{[]float64{.01, .04, .03, .005}, []float64{.03, .06, .06, .02}},
		{[]float64{.5, .9}, []float64{1, 1}},
		{[]float64{.02, .02, .02}, []float64{.06, .06, .06}},
		{[]float64{.00015656547175434517, .0025543297824493607, .0022243312624243253, .000176611011668935,
			.008110799940812171, .00262372573512046},
			[]float64{.000939392830526071, .008897325049697301, .008897325049697301, .000939392830526071,
				.008897325049697301, .008897325049697301}},
		{nil, []float64{}},
	} {
		if diff := cmp.Diff(tt.want, Holm(tt.p), near); diff != "" {
			t.Errorf("%v: %s", tt.p, diff)
		}
	}
}

// numpy 2 over 200,000 samples of whole clusters: percentile(means, [2.5, 97.5]) is 0.3158 and 0.8846.
// Taken for 23 independent values the interval would be 0.48 to 0.87.
func TestBootstrap(t *testing.T) {
	clusters := [][]float64{{1, 1, 0}, {0, 0, 0, 0}, {1, 1}, {1, 0}, {1}, {0, 1, 1, 1}, {0}, {1, 1, 1, 1, 1}}
	got := Bootstrap(clusters, 1)
	if diff := cmp.Diff(Interval{0.31578947, 0.88461538}, *got, cmpopts.EquateApprox(0, 0.02)); diff != "" {
		t.Error(diff)
	}
	if again := Bootstrap(clusters, 1); *again != *got {
		t.Errorf("the same seed gave %v and %v", got, again)
	}
	must.Be(t, *Bootstrap(clusters, 2) != *got, "seeds 1 and 2 both gave", got)
	if got := Bootstrap([][]float64{{1, 1}, {}, {1}}, 1); *got != (Interval{1, 1}) {
		t.Errorf("only ones: %v", got)
	}
	if got := Bootstrap([][]float64{{1, 0, 1}, {}}, 1); got != nil || got.String() != "–" {
		t.Errorf("one cluster: %v", got)
	}
	if got := Bootstrap(nil, 1); got != nil {
		t.Errorf("no values: %v", got)
	}
}

func TestSpread(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   Spread
	}{
		{nil, Spread{}},
		{[]float64{.5}, Spread{1, .5, 0}},
		{[]float64{.9, .5, .7}, Spread{3, .7, .2}},
	} {
		if diff := cmp.Diff(tt.want, spread(tt.values), near); diff != "" {
			t.Errorf("%v: %s", tt.values, diff)
		}
	}
}
