package tools

import (
	"context"
	"encoding/json"

	"nl2sql/llm"
)

type generate struct {
	model   llm.Generator
	prompts *Prompts
	params  llm.Params
}

func (generate) Name() Name { return GenerateSQL }

// Run asks the model for a first candidate. What the model passed as arguments is not used: the loop's
// own question and constraints are what later checks hold the SQL against.
func (t generate) Run(ctx context.Context, env Env, _ json.RawMessage) (Observation, error) {
	msgs, err := t.prompts.generate(env)
	if err != nil {
		return Observation{}, err
	}
	return askSQL(ctx, t.model, msgs, t.prompts.retryParams(t.params, env.Retry))
}

type repair struct {
	model   llm.Generator
	prompts *Prompts
	params  llm.Params
}

func (repair) Name() Name { return RepairSQL }

// Run shows the model its failed candidate, the error and the whole schema.
func (t repair) Run(ctx context.Context, env Env, _ json.RawMessage) (Observation, error) {
	msgs, err := t.prompts.repair(env)
	if err != nil {
		return Observation{}, err
	}
	return askSQL(ctx, t.model, msgs, t.prompts.retryParams(t.params, env.Retry))
}

func askSQL(ctx context.Context, model llm.Generator, msgs []llm.Message, p llm.Params) (Observation, error) {
	c, err := model.Generate(ctx, msgs, p)
	if err != nil {
		return Observation{}, err
	}
	return Observation{Text: c.Text, Raw: c.Text, Completion: &c}, nil
}
