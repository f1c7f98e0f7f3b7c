package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/syntax"
)

// What an observation shows of a result: full rows never enter the transcript.
const (
	previewRows  = 3
	previewBytes = 600 // about 200 tokens
)

// previewText is the model's view of a result: counts, column names and a few rows.
func previewText(r runner.Result) string {
	p := struct {
		Success   bool     `json:"success"`
		RowCount  int      `json:"rowcount"`
		Truncated bool     `json:"truncated"`
		Columns   []string `json:"columns"`
		Preview   [][]any  `json:"preview_rows,omitempty"`
	}{true, len(r.Rows), r.Truncated, r.Columns, nil}
	for n := min(previewRows, len(r.Rows)); n >= 0; n-- {
		p.Preview = r.Rows[:n]
		if text := jsonText(p); len(text) <= previewBytes {
			return text
		}
	}
	names := len(p.Columns)
	p.Columns = nil
	for _, c := range r.Columns[:min(8, names)] {
		p.Columns = append(p.Columns, syntax.Clip(c, 40))
	}
	return fmt.Sprintf("%s (%d columns in all)", jsonText(p), names)
}

// jsonText marshals values that always can be: structs of strings, numbers and cells.
func jsonText(v any) string {
	line, err := syntax.JSONLine(v)
	if err != nil {
		return fmt.Sprintf("{%q: %q}", "error", err)
	}
	return strings.TrimSuffix(string(line), "\n")
}

type runSQL struct{ db Querier }

func (runSQL) Name() Name { return RunSQL }

// Run executes the validated candidate. A refusal by the engine is a rejecting verdict.
func (t runSQL) Run(ctx context.Context, env Env, _ json.RawMessage) (Observation, error) {
	if env.Query == nil {
		v := sqlcheck.Reject("run", "not_validated", "")
		return Observation{Text: failureText(v), Verdict: &v}, nil
	}
	res, refused := env.Known.Result, env.Known.Refused
	if res == nil && refused == nil {
		found, err := t.db.Query(ctx, *env.Query)
		if err != nil && !errors.As(err, &refused) {
			return Observation{}, err
		}
		res = &found
	}
	if refused != nil {
		v := sqlcheck.Reject("run", "execution_error", syntax.Clip(refused.Error(), 300))
		v.Code = refused.Code
		return Observation{Text: failureText(v), Verdict: &v}, nil
	}
	return Observation{Text: previewText(*res), Result: res}, nil
}

func failureText(v sqlcheck.Verdict) string {
	return jsonText(struct {
		Success bool   `json:"success"`
		Error   string `json:"error"`
	}{false, v.String()})
}

type tableSamples struct{ db Querier }

func (tableSamples) Name() Name { return GetTableSamples }

// maxSamples bounds n of get_table_samples.
const maxSamples = 10

// Run shows a few rows of one table of the schema; any other name is refused, so that no
// text of the model becomes an identifier (dissertation.md §9, 14).
func (t tableSamples) Run(ctx context.Context, env Env, args json.RawMessage) (Observation, error) {
	var a struct {
		Table string      `json:"table"`
		N     json.Number `json:"n"`
	}
	// A broken argument object is a missing table name: the observation says so.
	if err := json.Unmarshal(args, &a); err != nil {
		a.Table = ""
	}
	table, ok := env.Schema.Table(a.Table)
	if !ok {
		tables := syntax.Clip(strings.Join(env.Schema.TableNames(), ", "), 400)
		text := fmt.Sprintf("no table %q; tables: %s", syntax.Clip(a.Table, 64), tables)
		return Observation{Text: jsonText(map[string]string{"error": text})}, nil
	}
	n := previewRows
	if v, err := a.N.Int64(); err == nil && v > 0 {
		n = int(min(v, maxSamples))
	}
	name := "`" + strings.ReplaceAll(table.Name, "`", "``") + "`"
	q, v, err := sqlcheck.Check(fmt.Sprintf("SELECT * FROM %s LIMIT %d", name, n), env.Schema)
	if err != nil {
		return Observation{}, err
	}
	if !v.OK {
		return Observation{Text: failureText(v)}, nil
	}
	res, err := t.db.Query(ctx, q)
	if qe, ok := errors.AsType[*runner.QueryError](err); ok {
		return Observation{Text: jsonText(map[string]string{"error": syntax.Clip(qe.Error(), 300)})}, nil
	}
	if err != nil {
		return Observation{}, err
	}
	return Observation{Text: sampleText(res), Result: &res}, nil
}

// sampleText writes sample rows, dropping the last ones until they fit the budget.
func sampleText(r runner.Result) string {
	rows := [][]any{}
	for _, row := range r.Rows {
		short := make([]any, len(row))
		for i, cell := range row {
			if s, ok := cell.(string); ok {
				cell = syntax.Clip(s, 60)
			}
			short[i] = cell
		}
		rows = append(rows, short)
	}
	for n := len(rows); n > 0; n-- {
		text := jsonText(struct {
			Columns []string `json:"columns"`
			Rows    [][]any  `json:"rows"`
		}{r.Columns, rows[:n]})
		if len(text) <= 2*previewBytes || n == 1 {
			return syntax.Clip(text, 2*previewBytes)
		}
	}
	return `{"rows": []}`
}

type finish struct{}

func (finish) Name() Name { return Finish }

// Run is the terminal action; the loop lets it through only after a successful run_sql.
func (finish) Run(_ context.Context, env Env, _ json.RawMessage) (Observation, error) {
	obs := Observation{Result: env.Result}
	rows := 0
	if env.Result != nil {
		rows = len(env.Result.Rows)
	}
	obs.Text = jsonText(struct {
		SQL      string `json:"sql"`
		RowCount int    `json:"rowcount"`
	}{env.SQL, rows})
	return obs, nil
}

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
