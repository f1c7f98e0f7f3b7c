package question

import (
	"cmp"
	"strconv"
	"strings"

	"nl2sql/sqlcheck/schema"
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
func ExtractConstraints(question string, s *schema.Schema) Constraints {
	q := Read(question, s)
	var c Constraints
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
	c.Distinct = q.Has("unique", "distinct", "different")
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

func (q *Question) aggregate() string {
	for _, cue := range aggregateCues {
		for _, p := range cue.phrases {
			if q.Phrase(p) >= 0 {
				return cue.agg
			}
		}
		for i := range q.Words {
			if q.Is(i, cue.words...) && !q.idiom(i) {
				return cue.agg
			}
		}
	}
	return ""
}

// idiom reports whether word i is a ranking word in a phrase that ranks nothing: "at least", "most recent", "top-level".
func (q *Question) idiom(i int) bool {
	switch q.Words[i].Low {
	case "least", "most":
		return q.Is(i-1, "at") || q.Is(i+1, "recent", "recently", "common", "popular", "of")
	case "top":
		return q.Is(i+1, "level", "of", "management", "secret") || i+1 == len(q.Words)
	case "first", "last":
		return q.Is(i+1, "name", "names", "and", "or", "day", "month", "year", "week", "quarter")
	}
	return false
}

// aggSure reports whether the question can only be answered with the aggregate: it opens with it.
func (q *Question) aggSure(agg string) bool {
	if agg == "COUNT" {
		if q.Phrase("how many") == 0 && len(q.Words) > 2 {
			t, n := q.TableAt(2)
			return t != nil && !q.columnLike(2, n)
		}
	}
	return false
}

// columnLike reports whether the n words at i also name a column, which may hold the number that is asked for.
func (q *Question) columnLike(i, n int) bool {
	for _, c := range q.Voc.Columns {
		if (len(c.Words) == n && q.Mention(i, c.Words) == i || len(c.Own) == n && q.Mention(i, c.Own) == i) && c.Col.Kind() != schema.Text {
			return true
		}
	}
	return false
}

// groups reports whether the question asks for one value per something.
func (q *Question) groups() bool {
	for i := range q.Words {
		if q.Is(i, "per", "each", "every") || q.Is(i, "by") && !q.Is(i-1, "ordered", "sorted", "supplied", "made", "order", "sort", "written", "directed", "followed", "placed", "owned", "produced", "published", "taken", "sold", "played", "given", "offered", "managed", "taught", "used") {
			return true
		}
	}
	return false
}

// groupSure reports whether "per X" names a table or column of the schema.
func (q *Question) groupSure() bool {
	for i := range q.Words {
		if q.Is(i, "per") {
			if t, _ := q.TableAt(i + 1); t != nil {
				return true
			}
			for _, c := range q.Voc.Columns {
				if q.Mention(i+1, c.Own) == i+1 {
					return true
				}
			}
		}
	}
	return false
}

var rankWords = []string{"top", "highest", "lowest", "most", "least", "largest", "smallest", "sorted", "ranked", "ordered"}

// Ranks reports whether the question asks for an order.
func (q *Question) Ranks() bool {
	for i := range q.Words {
		if q.Is(i, rankWords...) && !q.idiom(i) {
			return true
		}
	}
	return q.Phrase("order by") >= 0 || q.Phrase("in order of") >= 0 || q.Phrase("sort by") >= 0
}

// Number reads word i as a count: digits, or a word up to twenty.
func (q *Question) Number(i int) int {
	if i < 0 || i >= len(q.Words) || q.Words[i].Masked {
		return 0
	}
	w := cmp.Or(q.Words[i].cue, q.Words[i].Low)
	if n, err := strconv.Atoi(q.Words[i].digits(q.Lang)); err == nil && n > 0 && n <= 1_000_000 {
		return n
	}
	if w == "a" || w == "an" || w == "one" {
		return 0
	}
	return numberWords[w]
}

// limit reads "top 5", "first ten", "the 3 youngest", "5 orders with the highest …"; sure where "top N" says it.
func (q *Question) limit() (n int, sure bool) {
	for i := range q.Words {
		if q.Is(i, "top") && q.Number(i+1) > 0 {
			return q.Number(i + 1), q.Phrase("how many") < 0
		}
	}
	for i := range q.Words {
		if q.Is(i, "first", "last") && q.Number(i+1) > 0 && !q.Is(i+2, "month", "months", "day", "days", "year", "years", "week", "weeks") {
			return q.Number(i + 1), false
		}
	}
	for i := range q.Words {
		n := q.Number(i)
		if n == 0 || n >= 1000 || q.Is(i-1, "than", "least", "most", "over", "under", "above", "below", "exactly") {
			continue
		}
		if q.superlative(i + 1) {
			return n, false
		}
		for k := i + 2; k < i+5; k++ {
			if q.Is(k, "with") && q.Is(k+1, "the") && q.superlative(k+2) || q.Lang != "" && q.superlative(k) && q.clauseOpen(i, k) {
				return n, false
			}
		}
	}
	return 0, false
}

func (q *Question) superlative(i int) bool {
	if i < 0 || i >= len(q.Words) || q.Words[i].Masked {
		return false
	}
	w := cmp.Or(q.Words[i].cue, q.Words[i].Low)
	return q.Is(i, "most", "least", "best", "worst") && !q.Is(i-1, "at") || len(w) > 4 && strings.HasSuffix(w, "est") && !notSuperlative[w]
}
