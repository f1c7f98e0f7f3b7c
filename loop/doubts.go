package loop

import (
	"fmt"

	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/question"
	"nl2sql/tools"
)

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
	for _, n := range notes.Linked(q) {
		c.Glossary = append(c.Glossary, n.Meaning)
	}
	return c
}
