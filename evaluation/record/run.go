package record

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"nl2sql/evaluation/score"
	"nl2sql/loop"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// Run is what one configuration answered to one list of items.
type Run struct {
	Name    string // of the file or folder it was read from
	Card    Card
	Records []Record // in item order
}

// Scores are those of one profile, in the order of the records; the zero value where it scored none.
func (r Run) Scores(profile string) []score.Score {
	return syntax.Map(r.Records, func(rec Record) score.Score { return rec.Scores[profile] })
}

// Outcome is how an answer ended.
type Outcome string

// The outcomes.
const (
	Right   Outcome = "right"
	Wrong   Outcome = "wrong"
	Refused Outcome = "refused" // no answer was given, whether the question has one or not
)

// Outcomes are all, in the order in which they are told.
var Outcomes = []Outcome{Right, Wrong, Refused}

// Outcome is how the answer ended by one profile.
func (r Record) Outcome(profile string) Outcome {
	switch {
	case r.Refused != "" || r.SQL == "":
		return Refused
	case r.Scores[profile].EX:
		return Right
	}
	return Wrong
}

// Card says what ran on what. It is line 1 of a results file; scores are never compared without it.
type Card struct {
	Version   int    `json:"nl2sql_run"` // of the format: 1
	Condition string `json:"condition"`  // what repetitions under other seeds share, e.g. "llama_base_k3"
	Agent     string `json:"agent"`      // "loop", "baseline", "react", "retrieval"
	Shots     int    `json:"k"`          // exemplars a question
	Seed      string `json:"seed"`       // of the exemplar draw, as written: Python seeds numbers and texts differently
	Pool      string `json:"pool"`       // of exemplars: "train", "test" or a file
	Guards    string `json:"guards"`     // guard.ParseSet's spec

	Commit    string            `json:"commit"`
	Binary    string            `json:"binary_sha256,omitempty"`
	Model     string            `json:"model"` // name; no folder of the machine
	ModelHash string            `json:"model_sha256,omitempty"`
	Adapter   string            `json:"adapter_sha256,omitempty"`
	Engine    map[string]string `json:"engine,omitempty"` // of the model: version, and what its bits follow from
	Prompts   map[string]string `json:"prompts_sha256,omitempty"`
	Items     string            `json:"items_sha256"`
	ItemCount int               `json:"n"`
	Backend   runner.Backend    `json:"backend"`
	Data      string            `json:"data_sha256,omitempty"` // of the database's content
	Replicas  int               `json:"replicas,omitempty"`
	Params    map[string]any    `json:"params,omitempty"`
	Machine   string            `json:"machine,omitempty"`
	Kernels   string            `json:"kernels,omitempty"` // the engine's; they change the time, no bit
	Started   time.Time         `json:"started,omitzero"`
}

// Record is one prediction and its scores.
type Record struct {
	ID        string                 `json:"id"` // of the item
	Question  string                 `json:"nlq"`
	Gold      string                 `json:"gold_sql"`
	Family    string                 `json:"family,omitempty"`
	Database  string                 `json:"database,omitempty"`
	Raw       string                 `json:"raw_sql"`  // the model's text
	SQL       string                 `json:"pred_sql"` // what was scored; "" if there is no answer
	Scores    map[string]score.Score `json:"scores"`   // by profile
	Error     string                 `json:"error,omitempty"`
	GoldError string                 `json:"gold_error,omitempty"`

	How        string        `json:"how,omitempty"` // loop.Answer's, as the next three
	Refused    string        `json:"refused,omitempty"`
	Confidence float64       `json:"confidence,omitempty"`
	Doubts     []doubt.Doubt `json:"doubts,omitempty"`

	Exemplars []string      `json:"exemplars,omitempty"`
	Steps     int           `json:"steps,omitempty"`
	Calls     int           `json:"model_calls,omitempty"`
	Prompt    int           `json:"prompt_tokens,omitempty"`
	Cached    int           `json:"cached_tokens,omitempty"` // of Prompt
	Output    int           `json:"output_tokens,omitempty"`
	Drafted   int           `json:"drafted_tokens,omitempty"`  // guessed before they were drawn
	Accepted  int           `json:"accepted_tokens,omitempty"` // of Drafted and of Output
	Took      time.Duration `json:"took_ns,omitempty"`
	Trace     loop.Trace    `json:"trace,omitempty"`
}

// Item is what a record says of its item.
func (r Record) Item() (item.Item, error) {
	if r.Gold == "" {
		return item.Item{}, fmt.Errorf("item %s has no gold query: only scores are recorded, and nothing can be run again", r.ID)
	}
	return item.Item{ID: r.ID, Database: r.Database, Family: r.Family, Question: r.Question, SQL: r.Gold}, nil
}

// Written is the text that the model wrote first: what came later, a repair say, depends on what guards and checks
// made of it. Runs without a trace of it have the text that the answer was made of, those that keep none the query
// that was scored.
func (r Record) Written() string {
	for _, e := range r.Trace {
		if e.Kind == loop.KindTool && e.Tool == tools.GenerateSQL && e.Text != "" {
			return e.Text
		}
	}
	return cmp.Or(r.Raw, r.SQL)
}

// Differs says where another answer to the same item parts from the recorded one, or "" if they are the same:
// which model call, and the words about it; or another part of the record.
func (r Record) Differs(now Record) string {
	r, _ = r.timeless()
	now, _ = now.timeless()
	texts := func(t loop.Trace) (out []string) {
		for _, e := range t {
			if e.Cost != nil {
				out = append(out, e.Text)
			}
		}
		return out
	}
	a, b := texts(r.Trace), texts(now.Trace)
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		x, y := strings.Fields(a[i]), strings.Fields(b[i])
		n := 0
		for n < min(len(x), len(y)) && x[n] == y[n] {
			n++
		}
		word := func(w []string) string {
			if n < len(w) {
				return strconv.Quote(syntax.Clip(w[n], 60))
			}
			return "its end"
		}
		if n == len(x) && n == len(y) {
			return fmt.Sprintf("model call %d: the same words, other blanks", i+1)
		}
		return fmt.Sprintf("model call %d, word %d: recorded %s, now %s", i+1, n+1, word(x), word(y))
	}
	if len(a) != len(b) {
		return fmt.Sprintf("recorded %d model calls, now %d", len(a), len(b))
	}
	for _, part := range []struct {
		name     string
		was, now any
	}{{"answer", r.SQL, now.SQL}, {"way to the answer", r.How, now.How}, {"steps", r.Steps, now.Steps},
		{"prompt tokens", r.Prompt, now.Prompt}, {"output tokens", r.Output, now.Output}} {
		if part.was != part.now {
			return fmt.Sprintf("%s: recorded %s, now %s", part.name, shown(part.was), shown(part.now))
		}
	}
	return ""
}

// timeless is r without what another run of the same item would have otherwise, and that.
func (r Record) timeless() (Record, timing) {
	t := timing{r.ID, r.Took, r.Cached, r.Drafted, r.Accepted}
	r.Took, r.Cached, r.Drafted, r.Accepted = 0, 0, 0, 0
	r.Trace = slices.Clone(r.Trace)
	for i := range r.Trace {
		e := &r.Trace[i]
		e.Took = time.Duration(0)
		if e.Cost != nil {
			cost := *e.Cost
			cost.Took, cost.CachedTokens, cost.DraftedTokens, cost.AcceptedTokens = 0, 0, 0, 0
			e.Cost = &cost
		}
	}
	return r, t
}
