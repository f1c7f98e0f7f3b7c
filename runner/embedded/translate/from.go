package translate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
)

// joined is a translated table reference.
type joined struct {
	sql     string
	sources []*source
	star    []sourceColumn // what * means
	merged  []sourceColumn // columns that USING made one
}

// from translates a FROM clause into sc.
func (d *draft) from(n ast.ResultSetNode, sc *scope) string {
	j := d.tableRef(n, sc)
	sc.sources, sc.star, sc.merged = j.sources, j.star, j.merged
	return j.sql
}

func (d *draft) tableRef(n ast.ResultSetNode, sc *scope) joined {
	switch n := n.(type) {
	case *ast.Join:
		return d.join(n, sc)
	case *ast.TableSource:
		return d.tableSource(n, sc)
	}
	refuse("%T in FROM", n)
	return joined{}
}

func (d *draft) tableSource(n *ast.TableSource, sc *scope) joined {
	if n.Lateral {
		return d.lateral(n, sc)
	}
	alias := d.name("t")
	src := &source{name: n.AsName.O}
	var text string
	switch s := n.Source.(type) {
	case *ast.Join:
		return d.join(s, sc)
	case *ast.TableName:
		src.name = cmp.Or(src.name, s.Name.O)
		refuseIf(s.AsOf != nil || s.TableSample != nil || len(s.PartitionNames) > 0,
			"a table with AS OF, TABLESAMPLE or PARTITION")
		if c, ok := sc.cte(s.Name.O); ok && s.Schema.O == "" {
			text = c.sql
			src.cols = requalify(c.cols, alias)
			break
		}
		if v, ok := d.Views[s.Name.L]; ok && (s.Schema.O == "" || strings.EqualFold(s.Schema.O, d.Database)) {
			text, src.cols = d.view(v, alias)
			break
		}
		t, ok := d.Tables[s.Name.L]
		failIf(!ok || s.Schema.O != "" && !strings.EqualFold(s.Schema.O, d.Database),
			1146, "Table '%s.%s' doesn't exist", cmp.Or(s.Schema.O, d.Database), s.Name.O)
		text, src.key = runner.QuoteName(t.Name), t.Key
		for _, c := range t.Columns {
			v := val{sql: alias + "." + runner.QuoteName(c.Name), typ: c.Type, col: true, notNull: c.NotNull,
				lead: c.Lead, declared: c.Declared, table: true}
			if d.Wide && c.Type.Kind == types.Decimal {
				v = d.widen(v)
			}
			src.cols = append(src.cols, sourceColumn{c.Name, v, c.Lead})
		}
	case *ast.SelectStmt, *ast.SetOprStmt, *ast.SubqueryExpr:
		// A derived table sees the queries around the whole statement block, not its neighbours.
		q := d.query(s, sc.beside(new(block)), wanted{place: asTable})
		text = "(" + q.sql + ")"
		src.cols = requalify(q.cols, alias)
		rename(src.cols, n.ColumnNames)
	default:
		refuse("%T in FROM", n.Source)
	}
	return joined{sql: text + " AS " + alias, sources: []*source{src}, star: src.cols}
}

// view writes a view as a derived table that sees nothing of the query around it.
func (d *draft) view(v View, alias string) (string, []sourceColumn) {
	q := d.query(v.Query, nil, wanted{place: asTable})
	cols := requalify(q.cols, alias)
	failIf(len(cols) != len(v.Columns), 1353, "View's SELECT and view's field list have different column counts")
	for i, name := range v.Columns {
		cols[i].name = name
	}
	return "(" + q.sql + ")", cols
}

// rename gives the columns of a derived table the names of its column list, if it has one.
func rename(cols []sourceColumn, names []ast.CIStr) {
	if len(names) > 0 && len(names) != len(cols) {
		fail(1353, "In definition of view, derived table or common table expression, SELECT list and column names list have different column counts")
	}
	for i, name := range names {
		cols[i].name = name.O
	}
}

// lateral is a derived table that sees the tables before it, which SQLite does not have. One that always has one row
// is a table of one row whose columns are scalar subqueries.
func (d *draft) lateral(n *ast.TableSource, sc *scope) joined {
	refuseIf(syntax.JSONTableOf(n.Source) != nil, "JSON_TABLE")
	sel, ok := n.Source.(*ast.SelectStmt)
	refuseIf(!ok || sel.GroupBy != nil || sel.Having != nil || sel.Limit != nil || has(sel.Fields, isRandom) ||
		!has(sel.Fields, isAggregate) && (sel.From != nil || sel.Where != nil),
		"LATERAL with a query that may give any number of rows")
	q := d.query(sel, sc.inside(new(block)), wanted{})
	src := &source{name: n.AsName.O}
	for _, c := range q.cols {
		src.cols = append(src.cols, sourceColumn{name: c.name, val: val{sql: fmt.Sprintf("(SELECT %s FROM (%s))",
			c.val.sql, q.sql), typ: c.val.typ}})
	}
	rename(src.cols, n.ColumnNames)
	return joined{sql: "(SELECT 1) AS " + d.name("t"), sources: []*source{src}, star: src.cols}
}

// requalify are columns c1, c2, … of a table with this name.
func requalify(cols []sourceColumn, alias string) []sourceColumn {
	out := slices.Clone(cols)
	for i := range out {
		loose := out[i].val.loose
		if loose != "" && loose != perhapsMerged {
			loose = alias + "." + loose
		}
		v := out[i].val
		out[i].val = val{sql: alias + "." + v.sql, typ: v.typ, col: true, places: v.places, constant: v.constant,
			mixed: v.mixed, either: v.either, zero: v.zero, loose: loose, lead: out[i].lead, declared: v.declared}
		out[i].val.typ.Vague = out[i].val.typ.Vague && out[i].val.typ.Temporal()
		out[i].val.typ.Spelled = false
	}
	return out
}
