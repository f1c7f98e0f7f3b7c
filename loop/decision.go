package loop

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"

	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// Decision is one entry of the decision log: what was decided, why, and whether it went through
// (tech. ref. §8.2).
type Decision struct {
	Step     int    `json:"step"`
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Status   string `json:"status"` // "ok" or "reject"
	Data     any    `json:"data,omitempty"`
}

// maxData bounds the data of a printed entry, in bytes.
const maxData = 400

// stock reasons of tools whose success needs no other word.
var stock = map[tools.Name]string{
	tools.GetSchema:          "loaded schema",
	tools.LinkSchema:         "prune schema context",
	tools.ExtractConstraints: "heuristic extraction",
	tools.GenerateSQL:        "model generation",
	tools.RepairSQL:          "model repair",
	tools.RunSQL:             "execute",
	Query:                    "execute",
	tools.GetTableSamples:    "sample rows",
	tools.Finish:             "completed",
	SubmitAnswer:             "submitted",
}

// Decisions reads the decision log out of a trace.
func (t Trace) Decisions() (log []Decision) {
	for _, e := range t {
		if d, ok := e.decision(); ok {
			d.Step, d.Status = e.Step, "reject"
			if e.OK {
				d.Status = "ok"
			}
			log = append(log, d)
		}
	}
	return log
}

// follows says what comes behind an action, in a reader's words.
var follows = map[tools.Name]string{
	tools.GetSchema: "finding tables and values", tools.LinkSchema: "reading the question",
	tools.ExtractConstraints: "writing SQL", tools.GenerateSQL: "checking", tools.RepairSQL: "checking",
	tools.ValidateSQL: "checking", tools.ValidateConstraints: "running", tools.RunSQL: "looking at the rows",
	tools.GetTableSamples: "writing SQL", RetrieveTables: "reading tables", Query: "looking at the rows",
}

// Line says in plain words to who waits for the answer what comes next, or why there is none; "" of what such a reader
// needs not know.
func (e Event) Line() string {
	switch e.Kind {
	case KindTool:
		return follows[e.Tool]
	case KindCandidate:
		return "checking a try"
	case KindVote:
		return "comparing what the tries found"
	case KindPair:
		return "as verified: " + syntax.OneLine(e.Text)
	case KindReading:
		return "looking at other readings"
	case KindRefusal:
		return syntax.OneLine("no answer: " + e.Reason)
	case KindError:
		return syntax.OneLine("it could not go on: " + e.Text)
	}
	return ""
}

func (e Event) decision() (d Decision, ok bool) {
	d.Reason = e.Reason
	switch e.Kind {
	case KindGate:
		d.Decision = string(e.Gate)
		if e.Tool != "" {
			d.Data = map[string]any{"requested": e.Asked, "forced": e.Tool}
		} else {
			d.Reason = e.Text
		}
	case KindTool:
		d.Decision = string(e.Tool)
		if e.Tool == "" {
			d.Decision = "no_action"
		}
		d.Reason = cmp.Or(d.Reason, stock[e.Tool])
		switch {
		case e.Tool == RetrieveTables && e.OK:
			rounded := syntax.Map(e.Scores, func(s float64) float64 { return math.Round(s*100) / 100 })
			d.Data = map[string]any{"tables": e.Tables, "scores": rounded, "total": e.Total}
		case (e.Tool == SubmitAnswer || e.Tool == tools.ValidateSQL) && e.SQL != "":
			d.Data = map[string]any{"sql": e.SQL}
		case e.Tables != nil:
			d.Data = map[string]any{"tables": e.Tables}
		case e.Constraints != nil:
			d.Data = e.Constraints
		case e.Tool == tools.GenerateSQL, e.Tool == tools.RepairSQL:
			d.Data = map[string]any{"raw_sql": e.Text}
		case e.Text == "": // a finish that is no tool's
		case e.Tool == tools.RunSQL, e.Tool == tools.GetTableSamples, e.Tool == tools.Finish:
			d.Data = json.RawMessage(e.Text)
		case e.Tool == Query:
			d.Data = map[string]any{"sql": e.SQL, "observation": e.Text}
		}
	case KindReconstructed, KindReading:
		d.Decision, d.Data = string(e.Kind), map[string]any{"sql": e.SQL}
	case KindCandidate, KindVote:
		d.Decision, d.Data = string(e.Kind), map[string]any{"sql": e.SQL, "digest": e.Digest}
	case KindPair:
		d.Decision, d.Reason = string(e.Kind), "as verified: "+e.Text
		d.Data = map[string]any{"sql": e.SQL, "date": e.Reason}
	case KindLinked:
		d.Decision, d.Data = string(e.Kind), map[string]any{"tables": e.Tables}
	case KindGuardrails:
		d.Decision = "guardrails"
		if e.OK {
			d.Data = map[string]any{"cleaned_sql": e.SQL, "changes": e.Changes}
			if len(e.Changes) == 0 {
				d.Data = map[string]any{"cleaned_sql": e.SQL}
			}
		}
	case KindIntent:
		d.Decision = "intent_check"
	case KindRefusal, KindWithout:
		d.Decision = string(e.Kind)
	case KindFallback:
		d.Decision = "fallback"
		d.Data = map[string]any{"sql": e.SQL}
	case KindError:
		d.Decision, d.Reason = "error", e.Text
	default:
		return d, false
	}
	return d, true
}

// DecisionLog prints the decision log in the seeds' demo format.
func (t Trace) DecisionLog() string {
	var b strings.Builder
	for _, d := range t.Decisions() {
		fmt.Fprintf(&b, "[step %d] %s — %s (%s)\n", d.Step, d.Decision, syntax.OneLine(d.Reason), d.Status)
		if d.Data != nil {
			fmt.Fprintf(&b, "  data: %s\n", dataText(d.Data))
		}
	}
	return b.String()
}

func dataText(data any) string {
	line, err := syntax.JSONLine(data)
	if err != nil { // text of a tool that is no JSON
		return fmt.Sprintf("%.*q", maxData, data)
	}
	return syntax.Clip(syntax.OneLine(string(line)), maxData)
}

// actionLine finds the head of an action; its arguments reach to the bracket that closes it.
var actionLine = regexp.MustCompile(`(?m)^[ \t>*]*Action[ \t]*:[ \t*]*([A-Za-z_]+)[ \t]*`)

// parseAction reads the last action of a reply (tech. ref. §7.2). Arguments that are no JSON object
// become an empty one, never an error; ok is false where the reply holds no action.
func parseAction(text string) (call tools.Call, ok bool) {
	all := actionLine.FindAllStringSubmatchIndex(text, -1)
	if len(all) == 0 {
		return tools.Call{}, false
	}
	m := all[len(all)-1]
	return tools.Call{
		Tool: tools.Name(strings.ToLower(text[m[2]:m[3]])),
		Args: Arguments(text[m[1]:]),
	}, true
}

// NoArgs is what an action without arguments has.
var NoArgs = json.RawMessage("{}")

// Arguments decodes the object that follows the opening bracket of an action; NoArgs where there is none.
func Arguments(rest string) json.RawMessage {
	rest, ok := strings.CutPrefix(rest, "[")
	if !ok {
		return NoArgs
	}
	var raw json.RawMessage
	if err := json.NewDecoder(strings.NewReader(rest)).Decode(&raw); err != nil {
		return NoArgs
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil || object == nil {
		return NoArgs
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return NoArgs
	}
	return b.Bytes()
}
