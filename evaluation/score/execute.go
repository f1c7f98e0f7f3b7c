package score

import (
	"context"
	"errors"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

// Outcome is what a database makes of one query text.
type Outcome struct {
	Result  *runner.Result   // nil if it was refused
	SQL     string           // what ran, restored from the checked tree; "" if sqlcheck refused it
	Verdict sqlcheck.Verdict // why sqlcheck refused it; OK if it went to the database
	Error   string           // why it was refused, by sqlcheck or by the database; "" if it ran
	Code    uint16           // MySQL's number of that error; 0 if there is none
	Ties    []Tie            // of a gold query's rows; nil if it was not asked for

	query  sqlcheck.Query
	schema *schema.Schema
}

// Set is the query's [ExactSet]; "" if sqlcheck refused it. Only some profiles ask for it.
func (o Outcome) Set() string {
	if o.SQL == "" {
		return ""
	}
	return ExactSet(o.query, o.schema)
}

// OK says that the query ran.
func (o Outcome) OK() bool { return o.Result != nil }

// Executor runs queries on one database, and each text once as long as there is room for what it gave. It is safe for
// concurrent use.
type Executor struct {
	DB     runner.DB
	Schema *schema.Schema

	outcomes *memo[Outcome]
}

// mostCells bounds the results that are kept for one database, or of one Scorer: some 100 MB.
const mostCells = 1 << 20

// cells is the size of an outcome in memory; a byte of a query counts as one, for its tree.
func (o Outcome) cells() int {
	if !o.OK() {
		return 1 + len(o.SQL)
	}
	return 1 + len(o.SQL) + len(o.Result.Rows)*len(o.Result.Columns)
}

// NewExecutor reads the schema of db.
func NewExecutor(ctx context.Context, db runner.DB) (*Executor, error) {
	schema, err := db.Schema(ctx)
	if err != nil {
		return nil, err
	}
	return &Executor{DB: db, Schema: schema, outcomes: newMemo(mostCells, Outcome.cells, nil)}, nil
}

// Run checks and runs sql. A refusal is an Outcome; an error means that it could not be found out, and is not kept.
func (x *Executor) Run(ctx context.Context, sql string) (Outcome, error) {
	return x.outcomes.get(ctx, sql, func() (Outcome, error) { return x.run(ctx, sql) })
}

func (x *Executor) run(ctx context.Context, sql string) (Outcome, error) {
	q, v, err := sqlcheck.Check(sql, x.Schema)
	if err != nil {
		return Outcome{}, err
	}
	if !v.OK {
		return Outcome{Verdict: v, Error: v.String(), Code: v.Code}, nil
	}
	o := Outcome{SQL: q.SQL(), Verdict: v, query: q, schema: x.Schema}
	res, err := x.DB.Query(ctx, q)
	if qe, ok := errors.AsType[*runner.QueryError](err); ok {
		o.Error, o.Code = qe.Error(), qe.Code
		return o, nil
	} else if err != nil {
		return Outcome{}, err
	}
	o.Result = &res
	return o, nil
}
