package loop

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"nl2sql/assets"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// Features are what is known of a run at its end, without the right answer, by name. One that is missing is not known.
type Features map[string]float64

// Scale says what a model makes of one feature: Weight times (value − Mean) ÷ Spread, and nothing of one that is
// missing.
type Scale struct {
	Name   string  `json:"name"`
	Mean   float64 `json:"mean"`
	Spread float64 `json:"spread"`
	Weight float64 `json:"weight"`
}

// Logistic is a model of how likely something is.
type Logistic struct {
	Bias  float64 `json:"bias"`
	Scale []Scale `json:"features"`
}

// Confidence is a model of how likely an answer is right, and one of how likely its question has an answer at all.
// `nl2sql confidence --fit` makes both of runs.
type Confidence struct {
	From       string    `json:"from"`       // what it was fitted on
	Answerable *Logistic `json:"answerable"` // null is certain
	Right      Logistic  `json:"right"`
}

// Of is the probability that an answer with these features is right.
func (c Confidence) Of(f Features) float64 { return c.Right.Of(f) }

// HasAnswer is the probability that the question has an answer in this database.
func (c Confidence) HasAnswer(f Features) float64 {
	if c.Answerable == nil {
		return 1
	}
	return c.Answerable.Of(f)
}

// Of is the probability that what the model is about is so.
func (l Logistic) Of(f Features) float64 {
	z := l.Bias
	for _, s := range l.Scale {
		if v, known := f[s.Name]; known && s.Spread > 0 {
			z += s.Weight * (v - s.Mean) / s.Spread
		}
	}
	return 1 / (1 + math.Exp(-z))
}

// BuiltIn is the model that the program brings.
var BuiltIn = sync.OnceValue(func() Confidence {
	var c Confidence
	if err := json.Unmarshal([]byte(assets.Confidence), &c); err != nil { // a test reads it
		panic(err)
	}
	return c
})

// FeaturesOf reads the features out of an answer to a question, with what speaks against it and how many words of the
// question its query leaves out.
func FeaturesOf(a Answer, q *question.Question, doubts []doubt.Doubt, missing int) Features {
	content := q.Content()
	f := Features{
		"doubts": float64(min(len(doubts), MostDoubts)),
		"unsaid": float64(min(missing, 5)),

		"unlinked": float64(min(len(a.Unlinked), 4)),
		"first":    indicator(len(a.Unlinked) > 0 && a.Unlinked[0] == content[0]), // mostly what is asked for
		"strange":  float64(len(a.Unlinked)) / float64(max(1, len(content))),
		"nothing":  indicator(len(content) == len(a.Unlinked)), // is known
	}
	f.Believe(a.Trace)
	return f
}

// Believe adds how likely the model takes what was found to be, where a trace tells it.
func (f Features) Believe(t Trace) {
	if p := t.believed(); p > 0 {
		f["believed"] = max(math.Log(p), -5)
	}
}

// believed is how likely the model takes what the answer's query finds to be: the probability of all the different
// texts of its vote that find these rows, or of its last text where none voted. Of a model that tells no probabilities
// it is the share of the votes; 0 is not known.
func (t Trace) believed() (p float64) {
	texts, of := map[string]map[string]float64{}, func(e Event) float64 { // by what they find
		if e.Cost == nil || e.Cost.LogProb == 0 {
			return 0
		}
		return math.Exp(e.Cost.LogProb)
	}
	for _, e := range t {
		switch e.Kind {
		case KindCandidate:
			if texts[e.Digest] == nil {
				texts[e.Digest] = map[string]float64{}
			}
			texts[e.Digest][e.SQL] = max(texts[e.Digest][e.SQL], of(e))
		case KindVote:
			if sum := 0.0; e.OK {
				for _, p := range texts[e.Digest] {
					sum += p
				}
				p = cmp.Or(sum, e.Share)
			}
			clear(texts)
		case KindReconstructed:
		default:
			p = cmp.Or(of(e), p)
		}
	}
	return min(p, 1)
}

func indicator(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// unlinked are the words of a question that neither the schema, its comments nor the glossary have.
func (r *Run) unlinked(of *question.Question) (beside []string) {
	for _, n := range slices.Concat(r.Prompts.Notes, tools.CommentNotes(r.Schema)) {
		beside = append(append(beside, n.Terms...), n.Meaning)
	}
	return of.Unlinked(beside...)
}

// MostDoubts are as many as the feature "doubts" counts.
const MostDoubts = 3

// doubts are what speaks against the answer, and what of the question its query leaves out. Where the question goes on
// from another one they are those that hold for both together and for what is said now: a condition of the first that
// the second replaces is none that is missing.
func (r *Run) doubts() (all []doubt.Doubt, missing int) {
	of := func(q *question.Question) ([]doubt.Doubt, int) {
		c := CaseOf(r.Answer, q, r.Prompts.Notes)
		if r.State.Said != r.State.Asked {
			c.Before, c.Said = r.Prompts.Behind.SQL, r.State.Said
		}
		return doubt.Of(c)
	}
	all, missing = of(r.State.Asked)
	if r.State.Said == r.State.Asked {
		return all, missing
	}
	now, unsaid := of(r.State.Said)
	return slices.DeleteFunc(all, func(d doubt.Doubt) bool {
		return !slices.ContainsFunc(now, func(n doubt.Doubt) bool { return n.Name == d.Name })
	}), min(missing, unsaid)
}

// judge says how likely the answer is right and what speaks against it, and declines one that is not as sure as was
// asked for. The query stays: it is the best that there was.
func (r *Run) judge() {
	if r.Answer.Refused != "" || r.Answer.How == ByDryRun { // what was found counts most
		return
	}
	r.Answer.Unlinked = r.unlinked(r.State.Asked)
	var doubts []doubt.Doubt
	missing := 0
	if r.Answer.Result != nil {
		doubts, missing = r.doubts()
	}
	f := FeaturesOf(r.Answer, r.State.Asked, doubts, missing)
	if r.State.Said != r.State.Asked { // what was said before was told then
		r.Answer.Unlinked = r.unlinked(r.State.Said)
	}
	if r.Answer.Result == nil { // what is known of the question is worth a record
		r.Emit(Event{Kind: KindConfidence, Reason: "no answer", Features: f})
		return
	}
	r.Answer.Confidence = BuiltIn().Of(f)
	if r.taken != "" && r.Answer.SQL == r.taken { // the query of a verified pair
		r.Answer.Pair, r.Answer.Confidence = r.pair, pairConfidence
	}
	if !r.Without.Off("doubts") {
		r.Answer.Doubts = doubt.Told(doubts, r.Answer.Confidence, r.Answer.KnowsNothingOf())
	}
	why := r.unsure(f)
	r.Emit(Event{Kind: KindConfidence, OK: why == "", Reason: fmt.Sprintf("%.2f", r.Answer.Confidence), Features: f,
		Doubts: r.Answer.Doubts})
	if why == "" {
		return
	}
	if nothing := r.Answer.KnowsNothingOf(); nothing != "" {
		why = nothing + ": " + why
	}
	r.decline(why)
}

// unsure says what is less likely than was asked for; "" if nothing is.
func (r *Run) unsure(f Features) string {
	switch has := BuiltIn().HasAnswer(f); {
	case has < r.MinAnswerable:
		return fmt.Sprintf("not sure enough that the question has an answer here: %.3f, and --min-answerable is %.3f",
			has, r.MinAnswerable)
	case r.Answer.Confidence < r.MinConfidence:
		return fmt.Sprintf("not sure enough: %.2f, and --min-confidence is %.2f", r.Answer.Confidence, r.MinConfidence)
	}
	return ""
}

// KnowsNothingOf says which words of the question match nothing in the database; "" if there are none.
func (a Answer) KnowsNothingOf() string {
	if len(a.Unlinked) == 0 {
		return ""
	}
	match, unlinked := " match", a.Unlinked[:min(3, len(a.Unlinked))]
	if len(unlinked) == 1 {
		match = " matches"
	}
	return `"` + strings.Join(unlinked, `", "`) + `"` + match + " nothing in this database"
}

// decline ends a run without an answer, and says why in one line.
func (r *Run) decline(why string) {
	r.Emit(Event{Kind: KindRefusal, Reason: why, SQL: r.Answer.SQL})
	r.Answer.Refused, r.Answer.Result, r.Answer.How = why, nil, ""
}

// endings say what a reader should know of an answer that did not come through finish.
var endings = map[string]string{
	ByLastRun:   "the steps ran out after the query had run, before anything said that it is the answer",
	ByCandidate: "the steps ran out; the last query passed the checks, and its result was not compared with the question",
	ByMismatch:  "the query runs, but may answer another question: no better one was found",
	ByFallback:  "no candidate passed its checks; this is the model's guess at the bare question",
}

// CaseOf is an answer to a question as doubts look at it.
func CaseOf(a Answer, q *question.Question, notes tools.Notes) doubt.Case {
	c := doubt.Case{
		SQL: a.SQL, Query: a.Query, Schema: q.Schema, Question: q, Ran: a.Result != nil,
		Unfinished: endings[a.How],
	}
	switch agree, of, redrawn := a.Tally(); {
	case !redrawn:
		c.Agree, c.Tries = agree, of
	case of > 0 && c.Unfinished == "":
		c.Unfinished = fmt.Sprintf("the first query failed; of %d others %d agree on this one", of, agree)
	}
	if a.Result != nil {
		c.Rows = a.Result.Rows
	}
	for _, v := range tools.LinkValues(q, q.Schema, notes) {
		c.Values = append(c.Values, doubt.Value{Table: v.Table, Column: v.Column, Value: v.Value, Said: v.Meaning})
	}
	c.Glossary = syntax.Map(notes.Linked(q), func(n tools.Note) string { return n.Meaning })
	return c
}
