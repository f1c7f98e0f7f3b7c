package loop

import (
	"strings"

	"nl2sql/sqlcheck"
	"nl2sql/tools"
)

// plain says what verdicts without a hint mean to who does not write SQL.
var plain = map[sqlcheck.Reason]string{
	"empty":     "the model wrote nothing",
	"empty_sql": "the model wrote nothing",
	"no_select": "the model wrote no query",
	"no_from":   "the model wrote no query of a table",
	"syntax":    "the model wrote no valid SQL",
}

// Why says for a reader, in one line and without the names that traces use, what was wrong with the last candidate; ""
// if there is an answer, or none was looked for.
func (a Answer) Why() string {
	if a.Result != nil || a.Refused != "" || a.How == ByDryRun {
		return ""
	}
	why := "the steps ran out (--max-steps) before a query had passed its checks and run"
	for _, e := range a.Trace {
		if v := e.Verdict; v != nil && !v.OK && e.Kind != KindCandidate {
			why = reason(*v)
		} else if e.Tool == Query && !e.OK {
			why = "the query did not run: " + e.Reason
		}
	}
	return why
}

// reason is the hint of a verdict without the SQL that it proposes, or else what it found.
func reason(v sqlcheck.Verdict) string {
	hint, _, _ := strings.Cut(v.Hint, ": JOIN ")
	hint, _, _ = strings.Cut(hint, "; write ")
	switch text, known := plain[v.Reason]; {
	case hint != "":
		return hint
	case known:
		return text
	case v.Check == "run":
		return "the database refused the query: " + v.Detail
	}
	return v.String()
}

// Mended says what guards did to the query that was answered and a reader should know of.
func (a Answer) Mended() (whys []string) {
	for _, e := range a.Trace {
		switch {
		case e.Kind == KindTool && (e.Tool == tools.GenerateSQL || e.Tool == tools.RepairSQL) || e.Kind == KindModel:
			whys = nil // of an earlier candidate
		case e.Kind == KindGuardrails && e.OK:
			for _, c := range e.Changes {
				if c.Guess {
					whys = append(whys, c.Why)
				}
			}
		}
	}
	return whys
}

// Tally says how many of the candidates that the database compared agree on the answer; of is 0 where they had
// no vote. redrawn says that the candidate which the model likes best had failed before.
func (a Answer) Tally() (agree, of int, redrawn bool) {
	failed, tries, found := false, 0, map[string]int{} // candidates by what they found
	for _, e := range a.Trace {
		switch e.Kind {
		case KindTool, KindGuardrails, KindIntent:
			failed = failed || !e.OK
		case KindCandidate:
			tries++
			found[e.Digest]++
		case KindVote:
			if of = 0; e.OK {
				agree, of, redrawn = found[e.Digest], tries, failed
			}
			tries = 0
			clear(found)
		}
	}
	return agree, of, redrawn
}

// Tally is what some of the candidates of a vote agree on.
type Tally struct {
	SQL   string // the query of the first of them
	Found string // how many rows, in words
	Agree int    // candidates that found the same
	Of    int    // candidates of the vote
}

// Tallies are the results that candidates of the last vote that counted came to, in the order in which they came up;
// nil without a vote.
func (a Answer) Tallies() (out []Tally) {
	var now []Tally
	at, of := map[string]int{}, 0
	for _, e := range a.Trace {
		switch {
		case e.Kind == KindCandidate:
			of++
			i, known := at[e.Digest]
			if !known && e.OK {
				i, at[e.Digest] = len(now), len(now)
				now = append(now, Tally{SQL: e.SQL, Found: e.Reason})
			}
			if e.OK {
				now[i].Agree++
			}
		case e.Kind == KindVote:
			for i := range now {
				now[i].Of = of
			}
			if e.OK {
				out = now
			}
			now, of = nil, 0
			clear(at)
		}
	}
	return out
}
