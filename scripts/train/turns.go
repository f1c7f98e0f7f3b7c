package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// turn is a query on its way to the next one.
type turn struct {
	*maker
	sel   *ast.SelectStmt
	b     *bind.Bound
	block *bind.Block
	words map[string]string // what the wording's slots are filled with
	sql   string            // the next query; "" is the tree
}

// changes there are. Each changes the tree and gives the kind of wordings that ask for it; "" where it does not apply,
// and the tree is lost.
//
//	… WHERE status = 'Open'      value    → … WHERE status = 'Closed'
//	SELECT name FROM orders      more     → … WHERE status = 'Open'
//	SELECT COUNT(*) FROM orders  group    → SELECT status, COUNT(*) … GROUP BY status
//	SELECT COUNT(*) FROM orders  detail   → SELECT name FROM orders
//	SELECT name FROM orders      children → SELECT name, COUNT(*) FROM orders JOIN items … GROUP BY id
var changes = []struct {
	name   string
	weight int
	make   func(*turn) string
}{
	{"value", 8, (*turn).value}, {"number", 4, (*turn).number}, {"more", 7, (*turn).more},
	{"counted", 2, (*turn).counted}, {"less", 4, (*turn).less}, {"group", 5, (*turn).group},
	{"regroup", 3, (*turn).regroup}, {"groupcount", 3, (*turn).groupCount}, {"order", 7, (*turn).order},
	{"limit", 4, (*turn).limit}, {"top", 4, (*turn).top}, {"flip", 3, (*turn).flip}, {"agg", 4, (*turn).agg},
	{"aggof", 3, (*turn).aggOf}, {"add", 6, (*turn).add}, {"instead", 3, (*turn).instead},
	{"detail", 5, (*turn).detail}, {"count", 5, (*turn).countRows}, {"not", 4, (*turn).not},
	{"except", 4, (*turn).except}, {"table", 2, (*turn).otherTable}, {"children", 3, (*turn).children},
	{"parent", 3, (*turn).parent}, {"joined", 4, (*turn).joined},
}

// put gives words to slots: name, words, name, words.
func (t *turn) put(kind string, words ...string) string {
	for i := 0; i+1 < len(words); i += 2 {
		t.words[words[i]] = words[i+1]
	}
	return kind
}

// rows says that a row of the result is a row of the tables: nothing is grouped, computed of many or cut off.
func (t *turn) rows() bool {
	return !t.block.Grouped && !t.sel.Distinct && t.sel.Limit == nil && t.sel.Having == nil
}

// counts says that the query counts rows of one table, and does nothing else.
func (t *turn) counts() bool {
	agg, is := t.field().(*ast.AggregateFuncExpr)
	return is && len(t.block.Sources) == 1 && t.sel.GroupBy == nil && t.sel.Having == nil && strings.EqualFold(agg.F,
		"count") && !agg.Distinct
}

// field is the only one that is shown; nil where there are several.
func (t *turn) field() ast.ExprNode {
	if len(t.sel.Fields.Fields) != 1 {
		return nil
	}
	return syntax.Unparen(t.sel.Fields.Fields[0].Expr)
}

// expr parses an expression.
func (t *turn) expr(text string) ast.ExprNode {
	stmt, ok := syntax.OneSelect("SELECT " + text)
	if !ok {
		return nil
	}
	return stmt.(*ast.SelectStmt).Fields.Fields[0].Expr
}

// alias stands before the columns of a source; "" where there is one source.
func (t *turn) alias(src *bind.Source) string {
	if len(t.block.Sources) == 1 {
		return ""
	}
	return ident(src.Name)
}

// main is the source of what is shown.
func (t *turn) main() *bind.Source {
	if len(t.block.Sources) == 1 {
		return t.block.Sources[0]
	}
	if o := t.block.Output[0]; o.Table != nil && slices.Contains(t.block.Sources, o.Source) {
		return o.Source
	}
	return nil
}

// own is what is known of a source's table.
func (t *turn) own(src *bind.Source) *table {
	if src == nil || src.Table == nil {
		return nil
	}
	return t.d.table(src.Table.Name)
}

// column is one of the main source that has words, and is used nowhere in the query but where it is shown.
func (t *turn) column(shown bool, roles ...role) (*bind.Source, *column) {
	src := t.main()
	of := t.own(src)
	if of == nil {
		return nil, nil
	}
	return src, choose(t.rng, of.cols, func(c *column) bool {
		return c.noun != "" && strings.Count(c.expr, "{") == 1 && slices.Contains(roles, c.role) &&
			(shown || !t.shows(src, c)) && !t.tests(src, c.columnName())
	})
}

func (c *column) columnName() string { return strings.Trim(c.expr, "{}") }

func (t *turn) shows(src *bind.Source, c *column) bool {
	return slices.ContainsFunc(t.block.Output, func(o bind.Output) bool {
		return o.Source == src && o.Column != nil && strings.EqualFold(o.Column.Name, c.columnName())
	})
}

// tests says that a column is asked something of, sorts or groups.
func (t *turn) tests(src *bind.Source, column string) bool {
	return slices.ContainsFunc(t.b.Columns, func(r *bind.ColumnRef) bool {
		return r.Source == src && r.Clause != bind.InFields && strings.EqualFold(r.Name.Name.O, column)
	})
}

// equal is a condition column = value of a table's column, with the words for the column; value has the text.
func (t *turn) equal() (cond *ast.BinaryOperationExpr, col *schema.Column, of *schema.Table, noun, value string) {
	conds := syntax.Conjuncts(t.sel.Where)
	for _, i := range t.rng.Perm(len(conds)) {
		e, is := syntax.Unparen(conds[i]).(*ast.BinaryOperationExpr)
		if !is || e.Op != opcode.EQ {
			continue
		}
		table, column := t.b.RefOf(e.L).Column()
		v, constant := e.R.(ast.ValueExpr)
		if column == nil || table == nil || !constant {
			continue
		}
		return e, column, table, t.noun(table, column), fmt.Sprint(v.GetValue())
	}
	return nil, nil, nil, "", ""
}

// noun is what people call a column; "" where its name tells nothing.
func (t *turn) noun(of *schema.Table, col *schema.Column) string {
	if c := t.d.table(of.Name).column(col.Name); c != nil && c.noun != "" {
		return c.noun
	}
	return strings.Join(wordsOf(col.Name), " ")
}

func (t *turn) value() string {
	cond, col, of, noun, old := t.equal()
	if cond == nil {
		return ""
	}
	values, err := cells(t.ctx, t.x, fmt.Sprintf("SELECT DISTINCT %s FROM %s WHERE %[1]s IS NOT NULL ORDER BY %[1]s"+
		" LIMIT 200", ident(col.Name), ident(of.Name)))
	if err != nil || len(values) < 2 {
		return ""
	}
	v := strings.TrimSpace(pick(t.rng, values))
	if v == old || v == "" || len(v) > 30 || strings.ContainsAny(v, ",;") {
		return ""
	}
	_, text := syntax.LiteralText(cond.R)
	if _, err := strconv.ParseFloat(v, 64); err == nil && !text && col.Kind() == schema.Number {
		cond.R = t.expr(v)
	} else {
		cond.R = syntax.TextExpr(v)
	}
	if numeric([]string{v}) || len(v) < 3 {
		if noun == "" {
			return ""
		}
		return t.put("valueof", "value", v, "col", noun, "old", old)
	}
	return t.put("value", "value", t.typed(v), "old", t.typed(old))
}

// typed is a value as people type it.
func (t *turn) typed(v string) string {
	switch t.rng.IntN(10) {
	case 0:
		return `"` + v + `"`
	case 1:
		return strings.ToLower(v)
	}
	return v
}

// compared are words for comparisons.
var compared = map[opcode.Op][]string{
	opcode.GT: {"more than", "over", "above"}, opcode.GE: {"at least", "from"},
	opcode.LT: {"less than", "under", "below"}, opcode.LE: {"at most", "up to"},
}

func (t *turn) number() string {
	var having ast.ExprNode
	if t.sel.Having != nil {
		having = t.sel.Having.Expr
	}
	conds := append(syntax.Conjuncts(t.sel.Where), syntax.Conjuncts(having)...)
	for _, i := range t.rng.Perm(len(conds)) {
		e, is := syntax.Unparen(conds[i]).(*ast.BinaryOperationExpr)
		if !is || compared[e.Op] == nil {
			continue
		}
		v, constant := e.R.(ast.ValueExpr)
		if !constant {
			continue
		}
		old := fmt.Sprint(v.GetValue())
		n, err := strconv.ParseFloat(old, 64)
		if err != nil {
			continue
		}
		next := n + float64(t.rng.IntN(7)-3)
		if n > 9 && (n < 1800 || n > 2100) {
			next = math.Round(n*(0.5+t.rng.Float64())*2) / 2
			next, _ = strconv.ParseFloat(round(fmt.Sprint(next)), 64)
		}
		if next == n || next < 0 || n > 0 && next == 0 {
			continue
		}
		text := strconv.FormatFloat(next, 'f', -1, 64)
		e.R = t.expr(text)
		return t.put("number", "op", pick(t.rng, compared[e.Op]), "n", text, "old", old)
	}
	return ""
}

// condition adds one on a source's table.
func (t *turn) condition(src *bind.Source, f *filter) bool {
	if f == nil || t.tests(src, f.column.columnName()) {
		return false
	}
	cond := t.expr(inSQL(f.sql, t.alias(src)))
	if cond == nil {
		return false
	}
	t.sel.Where = syntax.AllOf(append(syntax.Conjuncts(t.sel.Where), cond))
	return true
}

// filter draws a condition on a table of the query.
func (t *turn) filter() (*bind.Source, *filter) {
	src := t.main()
	of := t.own(src)
	if of == nil || t.sel.Limit != nil || t.sel.GroupBy != nil {
		return nil, nil
	}
	return src, filterOf(t.rng, of)
}

// said are words for a condition: behind "those", and behind "the ones that".
func (t *turn) said(f *filter) (that, do string) {
	do = pick(t.rng, f.do)
	if len(f.that) == 0 {
		return "that " + do, do
	}
	return pick(t.rng, f.that), do
}

func (t *turn) more() string {
	src, f := t.filter()
	if !t.condition(src, f) {
		return ""
	}
	that, do := t.said(f)
	_, v, ok := strings.Cut(f.sql, " = '")
	if c := f.column; ok && len(v) > 3 && c.role == category && t.rng.IntN(2) == 0 {
		v = strings.ReplaceAll(v[:len(v)-1], "''", "'")
		return t.put("morevalue", "value", t.typed(v), "col", c.noun)
	}
	return t.put("more", "that", that, "do", do)
}

func (t *turn) counted() string {
	src, f := t.filter()
	if !t.rows() || !t.condition(src, f) || t.countRows() == "" {
		return ""
	}
	that, do := t.said(f)
	return t.put("counted", "that", that, "do", do)
}

func (t *turn) less() string {
	conds := syntax.Conjuncts(t.sel.Where)
	if len(conds) == 0 || t.sel.Limit != nil {
		return ""
	}
	i := t.rng.IntN(len(conds))
	cols := edit.Tested(syntax.Unparen(conds[i]))
	if len(cols) != 1 {
		return ""
	}
	ref := t.b.Ref(cols[0].Name)
	if ref == nil || ref.Source == nil || ref.Source.Table == nil {
		return ""
	}
	uses := func(r *bind.ColumnRef) bool {
		return r.Source == ref.Source && r != ref && r.Clause != bind.InOn
	}
	if len(t.block.Sources) > 1 && !slices.ContainsFunc(t.b.Columns, uses) {
		return "" // its table would stay in the query for nothing
	}
	noun := t.noun(ref.Column())
	others := slices.DeleteFunc(conds, func(e ast.ExprNode) bool { // all that ask something of it
		own := edit.Tested(syntax.Unparen(e))
		return len(own) == 1 && t.b.Ref(own[0].Name) != nil && t.b.Ref(own[0].Name).Source == ref.Source &&
			strings.EqualFold(own[0].Name.Name.L, cols[0].Name.Name.L)
	})
	t.sel.Where = syntax.AllOf(others)
	if len(others) == 0 && (noun == "" || t.rng.IntN(2) == 0) {
		return "all"
	}
	if noun == "" {
		return ""
	}
	return t.put("less", "col", noun, "cols", plural(noun))
}

// grouping is an expression to group by, with its words.
func (t *turn) grouping() (expr, words string) {
	src, c := t.column(false, category, category, moment)
	if c == nil || len(c.values) < 2 || c.role == category && len(c.values) > 40 {
		return "", ""
	}
	expr, words = inSQL(c.expr, t.alias(src)), c.noun
	if c.role == moment {
		if t.rng.IntN(2) == 0 {
			return "YEAR(" + expr + ")", pick(t.rng, []string{"year", "year of " + c.noun})
		}
		return "DATE_FORMAT(" + expr + ", '%Y-%m')", pick(t.rng, []string{"month", "month of " + c.noun})
	}
	return expr, words
}

// groupBy shows groups by an expression, which fields follow.
func (t *turn) groupBy(by string, fields []*ast.SelectField) {
	t.sel.Fields.Fields = append([]*ast.SelectField{{Expr: t.expr(by)}}, fields...)
	t.sel.GroupBy = &ast.GroupByClause{Items: []*ast.ByItem{{Expr: t.expr(by), NullOrder: true}}}
}

func (t *turn) group() string {
	plain, aggs, other := edit.Fields(t.sel)
	if len(plain) > 0 || aggs == 0 || other || t.sel.GroupBy != nil || t.sel.Having != nil || t.sel.Limit != nil {
		return ""
	}
	by, words := t.grouping()
	if by == "" {
		return ""
	}
	t.groupBy(by, t.sel.Fields.Fields)
	return t.put("group", "col", words)
}

func (t *turn) regroup() string {
	plain, aggs, other := edit.Fields(t.sel)
	if t.sel.GroupBy == nil || len(t.sel.GroupBy.Items) != 1 || len(plain) != 1 || aggs == 0 || other ||
		t.sel.Having != nil || t.sel.Limit != nil || t.sel.OrderBy != nil {
		return ""
	}
	ref := t.b.Ref(plain[0].Name)
	by, words := t.grouping()
	if by == "" || ref == nil || ref.Source == nil || ref.Source.Table == nil {
		return ""
	}
	old := t.noun(ref.Column())
	if old == "" {
		return ""
	}
	t.groupBy(by, slices.DeleteFunc(t.sel.Fields.Fields, func(f *ast.SelectField) bool {
		return !syntax.HasAggregate(f.Expr)
	}))
	return t.put("regroup", "col", words, "old", old)
}

// countField is COUNT(*).
func (t *turn) countField() []*ast.SelectField { return []*ast.SelectField{{Expr: t.expr("COUNT(*)")}} }

func (t *turn) groupCount() string {
	if !t.rows() {
		return ""
	}
	by, words := t.grouping()
	if by == "" {
		return ""
	}
	t.sel.OrderBy = nil
	t.groupBy(by, t.countField())
	return t.put("groupcount", "col", words, "cols", plural(words))
}

// orderBy sorts by an expression.
func (t *turn) orderBy(by string, desc bool) {
	item := &ast.ByItem{Expr: t.expr(by), Desc: desc, NullOrder: true}
	t.sel.OrderBy = &ast.OrderByClause{Items: []*ast.ByItem{item}}
}

func (t *turn) order() string {
	_, aggs, _ := edit.Fields(t.sel)
	switch {
	case t.sel.OrderBy != nil || t.sel.Limit != nil:
		return ""
	case t.sel.GroupBy != nil && aggs == 1 && len(t.sel.Fields.Fields) > 1:
		for _, f := range t.sel.Fields.Fields {
			if agg, is := f.Expr.(*ast.AggregateFuncExpr); is && strings.EqualFold(agg.F, "count") && !agg.Distinct {
				t.orderBy("COUNT(*)", true)
				t.sel.OrderBy.Items[0].Expr = f.Expr
				return "ordercount"
			}
		}
		return ""
	case t.block.Grouped || t.sel.Distinct:
		return ""
	}
	src, c := t.column(true, amount, rate, year, moment, name)
	if c == nil {
		return ""
	}
	desc := t.rng.IntN(2) == 0 && c.role != name
	t.orderBy(inSQL(c.expr, t.alias(src)), desc)
	kind := map[bool]string{false: "up", true: "down"}[desc]
	switch {
	case c.role == name && t.block.Output[0].Source == src && t.shows(src, c):
		kind = "alpha"
	case c.role == name:
		return ""
	case c.role == moment || c.role == year:
		kind = map[bool]string{false: "early", true: "late"}[desc]
	}
	return t.put(kind, "col", c.noun)
}

// cut keeps the first rows.
func (t *turn) cut(n int) {
	t.sel.Limit = &ast.Limit{Count: ast.NewValueExpr(int64(n), "", "")}
}

// saidNumber is a number in digits or in words.
func (t *turn) saidNumber(n int) string {
	if t.rng.IntN(2) == 0 || n > 10 {
		return strconv.Itoa(n)
	}
	return strings.Fields("zero one two three four five six seven eight nine ten")[n]
}

func (t *turn) limit() string {
	if t.sel.OrderBy == nil {
		return ""
	}
	n := pick(t.rng, []int{2, 3, 3, 4, 5, 5, 6, 10})
	if t.sel.Limit == nil {
		t.cut(n)
		return t.put("limit", "n", t.saidNumber(n))
	}
	old := syntax.LimitCount(t.sel.Limit)
	if old == 1 && t.rng.IntN(3) == 0 {
		t.sql = t.printed() + " OFFSET 1"
		return "next"
	}
	t.cut(n)
	return t.put("newlimit", "n", t.saidNumber(n), "old", t.saidNumber(max(old, 0)))
}

// printed is the tree as text; "" where it cannot be written.
func (t *turn) printed() string {
	text, err := syntax.Print(t.sel)
	if err != nil {
		return ""
	}
	return text
}

func (t *turn) top() string {
	src, c := t.column(true, amount, rate)
	if c == nil || !t.rows() || t.sel.OrderBy != nil {
		return ""
	}
	n := pick(t.rng, []int{1, 1, 2, 3, 3, 5})
	desc := n > 1 || t.rng.IntN(3) > 0
	t.orderBy(inSQL(c.expr, t.alias(src)), desc)
	t.cut(n)
	kind := "top"
	if n == 1 {
		kind = map[bool]string{true: "best", false: "worst"}[desc]
	}
	return t.put(kind, "col", c.noun, "n", t.saidNumber(n))
}

func (t *turn) flip() string {
	if t.sel.OrderBy == nil || len(t.sel.OrderBy.Items) != 1 || t.sel.Limit == nil {
		return ""
	}
	by := t.sel.OrderBy.Items[0]
	by.Desc = !by.Desc
	_, col := t.b.RefOf(by.Expr).Column()
	ends := []string{"lowest", "highest"}
	switch {
	case syntax.HasAggregate(by.Expr):
		ends = []string{pick(t.rng, []string{"fewest", "least"}), "most"}
	case col != nil && col.Kind() == schema.Date:
		ends = []string{pick(t.rng, []string{"earliest", "oldest", "first"}), pick(t.rng, []string{"latest", "last"})}
	case t.rng.IntN(2) == 0:
		ends = []string{"smallest", "largest"}
	}
	if by.Desc {
		return t.put("flip", "least", ends[1])
	}
	return t.put("flip", "least", ends[0])
}

// computed are words for aggregates.
var computed = map[string][]string{
	"avg": {"average", "mean", "average"}, "max": {"maximum", "highest", "largest"},
	"min": {"minimum", "lowest", "smallest"}, "sum": {"total", "sum"},
}

func (t *turn) agg() string {
	_, aggs, _ := edit.Fields(t.sel)
	for _, f := range t.sel.Fields.Fields {
		agg, is := f.Expr.(*ast.AggregateFuncExpr)
		if !is || aggs != 1 || computed[strings.ToLower(agg.F)] == nil || t.sel.OrderBy != nil || t.sel.Having != nil {
			continue
		}
		_, col := t.b.RefOf(agg.Args[0]).Column()
		other := pick(t.rng, []string{"avg", "max", "min", "sum"})
		if col == nil || col.Kind() != schema.Number || other == strings.ToLower(agg.F) ||
			other == "sum" && t.rng.IntN(3) > 0 {
			return ""
		}
		agg.F, f.AsName = strings.ToUpper(other), ast.NewCIStr("")
		return t.put("agg", "agg", pick(t.rng, computed[other]))
	}
	return ""
}

func (t *turn) aggOf() string {
	src, c := t.column(true, amount, rate)
	if c == nil || !t.counts() && !t.rows() {
		return ""
	}
	how := pick(t.rng, []string{"avg", "avg", "max", "min", "sum"})
	if how == "sum" && c.role == rate {
		how = "avg"
	}
	t.sel.OrderBy = nil
	t.sel.Fields.Fields = []*ast.SelectField{{
		Expr: t.expr(strings.ToUpper(how) + "(" + inSQL(c.expr, t.alias(src)) + ")"),
	}}
	return t.put("aggof", "agg", pick(t.rng, computed[how]), "col", c.noun)
}

// further is a column of the main table that is not shown, by any words for it.
func (t *turn) further() (expr ast.ExprNode, noun string) {
	src := t.main()
	if t.block.Grouped || src == nil || src.Table == nil {
		return nil, ""
	}
	for range 8 {
		col := pick(t.rng, src.Table.Columns)
		noun = t.noun(src.Table, &col)
		known := t.d.table(src.Table.Name).column(col.Name)
		if noun == "" || strings.HasSuffix(noun, "id") || t.shows(src, &column{expr: "{" + col.Name + "}"}) ||
			known != nil && known.role == key {
			continue
		}
		return t.expr(qualified(t.alias(src), col.Name)), noun
	}
	return nil, ""
}

func (t *turn) add() string {
	expr, noun := t.further()
	if expr == nil || t.sel.Distinct {
		return ""
	}
	t.sel.Fields.Fields = append(t.sel.Fields.Fields, &ast.SelectField{Expr: expr})
	return t.put("add", "col", noun, "cols", t.many(noun))
}

// many is a noun in the plural, if there are many rows.
func (t *turn) many(noun string) string {
	if t.sel.Limit != nil && syntax.LimitCount(t.sel.Limit) == 1 {
		return noun
	}
	return plural(noun)
}

func (t *turn) instead() string {
	expr, noun := t.further()
	if expr == nil || t.field() == nil {
		return ""
	}
	table, col := t.b.RefOf(t.field()).Column()
	if table == nil {
		return ""
	}
	old := t.noun(table, col)
	if old == "" {
		return ""
	}
	t.sel.Fields.Fields = []*ast.SelectField{{Expr: expr}}
	return t.put("instead", "col", noun, "cols", t.many(noun), "old", old, "olds", t.many(old))
}

func (t *turn) detail() string {
	src := t.main()
	of := t.own(src)
	if !t.counts() || of == nil || !of.named() || of.many == "" {
		return ""
	}
	t.sel.Fields.Fields = nil
	for _, c := range of.show {
		t.sel.Fields.Fields = append(t.sel.Fields.Fields, &ast.SelectField{Expr: t.expr(inSQL(c.expr, ""))})
	}
	return t.put("detail", "shows", of.showNoun(true), "many", of.many)
}

func (t *turn) countRows() string {
	many := "rows"
	if of := t.own(t.main()); of != nil && of.many != "" {
		many = of.many
	}
	switch {
	case t.rows():
		t.sel.Fields.Fields = t.countField()
	case t.sel.Distinct && !t.block.Grouped && t.sel.Limit == nil && t.field() != nil:
		field, err := syntax.Print(t.field())
		if err != nil {
			return ""
		}
		t.sel.Distinct = false
		t.sel.Fields.Fields = []*ast.SelectField{{Expr: t.expr("COUNT(DISTINCT " + field + ")")}}
		if table, col := t.b.RefOf(t.block.Output[0].Expr).Column(); table != nil && t.noun(table, col) != "" {
			many = plural(t.noun(table, col))
		}
	default:
		return ""
	}
	t.sel.OrderBy = nil
	return t.put("count", "many", many)
}

// opposite of a comparison.
var opposite = map[opcode.Op]opcode.Op{
	opcode.EQ: opcode.NE, opcode.NE: opcode.EQ, opcode.GT: opcode.LE, opcode.LE: opcode.GT, opcode.LT: opcode.GE,
	opcode.GE: opcode.LT,
}

func (t *turn) not() string {
	if len(syntax.Conjuncts(t.sel.Where)) != 1 || t.sel.Limit != nil {
		return ""
	}
	switch e := syntax.Unparen(t.sel.Where).(type) {
	case *ast.BinaryOperationExpr:
		if opposite[e.Op] == 0 {
			return ""
		}
		e.Op = opposite[e.Op]
	case *ast.PatternInExpr:
		e.Not = !e.Not
	case *ast.PatternLikeOrIlikeExpr:
		e.Not = !e.Not
	case *ast.BetweenExpr:
		e.Not = !e.Not
	default:
		return ""
	}
	return "not"
}

func (t *turn) except() string {
	if cond, _, _, _, old := t.equal(); cond != nil && t.sel.Limit == nil {
		if numeric([]string{old}) || len(old) < 3 {
			return ""
		}
		cond.Op = opcode.NE
		return t.put("except", "value", t.typed(old))
	}
	src, f := t.filter()
	if f == nil || !strings.Contains(f.sql, " = ") || f.column.role != category {
		return ""
	}
	that, do := t.said(f)
	f.sql = strings.Replace(f.sql, " = ", " <> ", 1)
	if !t.condition(src, f) {
		return ""
	}
	return t.put("except_that", "that", that, "do", do)
}

func (t *turn) otherTable() string {
	if t.sel.Where != nil || t.sel.OrderBy != nil || len(t.block.Sources) != 1 {
		return ""
	}
	of := t.own(t.main())
	other := choose(t.rng, t.d.tables, func(o *table) bool { return o != of && o.many != "" && o.rows > 0 })
	if other == nil || of == nil {
		return ""
	}
	if t.counts() {
		t.sql = "SELECT COUNT(*) FROM " + ident(other.name)
		return t.put("table", "many", other.many)
	}
	if !t.rows() || !of.named() || !other.named() || len(t.block.Output) != 1 || !t.shows(t.main(), of.show[0]) {
		return ""
	}
	t.sql = "SELECT " + exprs(other.show, "", ", ") + " FROM " + ident(other.name)
	return t.put("names", "many", other.many)
}

// join puts a table in, along a link of one of the query's; nil where it is there already.
func (t *turn) join(link *link, other *table) *bind.Source {
	src := t.main()
	table, ok := t.b.Schema.Table(other.name)
	if !ok || len(t.block.Sources) != 1 || src.Table == table {
		return nil
	}
	j := schema.Join{Left: src.Table.Name, Right: other.name, LeftColumns: link.cols, RightColumns: link.refs}
	if link.parent != other {
		j.LeftColumns, j.RightColumns = link.refs, link.cols
	}
	added := edit.AddJoin(t.block, src, j, table, "")
	edit.KeepOwners(t.b, t.block, added)
	return added
}

// link is one of the main table, to its parent or from its children.
func (t *turn) link(up bool) *link {
	of := t.own(t.main())
	return choose(t.rng, t.d.links, func(l *link) bool {
		return of != nil && l.parent != l.child && l.parent.one != "" && l.child.one != "" && len(l.cols) == 1 &&
			(up && l.child == of || !up && l.parent == of)
	})
}

func (t *turn) children() string {
	l := t.link(false)
	if l == nil || !t.rows() || len(l.parent.pk) != 1 || t.sel.OrderBy != nil {
		return ""
	}
	src := t.main()
	if t.join(l, l.child) == nil {
		return ""
	}
	t.sel.Fields.Fields = append(t.sel.Fields.Fields, t.countField()...)
	by := t.expr(qualified(t.alias(src), l.parent.pk[0]))
	t.sel.GroupBy = &ast.GroupByClause{Items: []*ast.ByItem{{Expr: by, NullOrder: true}}}
	return t.put("children", "kids", l.child.many, "one", l.parent.one)
}

func (t *turn) parent() string {
	l := t.link(true)
	if l == nil || !l.parent.named() || t.block.Grouped || t.sel.Distinct {
		return ""
	}
	added := t.join(l, l.parent)
	if added == nil {
		return ""
	}
	for _, c := range l.parent.show {
		field := &ast.SelectField{Expr: t.expr(inSQL(c.expr, t.alias(added)))}
		t.sel.Fields.Fields = append(t.sel.Fields.Fields, field)
	}
	return t.put("parent", "as", l.as, "show", l.parent.showNoun(false))
}

func (t *turn) joined() string {
	l := t.link(true)
	if l == nil || !t.counts() && !t.rows() {
		return ""
	}
	f := filterOf(t.rng, l.parent)
	if f == nil {
		return ""
	}
	added := t.join(l, l.parent)
	if added == nil || !t.condition(added, f) {
		return ""
	}
	return t.put("joined", "as", l.as, "an", article(l.as), "does", single(pick(t.rng, f.do)))
}
