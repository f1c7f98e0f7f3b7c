package embedded

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// printed is an expression of the statement's select list as MySQL prints it: a branch of CASE or IF with its own places, unless a
// temporary table has brought them all to the same.
func (d *dialect) printed(v val, sc *scope, groups []string) string {
	switch {
	case slices.Contains(groups, settle(v)):
	case v.loose != "" && !*sc.windowed:
		return v.loose
	}
	return settle(v)
}

// sortsGroups says that MySQL probably reads the groups in order instead of collecting them in a temporary table: one table's are
// grouped by a column that an index starts with, or an aggregate wants them sorted. It also depends on statistics, of joins above all.
func (sc *scope) sortsGroups(n *ast.SelectStmt) bool {
	if !slices.ContainsFunc(n.GroupBy.Items, func(g *ast.ByItem) bool { return hasColumn(aliased(g.Expr, n.Fields)) }) { // constants make one group
		return true
	}
	if hasSorted(n) {
		return sc.groupsFirst(n)
	}
	name, ok := bare(aliased(n.GroupBy.Items[0].Expr, n.Fields)).(*ast.ColumnNameExpr)
	if !ok {
		return false
	}
	for i, s := range sc.sources {
		for _, c := range s.cols {
			if strings.EqualFold(c.name, name.Name.Name.O) && (name.Name.Table.O == "" || strings.EqualFold(s.name, name.Name.Table.O)) {
				return c.lead && i == 0 && n.From.TableRefs.Tp != ast.RightJoin // as if MySQL read the first table first
			}
		}
	}
	return false
}

// groupsFirst says that a query groups by columns of one table only, which MySQL can then sort before it joins the others: any one
// but the inner one of an outer join.
func (sc *scope) groupsFirst(n *ast.SelectStmt) bool {
	used := map[*source]bool{}
	for _, g := range n.GroupBy.Items {
		visit(aliased(g.Expr, n.Fields), func(n ast.Node) bool {
			if c, ok := n.(*ast.ColumnNameExpr); ok {
				for _, s := range sc.sources {
					_, ok := find(s.cols, c.Name.Name.O)
					if ok && (c.Name.Table.O == "" || strings.EqualFold(s.name, c.Name.Table.O)) {
						used[s] = true
					}
				}
			}
			return true
		})
	}
	switch n.From.TableRefs.Tp {
	case ast.LeftJoin:
		delete(used, sc.sources[0])
		return len(used) == 0
	case ast.RightJoin:
		delete(used, sc.sources[len(sc.sources)-1])
		return len(used) == 0
	}
	return len(used) < 2
}

// settlesGroups says that MySQL keeps what it has computed of the groups in a temporary table, which rounds averages: for window
// functions, and for another order than that in which the groups are read.
func (sc *scope) settlesGroups(n *ast.SelectStmt) bool {
	window := hasWindow(n.Fields)
	if window || n.OrderBy == nil || n.GroupBy == nil {
		return window
	}
	if !sc.sortsGroups(n) || len(n.OrderBy.Items) > len(n.GroupBy.Items) {
		return sc.sortsGroups(n)
	}
	for i, item := range n.OrderBy.Items {
		a, ok1 := bare(aliased(item.Expr, n.Fields)).(*ast.ColumnNameExpr)
		b, ok2 := bare(aliased(n.GroupBy.Items[i].Expr, n.Fields)).(*ast.ColumnNameExpr)
		if !ok1 || !ok2 || a.Name.Name.L != b.Name.Name.L {
			return true
		}
	}
	return false
}

// aliased is the select list's expression that an item of GROUP BY names, or the item itself.
func aliased(e ast.ExprNode, list *ast.FieldList) ast.ExprNode {
	name, isName := bare(e).(*ast.ColumnNameExpr)
	position, isPosition := e.(*ast.PositionExpr)
	for i, f := range list.Fields {
		if f.Expr != nil && (isName && name.Name.Table.O == "" && f.AsName.L == name.Name.Name.L || isPosition && position.N == i+1) {
			return f.Expr
		}
	}
	return e
}

// keyed says that the select list holds the primary key of the only table, so that MySQL leaves DISTINCT out.
func (sc *scope) keyed(items []sourceColumn) bool {
	if len(sc.sources) != 1 || sc.sources[0].key == nil {
		return false
	}
	for _, name := range sc.sources[0].key {
		k, ok := find(sc.sources[0].cols, name)
		if !ok || !slices.ContainsFunc(items, func(c sourceColumn) bool { return c.val.sql == k.sql }) {
			return false
		}
	}
	return true
}

// hasWindow says that there is a window function outside of subqueries.
func hasWindow(n ast.Node) (found bool) {
	visitBlock(n, func(n ast.Node) {
		_, ok := n.(*ast.WindowFuncExpr)
		found = found || ok
	})
	return found
}

// hasAggregate says that there is an aggregate outside of subqueries.
func hasAggregate(n *ast.SelectStmt) (found bool) {
	look := func(n ast.Node) {
		_, ok := n.(*ast.AggregateFuncExpr)
		found = found || ok
	}
	visitBlock(n.Fields, look)
	if n.OrderBy != nil {
		visitBlock(n.OrderBy, look)
	}
	return found
}

// hasSorted says that there is an aggregate outside of subqueries that MySQL computes only of sorted groups.
func hasSorted(n *ast.SelectStmt) (found bool) {
	look := func(n ast.Node) {
		if a, ok := n.(*ast.AggregateFuncExpr); ok {
			switch strings.ToLower(a.F) {
			case ast.AggFuncGroupConcat, ast.AggFuncJsonArrayagg, ast.AggFuncJsonObjectAgg:
				found = true
			default:
				found = found || a.Distinct
			}
		}
	}
	visitBlock(n.Fields, look)
	if n.Having != nil {
		visitBlock(n.Having.Expr, look)
	}
	return found
}

func (d *dialect) groupBy(n *ast.SelectStmt, sc *scope, items []sourceColumn) []val {
	var groups []val
	for _, item := range n.GroupBy.Items {
		g := d.orderItem(item.Expr, sc.with(items, false), items)
		if g.places > 0 && hasSorted(n) { // MySQL sorts by them rounded, and compares them as they are
			refuse("GROUP BY a quotient or an average with DISTINCT or GROUP_CONCAT")
		}
		groups = append(groups, g)
	}
	return groups
}
