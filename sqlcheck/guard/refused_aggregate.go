package guard

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/syntax"
)

// aggregate moves an aggregate from WHERE to HAVING where the grouping is settled, and groups by the plain columns of
// a select list that mixes them with aggregates, that are of a table which another of its columns groups, or that are
// DISTINCT and in the order of a column beside them. What is left is refused by Check with a hint.
//
//	SELECT country, COUNT(*) FROM patients → SELECT country,COUNT(*) FROM patients GROUP BY country
//
//	SELECT patientId FROM visits WHERE SUM(fee) > 10 GROUP BY patientId
//	→ SELECT patientId FROM visits GROUP BY patientId HAVING SUM(fee) > 10
//
//	SELECT DISTINCT city FROM wards ORDER BY floor → SELECT city FROM wards GROUP BY city ORDER BY MIN(floor)
func aggregate(t *draft.Text, b *bind.Bound) string {
	_, issues, _ := t.Bind()
	if len(issues) == 0 {
		return ""
	}
	var whys []string
	for _, block := range b.Blocks {
		for _, mend := range []func(*bind.Block) string{whereToHaving, groupPlain} {
			if why := mend(block); why != "" {
				whys = append(whys, why)
			}
		}
	}
	if len(whys) > 0 {
		return strings.Join(slices.Compact(whys), "; ")
	}
	return cmp.Or(groupShown(b, issues), groupDistinct(b, issues))
}

// maxGrouped bounds how many columns are added to one GROUP BY.
const maxGrouped = 12

// groupShown groups also by the columns of the select list that MySQL misses in GROUP BY, if each is of a table that
// another of its columns groups: rows of one name and two cities are two. A column of another table would split the
// groups.
func groupShown(b *bind.Bound, issues []bind.Issue) string {
	missed := func(i bind.Issue) bool { return i.Reason == "not_grouped" && i.Block.Select.GroupBy != nil }
	if !slices.ContainsFunc(issues, missed) {
		return ""
	}
	before := map[*ast.GroupByClause][]*ast.ByItem{}
	var shown []string
	for range maxGrouped {
		i := issues[0]
		c, is := i.Node.(*ast.ColumnNameExpr)
		ofSame := func(item *ast.ByItem) bool { // the block is grouped by a column of the same table
			by, is := item.Expr.(*ast.ColumnNameExpr)
			return is && b.Ref(by.Name) != nil && b.Ref(by.Name).Source == b.Ref(c.Name).Source
		}
		if !missed(i) || !is || b.Ref(c.Name).Source == nil ||
			!slices.ContainsFunc(i.Block.Select.GroupBy.Items, ofSame) {
			break
		}
		by := i.Block.Select.GroupBy
		if before[by] == nil {
			before[by] = by.Items
		}
		by.Items = append(slices.Clip(by.Items), &ast.ByItem{Expr: c, NullOrder: true})
		shown = append(shown, c.Name.Name.O)
		if b, issues = bind.Bind(b.Stmt, b.Schema); len(issues) == 0 {
			return "grouped also by " + strings.Join(shown, ", ") + ", which stands in the select list"
		}
	}
	for by, items := range before {
		by.Items = items
	}
	return ""
}

// groupDistinct has each different row once, in the order of the greatest, or ascending the least, of what SELECT
// DISTINCT is ordered by and does not show.
func groupDistinct(b *bind.Bound, issues []bind.Issue) string {
	if len(issues) != 1 || issues[0].Reason != "distinct_order" || issues[0].Block.Select.GroupBy != nil {
		return ""
	}
	block := issues[0].Block
	sel := block.Select
	plain, aggs, other := edit.Fields(block.Select)
	if len(plain) == 0 || aggs > 0 || other || sel.Having != nil {
		return ""
	}
	shown := map[string]bool{}
	by := &ast.GroupByClause{}
	for _, c := range plain {
		shown[b.ExprKey(c)] = true
		by.Items = append(by.Items, &ast.ByItem{Expr: c, NullOrder: true})
	}
	order := slices.Clone(sel.OrderBy.Items)
	for i, item := range order {
		c, is := item.Expr.(*ast.ColumnNameExpr)
		if !is {
			return ""
		}
		if b.Ref(c.Name).Output >= 0 || shown[b.ExprKey(c)] {
			continue
		}
		most := *item
		most.Expr = &ast.AggregateFuncExpr{F: ast.AggFuncMin, Args: []ast.ExprNode{c}}
		if item.Desc {
			most.Expr = &ast.AggregateFuncExpr{F: ast.AggFuncMax, Args: []ast.ExprNode{c}}
		}
		order[i] = &most
	}
	sel.Distinct, sel.GroupBy, sel.OrderBy.Items = false, by, order
	return "each different row once, by the greatest or least of what orders it"
}

func whereToHaving(sc *bind.Block) string {
	if sc.Select.Where == nil || !syntax.HasAggregate(sc.Select.Where) {
		return ""
	}
	if plain, _, other := edit.Fields(sc.Select); sc.Select.GroupBy == nil && (len(plain) == 0 || other) {
		return "" // nothing says what a group is
	}
	var keep, move []ast.ExprNode
	for _, c := range syntax.Conjuncts(sc.Select.Where) {
		if syntax.HasAggregate(c) {
			move = append(move, c)
		} else {
			keep = append(keep, c)
		}
	}
	sc.Select.Where = syntax.AllOf(keep)
	if sc.Select.Having != nil {
		move = append([]ast.ExprNode{sc.Select.Having.Expr}, move...)
	}
	sc.Select.Having = &ast.HavingClause{Expr: syntax.AllOf(move)}
	return "an aggregate stands in HAVING, not in WHERE"
}

// groupPlain adds the missing GROUP BY: the plain columns of the select list, and with a lone name the key
// of its table, so that two rows of the same name stay two.
func groupPlain(sc *bind.Block) string {
	sel := sc.Select
	if sel.GroupBy != nil || sel.From == nil {
		return ""
	}
	plain, aggs, other := edit.Fields(sc.Select)
	if len(plain) == 0 || other || aggs == 0 && (sel.Having == nil || !syntax.HasAggregate(sel.Having.Expr)) {
		return ""
	}
	if sc.Outer != nil && aggs == 0 {
		return ""
	}
	if allFixed(sc, plain) {
		return "" // MySQL accepts columns that WHERE fixes to one value
	}
	sel.GroupBy = &ast.GroupByClause{Items: syntax.Map(plain, func(c *ast.ColumnNameExpr) *ast.ByItem {
		return &ast.ByItem{Expr: c, NullOrder: true}
	})}
	return "grouped by the columns that stand beside an aggregate"
}

// allFixed reports whether WHERE compares every one of cols with a constant.
func allFixed(sc *bind.Block, cols []*ast.ColumnNameExpr) bool {
	fixed := map[string]bool{}
	for _, p := range syntax.Conjuncts(sc.Select.Where) {
		if e, is := p.(*ast.BinaryOperationExpr); is {
			edit.Equated(e, func(c *ast.ColumnNameExpr, _ ast.ValueExpr) { fixed[c.Name.Name.L] = true })
		}
	}
	return !slices.ContainsFunc(cols, func(c *ast.ColumnNameExpr) bool { return !fixed[c.Name.Name.L] })
}

// casing writes tables and columns as the schema does; aliases and literals are left alone. A server on Linux refuses
// a table in another case.
//
//	SELECT V.FEE FROM VISITS AS v → SELECT v.fee FROM visits AS v
func casing(_ *draft.Text, b *bind.Bound) (why string) {
	rename := func(name *ast.CIStr, to string) {
		if name.O != to && strings.EqualFold(name.O, to) {
			why = name.O + " is " + to
			*name = ast.NewCIStr(to)
		}
	}
	for _, block := range b.Blocks {
		for _, s := range block.Sources {
			if t, is := s.Node.Source.(*ast.TableName); is && s.Table != nil {
				rename(&t.Name, s.Table.Name)
			}
		}
	}
	for _, r := range b.Columns {
		if r.Source == nil || r.Output >= 0 {
			continue
		}
		if _, c := r.Column(); c != nil {
			rename(&r.Name.Name, c.Name)
		}
		if r.Name.Table.O != "" {
			rename(&r.Name.Table, r.Source.Name)
		}
	}
	return why
}
