package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/question"
	"nl2sql/tools"
)

// fallback ends a run whose steps ran out before finish (tech. ref. §7.4). In this order: what has run
// and passed every check; the last candidate, if it passes both checks and runs; what has run all the same; the zero-shot
// candidate, likewise.
// Nothing is answered that was not checked and executed.
func (r *run) fallback(ctx context.Context) error {
	if r.s.Ran == Passed {
		if r.Without.Off("last_run") {
			r.noAnswer("")
		} else {
			r.answer(ByLastRun, r.s.SQL, r.s.Result)
		}
		return nil
	}
	if !r.Without.Off("last_candidate") && r.s.SQL != "" && r.s.Valid != Failed && r.s.Ran == Unknown {
		if done, err := r.tryCandidate(ctx, ByCandidate, r.s.SQL); done || err != nil {
			return err
		}
	}
	if r.ran != nil && !r.Without.Off("mismatch") {
		r.answer(ByMismatch, r.ran.sql, &r.ran.result)
		return nil
	}
	if r.Without.Off("fallback") {
		r.noAnswer("")
		return nil
	}
	msgs, err := r.Prompts.Baseline(r.env())
	if err != nil {
		return err
	}
	if r.s.Once && r.writes > 0 { // what the model writes to the same prompt is known
		env := r.env()
		env.Err, env.Failed = "", nil
		known, err := r.Prompts.Generate(env)
		if err != nil {
			return err
		}
		if slices.Equal(msgs, known) {
			r.noAnswer("")
			return nil
		}
	}
	p := r.Prompts.SQLParams(r.Params)
	c, err := r.Model.Generate(ctx, msgs, p)
	if err != nil {
		return err
	}
	r.emit(Event{Kind: KindModel, Text: c.Text, OK: true, Cost: &c, Took: c.Took})
	sql, reject := r.guard(c.Text)
	if reject != "" {
		r.noAnswer(": " + reject)
		return nil
	}
	done, err := r.tryCandidate(ctx, ByFallback, sql)
	if err == nil && !done {
		r.noAnswer("")
	}
	return err
}

// noAnswer ends the run without one.
func (r *run) noAnswer(why string) {
	r.emit(Event{Kind: KindFallback, Reason: "no answer" + why, SQL: r.ans.SQL})
}

// answer ends the run with what sql gave.
func (r *run) answer(how, sql string, result *runner.Result) {
	r.emit(Event{Kind: KindFallback, OK: true, Reason: how, SQL: sql})
	r.ans.SQL, r.ans.Result, r.ans.How = sql, result, how
}

// tryCandidate checks and runs sql; done is false where either says no.
func (r *run) tryCandidate(ctx context.Context, how, sql string) (done bool, err error) {
	_, res, v, err := r.examine(ctx, sql)
	if err != nil {
		return false, fmt.Errorf("fallback: %w", err)
	}
	if !v.OK {
		r.emit(Event{Kind: KindFallback, Reason: how + ": " + v.String(), SQL: sql, Verdict: &v})
		return false, nil
	}
	if r.s.Once && how == ByCandidate && r.intent(sql).OK {
		how = ByLastRun
	}
	if r.DryRun {
		r.answer(ByDryRun, sql, nil)
	} else {
		r.answer(how, sql, &res)
	}
	return true, nil
}

// examine sends sql through both checks and, if it passes and this is no dry run, to the database. An error is none of the query's.
func (r *run) examine(ctx context.Context, sql string) (q sqlcheck.Query, res runner.Result, v sqlcheck.Verdict, err error) {
	q, v, err = sqlcheck.Check(sql, r.Schema)
	if err == nil && v.OK && r.s.Constraints != nil && !r.Without.offTool(tools.ValidateConstraints) {
		v = question.CheckConstraints(sql, *r.s.Constraints)
	}
	if err != nil || !v.OK || r.DryRun {
		return q, res, v, err
	}
	res, v, err = execute(ctx, r.DB, q)
	return q, res, v, err
}

// execute runs a checked query. An error is none of the query's.
func execute(ctx context.Context, db tools.Querier, q sqlcheck.Query) (runner.Result, sqlcheck.Verdict, error) {
	v := sqlcheck.Pass("run")
	res, err := db.Query(ctx, q)
	if qe := (*runner.QueryError)(nil); errors.As(err, &qe) {
		v = sqlcheck.Reject("run", "execution_error", tools.Clip(qe.Error(), maxObservation))
		v.Code, err = qe.Code, nil
	}
	return res, v, err
}
