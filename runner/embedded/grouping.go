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

// sortsGroups says that MySQL probably reads the groups in order instead of collecting them in a temporary table: they are
// grouped by a column that an index starts with, or an aggregate wants DISTINCT. With a join it also depends on statistics.
func (sc *scope) sortsGroups(n *ast.SelectStmt) bool {
	f := &distinctFinder{}
	n.Fields.Accept(f)
	if f.found {
		return true
	}
	columns := &columnFinder{}
	for _, g := range n.GroupBy.Items {
		aliased(g.Expr, n.Fields).Accept(columns)
	}
	if !columns.found { // constants make one group
		return true
	}
	name, ok := bare(n.GroupBy.Items[0].Expr).(*ast.ColumnNameExpr)
	if !ok {
		return false
	}
	for _, s := range sc.sources {
		for _, c := range s.cols {
			if strings.EqualFold(c.name, name.Name.Name.O) && (name.Name.Table.O == "" || strings.EqualFold(s.name, name.Name.Table.O)) {
				return c.lead
			}
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

// columnFinder looks for a column.
type columnFinder struct{ found bool }

func (f *columnFinder) Enter(n ast.Node) (ast.Node, bool) {
	if _, ok := n.(*ast.ColumnNameExpr); ok {
		f.found = true
	}
	return n, f.found
}

func (f *columnFinder) Leave(n ast.Node) (ast.Node, bool) { return n, true }

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
