package loop

import (
	"context"
	"errors"
	"slices"
	"strings"

	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// Candidate is a text of the model, and what guards, checks and the database made of it.
type Candidate struct {
	Text    string // the model's
	SQL     string // the query that guards made of it; "" if they rejected it, or left nothing
	Changes []guard.Change
	Guarded sqlcheck.Verdict // why guards rejected it, if they did

	Known  tools.Known       // what checks and the database said of SQL, if they were asked; tools tell it again
	Intent *sqlcheck.Verdict // what the check of intent said; nil if it was not asked
}

// Guarded sends a text through guards (tech. ref. §4).
func Guarded(g guard.Set, text string, q *question.Question, s *schema.Schema) Candidate {
	c := Candidate{Text: text}
	c.SQL, c.Changes, c.Guarded = g.Apply(text, guard.Input{Question: q, Schema: s})
	if c.SQL = strings.TrimSpace(c.SQL); !c.Guarded.OK {
		c.SQL = ""
	}
	return c
}

// rejection is the event of guards that reject a text: why, and with which verdict.
func (c *Candidate) rejection(why string) Event {
	return Event{Kind: KindGuardrails, Reason: "clean_reject:" + why, Changes: c.Changes, Verdict: &c.Guarded}
}

// Guardrails is the event of guards that had the text.
func (c *Candidate) Guardrails() Event {
	if !c.Guarded.OK {
		return c.rejection(c.Guarded.String())
	}
	return Event{Kind: KindGuardrails, OK: true, Reason: "cleaned", SQL: c.SQL, Changes: c.Changes}
}

// Drawn is the event of a candidate that one of several calls of the model brought, before checks have seen it.
func (c *Candidate) Drawn(cost *llm.Completion) Event {
	e := c.Guardrails()
	e.Kind, e.OK, e.Text, e.Cost, e.Took = KindCandidate, false, c.Text, cost, cost.Took
	return e
}

// Guarded sends a text through the guards of the run.
func (r *Run) Guarded(text string) *Candidate {
	c := Guarded(r.Guards, text, r.State.Asked, r.Schema)
	return &c
}

// accept makes c the candidate of the run. It returns its query, or why there is none: a reject, or a text that has
// already failed.
func (r *Run) accept(c *Candidate) (sql, reject string) {
	why := ""
	failed := func(a tools.Attempt) bool { return a.SQL == c.SQL }
	switch {
	case !c.Guarded.OK:
		why = c.Guarded.String()
	case c.SQL == "":
		why = "empty"
	case !r.Without.Off("repeat_check") && slices.ContainsFunc(r.State.Failed, failed):
		why = "repeats_failed_sql"
	default:
		r.Emit(c.Guardrails())
		r.observe(c.SQL)
		return c.SQL, ""
	}
	e := c.rejection(why)
	r.Emit(e)
	r.observe(`{"error": "` + e.Reason + `", "hint": "answer with one SELECT statement"}`)
	return "", e.Reason
}

// Propose makes c the candidate of the run, as if tool had written it now.
func (r *Run) Propose(tool tools.Name, c *Candidate) {
	sql, reject := r.accept(c)
	r.State = r.State.next(tool, outcome{sql: sql, reject: reject, judged: c})
}

// Examine puts a candidate through both checks and, if it passes and this is no dry run, the database. What another
// candidate asked for is not asked again. An error is none of the query's.
func (r *Run) Examine(ctx context.Context, c *Candidate) (sqlcheck.Verdict, error) {
	q, v, err := sqlcheck.Check(c.SQL, r.Schema)
	if err != nil {
		return v, err
	}
	c.Known = tools.Known{Check: &v}
	if !v.OK {
		return v, nil
	}
	c.Known.Query = &q
	r.checked[c.SQL] = &q
	if r.State.Constraints != nil && !r.Without.offTool(tools.ValidateConstraints) {
		v := r.State.Constraints.Check(q.Stmt())
		if c.Known.Constraints = &v; !v.OK {
			return v, nil
		}
	}
	if r.DryRun {
		return v, nil
	}
	if c.Known.Result = r.foundBy(q); c.Known.Result != nil {
		return sqlcheck.Pass("run"), nil
	}
	res, err := r.DB.Query(ctx, q)
	if errors.As(err, &c.Known.Refused) {
		return refusal(c.Known.Refused), nil
	} else if err != nil {
		return v, err
	}
	c.Known.Result, r.found[q.SQL()] = &res, &res
	return sqlcheck.Pass("run"), nil
}

// foundBy is what the database found for a query in this run, nil if it was not asked. Two texts of one query may label
// their columns differently.
func (r *Run) foundBy(q sqlcheck.Query) *runner.Result {
	old := r.found[q.SQL()]
	if old == nil || len(q.Labels()) != len(old.Columns) {
		return old
	}
	res := *old
	res.Columns = q.Labels()
	return &res
}

// Intends is the check of intent of a candidate, asked once.
func (r *Run) Intends(c *Candidate) sqlcheck.Verdict {
	if c.Intent == nil {
		v := r.intent(c)
		c.Intent = &v
	}
	return *c.Intent
}

// Digest is that of a candidate's rows: equal ones answer alike. Their order counts where the query sorts.
func (r *Run) Digest(c *Candidate) string { return c.Known.Result.Digest(c.Known.Query.Sorted()) }

// Execute runs a checked query. An error is none of the query's.
func Execute(ctx context.Context, db tools.Querier, q sqlcheck.Query) (runner.Result, sqlcheck.Verdict, error) {
	res, err := db.Query(ctx, q)
	if qe, ok := errors.AsType[*runner.QueryError](err); ok {
		return res, refusal(qe), nil
	}
	return res, sqlcheck.Pass("run"), err
}

// refusal is the verdict of a database that refused a query.
func refusal(qe *runner.QueryError) sqlcheck.Verdict {
	v := sqlcheck.Reject("run", "execution_error", syntax.Clip(qe.Error(), MaxObservation))
	v.Code = qe.Code
	return v
}
