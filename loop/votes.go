package loop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// ballot is a candidate of a vote.
type ballot struct {
	*Candidate
	digest  string  // of its rows; equal ones vote together
	weight  float64 // 1; emptyWeight without rows; 0 for what passed not every check, or did not run
	logprob float64 // logarithm of the probability of the model's text

	// question is the logarithm of the probability that the model gives to the question, read from the query; 0 where
	// it was not asked.
	question float64
}

// emptyWeight is that of a query that finds nothing: it often compares with a value that is not there.
const emptyWeight = 0.5

// party is the ballots that have the same rows.
type party struct {
	first  int     // its first ballot's place
	weight float64 // of all
	likely float64 // the same, each as much as its text is likely
	empty  bool    // there are no rows
}

// more is positive where p has more weight than q, and what finds rows more than what finds none.
func (p party) more(q party) int { return cmp.Or(p.finds(q), cmp.Compare(p.weight, q.weight)) }

// finds is positive where only p finds rows, and negative where only q does.
func (p party) finds(q party) int {
	switch {
	case p.empty && !q.empty:
		return -1
	case q.empty && !p.empty:
		return 1
	}
	return 0
}

// parties groups ballots by their rows, in the order of the first of each; those without weight are of none.
func parties(ballots []ballot) (out []party) {
	at := map[string]int{}
	likeliest := math.Inf(-1)
	for _, b := range ballots {
		if b.question < 0 {
			likeliest = max(likeliest, b.question)
		}
	}
	for i, b := range ballots {
		if b.weight == 0 {
			continue
		}
		p, known := at[b.digest]
		if !known {
			p = len(out)
			at[b.digest], out = p, append(out, party{first: i, empty: b.weight < 1})
		}
		out[p].weight += b.weight
		out[p].likely += b.weight * b.likelihood(likeliest)
	}
	return out
}

// likelihood says how much the model believes in a ballot: p(query | question)² · p(question | query)^½. A question has
// many more words than the queries differ in, so its probability is taken relative to likeliest, the greatest one of
// the vote, as a logarithm. A ballot whose question was not asked for has the first factor alone. Both exponents were
// chosen on questions made for it (evaluation/STEPS, "Votes").
func (b ballot) likelihood(likeliest float64) (question float64) {
	if b.question < 0 {
		question = b.question - likeliest
	}
	return math.Exp(2*b.logprob + 0.5*question)
}

// elect returns the place of the first candidate of the party that wins, or -1 if no candidate stands, and the share of
// its weight in all ballots.
func elect(ballots []ballot) (winner int, share float64) {
	all := parties(ballots)
	if len(all) == 0 {
		return -1, 0
	}
	// What finds rows wins over what finds none, however often it came; then the likelier; then more weight.
	best := slices.MaxFunc(all, func(p, q party) int {
		return cmp.Or(p.finds(q), cmp.Compare(p.likely, q.likely), cmp.Compare(p.weight, q.weight))
	})
	return best.first, best.weight / float64(len(ballots))
}

// agreed is the share of the party that has most, in all ballots; 0 if no candidate stands.
func agreed(ballots []ballot) float64 {
	all := parties(ballots)
	if len(all) == 0 {
		return 0
	}
	return slices.MaxFunc(all, party.more).weight / float64(len(ballots))
}

// settled says that no outcome of as many ballots as are left can change which party has most.
func settled(ballots []ballot, left int) bool {
	if left == 0 {
		return true
	}
	all := parties(ballots)
	if len(all) == 0 {
		return false
	}
	most := slices.MaxFunc(all, party.more)
	reaches := func(p party) bool { return p.first != most.first && !p.empty && p.weight+float64(left) >= most.weight }
	another := most.weight <= float64(left) // that is still to come may reach it
	return !most.empty && !another && !slices.ContainsFunc(all, reaches)
}

// Tries are the candidates that are drawn where the one that the model likes best has failed.
const Tries = 5

// quorum is the weight of those that must agree then, most of them: what one or two draws find is seldom better than
// what failed.
const quorum = 3

// NoCandidate is why there is none after a vote.
const NoCandidate = "no candidate stands"

// candidates is how many candidates tool chooses from now, and how many of them the model has written before.
func (r *Run) candidates(tool tools.Name) (n, skip int) {
	if tool != tools.GenerateSQL {
		return 1, 0
	}
	first := max(1, r.Votes)
	if r.writes++; r.writes == 1 {
		return first, 0
	}
	if r.State.Once {
		return first + Tries, first
	}
	return 1, 0
}

// vote has the model write n candidates for generate_sql, of which the first is greedy, and leaves out the first skip
// of them, which have failed before. Each goes through guards, checks and the database, and those with the same rows
// vote together. Where no more than half agree, the model writes as many again from a prompt that shows only the tables
// which the first ones read, and all of them vote.
//
// The winner is returned with what checks and the database said of it, so that the steps that follow need not ask them
// again. Where no candidate stands, the first that is a query is returned instead, and what is wrong with it is
// repaired. After a failure (skip is not 0) nil is returned where none stands, or too few agree.
func (r *Run) vote(ctx context.Context, n, skip int) (*Candidate, error) {
	env := r.Env()
	env.Err, env.Failed = "", nil                  // the prompt that the model knows best
	ballots := make([]ballot, len(r.State.Failed)) // they have had their vote
	for i, f := range r.State.Failed {
		ballots[i].Candidate = &Candidate{SQL: f.SQL}
	}
	old, shown := len(ballots), env
	ballots, err := r.draw(ctx, env, ballots, n, skip)
	if err != nil {
		return nil, err
	}
	if skip == 0 && agreed(ballots) <= majority && !r.Without.Off("relink") {
		texts := syntax.Map(ballots, func(b ballot) string { return cmp.Or(b.SQL, b.Text) })
		part, most := tools.Read(r.Schema, texts), len(r.Prompts.Shown(env).Tables)
		if few := len(part.Tables); 0 < few && few < most {
			r.Emit(Event{Kind: KindLinked, OK: true, Reason: "no majority", Tables: part.TableNames()})
			env.Read = part
			if ballots, err = r.draw(ctx, env, ballots, n, 0); err != nil {
				return nil, err
			}
		}
	}
	if err := r.reconstruct(ctx, shown, ballots); err != nil {
		return nil, err
	}
	i, share := elect(ballots)
	enough := i >= 0 && r.agree(share, len(ballots), skip)
	e := Event{Kind: KindVote, OK: enough, Share: share, Reason: NoCandidate}
	switch {
	case e.OK:
		e.Reason = fmt.Sprintf("candidate %d of %d, share %.2f", i+1-old, len(ballots)-old, share)
	case skip > 0:
		if i >= 0 {
			e.Reason, e.SQL, e.Digest = "too few candidates agree", ballots[i].SQL, ballots[i].digest
		}
		r.Emit(e)
		return nil, nil
	default:
		for i = 0; i < len(ballots)-1 && ballots[i].SQL == ""; i++ {
		}
	}
	chosen := ballots[i]
	e.SQL, e.Digest = chosen.SQL, chosen.digest
	r.Emit(e)
	if chosen.Text == "" { // nothing was written, or only what has failed before
		return nil, nil
	}
	return chosen.Candidate, nil
}

// reconstruct has the model say of each query that may win how likely the question is, read from the query: a query
// that leaves out a part of the question, or adds to it, is the answer to other words. It does nothing where no two
// results may win, and where the model tells no probabilities. (Yee, Dauphin and Auli, 2019, "Simple and Effective
// Noisy Channel Modeling for Neural Machine Translation")
func (r *Run) reconstruct(ctx context.Context, env tools.Env, ballots []ballot) error {
	model, ok := tells(r.Model)
	if !ok || r.Without.Off("reconstruct") {
		return nil
	}
	most, results := 0.0, map[string]bool{}
	for _, b := range ballots {
		most = max(most, b.weight)
	}
	for _, b := range ballots {
		if most > 0 && b.weight == most {
			results[b.digest] = true
		}
	}
	if len(results) < 2 {
		return nil
	}
	likely := map[string]float64{} // the question, by each query
	for _, b := range ballots {
		if _, known := likely[b.SQL]; known || b.weight < most {
			continue
		}
		msgs, err := r.Prompts.Reconstruct(env, b.SQL)
		if err != nil {
			return err
		}
		c, err := model.Score(ctx, msgs, r.Answer.Question)
		if errors.Is(err, llm.ErrContextFull) {
			return nil // the vote counts without
		} else if err != nil {
			return err
		}
		likely[b.SQL] = c.LogProb
		r.Emit(Event{
			Kind: KindReconstructed, OK: true, Reason: fmt.Sprintf("ln p %.2f", c.LogProb), SQL: b.SQL,
			Cost: &c, Took: c.Took,
		})
	}
	for i, b := range ballots {
		ballots[i].question = likely[b.SQL]
	}
	return nil
}

// agree reports whether the share of n ballots is enough for a winner.
func (r *Run) agree(share float64, n, skip int) bool {
	return skip == 0 || r.Without.Off("quorum") || share*float64(n) > quorum-emptyWeight/2
}

// majority is the share of all ballots above which those who agree are not asked again.
const majority = 0.5

// draw adds to ballots those of the n candidates for what env asks, without the first skip, until enough of them agree.
func (r *Run) draw(ctx context.Context, env tools.Env, ballots []ballot, n, skip int) ([]ballot, error) {
	msgs, err := r.Prompts.Generate(env)
	if err != nil {
		return nil, err
	}
	params := r.Prompts.VoteParams(r.Params, n)[skip:]
	all := len(ballots) + len(params)
	for c, err := range llm.Several(ctx, r.Model, msgs, params) {
		if err != nil {
			return nil, err
		}
		b, err := r.hold(ctx, c, ballots)
		if err != nil {
			return nil, err
		}
		ballots = append(ballots, b)
		if _, share := elect(ballots); settled(ballots, all-len(ballots)) && r.agree(share, len(ballots), skip) {
			break
		}
	}
	return ballots, nil
}

// hold makes a ballot of the model's next text. A query that stood before is not looked at again.
func (r *Run) hold(ctx context.Context, drawn llm.Completion, before []ballot) (ballot, error) {
	b := ballot{Candidate: r.Guarded(drawn.Text), logprob: drawn.LogProb}
	e := b.Drawn(&drawn)
	defer func() {
		e.Found = glance(b.Known.Result)
		r.Emit(e)
	}()
	if b.SQL == "" {
		return b, nil
	}
	for _, old := range before {
		if old.SQL == b.SQL {
			b.Candidate, b.digest, b.weight = old.Candidate, old.digest, old.weight
			e.OK, e.Digest, e.Reason = b.weight > 0, b.digest, "the same query again"
			return b, nil
		}
	}
	v, err := r.Examine(ctx, b.Candidate)
	if err != nil {
		return b, err
	}
	if c := otherwise(b.Candidate, guard.Input{Schema: r.Schema}, v); c != nil {
		other := r.Guarded(c.SQL)
		v2, err := r.Examine(ctx, other)
		if err != nil {
			return b, err
		}
		if v2.OK && !other.Known.Result.Empty() &&
			(b.Known.Result == nil || r.Digest(b.Candidate) != r.Digest(other)) {
			other.Changes = slices.Concat(b.Changes, []guard.Change{*c})
			b.Candidate, v = other, v2
			e.SQL, e.Changes = c.SQL, other.Changes
		}
	}
	if v.OK {
		v = r.Intends(b.Candidate)
	}
	if e.OK, e.Verdict, e.Reason = v.OK, &v, v.String(); !v.OK {
		return b, nil
	}
	b.digest = r.Digest(b.Candidate)
	res := b.Known.Result
	if b.weight = 1; res.Truncated { // what was cut off may differ
		b.digest += " of " + b.SQL
	}
	if res.Empty() {
		b.weight = emptyWeight
	}
	e.Digest, e.Reason = b.digest, res.RowCount()
	return b, nil
}

// severalRows is MySQL's number of the error of a subquery with more rows than the one that it may have.
const severalRows = 1242

// otherwise is another way to say a query that found nothing, that failed, or that may have found rows without what it
// sorts by, where there is one that means the same where it does not.
func otherwise(c *Candidate, in guard.Input, v sqlcheck.Verdict) *guard.Change {
	sql, res := c.SQL, c.Known.Result
	switch {
	case v.OK && doubt.Nothing(res.Rows) != "":
		return guard.NoNulls(sql, in)
	case v.Code == severalRows:
		return guard.ManyRows(sql, in)
	case v.OK:
		return guard.NoNullsFirst(*c.Known.Query, sql, in)
	}
	return nil
}

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
