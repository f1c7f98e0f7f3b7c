package mcp

import (
	"context"
	"strings"

	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/runner"
)

// maxRows is the most that a call may ask to see. How many a query may find its database says.
const maxRows = 1000

type askIn struct {
	Question string `json:"question" jsonschema:"in plain words; English, German, Spanish and French are read"`
	Database string `json:"database,omitempty"`
	MaxRows  int    `json:"max_rows,omitempty" jsonschema:"rows to show; 100 unless given"`
	DryRun   bool   `json:"dry_run,omitempty" jsonschema:"write and check the SQL, and do not run it"`

	Behind *answer.Turn `json:"behind,omitempty" jsonschema:"question and sql of the last answer, from which this question may go on"`
}

// asked is an answer as agents read it.
type asked struct {
	Question       string   `json:"question,omitempty" jsonschema:"in whole, where it went on from the last: for behind"`
	TakenAs        string   `json:"taken_as,omitempty" jsonschema:"what it was then taken for"`
	SQL            string   `json:"sql" jsonschema:"empty where there is no answer"`
	Sentence       string   `json:"sentence,omitempty" jsonschema:"what was found"`
	Refused        string   `json:"refused,omitempty" jsonschema:"why the question gets no answer"`
	Why            string   `json:"why,omitempty" jsonschema:"what stood between the last candidate and an answer"`
	LastCandidate  string   `json:"last_candidate,omitempty" jsonschema:"SQL that is no answer"`
	Reads          []string `json:"reads,omitempty" jsonschema:"columns that the SQL reads"`
	Mended         []string `json:"mended,omitempty" jsonschema:"names taken for others, joins added"`
	Confidence     *float64 `json:"confidence,omitempty" jsonschema:"how likely it is right, in [0,1]"`
	ConfidenceWord string   `json:"confidence_word,omitempty"`
	Warnings       []string `json:"warnings,omitempty" jsonschema:"what speaks against it"`
	Result         *rows    `json:"result" jsonschema:"null where nothing ran"`

	Asks     string    `json:"asks,omitempty" jsonschema:"a question for the user, where a word of theirs fits several things: the readings are the choices"`
	Readings []reading `json:"readings,omitempty" jsonschema:"what else the question may ask"`
}

// reading is another way to read a question, which finds other rows.
type reading struct {
	Words string `json:"words" jsonschema:"what it asks"`
	SQL   string `json:"sql" jsonschema:"for query"`
}

// ask answers a question.
func (s Server) answer(ctx context.Context, in askIn, by caller) (reply[asked], error) {
	var out reply[asked]
	ans, err := s.Ask(ctx, desk.Question{
		Question: in.Question, Database: in.Database, DryRun: in.DryRun, Behind: in.Behind,
		Client: User(ctx), Agent: true,
	}, func(is desk.Step) {
		if line := is.Line(); line != "" {
			by.tell(line)
		}
	})
	if err != nil {
		return out, err
	}
	j := answer.AsJSON("", ans)
	out.value = &asked{
		SQL: j.SQL, Sentence: j.Sentence, Refused: j.Refused, Why: j.Why, LastCandidate: j.LastCandidate,
		Reads: j.Reads, Mended: j.Mended, Confidence: j.Confidence, ConfidenceWord: j.ConfidenceWord,
	}
	for _, w := range j.Warnings {
		out.value.Warnings = append(out.value.Warnings, w.Text)
	}
	parts := []string{j.SQL}
	if j.Asked != "" {
		out.value.Question, out.value.TakenAs = j.Question, j.TakenAs
		parts = []string{"Taken as: " + j.TakenAs, j.SQL}
	}
	if j.Result != nil {
		var table string
		out.value.Result, table = shownRows(runner.Result(*j.Result), in.MaxRows)
		parts = append(parts, out.value.Result.Note+"\n"+table)
	}
	if out.value.Asks = j.Asks; j.Asks != "" {
		parts = append(parts, "Ask the user: "+j.Asks)
	}
	for _, r := range j.Readings {
		out.value.Readings = append(out.value.Readings, reading{r.Words, r.SQL})
		parts = append(parts, "Another possible reading: "+r.Words+"\n"+r.SQL)
	}
	if out.failed = j.Result == nil && !in.DryRun; out.failed && j.Reply == "" {
		parts = []string{"Look at the schema and write the SELECT for query, or ask in other words."}
	}
	out.text = strings.TrimSpace(strings.Join(append(parts, strings.Join(j.Remarks(), "\n")), "\n\n"))
	return out, nil
}
