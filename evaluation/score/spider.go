package score

import (
	"slices"

	"nl2sql/loop/item"
	"nl2sql/runner"
)

// scoreSpider is Spider's exact set match as EM, and as EX what its test-suite evaluation calls execution match, on
// one database: the same rows in some order of the columns, sorted rows where the gold query sorts anywhere
// (Zhong et al. 2020, "Semantic Evaluation for Text-to-SQL with Distilled Test Suites"). DISTINCT is kept, as with
// that evaluation's --keep_distinct, and no text of the query is rewritten.
func scoreSpider(c Case) Score {
	set := c.Pred.Set()
	s := Score{VA: c.Pred.OK(), EM: set != "" && set == c.Gold.Set()}
	s.EX = sameInSomeOrder(c.Gold, c.Pred)
	s.Class, s.Detail = Classify(c, s.EX)
	return s
}

// scoreTestSuite adds the replicas to Spider's score; the prediction must pass on all of them.
func scoreTestSuite(c Case) Score {
	s := scoreSpider(c)
	if s.VA && c.Replicas != nil {
		same := s.EX && !slices.ContainsFunc(c.Replicas, func(r Pair) bool {
			return r.Gold.OK() &&
				!sameInSomeOrder(r.Gold, r.Pred)
		})
		s.TS = &same
	}
	return s
}

func sameInSomeOrder(gold, pred Outcome) bool {
	if !gold.OK() || !pred.OK() {
		return false
	}
	a, b := *gold.Result, *pred.Result
	if len(a.Rows) == 0 && len(b.Rows) == 0 {
		return true
	}
	return len(a.Columns) == len(b.Columns) && placedRows(a, b, ordered.MatchString(gold.SQL)) != nil
}

// scoreBird is BIRD's: the rows as sets, columns in the gold's order; and Mini-Dev's soft F1, which compares row by row
// in the order in which they come (Li et al. 2023, "Can LLM Already Serve as a Database Interface?").
func scoreBird(c Case) Score {
	s := Score{VA: c.Pred.OK(), EM: item.ExactText(c.Item.SQL) == item.ExactText(c.SQL)}
	f1 := 0.0
	if c.Pred.OK() && c.Gold.OK() && !c.Pred.Result.Truncated && !c.Gold.Result.Truncated {
		pred, gold := distinct(c.Pred.Result.Rows), distinct(c.Gold.Result.Rows)
		s.EX = len(pred) == len(gold) && contains(gold, pred, exactly)
		f1 = softF1(pred, gold)
	}
	s.F1 = &f1
	s.Class, s.Detail = Classify(c, s.EX)
	return s
}

// distinct drops the repetitions of rows.
func distinct(rows [][]any) [][]any {
	seen := map[string]bool{}
	var out [][]any
	for _, row := range rows {
		if key := runner.RowKey(row); !seen[key] {
			seen[key] = true
			out = append(out, row)
		}
	}
	return out
}

// softF1 takes a cell as found if the other row of the same number has its value anywhere.
func softF1(pred, gold [][]any) float64 {
	if len(pred) == 0 && len(gold) == 0 {
		return 1
	}
	var both, predOnly, goldOnly float64
	for i := range max(len(pred), len(gold)) {
		switch {
		case i >= len(pred):
			goldOnly++
		case i >= len(gold):
			predOnly++
		default:
			width := float64(len(gold[i]))
			found := shared(pred[i], gold[i])
			both += float64(found) / width
			predOnly += float64(len(pred[i])-found) / width
			goldOnly += float64(len(gold[i])-shared(gold[i], pred[i])) / width
		}
	}
	if both == 0 {
		return 0
	}
	precision, recall := both/(both+predOnly), both/(both+goldOnly)
	return 2 * precision * recall / (precision + recall)
}

// shared counts the cells of a that b has somewhere.
func shared(a, b []any) (n int) {
	for _, cell := range a {
		if slices.ContainsFunc(b, func(other any) bool { return runner.CellKey(other) == runner.CellKey(cell) }) {
			n++
		}
	}
	return n
}
