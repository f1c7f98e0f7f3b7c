package sqlcheck

import (
	"strconv"
	"strings"
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

func (c Constraints) sure(part string) bool {
	for _, p := range strings.Split(c.Sure, ",") {
		if p == part {
			return true
		}
	}
	return false
}

// ExtractConstraints reads a question. Names that the schema knows as values ("Min Lin Diecast") imply nothing.
func ExtractConstraints(question string, s *Schema) Constraints {
	q := readQuestion(question, s)
	var c Constraints
	var sure []string
	c.Agg = q.aggregate()
	if c.Agg != "" && q.aggSure(c.Agg) {
		sure = append(sure, "agg")
	}
	if c.Agg != "" && q.groups() {
		c.NeedsGroupBy = true
		if c.Agg == "COUNT" && q.phrase("how many") < 0 || c.Agg == "AVG" || c.Agg == "SUM" {
			if q.groupSure() {
				sure = append(sure, "group_by")
			}
		}
	}
	var limitSure bool
	if c.Limit, limitSure = q.limit(); limitSure {
		sure = append(sure, "limit")
	}
	c.NeedsOrderBy = c.Limit > 0 || q.ranks()
	c.Distinct = q.has("unique", "distinct", "different")
	c.Sure = strings.Join(sure, ",")
	return c
}

// aggregateCues are tried in order; the first that the question has wins (the reference's order).
var aggregateCues = []struct {
	agg     string
	words   []string
	phrases []string
}{

	{"COUNT", []string{"count"}, []string{"how many", "number of"}},
	{"AVG", []string{"average", "avg", "mean"}, nil},
	{"SUM", []string{"total", "sum"}, nil},
	{"MAX", []string{"maximum", "max", "highest", "most"}, nil},
	{"MIN", []string{"minimum", "min", "lowest", "least"}, nil},
}

func (q *question) aggregate() string {
	for _, cue := range aggregateCues {
		for _, p := range cue.phrases {
			if q.phrase(p) >= 0 {
				return cue.agg
			}
		}
		for i := range q.words {
			if q.is(i, cue.words...) && !q.idiom(i) {
				return cue.agg
			}
		}
	}
	return ""
}

// idiom reports whether word i is a ranking word in a phrase that ranks nothing: "at least", "most recent", "top-level".
func (q *question) idiom(i int) bool {
	switch q.words[i].low {
	case "least", "most":
		return q.is(i-1, "at") || q.is(i+1, "recent", "recently", "common", "popular", "of")
	case "top":
		return q.is(i+1, "level", "of", "management", "secret") || i+1 == len(q.words)
	case "first", "last":
		return q.is(i+1, "name", "names", "and", "or", "day", "month", "year", "week", "quarter")
	}
	return false
}

// aggSure reports whether the question can only be answered with the aggregate: it opens with it.
func (q *question) aggSure(agg string) bool {
	if agg == "COUNT" {
		if q.phrase("how many") == 0 && len(q.words) > 2 {
			t, n := q.tableAt(2)
			return t != nil && !q.columnLike(2, n)
		}
	}
	return false
}

// columnLike reports whether the n words at i also name a column, which may hold the number that is asked for.
func (q *question) columnLike(i, n int) bool {
	for _, c := range q.voc.columns {
		if (len(c.words) == n && q.mention(i, c.words) == i || len(c.own) == n && q.mention(i, c.own) == i) && c.col.Kind() != Text {
			return true
		}
	}
	return false
}

// groups reports whether the question asks for one value per something.
func (q *question) groups() bool {
	for i := range q.words {
		if q.is(i, "per", "each", "every") || q.is(i, "by") && !q.is(i-1, "ordered", "sorted", "supplied", "made", "order", "sort", "written", "directed", "followed", "placed", "owned", "produced", "published", "taken", "sold", "played", "given", "offered", "managed", "taught", "used") {
			return true
		}
	}
	return false
}

// groupSure reports whether "per X" names a table or column of the schema.
func (q *question) groupSure() bool {
	for i := range q.words {
		if q.is(i, "per") {
			if t, _ := q.tableAt(i + 1); t != nil {
				return true
			}
			for _, c := range q.voc.columns {
				if q.mention(i+1, c.own) == i+1 {
					return true
				}
			}
		}
	}
	return false
}

var rankWords = []string{"top", "highest", "lowest", "most", "least", "largest", "smallest", "sorted", "ranked", "ordered"}

// ranks reports whether the question asks for an order.
func (q *question) ranks() bool {
	for i := range q.words {
		if q.is(i, rankWords...) && !q.idiom(i) {
			return true
		}
	}
	return q.phrase("order by") >= 0 || q.phrase("in order of") >= 0 || q.phrase("sort by") >= 0
}

// number reads word i as a count: digits, or a word up to twenty.
func (q *question) number(i int) int {
	if i < 0 || i >= len(q.words) || q.words[i].masked {
		return 0
	}
	w := q.words[i].low
	if n, err := strconv.Atoi(w); err == nil && n > 0 && n <= 1_000_000 {
		return n
	}
	if w == "a" || w == "an" || w == "one" {
		return 0
	}
	return numberWords[w]
}

// limit reads "top 5", "first ten", "the 3 youngest", "5 orders with the highest …"; sure where "top N" says it.
func (q *question) limit() (n int, sure bool) {
	for i := range q.words {
		if q.is(i, "top") && q.number(i+1) > 0 {
			return q.number(i + 1), q.phrase("how many") < 0
		}
	}
	for i := range q.words {
		if q.is(i, "first", "last") && q.number(i+1) > 0 && !q.is(i+2, "month", "months", "day", "days", "year", "years", "week", "weeks") {
			return q.number(i + 1), false
		}
	}
	for i := range q.words {
		n := q.number(i)
		if n == 0 || n >= 1000 || q.is(i-1, "than", "least", "most", "over", "under", "above", "below", "exactly") {
			continue
		}
		if q.superlative(i + 1) {
			return n, false
		}
		for k := i + 2; k < i+5; k++ {
			if q.is(k, "with") && q.is(k+1, "the") && q.superlative(k+2) {
				return n, false
			}
		}
	}
	return 0, false
}

func (q *question) superlative(i int) bool {
	if i < 0 || i >= len(q.words) || q.words[i].masked {
		return false
	}
	w := q.words[i].low
	return q.is(i, "most", "least", "best", "worst") && !q.is(i-1, "at") || len(w) > 4 && strings.HasSuffix(w, "est") && !notSuperlative[w]
}
