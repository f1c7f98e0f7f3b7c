// Package beside measures nl2sql beside upstream's llama-bench on one machine: both read a prompt of random tokens and
// write an answer of random tokens into an empty window, after a warm-up, in turn, each in a process of its own. Run it
// on an idle machine:
//
//	go test -v -timeout 0 ./scripts/bench/beside -run Beside -models qwen2.5-coder-1.5b,qwen2.5-coder-0.5b
package beside

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// options are the flags.
type options struct {
	models, also                    string // commas between
	rounds, prompt, answer, threads int
	binary, out                     string
}

var asked options

func init() {
	flag.StringVar(&asked.models, "models", "", "models that fetch knows, or GGUF `files`, commas between")
	flag.StringVar(&asked.also, "also", "", "other `programs` that take llama-bench's flags, commas between")
	flag.IntVar(&asked.rounds, "rounds", 5, "rounds; the median counts")
	flag.IntVar(&asked.prompt, "prompt", 128, "tokens of the prompt")
	flag.IntVar(&asked.answer, "answer", 64, "tokens of the answer")
	flag.IntVar(&asked.threads, "threads", 2, "threads of each")
	flag.StringVar(&asked.binary, "binary", "bin/nl2sql", "nl2sql, built by make; paths are from the module's root")
	flag.StringVar(&asked.out, "out", "", "`file` for the figures of each round, as JSON")
}

// program is what is measured: another's llama-bench, or nl2sql's model bench where bench is "".
type program struct {
	name, bench string
	flags       []string // nl2sql's
}

// speeds are tokens a second of one model, a figure a round.
type speeds struct {
	Model   string    `json:"model"`
	Program string    `json:"program"`
	Prompt  []float64 `json:"prompt_tokens_per_second"`
	Answer  []float64 `json:"answer_tokens_per_second"`
}

// fetch is what scripts/fetch prints: the path of something, which it gets or builds first.
func fetch(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"run", "./scripts/fetch"}, args...)...)
	cmd.Env, cmd.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	return strings.TrimSpace(string(must.Get(cmd.Output())(t, args)))
}

// TestBeside measures, and prints a table: the others beside the first program.
func TestBeside(t *testing.T) {
	o := asked
	if o.models == "" {
		t.Skip("needs -models")
	}
	t.Chdir("../../..")
	programs := []program{{name: "llama-bench", bench: filepath.Join(fetch(t, "upstream"), "llama-bench")}}
	for _, file := range strings.FieldsFunc(o.also, func(r rune) bool { return r == ',' }) {
		programs = append(programs, program{name: file, bench: file})
	}
	programs = append(programs, program{name: "nl2sql"}, program{name: "nl2sql --fast", flags: []string{"--fast"}})
	var all []speeds
	for name := range strings.SplitSeq(o.models, ",") {
		model := name
		if _, err := os.Stat(name); err != nil {
			model = fetch(t, "model", name)
		}
		figures := make([]speeds, len(programs))
		for round := range o.rounds {
			for i, p := range programs {
				prompt, answer, err := o.measure(t.Context(), p, model)
				must.Do(t, err)
				t.Logf("%s, round %d of %d: %s: prompt %.1f, answer %.1f tokens/s", name, round+1, o.rounds, p.name,
					prompt, answer)
				f := &figures[i]
				f.Model, f.Program = filepath.Base(name), p.name
				f.Prompt, f.Answer = append(f.Prompt, prompt), append(f.Answer, answer)
			}
		}
		all = append(all, figures...)
	}
	fmt.Print(o.table(all, len(programs)))
	if o.out != "" {
		must.Do(t, os.WriteFile(o.out, append(must.Get(json.MarshalIndent(all, "", "  "))(t), '\n'), 0o644))
	}
}

// table has medians, and each as a multiple of the first of so many programs.
func (o options) table(all []speeds, programs int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| model | program | prompt of %d, tokens/s | × | answer of %d, tokens/s | × |\n|---|---|---|---|---|---|\n",
		o.prompt, o.answer)
	for i, s := range all {
		base, prompt, answer := all[i/programs*programs], median(s.Prompt), median(s.Answer)
		fmt.Fprintf(&b, "| %s | %s | %.1f | %.2f | %.1f | %.2f |\n", s.Model, s.Program, prompt,
			prompt/median(base.Prompt), answer, answer/median(base.Answer))
	}
	return b.String()
}

// measure runs a program once.
func (o options) measure(ctx context.Context, p program, model string) (prompt, answer float64, err error) {
	n := fmt.Sprint
	if p.bench == "" {
		var b struct {
			Prompt     float64 `json:"prompt_tokens_per_second"`
			Generation []struct {
				Speed float64 `json:"tokens_per_second"`
			} `json:"generation"`
		}
		err := printed(ctx, &b, o.binary, append([]string{"model", "bench", "--model", model, "--threads", n(o.threads),
			"--prompt-tokens", n(o.prompt), "--tokens", n(o.answer), "--rounds", "1", "--sequences", "1",
			"--format", "json"}, p.flags...)...)
		if err == nil && len(b.Generation) != 1 {
			err = fmt.Errorf("model bench measured %d answers, want 1", len(b.Generation))
		}
		if err != nil {
			return 0, 0, err
		}
		return b.Prompt, b.Generation[0].Speed, nil
	}
	var tests []struct {
		Prompt int     `json:"n_prompt"`
		Answer int     `json:"n_gen"`
		Speed  float64 `json:"avg_ts"`
	}
	err = printed(ctx, &tests, p.bench, "-m", model, "-p", n(o.prompt), "-n", n(o.answer), "-t", n(o.threads), "-fa", "1",
		"-r", "1", "-o", "json")
	for _, t := range tests {
		switch {
		case t.Prompt == o.prompt && t.Answer == 0:
			prompt = t.Speed
		case t.Prompt == 0 && t.Answer == o.answer:
			answer = t.Speed
		}
	}
	if err == nil && (prompt == 0 || answer == 0) {
		err = fmt.Errorf("%s did not measure both: %+v", p.name, tests)
	}
	return prompt, answer, err
}

// printed reads the JSON that a program prints.
func printed(ctx context.Context, into any, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(program), strings.Join(args, " "), err, stderr.Bytes())
	}
	if err := json.Unmarshal(out, into); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	return nil
}

// median is the middle of a list, or the mean of the two in the middle; 0 of none.
func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	n := len(list)
	if n == 0 {
		return 0
	}
	return (list[(n-1)/2] + list[n/2]) / 2
}
