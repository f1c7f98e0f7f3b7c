// Command beside measures nl2sql beside upstream's llama-bench on one machine: both read a prompt of random tokens and
// write an answer of random tokens into an empty window, after a warm-up, in turn, each in a process of its own. Run it
// in the module's root, on an idle machine: ../README.md has the commands.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// options are the flags.
type options struct {
	models, also                    string // commas between
	rounds, prompt, answer, threads int
	binary, out                     string
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

func main() {
	var o options
	flag.StringVar(&o.models, "models", "qwen2.5-coder-1.5b,qwen2.5-coder-0.5b,smollm2-135m",
		"models that fetch knows, or GGUF `files`, commas between")
	flag.StringVar(&o.also, "also", "", "other `programs` that take llama-bench's flags, commas between")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds; the median counts")
	flag.IntVar(&o.prompt, "prompt", 128, "tokens of the prompt")
	flag.IntVar(&o.answer, "answer", 64, "tokens of the answer")
	flag.IntVar(&o.threads, "threads", 2, "threads of each")
	flag.StringVar(&o.binary, "binary", "bin/nl2sql", "nl2sql, built by make")
	flag.StringVar(&o.out, "out", "", "`file` for the figures of each round, as JSON")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "beside:", err)
		os.Exit(1)
	}
}

// fetch is what scripts/fetch prints: the path of something, which it gets or builds first.
func fetch(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"run", "./scripts/fetch"}, args...)...)
	cmd.Env, cmd.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w (run this in the module's root)", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// run measures, and prints a table: the others beside the first program.
func (o options) run(ctx context.Context) error {
	upstream, err := fetch(ctx, "upstream")
	if err != nil {
		return err
	}
	programs := []program{{name: "llama-bench", bench: filepath.Join(upstream, "llama-bench")}}
	for _, file := range strings.FieldsFunc(o.also, func(r rune) bool { return r == ',' }) {
		programs = append(programs, program{name: file, bench: file})
	}
	programs = append(programs, program{name: "nl2sql"}, program{name: "nl2sql --fast", flags: []string{"--fast"}})
	var all []speeds
	for name := range strings.SplitSeq(o.models, ",") {
		model := name
		if _, err := os.Stat(name); err != nil {
			if model, err = fetch(ctx, "model", name); err != nil {
				return err
			}
		}
		figures := make([]speeds, len(programs))
		for round := range o.rounds {
			for i, p := range programs {
				prompt, answer, err := o.measure(ctx, p, model)
				if err != nil {
					return err
				}
				fmt.Fprintf(os.Stderr, "beside: %s, round %d of %d: %s: prompt %.1f, answer %.1f tokens/s\n", name, round+1,
					o.rounds, p.name, prompt, answer)
				f := &figures[i]
				f.Model, f.Program = filepath.Base(name), p.name
				f.Prompt, f.Answer = append(f.Prompt, prompt), append(f.Answer, answer)
			}
		}
		all = append(all, figures...)
	}
	fmt.Print(o.table(all, len(programs)))
	if o.out == "" {
		return nil
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(o.out, append(text, '\n'), 0o644)
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
