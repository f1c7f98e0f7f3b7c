package translate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/embedded/types"
)

func (d *draft) selectStmt(n *ast.SelectStmt, outer *scope, want wanted) query {
	sc := outer.inside(&block{wanted: want, stmt: n})
	with := d.with(n.With, sc)
	// the checker has written VALUES in FROM as SELECTs
	refuseIf(n.Kind != ast.SelectStmtKindSelect, "TABLE and VALUES statements")
	refuseIf(n.SelectIntoOpt != nil, "SELECT … INTO")
	refuseIf(n.LockInfo != nil, "locking reads")
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
	if rollup {
		return d.rollup(n, sc, with, from)
	}
	items := d.fields(n.Fields, sc)
	return d.block(n, sc, with, from, items, nil)
}

// block writes one query block whose FROM clause and select list are known.
// rolled is nil but for the levels of WITH ROLLUP, where it replaces the GROUP BY list.
func (d *draft) block(n *ast.SelectStmt, sc *scope, with, from string, items []sourceColumn, rolled *[]val) query {
	q := query{limit: n.Limit != nil, sc: sc}
	groups, by := d.groupKeys(n, sc, items, rolled)
	out := columns{
		stmt: n, sc: sc, groups: groups,
		merges: sc.place != atTop && sc.merges(n),
		raw:    sc.place == asValue && !n.Distinct,
		level:  rolled != nil,
		// DISTINCT then makes no temporary table
		plain: !n.Distinct || !hasColumn(n.Fields) || n.GroupBy == nil && sc.keyed(items),
	}
	var list, behind []string
	for i, it := range items {
		text, column := d.column(out, i, it)
		list = append(list, text)
		q.cols = append(q.cols, column)
		if l := column.val.loose; l != "" && l != perhapsMerged {
			q.loose = append(q.loose, l)
			behind = append(behind, it.val.loose+" AS "+l)
		}
	}
	var b strings.Builder
	b.WriteString(with)
	b.WriteString("SELECT ")
	if n.Distinct {
		b.WriteString("DISTINCT ")
	}
	b.WriteString(strings.Join(slices.Concat(list, behind), ", "))
	if from != "" {
		b.WriteString(" FROM " + from)
	}
	var where []string
	if n.Where != nil {
		where = append(where, d.filter(n.Where, sc.filter()))
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

// groupKeys are the GROUP BY list as expressions, and as SQLite is to group by them.
func (d *draft) groupKeys(n *ast.SelectStmt, sc *scope, items []sourceColumn, rolled *[]val) (groups, by []string) {
	if n.GroupBy == nil {
		return nil, nil
	}
	if rolled == nil {
		list := d.groupBy(n, sc, items)
		rolled = &list
	}
	for i, g := range *rolled {
		groups = append(groups, kept(g))
		by = append(by, groups[i])
		if !hasColumn(aliased(n.GroupBy.Items[i].Expr, n.Fields)) { // SQLite would take a number for a position
			by[i] = "('' || '')"
		} else if sc.rounds && g.typ.Kind == types.Double { // a temporary table holds 0 and -0 apart
			by[i] += ", my_double_text(" + g.sql + ", 64)"
		}
	}
	return groups, by
}

// columns says how the select list of a query block is written.
type columns struct {
	stmt   *ast.SelectStmt
	sc     *scope
	groups []string
	merges bool // MySQL merges the block into the one around it
	raw    bool // numbers stay as they are computed
	level  bool // it is a level of WITH ROLLUP
	plain  bool // DISTINCT makes no temporary table
}

// column writes an item of the select list, i from 0 on, and says what it is to the query around it. Where MySQL may
// print another text than its value's, the column's loose names the column in which that text stands.
func (d *draft) column(out columns, i int, it sourceColumn) (text string, column sourceColumn) {
	sc, name := out.sc, fmt.Sprintf("c%d", i+1)
	switch sc.stored[i] {
	case types.String:
		it.val = d.storedText(it.val)
	case types.Double:
		it.val = d.storedDouble(it.val, out.stmt, sc)
	}
	v := val{sql: name, typ: it.val.typ, col: true, declared: it.val.declared, constant: out.merges && it.val.constant,
		either: it.val.either,
		mixed:  it.val.mixed && (it.val.typ.Text() || out.merges) || it.val.real != "" && it.val.typ.Text()}
	text = settle(it.val)
	if it.val.partly && (sc.place == asTable || sc.place == inQuery || out.stmt.Distinct) {
		text = kept(it.val)
	}
	if out.raw || it.val.places > 0 && (out.merges && sc.place == asTable && it.val.real == "" ||
		(d.Kept && sc.place == atTop || sc.stored[i] == types.Decimal && out.plain) &&
			!slices.Contains(out.groups, text)) {
		text = it.val.sql
		v.places, v.mixed = it.val.places, it.val.mixed
	}
	v.zero = out.merges && it.val.zero
	if sc.place == atTop {
		if out.plain && !out.level && v.places == 0 {
			text = d.printed(it.val, sc, out.groups)
		}
		if it.val.bits != "" && !out.level {
			text, v.typ.Bits = it.val.bits, true
		}
		v.typ.Short = it.val.col && v.typ.Kind == types.Float
	}
	switch {
	case it.val.loose == "" || !out.merges:
	case sc.place != asTable || strings.Contains(it.val.loose, perhapsMerged):
		v.loose = perhapsMerged
	default:
		v.loose = fmt.Sprintf("x%d", i+1)
	}
	return text + " AS " + name, sourceColumn{name: it.name, val: v, lead: out.merges && sc.place == asTable &&
		sc.leads(it.val, out.stmt)}
}

// perhapsMerged stands for the text of a column that MySQL prints as the expression of a query that it merges into the
// one around it, or as what a temporary table holds: this depends on its plan.
const perhapsMerged = "my_merged()"

// merges says that MySQL merges a query block into the one around it, if it does so with any, instead of keeping its
// rows in a temporary table. Source: MySQL 8.0 Reference Manual, "Optimizing Derived Tables, View References, and
// Common Table Expressions".
func (sc *scope) merges(n *ast.SelectStmt) bool {
	return n.From != nil && !n.Distinct && n.GroupBy == nil && sc.aggs == 0 && !sc.windowed && n.Having == nil &&
		n.Limit == nil && !sc.related
}

// leads says that an index of the first table starts with a column.
func (sc *scope) leads(v val, n *ast.SelectStmt) bool {
	return n.From.TableRefs.Tp != ast.RightJoin && slices.ContainsFunc(sc.sources[0].cols,
		func(c sourceColumn) bool { return c.lead && c.val.sql == v.sql })
}

// with is the scope with the select list's aliases.
func (sc *scope) with(items []sourceColumn, first bool) *scope {
	c := *sc
	c.items, c.first = items, first
	return &c
}
