package retrieval

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"nl2sql/loop"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
	"nl2sql/tools/retrieve"
)

const (
	maxTopK     = 10
	maxTable    = 400              // bytes that an observation has for a table
	toolTimeout = 10 * time.Second // of one retrieval
)

// act runs one tool, and returns what the model is told.
func (r *run) act(ctx context.Context, call tools.Call, bad error) (string, error) {
	start := time.Now()
	e := loop.Event{Kind: loop.KindTool, Tool: call.Tool, Args: string(call.Args)}
	var err error
	switch {
	case bad != nil:
		e.Reason, e.Text = "input_error", inputError(bad)
	case call.Tool == loop.RetrieveTables:
		err = r.retrieve(ctx, call.Args, &e)
	case call.Tool == tools.ValidateSQL:
		r.validate(call.Args, &e)
	case call.Tool == loop.SubmitAnswer:
		return r.submit(ctx, call.Args, e)
	default:
		e.Reason = "unknown_tool"
		e.Text = failed(fmt.Errorf("there is no tool %q, only retrieve_tables, validate_sql and submit_answer",
			syntax.Clip(string(call.Tool), 64)))
	}
	e.Took = time.Since(start)
	r.Emit(e)
	return e.Text, err
}

// The three ways in which a tool fails, as the seed has them.
func inputError(err error) string {
	return fmt.Sprintf("Tool input error: %v. Please check your parameters.", err)
}
func failed(err error) string {
	return fmt.Sprintf("Tool failed: %v. Consider trying a different approach.", err)
}

const timedOut = "Tool timed out. Try a simpler query or different approach."

func (r *run) retrieve(ctx context.Context, raw json.RawMessage, e *loop.Event) error {
	a := struct {
		Query *string       `json:"query"`
		TopK  int           `json:"top_k"`
		Kind  retrieve.Kind `json:"retrieval_type"`
	}{TopK: 5, Kind: cmp.Or(r.Kind, retrieve.Keyword)}
	err := decodeArgs(raw, &a)
	switch {
	case err != nil:
	case a.Query == nil || strings.TrimSpace(*a.Query) == "":
		err = errors.New("query is missing")
	case a.TopK < 1 || a.TopK > maxTopK:
		err = fmt.Errorf("top_k is %d, and must be 1 to %d", a.TopK, maxTopK)
	case !slices.Contains([]retrieve.Kind{retrieve.Keyword, retrieve.Semantic, retrieve.Both}, a.Kind):
		err = fmt.Errorf("retrieval_type is %q, and must be semantic, keyword or both", syntax.Clip(string(a.Kind), 64))
	}
	if err != nil {
		e.Reason, e.Text = "input_error", inputError(err)
		return nil
	}
	if r.retrievals == r.limits.Retrievals {
		e.Reason, e.Text = "retrieval_limit",
			failed(fmt.Errorf("retrieve_tables was called %d times, and may not be called again: use the tables that "+
				"you have", r.retrievals))
		return nil
	}
	r.retrievals++
	within, cancel := context.WithTimeout(ctx, min(toolTimeout, r.end.Sub(r.now())))
	defer cancel()
	hits, err := r.index.Search(within, syntax.Clip(*a.Query, loop.MaxQuestion), a.TopK, a.Kind)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		e.Reason, e.Text = "tool_timeout", timedOut
		return nil
	case err != nil:
		e.Reason, e.Text = "tool_error", failed(err)
		return nil
	}
	e.OK, e.Reason, e.Total, e.Tables = true, string(a.Kind), r.index.Total(), []string{}
	found := &schema.Schema{}
	var b strings.Builder
	fmt.Fprintf(&b, "Retrieved %d of %d tables:\n", len(hits), e.Total)
	for _, h := range hits {
		e.Tables, e.Scores = append(e.Tables, h.Table.Name), append(e.Scores, h.Score)
		found.Tables = append(found.Tables, *h.Table)
		line := strings.TrimSpace(tools.SchemaText(&schema.Schema{Tables: []schema.Table{*h.Table}},
			tools.StyleSummary))
		if h.Table.Comment != "" {
			line += " " + syntax.Clip(h.Table.Comment, maxTable/4)
		}
		fmt.Fprintf(&b, "- %s (score: %.2f): %s\n", h.Table.Name, h.Score, syntax.Clip(line, maxTable))
	}
	b.WriteString(tools.Joins(found))
	e.Text = strings.TrimSpace(b.String())
	return nil
}

func (r *run) validate(raw json.RawMessage, e *loop.Event) {
	var a struct {
		SQL    *string `json:"sql_query"`
		Strict bool    `json:"strict"`
	}
	err := decodeArgs(raw, &a)
	if err == nil && (a.SQL == nil || strings.TrimSpace(*a.SQL) == "") {
		err = errors.New("sql_query is missing")
	}
	if err != nil {
		e.Reason, e.Text = "input_error", inputError(err)
		return
	}
	sql, ok := r.mend(*a.SQL)
	if !ok {
		sql = *a.SQL
	}
	var report sqlcheck.Report
	if a.Strict {
		report = doubt.Inspect(sql, r.asked, r.Schema)
	} else {
		report = sqlcheck.Inspect(sql, r.Schema)
	}
	e.SQL, e.OK = sql, report.Valid
	var b strings.Builder
	if report.Valid {
		r.failures = 0
		b.WriteString("The query is valid. Tables used: " + strings.Join(report.TablesUsed, ", "))
		if a.Strict {
			b.WriteString("\nFields used: " + strings.Join(report.FieldsUsed, ", "))
		}
	} else {
		r.failures++
		b.WriteString("Validation failed:")
	}
	for _, f := range report.Issues {
		e.Reason = cmp.Or(e.Reason, string(f.Reason))
		fmt.Fprintf(&b, "\n- [%s] %s", f.Type, f.Message)
		if f.Suggestion != "" {
			b.WriteString(": " + f.Suggestion)
		}
	}
	if report.Dangerous {
		b.WriteString("\n- [error] it would do more than read the tables of this database")
	}
	if report.Valid || !r.valid {
		r.sql, r.valid = sql, report.Valid
	}
	e.Reason = cmp.Or(e.Reason, "ok")
	e.Text = syntax.Clip(b.String(), loop.MaxObservation)
}

// submission is what submit_answer takes.
type submission struct {
	SQL         *string  `json:"sql_query,omitempty"`
	Explanation string   `json:"explanation,omitempty"`
	Confidence  float64  `json:"confidence"`
	Steps       []string `json:"reasoning_steps,omitempty"`
}

func (r *run) submit(ctx context.Context, raw json.RawMessage, e loop.Event) (string, error) {
	var a submission
	err := decodeArgs(raw, &a)
	switch {
	case err != nil:
	case a.SQL == nil || strings.TrimSpace(*a.SQL) == "":
		err = errors.New("sql_query is missing")
	case !(a.Confidence >= 0 && a.Confidence <= 1):
		err = fmt.Errorf("confidence is %g, and must be 0 to 1", a.Confidence)
	}
	if err != nil {
		e.Reason, e.Text = "input_error", inputError(err)
		r.Emit(e)
		return e.Text, nil
	}
	e.OK, e.SQL, e.Text = true, *a.SQL, submitted(a.Confidence)
	r.Emit(e)
	return "", r.answer(ctx, loop.ByFinish, *a.SQL, a.Confidence)
}

func submitted(confidence float64) string {
	return fmt.Sprintf("Answer submitted with confidence %g", confidence)
}
