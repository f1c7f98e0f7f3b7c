// Package candidates has the seeds' candidate-ranking agent: the model writes several queries, and of those that run
// the one is taken whose words fit the question's best. Guards, checks, prompts and tools are the loop's.
package candidates

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
	"nl2sql/tools"
)

// Agent has the model write several queries and takes the one whose words fit the question's best, of those that run.
// Rounds, score, reflection and their options are the seeds'; guards, checks, prompts and what an answer is worth are
// the loop's, and the query that is taken goes through its tools in their order. Of the fields of [loop.Agent] Plan,
// MaxSteps, Votes and Params say nothing here. Source: dissertation.md §3; the seeds' engineering log, 3.5 and 3.9 to
// 3.15.
type Agent struct {
	loop.Agent
	Options Options
	Shots   []loop.Exemplar
}

// Run answers question. As [loop.Agent.Run] does, it returns the partial Answer together with an error.
func (a *Agent) Run(ctx context.Context, question string) (loop.Answer, error) {
	own := a.Agent
	own.Params = llm.Params{MaxTokens: a.Options.MaxNewTokens}
	if !a.Options.ProjectionContract {
		projects := func(g guard.Guard) bool { return strings.HasSuffix(g.Name, "projection") }
		own.Guards = slices.DeleteFunc(slices.Clone(own.Guards), projects)
	}
	k := &ranking{
		Run: loop.NewRun(own, question), o: a.Options, shots: a.Shots[:min(len(a.Shots), a.Options.MaxExemplars)],
		known: map[string]*candidate{},
	}
	return k.End(k.rank(ctx))
}

// ranking is one question on its way.
type ranking struct {
	*loop.Run
	o       Options
	shots   []loop.Exemplar
	score   *scorer
	known   map[string]*candidate // by SQL: what stood before is not looked at again
	sampled uint32                // candidates so far
	history []tools.Attempt       // what the model is told of earlier rounds
	best    *candidate            // nil while none stands
	first   []llm.Message         // the prompt of the first round
}

// candidate is a query that the model proposes, with its score.
type candidate struct {
	*loop.Candidate
	event   loop.Event // of the trace: the text, the query, the score, and whether it stands
	parts   loop.Features
	missing []string
	verdict sqlcheck.Verdict // why it does not stand
	fixes   bool             // it came of a reflection
}

func (k *ranking) rank(ctx context.Context) error {
	if declined, err := k.Begin(); declined || err != nil {
		return err
	}
	k.Emit(loop.Event{Kind: loop.KindOptions, OK: true, Text: k.o.String(), Reason: k.o.chosen()})
	for _, tool := range []tools.Name{tools.GetSchema, tools.LinkSchema, tools.ExtractConstraints} {
		if k.Without.Off(string(tool)) || tool == tools.LinkSchema && !k.o.SchemaSubset {
			continue
		}
		if err := k.Do(ctx, tool); err != nil {
			return err
		}
	}
	k.score = newScorer(k.State.Asked, k.Prompts.Notes)
	for k.Step = 0; k.Step < k.o.MaxSteps; k.Step++ {
		if err := k.round(ctx); err != nil {
			return err
		}
		if k.best != nil && (k.o.AcceptScore == nil || k.best.event.Score >= *k.o.AcceptScore) {
			return k.take(ctx, loop.ByFinish)
		}
	}
	k.Step--
	if k.best != nil {
		return k.take(ctx, loop.ByScore)
	}
	asked, err := k.Prompts.Generate(k.Run.Env())
	if err != nil {
		return err
	}
	return k.Fallback(ctx, slices.Equal(asked, k.first))
}

// round has candidates written, and the failure of all of them mended; it sets the best, and what the next round is
// told.
func (k *ranking) round(ctx context.Context) error {
	msgs, err := k.prompt()
	if err != nil {
		return err
	}
	if k.first == nil {
		k.first = msgs
	}
	all, err := k.draw(ctx, msgs, k.o.NumCands, k.o.HardIntent)
	if err != nil {
		return err
	}
	failed := mostTelling(all)
	best := k.choose(all, failed)
	if best == nil && failed != nil && k.o.Reflect && !k.Without.Off(string(tools.RepairSQL)) {
		if all, err = k.reflect(ctx, failed); err != nil {
			return err
		}
		for _, c := range all {
			c.fixes = true
		}
		best = k.choose(all, mostTelling(all))
	}
	switch {
	case best != nil:
		k.remember(best.event.SQL, best.observation(k.o))
	case failed != nil:
		k.remember(failed.event.SQL, failed.verdict.Advice())
	}
	if best != nil && (k.best == nil || best.event.Score > k.best.event.Score) {
		k.best = best
	}
	return nil
}

// maxAttempt bounds what a prompt repeats of an earlier attempt, in bytes of its query and of what came of it.
const maxAttempt = 500

// remember keeps what came of a query for the next round.
func (k *ranking) remember(sql, why string) {
	k.history = append(k.history, tools.Attempt{SQL: tools.Clip(sql, maxAttempt), Err: tools.Clip(why, maxAttempt)})
	k.history = k.history[max(0, len(k.history)-k.o.HistoryItems):]
}

// observation is what the next round is told of a candidate that runs and is not good enough; "" if it is.
func (c *candidate) observation(o Options) string {
	if o.AcceptScore == nil || c.event.Score >= *o.AcceptScore {
		return ""
	}
	text := fmt.Sprintf("it scores %.2f, and %.2f is wanted", c.event.Score, *o.AcceptScore)
	if len(c.missing) > 0 {
		text += "; it lacks " + strings.Join(c.missing, ", ")
	}
	return text
}

// env is what prompts of this agent are made of.
func (k *ranking) env() tools.Env {
	env := k.Run.Env()
	env.Failed = k.history
	return env
}

// prompt is that of a round: as generate_sql has it, with exemplars as turns before the question.
func (k *ranking) prompt() ([]llm.Message, error) {
	env := k.env()
	if k.o.SchemaSubset && k.State.Focus != nil {
		env.Schema = k.State.Focus
	}
	msgs, err := k.Prompts.Generate(env)
	if err != nil {
		return nil, err
	}
	last := len(msgs) - 1
	asked := msgs[last]
	msgs = msgs[:last:last]
	for _, shot := range k.shots {
		shown, err := k.Prompts.Generate(tools.Env{Asked: question.Read(shot.Question, env.Schema), Schema: env.Schema})
		if err != nil {
			return nil, err
		}
		msgs = append(msgs, shown[len(shown)-1],
			llm.Message{Role: "assistant", Content: strings.TrimRight(strings.TrimSpace(shot.SQL), ";")})
	}
	return append(msgs, asked), nil
}

// draw has the model write n candidates, the greedy one first, and holds the best of them, by their words, against
// checks, database and intent. Each is an event, whatever ends the round.
func (k *ranking) draw(ctx context.Context, msgs []llm.Message, n int, hard bool) ([]*candidate, error) {
	var all []*candidate
	defer func() {
		for _, c := range all {
			k.Emit(c.event)
		}
	}()
	if !k.o.DoSample {
		n = 1
	}
	params := make([]llm.Params, n)
	for i := range params {
		params[i] = k.Prompts.SQLParams(k.Params)
		if i > 0 {
			params[i].Temperature, params[i].TopP, params[i].Seed = float32(k.o.Temperature), float32(k.o.TopP),
				k.o.Seed+k.sampled
			k.sampled++
		}
	}
	var fresh []*candidate
	for c, err := range llm.Several(ctx, k.Model, msgs, params) {
		if err != nil {
			return all, err
		}
		next, isNew := k.read(c)
		if all = append(all, next); isNew {
			fresh = append(fresh, next)
		}
	}
	for _, c := range k.prefilter(fresh) {
		if err := k.hold(ctx, c, hard); err != nil {
			return all, err
		}
	}
	for _, c := range all { // a query that is there again stands or falls with the first
		if old := k.known[c.event.SQL]; old != nil && old != c {
			c.event.OK, c.event.Digest = old.event.OK, old.event.Digest
			c.event.Score, c.event.Features = old.event.Score, old.event.Features
			c.missing, c.verdict, c.Candidate = old.missing, old.verdict, old.Candidate
		}
	}
	return all, nil
}

// read makes a candidate of the model's next text: what guards leave of it, and its score. isNew is false for what is
// no query, or stood before.
func (k *ranking) read(c llm.Completion) (next *candidate, isNew bool) {
	next = &candidate{Candidate: k.Guarded(c.Text)}
	next.event = next.Drawn(&c)
	switch old := k.known[next.SQL]; {
	case next.SQL == "" && next.Guarded.OK:
		next.event.Reason = "clean_reject:empty"
		return next, false
	case next.SQL == "":
		return next, false
	case old != nil:
		next.event.Reason = "the same query again"
		return next, false
	}
	k.known[next.SQL] = next
	next.event.Reason = "not run"
	next.parts, next.missing = k.score.of(next.SQL, k.o.ColumnPenalty)
	k.rate(next)
	return next, true
}

// rate sets the score.
func (k *ranking) rate(c *candidate) {
	if c.event.Score = total(c.parts); k.o.Verbose {
		c.event.Features = c.parts
	}
}

// prefilter leaves those that may run: where there are more than that, the best by their score, of equal ones the
// first.
func (k *ranking) prefilter(fresh []*candidate) []*candidate {
	if len(fresh) <= k.o.MaxExecCands {
		return fresh
	}
	ranked := slices.Clone(fresh)
	slices.SortStableFunc(ranked, byScore)
	for _, c := range ranked[k.o.MaxExecCands:] {
		delete(k.known, c.event.SQL) // another round may run it
		c.event.Reason = fmt.Sprintf("score %.2f: not among the best %d", c.event.Score, k.o.MaxExecCands)
	}
	may := ranked[:k.o.MaxExecCands]
	return slices.DeleteFunc(fresh, func(c *candidate) bool { return !slices.Contains(may, c) }) // in their order
}

// byScore puts the better candidate first.
func byScore(a, b *candidate) int {
	switch {
	case a.event.Score > b.event.Score:
		return -1
	case a.event.Score < b.event.Score:
		return 1
	}
	return 0
}

// hold sends a candidate through checks, database and the check of intent. hard has what surely misses the intent
// rejected; else that, and what seems to, costs.
func (k *ranking) hold(ctx context.Context, c *candidate, hard bool) error {
	e := &c.event
	v, err := k.Examine(ctx, c.Candidate)
	if err != nil {
		e.Reason = "the run ended here"
		return err
	}
	if v.OK {
		if v = k.Intends(c.Candidate); v.Reason != "" && !(hard && !v.OK) {
			c.parts["intent"], v.OK = -k.o.IntentPenalty, true
			k.rate(c)
		}
	}
	e.OK, e.Verdict, c.verdict = v.OK, &v, v
	if e.Reason = v.String(); !v.OK {
		return nil
	}
	e.Reason = fmt.Sprintf("score %.2f", e.Score)
	if v.Reason != "" {
		e.Reason += ", " + v.String()
	}
	if k.DryRun {
		return nil
	}
	e.Reason += ", " + c.Known.Result.RowCount()
	e.Digest = k.Digest(c.Candidate)
	return nil
}

// choose takes the best candidate that stands, of equal ones the first; nil if there is none, and then failed says why.
func (k *ranking) choose(all []*candidate, failed *candidate) *candidate {
	at := -1
	for i, c := range all {
		if c.event.OK && (at < 0 || c.event.Score > all[at].event.Score) {
			at = i
		}
	}
	if at < 0 {
		e := loop.Event{Kind: loop.KindVote, Reason: loop.NoCandidate}
		if failed != nil {
			e.SQL, e.Verdict = failed.event.SQL, &failed.verdict
		}
		k.Emit(e)
		return nil
	}
	best, agree := all[at], 0
	for _, c := range all {
		if c.event.OK && c.event.Digest == best.event.Digest {
			agree++
		}
	}
	why := fmt.Sprintf("candidate %d of %d, score %.2f", at+1, len(all), best.event.Score)
	if low := best.observation(k.o); low != "" {
		why += ": " + low
	}
	k.Emit(loop.Event{
		Kind: loop.KindVote, OK: true, SQL: best.event.SQL, Digest: best.event.Digest, Score: best.event.Score,
		Share: float64(agree) / float64(len(all)), Reason: why,
	})
	return best
}

// take sends the best candidate through the tools as the loop does; they tell what it was held against before. how says
// how the answer came about if nothing speaks against it.
func (k *ranking) take(ctx context.Context, how string) error {
	tool := tools.GenerateSQL
	if k.best.fixes {
		tool = tools.RepairSQL
	}
	k.Emit(loop.Event{Kind: loop.KindTool, Tool: tool, OK: true, Text: k.best.Text})
	k.Propose(tool, k.best.Candidate)
	k.Answer.SQL = k.State.SQL
	for {
		next := k.State.Required()
		if next != tools.ValidateSQL && next != tools.ValidateConstraints && next != tools.RunSQL {
			break
		}
		if next == tools.RunSQL && k.DryRun {
			k.Settle(loop.ByDryRun, k.State.SQL, nil)
			return nil
		}
		if err := k.Do(ctx, next); err != nil {
			return err
		}
	}
	switch {
	case k.State.Ran != loop.Passed:
		k.SettleMismatch()
	case how != loop.ByFinish:
		k.Settle(how, k.State.SQL, k.State.Result)
	default:
		k.Answer.Result, k.Answer.How = k.State.Result, how
		return k.Do(ctx, tools.Finish)
	}
	return nil
}
