package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"nl2sql/runner"
)

// speedCmd runs llama-bench and nl2sql model bench in turn, each in a process of its own. Both read a prompt of random
// tokens and write an answer of random tokens into an empty window, after a warm-up.
type speedCmd struct {
	Models  []string `help:"Models that fetch knows, or GGUF files (${default})." default:"qwen2.5-coder-1.5b,qwen2.5-coder-0.5b,smollm2-135m" placeholder:"NAME"`
	Rounds  int      `help:"Rounds; the median counts (${default})." default:"5" placeholder:"N"`
	Prompt  int      `help:"Tokens of the prompt (${default})." default:"128" placeholder:"N"`
	Answer  int      `help:"Tokens of the answer (${default})." default:"64" placeholder:"N"`
	Threads int      `help:"Threads of each (${default})." default:"2" placeholder:"N"`
	Binary  string   `help:"nl2sql, built by make (${default})." default:"bin/nl2sql" placeholder:"FILE"`
	Also    []string `help:"Other programs that take llama-bench's flags, such as ik_llama.cpp's." placeholder:"FILE"`
	Out     string   `help:"File for the figures of each round, as JSON." placeholder:"FILE"`
}

// program is what is measured: nl2sql's model bench, or another's llama-bench.
type program struct {
	name, bench string   // the file of llama-bench, "" for nl2sql
	flags       []string // nl2sql's
}

// speeds are tokens a second of one model, a figure a round.
type speeds struct {
	Model   string    `json:"model"`
	Program string    `json:"program"`
	Prompt  []float64 `json:"prompt_tokens_per_second"`
	Answer  []float64 `json:"answer_tokens_per_second"`
}

// Run measures.
func (c *speedCmd) Run(ctx context.Context) error {
	bench, err := upstream(ctx, "llama-bench")
	if err != nil {
		return err
	}
	// Measured in turn; the first one is what the others are held against.
	programs := []program{{name: "llama-bench", bench: bench}}
	for _, file := range c.Also {
		programs = append(programs, program{name: file, bench: file})
	}
	programs = append(programs, program{name: "nl2sql"}, program{name: "nl2sql --fast", flags: []string{"--fast"}})
	var all []speeds
	for _, name := range c.Models {
		model := name
		if _, err := os.Stat(name); err != nil {
			if model, err = fetch(ctx, "model", name); err != nil {
				return err
			}
		}
		figures := make([]speeds, len(programs))
		for round := range c.Rounds {
			for i, p := range programs {
				prompt, answer, err := c.measure(ctx, p, model)
				if err != nil {
					return err
				}
				say("%s, round %d of %d: %s: prompt %.1f, answer %.1f tokens/s", name, round+1, c.Rounds,
					p.name, prompt, answer)
				f := &figures[i]
				f.Model, f.Program = filepath.Base(name), p.name
				f.Prompt, f.Answer = append(f.Prompt, prompt), append(f.Answer, answer)
			}
		}
		all = append(all, figures...)
	}
	return show(c.table(all, len(programs)), all, c.Out)
}

func (c *speedCmd) measure(ctx context.Context, p program, model string) (prompt, answer float64, err error) {
	if p.bench != "" {
		return c.llamaBench(ctx, p.bench, model)
	}
	return c.modelBench(ctx, model, p.flags...)
}

// llamaBench is upstream's, or another's of the same flags.
func (c *speedCmd) llamaBench(ctx context.Context, bench, model string) (prompt, answer float64, err error) {
	var tests []struct {
		Prompt int     `json:"n_prompt"`
		Answer int     `json:"n_gen"`
		Speed  float64 `json:"avg_ts"`
	}
	if err := printed(ctx, &tests, bench, "-m", model, "-p", fmt.Sprint(c.Prompt), "-n", fmt.Sprint(c.Answer),
		"-t", fmt.Sprint(c.Threads), "-fa", "1", "-r", "1", "-o", "json"); err != nil {
		return 0, 0, err
	}
	for _, t := range tests {
		switch {
		case t.Prompt == c.Prompt && t.Answer == 0:
			prompt = t.Speed
		case t.Prompt == 0 && t.Answer == c.Answer:
			answer = t.Speed
		}
	}
	if prompt == 0 || answer == 0 {
		return 0, 0, fmt.Errorf("llama-bench did not measure both: %+v", tests)
	}
	return prompt, answer, nil
}

// modelBench is ours.
func (c *speedCmd) modelBench(ctx context.Context, model string, flags ...string) (prompt, answer float64, err error) {
	var b struct {
		Prompt     float64 `json:"prompt_tokens_per_second"`
		Generation []struct {
			Speed float64 `json:"tokens_per_second"`
		} `json:"generation"`
	}
	args := append([]string{"--model", model, "--threads", fmt.Sprint(c.Threads), "model", "bench", "--prompt-tokens",
		fmt.Sprint(c.Prompt),
		"--tokens", fmt.Sprint(c.Answer), "--rounds", "1", "--sequences", "1", "--format", "json"}, flags...)
	if err := printed(ctx, &b, c.Binary, args...); err != nil {
		return 0, 0, err
	}
	if len(b.Generation) != 1 {
		return 0, 0, fmt.Errorf("model bench measured %d answers, want 1", len(b.Generation))
	}
	return b.Prompt, b.Generation[0].Speed, nil
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

// table shows medians, and each as a multiple of the first of so many programs.
func (c *speedCmd) table(all []speeds, programs int) runner.Result {
	t := runner.Result{Columns: []string{"model", "program", fmt.Sprintf("prompt of %d, tokens/s", c.Prompt), "×",
		fmt.Sprintf("answer of %d, tokens/s", c.Answer), "×"}}
	for i, s := range all {
		base := all[i/programs*programs]
		prompt, answer := median(s.Prompt), median(s.Answer)
		t.Rows = append(t.Rows, []any{s.Model, s.Program, fmt.Sprintf("%.1f", prompt),
			fmt.Sprintf("%.2f", prompt/median(base.Prompt)),
			fmt.Sprintf("%.1f", answer), fmt.Sprintf("%.2f", answer/median(base.Answer))})
	}
	return t
}
