// Package dialog says what a question asks that goes on from the one before: "and in 2004?", "by month", "only the
// open ones".
//
// Where the change is plain it is made in the tree of the last query (changes.go): every word of the question must be
// accounted for, and the query must pass the check. Else a model is asked the questions put together. It knows no
// model, no database and no answer, and keeps nothing: a conversation is held by who asks. Begin with Take.
package dialog

import (
	"strings"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/explain"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// Turn is a question that was answered. The zero value is none.
type Turn struct {
	Question string `json:"question"` // in whole: it says all that is asked, as [Taken.Question] has it
	SQL      string `json:"sql"`
}

// Taken is what a question is taken for.
type Taken struct {
	GoesOn   bool   // from the question before
	Question string // in whole: the text itself where it stands alone
	SQL      string // the query where the change of the last one is plain; else a model is to write one
	Words    string // what is asked, for a reader; "" where the question stands alone
}

// Take reads a question behind the last turn of its conversation.
func Take(text string, last Turn, s *schema.Schema) Taken {
	if last.Question == "" {
		return Taken{Question: text}
	}
	q := question.Read(text, s)
	if !q.GoesOn() {
		return Taken{Question: text}
	}
	return goOn(q, last, s)
}

// GoOn is Take of a question that is known to go on from the last turn.
func GoOn(text string, last Turn, s *schema.Schema) Taken {
	return goOn(question.Read(text, s), last, s)
}

func goOn(q *question.Question, last Turn, s *schema.Schema) Taken {
	t := Taken{GoesOn: true, Question: together(last.Question, q.Text)}
	t.Words = t.Question
	if _, v, err := sqlcheck.Check(last.SQL, s); s == nil || err != nil || !v.OK { // anybody may have written it
		return t
	}
	stmt, ok := syntax.OneSelect(last.SQL)
	if !ok {
		return t
	}
	b, issues := bind.Bind(stmt, s)
	if len(issues) > 0 {
		return t
	}
	before, err := syntax.Print(stmt)
	if err != nil {
		return t
	}
	c := newChange(q, b, last.Question)
	if c == nil || !c.plain() {
		return t
	}
	sql, err := syntax.Print(stmt)
	if err != nil || sql == before { // the words were accounted for, and asked for something else
		return t
	}
	if _, v, err := sqlcheck.Check(sql, s); err != nil || !v.OK {
		return t
	}
	bound, ok := explain.Bind(sql, s)
	if !ok {
		return t
	}
	if c.asked != last.Question {
		t.Question = c.asked
	}
	t.SQL, t.Words = sql, explain.Of(bound).Line()
	return t
}

// together is both questions as one text.
func together(before, text string) string {
	before = strings.TrimSpace(before)
	if !strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "?") && !strings.HasSuffix(before, "!") {
		before += "."
	}
	first, rest, _ := strings.Cut(text, " ")
	if words.TurnOf(words.Fold(strings.ToLower(first))) == words.TurnAdd && question.Read(text, nil).Changes() != "" {
		text = "also show " + rest // "add their names" changes no data
	}
	return before + " " + strings.ToUpper(text[:1]) + text[1:]
}
