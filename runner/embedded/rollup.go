package embedded

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// rollup writes GROUP BY … WITH ROLLUP as one query block for every level, joined with UNION ALL.
// In the block of a level the grouping columns that are summed up are NULL.
func (d *dialect) rollup(n *ast.SelectStmt, sc *scope, with, from string) query {
	if n.Distinct || len(n.WindowSpecs) > 0 {
		refuse("DISTINCT or window functions with WITH ROLLUP")
	}
	d.groups = []val{}
	plainItems := d.fields(n.Fields, sc)
	groups := d.groupBy(n, sc, plainItems)
	for _, g := range groups {
		if isConstant(g) {
			refuse("WITH ROLLUP over a constant")
		}
	}
	var parts []string
	var q query
	for level := len(groups); level >= 0; level-- {
		d.rolledUp = groups[level:]
		d.groups = groups
		items := d.fields(n.Fields, sc)
		for i := range items {
			items[i].val.typ = plainItems[i].val.typ
		}
		kept := groups[:level]
		block := *n
		block.OrderBy, block.Limit = nil, nil
		part := d.block(&block, sc, "", from, items, &kept)
		// The level first, so that rows come as MySQL gives them: subtotals behind their group.
		keys := make([]string, len(groups))
		for i := range groups {
			keys[i] = fmt.Sprintf("%d", map[bool]int{true: 1, false: 0}[i >= level])
			if i < level {
				keys[i] += fmt.Sprintf(" AS r%d, %s AS g%d", i, settle(groups[i]), i)
			} else {
				keys[i] += fmt.Sprintf(" AS r%d, NULL AS g%d", i, i)
			}
		}
		d.rolledUp, d.groups = nil, nil
		parts = append(parts, strings.Replace(part.sql, "SELECT ", "SELECT "+strings.Join(keys, ", ")+", ", 1))
		q.cols = part.cols
	}
	alias := d.name("t")
	var names, order []string
	for _, c := range q.cols {
		names = append(names, alias+"."+c.val.sql)
	}
	for i := range groups {
		order = append(order, fmt.Sprintf("r%d, g%d", i, i))
	}
	cols := requalify(q.cols, alias)
	inner := &scope{parent: sc.parent, sources: []*source{{cols: cols}}, aggs: new(int), windowed: new(bool)}
	by := " ORDER BY " + strings.Join(order, ", ")
	if n.OrderBy != nil {
		by = d.orderBy(n.OrderBy, inner, cols)
	}
	q.sql = fmt.Sprintf("%sSELECT %s FROM (%s) AS %s%s%s", with, strings.Join(names, ", "), strings.Join(parts, " UNION ALL "), alias, by, d.limit(n.Limit))
	q.limit = n.Limit != nil
	return q
}

// rolled is NULL where v is a grouping column that the current level sums up.
func (d *dialect) rolled(v val) val {
	for _, g := range d.rolledUp {
		if g.sql == v.sql && v.row == nil {
			return val{sql: "NULL", typ: v.typ}
		}
	}
	return v
}

// grouping is GROUPING(a, b, …): a bit for every argument, 1 where it is summed up.
func (d *dialect) grouping(n *ast.FuncCallExpr, sc *scope) val {
	if d.groups == nil {
		fail(1111, "Invalid use of group function")
	}
	bits := 0
	for _, a := range n.Args {
		saved := d.rolledUp
		d.rolledUp = nil
		v := d.scalar(a, sc)
		d.rolledUp = saved
		up := slices.ContainsFunc(d.rolledUp, func(g val) bool { return g.sql == v.sql })
		bits = bits<<1 | map[bool]int{true: 1}[up]
	}
	return val{sql: fmt.Sprintf("CAST(%d AS INTEGER)", bits), typ: tInt}
}
