package confidence

import (
	"errors"
	"math"
	"slices"

	"nl2sql/loop"
)

// ridge holds weights of features back that hardly tell anything, in answers that would speak against them.
const ridge = 5.0

// asking are the features of a question without its answer. How long it is does not count: who made up questions
// without an answer wrote short ones.
var asking = []string{"first", "nothing", "strange", "unlinked"}

// answering are those of an answer. Older runs have others, too.
var answering = []string{"believed", "doubts", "unsaid"}

// Fit returns the model that makes the samples likeliest. Whether a question has an answer is fitted on all of them,
// by what its words are; whether the answer is right, on those that a model gave, of which those to questions without
// an answer are wrong. It fails where these are all right or all wrong.
func Fit(samples []Sample, from string) (loop.Confidence, error) {
	c := loop.Confidence{From: from}
	answerable, err := fit(samples, asking, func(s Sample) bool { return s.Answerable })
	if err == nil { // else there is nothing to tell
		c.Answerable = &answerable
	}
	given := slices.DeleteFunc(slices.Clone(samples), func(s Sample) bool { return s.Scripted || !s.Given })
	c.Right, err = fit(given, answering, func(s Sample) bool { return s.Right })
	return c, err
}

// fit is logistic regression by Newton's method: the same bits for the same samples.
func fit(samples []Sample, names []string, is func(Sample) bool) (l loop.Logistic, err error) {
	yes := 0
	for _, s := range samples {
		if is(s) {
			yes++
		}
	}
	if yes == 0 || yes == len(samples) {
		return l, errors.New("a fit needs right and wrong answers")
	}
	for _, name := range slices.Sorted(slices.Values(names)) {
		if s := scaleOf(samples, name); s.Spread > 0 {
			l.Scale = append(l.Scale, s)
		}
	}
	rows, labels := make([][]float64, len(samples)), make([]float64, len(samples))
	for i, s := range samples {
		rows[i] = append(rows[i], 1)
		for _, f := range l.Scale {
			v, known := s.Features[f.Name]
			if !known {
				v = f.Mean
			}
			rows[i] = append(rows[i], (v-f.Mean)/f.Spread)
		}
		if is(s) {
			labels[i] = 1
		}
	}
	w := newton(rows, labels)
	l.Bias = rounded(w[0])
	for i := range l.Scale {
		l.Scale[i].Weight = rounded(w[i+1])
	}
	return l, nil
}

// rounded keeps four digits behind the point: more would be noise in a file that people read.
func rounded(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// scaleOf is the mean and the standard deviation of a feature where it is known.
func scaleOf(samples []Sample, name string) loop.Scale {
	var n, sum, squares float64
	for _, s := range samples {
		if v, known := s.Features[name]; known {
			n, sum, squares = n+1, sum+v, squares+v*v
		}
	}
	mean := sum / n
	return loop.Scale{Name: name, Mean: rounded(mean), Spread: rounded(math.Sqrt(max(0, squares/n-mean*mean)))}
}

// newton returns the weights of the columns of rows.
func newton(rows [][]float64, labels []float64) []float64 {
	n := len(rows[0])
	w := make([]float64, n)
	for range 25 {
		a := make([][]float64, n) // the second derivative, and behind it the first
		for i := range a {
			a[i] = make([]float64, n+1)
			if i > 0 {
				a[i][i], a[i][n] = ridge, -ridge*w[i]
			}
		}
		for k, row := range rows {
			z := 0.0
			for i, x := range row {
				z += w[i] * x
			}
			p := 1 / (1 + math.Exp(-z))
			for i, x := range row {
				for j, other := range row {
					a[i][j] += p * (1 - p) * x * other
				}
				a[i][n] += (labels[k] - p) * x
			}
		}
		for i, d := range solve(a) {
			w[i] += d
		}
	}
	return w
}

// solve returns x of ax = b, where b is the last column: Gauss's elimination of a matrix whose diagonal is positive.
func solve(a [][]float64) []float64 {
	n := len(a)
	for i := range a {
		for k := i + 1; k < n; k++ {
			f := a[k][i] / a[i][i]
			for j := i; j <= n; j++ {
				a[k][j] -= f * a[i][j]
			}
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = a[i][n]
		for j := i + 1; j < n; j++ {
			x[i] -= a[i][j] * x[j]
		}
		x[i] /= a[i][i]
	}
	return x
}

// Held returns the samples with the confidence that a model gives them that was fitted on the samples of other
// databases: five parts of the databases take turns. It fails as Fit does.
func Held(samples []Sample) ([]Sample, error) {
	const parts = 5
	var databases []string
	for _, s := range samples {
		if !slices.Contains(databases, s.Database) {
			databases = append(databases, s.Database)
		}
	}
	slices.Sort(databases)
	out := slices.Clone(samples)
	for part := range parts {
		in := func(s Sample) bool { return slices.Index(databases, s.Database)%parts == part }
		c, err := Fit(slices.DeleteFunc(slices.Clone(samples), in), "")
		if err != nil {
			return nil, err
		}
		for i, s := range out {
			if in(s) {
				out[i].P, out[i].HasAnswer = c.Of(s.Features), c.HasAnswer(s.Features)
			}
		}
	}
	return out, nil
}
