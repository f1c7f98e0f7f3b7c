package beside

import (
	"os"
	"path/filepath"
	"testing"

	"nl2sql/scripts/must"
)

// TestMeasure reads what llama-bench and model bench print; a figure that is missing is an error.
func TestMeasure(t *testing.T) {
	says := func(text string) string {
		file := filepath.Join(t.TempDir(), "program")
		must.Do(t, os.WriteFile(file, []byte("#!/bin/sh\ncat <<'END'\n"+text+"\nEND\n"), 0o755))
		return file
	}
	o := options{prompt: 128, answer: 64, threads: 2}
	bench := says(`[{"n_prompt":128,"n_gen":0,"avg_ts":50.5},{"n_prompt":0,"n_gen":64,"avg_ts":20}]`)
	prompt, answer, err := o.measure(t.Context(), program{name: "llama-bench", bench: bench}, "m")
	must.Be(t, err == nil && prompt == 50.5 && answer == 20, prompt, answer, err)
	o.binary = says(`{"prompt_tokens_per_second":101,"generation":[{"tokens_per_second":30}]}`)
	prompt, answer, err = o.measure(t.Context(), program{name: "nl2sql"}, "m")
	must.Be(t, err == nil && prompt == 101 && answer == 30, prompt, answer, err)
	o.binary = says(`{"prompt_tokens_per_second":101,"generation":[]}`)
	for _, p := range []program{{name: "half", bench: says(`[{"n_prompt":128,"avg_ts":50.5}]`)}, {name: "nl2sql"}} {
		_, _, err := o.measure(t.Context(), p, "m")
		must.Be(t, err != nil, p.name, "measured half")
	}
	got := o.table([]speeds{{"m", "llama-bench", []float64{50, 40, 60}, []float64{20}},
		{"m", "nl2sql", []float64{100}, []float64{30, 20}}}, 2)
	must.Equal(t, got, "| model | program | prompt of 128, tokens/s | × | answer of 64, tokens/s | × |\n"+
		"|---|---|---|---|---|---|\n| m | llama-bench | 50.0 | 1.00 | 20.0 | 1.00 |\n"+
		"| m | nl2sql | 100.0 | 2.00 | 25.0 | 1.25 |\n", "table")
	must.Equal(t, median(nil), 0, "median of none")
}
