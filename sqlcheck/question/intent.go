package question

import (
	"nl2sql/sqlcheck/schema"
)

// Intent is the class of a question: "lookup", "aggregate", "grouped_aggregate" or "topk".
type Intent string

// The classes of questions.
const (
	Lookup           Intent = "lookup"
	Aggregate        Intent = "aggregate"
	GroupedAggregate Intent = "grouped_aggregate"
	TopK             Intent = "topk"
)

// ClassifyIntent reads a question. Known values of the schema and quoted text say nothing.
func ClassifyIntent(question string, s *schema.Schema) Intent {
	q := Read(question, s)
	agg := q.aggregate()
	switch {
	case q.asksTop():
		return TopK
	case agg != "" && q.groups():
		return GroupedAggregate
	case agg == "COUNT" || agg == "SUM" || agg == "AVG" || q.Phrase("how much") >= 0:
		return Aggregate
	}
	return Lookup
}

// asksTop reports whether the question asks for the first rows of an order.
func (q *Question) asksTop() bool {
	for i := range q.Words {
		if q.Is(i, "top", "highest", "lowest", "first", "last", "most", "least") && !q.idiom(i) {
			return true
		}
	}
	n, _ := q.limit()
	return n > 0
}
