// Package doubt says what speaks against an answer: a query may run and be most likely none to what was asked. Each
// doubt is a row of one table, which serves `check --strict` and who reads an answer. It knows no model and no
// database, refuses nothing and mends nothing. Begin with table. It imports bind, edit, question, schema, sqlcheck
// and syntax.
package doubt

import (
	"fmt"
	"slices"
	"sync"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// Case is a query and what is known beside it. What is zero is not known, and nothing is doubted for it.
type Case struct {
	SQL    string
	Query  *sqlcheck.Query // that SQL passed the check as, where it is there: it is not parsed again
	Schema *schema.Schema

	Question *question.Question
	Values   []Value  // those that the question holds
	Glossary []string // what it says of the words of the question

	Before string             // the query of the answer that the question goes on from; "" is none
	Said   *question.Question // what goes on from it, alone; nil where nothing does

	Ran  bool
	Rows [][]any // what the query found, if Ran

	Unfinished string // why the loop ended before all checks had passed, for a reader
	Agree      int    // candidates of a model that find the same rows, of Tries
	Tries      int    // 0 without a vote

	bound    *bind.Bound
	stands   map[string]bool                // stems of what the query reads
	means    func() words.Meaning           // of these, computed once
	comments map[string]bool                // and of the comments of its columns
	missing  func() (n int, named []string) // what nothing in the query stands for, computed once
}

// Value is a known value of a column that a question holds.
type Value struct {
	Table, Column, Value string
	Said                 string // the word of the question that stands for it; "" if that is the value
}

// Doubt is one thing that speaks against an answer. Its JSON is an interface.
type Doubt struct {
	Name  sqlcheck.Reason `json:"name"`
	Text  string          `json:"text"` // one line, for a reader
	Alone bool            `json:"-"`    // it warns of an answer by itself, however likely that is right
}

// kind says to whom a doubt is told.
type kind int

const (
	alone  kind = iota // to every reader: four of five answers that have it are wrong
	reason             // to a reader of an answer that is unlikely for other reasons, too
	writes             // to who writes a query
)

// rule is a row of the table.
type rule struct {
	name sqlcheck.Reason
	kind kind
	find func(*Case) []sqlcheck.Finding
}

// table is in the order in which doubts are told. evaluation/STEPS.md has how often each stands beside wrong and beside
// right answers.
var table = []rule{
	{"unfinished", alone, unfinished},
	{"unknown_value", alone, unknownValue},
	{"unknown_pattern", alone, unknownPattern},
	{"two_values", alone, twoValues},
	{"always_so", alone, alwaysSo},
	{"no_such_part", alone, noSuchPart},
	{"never_null", alone, neverNull},
	{"empty_texts", alone, emptyTexts},
	{"who_number", alone, whoNumber},
	{"unsaid_value", alone, unsaidValue},
	{"other_unit", alone, otherUnit},
	{"nothing_known", alone, nothingKnown},
	{"missing_words", reason, missingWords},
	{"dropped_condition", alone, droppedCondition},
	{"other_rows", alone, otherRows},
	{"other_meaning", alone, otherMeaning},
	{"invented_value", reason, inventedValue},
	{"not_denied", alone, notDenied},
	{"first_of_all", alone, firstOfAll},
	{"other_end", alone, otherEnd},
	{"open_or", alone, openOr},
	{"self_comparison", alone, selfComparison},
	{"odd_join", reason, oddJoin},
	{"other_key", alone, func(c *Case) []sqlcheck.Finding { return c.oddJoins(true) }},
	{"part_of_key", alone, partOfKey},
	{"never_meets", alone, neverMeets},
	{"all_or_none", alone, allOrNone},
	{"repeated_rows", alone, repeatedRows},
	{"counts_none", alone, countsNone},
	{"repeated_output", alone, repeatedOutput},
	{"some_other", alone, someOther},
	{"numbers_as_texts", alone, numbersAsTexts},
	{"sum_of_texts", alone, sumOfTexts},
	{"digits_of_dates", alone, digitsOfDates},
	{"dates_as_texts", alone, datesAsTexts},
	{"last_day", alone, lastDay},
	{"bare_text", alone, bareTexts},
	{"null_in_list", alone, nullLists},
	{"nulls_first", writes, nullsFirst},
	{"undone_join", alone, undoneJoins},
	{"unlike_types", reason, unlikeTypes},
	{"null_comparison", alone, nullComparison},
	{"missing_join", reason, missingJoin},
	{"limit_without_order", reason, limitWithoutOrder},
	{"select_star", writes, selectStar},
	{"nothing_found", alone, nothingFound},
	{"split_vote", reason, splitVote},
}

// Of returns what speaks against the answer, each name once, and how many words of the question nothing in the query
// stands for. SQL must have passed [sqlcheck.Check].
func Of(c Case) (out []Doubt, missing int) {
	if c.Query != nil && c.Query.Bound() != nil {
		c.bound = c.Query.Bound()
	} else if stmt, ok := syntax.OneSelect(syntax.Readable(c.SQL)); ok {
		c.bound, _ = bind.Bind(stmt, c.Schema)
	} else {
		return nil, 0
	}
	c.each(func(r rule, f sqlcheck.Finding) {
		if n := len(out); r.kind != writes && (n == 0 || out[n-1].Name != f.Reason) {
			out = append(out, Doubt{f.Reason, doubtText(f), r.kind == alone})
		}
	})
	missing, _ = c.missing()
	return out, missing
}

func doubtText(f sqlcheck.Finding) string {
	if f.Suggestion != "" {
		return f.Message + "; " + f.Suggestion
	}
	return f.Message
}

// Unlikely is a confidence below which a reader is warned of an answer. It was chosen on development sets.
const Unlikely = 0.7

// Told is what a reader is told of an answer: below [Unlikely] how sure it is, in one line, and behind that all that
// speaks against it; else only what warns alone. A confidence of 0 is not known, and unknown says what the database
// has nothing for; "" is nothing.
func Told(doubts []Doubt, confidence float64, unknown string) []Doubt {
	if confidence == 0 || confidence >= Unlikely {
		return slices.DeleteFunc(slices.Clone(doubts), func(d Doubt) bool { return !d.Alone })
	}
	likely := "possibly"
	if confidence < 0.5 {
		likely = "probably"
	}
	low := advice(unknown, "%s wrong (%.0f %% sure)", likely, 100*confidence)[0]
	doubts = slices.DeleteFunc(slices.Clone(doubts), func(d Doubt) bool { return d.Name == Low })
	return append([]Doubt{{Low, doubtText(low), true}}, doubts...)
}

// Low is the name of the doubt that stands for a low confidence.
const Low sqlcheck.Reason = "low_confidence"

// Inspect is [sqlcheck.Inspect], with all that speaks against the statement as warnings. The question may be nil.
func Inspect(sql string, asked *question.Question, s *schema.Schema) sqlcheck.Report {
	report := sqlcheck.Inspect(sql, s)
	if report.Bound == nil {
		return report
	}
	c := Case{SQL: sql, Schema: s, Question: asked, bound: report.Bound}
	c.each(func(_ rule, f sqlcheck.Finding) {
		f.Type = "warning"
		report.Issues = append(report.Issues, f)
	})
	return report
}

// Findings is all that speaks against a query that passed the check.
func Findings(q sqlcheck.Query, asked *question.Question) (all []sqlcheck.Finding) {
	if b := q.Bound(); b != nil {
		c := Case{SQL: q.SQL(), Schema: b.Schema, Question: asked, bound: b}
		c.each(func(_ rule, f sqlcheck.Finding) { all = append(all, f) })
	}
	return all
}

// each calls f with every finding, in the order of the table.
func (c *Case) each(f func(rule, sqlcheck.Finding)) {
	c.read()
	for _, r := range table {
		for _, found := range r.find(c) {
			found.Reason = r.name
			f(r, found)
		}
	}
}

// read makes out what the statement reads.
func (c *Case) read() {
	if c.Question == nil || c.Question.Text == "" {
		c.Question = question.Read("", c.bound.Schema)
	}
	c.stands, c.comments = readBy(c.bound)
	c.means = sync.OnceValue(func() words.Meaning { return words.MeaningOf(c.stands) })
	c.missing = sync.OnceValues(c.unsaid)
}

// advice is a finding with what to do.
func advice(do, format string, args ...any) []sqlcheck.Finding {
	return []sqlcheck.Finding{{Message: fmt.Sprintf(format, args...), Suggestion: do}}
}

// finding is a finding with a message alone.
func finding(format string, args ...any) []sqlcheck.Finding {
	return []sqlcheck.Finding{{Message: fmt.Sprintf(format, args...)}}
}

// at is a finding with the place where an expression stands.
func at(e ast.ExprNode, f ...sqlcheck.Finding) []sqlcheck.Finding {
	f[0].Position = e.OriginTextPosition()
	return f
}
