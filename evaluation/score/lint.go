package score

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// LintRule is a way in which a benchmark item can be unfit to score with.
type LintRule string

// LintRules are in the order in which reports show them, with what they mean.
var LintRules = syntax.Rows[struct {
	Rule LintRule
	What string
}](lintTable)

//go:embed lint.yaml
var lintTable string

// inspected are the rules that package doubt knows under another name.
var inspected = map[sqlcheck.Reason]LintRule{
	"select_star": "select-star", "limit_without_order": "limit-without-order", "unlike_types": "unlike-types",
	"null_comparison": "null-comparison", "unknown_value": "unknown-value",
}

// LintFinding is one thing that is wrong with an item.
type LintFinding struct {
	Item     string   `json:"id"`
	Database string   `json:"database,omitempty"`
	Rule     LintRule `json:"rule"`
	Detail   string   `json:"detail,omitempty"`
	SQL      string   `json:"sql"`
}

// Lint returns what is wrong with the items, in their order. done, if not nil, is called after each.
func Lint(ctx context.Context, items []item.Item, dbs *Databases, done func(n int)) (all []LintFinding, err error) {
	asked := map[string]item.Item{}
	for i, it := range items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if it.Refuse { // it has no query
			continue
		}
		x, err := dbs.Executor(ctx, it.Database)
		if err != nil {
			return nil, err
		}
		l := linter{x: x, item: it}
		if err := l.gold(ctx); err != nil {
			return nil, fmt.Errorf("item %s: %w", it.ID, err)
		}
		key := it.Database + "\n" + strings.Join(words.Split(it.Question), " ") // without case and punctuation
		if first, again := asked[key]; !again {
			asked[key] = it
		} else if item.ExactText(first.SQL) != item.ExactText(it.SQL) {
			l.add("two-answers", it.SQL, "item "+first.ID+" asks the same")
		}
		all = append(all, l.found...)
		if done != nil {
			done(i + 1)
		}
	}
	return all, nil
}

// linter looks at one item.
type linter struct {
	x     *Executor
	item  item.Item
	found []LintFinding
}

func (l *linter) add(rule LintRule, sql, detail string) {
	l.found = append(l.found, LintFinding{l.item.ID, l.item.Database, rule, detail, sql})
}

// gold looks at the gold query and the accepted ones. Those are asked less: that they differ from the gold in their
// columns is their purpose.
func (l *linter) gold(ctx context.Context) error {
	o, err := l.query(ctx, l.item.SQL, "broken")
	if err != nil {
		return err
	}
	if o.OK() {
		l.result(o)
	}
	golds := []Outcome{o}
	for _, sql := range l.item.Accept {
		o, err := l.query(ctx, sql, "accept-broken")
		if err != nil {
			return err
		}
		if o.OK() && sameAny(golds, o) {
			l.add("accept-useless", sql, "")
		}
		golds = append(golds, o)
	}
	return nil
}

// query runs one query and looks at its text and at where its LIMIT cuts.
func (l *linter) query(ctx context.Context, sql string, broken LintRule) (Outcome, error) {
	o, err := l.x.Gold(ctx, sql)
	if err != nil {
		return o, err
	}
	if !o.OK() {
		if o.Verdict.Reason == "not_grouped" || o.Code == 1055 {
			l.add("partial-group-by", sql, o.Error)
		} else {
			l.add(broken, sql, o.Error)
		}
		return o, nil
	}
	for _, f := range doubt.Inspect(sql, nil, l.x.Schema).Issues {
		if rule, ok := inspected[f.Reason]; ok {
			l.add(rule, sql, f.Message)
		}
	}
	q, v, err := sqlcheck.Check(sql, l.x.Schema)
	if err != nil || !v.OK {
		return o, err
	}
	if names := sqlcheck.Unsteady(q); len(names) > 0 {
		l.add("unsteady", sql, strings.Join(names, ", "))
	}
	return o, l.limit(ctx, q, o)
}

// limit looks at the rows on both sides of the cut.
func (l *linter) limit(ctx context.Context, q sqlcheck.Query, o Outcome) error {
	order, err := sqlcheck.OrderOf(q, l.x.Schema)
	if err != nil || !order.Limited || !order.Sorted || order.Probe == "" || o.Result.Truncated {
		return err
	}
	for _, tie := range o.Ties {
		distinct := syntax.Set(syntax.Map(tie.Rows, runner.RowKey))
		if tie.Take < len(tie.Rows) && len(distinct) > 1 {
			l.add("tie-at-limit", q.SQL(), fmt.Sprintf("%d of %d equal rows are kept", tie.Take, len(tie.Rows)))
		}
	}
	probe, err := l.x.Run(ctx, order.Probe)
	if err != nil || !probe.OK() || probe.Result.Truncated {
		return err
	}
	rows := probe.Result.Rows
	end := order.Offset + order.Count
	if end >= len(rows) || end < order.Offset { // nothing is cut
		return nil
	}
	if last := len(order.Keys) - 1; last > 0 && end > order.Offset && sameKeys(rows[end-1], rows[end],
		order.Keys[:last]) && !sameKeys(rows[end-1], rows[end], order.Keys) {
		l.add("settled-at-limit", q.SQL(), "")
	}
	isNull := func(row []any) bool {
		return slices.ContainsFunc(order.Keys, func(k int) bool { return row[k] == nil })
	}
	if n := slices.IndexFunc(rows[:end], isNull); n >= 0 && !isNull(rows[end]) {
		l.add("null-at-limit", q.SQL(), fmt.Sprintf("row %d has NULL as its key", n+1))
	}
	return nil
}

// result looks at the rows of the gold query.
func (l *linter) result(o Outcome) {
	rows := o.Result.Rows
	blank := func(row []any) bool {
		return !slices.ContainsFunc(row, func(cell any) bool {
			return cell != nil &&
				runner.CellKey(cell) != "number 0"
		})
	}
	switch {
	case o.Result.Truncated:
		l.add("too-long", l.item.SQL, fmt.Sprintf("more than %d rows", len(rows)))
	case len(rows) == 0:
		l.add("empty", l.item.SQL, "")
	case !slices.ContainsFunc(rows, func(row []any) bool { return !blank(row) }):
		l.add("blank", l.item.SQL, fmt.Sprintf("%d × %d", len(rows), len(o.Result.Columns)))
	}
}
