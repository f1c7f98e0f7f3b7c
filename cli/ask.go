package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/files"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/question"
)

type askCmd struct {
	Question []string `arg:"" optional:"" help:"Question in plain words, or - for stdin."`
	File     string   `help:"Answer many: a question a line, or items, with gold queries or without (JSON, JSON lines, CSV), - for stdin; prints a JSON object for each, as --format json does, with its id." placeholder:"FILE"`
	Out      string   `help:"Of --file: append the answers to FILE instead, and pass over questions that have one there." placeholder:"FILE"`
	DryRun   bool     `help:"Show the SQL, checked, and do not run it."`
	Explain  bool     `help:"Say below the answer in plain words what its SQL asks, as nl2sql explain does."`
	Chart    bool     `help:"Draw the result above its table, where it is one to draw: bars, or a line over time."`
	InputFlag
	ProfileFlag
	FormatFlags
	MethodFlags
	Log           bool          `help:"Print the decision log too: after a table, plain or markdown answer, else on stderr."`
	ShowPrompt    bool          `help:"Print on stderr every prompt as the model gets it."`
	Trace         string        `help:"Write every event to FILE, one JSON object a line, as it happens." placeholder:"FILE"`
	MinConfidence float64       `help:"Refuse an answer that is less likely right than P, in [0,1]; 0, the default, refuses none. The best candidate is then on stderr." default:"0" placeholder:"P" range:"0..1"`
	MinAnswerable float64       `help:"Refuse an answer where the question is less likely than P, in [0,1], to have one in this database, by its words; 0, the default, refuses none." default:"0" placeholder:"P" range:"0..1"`
	Temperature   float32       `help:"Sampling temperature, in [0,2]; 0, the default, is greedy." default:"0" placeholder:"T" range:"0..2"`
	TopP          float32       `help:"Nucleus of the sampling, in (0,1] (${default})." default:"1" placeholder:"P" range:"(0..1"`
	Seed          uint32        `help:"Seed of the sampling." default:"0" placeholder:"N" range:"0..4294967295"`
	Timeout       time.Duration `help:"Longest time for the answer, loading excluded (${default}); 0 is unbounded." default:"10m" placeholder:"TIME" range:"0.."`
	PairsFlag
	ModelFlags
	QueryFlags
}

// InputFlag is of commands that may ask back.
type InputFlag struct {
	NoInput bool `help:"Ask nothing back on a terminal: where a question can be read in several ways, take the likeliest."`
}

// Validate makes wrong values usage errors.
func (c *askCmd) Validate(given *kong.Context) error {
	if err := c.MethodFlags.Validate(given); err != nil { // kong would ask it after this
		return err
	}
	rows := c.Format == "csv" || c.Format == "ndjson"
	switch {
	case c.File == "" && len(c.Question) == 0:
		return errors.New(`give a question, or a file of them: nl2sql ask "How many customers are there?", or --file FILE`)
	case c.DryRun && c.Votes > 1:
		return errors.New("--dry-run and --votes exclude each other: candidates vote with what they find")
	case c.File != "":
		return c.validateFile()
	case c.Out != "":
		return errors.New("--out needs --file: one answer goes to stdout")
	case c.Chart && (rows || c.Format == "json"):
		return fmt.Errorf("--chart is for people: --format %s takes none", c.Format)
	case c.DryRun && rows:
		return fmt.Errorf("--format %s holds rows, and --dry-run has none: use json", c.Format)
	}
	return nil
}

// askInput is what can be wrong about a call before a model is loaded.
type askInput struct {
	question string
	read     *question.Question          // as it was read; nil has each question read
	items    iter.Seq2[item.Item, error] // of --file, instead
	count    int                         // of them; 0 if nobody knows yet
	behind   answer.Turn                 // the last answer of a conversation; the zero value is none
	method   answer.Method
	tries    int    // candidates until now, of one question
	src      source // of the model; scripted replies, and none, for a question that is declined without one
	db       answer.Database
	trace    *traceFile // nil without --trace
}

// ProvideInput comes first among Run's arguments, so that a bad call fails in no time.
func (c *askCmd) ProvideInput(ctx context.Context, con *console, open *opened) (*askInput, error) {
	in := &askInput{src: source{replay: &llm.Replay{}}}
	var err error
	if c.File != "" {
		in.items, in.count, err = c.questions(con)
	} else {
		in.question, err = readInput(ctx, con, "question", strings.Join(c.Question, " "), loop.MaxQuestion)
		in.question = answer.JoinLines(in.question)
		if wrong := loop.CheckQuestion(in.question); err == nil && wrong != nil {
			err = failure{exitUsage, wrong}
		}
	}
	if err != nil {
		return nil, err
	}
	if c.File == "" || c.Trace != "" { // one question at a time
		c.Parallel = max(1, c.Parallel)
	}
	src, noModel := c.source(ctx, con, open, c.remote())
	prompts := "default"
	if noModel == nil {
		src, prompts, noModel = c.withPrompts(ctx, src, c.Prompts, c.method.Taught())
	}
	notes, err := readNotes(c.Notes, c.DB, "")
	if err != nil {
		return nil, err
	}
	if c.Trace != "" {
		if text, _ := files.Regular(c.Trace, files.Large); !strings.HasPrefix(string(text)+`{"step":`, `{"step":`) {
			return nil, fmt.Errorf("%s is there and holds no trace: name another file", c.Trace)
		}
		f, err := os.OpenFile(c.Trace, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("create the trace: %w", brief(err))
		}
		in.trace = &traceFile{f: f}
		open.add(in.trace.close)
	}
	var is runner.Backend
	if in.db, is, err = c.database(ctx, open, c.Notes, notes); err == nil {
		in.db.Pairs, err = c.book(con, c.Agent, is.Database, in.db.Schema)
	}
	declined := ""
	if err == nil && c.File == "" {
		in.db, in.read, declined, err = c.method.Read(ctx, in.db, in.question)
	}
	if declined == "" { // a declined question needs no model
		in.src = src
		err = cmp.Or(noModel, err)
	}
	in.method = c.method.On(prompts, in.src.inProcess() && !c.DryRun)
	in.unasked(err)
	return in, err
}

// unasked writes into the trace why no question was asked, if err says so.
func (in *askInput) unasked(err error) {
	if err == nil || in.trace == nil {
		return
	}
	if in.question != "" {
		in.trace.event(loop.Event{Step: -1, Kind: loop.KindQuestion, Text: in.question, OK: true})
	}
	in.trace.event(loop.Event{Step: -1, Kind: loop.KindError, Text: err.Error()})
}

// printPrompt prints the turns of a prompt, each under its role.
func printPrompt(w io.Writer, msgs []llm.Message) {
	for _, m := range msgs {
		fmt.Fprintf(w, "-- %s --\n%s\n", m.Role, render.VisibleLines(m.Content))
	}
}

// traceFile writes each event at once, so that a killed run leaves what happened before.
type traceFile struct {
	f   *os.File
	err error // the first failure
}

func (t *traceFile) event(e loop.Event) {
	if t.err == nil {
		t.err = render.WriteJSON(t.f, e)
	}
}

func (t *traceFile) close() error {
	if err := errors.Join(t.err, t.f.Close()); err != nil {
		return fmt.Errorf("write the trace: %w", err)
	}
	return nil
}

// Run answers one question, or those of a file.
func (c *askCmd) Run(ctx context.Context, con *console, open *opened, in *askInput) error {
	asker, err := c.asker(ctx, con, open, in.src, in.method)
	if err != nil {
		in.unasked(err)
		return err
	}
	if c.File != "" {
		return c.runFile(ctx, con, in, asker)
	}
	bar := con.progress()
	bar.show("reading the question")
	ans, err := c.answer(ctx, con, bar, in, asker, in.question)
	bar.clear()
	if settled, late := c.settled(ans, err); late && c.on(con) == render.JSON {
		settled.Question = in.question
		err = errors.Join(answer.AsJSON("", settled).Write(con), err)
	}
	if err == nil {
		ans, err = c.print(ctx, con, in.db, ans)
	}
	if c.Log {
		text := ans.Trace.DecisionLog()
		if c.method.Ordered() {
			text += ans.Trace.Compliance().String()
		}
		fmt.Fprintf(c.beside(con), "\n%s\n", render.VisibleLines(strings.TrimSuffix(text, "\n")))
	}
	return err
}

// answer answers one question within --timeout.
func (c *askCmd) answer(
	ctx context.Context, con *console, bar *progress, in *askInput, asker *answer.Asker, text string,
) (answer.Answer, error) {
	q := desk.Question{
		Question: text, Read: in.read, AsksBack: c.asksBack(con), Explain: c.Explain,
		Temperature: c.Temperature, TopP: c.TopP, Seed: c.Seed,
		MinConfidence: c.MinConfidence, MinAnswerable: c.MinAnswerable, DryRun: c.DryRun,
	}
	if in.behind.Check() == nil { // else it is too long to go on from
		q.Behind = &in.behind
	}
	d := desk.Desk{Asker: asker, Databases: []desk.Database{{Database: in.db}}, Longest: c.Timeout}
	ans, err := d.Ask(ctx, q, func(s desk.Step) { c.show(con, bar, in, s.Event) })
	if late, ok := errors.AsType[*answer.Late](err); ok {
		err = failure{exitNo, withStatement(fmt.Errorf("%s (--timeout)", late.Error()), late)}
	}
	return ans, err
}

// show shows an event of an answer.
func (c *askCmd) show(con *console, bar *progress, in *askInput, e loop.Event) {
	if e.Kind == loop.KindWriting {
		if now := strings.Fields(render.Visible(e.Text)); c.File == "" && len(now) > 0 {
			bar.show("writing SQL: %s", tail(strings.Join(now, " ")))
		}
		return
	}
	if in.trace != nil {
		in.trace.event(e)
	}
	slog.Debug(string(e.Kind), "step", e.Step, "tool", e.Tool, "ok", e.OK, "reason", e.Reason, "took", e.Took)
	switch {
	case e.Kind == loop.KindPrompt && c.ShowPrompt:
		bar.above(func() { printPrompt(con.err, e.Prompt) })
	case c.File != "":
	case e.Kind == loop.KindPrompt:
		bar.show("writing SQL")
	case e.Kind == loop.KindCandidate:
		in.tries++
		bar.show("checking try %d of %d", in.tries, max(in.tries, c.Votes))
	case e.Step >= 0 && e.Line() != "":
		bar.show("%s", render.Visible(e.Line()))
	}
}

// tail is what fits on a line beside what it is, the end of a text.
func tail(text string) string {
	const most = 56
	if r := []rune(text); len(r) > most {
		return "…" + string(r[len(r)-most:])
	}
	return text
}

// asksBack reports whether somebody is here to say which reading is meant.
func (c *askCmd) asksBack(con *console) bool {
	format := c.on(con)
	return con.typed && con.screen.Width > 0 && (format == render.Table || format == render.Expanded) && !c.NoInput &&
		c.File == ""
}

// print writes the answer, or returns why there is none. On a terminal a person may choose another reading, which is
// then the answer.
func (c *askCmd) print(
	ctx context.Context, con *console, db answer.Database, ans answer.Answer,
) (answer.Answer, error) {
	if err := c.printAnswer(con, ans); err != nil || !c.asksBack(con) || len(ans.Readings) == 0 {
		return ans, err
	}
	con.offer(ans, "Enter alone keeps the answer")
	if sql := chosen(ans.Readings, con.line(ctx)); sql != "" {
		return c.choose(ctx, con, db, ans, sql)
	}
	return ans, nil
}

// chosen is the SQL of the reading that a line chooses by its number alone; "" where it chooses none.
func chosen(readings []answer.Reading, line string) string {
	n, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || n < 2 || n > len(readings)+1 {
		return ""
	}
	return readings[n-2].SQL
}

// choose runs and writes another reading of a question.
func (c *askCmd) choose(
	ctx context.Context, con *console, db answer.Database, old answer.Answer, sql string,
) (answer.Answer, error) {
	db.Schema = old.Schema
	ans, err := db.Given(ctx, old.Question, loop.ByChoice, sql, nil)
	if err != nil {
		return ans, err
	}
	if ans.Asked, ans.TakenAs = old.Asked, old.TakenAs; c.Explain {
		ans.Explanation = ans.Explain()
	}
	return ans, c.printAnswer(con, ans)
}

// printAnswer writes the answer, or returns why there is none.
func (c *askCmd) printAnswer(con *console, ans answer.Answer) error {
	format := c.on(con)
	if ans.How == loop.ByDryRun && format == render.JSON {
		return answer.AsJSON("", ans).Write(con)
	} else if ans.How == loop.ByDryRun {
		_, err := fmt.Fprintf(con, "%s\n-- not run (--dry-run)\n", render.VisibleLines(ans.SQL))
		return errors.Join(err, c.printExplanation(con, ans))
	}
	if ans.Result == nil {
		why := failure{exitNo, errors.New("no answer: " + c.whyNone(ans))}
		if ans.Refused != "" {
			if why.err = errors.New(ans.Refused); ans.SQL != "" {
				why.err = fmt.Errorf("%s; the best candidate was %s", ans.Refused, ans.SQL)
			}
		}
		if format == render.JSON {
			settled, _ := c.settled(ans, nil)
			return errors.Join(answer.AsJSON("", settled).Write(con), why)
		}
		return why
	}
	sql := ""
	switch format {
	case render.JSON:
		con.truncated(*ans.Result)
		var b bytes.Buffer
		return errors.Join(answer.AsJSON("", ans).Write(&b), con.page(b.Bytes()))
	case render.Markdown:
		sql = fmt.Sprintf("```sql\n%s\n```\n\n", render.VisibleLines(ans.SQL))
	case render.Plain:
		sql = render.VisibleLines(ans.SQL) + "\n\n"
	case render.Table, render.Expanded:
		sql = render.SQL(ans.SQL, con.screen) + "\n\n"
		if con.screen.Width > 0 && ans.Sentence != "" {
			sql += render.Visible(ans.Sentence) + "\n\n"
		}
	}
	chart, none := "", ""
	if c.Chart {
		if chart, none = render.ChartText(*ans.Result, con.screen); chart != "" {
			sql += c.fenced(con, chart) + "\n"
		}
	}
	if err := c.rows(con, sql, *ans.Result); err != nil {
		return err
	}
	if err := c.printExplanation(con, ans); err != nil {
		return err
	}
	if none != "" {
		con.note(none)
	}
	if p := ans.Pair; p != nil {
		con.note(strings.TrimSuffix("as verified on "+p.Date, " on ") + ": " + p.Question) // nobody may have said when
	}
	if mended := ans.Mended(); len(mended) > 0 {
		con.note("mended: " + strings.Join(mended, "; "))
	}
	low := false
	for _, d := range ans.Doubts[:min(mostDoubts, len(ans.Doubts))] {
		if low {
			con.note("  " + d.Text)
			continue
		}
		low = d.Name == doubt.Low
		con.warn(d.Text)
	}
	return nil
}

// printExplanation prints what the SQL of an answer asks, if that was wished.
func (c *askCmd) printExplanation(con *console, ans answer.Answer) error {
	if ans.Explanation == nil {
		return nil
	}
	text := render.VisibleLines(strings.Join(ans.Explanation.Lines(), "\n")) + "\n"
	_, err := fmt.Fprintf(c.beside(con), "\n%s", c.fenced(con, text))
	return err
}

// fenced is a text whose lines a reader of Markdown leaves as they are.
func (c *askCmd) fenced(con *console, text string) string {
	if c.on(con) == render.Markdown {
		return "```text\n" + text + "```\n"
	}
	return text
}

// beside is where more than the answer is written: machine-readable formats are kept clean.
func (c *askCmd) beside(con *console) io.Writer {
	switch c.on(con) {
	case render.Table, render.Expanded, render.Plain, render.Markdown:
		return con
	}
	return con.err
}

// mostDoubts are told below an answer; JSON has all.
const mostDoubts = 3

// whyNone says what stood between the last candidate and an answer, and what to try.
func (c *askCmd) whyNone(ans answer.Answer) string {
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
