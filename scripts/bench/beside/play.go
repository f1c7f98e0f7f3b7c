package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"nl2sql/llm"
	"nl2sql/llm/llamacpp"
	"nl2sql/runner"
)

// playCmd sends the same requests to engines that have just started, one engine after the other: ours in this process,
// and llama-server. The steps of a conversation come in order, each when the one before is answered; as many
// conversations are under way as there are sequences or slots. Answers are not looked at: what a step asks was
// recorded.
type playCmd struct {
	Requests []string `arg:"" help:"Files that record wrote; each is played from a cold start." placeholder:"FILE"`
	Model    string   `help:"Model that fetch knows (${default})." default:"qwen2.5-coder-0.5b" placeholder:"NAME"`
	Rounds   int      `help:"Rounds; the median counts (${default})." default:"3" placeholder:"N"`
	Parallel int      `help:"Conversations at once, sequences and slots (${default})." default:"4" placeholder:"N"`
	Context  int      `help:"Window of each, in tokens (${default})." default:"4096" placeholder:"N"`
	Threads  int      `help:"Threads of each engine (${default})." default:"2" placeholder:"N"`
	Modes    []string `help:"Of ours: exact, fast, or both (${default}); none leaves ours out." default:"exact,fast" placeholder:"MODE"`
	Server   []string `help:"Flags of a llama-server, beside those that make it comparable; again for another one, of which the quickest counts; none leaves it out." sep:"none" default:"--cache-reuse 256" placeholder:"FLAGS"`
	Limit    int      `help:"Only the first N conversations of each file; 0 means all." placeholder:"N"`
	Out      string   `help:"File for the figures of each round, as JSON." placeholder:"FILE"`
}

// engine answers requests once it was started.
type engine struct {
	name  string
	start func(ctx context.Context) (m llm.Generator, stop func() error, err error)
}

// played is what one engine needed for one file in one round.
type played struct {
	Requests  string  `json:"requests"` // the file's name
	Engine    string  `json:"engine"`
	Start     float64 `json:"start_seconds"` // process and model load, until it can answer
	Seconds   float64 `json:"seconds"`       // from the first request to the last answer
	Calls     int     `json:"model_calls"`
	Prompt    int     `json:"prompt_tokens"`
	Evaluated int     `json:"evaluated_tokens"` // of Prompt
	Output    int     `json:"output_tokens"`
}

// Run plays.
func (c *playCmd) Run(ctx context.Context) error {
	model, err := fetch(ctx, "model", c.Model)
	if err != nil {
		return err
	}
	var engines []engine
	for _, mode := range c.Modes {
		if mode == "none" {
			continue
		}
		e, err := c.ours(model, mode)
		if err != nil {
			return err
		}
		engines = append(engines, e)
	}
	for _, flags := range c.Server {
		if flags == "none" {
			continue
		}
		e, err := c.llamaServer(ctx, model, strings.Fields(flags))
		if err != nil {
			return err
		}
		engines = append(engines, e)
	}
	var all []played
	for _, file := range c.Requests {
		list, err := readConversations(file)
		if err != nil {
			return err
		}
		if c.Limit > 0 {
			list = list[:min(c.Limit, len(list))]
		}
		for round := range c.Rounds {
			for _, e := range engines {
				p, err := c.play(ctx, e, list)
				if err != nil {
					return fmt.Errorf("%s: %w", e.name, err)
				}
				p.Requests = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
				say("%s, round %d of %d: %s: %.1f s, %d of %d prompt tokens evaluated, %d written", p.Requests, round+
					1, c.Rounds, e.name,
					p.Seconds, p.Evaluated, p.Prompt, p.Output)
				all = append(all, p)
			}
		}
	}
	return show(playTable(all), all, c.Out)
}

// ours is the engine in this process, without what earlier processes saved.
func (c *playCmd) ours(model, mode string) (engine, error) {
	if mode != "exact" && mode != "fast" {
		return engine{}, fmt.Errorf("--modes %s: want exact or fast", mode)
	}
	return engine{"nl2sql " + mode, func(ctx context.Context) (llm.Generator, func() error, error) {
		m, err := llamacpp.Open(ctx, model, llamacpp.Options{Context: c.Context, Parallel: c.Parallel,
			Threads: c.Threads, Fast: mode == "fast"})
		if err != nil {
			return nil, nil, err
		}
		return m, m.Close, nil
	}}, nil
}

// play starts an engine, plays all conversations, and stops it.
func (c *playCmd) play(ctx context.Context, e engine, list [][]request) (p played, err error) {
	p.Engine = e.name
	began := time.Now()
	m, stop, err := e.start(ctx)
	if err != nil {
		return p, err
	}
	defer func() {
		if stopErr := stop(); err == nil {
			err = stopErr
		}
	}()
	p.Start = time.Since(began).Seconds()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan []request)
	var mu sync.Mutex // of p
	var players sync.WaitGroup
	began = time.Now()
	for range c.Parallel {
		players.Go(func() {
			for conversation := range work {
				for _, r := range conversation {
					out, err := m.Generate(ctx, r.Messages, r.Params)
					if err != nil {
						cancel(err)
						return
					}
					mu.Lock()
					p.Calls++
					p.Prompt += out.PromptTokens
					p.Evaluated += out.PromptTokens - out.CachedTokens
					p.Output += out.OutputTokens
					mu.Unlock()
				}
			}
		})
	}
feed:
	for _, conversation := range list {
		select {
		case work <- conversation:
		case <-ctx.Done():
			break feed
		}
	}
	close(work)
	players.Wait()
	p.Seconds = time.Since(began).Seconds()
	return p, context.Cause(ctx)
}

// playTable shows medians, and wall time as a multiple of the quickest server's.
func playTable(all []played) runner.Result {
	t := runner.Result{Columns: []string{"requests", "engine", "calls", "seconds", "×", "with start", "×",
		"prompt tokens", "evaluated", "written"}}
	type key struct{ requests, engine string }
	rounds := map[key][]played{}
	var order []key
	for _, p := range all {
		k := key{p.Requests, p.Engine}
		if rounds[k] == nil {
			order = append(order, k)
		}
		rounds[k] = append(rounds[k], p)
	}
	middle := func(k key, of func(played) float64) float64 {
		var list []float64
		for _, p := range rounds[k] {
			list = append(list, of(p))
		}
		return median(list)
	}
	wall := func(p played) float64 { return p.Seconds }
	whole := func(p played) float64 { return p.Start + p.Seconds }
	for _, k := range order {
		var server *key
		for _, o := range order {
			if o.requests == k.requests && strings.HasPrefix(o.engine, "llama-server") &&
				(server == nil || middle(o, wall) < middle(*server, wall)) {
				server = &o
			}
		}
		times := func(of func(played) float64) string {
			if server == nil {
				return ""
			}
			return fmt.Sprintf("%.2f", middle(k, of)/middle(*server, of))
		}
		count := func(of func(played) int) string {
			return fmt.Sprintf("%.0f", middle(k, func(p played) float64 { return float64(of(p)) }))
		}
		t.Rows = append(t.Rows, []any{k.requests, k.engine, count(func(p played) int { return p.Calls }),
			fmt.Sprintf("%.1f", middle(k, wall)), times(wall), fmt.Sprintf("%.1f", middle(k, whole)), times(whole),
			count(func(p played) int { return p.Prompt }), count(func(p played) int { return p.Evaluated }),
			count(func(p played) int { return p.Output })})
	}
	return t
}
