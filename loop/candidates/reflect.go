package candidates

import (
	"context"
	"strings"

	"nl2sql/loop"
	"nl2sql/sqlcheck/question"
	"nl2sql/tools"
)

// guidance says how an error of MySQL is mended, by its number.
var guidance = map[uint16]string{
	1052: "Two tables have that column: write the table's alias before it.",
	1054: "Use only columns that the schema lists, of tables that FROM names.",
	1055: "Put the column into GROUP BY, or inside an aggregate function.",
	1064: "Mend the syntax alone: take out words that are doubled or do not belong there.",
	1111: "Aggregates belong into the select list or HAVING, not into WHERE.",
	1140: "Add GROUP BY for the columns beside the aggregate, or leave them out.",
	1146: "Use only tables that the schema lists.",
	1241: "A subquery that is compared with returns one column.",
	1242: "A subquery that is compared with returns one row: use IN, or LIMIT 1.",
	1305: "Use only functions that MySQL 8 has.",
}

// otherGuidance is for failures of which nothing says how they are mended.
const otherGuidance = "Mend what is wrong and change nothing else of what the query asks for."

// shapes say what a query of an intent looks like.
var shapes = map[question.Intent]string{
	question.Lookup:           "The question asks for rows as they are.",
	question.Aggregate:        "The question asks for one computed value.",
	question.GroupedAggregate: "The question asks for a computed value for each group: GROUP BY.",
	question.TopK:             "The question asks for the first rows of an order: ORDER BY and LIMIT.",
}

// ranks say how much a failure tells, by its check: what came furthest knows most. What guards rejected is no query,
// and cannot be mended.
var ranks = map[string]int{"run": 3, "parse": 2, "policy": 2, "refs": 2, "constraints": 1, "intent": 1}

// mostTelling is the failure that a reflection begins with, of equal ones the last; nil if there is none.
func mostTelling(all []*candidate) (failed *candidate) {
	for _, c := range all {
		rank := ranks[c.verdict.Check]
		if !c.event.OK && rank > 0 && (failed == nil || rank >= ranks[failed.verdict.Check]) {
			failed = c
		}
	}
	return failed
}

// reflect shows the model a failure, with what it takes to mend it, and has other candidates written. They must meet
// the intent.
func (k *ranking) reflect(ctx context.Context, failed *candidate) ([]*candidate, error) {
	why := k.diagnosis(failed)
	k.Emit(loop.Event{
		Kind: loop.KindGate, Gate: "reflection", Tool: tools.RepairSQL, OK: true, Reason: why, SQL: failed.event.SQL,
		Verdict: &failed.verdict,
	})
	env := k.env()
	env.SQL, env.Err = failed.event.SQL, why
	msgs, err := k.Prompts.Repair(env)
	if err != nil {
		return nil, err
	}
	return k.draw(ctx, msgs, k.o.ReflectionNumCands, true)
}

// diagnosis is the failure, how it is mended, what the question asks for, and what else the checks find, in one line.
func (k *ranking) diagnosis(failed *candidate) string {
	sql, v := failed.event.SQL, failed.verdict
	parts := []string{strings.TrimRight(v.Advice(), ".") + "."}
	if fix, known := guidance[v.Code]; known {
		parts = append(parts, fix)
	} else if v.Hint == "" {
		parts = append(parts, otherGuidance)
	}
	if v.Check == "intent" { // it says what the question asks for
		return strings.Join(parts, " ")
	}
	parts = append(parts, shapes[k.State.Asked.Intent()])
	if k.State.Constraints == nil {
		return strings.Join(parts, " ")
	}
	if other := question.CheckConstraints(sql, *k.State.Constraints); other.Hint != "" && v.Check != other.Check {
		parts = append(parts, "Also: "+other.Hint+".")
	}
	return strings.Join(parts, " ")
}
