package tools

import (
	"cmp"
	"context"
	"encoding/json"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/question"
)

// verdictText is the seeds' form of a verdict: {"valid": …, "reason": …}, with our hint where there is one.
func verdictText(v sqlcheck.Verdict) string {
	return jsonText(struct {
		Valid  bool   `json:"valid"`
		Reason string `json:"reason"`
		Hint   string `json:"hint,omitempty"`
	}{v.OK, v.String(), v.Hint})
}

type validate struct{}

func (validate) Name() Name { return ValidateSQL }

// Run checks syntax, policy and names before any execution.
func (validate) Run(_ context.Context, env Env, _ json.RawMessage) (Observation, error) {
	if env.SQL == "" {
		v := sqlcheck.Reject("clean", "empty_sql", "")
		return Observation{Text: verdictText(v), Verdict: &v}, nil
	}
	if k := env.Known; k.Check != nil {
		return Observation{Text: verdictText(*k.Check), Verdict: k.Check, Query: k.Query}, nil
	}
	q, v, err := sqlcheck.Check(env.SQL, env.Schema)
	if err != nil {
		return Observation{}, err
	}
	obs := Observation{Text: verdictText(v), Verdict: &v}
	if v.OK {
		obs.Query = &q
	}
	return obs, nil
}

type extractConstraints struct{}

func (extractConstraints) Name() Name { return ExtractConstraints }

func (extractConstraints) Run(_ context.Context, env Env, _ json.RawMessage) (Observation, error) {
	c := cmp.Or(env.Said, env.Asked).Constraints()
	return Observation{Text: jsonText(c), Constraints: &c}, nil
}

type validateConstraints struct{}

func (validateConstraints) Name() Name { return ValidateConstraints }

func (validateConstraints) Run(_ context.Context, env Env, _ json.RawMessage) (Observation, error) {
	v := sqlcheck.Pass("constraints")
	switch {
	case env.SQL == "":
		v = sqlcheck.Reject("constraints", "empty_sql", "")
	case env.Known.Constraints != nil:
		v = *env.Known.Constraints
	case env.Constraints != nil && env.Query != nil:
		v = env.Constraints.Check(env.Query.Stmt())
	case env.Constraints != nil:
		v = question.CheckConstraints(env.SQL, *env.Constraints)
	}
	return Observation{Text: verdictText(v), Verdict: &v}, nil
}
