package answer

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/explain"
	"nl2sql/tools"
)

// JSON is an answer as programs read it: what `ask --format json` prints, and servers send. Its form is an interface.
type JSON struct {
	ID       string `json:"id,omitempty"` // of a question among many
	Question string `json:"question"`
	// as it was typed, where it goes on from another one: Question has it in whole
	Asked   string `json:"asked,omitempty"`
	TakenAs string `json:"taken_as,omitempty"` // what it was then taken for, in words
	SQL     string `json:"sql"`                // "" if there is no answer
	How     string `json:"how,omitempty"`      // as loop.Answer.How
	Refused string `json:"refused,omitempty"`
	Reply   string `json:"reply,omitempty"` // what a conversation says to that, where it asks nothing about the data
	Why     string `json:"why,omitempty"`   // there is no answer, though one was looked for
	// what was tried last where there is no answer: nobody is to run it
	LastCandidate string `json:"last_candidate,omitempty"`

	// what was found, from the query's tree and the result; not by the model
	Sentence string `json:"sentence,omitempty"`

	// the verified pair whose query it is, with other values at most; absent mostly
	Pair *tools.Pair `json:"pair,omitempty"`

	Reads  []string `json:"reads,omitempty"`  // columns that the query reads, and tables of which it names none
	Mended []string `json:"mended,omitempty"` // names that were taken for others, joins that were added
	// that it is right; 0 without an answer, and of agents that judge none; absent where nothing ran
	Confidence     *float64      `json:"confidence,omitempty"`
	ConfidenceWord string        `json:"confidence_word,omitempty"`
	Warnings       []doubt.Doubt `json:"warnings,omitempty"`
	Result         *Rows         `json:"result"` // null if there is none

	// a question back, where a word of the question fits several things or rows tie
	Asks     string    `json:"asks,omitempty"`
	Readings []Reading `json:"readings,omitempty"` // what else it may ask: the choices of Asks, then of a split vote

	Chart   *render.Chart        `json:"chart,omitempty"`   // how the result is drawn, where it is one to draw
	Explain *explain.Explanation `json:"explain,omitempty"` // what the SQL asks, in words, where that was wished
}

// AsJSON is an answer with the id of its question, "" if it has none.
func AsJSON(id string, ans Answer) JSON {
	j := JSON{
		ID: id, Question: ans.Question, Asked: ans.Asked, TakenAs: ans.TakenAs,
		SQL: ans.SQL, How: ans.How, Refused: ans.Refused, Reply: ans.Reply, Why: ans.Why(),
		Sentence: ans.Sentence, Pair: ans.Pair,
		Asks: ans.Asks, Readings: ans.Readings, Explain: ans.Explanation,
		Reads: ans.Reads, Mended: ans.Mended(), Warnings: ans.Doubts, Result: (*Rows)(ans.Result),
	}
	if ans.How == loop.ByDryRun {
		return j
	}
	if ans.Result != nil {
		j.Chart = render.ChartOf(*ans.Result)
	}
	confidence := math.Round(ans.Confidence*1000) / 1000
	j.Confidence, j.ConfidenceWord = &confidence, confidenceWord(ans.Answer)
	if ans.Result == nil {
		j.SQL, j.LastCandidate, j.Reads, j.Explain = "", ans.SQL, nil, nil
	}
	return j
}

// Remarks are what a reader should know beside SQL and rows, a line each: why there are none, how likely they are
// right, what was mended, and what speaks against them.
func (j JSON) Remarks() (lines []string) {
	switch {
	case j.How == loop.ByDryRun:
		lines = append(lines, "It was checked and not run.")
	case j.Reply != "":
		lines = append(lines, j.Reply)
	case j.Refused != "":
		lines = append(lines, "No answer: "+j.Refused)
	case j.Result == nil:
		lines = append(lines, "No answer: "+j.Why)
	case j.Confidence != nil && *j.Confidence > 0:
		lines = append(lines, fmt.Sprintf("Confidence: %s (%.2f).", j.ConfidenceWord, *j.Confidence))
	}
	for _, m := range j.Mended {
		lines = append(lines, "Mended: "+m)
	}
	for _, d := range j.Warnings {
		lines = append(lines, "Doubt: "+d.Text)
	}
	return lines
}

// Write writes it as a line.
func (j JSON) Write(w io.Writer) error { return render.WriteJSON(w, j) }

// Rows are a result whose JSON is that of [render.JSON]: columns, rows and truncated, decimals with their digits.
type Rows runner.Result

// MarshalJSON implements [json.Marshaler].
func (r Rows) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	_, err := render.Write(&b, runner.Result(r), render.JSON, render.Options{})
	return b.Bytes(), err
}

// confidenceWord says what the confidence of an answer means to a reader.
func confidenceWord(ans loop.Answer) string {
	switch p := ans.Confidence; {
	case p == 0 && ans.Result != nil:
		return "unknown"
	case p < doubt.Unlikely/2:
		return "very low"
	case p < doubt.Unlikely:
		return "low"
	case p < (1+doubt.Unlikely)/2:
		return "fair"
	}
	return "high"
}
