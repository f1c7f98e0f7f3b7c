package answer

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/loop"
	"nl2sql/loop/item"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
	"nl2sql/tools"
)

// Turn is an answer that the next question of its conversation may go on from. Who asks holds it. The zero value is
// none.
type Turn struct {
	Question   string  `json:"question"` // in whole: it says all that is asked, as [loop.Answer.Question] has it
	SQL        string  `json:"sql"`
	Confidence float64 `json:"confidence,omitempty"` // of the answer, 0 to 1; 0 is unknown
}

// Behind is what an item's question goes on from.
func Behind(t item.Turn) Turn { return Turn{Question: t.Question, SQL: t.SQL} }

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
	return last.Question != "" && last.goesOn(question.Read(text, s))
}

// goesOn is GoesOn of a question that was read. What asks for a number, groups or ranks of what the turn has no word of
// is a whole question, and so is what is longer than those that go on.
func (last Turn) goesOn(now *question.Question) bool {
	const asks, longest = words.Count | words.Avg | words.Sum | words.Max | words.Min | words.Each | words.Ranks, 6
	begins := now.IsFor(0, words.Request)
	refers := func(w question.Word) bool { return words.Is(w.Low, words.Refers) }
	long := begins && len(now.Words) > longest && !slices.ContainsFunc(now.Words[:longest], refers)
	counts := now.Asks(asks) || now.Has("many", "much") || now.Lang != words.English && begins
	whole := now.Schema != nil && !now.Refers() && (long || counts && now.Foreign(last.Question, last.SQL))
	return now.GoesOn() && !whole || now.Edits(last.SQL)
}

// mostShown bounds the turn that is shown before a question that stands alone, in bytes.
const mostShown = 4000

// keeps reports whether a query has a value of the query of the turn of which the turn's question speaks and this one
// does not: the model took it to go on, whatever its words are.
func (last Turn) keeps(now *sqlcheck.Query, asked *question.Question, s *schema.Schema) bool {
	unsaid := func(q sqlcheck.Query, asked *question.Question) (values []string) {
		for _, f := range doubt.Findings(q, asked) {
			if f.Reason == "invented_value" {
				values = append(values, f.Message)
			}
		}
		return values
	}
	old, ok := last.query(s)
	if now == nil || asked == nil || !ok {
		return false
	}
	before, never := unsaid(old, asked), unsaid(old, question.Read(last.Question, s))
	return slices.ContainsFunc(unsaid(*now, asked),
		func(v string) bool { return slices.Contains(before, v) && !slices.Contains(never, v) })
}

// ofProgram is what commands, addresses and data have, and no sentence.
var ofProgram = regexp.MustCompile(`(^|\s)--?\pL|[{}|\\]|://`)

// statement is a text that may be a query.
var statement = regexp.MustCompile(`(?is)^[\s(]*(?:select|with)\b.*`)

// JoinLines is a question of several lines as one; a statement, in which a line ends a comment, stays as it is.
func JoinLines(text string) string {
	if statement.MatchString(text) {
		return text
	}
	return strings.ReplaceAll(text, "\n", " ")
}

// unknown says why a question that goes on from the turn is not asked: it does not begin as such questions do, and
// neither the database nor the turn has a word of what it is about. "" if it is asked.
func (last Turn) unknown(now *question.Question, notes tools.Notes) string {
	if now.Schema == nil || now.IsWhole(words.Further|words.Reverses) {
		return ""
	}
	all := slices.Concat(notes, tools.CommentNotes(now.Schema))
	beside := append(syntax.Map(all, tools.Note.String), last.Question, last.SQL)
	if now.Refers() || now.Edits(last.SQL) || !now.Foreign(beside...) && !ofProgram.MatchString(now.Text) {
		return ""
	}
	return fmt.Sprintf("%q is about nothing in this database or in the last question: ask for what the database holds; a "+
		"value goes behind a word, as in \"in Paris\"", now.Text)
}

// reply is what to say to a text that asks nothing about the data; "" to all else.
func (last Turn) reply(now *question.Question, d Database) string {
	if last.SQL == "" || !now.IsWhole(words.Meta) {
		return now.Reply()
	}
	text := "The last answer is what this finds: " + last.SQL
	if asks := d.Explain(last.SQL); asks != nil {
		text += "\nIt asks for " + asks.Line()
	}
	return text
}

// ordered is the query of the turn with its order the other way round, or of the rows behind those that it kept, where
// that is all that is asked; "" else.
func (last Turn) ordered(now *question.Question, s *schema.Schema) string {
	old, ok := last.query(s)
	further := now.IsWhole(words.Further)
	if !ok || !further && !now.IsWhole(words.Reverses) {
		return ""
	}
	sel, is := old.Bound().Stmt.(*ast.SelectStmt)
	switch {
	case !is, !further && sel.OrderBy == nil:
		return ""
	case !further:
		for _, item := range sel.OrderBy.Items {
			item.Desc = !item.Desc
		}
	case sel.Limit != nil: // without one all rows were shown, and are again, told
		kept, known := syntax.LiteralCount(sel.Limit.Count)
		passed := 0
		if sel.Limit.Offset != nil && known {
			passed, known = syntax.LiteralCount(sel.Limit.Offset)
		}
		if !known {
			return ""
		}
		sel.Limit.Offset = ast.NewValueExpr(passed+kept, "", "")
	}
	sql, _ := syntax.Print(sel) // "" where that fails
	return sql
}

// sides are the queries of the comparison that the turn is, as [Turn.beside] writes one; that of the turn itself if it
// is none.
func (last Turn) sides() (sides []string) {
	var stmt ast.StmtNode
	if strings.Contains(last.SQL, sideName) {
		stmt, _ = syntax.OneSelect(last.SQL)
	}
	set, is := stmt.(*ast.SetOprStmt)
	if !is {
		return []string{last.SQL}
	}
	for _, from := range syntax.All[*ast.TableSource](set) {
		if sql, err := syntax.Print(from.Source); err == nil && from.AsName.O == sideName {
			sides = append(sides, sql)
		}
	}
	return append(sides, last.SQL)[:max(1, len(sides))] // itself if it has none
}

// sideName is what a side of a comparison is called in the query of all.
const sideName = "side"

// beside makes an answer that shows one side of a comparison show the others above it, each behind the values that its
// query alone has, where all show the same columns.
func (last Turn) beside(
	ctx context.Context, d Database, asked *question.Question, sides []string, ans *Answer, events func(loop.Event),
) error {
	if ans.Result == nil || !asked.Asks(words.Beside) && len(sides) == 1 {
		return nil
	}
	var queries []ast.StmtNode
	sides = append(sides, ans.SQL)
	for _, sql := range sides {
		q, ok := Turn{SQL: sql}.query(d.Schema)
		if !ok {
			return nil
		}
		queries = append(queries, q.Stmt())
	}
	own, err := doubt.Sides(queries...), error(nil)
	if own == nil && len(sides) == 2 { // which a doubt has told
		return nil
	}
	all, asks, parts := Answer{}, []string{}, []string{}
	for i, side := range own {
		label, _ := syntax.Print(syntax.TextExpr(side))
		asks = append(asks, d.Explain(sides[i]).Line())
		sql := strings.TrimRight(sides[i], "; \n")
		parts = append(parts, fmt.Sprintf("SELECT %s AS compared, %s.* FROM (%s) AS %[2]s", label, sideName, sql))
	}
	if own != nil {
		all, err = d.Given(ctx, ans.Question, loop.ByBoth, strings.Join(parts, " UNION ALL "), events)
	}
	if all.Result == nil {
		ans.Doubts = append(ans.Doubts, doubt.Doubt{Name: "other_rows", Text: "one side of the comparison is shown; ask for " +
			"all in one question", Alone: true})
		return err
	}
	ans.TakenAs = strings.Join(asks, "; beside it, ")
	ans.SQL, ans.Query, ans.Result, ans.How = all.SQL, all.Query, all.Result, all.How
	ans.Trace = append(ans.Trace, all.Trace...)
	return nil
}

// doubts tells of an answer that goes on from the turn that it is no surer than the turn was.
func (last Turn) doubts(ans *Answer) {
	if last.Confidence <= 0 || ans.Confidence <= 0 || ans.Result == nil {
		return
	}
	if ans.Confidence = min(ans.Confidence, last.Confidence); last.Confidence < doubt.Unlikely {
		built := fmt.Sprintf("it goes on from an answer that was %.0f %% sure", 100*last.Confidence)
		all := append([]doubt.Doubt{{Name: "doubted_before", Text: built}}, ans.Doubts...)
		ans.Doubts = doubt.Told(all, ans.Confidence, ans.KnowsNothingOf())
	}
}

// query is the turn's, checked; ok is false where the schema does not know it.
func (last Turn) query(s *schema.Schema) (q sqlcheck.Query, ok bool) {
	q, v, err := sqlcheck.Check(last.SQL, s)
	return q, err == nil && v.OK
}

// mostBefore bounds what is kept of the questions before, in bytes: of a long conversation the last query has the rest.
const mostBefore = 1000

// With is the question of the turn and one that goes on from it, as one text. The oldest sentences of a long one go.
func (last Turn) With(text string) string { return last.with(question.Read(text, nil)) }

func (last Turn) with(now *question.Question) string {
	text := now.Text
	before := strings.TrimSpace(last.Question)
	for len(before) > mostBefore {
		end := strings.IndexAny(before, ".?!")
		if end < 0 || end+1 == len(before) {
			break
		}
		before = strings.TrimSpace(before[end+1:])
	}
	if !strings.ContainsAny(before[max(len(before)-1, 0):], ".?!") {
		before += "."
	}
	first, rest, _ := strings.Cut(text, " ")
	if strings.EqualFold(first, "add") && now.Changes() != "" {
		text = "also show " + rest // "add their names" changes no data
	}
	begin, size := utf8.DecodeRuneInString(text)
	return before + " " + string(unicode.ToUpper(begin)) + text[size:]
}
