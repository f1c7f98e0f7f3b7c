package evaluation

// RunTest is a Mann–Whitney U test over the runs of two conditions, as the original tested (dissertation.md §5.6).
type RunTest struct {
	Left, Right string  // conditions
	Metric      string  // Metrics' name
	L, R        Spread  // of the runs' rates
	U, P        float64 // U of the left condition; both meaningless unless Enough
	Enough      bool    // both sides have two runs or more
}

// testRuns tests one metric of two conditions over their runs.
func testRuns(left, right Condition, m Metric, profile string) RunTest {
	l, r := left.rates(m, profile), right.rates(m, profile)
	t := RunTest{Left: left.Name, Right: right.Name, Metric: m.Name, L: spread(l), R: spread(r), Enough: len(l) > 1 && len(r) > 1}
	if t.Enough {
		t.U, t.P = MannWhitney(l, r)
	}
	return t
}

// Rejected reports whether the test rejects, at 0.05, that both sides are alike.
func (t RunTest) Rejected() bool { return t.Enough && t.P < 0.05 }

// PublishedTests are the tests of the original's pairwise_tests.csv: EX of conditions that share model and shots and
// differ in method. Without exemplars a seed changes nothing, and the runs of a condition are one run: no test.
func PublishedTests(conditions []Condition, profile string) []RunTest {
	var tests []RunTest
	for i, left := range conditions {
		for _, right := range conditions[i+1:] {
			if left.Model == right.Model && left.Shots == right.Shots && left.Shots > 0 {
				tests = append(tests, testRuns(left, right, metricEX, profile))
			}
		}
	}
	return tests
}
