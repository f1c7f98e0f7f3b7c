package loop

import (
	"time"

	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// Kind says which fields of an Event are set.
type Kind string

// The kinds of event, with the fields that each sets.
const (
	KindQuestion Kind = "question" // Text
	KindWithout  Kind = "without"  // Reason: what is switched off
	KindModel    Kind = "model"    // Text: the raw reply; Asked: the action it names; Cost
	KindGate     Kind = "gate"     // Gate, Asked, and either Tool (forced) or Text (blocked); Reason
	KindTool     Kind = "tool"     // Tool, Args, Text: the observation; OK, Reason, Verdict, SQL, Cost

	// KindPrompt is told and not kept in a trace: it is long, and follows from the rest. Prompt: what the model reads
	// next.
	KindPrompt Kind = "prompt"
	// KindWriting is told and not kept in a trace. Text: what the model has written until now, of several texts that it
	// writes at once one.
	KindWriting Kind = "writing"
	// KindCandidate is of a vote. Text: the raw reply; OK: it stands; Reason, SQL, Changes, Verdict, Digest, Found,
	// Cost.
	KindCandidate Kind = "candidate"
	// KindLinked is of a vote without a majority. Tables: what its candidates read; others are written from these
	// alone.
	KindLinked Kind = "linked"
	// KindReconstructed is of a vote. SQL: a candidate's query; Cost: its LogProb is that of the question, read from
	// the query.
	KindReconstructed Kind = "reconstructed"

	// KindPair is of a question that repeats that of a verified pair. Text: the pair's question; Reason: its date; SQL:
	// its query with the values that are asked for.
	KindPair Kind = "pair"

	KindVote       Kind = "vote"       // OK: there is a winner; Reason, SQL, Digest, Share
	KindGuardrails Kind = "guardrails" // OK, Reason, SQL: the accepted candidate; Changes
	KindIntent     Kind = "intent"     // OK, Reason, Verdict
	KindFallback   Kind = "fallback"   // OK, Reason, SQL: the run's end without finish
	KindConfidence Kind = "confidence" // OK: the answer is given; Reason: the probability, Features, Doubts
	KindRefusal    Kind = "refusal"    // Reason: why the question gets no answer; SQL: the best candidate
	KindReading    Kind = "reading"    // OK, Reason: what another reading of the question found; SQL
	KindError      Kind = "error"      // Text: why the run could not go on
)

// Tools of agents that keep no order, as traces name them.
const (
	Query          tools.Name = "query"           // of the dissertation's agents, and what others run at their end
	RetrieveTables tools.Name = "retrieve_tables" // of retrieval, as is
	SubmitAnswer   tools.Name = "submit_answer"
)

// Event is one line of a trace. Events are only ever appended, and the trace is the
// only record of a run: decision log, compliance flags and scores are computed from it.
type Event struct {
	Step        int                   `json:"step"` // 0-based; -1 during bootstrap
	Kind        Kind                  `json:"kind"`
	Tool        tools.Name            `json:"tool,omitempty"`
	Asked       tools.Name            `json:"asked,omitempty"` // what the plan or the model wanted
	Gate        GateID                `json:"gate,omitempty"`
	Args        string                `json:"args,omitempty"` // JSON, as the model wrote it
	OK          bool                  `json:"ok"`
	Reason      string                `json:"reason,omitempty"`
	Text        string                `json:"text,omitempty"`
	SQL         string                `json:"sql,omitempty"`
	Tables      []string              `json:"tables,omitempty"` // get_schema, link_schema, retrieve_tables, linked
	Scores      []float64             `json:"scores,omitempty"` // of Tables; retrieve_tables
	Total       int                   `json:"total,omitempty"`  // tables that there are; retrieve_tables
	Verdict     *sqlcheck.Verdict     `json:"verdict,omitempty"`
	Constraints *question.Constraints `json:"constraints,omitempty"`
	Changes     []guard.Change        `json:"changes,omitempty"`
	Digest      string                `json:"digest,omitempty"` // of a candidate's rows
	Found       *Glance               `json:"found,omitempty"`  // those rows; told, and not kept in a trace
	Share       float64               `json:"share,omitempty"`  // of all candidates' weight that voted for the winner
	Features    Features              `json:"features,omitempty"`
	Doubts      []doubt.Doubt         `json:"doubts,omitempty"`
	Prompt      []llm.Message         `json:"prompt,omitempty"`
	Cost        *llm.Completion       `json:"cost,omitempty"`
	Took        time.Duration         `json:"took_ns,omitempty"`
}

// Glance is what a reader sees of rows in passing: the first few as texts, of which long ones are cut.
type Glance struct {
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
	Count   string     `json:"count"` // of all, in words
}

// Bounds of a Glance: rows, columns, and bytes of a text.
const glanceRows, glanceColumns, glanceText = 3, 6, 60

// glance is what is seen of a result; nil if there is none.
func glance(res *runner.Result) *Glance {
	if res == nil {
		return nil
	}
	n := min(glanceColumns, len(res.Columns))
	g := &Glance{Columns: res.Columns[:n], Rows: [][]string{}, Count: res.RowCount()}
	for _, row := range res.Rows[:min(glanceRows, len(res.Rows))] {
		cell := func(v any) string { return syntax.Clip(render.CellText(v), glanceText) }
		g.Rows = append(g.Rows, syntax.Map(row[:n], cell))
	}
	return g
}

// Trace is every event of one question, in order.
type Trace []Event

// Cost sums the model calls of t.
func (t Trace) Cost() (calls int, total llm.Completion) {
	for _, e := range t {
		if e.Cost == nil {
			continue
		}
		calls++
		total.PromptTokens += e.Cost.PromptTokens
		total.CachedTokens += e.Cost.CachedTokens
		total.OutputTokens += e.Cost.OutputTokens
		total.DraftedTokens += e.Cost.DraftedTokens
		total.AcceptedTokens += e.Cost.AcceptedTokens
		total.Took += e.Cost.Took
	}
	return calls, total
}
