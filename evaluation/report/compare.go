package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/sqlcheck/syntax"
)

// RunTest is a Mann–Whitney U test over the runs of two conditions, as the original tested (dissertation.md §5.6).
type RunTest struct {
	Left   string  `json:"left"` // a condition
	Right  string  `json:"right"`
	Metric string  `json:"metric"`
	L      Spread  `json:"left_runs"` // of the runs' rates
	R      Spread  `json:"right_runs"`
	U      float64 `json:"u"` // of the left condition; like P and Holm it is meaningless unless Enough
	P      float64 `json:"p"`
	Holm   float64 `json:"p_holm"` // P corrected for all tests of the report
	Enough bool    `json:"enough"` // both sides have two runs or more
}

// testRuns tests one metric of two conditions over their runs.
func testRuns(left, right Condition, m score.Metric, profile string) RunTest {
	l, r := left.rates(m, profile), right.rates(m, profile)
	t := RunTest{Left: left.Name, Right: right.Name, Metric: m.Name, L: spread(l), R: spread(r),
		Enough: len(l) > 1 && len(r) > 1}
	if t.Enough {
		t.U, t.P = MannWhitney(l, r)
	}
	return t
}

// Rejected reports whether the test rejects, at 0.05 and uncorrected as the original's, that both sides are alike.
func (t RunTest) Rejected() bool { return t.Enough && t.P < 0.05 }

// PublishedTests are the tests of the original's pairwise_tests.csv: EX of conditions that share model and shots and
// differ in method. Without exemplars a seed changes nothing, and the runs of a condition are one run: no test.
func PublishedTests(conditions []Condition, profile string) (tests []RunTest) {
	for i, left := range conditions {
		for _, right := range conditions[i+1:] {
			if left.Model == right.Model && left.Shots == right.Shots && left.Shots > 0 {
				tests = append(tests, testRuns(left, right, score.EX, profile))
			}
		}
	}
	correct(tests, func(t *RunTest) (float64, *float64, bool) { return t.P, &t.Holm, t.Enough })
	return tests
}

// correct fills in Holm's p where a p was computed.
func correct[T any](list []T, of func(*T) (p float64, holm *float64, is bool)) {
	var p []float64
	var to []*float64
	for i := range list {
		if one, holm, is := of(&list[i]); is {
			p, to = append(p, one), append(to, holm)
		}
	}
	for i, holm := range Holm(p) {
		*to[i] = holm
	}
}

// Paired compares two conditions item by item, in runs of the same seed; where no seed is shared and each has one
// run, these two.
type Paired struct {
	Left   string    `json:"left"` // a condition
	Right  string    `json:"right"`
	Metric string    `json:"metric"`
	N      int       `json:"n"`          // pairs: an item under one seed
	Up     int       `json:"up"`         // only the right condition's is right
	Down   int       `json:"down"`       // only the left condition's is right
	Diff   float64   `json:"difference"` // right minus left, a share of N
	Family *Interval `json:"family"`     // bootstrap of Diff, clustered by family; nil where there is one family
	P      float64   `json:"p"`          // McNemar, exact; takes pairs for independent
	Holm   float64   `json:"p_holm"`     // P corrected for all comparisons of the report
}

// pairs matches the records of the runs of two conditions by seed and item, in the left runs' order.
func pairs(left, right Condition) (out [][2]record.Record) {
	for _, l := range left.Runs {
		for _, r := range right.Runs {
			if l.Card.Seed != r.Card.Seed && (len(left.Runs) > 1 || len(right.Runs) > 1) {
				continue
			}
			of := map[string]record.Record{}
			for _, one := range r.Records {
				of[one.ID] = one
			}
			for _, one := range l.Records {
				if other, ok := of[one.ID]; ok {
					out = append(out, [2]record.Record{one, other})
				}
			}
		}
	}
	return out
}

// comparePaired compares one metric of two conditions item by item.
func comparePaired(left, right Condition, m score.Metric, profile string) Paired {
	out := Paired{Left: left.Name, Right: right.Name, Metric: m.Name}
	differences := newClusters()
	for _, p := range pairs(left, right) {
		was, countsL := m.Of(p[0].Scores[profile])
		is, countsR := m.Of(p[1].Scores[profile])
		if !countsL || !countsR {
			continue
		}
		out.N++
		if is && !was {
			out.Up++
		} else if was && !is {
			out.Down++
		}
		differences.add(p[0], indicator(is)-indicator(was))
	}
	if out.N > 0 {
		out.Diff = float64(out.Up-out.Down) / float64(out.N)
	}
	out.P = McNemar(out.Up, out.Down)
	out.Family = Bootstrap(differences.values, bootstrapSeed)
	return out
}

// comparable pairs of conditions differ in one of model, method and shots; two conditions alone are always compared.
// Where pairs are asked for, by name or as #1, it is those. left is how many pairs are not compared.
func comparable(conditions []Condition, asked [][2]string) (out [][2]Condition, left int, err error) {
	for _, names := range asked {
		var p [2]Condition
		for k, name := range names {
			i := slices.IndexFunc(conditions, func(c Condition) bool { return c.Name == name })
			if n, isNumber := strings.CutPrefix(name, "#"); i < 0 && isNumber {
				if number, err := strconv.Atoi(n); err == nil && number >= 1 && number <= len(conditions) {
					i = number - 1
				}
			}
			if i < 0 {
				have := syntax.Map(conditions, func(c Condition) string { return c.Name })
				return nil, 0, fmt.Errorf("--pair: there is no condition %q; there are: %s", name,
					strings.Join(have, ", "))
			}
			p[k] = conditions[i]
		}
		if p[0].Name == p[1].Name {
			return nil, 0, fmt.Errorf("--pair: %s is one condition", p[0].Name)
		}
		out = append(out, p)
	}
	for i, left := range conditions {
		for _, right := range conditions[i+1:] {
			if len(asked) > 0 {
				break
			}
			same := 0
			for _, is := range []bool{left.Model == right.Model, left.Method == right.Method,
				left.Shots == right.Shots} {
				if is {
					same++
				}
			}
			if same >= 2 || len(conditions) == 2 {
				out = append(out, [2]Condition{left, right})
			}
		}
	}
	return out, len(conditions)*(len(conditions)-1)/2 - len(out), nil
}

// compare tests pairs of conditions, over their runs and item by item, and says where it could not.
func (r *Report) compare(conditions []Condition, asked [][2]string) error {
	list, left, err := comparable(conditions, asked)
	if err != nil {
		return err
	}
	single, apart := 0, 0
	for _, pair := range list {
		if t := testRuns(pair[0], pair[1], score.EX, r.Profile); t.Enough {
			r.RunTests = append(r.RunTests, t)
		} else {
			single++
		}
		if p := comparePaired(pair[0], pair[1], score.EX, r.Profile); p.N > 0 {
			r.Paired = append(r.Paired, p)
		} else {
			apart++
		}
	}
	correct(r.RunTests, func(t *RunTest) (float64, *float64, bool) { return t.P, &t.Holm, t.Enough })
	correct(r.Paired, func(p *Paired) (float64, *float64, bool) { return p.P, &p.Holm, true })
	more := ""
	if left > 0 && len(asked) == 0 {
		more = counted(left, "pair") +
			" not tested: the conditions differ in more than one of model, method and shots (--pair A,B tests one)."
	}
	of := func(n int, why string) string {
		if n == 0 {
			return more
		}
		return strings.TrimSpace(counted(n, "pair") + " not tested: " + why + ". " + more)
	}
	r.RunsUntested = of(single, "this test needs two runs or more on each side (eval with another --seed makes one)")
	r.PairsUntested = of(apart, "the conditions have no seed in common")
	return nil
}
