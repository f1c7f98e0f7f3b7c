package loop

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// React is the loop whose runs the dissertation published: the model runs queries until it is content. Wording is our
// own; messages, parser, order of checks and limits are the original's. Like [Agent], it may answer questions
// concurrently. Source: dissertation.md §1.3.
type React struct {
	Model    llm.Generator
	DB       tools.Querier
	Schema   *schema.Schema
	Guards   guard.Set   // for every query; the original's are the set "final"
	Shots    []Exemplar  // with their Results
	MaxSteps int         // 0 means 7
	Without  Without     // what is switched off
	OnEvent  func(Event) // as [Agent]'s
}

// query is the action that runs SQL; the other one is [tools.Finish].
const query tools.Name = "query"

// maxRefinements is how many turns there are after the first success; another success ends the loop.
const maxRefinements = 1

// Run answers question with the last query that ran, else with the last one there was, whose Result is nil. It returns
// the partial Answer together with the error when ctx ends, the model fails or the database goes away.
func (r *React) Run(ctx context.Context, question string) (Answer, error) {
	start := time.Now()
	ans := Answer{Question: question}
	ans.add(r.OnEvent, Event{Step: -1, Kind: KindQuestion, Text: question, OK: true})
	if len(r.Without) > 0 {
		ans.add(r.OnEvent, Event{Step: -1, Kind: KindWithout, OK: true, Reason: strings.Join(r.Without, ", ")})
	}
	err := r.run(ctx, &ans)
	ans.Took = time.Since(start)
	return ans, err
}

func (r *React) run(ctx context.Context, ans *Answer) error {
	if err := checkQuestion(ans.Question); err != nil {
		return err
	}
	p, err := newChat("query", r.Schema)
	if err != nil {
		return err
	}
	for _, s := range r.Shots {
		s = s.terminated()
		p.add("user", "example", s)
		p.add("assistant", "query", s)
		p.say("user", "Observation: "+success(s.Result))
		p.add("assistant", "finish", s)
	}
	p.add("user", "question", Exemplar{Question: ans.Question})
	if p.err != nil {
		return p.err
	}
	steps, ran := r.MaxSteps, 0
	if steps == 0 {
		steps = 7
	}
	for step := range steps {
		tell(r.OnEvent, step, p.msgs)
		c, err := r.Model.Generate(ctx, p.msgs, llm.Params{MaxTokens: 256})
		if err != nil {
			return err
		}
		action, sql := ParseTurn(c.Text)
		ans.add(r.OnEvent, Event{Step: step, Kind: KindModel, Text: c.Text, Asked: action, OK: true, Cost: &c, Took: c.Took})
		p.say("assistant", c.Text)
		if action == tools.Finish {
			ans.add(r.OnEvent, Event{Step: step, Kind: KindTool, Tool: tools.Finish, OK: true})
			if ans.Result != nil {
				ans.How = ByFinish
			}
			return nil
		}
		sql, e := mend(r.Guards, sql, ans.Question, r.Schema)
		e.Step = step
		ans.add(r.OnEvent, e)
		if e, err = r.query(ctx, sql, e.Reason, ans); err != nil {
			return err
		}
		e.Step = step
		ans.add(r.OnEvent, e)
		p.say("user", "Observation: "+e.Text)
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
func (r *React) query(ctx context.Context, sql, reject string, ans *Answer) (Event, error) {
	start := time.Now()
	e := Event{Kind: KindTool, Tool: query, SQL: sql}
	refused := func(kind, why string) (Event, error) {
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
		if v.Check == "parse" || v.Check == "refs" && v.Reason != "unknown_table" { // the original let the server find it
			return refused("Execution", v.String())
		}
		return refused("Validation", v.String())
	}
	res, err := r.DB.Query(ctx, q)
	if qe := (*runner.QueryError)(nil); errors.As(err, &qe) {
		return refused("Execution", label(qe))
	} else if err != nil {
		return e, fmt.Errorf("query: %w", err)
	}
	e.OK, e.Text, e.Took = true, success(&res), time.Since(start)
	ans.SQL, ans.Result, ans.How = sql, &res, ByLastRun
	return e, nil
}

// labels of the refusals that the original names; others are shown as they are.
var labels = map[uint16]string{1064: "syntax_error", 1111: "invalid_group_function", 1241: "bad_subquery_shape", 1242: "bad_subquery_shape"}

func label(e *runner.QueryError) string {
	if l := labels[e.Code]; l != "" {
		return l
	}
	return tools.Clip(e.Error(), maxObservation)
}

// success is what the model is told of a result: how many rows, of which columns, and the first two.
func success(res *runner.Result) string {
	if res == nil {
		return "Success"
	}
	rows := fmt.Sprint(len(res.Rows))
	if res.Truncated {
		rows = "more than " + rows
	}
	text := fmt.Sprintf("Success: %s rows; columns: %s; first rows:", rows, strings.Join(res.Columns, ", "))
	for _, row := range res.Rows[:min(2, len(res.Rows))] {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = render.CellText(cell)
		}
		text += " (" + strings.Join(cells, ", ") + ")"
	}
	return tools.Clip(text, maxObservation)
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
		action, sql = query, firstSelect.FindString(text)
	}
	if sql = strings.TrimSpace(sql); sql != "" && !strings.HasSuffix(sql, ";") {
		sql += ";"
	}
	return action, sql
}
