package question

import (
	"slices"
	"strings"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

// Constraints is the structure that a question implies (tech. ref. §3.2). The zero value implies nothing.
type Constraints struct {
	Agg          string `json:"agg"` // COUNT, AVG, SUM, MAX, MIN or ""
	NeedsGroupBy bool   `json:"needs_group_by"`
	NeedsOrderBy bool   `json:"needs_order_by"`
	Limit        int    `json:"limit"` // 0 is none
	Distinct     bool   `json:"distinct"`
	// Sure lists the parts that the wording leaves no doubt about, comma-separated: agg, group_by, limit.
	// A query that lacks one of them must be repaired; of any other part a reader is only told.
	// It is no part of a trace or a prompt.
	Sure string `json:"-"`
}

func (c Constraints) sure(part string) bool { return slices.Contains(strings.Split(c.Sure, ","), part) }

// Constraints is the structure that the question implies. Names that the schema knows as values ("Min Lin Diecast")
// imply nothing.
func (q *Question) Constraints() (c Constraints) {
	var sure []string
	c.Agg = q.aggregate()
	if c.Agg != "" && q.aggSure(c.Agg) {
		sure = append(sure, "agg")
	}
	if c.Agg != "" && q.groups() {
		c.NeedsGroupBy = true
		if c.Agg == "COUNT" && q.Phrase("how many") < 0 || c.Agg == "AVG" || c.Agg == "SUM" {
			if q.groupSure() {
				sure = append(sure, "group_by")
			}
		}
	}
	var limitSure bool
	if c.Limit, limitSure = q.limit(); limitSure {
		sure = append(sure, "limit")
	}
	c.NeedsOrderBy = c.Limit > 0 || q.Ranks()
	c.Distinct = q.Asks(words.Distinct)
	c.Sure = strings.Join(sure, ",")
	return c
}

// aggregates are tried in order; the first that the question has a word for wins (the reference's order).
var aggregates = []struct {
	name string
	use  words.Use
}{{"COUNT", words.Count}, {"AVG", words.Avg}, {"SUM", words.Sum}, {"MAX", words.Max}, {"MIN", words.Min}}

func (q *Question) aggregate() string {
	for _, agg := range aggregates {
		if agg.use == words.Count && (q.Phrase("how many") >= 0 || q.Phrase("number of") >= 0) {
			return agg.name
		}
		if q.ranksBy(agg.use) {
			return agg.name
		}
	}
	return ""
}

// ranksBy reports whether a word has one of the uses, and not in a phrase that ranks nothing.
func (q *Question) ranksBy(u words.Use) bool {
	return q.where(0, func(i int) bool { return q.IsFor(i, u) && !q.idiom(i) }) >= 0
}

// idiom reports whether word i is a ranking word in a phrase that ranks nothing: "at least", "most recent",
// "top-level".
func (q *Question) idiom(i int) bool {
	switch q.Words[i].Low {
	case "least", "most":
		return q.Is(i-1, "at") || q.Is(i+1, "recent", "recently", "common", "popular", "of")
	case "top":
		return q.Is(i+1, "level", "of", "management", "secret") || i+1 == len(q.Words)
	case "first", "last":
		return q.Is(i+1, "name", "names", "and", "or") || q.IsFor(i+1, words.Period)
	}
	return false
}

// aggSure reports whether the question can only be answered with the aggregate: it opens with it.
func (q *Question) aggSure(agg string) bool {
	if agg != "COUNT" || q.Phrase("how many") != 0 || len(q.Words) < 3 {
		return false
	}
	t, n := q.TableAt(2)
	return t != nil && !q.columnLike(2, n)
}

// columnLike reports whether the n words at i also name a column, which may hold the number that is asked for.
func (q *Question) columnLike(i, n int) bool {
	here := func(name []string) bool { return len(name) == n && q.Mention(i, name) == i }
	return slices.ContainsFunc(q.Voc.Columns, func(c ColumnWords) bool {
		return (here(c.Words) || here(c.Own)) && c.Col.Kind() != schema.Text
	})
}

// groups reports whether the question asks for one value per something.
func (q *Question) groups() bool {
	each := func(i int) bool { return q.IsFor(i, words.Each) || q.Is(i, "by") && !q.IsFor(i-1, words.Done) }
	return q.where(0, each) >= 0
}

// groupSure reports whether "per X" names a table or column of the schema.
func (q *Question) groupSure() bool {
	return q.where(0, func(i int) bool {
		t, _ := q.TableAt(i + 1)
		here := func(c ColumnWords) bool { return q.Mention(i+1, c.Own) == i+1 }
		return q.Is(i, "per") && (t != nil || slices.ContainsFunc(q.Voc.Columns, here))
	}) >= 0
}

// Ranks reports whether the question asks for an order.
func (q *Question) Ranks() bool {
	return q.ranksBy(words.Ranks) || q.Phrase("order by") >= 0 || q.Phrase("in order of") >= 0 ||
		q.Phrase("sort by") >= 0
}

// limit reads "top 5", "first ten", "the 3 youngest", "5 orders with the highest …"; sure where "top N" says it.
func (q *Question) limit() (n int, sure bool) {
	top := func(i int) bool { return q.Is(i, "top") && q.Number(i+1) > 0 }
	first := func(i int) bool { return q.Is(i, "first", "last") && q.Number(i+1) > 0 && !q.IsFor(i+2, words.Period) }
	if i := q.where(0, top); i >= 0 {
		return q.Number(i + 1), q.Phrase("how many") < 0
	} else if i := q.where(0, first); i >= 0 {
		return q.Number(i + 1), false
	}
	for i := range q.Words {
		n := q.Number(i)
		if n == 0 || n >= 1000 || q.Is(i-1, "than", "least", "most", "over", "under", "above", "below", "exactly") {
			continue
		}
		if q.superlative(i + 1) {
			return n, false
		}
		ends := func(w Word) bool { return w.comma || w.stop } // the clause
		for k := i + 2; k < i+5; k++ {
			if q.Is(k, "with") && q.Is(k+1, "the") && q.superlative(k+2) ||
				q.Lang != words.English && q.superlative(k) && !slices.ContainsFunc(q.Words[i:k], ends) {
				return n, false
			}
		}
	}
	return 0, false
}

// superlative reports whether word i is one, of those that rank.
func (q *Question) superlative(i int) bool {
	return q.IsFor(i, words.Superlative) || q.IsFor(i, words.Best) && !q.Is(i-1, "at")
}

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
