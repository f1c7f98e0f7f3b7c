package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"strings"
	"time"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

type askCmd struct {
	Question []string `arg:"" help:"Question in plain words, or - for stdin."`
	FormatFlags
	Log           bool          `help:"Print the decision log too: after a table, plain or markdown answer, else on stderr."`
	ShowPrompt    bool          `help:"Print on stderr every prompt as the model gets it."`
	Trace         string        `help:"Write every event to FILE, one JSON object a line, as it happens." placeholder:"FILE"`
	Plan          string        `help:"Who chooses the next action: model, or fixed (the one the gates leave; the model only writes SQL). Default ${default}." enum:"model,fixed" default:"fixed" placeholder:"PLAN"`
	Guards        string        `help:"Rules that mend the model's SQL: a set (default, dissertation, seed, final, none) or names; -NAME takes one out. Default: ${default}." default:"default" placeholder:"SET"`
	Prompts       string        `help:"Prompt set: default, typed, dissertation, or auto: typed where the model has a built-in adapter, else default. Default: ${default}." enum:"auto,default,typed,dissertation" default:"auto" placeholder:"SET"`
	Notes         string        `help:"Glossary of the database, a line each: term, synonym = meaning in SQL. The demo database brings its own; none leaves it out." placeholder:"FILE"`
	Constrain     string        `help:"What the model's texts must keep to: action (the turns of --plan model), sql (MySQL's words and the schema's names), all, or off. Default ${default}." enum:"off,action,sql,all" default:"off" placeholder:"WHAT"`
	Votes         int           `help:"Candidates of the model that are held against the database; what most of them find is the answer. ${default}, the default, takes the greedy one." default:"1" placeholder:"N"`
	MinConfidence float64       `help:"Refuse an answer that is less likely right than P, in [0,1]; 0, the default, refuses none. The best candidate is then on stderr." default:"0" placeholder:"P"`
	MaxSteps      int           `help:"Most steps of the loop (${default})." default:"8" placeholder:"N"`
	Temperature   float32       `help:"Sampling temperature; 0, the default, is greedy." default:"0" placeholder:"T"`
	TopP          float32       `help:"Nucleus of the sampling, in (0,1] (${default})." default:"1" placeholder:"P"`
	Seed          uint32        `help:"Seed of the sampling." default:"0" placeholder:"N"`
	Timeout       time.Duration `help:"Longest time for the answer, loading excluded (${default}); 0 is unbounded." default:"10m" placeholder:"TIME"`
	ModelFlags
	QueryFlags

	declined bool // what is asked needs no model
}

// Validate makes wrong values usage errors.
func (c *askCmd) Validate() error {
	_, err := guard.ParseSet(c.Guards)
	switch {
	case c.MaxSteps < 1:
		return errors.New("--max-steps must be at least 1")
	case c.Votes < 1 || c.Votes > maxVotes:
		return fmt.Errorf("--votes must be between 1 and %d", maxVotes)
	case c.MinConfidence < 0 || c.MinConfidence > 1:
		return errors.New("--min-confidence must be between 0 and 1")
	case c.Temperature < 0:
		return errors.New("--temperature must not be negative")
	case c.TopP <= 0 || c.TopP > 1:
		return errors.New("--top-p must be above 0 and at most 1")
	case err != nil:
		return fmt.Errorf("--guards: %w", err)
	}
	return nil
}

// maxVotes bounds --votes: the model works on all candidates at once, each with a window of its own.
const maxVotes = 32

// askInput is what can be wrong about a call before a model is loaded.
type askInput struct {
	question string
	guards   guard.Set
	prompts  *tools.Prompts
	trace    *traceFile // nil without --trace
	db       runner.DB
	schema   *schema.Schema
}

// ProvideInput comes first among Run's arguments, so that a bad call fails in no time.
func (c *askCmd) ProvideInput(ctx context.Context, con *console, open *opened) (*askInput, error) {
	question, err := readInput(ctx, con, "question", strings.Join(c.Question, " "), loop.MaxQuestion)
	if err != nil {
		return nil, err
	}
	set := c.Prompts
	if c.declined = loop.Declines(question) != ""; c.declined {
		set = "default"
	} else if set, err = c.promptSet(ctx, open, set, c.Plan == string(loop.PlanFixed)); err != nil {
		return nil, err
	}
	in := &askInput{question: question}
	if c.together = c.Votes; c.Plan == string(loop.PlanFixed) {
		c.draws = loop.Tries
	}
	if in.guards, err = guard.ParseSet(c.Guards); err != nil {
		return nil, err
	}
	notes, err := readNotes(c.Notes, c.DB, "")
	if err != nil {
		return nil, err
	}
	if in.prompts, err = tools.NewPrompts(set, notes); err != nil {
		return nil, err
	}
	if c.Trace != "" {
		f, err := os.Create(c.Trace)
		if err != nil {
			return nil, fmt.Errorf("create the trace: %w", brief(err))
		}
		in.trace = &traceFile{f: f}
		open.add(in.trace.close)
	}
	if in.db, err = c.open(ctx, open, c.MaxRows); err != nil {
		return nil, err
	}
	if in.schema, err = readSchema(ctx, in.db); err != nil {
		return nil, err
	}
	return in, checkNotes(c.Notes, notes, in.schema)
}

// ProvideModel opens the model, unless ProvideInput, which comes before, found a question that needs none.
func (c *askCmd) ProvideModel(ctx context.Context, con *console, open *opened) (llm.Generator, error) {
	if c.declined {
		return &llm.Replay{}, nil
	}
	return c.ModelFlags.ProvideModel(ctx, con, open)
}

// readSchema is the schema of a database in which something can be asked.
func readSchema(ctx context.Context, db runner.DB) (*schema.Schema, error) {
	s, err := db.Schema(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	if len(s.Tables) == 0 {
		return nil, fmt.Errorf("the database %s has no table that this user may read: GRANT SELECT, or name another with --db", db.Backend().Database)
	}
	return s, nil
}

// showing is a model that shows its prompts.
type showing struct {
	llm.Generator
	w   io.Writer
	bar *progress
}

// Generate implements [llm.Generator].
func (s showing) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	s.bar.clear()
	printPrompt(s.w, msgs)
	return s.Generator.Generate(ctx, msgs, p)
}

// printPrompt prints the turns of a prompt, each under its role.
func printPrompt(w io.Writer, msgs []llm.Message) {
	for _, m := range msgs {
		fmt.Fprintf(w, "-- %s --\n%s\n", m.Role, lines(m.Content))
	}
}

// traceFile writes each event at once, so that a killed run leaves what happened before.
type traceFile struct {
	f   *os.File
	err error // the first failure
}

func (t *traceFile) event(e loop.Event) {
	if t.err == nil {
		t.err = writeJSON(t.f, e)
	}
}

func (t *traceFile) close() error {
	if err := errors.Join(t.err, t.f.Close()); err != nil {
		return fmt.Errorf("write the trace: %w", err)
	}
	return nil
}

// Run answers one question.
func (c *askCmd) Run(ctx context.Context, con *console, in *askInput, model llm.Generator) error {
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("no answer within %s (--timeout)", c.Timeout))
		defer cancel()
	}
	bar := con.progress()
	if c.ShowPrompt {
		model = showing{model, con.err, bar}
	}
	bar.show("reading the question")
	agent := loop.Agent{
		Model: model, DB: in.db, Schema: in.schema, Prompts: in.prompts, Guards: in.guards,
		Plan: loop.Plan(c.Plan), MaxSteps: c.MaxSteps, Constrain: loop.Constrain(c.Constrain), Votes: c.Votes, MinConfidence: c.MinConfidence,
		Params: llm.Params{Temperature: c.Temperature, TopP: c.TopP, Seed: c.Seed},
		OnEvent: func(e loop.Event) {
			if in.trace != nil {
				in.trace.event(e)
			}
			slog.Debug(string(e.Kind), "step", e.Step, "tool", e.Tool, "ok", e.OK, "reason", e.Reason, "took", e.Took)
			if e.Step >= 0 && e.Tool != "" {
				bar.show("step %d/%d %s", e.Step+1, c.MaxSteps, e.Tool)
			}
		},
	}
	ans, err := agent.Run(ctx, in.question)
	bar.clear()
	if err == nil {
		err = c.print(con, ans)
	} else if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = failure{exitNo, withStatement(context.Cause(ctx), err)}
	}
	if c.Log {
		c.printLog(con, ans)
	}
	return err
}

// print writes the answer, or returns why there is none.
func (c *askCmd) print(con *console, ans loop.Answer) error {
	format := c.on(con)
	if ans.Result == nil {
		why := failure{exitNo, errors.New("no answer: " + c.whyNone(ans))}
		if ans.Refused != "" {
			if why.err = errors.New(ans.Refused); ans.SQL != "" {
				why.err = fmt.Errorf("%s; the best candidate was %s", ans.Refused, ans.SQL)
			}
		}
		if format == render.JSON {
			return errors.Join(printAnswer(con, ans, nil), why)
		}
		return why
	}
	sql := ""
	switch format {
	case render.JSON:
		var b, all bytes.Buffer
		if _, err := render.Write(&b, *ans.Result, render.JSON, con.screen); err != nil {
			return err
		}
		con.truncated(*ans.Result)
		return errors.Join(printAnswer(&all, ans, json.RawMessage(b.String())), con.page(all.Bytes()))
	case render.Markdown:
		sql = fmt.Sprintf("```sql\n%s\n```\n\n", lines(ans.SQL))
	case render.Plain:
		sql = lines(ans.SQL) + "\n\n"
	case render.Table, render.Expanded:
		sql = render.SQL(ans.SQL, con.screen) + "\n\n"
	}
	if err := c.rows(con, sql, *ans.Result); err != nil {
		return err
	}
	if mended := ans.Mended(); len(mended) > 0 {
		con.note("mended: " + strings.Join(mended, "; "))
	}
	for _, d := range ans.Doubts[:min(mostDoubts, len(ans.Doubts))] {
		con.warn(d.Text)
	}
	return nil
}

// mostDoubts are told below an answer; JSON has all.
const mostDoubts = 3

// confidenceWord says what a confidence means to a reader.
func confidenceWord(p float64) string {
	switch {
	case p < 0.25:
		return "very low"
	case p < 0.5:
		return "low"
	case p < 0.75:
		return "fair"
	}
	return "high"
}

// printAnswer writes one object; result is null if there is no answer.
func printAnswer(w io.Writer, ans loop.Answer, result json.RawMessage) error {
	return writeJSON(w, struct {
		Question string `json:"question"`
		SQL      string `json:"sql"`
		How      string `json:"how,omitempty"` // as loop.Answer.How
		Refused  string `json:"refused,omitempty"`
		Why      string `json:"why,omitempty"` // there is no answer, though one was looked for

		Mended         []string        `json:"mended,omitempty"` // names that were taken for others, joins that were added
		Confidence     float64         `json:"confidence"`       // that the answer is right; 0 without one
		ConfidenceWord string          `json:"confidence_word"`
		Warnings       []doubt.Doubt   `json:"warnings,omitempty"`
		Result         json.RawMessage `json:"result"`
	}{ans.Question, ans.SQL, ans.How, ans.Refused, ans.Why(), ans.Mended(), math.Round(ans.Confidence*1000) / 1000, confidenceWord(ans.Confidence), ans.Doubts, result})
}

// whyNone says what stood between the last candidate and an answer, and what to try.
func (c *askCmd) whyNone(ans loop.Answer) string {
	text := ans.Why()
	if nothing := ans.KnowsNothingOf(); nothing != "" {
		text += "; " + nothing
	}
	if ans.SQL != "" {
		text += "; the last candidate was " + ans.SQL
	}
	text += "; try other words, a note that says what yours mean (--notes), a larger model (--model)"
	if !c.Log {
		text += ", or look at each attempt (--log)"
	}
	return text
}

// printLog keeps machine-readable formats clean.
func (c *askCmd) printLog(con *console, ans loop.Answer) {
	var w io.Writer = con.err
	switch c.on(con) {
	case render.Table, render.Expanded, render.Plain, render.Markdown:
		w = con
	}
	fmt.Fprintf(w, "\n%s\n", lines(ans.Trace.DecisionLog()+ans.Trace.Compliance().String()))
}

// lines is text that a terminal shows and does not obey, line by line.
func lines(text string) string {
	parts := strings.Split(text, "\n")
	for i := range parts {
		parts[i] = render.Visible(parts[i])
	}
	return strings.Join(parts, "\n")
}
