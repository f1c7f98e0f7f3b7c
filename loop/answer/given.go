package answer

import (
	"context"
	"strings"
	"time"

	"nl2sql/loop"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/question"
	"nl2sql/tools"
)

// Given answers a question with a query that no model wrote now: a person did ([loop.ByHand]), or chose it
// ([loop.ByChoice]). It passes the check that every query passes, runs, and what speaks against the query
// alone is told; how likely it is right is not known. Where the check or the database refuses it there is no answer,
// and [loop.Answer.Why] says what is wrong. An error is none of the query's.
func (d Database) Given(ctx context.Context, asked, how, sql string, events func(loop.Event)) (Answer, error) {
	r := loop.NewRecorder(asked, events)
	r.Asked(nil)
	sql = strings.TrimRight(sql, "; \n")
	r.Step, r.Answer.SQL = 0, sql
	q, v, err := sqlcheck.Check(sql, d.Schema)
	if err != nil {
		return Answer{Answer: r.Done(), Schema: d.Schema}, err
	}
	r.Emit(loop.Event{
		Kind: loop.KindTool, Tool: tools.ValidateSQL, OK: v.OK, Reason: v.String(), SQL: sql, Verdict: &v,
	})
	if !v.OK {
		return Answer{Answer: r.Done(), Schema: d.Schema}, nil
	}
	start := time.Now()
	res, v, err := loop.Execute(ctx, d.DB, q)
	if err != nil {
		r.Emit(loop.Event{Kind: loop.KindError, Text: err.Error()})
		return Answer{Answer: r.Done(), Schema: d.Schema}, err
	}
	r.Step++
	r.Emit(loop.Event{
		Kind: loop.KindTool, Tool: tools.RunSQL, OK: v.OK, Reason: v.String(), SQL: q.SQL(), Verdict: &v,
		Took: time.Since(start),
	})
	ans := Answer{Answer: r.Done(), Schema: d.Schema}
	if !v.OK {
		return ans, nil
	}
	ans.Result, ans.How, ans.Query = &res, how, &q
	doubts, _ := doubt.Of(loop.CaseOf(ans.Answer, question.Read("", d.Schema), nil))
	ans.Doubts = doubt.Told(doubts, 0, "")
	ans.Reads, ans.Sentence = q.Reads(), sentence(ans.Answer)
	return ans, nil
}
