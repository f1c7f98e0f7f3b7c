package translate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
)

// printed is an expression of the statement's select list as MySQL prints it: a branch of CASE or IF with its own
// places, unless a temporary table has brought them all to the same.
func (d *draft) printed(v val, sc *scope, groups []string) string {
	switch {
	case slices.Contains(groups, settle(v)):
	case v.loose != "" && (!sc.windowed || v.overWindow()):
		return v.loose
	}
	return settle(v)
}

// sortsGroups says that MySQL probably reads the groups in order instead of collecting them in a temporary table: one
// table's are grouped by a column that an index starts with, or an aggregate wants them sorted. It also depends on
// statistics, of joins above all.
func (sc *scope) sortsGroups(n *ast.SelectStmt) bool {
	varies := func(g *ast.ByItem) bool {
		return slices.ContainsFunc(syntax.ColumnNames(aliased(g.Expr, n.Fields)), func(c *ast.ColumnName) bool {
			v, _ := sc.column(c.Table.O, c.Name.O)
			return !v.constant
		})
	}
	if !slices.ContainsFunc(n.GroupBy.Items, varies) { // constants make one group
		return true
	}
	if hasSorted(n) {
		return sc.groupsFirst(n)
	}
	name, ok := syntax.Unparen(aliased(n.GroupBy.Items[0].Expr, n.Fields)).(*ast.ColumnNameExpr)
	if !ok {
		return false
	}
	for i, s := range sc.sources {
		for _, c := range s.cols {
			if strings.EqualFold(c.name, name.Name.Name.O) && (name.Name.Table.O == "" ||
				strings.EqualFold(s.name, name.Name.Table.O)) {
				// as if MySQL read the first table first
				return c.lead && i == 0 && n.From.TableRefs.Tp != ast.RightJoin
			}
		}
	}
	return false
}

// groupsFirst says that a query groups by columns of one table only, which MySQL can then sort before it joins the
// others: any one but the inner one of an outer join.
func (sc *scope) groupsFirst(n *ast.SelectStmt) bool {
	used := map[*source]bool{}
	for _, g := range n.GroupBy.Items {
		for _, c := range syntax.ColumnNames(aliased(g.Expr, n.Fields)) {
			for _, s := range sc.sources {
				_, ok := find(s.cols, c.Name.O)
				if ok && (c.Table.O == "" || strings.EqualFold(s.name, c.Table.O)) {
					used[s] = true
				}
			}
		}
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

// settlesGroups says that MySQL keeps what it has computed of the groups in a temporary table, which rounds averages:
// for window functions, and for another order than that in which the groups are read.
func (sc *scope) settlesGroups(n *ast.SelectStmt) bool {
	window := has(n.Fields, isWindow)
	if window || n.OrderBy == nil || n.GroupBy == nil {
		return window
	}
	if !sc.sortsGroups(n) || len(n.OrderBy.Items) > len(n.GroupBy.Items) {
		return sc.sortsGroups(n)
	}
	for i, item := range n.OrderBy.Items {
		a, ok1 := syntax.Unparen(aliased(item.Expr, n.Fields)).(*ast.ColumnNameExpr)
		b, ok2 := syntax.Unparen(aliased(n.GroupBy.Items[i].Expr, n.Fields)).(*ast.ColumnNameExpr)
		if !ok1 || !ok2 || a.Name.Name.L != b.Name.Name.L {
			return true
		}
	}
	return false
}

// aliased is the select list's expression that an item of GROUP BY names, or the item itself.
func aliased(e ast.ExprNode, list *ast.FieldList) ast.ExprNode {
	name, isName := syntax.Unparen(e).(*ast.ColumnNameExpr)
	position, isPosition := e.(*ast.PositionExpr)
	for i, f := range list.Fields {
		if f.Expr != nil && (isName && name.Name.Table.O == "" && f.AsName.L == name.Name.Name.L || isPosition &&
			position.N == i+1) {
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

func (d *draft) groupBy(n *ast.SelectStmt, sc *scope, items []sourceColumn) (groups []val) {
	for _, item := range n.GroupBy.Items {
		g := d.orderItem(item.Expr, sc.with(items, false), items)
		if g.places > 0 && (hasSorted(n) || n.GroupBy.Rollup) { // MySQL sorts them rounded, compares them as they are
			refuse("GROUP BY a quotient or an average with DISTINCT, ROLLUP or GROUP_CONCAT")
		}
		groups = append(groups, g)
	}
	return groups
}

// rollup writes GROUP BY … WITH ROLLUP as one query block for every level, joined with UNION ALL.
// In the block of a level the grouping columns that are summed up are NULL.
func (d *draft) rollup(n *ast.SelectStmt, sc *scope, with, from string) query {
	refuseIf(n.Distinct || has(n.Fields, isWindow) || n.OrderBy != nil && has(n.OrderBy, isWindow),
		"DISTINCT or window functions with WITH ROLLUP")
	sc.rollup = &rollup{groups: []val{}}
	plainItems := d.fields(n.Fields, sc)
	refuseIf(sc.related, "a subquery about a column, with WITH ROLLUP") // MySQL computes it of the last group
	groups := d.groupBy(n, sc, plainItems)
	for _, g := range groups {
		// whose order does not bring equal ones together
		refuseIf(g.typ.Kind == types.JSON && len(groups) > 1, "ROLLUP over JSON and more")
		if g.typ.Listed() && n.OrderBy != nil && (!g.table || g.notNull && has(n.From, isOuter)) { // by number or text
			refuse("ORDER BY with ROLLUP over an ENUM or SET of a view, a derived table or an outer join")
		}
	}
	sc.rollup = &rollup{groups: groups, texts: true}
	for i := range plainItems {
		plainItems[i].val = sc.rollup.rolled(plainItems[i].val)
	}
	d.notNullIsNull(n, groups, sc.with(plainItems, true))
	var parts []string
	var q query
	for level := len(groups); level >= 0; level-- {
		sc.rollup = &rollup{groups: groups, up: groups[level:], texts: n.OrderBy != nil}
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
			key := "NULL"
			if i < level {
				key = d.sortKey(groups[i])
			}
			keys[i] = fmt.Sprintf("%d AS r%d, %s AS g%d", map[bool]int{true: 1}[i >= level], i, key, i)
		}
		keys = append(keys, d.rollupOrder(n.OrderBy, sc, items)...)
		parts = append(parts, strings.Replace(part.sql, "SELECT ", "SELECT "+strings.Join(keys, ", ")+", ", 1))
		q.cols = part.cols
	}
	for i, it := range plainItems {
		q.cols[i].val.typ.Short = sc.place == atTop && it.val.col && it.val.typ.Kind == types.Float
	}
	alias := d.name("t")
	names := syntax.Map(q.cols, func(c sourceColumn) string { return alias + "." + c.val.sql })
	var order []string
	for i := range groups {
		order = append(order, fmt.Sprintf("r%d, g%d", i, i))
	}
	if n.OrderBy != nil {
		order = nil
		for i, item := range n.OrderBy.Items {
			order = append(order, fmt.Sprintf("o%d%s", i, direction(item.Desc)))
		}
	}
	by := " ORDER BY " + strings.Join(order, ", ")
	q.sql = fmt.Sprintf("%sSELECT %s FROM (%s) AS %s%s%s", with, strings.Join(names, ", "),
		strings.Join(parts, " UNION ALL "), alias, by, d.limit(n.Limit))
	q.limit = n.Limit != nil
	return q
}

// rollupOrder are the sort keys of one level, as columns: an aggregate among them is that level's.
func (d *draft) rollupOrder(o *ast.OrderByClause, sc *scope, items []sourceColumn) []string {
	if o == nil {
		return nil
	}
	var keys []string
	for i, item := range o.Items {
		s := *sc.with(items, false)
		if c, ok := syntax.Unparen(item.Expr).(*ast.ColumnNameExpr); ok && c.Name.Table.O == "" {
			s.first = true // a name alone means the select list's
		}
		keys = append(keys, fmt.Sprintf("%s AS o%d", d.sortKey(d.orderItem(item.Expr, &s, items)), i))
	}
	return keys
}

// notNullIsNull refuses HAVING … IS NULL of a grouping column that is declared NOT NULL: MySQL 8.0.15 takes it for
// false even where the column is summed up.
func (d *draft) notNullIsNull(n *ast.SelectStmt, groups []val, sc *scope) {
	if n.Having == nil {
		return
	}
	for _, e := range areNull(n.Having.Expr) {
		if _, ok := syntax.Unparen(e).(*ast.ColumnNameExpr); !ok {
			continue
		}
		v := d.scalar(e, sc)
		refuseIf(v.notNull && slices.ContainsFunc(groups, func(g val) bool { return g.sql == v.sql }),
			"HAVING … IS NULL of a NOT NULL column with ROLLUP (write GROUPING(…) = 1)")
	}
}

// areNull lists what is compared with IS NULL.
func areNull(e ast.ExprNode) (list []ast.ExprNode) {
	visitBlock(e, func(n ast.Node) {
		if e, ok := n.(*ast.IsNullExpr); ok && !e.Not {
			list = append(list, e.Expr)
		}
	})
	return list
}

// rolled is NULL where v is a grouping column that the current level sums up. An ENUM or SET that is one,
// and is declared NOT NULL, is a text behind the temporary table that sorts them, or that is a derived one.
func (r *rollup) rolled(v val) val {
	same := func(g val) bool { return g.sql == v.sql && v.row == nil }
	if v.notNull && r.texts && slices.ContainsFunc(r.groups, same) {
		v.typ.Enum, v.typ.Set = nil, false
	}
	if slices.ContainsFunc(r.up, same) {
		if isConstant(v) && v.typ.Kind != types.Null || // which may stand elsewhere, too
			slices.ContainsFunc(r.groups[:len(r.groups)-len(r.up)], same) {
			refuse("WITH ROLLUP over a constant, or over the same twice, that is shown")
		}
		return val{sql: "NULL", typ: v.typ}
	}
	return v
}

// grouping is GROUPING(a, b, …): a bit for every argument, 1 where it is summed up.
func (d *draft) grouping(n *ast.FuncCallExpr, sc *scope) val {
	failIf(sc.rollup == nil, 1111, "Invalid use of group function")
	bits := 0
	columns := sc.filter()
	columns.first = false // in HAVING, whose names are the select list's, NULL where it is summed up
	for i, a := range n.Args {
		v := d.scalar(a, columns)
		grouped := func(g val) bool { return g.sql == v.sql }
		if !slices.ContainsFunc(sc.rollup.groups, grouped) {
			v = d.scalar(aliased(a, sc.stmt.Fields), columns)
		}
		failIf(!slices.ContainsFunc(sc.rollup.groups, grouped) && len(sc.rollup.groups) > 0,
			3602, "Argument #%d of GROUPING function is not in GROUP BY", i)
		up := slices.ContainsFunc(sc.rollup.up, grouped)
		bits = bits<<1 | map[bool]int{true: 1}[up]
	}
	return val{sql: fmt.Sprintf("CAST(%d AS INTEGER)", bits), typ: types.IntType}
}
