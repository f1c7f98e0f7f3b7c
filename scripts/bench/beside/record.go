package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/llm/llamacpp"
	"nl2sql/loop/answer"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/tools"
)

// recordCmd writes requests to play: those that `nl2sql eval` sends when it asks evenly spread questions of the
// benchmark about the demo database. The same commit writes the same bytes.
type recordCmd struct {
	Kind      string `arg:"" enum:"shots,react,loop" help:"shots: eval --agent baseline --shots 3, a request a question; react: eval --agent react --shots 3; loop: eval --plan model. The last two hold a model's answers."`
	Out       string `arg:"" help:"File to write." placeholder:"FILE"`
	Questions int    `help:"How many; 0 means 50 of shots, and 20 of the others." placeholder:"N"`
	Model     string `help:"Model that answers (${default})." default:"qwen2.5-coder-0.5b" placeholder:"NAME"`
	Threads   int    `help:"Threads of that model; 0 means the idle ones." placeholder:"N"`
}

// request is one call of a model. Those of a conversation come one after the other.
type request struct {
	Conversation int           `json:"conversation"`
	Messages     []llm.Message `json:"messages"`
	Params       llm.Params    `json:"params"`
}

// Run records.
func (c *recordCmd) Run(ctx context.Context) (err error) {
	if c.Questions == 0 {
		c.Questions = map[string]int{"shots": 50, "react": 20, "loop": 20}[c.Kind]
	}
	db, err := embedded.Open(ctx, "", runner.Limits{Rows: 1000})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	d := answer.Database{DB: db}
	if d.Schema, err = db.Schema(ctx); err != nil {
		return err
	}
	if d.Notes, err = tools.ParseNotes(strings.NewReader(assets.DemoNotes)); err != nil {
		return err
	}
	items, err := spread(c.Questions)
	if err != nil {
		return err
	}
	r := &recorder{model: silent{}}
	if c.Kind != "shots" {
		m, err := c.open(ctx)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, m.Close()) }()
		r.model = m
	}
	method, err := settings[c.Kind].Method()
	if err != nil {
		return err
	}
	asker, err := answer.New(method, r, nil)
	if err != nil {
		return err
	}
	shots, err := shotsOf(method.Agent)
	if err != nil {
		return err
	}
	draws, err := shots.Draw(items)
	if err != nil {
		return err
	}
	find := func(ctx context.Context, _, sql string) (*runner.Result, error) { return d.Find(ctx, sql) }
	for i, it := range items {
		r.conversation = i
		q := answer.Question{Text: it.Question, Scored: true}
		if q.Shots, _, err = shots.Show(ctx, draws[i], find); err != nil {
			return err
		}
		if _, err := asker.Ask(ctx, d, q, nil); err != nil {
			return fmt.Errorf("item %s: %w", it.ID, err)
		}
		say("%s: %d of %d questions, %d requests", c.Kind, i+1, len(items), len(r.requests))
	}
	return writeRequests(c.Out, r.requests)
}

// spread returns n items of the benchmark, from all of its parts.
func spread(n int) ([]item.Item, error) {
	all, err := item.Read(strings.NewReader(assets.Benchmark))
	if err != nil {
		return nil, err
	}
	if n < 1 || n > len(all) {
		return nil, fmt.Errorf("%d questions: the benchmark has 1 to %d", n, len(all))
	}
	items := make([]item.Item, n)
	for i := range items {
		items[i] = all[i*len(all)/n]
		items[i].Database = "" // as eval has it where all are about one database
	}
	return items, nil
}

// settings are what answers, by the kind of record.
var settings = map[string]answer.Settings{
	"shots": {Agent: "baseline"},
	"react": {Agent: "react"},
	"loop":  {Agent: "loop", Plan: "model", Prompts: "default"},
}

// shotsOf are 3 exemplars a question, drawn with the seed 7, of agents that are shown any.
func shotsOf(agent string) (answer.Shots, error) {
	if !answer.Takes(agent, "shots") {
		return answer.Shots{}, nil
	}
	train, err := item.Read(strings.NewReader(assets.Train))
	for i := range train {
		train[i].Database = ""
	}
	return answer.Shots{Agent: agent, K: 3, Seed: "7", Pool: item.Pool{Name: "train", Items: train}}, err
}

func (c *recordCmd) open(ctx context.Context) (*llamacpp.Model, error) {
	file, err := fetch(ctx, "model", c.Model)
	if err != nil {
		return nil, err
	}
	return llamacpp.Open(ctx, file, llamacpp.Options{Threads: c.Threads})
}

// recorder keeps what a model is asked.
type recorder struct {
	model        llm.Generator
	conversation int
	requests     []request
}

// Generate implements [llm.Generator].
func (r *recorder) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	r.requests = append(r.requests, request{r.conversation, append([]llm.Message(nil), msgs...), p})
	return r.model.Generate(ctx, msgs, p)
}

// silent answers nothing, where no request depends on an answer.
type silent struct{}

func (silent) Generate(context.Context, []llm.Message, llm.Params) (llm.Completion, error) {
	return llm.Completion{}, nil
}

func writeRequests(file string, requests []request) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	enc := json.NewEncoder(f)
	for _, r := range requests {
		if err := enc.Encode(r); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// readConversations reads requests, a list for each conversation.
func readConversations(file string) ([][]request, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list [][]request
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var r request
		if err := d.Decode(&r); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if n := len(list); n > 0 && list[n-1][0].Conversation == r.Conversation {
			list[n-1] = append(list[n-1], r)
		} else {
			list = append(list, []request{r})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no requests: write them with beside record", file)
	}
	return list, nil
}
