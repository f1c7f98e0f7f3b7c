package runs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/loop/dissertation"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/tools"
)

// Live is a run that is made: what to ask, of whom, and on what databases. The same Live gives the same RunFile, byte
// for byte (the card's date apart), whatever Parallel is and however often it was stopped and gone on with, as far as
// its model does: greedy, and exact whatever it has cached. Agents of scripted replies do so with Parallel 1 only.
//
// A grid of conditions and seeds is a Live each, with a folder each:
//
//	card := record.Card{Condition: "qwen_base_k3", Agent: "baseline", Shots: 3, Seed: "7", …}
//	run, err := Live{Card: card, …}.Run(ctx, dir)
//
// Run on a finished folder executes nothing and returns what it holds, so that a grid that was interrupted is made
// complete by the same calls.
type Live struct {
	Card   record.Card   // all but Version, Pool, Items, ItemCount and Started, which Run fills in
	Items  []item.Item   // all with IDs
	Pool   item.Pool     // of exemplars; not used if Card.Shots is 0
	Pairs  *Pairs        // verified ones; nil is none
	Scorer *score.Scorer // its databases are what the agent asks, too

	Ask Ask // is called concurrently

	Parallel int // questions at a time; 0 means 1

	// Progress is called in turn after each item with its record, and once before the first, with nil; it may be nil
	// itself.
	Progress func(done, total int, last *record.Record)
}

// Ask answers one question about one database.
type Ask func(ctx context.Context, x *score.Executor, q answer.Question) (loop.Answer, error)

// By lets an asker answer the questions of a run, about databases with one glossary.
func By(a *answer.Asker, notes tools.Notes) Ask {
	return func(ctx context.Context, x *score.Executor, q answer.Question) (loop.Answer, error) {
		ans, err := a.Ask(ctx, answer.Database{DB: x.DB, Schema: x.Schema, Notes: notes}, q, nil)
		return ans.Answer, err
	}
}

// Held is what dir has of the run: nothing, a part or all. A folder that holds another run is refused with what
// differs.
func (l Live) Held(dir string) (record.Run, error) { return record.Held(dir, l.card()) }

// card is Card with what the items say.
func (l Live) card() record.Card {
	c := l.Card
	c.Items, c.ItemCount, c.Pool = item.Hash(l.Items), len(l.Items), ""
	if c.Shots > 0 {
		c.Pool = l.Pool.Name
	}
	return c
}

// Run makes the run or what is missing of it. Every answer is in dir at once, in whole lines; an error ends the run,
// and what is there stays. A folder that holds another run is refused with what differs.
func (l Live) Run(ctx context.Context, dir string) (record.Run, error) {
	l.Card = l.card()
	draws, err := l.shots().Draw(l.Items)
	if err != nil {
		return record.Run{}, err
	}
	log, err := record.OpenLog(dir, l.Card)
	if err != nil {
		return record.Run{}, err
	}
	defer log.Close()
	var missing []int
	order := make([]string, len(l.Items))
	for i, it := range l.Items {
		if order[i] = it.ID; it.ID == "" {
			return record.Run{}, fmt.Errorf("item %d has no id", i+1)
		}
		if !log.Has(it.ID) {
			missing = append(missing, i)
		}
	}
	if len(missing) > 0 {
		if err := l.answerAll(ctx, log, draws, missing); err != nil {
			return record.Run{}, err
		}
	}
	if err := log.Finish(order); err != nil {
		return record.Run{}, err
	}
	return record.ReadRun(dir)
}

// shots are the exemplars of the run.
func (l Live) shots() answer.Shots {
	return answer.Shots{Agent: l.Card.Agent, K: l.Card.Shots, Seed: l.Card.Seed, Pool: l.Pool}
}

// answerAll works through the missing items, the first ones first. The first error ends the others.
func (l Live) answerAll(ctx context.Context, log *record.Log, draws item.Draws, missing []int) error {
	var mu sync.Mutex // of log and Progress
	report := func(last *record.Record) {
		if l.Progress != nil {
			l.Progress(log.Count(), len(l.Items), last)
		}
	}
	report(nil)
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, l.Parallel))
	for _, i := range missing {
		if groupCtx.Err() != nil {
			break
		}
		group.Go(func() error {
			if err := context.Cause(groupCtx); err != nil { // while it waited for its turn
				return err
			}
			rec, err := l.record(groupCtx, l.Items[i], draws[i])
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if err := log.Add(rec); err != nil {
				return err
			}
			report(&rec)
			return nil
		})
	}
	err := group.Wait()
	if ctx.Err() != nil { // then err says no more than that
		return context.Cause(ctx)
	}
	return err
}

// record answers one item and scores the answer.
func (l Live) record(ctx context.Context, it item.Item, draw []int) (record.Record, error) {
	ans, ids, err := l.answer(ctx, it, draw)
	tooLong := ""
	if errors.Is(err, llm.ErrContextFull) { // as sure to come again as any answer
		tooLong = err.Error()
	} else if err != nil {
		return record.Record{}, fmt.Errorf("item %s: %w", it.ID, err)
	}
	if ans.Refused != "" { // what it was is in the trace
		ans.SQL = ""
	}
	scored, err := l.score(ctx, it, ans)
	if err != nil {
		return record.Record{}, err
	}
	rec := record.Record{
		ID: it.ID, Question: it.Question, Gold: it.SQL, Family: it.Family, Database: it.Database,
		Raw: rawText(ans, l.Card.Agent), SQL: ans.SQL, Error: scored.Case.Pred.Error, GoldError: scored.Case.Gold.Error,
		Scores: scored.Scores, How: ans.How, Refused: ans.Refused, Confidence: ans.Confidence, Doubts: ans.Doubts,
		Exemplars: ids, Trace: ans.Trace, Took: ans.Took,
	}
	if tooLong != "" && ans.SQL == "" {
		rec.Error = tooLong
	}
	calls, cost := ans.Trace.Cost()
	rec.Calls, rec.Prompt, rec.Cached, rec.Output = calls, cost.PromptTokens, cost.CachedTokens, cost.OutputTokens
	rec.Drafted, rec.Accepted = cost.DraftedTokens, cost.AcceptedTokens
	for _, e := range ans.Trace {
		rec.Steps = max(rec.Steps, e.Step+1)
	}
	return rec, nil
}

// score scores an answer. An item without an answer is right where none is given.
func (l Live) score(ctx context.Context, it item.Item, ans loop.Answer) (score.Scored, error) {
	if !it.Refuse {
		return l.Scorer.Score(ctx, it, ans.SQL)
	}
	one := score.Score{VA: ans.Result == nil, EX: ans.Result == nil}
	out := score.Scored{Scores: map[string]score.Score{}}
	for _, p := range l.Scorer.Profiles {
		out.Scores[p.Name] = one
	}
	return out, nil
}

func (l Live) answer(ctx context.Context, it item.Item, draw []int) (ans loop.Answer, exemplars []string, err error) {
	x, err := l.Scorer.Databases.Executor(ctx, it.Database)
	if err != nil {
		return ans, nil, err
	}
	shots, exemplars, err := l.shots().Show(ctx, draw, l.find)
	if err != nil {
		return ans, nil, err
	}
	pairs, err := l.Pairs.Of(it, x.Schema)
	if err != nil {
		return ans, nil, err
	}
	ans, err = l.Ask(ctx, x, answer.Question{
		Text: it.Question, Behind: answer.Behind(it.Behind), Shots: shots, Pairs: pairs, Scored: true,
	})
	return ans, exemplars, err
}

// find is what an exemplar's query finds.
func (l Live) find(ctx context.Context, database, sql string) (*runner.Result, error) {
	x, err := l.Scorer.Databases.Executor(ctx, database)
	if err != nil {
		return nil, err
	}
	o, err := x.Run(ctx, sql)
	return o.Result, err
}

// rawText is the model's text that the answer's SQL was made of; the last one if there is none.
func rawText(ans loop.Answer, agent string) string {
	last, raw := "", ""
	for _, e := range ans.Trace {
		if e.Tool == loop.SubmitAnswer && e.SQL != "" {
			return e.SQL
		}
		// a vote's winner
		written := e.Kind == loop.KindTool && (e.Tool == tools.GenerateSQL || e.Tool == tools.RepairSQL)
		wrote := e.Cost != nil && e.Kind != loop.KindCandidate || written
		if wrote && e.Text != "" {
			if last = strings.TrimSpace(e.Text); agent == "react" {
				_, last = dissertation.ParseTurn(e.Text)
			}
		}
		if e.Kind == loop.KindGuardrails && e.OK && e.SQL == ans.SQL {
			raw = last
		}
	}
	if raw == "" || ans.How == loop.ByFallback { // its text comes after its guardrails
		raw = last
	}
	return raw
}
