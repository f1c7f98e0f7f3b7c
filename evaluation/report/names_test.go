package report

import (
	"testing"
	"unicode/utf8"

	"nl2sql/scripts/must"
)

func TestDiffering(t *testing.T) {
	tests := []struct{ names, want []string }{
		{[]string{"llama_base_k0"}, []string{"llama_base_k0"}},
		{[]string{"llama_base_k0", "qwen_base_k3"}, []string{"llama…k0", "qwen…k3"}},
		{[]string{"llama_base_k3", "llama_react_k3"}, []string{"…base…", "…react…"}},
		{[]string{"qwen2.5-coder-0.5b-instruct-q4_k_m_loop_k0", "qwen2.5-coder-1.5b-instruct-q4_k_m_loop_k0",
			"qwen2.5-coder-0.5b-instruct-q4_k_m+adapter_loop_k0"},
			[]string{"…0.5b…", "…1.5b…", "…0.5b…+adapter…"}},
		{[]string{"0.5b_guards-default_notes-none_prompts-default", "0.5b_guards-none_notes-none_prompts-default",
			"1.5b_guards-none_notes-none_prompts-typed"},
			[]string{"0.5b…default…default", "0.5b…none…default", "1.5b…none…typed"}},
		{[]string{"a_b", "a_b_c"}, []string{"a_b", "…_c"}},
		{[]string{"", "x"}, []string{"", "x"}},
	}
	for _, test := range tests {
		must.Same(t, differing(test.names), test.want, test.names)
	}
}

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

func TestClipped(t *testing.T) {
	for n := 3; n < 12; n++ {
		got := clipped("beginning–ending", n)
		if utf8.RuneCountInString(got) != n || got[0] != 'b' || n > 3 && got[len(got)-1] != 'g' {
			t.Errorf("%d: %q", n, got)
		}
	}
	must.Equal(t, clipped("short", 5), "short")
}

// Names that are alike at both ends keep what sets them apart.
func TestClippedApart(t *testing.T) {
	names := []string{"without extract_constraints", "without validate_constraints", "short"}
	for n, want := range map[int][]string{
		14: {"without e…ints", "without v…ints", "short"},
		20: {"without ex…nstraints", "without va…nstraints", "short"},
	} {
		for i := range names {
			must.Equal(t, clippedApart(names, i, n), want[i], n, "letters of", names[i])
		}
	}
}
