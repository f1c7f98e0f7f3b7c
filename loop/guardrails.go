package loop

import (
	"strings"

	"nl2sql/sqlcheck/guard"
)

// guard sends raw model text through the guardrails (tech. ref. §4). It returns the candidate, or
// why there is none: a reject, or a text that has already failed.
func (r *run) guard(raw string) (sql, reject string) {
	sql, changes, v := r.Guards.Apply(raw, guard.Input{Question: r.ans.Question, Schema: r.Schema})
	sql = strings.TrimSpace(sql)
	switch {
	case !v.OK:
		reject = "clean_reject:" + v.String()
	case sql == "":
		reject = "clean_reject:empty"
	case r.s.tried(sql) && !r.Without.Off("repeat_check"):
		reject = "clean_reject:repeats_failed_sql"
	}
	if reject != "" {
		r.emit(Event{Kind: KindGuardrails, Reason: reject, Changes: changes, Verdict: &v})
		r.observe(`{"error": "` + reject + `", "hint": "answer with one SELECT statement"}`)
		return "", reject
	}
	r.emit(Event{Kind: KindGuardrails, OK: true, Reason: "cleaned", SQL: sql, Changes: changes})
	r.observe(sql)
	return sql, ""
}
