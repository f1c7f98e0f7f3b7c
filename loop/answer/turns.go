package answer

import (
	"fmt"
	"strings"

	"nl2sql/loop"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// Turn is an answer that the next question of its conversation may go on from. Who asks holds it. The zero value is
// none.
type Turn struct {
	Question string `json:"question"` // in whole: it says all that is asked, as [loop.Answer.Question] has it
	SQL      string `json:"sql"`
}

// maxSQL bounds the SQL of a turn that somebody sends, in bytes.
const maxSQL = 64 << 10

// Check says what is wrong with a turn that somebody sent.
func (last Turn) Check() error {
	if len(last.Question) > loop.MaxQuestion || len(last.SQL) > maxSQL {
		return fmt.Errorf("behind: its question has %d bytes at most, and its SQL %d", loop.MaxQuestion, maxSQL)
	}
	return nil
}

// GoesOn reports whether a question goes on from the last turn of its conversation: "and in 2004?", "only the open
// ones".
func (last Turn) GoesOn(text string, s *schema.Schema) bool {
	return last.Question != "" && question.Read(text, s).GoesOn()
}

// With is the question of the turn and one that goes on from it, as one text.
func (last Turn) With(text string) string {
	before := strings.TrimSpace(last.Question)
	if !strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "?") && !strings.HasSuffix(before, "!") {
		before += "."
	}
	first, rest, _ := strings.Cut(text, " ")
	if strings.EqualFold(first, "add") && question.Read(text, nil).Changes() != "" {
		text = "also show " + rest // "add their names" changes no data
	}
	return before + " " + strings.ToUpper(text[:1]) + text[1:]
}
