package confidence

import (
	"errors"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"nl2sql/loop"
	"nl2sql/sqlcheck/syntax"
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
		first, second := mat.NewVecDense(n, nil), mat.NewSymDense(n, nil) // derivatives
		for i := 1; i < n; i++ {
			first.SetVec(i, -ridge*w[i])
			second.SetSym(i, i, ridge)
		}
		for k, row := range rows {
			x := mat.NewVecDense(n, row)
			p := 1 / (1 + math.Exp(-floats.Dot(w, row)))
			second.SymRankOne(second, p*(1-p), x)
			first.AddScaledVec(first, labels[k]-p, x)
		}
		var by mat.Cholesky
		var step mat.VecDense
		if !by.Factorize(second) || by.SolveVecTo(&step, first) != nil {
			return w // the samples settle no more
		}
		floats.Add(w, step.RawVector().Data)
	}
	return w
}

// Held returns the samples with the confidence that a model gives them that was fitted on the samples of other
// databases: five parts of the databases take turns. It fails as Fit does.
func Held(samples []Sample) ([]Sample, error) {
	const parts = 5
	names := syntax.Set(syntax.Map(samples, func(s Sample) string { return s.Database }))
	databases := slices.Sorted(maps.Keys(names))
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
