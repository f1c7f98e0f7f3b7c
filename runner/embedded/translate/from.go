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

func (d *draft) join(n *ast.Join, sc *scope) joined {
	left := d.tableRef(n.Left, sc)
	if n.Right == nil {
		return left
	}
	before := sc.sources
	sc.sources = slices.Concat(before, left.sources) // for LATERAL
	right := d.tableRef(n.Right, sc)
	sc.sources = before
	if ts, ok := n.Right.(*ast.TableSource); ok && ts.Lateral && (n.Tp == ast.RightJoin || n.Tp == ast.LeftJoin &&
		!alwaysJoins(n.On)) {
		refuse("an outer join with LATERAL")
	}
	word, ok := map[ast.JoinType]string{ast.LeftJoin: " LEFT JOIN ", ast.RightJoin: " RIGHT JOIN ",
		ast.CrossJoin: " JOIN ", 0: " JOIN "}[n.Tp] // 0 is NATURAL JOIN
	refuseIf(!ok, "this kind of join")
	out := joined{sources: slices.Concat(left.sources, right.sources), merged: slices.Concat(left.merged, right.merged)}
	if len(right.sources) > 1 {
		right.sql = "(" + right.sql + ")"
	}
	on := ""
	names := usingNames(n, left, right)
	switch {
	case names != nil:
		on = d.using(names, n.Tp, left, right, &out)
	case n.On != nil:
		inner := sc.beside(&block{sources: out.sources, merged: out.merged})
		on = " ON " + d.cond(d.expr(n.On.Expr, inner))
		fallthrough
	default:
		out.star = slices.Concat(left.star, right.star)
	}
	out.sql = left.sql + word + right.sql + on
	return out
}

// alwaysJoins says that a condition is TRUE.
func alwaysJoins(on *ast.OnCondition) bool {
	if on == nil {
		return false
	}
	v, ok := syntax.Unparen(on.Expr).(ast.ValueExpr)
	return ok && v.GetValue() == int64(1)
}

// usingNames are the columns of USING or a natural join; nil if it is neither.
func usingNames(n *ast.Join, left, right joined) (names []string) {
	for _, c := range n.Using {
		names = append(names, c.Name.O)
	}
	if n.NaturalJoin {
		names = []string{}
		for _, c := range left.star {
			if _, ok := find(right.star, c.name); ok {
				names = append(names, c.name)
			}
		}
	}
	return names
}

// using joins over columns of the same name. They come first in *, once.
func (d *draft) using(names []string, tp ast.JoinType, left, right joined, out *joined) string {
	var conds []string
	isNamed := func(c sourceColumn) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, c.name) })
	}
	first, second := left.star, right.star // MySQL turns RIGHT JOIN around, the columns of USING with it
	if tp == ast.RightJoin {
		first, second = second, first
	}
	var merged []sourceColumn
	for _, c := range first {
		if !isNamed(c) {
			continue
		}
		l, _ := find(left.star, c.name) // the checker has found both
		r, _ := find(right.star, c.name)
		conds = append(conds, d.compare("=", l, r))
		merged = append(merged, sourceColumn{c.name, c.val, false})
	}
	out.star = slices.Concat(merged, slices.DeleteFunc(slices.Concat(first, second), isNamed))
	out.merged = append(merged, slices.DeleteFunc(out.merged, isNamed)...)
	if len(conds) == 0 {
		return " ON 1"
	}
	return " ON " + strings.Join(conds, " AND ")
}
