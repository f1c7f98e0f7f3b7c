// Package doubt says what speaks against an answer: a query may run and be most likely none to what was asked. Each
// doubt is a row of one table, which serves `check --strict` and who reads an answer. It knows no model and no
// database, refuses nothing and mends nothing. Begin with table. It imports bind, edit, question, schema, sqlcheck
// and syntax.
package doubt

import (
	"fmt"
	"sync"

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

	Before string // the query of the answer that the question goes on from; "" is none

	Ran  bool
	Rows [][]any // what the query found, if Ran

	Unfinished string  // why the loop ended before all checks had passed, for a reader
	Agree      int     // candidates of a model that find the same rows, of Tries
	Tries      int     // 0 without a vote
	Confidence float64 // that the answer is right, in (0,1)
	Unknown    string  // what the database seems to know nothing of, for a reader

	bound    *bind.Bound
	stands   map[string]bool      // stems of what the query reads
	means    func() words.Meaning // of these, computed once
	comments map[string]bool      // and of the comments of its columns
}

// Value is a known value of a column that a question holds.
type Value struct {
	Table, Column, Value string
	Said                 string // the word of the question that stands for it; "" if that is the value
}

// Doubt is one thing that speaks against an answer. Its JSON is an interface.
type Doubt struct {
	Name sqlcheck.Reason `json:"name"`
	Text string          `json:"text"` // one line, for a reader
}

// rule is a row of the table. A finding may have a Reason of its own.
type rule struct {
	name sqlcheck.Reason
	told bool // to who reads an answer; all others are for who writes a query
	find func(*Case) []sqlcheck.Finding
}

// table is in the order in which doubts are told. README.md has how often each stands beside wrong and beside right
// answers.
var table = []rule{
	{"unfinished", true, unfinished},
	{"split_vote", true, splitVote},
	{"unknown_value", true, unknownValue},
	{"unknown_pattern", true, unknownPattern},
	{"two_values", true, twoValues},
	{"never_null", true, neverNull},
	{"missing_value", true, missingValue},
	{"missing_number", true, missingNumber},
	{"missing_table", true, missingTable},
	{"missing_column", true, missingColumn},
	{"missing_month", true, missingMonth},
	{"missing_condition", true, missingCondition},
	{"dropped_condition", true, droppedCondition},
	{"other_meaning", true, otherMeaning},
	{"unknown_thing", true, unknownThing},
	{"invented_value", true, inventedValue},
	{"wrong_way", true, wrongWay},
	{"first_of_all", true, firstOfAll},
	{"constraint", true, constraint},
	{"outer_column", true, outerColumn},
	{"self_comparison", true, selfComparison},
	{"odd_join", true, oddJoin},
	{"never_meets", true, neverMeets},
	{"all_or_none", true, allOrNone},
	{"repeated_rows", true, repeatedRows},
	{"other_count", true, otherCount},
	{"outer_count", true, outerCount},
	{"repeated_output", true, repeatedOutput},
	{"some_other", true, someOther},
	{"numbers_as_texts", true, numbersAsTexts},
	{"sum_of_texts", true, sumOfTexts},
	{"last_day", true, lastDay},
	{"nulls_first", false, nullsFirst},
	{"unlike_types", true, unlikeTypes},
	{"null_comparison", true, nullComparison},
	{"missing_join", true, missingJoin},
	{"limit_without_order", true, limitWithoutOrder},
	{"many_rows", false, manyRows},
	{"select_star", false, selectStar},
	{"nothing_found", true, nothingFound},
	{"low_confidence", true, lowConfidence},
}

// Of returns what a reader of the answer is told, each name once. SQL must have passed [sqlcheck.Check].
func Of(c Case) []Doubt {
	if c.Query != nil && c.Query.Bound() != nil {
		c.bound = c.Query.Bound()
	} else if stmt, ok := syntax.OneSelect(syntax.Readable(c.SQL)); ok {
		c.bound, _ = bind.Bind(stmt, c.Schema)
	} else {
		return nil
	}
	var out []Doubt
	c.each(func(r rule, f sqlcheck.Finding) {
		if n := len(out); r.told && (n == 0 || out[n-1].Name != f.Reason) {
			out = append(out, doubtOf(f))
		}
	})
	return out
}

func doubtOf(f sqlcheck.Finding) Doubt {
	text := f.Message
	if f.Suggestion != "" {
		text += "; " + f.Suggestion
	}
	return Doubt{f.Reason, text}
}

// Unlikely is what a reader is told of an answer that is most likely wrong, behind all else: how likely it is right is
// known only after the doubts, which count there.
func Unlikely(confidence float64, unknown string) (out []Doubt) {
	for _, f := range lowConfidence(&Case{Confidence: confidence, Unknown: unknown}) {
		f.Reason = "low_confidence"
		out = append(out, doubtOf(f))
	}
	return out
}

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
	if c.Question != nil && c.Question.Text == "" {
		c.Question = nil
	}
	c.stands, c.comments = readBy(c.bound)
	c.means = sync.OnceValue(func() words.Meaning { return words.MeaningOf(c.stands) })
	for _, r := range table {
		for _, found := range r.find(c) {
			if found.Reason == "" {
				found.Reason = r.name
			}
			f(r, found)
		}
	}
}

// finding is a finding with a message alone.
func finding(format string, args ...any) []sqlcheck.Finding {
	return []sqlcheck.Finding{{Message: fmt.Sprintf(format, args...)}}
}
