package report

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"nl2sql/sqlcheck/syntax"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Interval is a 95 % confidence interval.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

var (
	normal = distuv.UnitNormal
	z95    = normal.Quantile(0.975)
)

// Wilson returns the score interval of a rate of hits among n (Wilson 1927). It takes the n for independent;
// with n 0 it is all of [0,1].
func Wilson(hits, n int) *Interval {
	if n == 0 {
		return &Interval{0, 1}
	}
	p, size, z2 := float64(hits)/float64(n), float64(n), z95*z95
	middle := (p + z2/(2*size)) / (1 + z2/size)
	half := z95 / (1 + z2/size) * math.Sqrt(p*(1-p)/size+z2/(4*size*size))
	return &Interval{max(0, middle-half), min(1, middle+half)}
}

// MannWhitney tests whether values of one sample tend to be larger than values of the other (two-sided). It returns
// U of the left sample and p as scipy's mannwhitneyu(method="auto") does: exact if a sample has at most 8 values and
// no two values are equal, else the normal approximation with corrections for ties and continuity. An empty sample
// gives a p of 1.
func MannWhitney(left, right []float64) (u, p float64) {
	n1, n2 := len(left), len(right)
	if n1 == 0 || n2 == 0 {
		return 0, 1
	}
	type value struct {
		x    float64
		left bool
	}
	all := append(syntax.Map(left, func(x float64) value { return value{x, true} }),
		syntax.Map(right, func(x float64) value { return value{x, false} })...)
	slices.SortFunc(all, func(a, b value) int { return cmp.Compare(a.x, b.x) })
	var rankSum, ties float64
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].x == all[i].x {
			j++
		}
		for _, v := range all[i:j] {
			if v.left {
				rankSum += float64(i+1+j) / 2 // the mean of ranks i+1 to j
			}
		}
		t := float64(j - i)
		ties += t*t*t - t
		i = j
	}
	m1, m2 := float64(n1), float64(n2)
	u = rankSum - m1*(m1+1)/2
	larger := max(u, m1*m2-u)
	if ties == 0 && (n1 <= 8 || n2 <= 8) {
		return u, min(1, 2*tailOfU(n1, n2, int(larger)))
	}
	n := m1 + m2
	sd := math.Sqrt(m1 * m2 / 12 * (n + 1 - ties/(n*(n-1))))
	if sd == 0 { // all values are equal
		return u, 1
	}
	return u, min(1, 2*normal.Survival((larger-m1*m2/2-0.5)/sd))
}

// tailOfU is the probability that U is at least u if both samples come from one distribution without ties.
func tailOfU(n1, n2, u int) float64 {
	// ways[i][v] is how many orders of i left and j right values have U = v, for j from 0 to n2:
	// the largest value is a left one, which beats all j, or a right one (Mann and Whitney 1947).
	ways := make([][]float64, n1+1)
	for i := range ways {
		ways[i] = make([]float64, n1*n2+1)
		ways[i][0] = 1
	}
	for j := 1; j <= n2; j++ {
		for i := 1; i <= n1; i++ { // ways[i] still holds j-1, ways[i-1] already j
			for v := i * j; v >= j; v-- {
				ways[i][v] += ways[i-1][v-j]
			}
		}
	}
	var tail, total float64
	for v, w := range ways[n1] {
		total += w
		if v >= u {
			tail += w
		}
	}
	return tail / total
}

// McNemar is the exact two-sided p of McNemar's test: of the items that two systems judge differently, up went one
// way and down the other. Without such items it is 1.
func McNemar(up, down int) float64 {
	if up+down == 0 {
		return 1
	}
	return min(1, 2*distuv.Binomial{N: float64(up + down), P: 0.5}.CDF(float64(min(up, down))))
}

// Holm corrects p-values for being many (Holm 1979). The result is in the order of p.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out, least := make([]float64, len(p)), 0.0
	for rank, i := range order {
		least = min(1, max(least, p[i]*float64(len(p)-rank)))
		out[i] = least
	}
	return out
}

// bootstraps is how many samples an interval of Bootstrap rests on.
const bootstraps = 10_000

// Bootstrap returns the percentile interval of the mean of all values, drawing whole clusters with replacement: items
// of one family rise and fall together, and taking them for independent makes an interval too narrow. The same seed
// gives the same interval. Of fewer than two clusters it is nil: how they differ is not known.
func Bootstrap(clusters [][]float64, seed uint64) *Interval {
	type cluster struct{ sum, n float64 }
	var drawn []cluster
	for _, values := range clusters {
		if len(values) > 0 {
			drawn = append(drawn, cluster{floats.Sum(values), float64(len(values))})
		}
	}
	if len(drawn) < 2 {
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	means := make([]float64, bootstraps)
	for b := range means {
		var total cluster
		for range drawn {
			c := drawn[rng.IntN(len(drawn))]
			total.sum += c.sum
			total.n += c.n
		}
		means[b] = total.sum / total.n
	}
	slices.Sort(means)
	return &Interval{stat.Quantile(0.025, stat.LinInterp, means, nil), stat.Quantile(0.975, stat.LinInterp, means, nil)}
}

// Spread is a sample's mean and standard deviation (n−1).
type Spread struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"` // meaningless if N is 0
	SD   float64 `json:"sd"`   // meaningless if N is below 2
}

func spread(values []float64) Spread {
	s := Spread{N: len(values)}
	if s.N > 0 {
		s.Mean = stat.Mean(values, nil)
	}
	if s.N > 1 {
		s.SD = stat.StdDev(values, nil)
	}
	return s
}
