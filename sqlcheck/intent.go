package sqlcheck

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
func ClassifyIntent(question string, s *Schema) Intent {
	q := readQuestion(question, s)
	agg := q.aggregate()
	switch {
	case q.asksTop():
		return TopK
	case agg != "" && q.groups():
		return GroupedAggregate
	case agg == "COUNT" || agg == "SUM" || agg == "AVG" || q.phrase("how much") >= 0:
		return Aggregate
	}
	return Lookup
}

// asksTop reports whether the question asks for the first rows of an order.
func (q *question) asksTop() bool {
	for i := range q.words {
		if q.is(i, "top", "highest", "lowest", "first", "last", "most", "least") && !q.idiom(i) {
			return true
		}
	}
	n, _ := q.limit()
	return n > 0
}

// CheckIntent holds sql's structure against the question's intent, after it ran (tech. ref. §7.3). Subqueries,
// derived tables and common table expressions count. Most findings are unsure: wording and SQL have many ways to meet.
func CheckIntent(question, sql string, s *Schema) Verdict {
	const check = "intent"
	stmt, ok := oneSelect(sql)
	if !ok {
		return Pass(check)
	}
	f := factsOf(stmt)
	c := ExtractConstraints(question, s)
	plain := f.selects == 1 && !f.window && !f.setOpr
	var found []Verdict
	find := func(certain bool, why Reason, hint string) {
		v := Reject(check, why, "")
		v.Hint, v.OK, v.Unsure = hint, !certain, !certain
		found = append(found, v)
	}
	switch ClassifyIntent(question, s) {
	case TopK:
		extreme := f.aggs["MAX"] || f.aggs["MIN"] || f.window
		if !(f.ordered && f.limited) && !extreme {
			find(plain && c.sure("limit"), "topk_requires_order_limit", "the question asks for the first rows of an order: use ORDER BY and LIMIT")
		}
	case Lookup:
		if plain && (len(f.aggs) > 0 || f.grouped) {
			find(false, "lookup_disallows_aggregate", "the question asks for rows, not for a computed value")
		}
	case Aggregate:
		switch {
		case len(f.aggs) == 0:
			find(plain && !f.limited && c.sure("agg"), "aggregate_requires_fn", "the question asks for a computed value: use an aggregate function")
		case plain && f.grouped:
			find(false, "aggregate_without_grouping", "the question asks for one value, not for one for each group")
		}
	case GroupedAggregate:
		switch {
		case len(f.aggs) == 0:
			find(plain && !f.limited && c.sure("agg"), "grouped_requires_aggregate", "the question asks for a value for each group: use an aggregate function")
		case !f.grouped && !f.window:
			find(plain && c.sure("group_by"), "grouped_requires_group_by", "the question asks for a value for each group: use GROUP BY")
		}
	}
	return worst(check, found)
}
