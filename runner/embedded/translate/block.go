package translate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/embedded/types"
)

func (d *draft) selectStmt(n *ast.SelectStmt, outer *scope, want wanted) query {
	sc := outer.inside(&block{wanted: want, stmt: n})
	with := d.with(n.With, sc)
	switch {
	case n.Kind == ast.SelectStmtKindValues:
		if slices.Contains(slices.Collect(maps.Values(sc.stored)), types.Double) {
			refuse("a set operation of a quotient with a DOUBLE")
		}
		return d.values(n, sc, with)
	case n.Kind != ast.SelectStmtKindSelect:
		refuse("TABLE statements")
	case n.SelectIntoOpt != nil:
		refuse("SELECT … INTO")
	case n.LockInfo != nil:
		refuse("locking reads")
	}
	from := ""
	if n.From != nil && n.From.TableRefs != nil {
		from = d.from(n.From.TableRefs, sc)
	}
	rollup := n.GroupBy != nil && n.GroupBy.Rollup // sorts, and keeps what it has of a join in a temporary table
	sc.rounds = n.GroupBy != nil && !rollup && !sc.sortsGroups(n)
	sc.settles = rollup && len(sc.sources) > 1 || !rollup && sc.settlesGroups(n)
	sc.windows = map[string]windowDef{}
	for _, w := range n.WindowSpecs {
		sc.windows[w.Name.L] = windowDef{spec: w}
	}
	sc.grouped = n.GroupBy != nil
	sc.seeded = d.seededOrder(n, sc)
	if rollup {
		return d.rollup(n, sc, with, from)
	}
	items := d.fields(n.Fields, sc)
	return d.block(n, sc, with, from, items, nil)
}

// block writes one query block whose FROM clause and select list are known.
// rolled is nil but for the levels of WITH ROLLUP, where it replaces the GROUP BY list.
func (d *draft) block(n *ast.SelectStmt, sc *scope, with, from string, items []sourceColumn, rolled *[]val) query {
	q := query{limit: n.Limit != nil}
	var groups, by []string
	if rolled != nil {
		for _, g := range *rolled {
			groups = append(groups, settle(g))
		}
		by = groups
	} else if n.GroupBy != nil {
		for i, g := range d.groupBy(n, sc, items) {
			groups = append(groups, settle(g))
			by = append(by, groups[i])
			if !hasColumn(aliased(n.GroupBy.Items[i].Expr, n.Fields)) { // SQLite would take a number for a position
				by[i] = "('' || '')"
			}
		}
	}
	plain := !n.Distinct || !hasColumn(n.Fields) || n.GroupBy == nil && sc.keyed(items) // DISTINCT then makes no temporary table
	merges := sc.place != atTop && sc.merges(n)
	raw := sc.place == asValue && !n.Distinct
	var b strings.Builder
	var loose []string // the texts behind the columns
	b.WriteString(with)
	b.WriteString("SELECT ")
	if n.Distinct {
		b.WriteString("DISTINCT ")
	}
	for i, it := range items {
		name := fmt.Sprintf("c%d", i+1)
		if i > 0 {
			b.WriteString(", ")
		}
		switch sc.stored[i] {
		case types.String:
			it.val = d.storedText(it.val)
		case types.Double:
			it.val = d.storedDouble(it.val, n, sc)
		}
		text := settle(it.val)
		merged := merges && sc.place == asTable && it.val.places > 0 && it.val.real == ""
		if raw || merged {
			text = it.val.sql
		}
		if sc.place == atTop && plain && rolled == nil {
			text = d.printed(it.val, sc, groups)
		}
		column := val{sql: name, typ: it.val.typ, col: true}
		if sc.place == atTop && it.val.bits != "" && rolled == nil {
			text, column.typ.Bits = it.val.bits, true
		}
		column.typ.Short = sc.place == atTop && it.val.col && column.typ.Kind == types.Float
		b.WriteString(text + " AS " + name)
		switch {
		case it.val.loose == "" || !merges:
		case sc.place != asTable || strings.Contains(it.val.loose, perhapsMerged):
			column.loose = perhapsMerged
		default:
			column.loose = fmt.Sprintf("x%d", i+1)
			q.loose = append(q.loose, column.loose)
			loose = append(loose, ", "+it.val.loose+" AS "+column.loose)
		}
		if raw || merged {
			column.places, column.mixed = it.val.places, it.val.mixed
		}
		q.cols = append(q.cols, sourceColumn{name: it.name, val: column, lead: merges && sc.place == asTable && sc.leads(it.val, n)})
	}
	b.WriteString(strings.Join(loose, ""))
	if from != "" {
		b.WriteString(" FROM " + from)
	}
	var where []string
	if n.Where != nil {
		where = append(where, d.cond(d.expr(n.Where, sc.filter())))
	}
	having := ""
	if n.Having != nil {
		having = d.cond(d.expr(n.Having.Expr, sc.with(items, true)))
	}
	order := d.orderBy(n.OrderBy, sc.with(items, false), items)
	aggregated := n.GroupBy != nil || sc.aggs > 0
	if having != "" && !aggregated { // MySQL filters rows with it; SQLite wants groups
		where, having = append(where, having), ""
	}
	if len(where) > 0 {
		b.WriteString(" WHERE " + strings.Join(where, " AND "))
	}
	switch {
	case len(groups) > 0:
		b.WriteString(" GROUP BY " + strings.Join(by, ", "))
	case rolled != nil: // the grand total: one row, but none if there are no rows at all
		b.WriteString(" GROUP BY ('' || '')")
	}
	if having != "" {
		b.WriteString(" HAVING " + having)
	}
	if rolled == nil {
		b.WriteString(order)
		b.WriteString(d.limit(n.Limit))
	}
	q.sql = b.String()
	q.one = aggregated && n.GroupBy == nil || from == "" || limitsToOne(n.Limit)
	return q
}

// perhapsMerged stands for the text of a column that MySQL prints as the expression of a query that it merges into the one around
// it, or as what a temporary table holds: this depends on its plan.
const perhapsMerged = "my_merged()"

// merges says that MySQL merges a query block into the one around it, if it does so with any, instead of keeping its rows in a
// temporary table. Source: MySQL 8.0 Reference Manual, "Optimizing Derived Tables, View References, and Common Table Expressions".
func (sc *scope) merges(n *ast.SelectStmt) bool {
	return n.From != nil && !n.Distinct && n.GroupBy == nil && sc.aggs == 0 && !sc.windowed && n.Having == nil && n.Limit == nil && !sc.related
}

// leads says that an index of the first table starts with a column.
func (sc *scope) leads(v val, n *ast.SelectStmt) bool {
	return n.From.TableRefs.Tp != ast.RightJoin && slices.ContainsFunc(sc.sources[0].cols, func(c sourceColumn) bool { return c.lead && c.val.sql == v.sql })
}

// with is the scope with the select list's aliases.
func (sc *scope) with(items []sourceColumn, first bool) *scope {
	c := *sc
	c.items, c.first = items, first
	return &c
}

// values translates VALUES ROW(…), ….
func (d *draft) values(n *ast.SelectStmt, sc *scope, with string) query {
	var rows [][]val
	for _, list := range n.Lists {
		var row []val
		for _, e := range list.Values {
			row = append(row, d.expr(e, sc))
		}
		rows = append(rows, row)
	}
	q := query{}
	for i := range rows[0] {
		t := types.NullType
		for _, row := range rows {
			if len(row) != len(rows[0]) {
				fail(1136, "Column count doesn't match value count at row 1")
			}
			t = merge(t, row[i].typ)
		}
		q.cols = append(q.cols, sourceColumn{name: fmt.Sprintf("column_%d", i), val: val{sql: fmt.Sprintf("c%d", i+1), typ: t, col: true}})
	}
	var parts []string
	for _, row := range rows {
		var cells []string
		for i, v := range row {
			cells = append(cells, fmt.Sprintf("%s AS c%d", settle(d.convert(v, q.cols[i].val.typ)), i+1))
		}
		parts = append(parts, "SELECT "+strings.Join(cells, ", "))
	}
	q.sql = with + "SELECT * FROM (" + strings.Join(parts, " UNION ALL ") + ")" + d.orderBy(n.OrderBy, &scope{block: new(block), items: q.cols}, q.cols) + d.limit(n.Limit)
	return q
}
