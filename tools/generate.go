package tools

import (
	"context"
	"encoding/json"

	"nl2sql/llm"
)

// writeSQL is generate_sql and repair_sql: they differ in their prompts. What the model passed as arguments is not
// used: the loop's own question, constraints and error are what later checks compare the SQL with.
type writeSQL struct {
	name    Name
	prompt  func(Env) ([]llm.Message, error)
	model   llm.Generator
	prompts *Prompts
	params  llm.Params
}

func (t writeSQL) Name() Name { return t.name }

// Run asks the model for a candidate.
func (t writeSQL) Run(ctx context.Context, env Env, _ json.RawMessage) (Observation, error) {
	msgs, err := t.prompt(env)
	if err != nil {
		return Observation{}, err
	}
	c, err := t.model.Generate(ctx, msgs, t.prompts.retryParams(t.params, env.Retry))
	if err != nil {
		return Observation{}, err
	}
	return Observation{Text: c.Text, Raw: c.Text, Completion: &c}, nil
}
