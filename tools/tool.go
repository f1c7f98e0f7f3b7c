// Package tools implements the actions that a model may take.
// It does not know the loop: a tool reads an Env and returns an Observation.
package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// Name is a tool's name as the model writes it.
type Name string

// The ten tools (tech. ref. §3.1).
const (
	GetSchema           Name = "get_schema"
	LinkSchema          Name = "link_schema"
	ExtractConstraints  Name = "extract_constraints"
	GenerateSQL         Name = "generate_sql"
	ValidateSQL         Name = "validate_sql"
	ValidateConstraints Name = "validate_constraints"
	RunSQL              Name = "run_sql"
	RepairSQL           Name = "repair_sql"
	GetTableSamples     Name = "get_table_samples"
	Finish              Name = "finish"
)

// Querier is the part of a database that tools use.
type Querier interface {
	Query(ctx context.Context, q sqlcheck.Query) (runner.Result, error)
}

// Call is one parsed action.
type Call struct {
	Tool Name            `json:"tool"`
	Args json.RawMessage `json:"args,omitempty"` // a JSON object; most tools read the Env instead (tech. ref. §3)
}

// Env is what a tool may read of the state. The loop fills it, so a tool can be
// tested with a struct literal and cannot change the state behind the loop's back.
type Env struct {
	Asked       *question.Question    // for Schema
	Said        *question.Question    // what of it is said now, behind another question; nil is all of it
	Schema      *schema.Schema        // the whole database
	Focus       *schema.Schema        // what link_schema left; nil before it ran
	Read        *schema.Schema        // of Schema, what the candidates of a vote read: others see it alone; nil before
	Constraints *question.Constraints // nil before extract_constraints
	SQL         string                // current candidate, "" before the first generate_sql
	Query       *sqlcheck.Query       // SQL after it passed validate_sql, else nil
	Result      *runner.Result        // of the last successful run_sql
	Err         string                // last failure as shown to the model, with its hint
	Failed      []Attempt             // candidates that failed, oldest first
	Retry       int                   // texts in a row that brought no new candidate
	Known       Known                 // of SQL, if it was checked and run before
}

// Known is what checks and the database said of a query when it was one of several candidates. The tools that would
// ask them tell it again. A field that is nil was not asked.
type Known struct {
	Check       *sqlcheck.Verdict  // of validate_sql
	Query       *sqlcheck.Query    // if it passed
	Constraints *sqlcheck.Verdict  // of validate_constraints
	Result      *runner.Result     // of run_sql, if the query ran
	Refused     *runner.QueryError // of run_sql, if the database refused it
}

// Attempt is a candidate that failed and why.
type Attempt struct{ SQL, Err string }

// Observation is what a tool found. Text goes to the model, the rest to the loop.
type Observation struct {
	Text        string
	Raw         string                // generate_sql, repair_sql: the model's text, before the guardrails
	Schema      *schema.Schema        // get_schema, link_schema
	Changed     bool                  // link_schema left something out
	Constraints *question.Constraints // extract_constraints
	Verdict     *sqlcheck.Verdict     // validate_sql, validate_constraints, and run_sql when it failed
	Query       *sqlcheck.Query       // validate_sql, when it passed
	Result      *runner.Result        // run_sql and get_table_samples, on success
	Completion  *llm.Completion       // generate_sql, repair_sql: what the call cost
}

// Tool is one action. Run returns an error only when the run cannot go on
// (cancelled, model gone, database gone); "your SQL is wrong" is an Observation.
type Tool interface {
	Name() Name
	Run(ctx context.Context, env Env, args json.RawMessage) (Observation, error)
}

// Set is an ordered, read-only collection of tools.
type Set []Tool

// NewSet returns the ten tools on one model and one database.
func NewSet(model llm.Generator, db Querier, p *Prompts, params llm.Params) Set {
	return Set{
		getSchema{p}, linkSchema{p}, extractConstraints{}, writeSQL{GenerateSQL, p.Generate, model, p, params},
		validate{}, validateConstraints{}, runSQL{db}, writeSQL{RepairSQL, p.Repair, model, p, params},
		tableSamples{db}, finish{},
	}
}

// Has reports whether name is one of the tools.
func (s Set) Has(name Name) bool {
	return slices.ContainsFunc(s, func(t Tool) bool { return t.Name() == name })
}

// Run executes c. An unknown name is an observation, since a model wrote it.
func (s Set) Run(ctx context.Context, env Env, c Call) (Observation, error) {
	for _, t := range s {
		if t.Name() == c.Tool {
			obs, err := t.Run(ctx, env, c.Args)
			if err != nil {
				return obs, fmt.Errorf("%s: %w", c.Tool, err)
			}
			return obs, nil
		}
	}
	return Observation{Text: fmt.Sprintf("Unknown action: %s", c.Tool)}, nil
}
