package report

import (
	"testing"

	"nl2sql/scripts/must"
)

// Conditions that differ in one thing are compared, others when asked for, and why not is said.
func TestComparable(t *testing.T) {
	all := []Condition{{Name: "a", Model: "m", Method: "loop"}, {Name: "b", Model: "m", Method: "base"},
		{Name: "c", Model: "n", Method: "base", Shots: 3}}
	for _, test := range []struct {
		asked     [][2]string
		want      string
		left      int
		err, runs string
	}{
		{nil, "ab ", 2, "", "1 pair not tested: this test needs two runs or more on each side (eval with another --seed makes one). " +
			"2 pairs not tested: the conditions differ in more than one of model, method and shots (--pair A,B tests one)."},
		{[][2]string{{"c", "a"}, {"#2", "#3"}}, "ca bc ", 1, "",
			"2 pairs not tested: this test needs two runs or more on each side (eval with another --seed makes one)."},
		{[][2]string{{"a", "d"}}, "", 0, `--pair: there is no condition "d"; there are: a, b, c`, ""},
		{[][2]string{{"a", "#4"}}, "", 0, `--pair: there is no condition "#4"; there are: a, b, c`, ""},
		{[][2]string{{"a", "#1"}}, "", 0, "--pair: a is one condition", ""},
	} {
		pairs, left, err := comparable(all, test.asked)
		got, message := "", ""
		for _, p := range pairs {
			got += p[0].Name + p[1].Name + " "
		}
		if err != nil {
			message = err.Error()
		}
		must.Be(t, got == test.want && left == test.left && message == test.err,
			test.asked, got, left, "left, error", message)
		r := Report{}
		must.Be(t, r.compare(all, test.asked) != nil || r.RunsUntested == test.runs, test.asked, r.RunsUntested)
	}
}
