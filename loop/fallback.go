package loop

import (
	"context"
	"fmt"
	"slices"

	"nl2sql/runner"
)

// Fallback ends a run whose steps ran out before finish (tech. ref. §7.4). In this order: what has run and passed every
// check; the last candidate, if it passes both checks and runs; what has run all the same; the zero-shot candidate,
// likewise. known says that the model was asked for its greedy candidate before, so that a zero-shot prompt which is
// the same brings nothing new. Nothing is answered that was not checked and executed.
func (r *Run) Fallback(ctx context.Context, known bool) error {
	if r.State.Ran == Passed {
		if r.Without.Off("last_run") {
			r.noAnswer("")
		} else {
			r.Settle(ByLastRun, r.State.SQL, r.State.Result)
		}
		return nil
	}
	if !r.Without.Off("last_candidate") && r.State.SQL != "" && r.State.Valid != Failed && r.State.Ran == Unknown {
		if done, err := r.tryCandidate(ctx, ByCandidate, r.State.Judged); done || err != nil {
			return err
		}
	}
	if r.SettleMismatch() {
		return nil
	}
	if r.Without.Off("fallback") {
		r.noAnswer("")
		return nil
	}
	msgs, err := r.Prompts.Baseline(r.Env())
	if err != nil {
		return err
	}
	if known { // what the model writes to the same prompt
		env := r.Env()
		env.Err, env.Failed = "", nil
		asked, err := r.Prompts.Generate(env)
		if err != nil {
			return err
		}
		if slices.Equal(msgs, asked) {
			r.noAnswer("")
			return nil
		}
	}
	p := r.Prompts.SQLParams(r.Params)
	c, err := r.Model.Generate(ctx, msgs, p)
	if err != nil {
		return err
	}
	r.Emit(Event{Kind: KindModel, Text: c.Text, OK: true, Cost: &c, Took: c.Took})
	zeroShot := r.Guarded(c.Text)
	if _, reject := r.accept(zeroShot); reject != "" {
		r.noAnswer(": " + reject)
		return nil
	}
	done, err := r.tryCandidate(ctx, ByFallback, zeroShot)
	if err == nil && !done {
		r.noAnswer("")
	}
	return err
}

// noAnswer ends the run without one.
func (r *Run) noAnswer(why string) {
	r.Emit(Event{Kind: KindFallback, Reason: "no answer" + why, SQL: r.Answer.SQL})
}

// Settle ends the run with what sql gave.
func (r *Run) Settle(how, sql string, result *runner.Result) {
	r.Emit(Event{Kind: KindFallback, OK: true, Reason: how, SQL: sql})
	r.Answer.SQL, r.Answer.Result, r.Answer.How = sql, result, how
}

// SettleMismatch ends the run with the last query that ran, though the check of intent doubts it. done is false where
// none ran.
func (r *Run) SettleMismatch() (done bool) {
	if r.ran == nil || r.Without.Off("mismatch") {
		return false
	}
	r.Settle(ByMismatch, r.ran.sql, r.ran.result)
	return true
}

// tryCandidate checks and runs c; done is false where either says no.
func (r *Run) tryCandidate(ctx context.Context, how string, c *Candidate) (done bool, err error) {
	v, err := r.Examine(ctx, c)
	if err != nil {
		return false, fmt.Errorf("fallback: %w", err)
	}
	if !v.OK {
		r.Emit(Event{Kind: KindFallback, Reason: how + ": " + v.String(), SQL: c.SQL, Verdict: &v})
		return false, nil
	}
	if r.State.Once && how == ByCandidate && r.Intends(c).OK {
		how = ByLastRun
	}
	if r.DryRun {
		how = ByDryRun
	}
	r.Settle(how, c.SQL, c.Known.Result)
	return true, nil
}
