package score

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/sqlcheck/syntax"
)

// Profile is one way to score a prediction.
type Profile struct {
	Name  string
	What  string // one line for people
	Score func(Case) Score
}

// Profiles in the order in which reports show them.
var Profiles = []Profile{
	{"strict", "the same values in the same columns; the order of rows as far as the gold query settles it",
		scoreStrict},
	{"reader", "as strict, with the columns in any order and others beside them, and quotients at the shorter scale", scoreReader},
	{"dissertation", "exactly as the dissertation scored: column order and count matter, row order never does",
		scoreDissertation},
	{"spider", "Spider's exact set match, and the same rows in some order of the columns", scoreSpider},
	{"test-suite", "as spider, and on every replica too", scoreTestSuite},
	{"bird", "BIRD's: the same set of rows; soft F1 of the cells", scoreBird},
}

// ProfilesNamed returns profiles by their names.
func ProfilesNamed(names ...string) (out []Profile, err error) {
	for _, name := range names {
		i := slices.IndexFunc(Profiles, func(p Profile) bool { return p.Name == name })
		if i < 0 {
			all := syntax.Map(Profiles, func(p Profile) string { return p.Name })
			return nil, fmt.Errorf("no profile %q: there are %s", name, strings.Join(all, ", "))
		}
		out = append(out, Profiles[i])
	}
	return out, nil
}

// scoreDissertation gives the dissertation's own figures, quirks included (dissertation.md §5.1 to §5.4).
func scoreDissertation(c Case) Score {
	s := Score{VA: c.Pred.OK(), EM: item.ExactText(c.Item.SQL) == item.ExactText(c.SQL)}
	s.EX = s.VA && c.Gold.OK() && SameRows(*c.Gold.Result, *c.Pred.Result, false)
	if s.VA && c.Replicas != nil {
		same := true
		for _, r := range c.Replicas {
			same = same && r.Gold.OK() && r.Pred.OK() && SameRows(firstRows(*r.Gold.Result),
				firstRows(*r.Pred.Result), ordered.MatchString(c.Item.SQL))
		}
		s.TS = &same
	}
	return s
}

var ordered = regexp.MustCompile(`(?i)\border\s+by\b`)

// replicaRows is how many rows of a replica's result were looked at.
const replicaRows = 500

func firstRows(r runner.Result) runner.Result {
	if len(r.Rows) > replicaRows {
		r.Rows = r.Rows[:replicaRows]
	}
	r.Truncated = false
	return r
}

// scoreStrict is our own score: the same values in the same columns; the order of rows only where the gold query
// sorts, and there only as far as it settles it; any of several accepted gold queries will do.
func scoreStrict(c Case) Score { return scoreAnswer(c, SameAnswer) }

// scoreReader counts what a reader finds in an answer: as strict, but the gold's columns may stand in any order, and
// others beside them (as Spider 2.0 scores; Lei et al. 2024, "Spider 2.0: Evaluating Language Models on Real-World
// Enterprise Text-to-SQL Workflows"; there each column is looked for by itself, here the rows must agree). A column
// that is asked for twice must be there twice, and numbers are compared at the shorter scale where both are quotients.
func scoreReader(c Case) Score { return scoreAnswer(c, holdsAnswer) }

func holdsAnswer(gold Outcome, pred runner.Result) bool { return placed(gold, pred, asRead) != nil }

// scoreAnswer scores a prediction where same says whether it answers as a gold query does.
func scoreAnswer(c Case, same func(gold Outcome, pred runner.Result) bool) Score {
	s := Score{VA: c.Pred.OK(), EM: c.Pred.OK() && c.Pred.SQL == c.Gold.SQL}
	s.EX = c.Pred.OK() && asAny(c.golds(), c.Pred, same)
	s.Class, s.Detail = Classify(c, s.EX)
	if s.VA && c.Replicas != nil {
		compared, all := false, true
		for _, r := range c.Replicas {
			golds := slices.DeleteFunc(append([]Outcome{r.Gold}, r.Accepted...),
				func(o Outcome) bool { return !o.OK() })
			if len(golds) == 0 { // says nothing about the prediction
				continue
			}
			compared = true
			all = all && r.Pred.OK() && asAny(golds, r.Pred, same)
		}
		if compared {
			s.TS = &all
		}
	}
	return s
}

func sameAny(golds []Outcome, pred Outcome) bool { return asAny(golds, pred, SameAnswer) }

// asAny says whether a prediction answers as one of some gold queries. Of results that are larger than what is compared
// it does where it is that query, as it was checked.
func asAny(golds []Outcome, pred Outcome, same func(gold Outcome, pred runner.Result) bool) bool {
	return slices.ContainsFunc(golds, func(gold Outcome) bool {
		return gold.OK() && (gold.Result.Truncated && gold.SQL == pred.SQL || same(gold, *pred.Result))
	})
}

// SameAnswer reports whether a result is what the gold query asks for. Ties of the gold's sort keys may stand in any
// order, and of the rows that tie where LIMIT cuts, any will do.
func SameAnswer(gold Outcome, pred runner.Result) bool {
	return !pred.Truncated && !gold.Result.Truncated &&
		sameWithin(gold.ties(), len(gold.Result.Columns), pred, exactly)
}

// sameWithin reports whether pred's rows are those of the ties, in their order.
func sameWithin(ties []Tie, columns int, pred runner.Result, as likeness) bool {
	rows := pred.Rows
	want := 0
	for _, t := range ties {
		want += t.Take
	}
	if len(rows) != want || len(pred.Columns) != columns {
		return false
	}
	for _, t := range ties {
		if !contains(t.Rows, rows[:t.Take], as) {
			return false
		}
		rows = rows[t.Take:]
	}
	return true
}

// likeness is when cells that differ are the same for all that.
type likeness struct {
	may  func(cell any) bool // of no other cell is that so
	same func(a, b any) bool
}

var (
	exactly = likeness{isFloat, nearCell}
	asRead  = likeness{func(cell any) bool { return isFloat(cell) || scale(cell) >= quotientScale }, readCell}
)

// contains reports whether every row of part is in pool, each as often.
func contains(pool, part [][]any, as likeness) bool {
	count := syntax.Counts(syntax.Map(pool, runner.RowKey))
	var rest [][]any // rows that no row of the pool equals exactly
	for _, row := range part {
		if key := runner.RowKey(row); count[key] > 0 {
			count[key]--
		} else {
			rest = append(rest, row)
		}
	}
	if len(rest) == 0 {
		return true
	}
	may := func(row []any) bool { return slices.ContainsFunc(row, as.may) }
	if !slices.ContainsFunc(rest, may) && !slices.ContainsFunc(pool, may) || len(rest) > mostNear {
		return false
	}
	var left [][]any
	for _, row := range pool {
		if key := runner.RowKey(row); count[key] > 0 {
			count[key]--
			left = append(left, row)
		}
	}
	for _, row := range rest {
		i := slices.IndexFunc(left, func(other []any) bool { return slices.EqualFunc(row, other, as.same) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// mostNear bounds the rows that are compared pair by pair.
const mostNear = 2000

func isFloat(cell any) bool { _, is := cell.(float64); return is }

// tolerance is how far two floating-point numbers may be apart, as a share of the larger one. Exact numbers have none.
const tolerance = 1e-9

func nearCell(a, b any) bool {
	if runner.CellKey(a) == runner.CellKey(b) {
		return true
	}
	x, isX := Number(a)
	y, isY := Number(b)
	return (isFloat(a) || isFloat(b)) && isX && isY && math.Abs(x-y) <= tolerance*max(math.Abs(x), math.Abs(y))
}

// quotientScale is how many digits MySQL gives a quotient behind the point, and more where its operands have some:
// 100 * a / b is 44.8333 where 100.0 * a / b is 44.83333. What has fewer was rounded on purpose.
// Source: MySQL 8.0 Reference Manual, div_precision_increment.
const quotientScale = 4

// scale is the number of digits of a decimal behind its point; 0 of any other cell.
func scale(cell any) int {
	d, is := cell.(runner.Decimal)
	if !is {
		return 0
	}
	_, digits, _ := strings.Cut(string(d), ".")
	return len(digits)
}

// readCell is nearCell, and a reader takes two numbers for the same that are where both have the digits of the one that
// has fewer.
func readCell(a, b any) bool {
	if nearCell(a, b) {
		return true
	}
	least := min(scale(a), scale(b))
	if isFloat(a) || isFloat(b) {
		least = max(scale(a), scale(b))
	} else if scale(a) == scale(b) {
		return false
	}
	x, isX := exact(a)
	y, isY := exact(b)
	if least < quotientScale || !isX || !isY {
		return false
	}
	apart := new(big.Rat).Abs(x.Sub(x, y)) // at most half of the last digit
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(least)), nil)
	return apart.Mul(apart, new(big.Rat).SetInt(unit.Lsh(unit, 1))).Cmp(big.NewRat(1, 1)) <= 0
}

// exact is the value of a decimal or a floating-point number.
func exact(cell any) (*big.Rat, bool) {
	switch v := cell.(type) {
	case float64:
		r := new(big.Rat).SetFloat64(v)
		return r, r != nil
	case runner.Decimal:
		return new(big.Rat).SetString(string(v))
	}
	return nil, false
}

// Number is the value of a cell that is a number.
func Number(cell any) (float64, bool) {
	switch v := cell.(type) {
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float64:
		return v, true
	case runner.Decimal:
		r, ok := new(big.Rat).SetString(string(v))
		if !ok {
			return 0, false
		}
		f, _ := r.Float64()
		return f, true
	}
	return 0, false
}
