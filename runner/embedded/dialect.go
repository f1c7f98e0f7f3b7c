package embedded

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner"
)

// dialect writes SQLite's SQL from a checked MySQL tree. Every table gets a name of its own (t1, t2, …) and every
// derived column one (c1, c2, …), so no name of the query can mean something else in the text.
// A node that is not known is refused: see [refuse].
type dialect struct {
	tables   map[string]*table
	database string
	id       int64 // of the statement, by which slow functions find its context; 0 has none
	n        int   // names given so far
	now      moment
	wide     bool         // every DECIMAL is wide
	raw      bool         // the query that comes next is a scalar subquery, whose value is not rounded
	stored   map[int]kind // the columns of the query that comes next that a set operation makes texts or doubles
	derived  bool         // the query that comes next is a derived table or a common table expression
	depth    int          // of the query that is translated; 1 is the statement
	groups   []val        // the GROUP BY list of a query with WITH ROLLUP, while it is translated
	rolledUp []val        // those of them that the current level sums up
}

// query is one translated SELECT with its columns.
type query struct {
	sql   string
	cols  []sourceColumn // val.sql is c1, c2, …
	loose []string       // the columns behind them: the texts that cols name in val.loose
	limit bool           // has a LIMIT
	one   bool           // never more than one row
}

// translate writes a statement. The error is a *runner.QueryError.
func translate(stmt ast.Node, d *dialect) (q query, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *runner.QueryError:
			err = e
		default:
			panic(e)
		}
	}()
	return d.query(stmt, nil), nil
}

func (d *dialect) name(prefix string) string {
	d.n++
	return fmt.Sprintf("%s%d", prefix, d.n)
}

// query translates a SELECT or a set operation.
func (d *dialect) query(node ast.Node, outer *scope) query {
	d.depth++
	defer func() { d.depth-- }()
	switch n := node.(type) {
	case *ast.SelectStmt:
		return d.selectStmt(n, outer)
	case *ast.SetOprStmt:
		return d.setOperation(n.With, n.SelectList.Selects, n.OrderBy, n.Limit, outer)
	case *ast.SetOprSelectList:
		return d.setOperation(n.With, n.Selects, n.OrderBy, n.Limit, outer)
	case *ast.SubqueryExpr:
		return d.query(n.Query, outer)
	}
	refuse("%T", node)
	return query{}
}

func (d *dialect) selectStmt(n *ast.SelectStmt, outer *scope) query {
	sc := &scope{parent: outer, stmt: n, aggs: new(int), windowed: new(bool), raw: d.raw && !n.Distinct, stored: d.stored, derived: d.derived}
	d.raw, d.stored, d.derived = false, nil, false
	with := d.with(n.With, sc)
	switch {
	case n.Kind == ast.SelectStmtKindValues:
		if slices.Contains(slices.Collect(maps.Values(sc.stored)), kDouble) {
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
func (d *dialect) block(n *ast.SelectStmt, sc *scope, with, from string, items []sourceColumn, rolled *[]val) query {
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
	merges := d.depth > 1 && sc.merges(n)
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
		case kString:
			it.val = d.storedText(it.val)
		case kDouble:
			it.val = d.storedDouble(it.val, n, sc)
		}
		text := settle(it.val)
		merged := merges && sc.derived && it.val.places > 0 && it.val.real == ""
		if sc.raw || merged {
			text = it.val.sql
		}
		if d.depth == 1 && plain && rolled == nil {
			text = d.printed(it.val, sc, groups)
		}
		column := val{sql: name, typ: it.val.typ, col: true}
		if d.depth == 1 && it.val.bits != "" && rolled == nil {
			text, column.typ.bits = it.val.bits, true
		}
		b.WriteString(text + " AS " + name)
		switch {
		case it.val.loose == "" || !merges:
		case !sc.derived || strings.Contains(it.val.loose, perhapsMerged):
			column.loose = perhapsMerged
		default:
			column.loose = fmt.Sprintf("x%d", i+1)
			q.loose = append(q.loose, column.loose)
			loose = append(loose, ", "+it.val.loose+" AS "+column.loose)
		}
		if sc.raw || merged {
			column.places, column.mixed = it.val.places, it.val.mixed
		}
		q.cols = append(q.cols, sourceColumn{name: it.name, val: column, lead: merges && sc.derived && sc.leads(it.val, n)})
	}
	b.WriteString(strings.Join(loose, ""))
	if from != "" {
		b.WriteString(" FROM " + from)
	}
	var where []string
	if n.Where != nil {
		up, grouped := d.rolledUp, sc.grouped
		d.rolledUp, sc.grouped = nil, false
		where = append(where, d.cond(d.expr(n.Where, sc)))
		d.rolledUp, sc.grouped = up, grouped
	}
	having := ""
	if n.Having != nil {
		having = d.cond(d.expr(n.Having.Expr, sc.with(items, true)))
	}
	order := d.orderBy(n.OrderBy, sc.with(items, false), items)
	aggregated := n.GroupBy != nil || *sc.aggs > 0
	if having != "" && !aggregated { // MySQL filters rows with it; SQLite wants groups
		where, having = append(where, having), ""
	}
	if len(where) > 0 {
		b.WriteString(" WHERE " + strings.Join(where, " AND "))
	}
	switch {
	case len(groups) > 0:
		b.WriteString(" GROUP BY " + strings.Join(by, ", "))
	case rolled != nil && having == "":
		// The grand total: one row, but none if there are no rows at all.
		having = "COUNT(*) > 0"
	case rolled != nil:
		having = "COUNT(*) > 0 AND (" + having + ")"
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
	return n.From != nil && !n.Distinct && n.GroupBy == nil && *sc.aggs == 0 && !*sc.windowed && n.Having == nil && n.Limit == nil && !sc.related
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

// settle is an expression as a result column, a group or a sort key: a DECIMAL has its own places, a text its collation.
func settle(v val) string {
	switch {
	case v.places > 0 && v.typ.k == kDecimal:
		return fmt.Sprintf("my_dec_round(%s, 0, %d)", v.sql, v.typ.scale)
	case v.typ.k == kJSON:
		return fmt.Sprintf("(%s COLLATE %s)", v.sql, collJSON)
	case v.typ.k == kString && !v.col:
		return fmt.Sprintf("(%s COLLATE %s)", v.sql, v.typ.collation())
	case v.typ.k == kString:
		return v.sql
	}
	return v.sql
}

// fields expands and translates the select list.
func (d *dialect) fields(list *ast.FieldList, sc *scope) []sourceColumn {
	var items []sourceColumn
	for _, f := range list.Fields {
		if f.WildCard != nil {
			items = append(items, d.wildcard(f.WildCard, sc)...)
			continue
		}
		v := d.expr(f.Expr, sc)
		if v.row != nil {
			fail(1241, "Operand should contain 1 column(s)")
		}
		items = append(items, sourceColumn{name: fieldName(f), val: v})
	}
	return items
}

// fieldName is the name that MySQL gives a column of a select list.
func fieldName(f *ast.SelectField) string {
	if f.AsName.O != "" {
		return f.AsName.O
	}
	e := f.Expr
	for {
		p, ok := e.(*ast.ParenthesesExpr)
		if !ok {
			break
		}
		e = p.Expr
	}
	if c, ok := e.(*ast.ColumnNameExpr); ok {
		return c.Name.Name.O
	}
	return strings.TrimSpace(f.Text())
}

func (d *dialect) wildcard(w *ast.WildCardField, sc *scope) []sourceColumn {
	if w.Table.O == "" {
		return sc.star
	}
	for _, s := range sc.sources {
		if strings.EqualFold(s.name, w.Table.O) {
			return s.cols
		}
	}
	fail(1051, "Unknown table '%s'", w.Table.O)
	return nil
}

// orderItem translates an item of GROUP BY or ORDER BY: a position or an expression.
func (d *dialect) orderItem(e ast.ExprNode, sc *scope, items []sourceColumn) val {
	if p, ok := e.(*ast.PositionExpr); ok {
		if p.N < 1 || p.N > len(items) {
			fail(1054, "Unknown column '%d' in 'order clause'", p.N)
		}
		return items[p.N-1].val
	}
	return d.expr(e, sc)
}

func (d *dialect) orderBy(o *ast.OrderByClause, sc *scope, items []sourceColumn) string {
	if o == nil {
		return ""
	}
	var keys []string
	for _, item := range o.Items {
		s := *sc
		if c, ok := bare(item.Expr).(*ast.ColumnNameExpr); ok && c.Name.Table.O == "" {
			s.first = true // a name alone means the select list's
		}
		v := d.orderItem(item.Expr, &s, items)
		if v.row != nil {
			fail(1241, "Operand should contain 1 column(s)")
		}
		if isConstant(v) {
			continue // SQLite would take a number for a position
		}
		keys = append(keys, d.sortKey(v)+direction(item.Desc))
	}
	if len(keys) == 0 {
		return ""
	}
	return " ORDER BY " + strings.Join(keys, ", ")
}

func direction(desc bool) string {
	if desc {
		return " DESC"
	}
	return ""
}

// sortKey is what a value sorts by: the number of an ENUM's member, else the value.
func (d *dialect) sortKey(v val) string {
	if v.typ.k == kJSON {
		return fmt.Sprintf("(my_json_sortable(%s) COLLATE %s)", v.sql, collJSON)
	}
	if len(v.typ.enum) == 0 {
		return settle(v)
	}
	var b strings.Builder
	b.WriteString("CASE " + v.sql)
	for i, m := range v.typ.enum {
		fmt.Fprintf(&b, " WHEN %s THEN %d", quoteText(m), i+1)
	}
	b.WriteString(" END")
	return b.String()
}

func isConstant(v val) bool {
	return v.text != nil || v.typ.k == kNull || strings.Trim(v.sql, "-0123456789.e+") == ""
}

func bare(e ast.ExprNode) ast.ExprNode {
	for {
		p, ok := e.(*ast.ParenthesesExpr)
		if !ok {
			return e
		}
		e = p.Expr
	}
}

func (d *dialect) limit(l *ast.Limit) string {
	if l == nil {
		return ""
	}
	out := ""
	if l.Count != nil {
		out = " LIMIT " + limitNumber(l.Count)
	}
	if l.Offset != nil {
		out += " OFFSET " + limitNumber(l.Offset)
	}
	return out
}

func limitNumber(e ast.ExprNode) string {
	if v, ok := e.(ast.ValueExpr); ok {
		switch n := v.GetValue().(type) {
		case int64:
			return fmt.Sprint(n)
		case uint64:
			return fmt.Sprint(min(n, 1<<62))
		}
	}
	refuse("LIMIT with anything but numbers")
	return ""
}

func limitsToOne(l *ast.Limit) bool {
	return l != nil && l.Count != nil && (limitNumber(l.Count) == "1" || limitNumber(l.Count) == "0")
}

// values translates VALUES ROW(…), ….
func (d *dialect) values(n *ast.SelectStmt, sc *scope, with string) query {
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
		t := tNull
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
	q.sql = with + "SELECT * FROM (" + strings.Join(parts, " UNION ALL ") + ")" + d.orderBy(n.OrderBy, &scope{items: q.cols, aggs: new(int), windowed: new(bool)}, q.cols) + d.limit(n.Limit)
	return q
}
