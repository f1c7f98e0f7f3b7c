package dialog

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// change makes the query that a question asks of the last one.
type change struct {
	q     *question.Question
	b     *bind.Bound
	block *bind.Block
	sel   *ast.SelectStmt
	asked string // the question before, with what was put in the place of something else
	used  []bool // words of q that are accounted for
	made  bool   // there was something to do
	not   bool   // rows are left out
}

// newChange is nil where the last query is not one plain SELECT.
func newChange(q *question.Question, b *bind.Bound, before string) *change {
	sel, is := b.Stmt.(*ast.SelectStmt)
	if !is || sel.With != nil || sel.From == nil || len(b.Blocks) == 0 {
		return nil
	}
	return &change{q: q, b: b, block: b.Blocks[0], sel: sel, asked: before, used: make([]bool, len(q.Words))}
}

// changes there are, in the order in which they are tried. Each accounts for the words that it takes, and is false
// where what they ask is not plain.
//
//	… WHERE status = 'Shipped'   "and cancelled?"      → … WHERE status = 'Cancelled'
//	SELECT COUNT(*) FROM orders  "in 2004?"            → … WHERE YEAR(orderDate) = 2004
//	SELECT name FROM customers   "just the top 3"      → … LIMIT 3
//	SELECT name FROM customers   "sort by city"        → … ORDER BY city
//	SELECT COUNT(*) FROM orders  "by status"           → SELECT status, COUNT(*) … GROUP BY status
//	SELECT AVG(amount) …         "and the largest"     → SELECT MAX(amount) …
//	SELECT name FROM customers   "also their city"     → SELECT name, city …
//	SELECT name FROM customers   "how many are they?"  → SELECT COUNT(*) …
var changes = []func(*change) bool{
	(*change).counts, (*change).values, (*change).years, (*change).limits, (*change).orders, (*change).groups,
	(*change).shows, (*change).aggregates, (*change).numbers,
}

// plain makes all changes, and reports whether they are what is asked: nothing is left unsaid.
func (c *change) plain() bool {
	for i := range c.q.Words {
		switch c.turn(i) {
		case words.TurnNothing, words.TurnInstead:
			c.used[i] = true
		case words.TurnLeave:
			c.used[i], c.not = true, true
		}
	}
	for _, f := range changes {
		if !f(c) {
			return false
		}
	}
	return c.made && !slices.Contains(c.used, false)
}

func (c *change) turn(i int) words.Turn {
	if i < 0 || i >= len(c.q.Words) || c.q.Words[i].Masked {
		return ""
	}
	return words.TurnOf(words.Fold(c.q.Words[i].Low))
}

// take accounts for the words [from,to).
func (c *change) take(from, to int) {
	for i := max(from, 0); i < min(to, len(c.used)); i++ {
		c.used[i] = true
	}
	c.made = true
}

// says reports whether a word asks for something that turns.txt names.
func (c *change) says(t words.Turn) bool {
	return slices.ContainsFunc(c.q.Words, func(w question.Word) bool { return words.TurnOf(words.Fold(w.Low)) == t })
}

// column is one of a source as an expression.
func (c *change) column(src *bind.Source, col *schema.Column) *ast.ColumnNameExpr {
	if len(c.block.Sources) > 1 {
		return syntax.ColumnExpr(src.Name, col.Name)
	}
	return syntax.ColumnExpr("", col.Name)
}

// grouped says that a row of the result is one of a group, or of all rows.
func (c *change) grouped() bool { return c.block.Grouped }

// counts takes "how many are they": of rows, not of groups and not of some of them.
func (c *change) counts() bool {
	i := c.q.Index(0, "many")
	if i < 0 || !c.q.Is(i-1, "how") {
		return true
	}
	if c.countsAll() {
		c.take(i-1, i+1)
		return true
	}
	if c.grouped() || c.sel.Distinct || c.sel.Limit != nil {
		return false
	}
	c.take(i-1, i+1)
	count, ok := syntax.OneSelect("SELECT COUNT(*)")
	if !ok {
		return false
	}
	c.sel.Fields, c.sel.OrderBy, c.block.Grouped = count.(*ast.SelectStmt).Fields, nil, true
	return true
}

// countsAll says that the query counts rows, and does nothing else.
func (c *change) countsAll() bool {
	if len(c.sel.Fields.Fields) != 1 || c.sel.GroupBy != nil || c.sel.Having != nil {
		return false
	}
	agg, is := syntax.Unparen(c.sel.Fields.Fields[0].Expr).(*ast.AggregateFuncExpr)
	return is && strings.EqualFold(agg.F, ast.AggFuncCount) && !agg.Distinct
}

// meant is a value of a column that the question holds.
type meant struct {
	src      *bind.Source
	col      *schema.Column
	value    string
	from, to int // its words
}

// values takes known values: each replaces another one of its column, or is a condition more.
func (c *change) values() bool {
	var all []meant
	taken := map[int]bool{} // first words of values of another column
	for _, src := range c.sourcesOfValues() {
		for i := range src.Table.Columns {
			col := &src.Table.Columns[i]
			for _, v := range c.q.Known()[col] {
				from, to := c.at(v)
				if from < 0 {
					return false
				}
				all = append(all, meant{src, col, v, from, to})
			}
		}
	}
	tested := func(m meant) bool { return c.equality(m) != nil }
	slices.SortStableFunc(all, func(a, b meant) int {
		switch {
		case tested(a) == tested(b):
			return 0
		case tested(a):
			return -1
		}
		return 1
	})
	of := map[*schema.Column][]meant{}
	var order []*schema.Column
	for _, m := range all {
		if taken[m.from] && of[m.col] == nil {
			if !tested(all[0]) {
				return false // it is a value of two columns
			}
			continue
		}
		taken[m.from] = true
		if of[m.col] == nil {
			order = append(order, m.col)
		}
		of[m.col] = append(of[m.col], m)
	}
	for _, col := range order {
		if !c.holds(of[col]) {
			return false
		}
	}
	return true
}

// sourcesOfValues are the sources of the query and then, where none of them has a value of the question, a table that
// one of them refers to by one key.
func (c *change) sourcesOfValues() (out []*bind.Source) {
	has := func(t *schema.Table) bool {
		return slices.ContainsFunc(t.Columns, func(col schema.Column) bool {
			k, ok := t.Column(col.Name)
			return ok && len(c.q.Known()[k]) > 0
		})
	}
	for _, src := range c.block.Sources {
		if src.Table != nil && has(src.Table) {
			out = append(out, src)
		}
	}
	if len(out) > 0 {
		return out
	}
	if src := c.joined(has); src != nil {
		return []*bind.Source{src}
	}
	return nil
}

// joined puts a table into the query that one of its tables refers to, if there is one of the wanted and one way; nil
// if there is not.
func (c *change) joined(wanted func(*schema.Table) bool) *bind.Source {
	type way struct {
		at   *bind.Source
		step schema.Step
	}
	var ways []way
	for _, src := range c.block.Sources {
		if src.Table == nil {
			return nil
		}
		for _, st := range c.b.Schema.Steps(src.Table) {
			there := slices.ContainsFunc(c.block.Sources, func(o *bind.Source) bool { return o.Table == st.To })
			if st.Up && !there && wanted(st.To) {
				ways = append(ways, way{src, st})
			}
		}
	}
	if len(ways) != 1 {
		return nil
	}
	added := edit.AddJoin(c.block, ways[0].at, ways[0].step.Join, ways[0].step.To, "")
	edit.KeepOwners(c.b, c.block, added)
	return added
}

// at is where a value stands in the question; -1 where its words are other ones.
func (c *change) at(value string) (from, to int) {
	stems := words.Stems(value)
	for i := range c.q.Words {
		n := 0
		for n < len(stems) && i+n < len(c.q.Words) &&
			(words.Stem(c.q.Words[i+n].Low) == stems[n] || words.Stem(c.q.Words[i+n].Low) == words.Stem(stems[n])) {
			n++
		}
		if n == len(stems) && n > 0 {
			return i, i + n
		}
	}
	return -1, -1
}

// equality is the condition of the query that a column has one value, or one of a list.
func (c *change) equality(m meant) ast.ExprNode {
	for _, cond := range syntax.Conjuncts(c.sel.Where) {
		is := false
		edit.Equated(syntax.Unparen(cond), func(name *ast.ColumnNameExpr, _ ast.ValueExpr) {
			ref := c.b.Ref(name.Name)
			is = is || ref != nil && ref.Source == m.src && strings.EqualFold(name.Name.Name.L, m.col.Name)
		})
		if is {
			return cond
		}
	}
	return nil
}

// holds makes the column of values hold them, or none of them.
func (c *change) holds(ms []meant) bool {
	var list []ast.ExprNode
	for _, m := range ms {
		c.take(m.from, m.to)
		c.nameBeside(m)
		value := syntax.TextExpr(m.value)
		if m.col.Kind() == schema.Number {
			n, err := strconv.ParseInt(m.value, 10, 64)
			if err != nil {
				return false
			}
			value = ast.NewValueExpr(n, "", "")
		}
		list = append(list, value)
	}
	column := c.column(ms[0].src, ms[0].col)
	var cond ast.ExprNode = &ast.PatternInExpr{Expr: column, List: list, Not: c.not}
	if len(list) == 1 {
		op := map[bool]opcode.Op{false: opcode.EQ, true: opcode.NE}[c.not]
		cond = &ast.BinaryOperationExpr{Op: op, L: column, R: list[0]}
	}
	if old := c.equality(ms[0]); old != nil {
		in, is := syntax.Unparen(old).(*ast.PatternInExpr)
		if c.not || is && in.Not || c.ofThem() {
			return false // of which rows?
		}
		c.replaceText(old, ms)
		c.sel.Where = edit.Replaced(syntax.Conjuncts(c.sel.Where), old, cond)
		return true
	}
	return c.where(cond)
}

// nameBeside accounts for the column's own name right before or behind its value: "tank B", "the student plan".
func (c *change) nameBeside(m meant) {
	for _, k := range c.q.Voc.ByTable[m.src.Table] {
		w := c.q.Voc.Columns[k]
		if w.Col != m.col {
			continue
		}
		for _, name := range [][]string{w.Words, w.Own} {
			for _, at := range []int{m.from - len(name), m.to} {
				if at >= 0 && c.q.Mention(at, name) == at {
					c.take(at, at+len(name))
				}
			}
		}
	}
}

// ofThem says that the question is about some of what was found: "how many of those".
func (c *change) ofThem() bool {
	return slices.ContainsFunc([]string{"of them", "of those", "of these", "among them"},
		func(p string) bool { return c.q.Phrase(p) >= 0 })
}

// replaceText puts the new values in the place of the old one in the question before.
func (c *change) replaceText(old ast.ExprNode, ms []meant) {
	edit.Equated(syntax.Unparen(old), func(_ *ast.ColumnNameExpr, v ast.ValueExpr) {
		if text, is := syntax.LiteralText(v); is && len(ms) == 1 {
			c.instead(text, ms[0].value)
		}
	})
}

// instead writes one text instead of another in the question before, or adds what is asked now to it.
func (c *change) instead(old, by string) {
	at := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(old) + `(s?)\b`)
	if old != "" && len(at.FindAllString(c.asked, -1)) == 1 {
		c.asked = at.ReplaceAllLiteralString(c.asked, by)
	}
}

// where adds a condition on rows. Of the first rows of an order that is not plain: "of the top 3 those in Rome".
func (c *change) where(cond ast.ExprNode) bool {
	if c.sel.Limit != nil && c.sel.OrderBy == nil {
		return false
	}
	conds := syntax.Conjuncts(c.sel.Where)
	if c.sel.Where != nil && len(edit.Alternatives(c.sel.Where)) > 1 {
		conds = []ast.ExprNode{&ast.ParenthesesExpr{Expr: c.sel.Where}}
	}
	c.sel.Where = syntax.AllOf(append(conds, cond))
	return true
}

var isYear = regexp.MustCompile(`^(19|20)\d\d$`)

// years takes a year: of a date that the query compares with another one, or of the one date that there is.
func (c *change) years() bool {
	for i, w := range c.q.Words {
		if c.used[i] || !isYear.MatchString(w.Low) {
			continue
		}
		old := c.yearsOf()
		if len(old) > 1 || c.not {
			return false
		}
		c.take(i, i+1)
		if len(old) == 1 {
			c.otherYear(old[0], w.Low)
			c.instead(old[0], w.Low)
			continue
		}
		n, err := strconv.ParseInt(w.Low, 10, 64)
		date := c.date()
		if err != nil || date == nil {
			return false
		}
		year := &ast.FuncCallExpr{FnName: ast.NewCIStr("YEAR"), Args: []ast.ExprNode{date}}
		if !c.where(&ast.BinaryOperationExpr{Op: opcode.EQ, L: year, R: ast.NewValueExpr(n, "", "")}) {
			return false
		}
	}
	return true
}

// yearsOf are the different years that stand in WHERE.
func (c *change) yearsOf() (out []string) {
	c.literals(func(v ast.ValueExpr) {
		text := literal(v)
		if len(text) >= 4 && isYear.MatchString(text[:4]) && (len(text) == 4 || text[4] == '-' || text[4] == '%') &&
			!slices.Contains(out, text[:4]) {
			out = append(out, text[:4])
		}
	})
	return out
}

// literals calls f with the constants of WHERE.
func (c *change) literals(f func(v ast.ValueExpr)) {
	if c.sel.Where == nil {
		return
	}
	syntax.Visit(c.sel.Where, func(n ast.Node) bool {
		if v, is := n.(ast.ValueExpr); is {
			f(v)
		}
		return true
	})
}

// literal is a constant as a text.
func literal(e ast.ExprNode) string {
	if text, is := syntax.LiteralText(e); is {
		return text
	}
	if v, is := e.(ast.ValueExpr); is {
		switch n := v.GetValue().(type) {
		case int64:
			return strconv.FormatInt(n, 10)
		case uint64:
			return strconv.FormatUint(n, 10)
		}
	}
	return ""
}

// otherYear writes another year into the constants of WHERE.
func (c *change) otherYear(old, by string) {
	c.sel.Where = replaceLiterals(c.sel.Where, func(v ast.ValueExpr) ast.ExprNode {
		text, is := syntax.LiteralText(v)
		if rest, has := strings.CutPrefix(text, old); is && has {
			return syntax.TextExpr(by + rest)
		}
		n, err := strconv.ParseInt(by, 10, 64)
		if literal(v) == old && err == nil {
			return ast.NewValueExpr(n, "", "")
		}
		return v
	})
}

// replaceLiterals puts others in the place of constants.
func replaceLiterals(e ast.ExprNode, f func(v ast.ValueExpr) ast.ExprNode) ast.ExprNode {
	return edit.Replace(e, func(n ast.ExprNode, enters bool) ast.ExprNode {
		if v, is := n.(ast.ValueExpr); is && !enters {
			return f(v)
		}
		return n
	})
}

// date is the one date of the query's tables; nil where there is none, or there are several.
func (c *change) date() *ast.ColumnNameExpr {
	var found []*ast.ColumnNameExpr
	for _, src := range c.block.Sources {
		if src.Table == nil {
			return nil
		}
		for i := range src.Table.Columns {
			if col := &src.Table.Columns[i]; col.Kind() == schema.Date {
				found = append(found, c.column(src, col))
			}
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// limits takes "top 3" and "the first five".
func (c *change) limits() bool {
	for i := range c.q.Words {
		if c.turn(i) != words.TurnTop || c.used[i] {
			continue
		}
		at := i + 1
		for c.turn(at) == words.TurnNothing {
			at++
		}
		n := c.q.Number(at)
		if n == 0 {
			continue // "highest first"
		}
		c.take(i, at+1)
		c.sel.Limit = &ast.Limit{Count: ast.NewValueExpr(int64(n), "", "")}
	}
	return true
}

// orders takes "sort by price, highest first", and "newest first" where one column is meant.
func (c *change) orders() bool {
	sort, first := -1, -1
	desc := false
	for i := range c.q.Words {
		w := c.q.Words[i].Low
		switch {
		case c.used[i]:
		case c.turn(i) == words.TurnSort:
			sort = i
			c.take(i, i+1)
		case c.turn(i) == words.TurnDown:
			desc, sort = true, i
			c.take(i, i+1)
		case c.turn(i) == words.TurnUp:
			sort = i
			c.take(i, i+1)
		case (words.Is(w, words.High|words.Low) || words.Is(w, words.Superlative)) && c.q.Is(i+1, "first"):
			desc, first = !words.Is(w, words.Low), i
			c.take(i, i+2)
		case (w == "frequent" || w == "recent") && c.q.Is(i-1, "most") && c.q.Is(i+1, "first"):
			desc, first = true, i
			c.take(i-1, i+2)
		}
	}
	if sort < 0 && first < 0 {
		return true
	}
	by := c.sortedBy()
	if by == nil {
		return false
	}
	c.sel.OrderBy = &ast.OrderByClause{Items: []*ast.ByItem{{Expr: by, Desc: desc, NullOrder: true}}}
	return true
}

// sortedBy is what the question sorts by: a column that it names, else the one number that the query computes, else the
// one number or date that it shows; nil where that is not plain.
func (c *change) sortedBy() ast.ExprNode {
	for i := range c.q.Words {
		if c.used[i] && c.turn(i) != words.TurnBy {
			continue
		}
		if src, col, n := c.columnAt(i); col != nil {
			c.take(i, i+n)
			if i > 0 && c.turn(i-1) == words.TurnBy {
				c.take(i-1, i)
			}
			return c.column(src, col)
		}
	}
	for i := range c.q.Words {
		if c.turn(i) == words.TurnBy && !c.used[i] {
			return nil // by something else
		}
	}
	var computed, shown []ast.ExprNode
	for _, o := range c.block.Output {
		switch {
		case o.Expr == nil:
			return nil
		case o.Aggregate:
			computed = append(computed, o.Expr)
		case o.Column != nil && o.Column.Kind() != schema.Text:
			shown = append(shown, o.Expr)
		}
	}
	switch {
	case len(computed) == 1:
		return computed[0]
	case len(computed) == 0 && len(shown) == 1:
		return shown[0]
	}
	return nil
}

// columnAt is the column of the query's tables whose name stands at word i, and how many words that takes; nil where
// there is none, or there are two.
func (c *change) columnAt(i int) (src *bind.Source, col *schema.Column, n int) {
	found := 0
	for _, s := range c.block.Sources {
		if s.Table == nil {
			continue
		}
		for _, k := range c.q.Voc.ByTable[s.Table] {
			w := c.q.Voc.Columns[k]
			for _, name := range [][]string{w.Words, w.Own} {
				if len(name) < n || len(name) == 0 || c.q.Mention(i, name) != i || w.Col == col {
					continue
				}
				if len(name) > n {
					found = 0
				}
				found++
				src, col, n = s, w.Col, len(name)
			}
		}
	}
	if found != 1 {
		return nil, nil, 0
	}
	return src, col, n
}

// groups takes "by month" and "per vet": of what is computed of all rows, or instead of other groups.
func (c *change) groups() bool {
	for i := range c.q.Words {
		if c.turn(i) != words.TurnBy || c.used[i] {
			continue
		}
		if !c.grouped() || c.sel.Having != nil {
			return false // of rows it may be an order
		}
		at := i + 1
		for c.turn(at) == words.TurnNothing {
			at++
		}
		by, n := c.groupAt(at)
		if by == nil {
			return false
		}
		c.take(i, at+n)
		return c.groupBy(by)
	}
	return true
}

// groupAt is what the words at i group by: a unit of the one date that there is, or a column.
func (c *change) groupAt(i int) (by ast.ExprNode, n int) {
	if src, col, n := c.columnAt(i); col != nil {
		if old := c.equality(meant{src: src, col: col}); old != nil { // one value has no groups
			c.sel.Where = syntax.AllOf(slices.DeleteFunc(syntax.Conjuncts(c.sel.Where),
				func(e ast.ExprNode) bool { return e == old }))
		}
		return c.column(src, col), n
	}
	for _, unit := range []string{"month", "year"} {
		if date := c.date(); date != nil && c.q.Is(i, unit) {
			of := func(unit string) ast.ExprNode {
				return &ast.FuncCallExpr{FnName: ast.NewCIStr(strings.ToUpper(unit)), Args: []ast.ExprNode{date}}
			}
			if unit == "month" && len(c.yearsOf()) != 1 {
				return nil, 0 // of which year?
			}
			return of(unit), 1
		}
	}
	return nil, 0
}

// groupBy shows and groups by an expression, in the place of what the query groups by.
func (c *change) groupBy(by ast.ExprNode) bool {
	if c.sel.GroupBy != nil && (len(c.sel.GroupBy.Items) != 1 || !c.says(words.TurnInstead)) {
		return false // by both?
	}
	fields := []*ast.SelectField{{Expr: by}}
	for _, f := range c.sel.Fields.Fields {
		if f.Expr == nil {
			return false
		}
		if syntax.HasAggregate(f.Expr) {
			fields = append(fields, f)
		}
	}
	c.sel.Fields.Fields, c.sel.OrderBy = fields, nil
	c.sel.GroupBy = &ast.GroupByClause{Items: []*ast.ByItem{{Expr: by, NullOrder: true}}}
	return true
}

// shows takes columns that are to be seen too.
func (c *change) shows() bool {
	for i := range c.q.Words {
		if c.used[i] {
			continue
		}
		src, col, n := c.columnAt(i)
		if col == nil {
			continue
		}
		if c.grouped() || c.not {
			return false
		}
		for j := range c.q.Words {
			if c.turn(j) == words.TurnAdd {
				c.used[j] = true
			}
		}
		c.take(i, i+n)
		c.sel.Fields.Fields = append(c.sel.Fields.Fields, &ast.SelectField{Expr: c.column(src, col)})
	}
	return true
}

// aggregates takes another aggregate of the one that there is, and the other end of an order.
func (c *change) aggregates() bool {
	for i, w := range c.q.Words {
		if c.used[i] || c.turn(i) != "" {
			continue
		}
		high, low := words.Is(w.Low, words.High|words.Max), words.Is(w.Low, words.Low|words.Min)
		name := ""
		switch {
		case words.Is(w.Low, words.Avg):
			name = ast.AggFuncAvg
		case words.Is(w.Low, words.Sum) || w.Low == "total" || w.Low == "altogether":
			name = ast.AggFuncSum
		case high:
			name = ast.AggFuncMax
		case low:
			name = ast.AggFuncMin
		default:
			continue
		}
		switch {
		case len(c.sel.Fields.Fields) == 1 && c.sel.GroupBy == nil && c.grouped():
			agg, is := syntax.Unparen(c.sel.Fields.Fields[0].Expr).(*ast.AggregateFuncExpr)
			if !is || strings.EqualFold(agg.F, ast.AggFuncCount) || agg.Distinct {
				return false
			}
			agg.F = name
			c.sel.Fields.Fields[0].AsName = ast.NewCIStr("")
		case c.sel.OrderBy != nil && len(c.sel.OrderBy.Items) == 1 && c.sel.Limit != nil && (high || low):
			if c.sel.OrderBy.Items[0].Desc == high {
				return false // it is that end already: of something else?
			}
			c.sel.OrderBy.Items[0].Desc = high
		default:
			return false
		}
		c.take(i, i+1)
	}
	return true
}

// numbers takes another number where the query compares with one that the question before says.
func (c *change) numbers() bool {
	var said []int
	for i, w := range c.q.Words {
		if !c.used[i] && strings.Trim(w.Low, "0123456789") == "" {
			said = append(said, i)
		}
	}
	if len(said) != 1 {
		return true // what is left over is told by plain
	}
	var old []string
	c.literals(func(v ast.ValueExpr) {
		if text := literal(v); text != "" && strings.Trim(text, "0123456789") == "" {
			old = append(old, text)
		}
	})
	by := c.q.Words[said[0]].Low
	n, err := strconv.ParseInt(by, 10, 64)
	if len(old) != 1 || err != nil || !question.Read(c.asked, nil).Has(old[0]) {
		return false
	}
	c.sel.Where = replaceLiterals(c.sel.Where, func(v ast.ValueExpr) ast.ExprNode {
		if literal(v) == old[0] {
			return ast.NewValueExpr(n, "", "")
		}
		return v
	})
	c.instead(old[0], by)
	c.take(said[0], said[0]+1)
	// "stronger than 7": the words around it are those of the question before
	before := question.Read(c.asked, nil)
	for i, w := range c.q.Words {
		c.used[i] = c.used[i] || before.Has(w.Low)
	}
	return true
}
