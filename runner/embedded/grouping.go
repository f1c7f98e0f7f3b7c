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
// grouped by a column that an index starts with, or an aggregate wants DISTINCT. It also depends on statistics, of joins above all.
func (sc *scope) sortsGroups(n *ast.SelectStmt) bool {
	columns := &columnFinder{}
	for _, g := range n.GroupBy.Items {
		aliased(g.Expr, n.Fields).Accept(columns)
	}
	if !columns.found { // constants make one group
		return true
	}
	f := &distinctFinder{}
	n.Fields.Accept(f)
	if f.found {
		return sc.groupsOne(n)
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

// groupsOne says that a query groups by columns of one table only, which MySQL can then sort before it joins the others.
func (sc *scope) groupsOne(n *ast.SelectStmt) bool {
	used := map[*source]bool{}
	for _, g := range n.GroupBy.Items {
		f := &nameFinder{}
		aliased(g.Expr, n.Fields).Accept(f)
		for _, name := range f.names {
			for _, s := range sc.sources {
				_, ok := find(s.cols, name.Name.O)
				if ok && (name.Table.O == "" || strings.EqualFold(s.name, name.Table.O)) {
					used[s] = true
				}
			}
		}
	}
	return len(used) < 2
}

// nameFinder collects the names of columns.
type nameFinder struct{ names []*ast.ColumnName }

func (f *nameFinder) Enter(n ast.Node) (ast.Node, bool) {
	if c, ok := n.(*ast.ColumnNameExpr); ok {
		f.names = append(f.names, c.Name)
	}
	return n, false
}

func (f *nameFinder) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// settlesGroups says that MySQL keeps what it has computed of the groups in a temporary table, which rounds averages: for window
// functions, and for another order than that in which the groups are read.
func (sc *scope) settlesGroups(n *ast.SelectStmt) bool {
	f := &windowFinder{}
	n.Fields.Accept(f)
	if f.found || n.OrderBy == nil || n.GroupBy == nil {
		return f.found
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

// columnFinder looks for a column.
type columnFinder struct{ found bool }

func (f *columnFinder) Enter(n ast.Node) (ast.Node, bool) {
	if _, ok := n.(*ast.ColumnNameExpr); ok {
		f.found = true
	}
	return n, f.found
}

func (f *columnFinder) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// windowFinder looks for a window function.
type windowFinder struct{ found bool }

func (f *windowFinder) Enter(n ast.Node) (ast.Node, bool) {
	switch n.(type) {
	case *ast.WindowFuncExpr:
		f.found = true
	case *ast.SubqueryExpr:
		return n, true
	}
	return n, f.found
}

func (f *windowFinder) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// distinctFinder looks for an aggregate with DISTINCT.
type distinctFinder struct{ found bool }

func (f *distinctFinder) Enter(n ast.Node) (ast.Node, bool) {
	if a, ok := n.(*ast.AggregateFuncExpr); ok && a.Distinct {
		f.found = true
	}
	_, sub := n.(*ast.SubqueryExpr)
	return n, f.found || sub
}

func (f *distinctFinder) Leave(n ast.Node) (ast.Node, bool) { return n, true }

func (d *dialect) groupBy(n *ast.SelectStmt, sc *scope, items []sourceColumn) []val {
	var groups []val
	for _, item := range n.GroupBy.Items {
		groups = append(groups, d.orderItem(item.Expr, sc.with(items, false), items))
	}
	return groups
}
