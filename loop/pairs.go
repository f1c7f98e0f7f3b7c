package loop

import (
	"nl2sql/sqlcheck"
	"nl2sql/tools"
)

// ShownPairs are as many verified pairs as a prompt shows.
const ShownPairs = 4

// pairConfidence is how likely an answer is right whose query is that of a verified pair, with other values at most:
// of questions of one database that are alike but for values, as many have one query but for these (tools,
// TestRepeated).
const pairConfidence = 0.98

// repeated is the query of the verified pair whose question is the one asked, but for values: it is taken before a
// model writes one, and goes through the same checks. It is nil where there is none, and once it has failed.
func (r *Run) repeated(tool tools.Name) *Candidate {
	if tool != tools.GenerateSQL || r.pair != nil {
		return nil
	}
	pair, sql, ok := r.Pairs.Repeated(r.State.Asked)
	if r.pair = &pair; !ok {
		return nil
	}
	r.Emit(Event{Kind: KindPair, OK: true, Text: pair.Question, Reason: pair.Date, SQL: sql})
	r.taken = sql
	return &Candidate{Text: sql, SQL: sql, Guarded: sqlcheck.Pass("clean")}
}
