// Package dissertation has the two agents whose runs the dissertation published: the few-shot prompt (Baseline), and
// the loop of query and finish (React). Wording is our own; roles, parts and order of the messages are the original's.
package dissertation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// Baseline asks the model once, with exemplars: the prompting baseline of the dissertation, greedy and with at most 128
// new tokens. It may answer questions concurrently, as [loop.Agent] may. Source: dissertation.md §4.
type Baseline struct {
	Model  llm.Generator
	Schema *schema.Schema
	Guards guard.Set // none: the text is the answer, as the original had it
	Shots  []loop.Exemplar

	DB      tools.Querier    // checks and runs the answer; nil leaves that to who scores it
	OnEvent func(loop.Event) // as [loop.Agent] has it
}

// Run answers question. The Result of the Answer is nil if the query did not run.
func (b *Baseline) Run(ctx context.Context, question string) (loop.Answer, error) {
	r := loop.NewRecorder(question, b.OnEvent)
	r.Asked(nil)
	r.Step = 0
	err := b.run(ctx, r)
	return r.Done(), err
}

func (b *Baseline) run(ctx context.Context, r *loop.Recorder) error {
	chat, err := newChat("baseline", b.Schema, r)
	if err != nil {
		return err
	}
	for _, s := range b.Shots {
		chat.Add("user", "example", s)
		chat.Add("assistant", "answer", terminated(s))
	}
	chat.Add("user", "question", loop.Exemplar{Question: r.Answer.Question})
	if chat.Err != nil {
		return chat.Err
	}
	r.Prompt(chat.Messages)
	c, err := b.Model.Generate(ctx, chat.Messages, llm.Params{MaxTokens: 128})
	if err != nil {
		return err
	}
	r.Emit(loop.Event{Kind: loop.KindModel, Text: c.Text, OK: true, Cost: &c, Took: c.Took})
	sql := strings.TrimSpace(c.Text)
	if b.Guards != nil {
		c := loop.Guarded(b.Guards, sql, question.Read(r.Answer.Question, b.Schema), b.Schema)
		r.Emit(c.Guardrails())
		sql = c.SQL
	}
	if r.Answer.SQL = sql; sql == "" {
		return nil
	}
	if b.DB != nil {
		return b.execute(ctx, r)
	}
	r.Answer.How = loop.ByModel
	return nil
}

// execute checks the answer's query and runs it.
func (b *Baseline) execute(ctx context.Context, r *loop.Recorder) error {
	start := time.Now()
	q, v, err := sqlcheck.Check(r.Answer.SQL, b.Schema)
	var res runner.Result
	if err == nil && v.OK {
		res, v, err = loop.Execute(ctx, b.DB, q)
	}
	if err != nil {
		return fmt.Errorf("query: %w", err)
	}
	e := loop.Event{Kind: loop.KindTool, Tool: loop.Query, SQL: r.Answer.SQL, OK: v.OK, Reason: v.String(), Verdict: &v}
	if v.OK {
		r.Answer.Result, r.Answer.How = &res, loop.ByModel
		e.Reason, e.Text, e.Verdict = "", loop.Success(&res), nil
	}
	e.Took = time.Since(start)
	r.Emit(e)
	return nil
}

// terminated ends the query with a semicolon, as the original's exemplars were.
func terminated(e loop.Exemplar) loop.Exemplar {
	e.SQL = strings.TrimRight(strings.TrimSpace(e.SQL), ";") + ";"
	return e
}

// newChat begins with the system and the schema turn of a template of the dissertation's set.
func newChat(name string, s *schema.Schema, r *loop.Recorder) (*loop.Chat, error) {
	if err := loop.CheckQuestion(r.Answer.Question); err != nil {
		return nil, err
	}
	t, err := assets.Prompt("dissertation", name)
	if err != nil {
		return nil, err
	}
	c := &loop.Chat{Template: t}
	c.Add("system", "system", nil)
	c.Add("user", "schema", struct{ Schema string }{tools.SchemaText(s, tools.StyleSummary)})
	return c, nil
}

// React is the loop whose runs the dissertation published: the model runs queries until it is content. Messages,
// parser, order of checks and limits are the original's. It may answer questions concurrently, as [loop.Agent] may.
// Source: dissertation.md §1.3.
type React struct {
	Model    llm.Generator
	DB       tools.Querier
	Schema   *schema.Schema
	Guards   guard.Set       // for every query; the original's are the set "final"
	Shots    []loop.Exemplar // with their Results
	MaxSteps int             // 0 means ReactSteps
	Without  loop.Without    // what is switched off
	OnEvent  func(loop.Event)
}

// ReactSteps are the turns of [React] unless others are chosen.
const ReactSteps = 7

// maxRefinements is how many turns there are after the first success; another success ends the loop.
const maxRefinements = 1

// Run answers question with the last query that ran, else with the last one there was, whose Result is nil. It returns
// the partial Answer together with the error when ctx ends, the model fails or the database goes away.
func (r *React) Run(ctx context.Context, question string) (loop.Answer, error) {
	rec := loop.NewRecorder(question, r.OnEvent)
	rec.Asked(r.Without)
	err := r.run(ctx, rec)
	return rec.Done(), err
}

func (r *React) run(ctx context.Context, rec *loop.Recorder) error {
	chat, err := newChat("query", r.Schema, rec)
	if err != nil {
		return err
	}
	for _, s := range r.Shots {
		s = terminated(s)
		chat.Add("user", "example", s)
		chat.Add("assistant", "query", s)
		chat.Say("user", "Observation: "+loop.Success(s.Result))
		chat.Add("assistant", "finish", s)
	}
	chat.Add("user", "question", loop.Exemplar{Question: rec.Answer.Question})
	if chat.Err != nil {
		return chat.Err
	}
	ran, asked := 0, question.Read(rec.Answer.Question, r.Schema)
	for rec.Step = range cmp.Or(r.MaxSteps, ReactSteps) {
		rec.Prompt(chat.Messages)
		c, err := r.Model.Generate(ctx, chat.Messages, llm.Params{MaxTokens: 256})
		if err != nil {
			return err
		}
		action, sql := ParseTurn(c.Text)
		rec.Emit(loop.Event{Kind: loop.KindModel, Text: c.Text, Asked: action, OK: true, Cost: &c, Took: c.Took})
		chat.Say("assistant", c.Text)
		if action == tools.Finish {
			rec.Emit(loop.Event{Kind: loop.KindTool, Tool: tools.Finish, OK: true})
			if rec.Answer.Result != nil {
				rec.Answer.How = loop.ByFinish
			}
			return nil
		}
		mended := loop.Guarded(r.Guards, sql, asked, r.Schema)
		e := mended.Guardrails()
		rec.Emit(e)
		if e, err = r.query(ctx, mended.SQL, e.Reason, &rec.Answer); err != nil {
			return err
		}
		rec.Emit(e)
		chat.Say("user", "Observation: "+e.Text)
		if e.OK {
			if ran++; ran > maxRefinements || r.Without.Off("refinement") {
				return nil
			}
		}
	}
	return nil
}

var star = regexp.MustCompile(`(?i)\bselect\s+(?:distinct\s+)?(?:\w+\.)?\*`)

// query checks and runs sql and puts it into ans unless something there has run and this has not.
func (r *React) query(ctx context.Context, sql, reject string, ans *loop.Answer) (loop.Event, error) {
	start := time.Now()
	e := loop.Event{Kind: loop.KindTool, Tool: loop.Query, SQL: sql}
	refused := func(kind, why string) (loop.Event, error) {
		e.Reason, e.Text, e.Took = why, kind+" error: "+why, time.Since(start)
		if ans.Result == nil && sql != "" {
			ans.SQL = sql
		}
		return e, nil
	}
	switch {
	case sql == "" && reject != "cleaned":
		return refused("Validation", reject)
	case sql == "":
		return refused("Validation", "empty_sql")
	case star.MatchString(sql) && !r.Without.Off("star_check"):
		return refused("Validation", "select_star_forbidden")
	}
	q, v, err := sqlcheck.Check(sql, r.Schema)
	if err != nil {
		return e, fmt.Errorf("query: %w", err)
	}
	if !v.OK {
		e.Verdict = &v
		// the original let the server find it
		if v.Check == "parse" || v.Check == "refs" && v.Reason != "unknown_table" {
			return refused("Execution", v.String())
		}
		return refused("Validation", v.String())
	}
	res, err := r.DB.Query(ctx, q)
	if qe, ok := errors.AsType[*runner.QueryError](err); ok {
		return refused("Execution", label(qe))
	} else if err != nil {
		return e, fmt.Errorf("query: %w", err)
	}
	e.OK, e.Text, e.Took = true, loop.Success(&res), time.Since(start)
	ans.SQL, ans.Result, ans.How = sql, &res, loop.ByLastRun
	return e, nil
}

// labels of the refusals that the original names; others are shown as they are.
var labels = map[uint16]string{1064: "syntax_error", 1111: "invalid_group_function", 1241: "bad_subquery_shape",
	1242: "bad_subquery_shape"}

func label(e *runner.QueryError) string {
	if l := labels[e.Code]; l != "" {
		return l
	}
	return syntax.Clip(e.Error(), loop.MaxObservation)
}

var (
	turnLine    = regexp.MustCompile(`(?i)^[\s>*]*Action\s*:[\s*]*(query|finish)\b[\s*:]*(.*)$`)
	firstSelect = regexp.MustCompile(`(?is)\bselect\b[^;]*`)
)

// ParseTurn reads a turn of [React]: the last line with an action counts. SQL reaches from the first bracket of that
// line to the last, or to the line's end. Without an action the first SELECT of the text is a query.
func ParseTurn(text string) (action tools.Name, sql string) {
	for line := range strings.Lines(text) {
		m := turnLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		action, sql = tools.Name(strings.ToLower(m[1])), m[2]
		if i := strings.IndexByte(sql, '['); i >= 0 {
			sql = sql[i+1:]
		}
		if i := strings.LastIndexByte(sql, ']'); i >= 0 {
			sql = sql[:i]
		}
	}
	if action == "" {
		action, sql = loop.Query, firstSelect.FindString(text)
	}
	if sql = strings.TrimSpace(sql); sql != "" && !strings.HasSuffix(sql, ";") {
		sql += ";"
	}
	return action, sql
}
