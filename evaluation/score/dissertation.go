package score

import (
	"regexp"

	"nl2sql/loop/item"
	"nl2sql/runner"
)

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
