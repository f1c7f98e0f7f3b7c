package loop

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
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

// featuresOf reads the features out of an answer to a question.
func featuresOf(a Answer, q *question.Question) Features {
	f := Features{"failed": 0, "repairs": 0, "mended": 0}
	count := func(name string, most float64) { f[name] = min(f[name]+1, most) }
	var last *llm.Completion
	for _, e := range a.Trace {
		switch {
		case e.Kind == KindVote:
			f["share"] = e.Share
		case e.Kind == KindGuardrails && e.OK:
			for range e.Changes {
				count("mended", 4)
			}
		case !e.OK && (e.Kind == KindTool || e.Kind == KindIntent || e.Kind == KindGuardrails):
			count("failed", 3)
		case e.Kind == KindTool && e.Tool == tools.RepairSQL:
			count("repairs", 3)
		}
		if e.Cost != nil && e.Cost.LogProb != 0 && e.Kind != KindReconstructed &&
			(e.Kind != KindCandidate || e.SQL == a.SQL) {
			last = e.Cost
		}
	}
	if last != nil {
		f["likely"], f["least"] = max(last.LogProb/float64(max(1, last.OutputTokens)), -1), max(last.LeastLogProb, -5)
		f["whole"] = max(last.LogProb, -5)
	}
	f["unfinished"] = indicator(a.How != ByFinish)
	f["empty"] = indicator(a.Result == nil || a.Result.Empty())
	sql := " " + strings.Join(strings.Fields(strings.ToLower(a.SQL)), " ")
	f["selects"] = float64(min(strings.Count(sql, "select "), 4))
	f["tables"] = float64(min(strings.Count(sql, " join ")+strings.Count(sql, " from "), 5))
	f["foreign"] = float64(min(foreign(a.SQL, q), 3))

	content, written := q.Content(), map[string]bool{}
	for _, w := range words.OfName(a.SQL) {
		written[w] = true
	}
	unsaid := 0
	for _, w := range content {
		if !words.Stands(written, w) {
			unsaid++
		}
	}
	f["unlinked"] = float64(min(len(a.Unlinked), 4))
	f["first"] = indicator(len(a.Unlinked) > 0 && a.Unlinked[0] == content[0]) // mostly what is asked for
	f["strange"] = float64(len(a.Unlinked)) / float64(max(1, len(content)))
	f["nothing"] = indicator(len(content) == len(a.Unlinked)) // is known
	f["unsaid"] = float64(min(unsaid, 5))
	f["words"] = float64(min(len(q.Words), 40)) / 10
	return f
}

func indicator(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// unlinked are the words of the question that neither the schema, its comments nor the glossary have.
func (r *Run) unlinked() []string {
	var beside []string
	for _, n := range slices.Concat(r.Prompts.Notes, tools.CommentNotes(r.Schema)) {
		beside = append(append(beside, n.Terms...), n.Meaning)
	}
	return r.State.Asked.Unlinked(beside...)
}

// foreign counts the texts of a query that neither the question holds nor a column knows.
func foreign(sql string, q *question.Question) (n int) {
	asked := q.Bag().Phrase()
	parts := strings.Split(strings.ReplaceAll(sql, "''", ""), "'")
	for i := 1; i < len(parts); i += 2 {
		phrase := words.Phrase(strings.Trim(parts[i], "%"))
		if strings.TrimSpace(phrase) == "" || strings.Contains(asked, strings.TrimSpace(phrase)) ||
			isKnown(parts[i], q.Schema) {
			continue
		}
		n++
	}
	return n
}

func isKnown(text string, s *schema.Schema) bool {
	for _, t := range s.Tables {
		for _, c := range t.Columns {
			if slices.Contains(c.Values, text) {
				return true
			}
		}
	}
	return false
}

// MostDoubts are as many as the feature "doubts" counts.
const MostDoubts = 3

// doubts are what speaks against the answer. Where the question goes on from another one they are those that hold for
// both together and for what is said now: a condition of the first that the second replaces is none that is missing.
func (r *Run) doubts() []doubt.Doubt {
	of := func(q *question.Question) []doubt.Doubt {
		c := CaseOf(r.Answer, q, r.Prompts.Notes)
		if r.State.Said != r.State.Asked {
			c.Before = r.Prompts.Behind.SQL
		}
		return doubt.Of(c)
	}
	all := of(r.State.Asked)
	if r.State.Said == r.State.Asked {
		return all
	}
	now := of(r.State.Said)
	return slices.DeleteFunc(all, func(d doubt.Doubt) bool { return !slices.Contains(now, d) })
}

// judge says how likely the answer is right and what speaks against it, and declines one that is not as sure as was
// asked for. The query stays: it is the best that there was.
func (r *Run) judge() {
	if r.Answer.Refused != "" || r.Answer.How == ByDryRun { // what was found counts most
		return
	}
	r.Answer.Unlinked = r.unlinked()
	f := featuresOf(r.Answer, r.State.Asked)
	if r.Answer.Result == nil { // what is known of the question is worth a record
		r.Emit(Event{Kind: KindConfidence, Reason: "no answer", Features: f})
		return
	}
	doubts := !r.Without.Off("doubts")
	if doubts {
		r.Answer.Doubts = r.doubts()
		f["doubts"] = float64(min(len(r.Answer.Doubts), MostDoubts))
	}
	r.Answer.Confidence = BuiltIn().Of(f)
	if r.byPair() {
		r.Answer.Pair, r.Answer.Confidence = r.pair, pairConfidence
	}
	if doubts {
		low := doubt.Unlikely(r.Answer.Confidence, r.Answer.KnowsNothingOf())
		r.Answer.Doubts = append(r.Answer.Doubts, low...)
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

// KnowsNothingOf says which words of the question the database seems not to have; "" if there are none.
func (a Answer) KnowsNothingOf() string {
	if len(a.Unlinked) == 0 {
		return ""
	}
	return "the database seems to know nothing of " + strings.Join(a.Unlinked[:min(3, len(a.Unlinked))], ", ")
}

// decline ends a run without an answer, and says why in one line.
func (r *Run) decline(why string) {
	r.Emit(Event{Kind: KindRefusal, Reason: why, SQL: r.Answer.SQL})
	r.Answer.Refused, r.Answer.Result, r.Answer.How = why, nil, ""
}
