package dissertation

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/syntax"
)

// Postprocess takes out what cannot matter: the order of a subquery that keeps all its rows, the order and limit of a
// single row; and a limit that the question does not ask for.
//
//	How many visits? | SELECT COUNT(*) FROM visits ORDER BY 1 LIMIT 1 → SELECT COUNT(*) FROM visits
//
//	Weights of patients, highest first. | SELECT weight FROM patients ORDER BY weight DESC LIMIT 1
//	→ SELECT weight FROM patients ORDER BY weight DESC
var Postprocess = draft.OnTree(func(t *draft.Text, b *bind.Bound) string {
	var whys []string
	for _, block := range b.Blocks {
		sel := block.Select
		oneRow := sel.GroupBy == nil && sel.Having == nil && block.Aggregate && !sel.Distinct &&
			// else a GROUP BY is missing
			!slices.ContainsFunc(block.Output, func(o bind.Output) bool { return !o.Aggregate })
		if oneRow && (sel.OrderBy != nil || syntax.LimitCount(sel.Limit) > 0) {
			sel.OrderBy = nil
			if syntax.LimitCount(sel.Limit) > 0 {
				sel.Limit = nil
			}
			whys = append(whys, "one row needs no order or limit")
		}
		if block.Outer != nil && sel.OrderBy != nil && sel.Limit == nil && !edit.IsTop(b.Stmt, sel) {
			sel.OrderBy = nil
			whys = append(whys, "the order of a subquery does not matter")
		}
	}
	sel, is := b.Stmt.(*ast.SelectStmt)
	if !is || t.Asked() == "" || syntax.LimitCount(sel.Limit) == 0 ||
		t.Question.HasNumber(syntax.LimitCount(sel.Limit)) {
		return strings.Join(whys, "; ")
	}
	switch q := t.Question; {
	case sel.OrderBy != nil && q.SortsAll():
		sel.Limit = nil
		whys = append(whys, "the question asks for an order and no limit")
	case sel.OrderBy == nil && !q.AsksOrder():
		sel.Limit = nil
		whys = append(whys, "the question sets no limit")
	}
	return strings.Join(whys, "; ")
})
