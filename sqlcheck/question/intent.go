package question

import "nl2sql/sqlcheck/words"

// Intent is the class of a question: "lookup", "aggregate", "grouped_aggregate" or "topk".
type Intent string

// The classes of questions.
const (
	Lookup           Intent = "lookup"
	Aggregate        Intent = "aggregate"
	GroupedAggregate Intent = "grouped_aggregate"
	TopK             Intent = "topk"
)

// Intent is the class of the question. Known values of the schema and quoted text say nothing.
func (q *Question) Intent() Intent {
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
	if q.ranksBy(words.Top) {
		return true
	}
	n, _ := q.limit()
	return n > 0
}
