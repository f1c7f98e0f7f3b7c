package loop

import (
	"time"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/question"
	"nl2sql/tools"
)

// How an answer came about.
const (
	ByFinish    = "finish"          // finish after a successful run
	ByLastRun   = "last_run"        // the steps ran out between a successful run and finish
	ByCandidate = "candidate"       // the steps ran out before the last candidate was run; it passed both checks since
	ByMismatch  = "intent_mismatch" // it ran, and the intent check doubts it
	ByFallback  = "fallback"        // the zero-shot candidate
	ByDryRun    = "not_run"         // it passed both checks, and a dry run keeps it from the database
	// of baseline: the model's text; nothing has checked or run it if there is no Result
	ByModel      = "model"
	ByBestEffort = "best_effort" // of retrieval: a limit ended it; the last query that was valid, else the last one
	ByHand       = "given"       // a person wrote the query; it passed the check and ran
	ByOrder      = "reordered"   // the last query in the other order, which was all that was asked; it ran
	ByBoth       = "compared"    // the last query and the one that was found now, side by side; it ran
	ByChoice     = "chosen"      // a person chose this reading instead of the likeliest; it passed the check and ran
)

// Answer is the end of a run.
type Answer struct {
	Question string
	Asked    string // as it was typed, where it goes on from another one: Question then has it in whole
	TakenAs  string // what it was then taken for, for a reader
	SQL      string // "" if there was never a candidate

	Read   *question.Question // what was asked, as it was read; nil of agents that do not read it
	Query  *sqlcheck.Query    // SQL as it passed the check; nil where the agent did not check it
	Result *runner.Result     // nil if there is no answer
	How    string             // "" if there is no answer

	// Refused says in one line why there is no answer, if that was decided and not merely found. SQL is then the best
	// candidate.
	Refused string

	Sentence   string        // what was found, in words of ours; "" where there is no result
	Unlinked   []string      // words of the question that neither the database nor the glossary seems to have
	Confidence float64       // how likely the answer is right, in (0,1); 0 if there was none to judge
	Doubts     []doubt.Doubt // what speaks against the answer
	Pair       *tools.Pair   // the verified one whose query it is, with other values at most; nil mostly
	Reads      []string      // what SQL reads: columns as table.column, and tables of which it names no column
	Trace      Trace
	Took       time.Duration // models that had to be loaded excluded
}

// Exemplar is a worked question that a few-shot prompt shows.
type Exemplar struct {
	Question, SQL string
	Result        *runner.Result // of SQL; only react shows it
}

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
