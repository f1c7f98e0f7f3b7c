package question

import (
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/syntax"
)

// facts is what a query does, subqueries, derived tables and common table expressions included.
type facts struct {
	aggs     map[string]bool
	distinct bool
	grouped  bool
	ordered  bool
	window   bool
	setOpr   bool
	selects  int
	limits   map[int]bool
	limited  bool // some LIMIT, whatever its count
	first    bool // ORDER BY with LIMIT 1
}

// note takes what one node does.
func (f *facts) note(n ast.Node) (deeper bool) {
	switch n := n.(type) {
	case *ast.SelectStmt:
		f.selects++
		f.distinct = f.distinct || n.Distinct
		f.grouped = f.grouped || n.GroupBy != nil
		f.ordering(n.OrderBy, n.Limit)
	case *ast.SetOprStmt:
		f.setOpr = true
		f.ordering(n.OrderBy, n.Limit)
	case *ast.AggregateFuncExpr:
		f.aggs[strings.ToUpper(n.F)] = true
		f.distinct = f.distinct || n.Distinct
	case *ast.WindowFuncExpr:
		f.window = true
		f.aggs[strings.ToUpper(n.Name)] = true
	}
	return true
}

func (f *facts) ordering(o *ast.OrderByClause, l *ast.Limit) {
	f.ordered = f.ordered || o != nil
	if l != nil {
		f.limited = true
		f.limits[syntax.LimitCount(l)] = true
		f.first = f.first || o != nil && syntax.LimitCount(l) == 1
	}
}

func factsOf(stmt ast.StmtNode) *facts {
	f := &facts{aggs: map[string]bool{}, limits: map[int]bool{}}
	syntax.Visit(stmt, f.note)
	return f
}

// CheckConstraints is [Constraints.Check] of a text. One that does not parse has no structure to judge and passes:
// sqlcheck.Check refuses it.
func CheckConstraints(sql string, c Constraints) sqlcheck.Verdict {
	if strings.TrimSpace(sql) == "" {
		return sqlcheck.Reject("constraints", "empty_sql", "")
	}
	stmt, ok := syntax.OneSelect(sql)
	if !ok {
		return sqlcheck.Pass("constraints")
	}
	return c.Check(stmt)
}

// Check compares the structure of a query with c, seeing into subqueries. A finding that the question does not settle
// is unsure and leaves the verdict OK.
func (c Constraints) Check(stmt ast.StmtNode) sqlcheck.Verdict {
	const check = "constraints"
	f := factsOf(stmt)
	plain := f.selects == 1 && !f.window && !f.setOpr
	var found []sqlcheck.Verdict
	find := func(part string, certain bool, why sqlcheck.Reason, detail, hint string) {
		v := sqlcheck.Reject(check, why, detail)
		v.Hint = hint
		v.OK, v.Unsure = !(certain && c.sure(part)), !(certain && c.sure(part))
		found = append(found, v)
	}
	if c.Distinct && !f.distinct && !f.grouped && !f.setOpr {
		find("distinct", false, "missing_distinct", "", "the question asks for different values: use SELECT DISTINCT")
	}
	if c.Agg != "" && !f.aggs[c.Agg] && !((c.Agg == "MAX" || c.Agg == "MIN") && f.ordered && f.limited) {
		find("agg", len(f.aggs) == 0 && plain && !f.limited, "missing_agg", c.Agg,
			"the question asks for a value that "+c.Agg+" computes")
	}
	if c.NeedsGroupBy && !f.grouped && !f.window {
		find("group_by", plain && len(f.aggs) > 0, "missing_group_by", "",
			"the question asks for one row for each group: use GROUP BY")
	}
	if c.NeedsOrderBy && !f.ordered && !f.aggs["MAX"] && !f.aggs["MIN"] && !f.window {
		find("order_by", false, "missing_order_by", "", "the question asks for an order: use ORDER BY")
	}
	if c.Limit > 0 && !f.limits[c.Limit] {
		n := strconv.Itoa(c.Limit)
		find("limit", plain, "missing_limit", n, "the question asks for "+n+" rows: use ORDER BY and LIMIT "+n)
	}
	return worst(check, found)
}

// worst is the first sure finding, or else the first.
func worst(check string, found []sqlcheck.Verdict) sqlcheck.Verdict {
	for _, v := range found {
		if !v.OK {
			return v
		}
	}
	if len(found) > 0 {
		return found[0]
	}
	return sqlcheck.Pass(check)
}

// CheckIntent is [Question.CheckIntentOf] of a text; one that does not parse passes.
func (q *Question) CheckIntent(sql string) sqlcheck.Verdict {
	stmt, ok := syntax.OneSelect(sql)
	if !ok {
		return sqlcheck.Pass("intent")
	}
	return q.CheckIntentOf(stmt)
}

// CheckIntentOf compares the structure of a query with the question's intent, after it ran (tech. ref. §7.3).
// Subqueries, derived tables and common table expressions count. Most findings are unsure: wording and SQL have many
// ways to meet.
func (q *Question) CheckIntentOf(stmt ast.StmtNode) sqlcheck.Verdict {
	const check = "intent"
	f := factsOf(stmt)
	c := q.Constraints()
	plain := f.selects == 1 && !f.window && !f.setOpr
	var found []sqlcheck.Verdict
	find := func(certain bool, why sqlcheck.Reason, hint string) {
		v := sqlcheck.Reject(check, why, "")
		v.Hint, v.OK, v.Unsure = hint, !certain, !certain
		found = append(found, v)
	}
	switch q.Intent() {
	case TopK:
		extreme := f.aggs["MAX"] || f.aggs["MIN"] || f.window
		if !(f.ordered && f.limited) && !extreme {
			find(plain && c.sure("limit"), "topk_requires_order_limit",
				"the question asks for the first rows of an order: use ORDER BY and LIMIT")
		}
	case Lookup:
		if plain && (len(f.aggs) > 0 || f.grouped) {
			find(false, "lookup_disallows_aggregate", "the question asks for rows, not for a computed value")
		}
	case Aggregate:
		switch {
		case len(f.aggs) == 0:
			find(plain && !f.limited && c.sure("agg"), "aggregate_requires_fn",
				"the question asks for a computed value: use an aggregate function")
		case plain && f.grouped:
			find(false, "aggregate_without_grouping", "the question asks for one value, not for one for each group")
		}
	case GroupedAggregate:
		switch {
		case len(f.aggs) == 0:
			find(plain && !f.limited && c.sure("agg"), "grouped_requires_aggregate",
				"the question asks for a value for each group: use an aggregate function")
		case !f.grouped && !f.window:
			find(plain && c.sure("group_by"), "grouped_requires_group_by",
				"the question asks for a value for each group: use GROUP BY")
		}
	}
	return worst(check, found)
}
