package sqlcheck

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
)

// maxColumnRepairs bounds the changes to one query; a text with more wrong names is not worth mending.
const maxColumnRepairs = 12

// repairColumns mends names that mean nothing or too much: it qualifies a column that is the same on both
// sides of a join, moves a qualifier to the table that has the column, and joins the one nearest table that has it.
func repairColumns(sql string, in Input) (string, string, Verdict) {
	ok := Pass("clean")
	if in.Schema == nil {
		return sql, "", ok
	}
	b, issues, parsed := in.bind(sql)
	if !parsed || !anyNameIssue(issues) {
		return sql, "", ok
	}
	stmt := b.Stmt
	in.forget()
	var whys []string
	for range maxColumnRepairs {
		b, issues := bind(stmt, in.Schema)
		if len(issues) == 0 {
			break
		}
		a, why := columnRepair{b}, ""
		for _, i := range issues {
			if !isNameIssue(i) {
				continue
			}
			if why = a.repair(i.Ref); why != "" {
				break
			}
		}
		if why == "" {
			break
		}
		whys = append(whys, why)
	}
	if len(whys) == 0 {
		return sql, "", ok
	}
	out, good := printSQL(stmt, in)
	if !good {
		return sql, "", ok
	}
	// Half a repair helps nobody: the model's own text says more to a repair prompt.
	if _, issues, parsed := in.bind(out); !parsed || anyNameIssue(issues) {
		return sql, "", ok
	}
	return out, strings.Join(whys, "; "), ok
}

// isNameIssue reports whether i is about a column name that means nothing or too much.
func isNameIssue(i Issue) bool {
	return i.Ref != nil && (i.Reason == "unknown_column" || i.Reason == "ambiguous_column")
}

func anyNameIssue(issues []Issue) bool { return slices.ContainsFunc(issues, isNameIssue) }

// columnRepair mends the tree of a bound statement.
type columnRepair struct{ *Bound }

// repair mends one reference, or returns "".
func (a columnRepair) repair(r *ColumnRef) string {
	if r.Name.Schema.L != "" {
		return ""
	}
	if owners := r.Block.owners(r.Name); len(owners) > 1 {
		if why := a.qualify(r, owners); why != "" {
			return why
		}
		return r.splitCondition()
	}
	for _, s := range r.Block.Sources {
		if s.broke {
			return "" // an unknown table is not ours to guess
		}
	}
	if len(r.Block.Sources) == 0 {
		return ""
	}
	if r.Name.Table.L != "" {
		if why := a.moveQualifier(r); why != "" {
			return why
		}
	}
	if why := a.respelled(r); why != "" {
		return why
	}
	if r.Clause == InOn {
		return a.repairCondition(r)
	}
	return a.joinOwner(r)
}

// respelled finds a column of the query's tables that is written otherwise: with or without underscores or the name of
// its table ("customer_name", "paymentAmount" for amount of payments, "name" for customerName of customers).
func (a columnRepair) respelled(r *ColumnRef) string {
	voc := vocabularyOf(a.Schema)
	want := splitName(r.Name.Name.O)
	if len(want) == 0 {
		return ""
	}
	match := func(c columnWords) int {
		table := voc.tableWordsOf(c.table)
		switch {
		case slices.Equal(want, c.words) || slices.Equal(want, splitName(c.col.Name)):
			return 3
		case slices.Equal(want, append(slices.Clone(table), c.words...)) || slices.Equal(want, append(slices.Clone(table), c.own...)):
			return 2
		case slices.Equal(want, c.own) && !keyWords[want[len(want)-1]]:
			return 1
		}
		return 0
	}
	best, twice := 0, false
	var home *Source
	var col *Column
	for _, s := range r.Block.Sources {
		if s.Table == nil || r.Name.Table.L != "" && r.Block.sourceNamed(r.Name.Table.O) != nil && !strings.EqualFold(s.Name, r.Name.Table.O) {
			continue
		}
		for _, i := range voc.byTable[s.Table] {
			switch m := match(voc.columns[i]); {
			case m > best:
				best, twice, home, col = m, false, s, voc.columns[i].col
			case m == best && m > 0:
				twice = true
			}
		}
	}
	if col == nil || twice || best < 3 && a.anyTableHas(r.Name.Name.O) {
		return ""
	}
	old := r.Name.Name.O
	r.Name.Name = ast.NewCIStr(col.Name)
	if r.Name.Table.L != "" || len(r.Block.Sources) > 1 {
		r.Name.Table = ast.NewCIStr(home.Name)
	}
	return old + " is spelled " + col.Name
}

func (a columnRepair) anyTableHas(name string) bool {
	for i := range a.Schema.Tables {
		if ownsColumn(&a.Schema.Tables[i], name) {
			return true
		}
	}
	return false
}

// owners are the sources of b that n can mean.
func (b *Block) owners(n *ast.ColumnName) []*Source {
	var found []*Source
	for _, s := range b.Sources {
		if (n.Table.L == "" || strings.EqualFold(s.Name, n.Table.L)) && s.has(n.Name.L) {
			found = append(found, s)
		}
	}
	return found
}

// qualify picks the first of several equal columns.
func (b columnRepair) qualify(r *ColumnRef, owners []*Source) string {
	first := owners[0]
	for _, c := range owners[1:] {
		if !r.Block.equated(owners[0].Name, c.Name, r.Name.Name.L) {
			if first = r.neighbours(owners); first == nil {
				return ""
			}
			break
		}
	}
	r.Name.Table = ast.NewCIStr(first.Name)
	for _, o := range b.Columns { // GROUP BY and ORDER BY may have meant it through the select list
		if o.Block == r.Block && o.Name.Table.L == "" && o.Name.Name.L == r.Name.Name.L && o.Clause != InFrom && !r.Block.labelled(o.Name.Name.L) {
			o.Name.Table = ast.NewCIStr(first.Name)
		}
	}
	return "ambiguous " + r.Name.Name.O + " is " + first.Name + "." + r.Name.Name.O
}

// neighbours is the one of owners that all qualified plain columns of the select list come from, if r stands there
// among them; else nil.
func (r *ColumnRef) neighbours(owners []*Source) *Source {
	if r.Clause != InFields {
		return nil
	}
	var only *Source
	own, others := false, 0
	for _, f := range r.Block.Select.Fields.Fields {
		c, ok := f.Expr.(*ast.ColumnNameExpr)
		if !ok {
			continue
		}
		if c.Name == r.Name {
			own = true
		}
		if c.Name.Table.L == "" {
			continue
		}
		for _, s := range r.Block.Sources {
			if strings.EqualFold(s.Name, c.Name.Table.L) {
				if only != nil && only != s {
					return nil
				}
				only = s
				others++
			}
		}
	}
	if !own || others < 2 || !slices.Contains(owners, only) {
		return nil
	}
	return only
}

// labelled reports whether the select list has an alias of that name.
func (b *Block) labelled(name string) bool {
	for _, f := range b.Select.Fields.Fields {
		if f.AsName.L == name {
			return true
		}
	}
	return false
}

// splitCondition reads "ON x = x" as the x of the left and the x of the right table.
func (r *ColumnRef) splitCondition() string {
	if r.Clause != InOn || r.Name.Table.L != "" {
		return ""
	}
	why := ""
	walkJoins(r.Block.Select, func(j *ast.Join) {
		right, ok := j.Right.(*ast.TableSource)
		if j.On == nil || !ok || why != "" {
			return
		}
		for _, c := range parts(j.On.Expr) {
			e, ok := c.(*ast.BinaryOperationExpr)
			if !ok || e.Op != opcode.EQ {
				continue
			}
			l, lok := e.L.(*ast.ColumnNameExpr)
			x, xok := e.R.(*ast.ColumnNameExpr)
			if !lok || !xok || l.Name != r.Name && x.Name != r.Name || l.Name.Name.L != x.Name.Name.L || l.Name.Table.L != "" || x.Name.Table.L != "" {
				continue
			}
			var before, after *Source
			for _, s := range r.Block.Sources {
				switch {
				case s.Node == right:
					after = s
				case after == nil && before == nil && s.has(r.Name.Name.L):
					before = s
				}
			}
			if before != nil && after != nil && after.has(r.Name.Name.L) {
				l.Name.Table, x.Name.Table = ast.NewCIStr(before.Name), ast.NewCIStr(after.Name)
				why = "joined " + before.Name + " and " + after.Name + " on " + r.Name.Name.O
			}
		}
	})
	return why
}

// walkJoins calls f for every join of sel's FROM clause, inner ones first.
func walkJoins(sel *ast.SelectStmt, f func(*ast.Join)) {
	var walk func(n ast.ResultSetNode)
	walk = func(n ast.ResultSetNode) {
		j, ok := n.(*ast.Join)
		if !ok {
			return
		}
		walk(j.Left)
		if j.Right != nil {
			walk(j.Right)
		}
		f(j)
	}
	if sel.From != nil {
		walk(sel.From.TableRefs)
	}
}

// newSource is a table that a repair joined, before the statement is bound again.
func newSource(name string, t *Table, node *ast.TableSource, b *Block) *Source {
	s := &Source{Name: name, Table: t, Node: node, Block: b}
	for i := range t.Columns {
		s.Columns = append(s.Columns, SourceColumn{t.Columns[i].Name, t, &t.Columns[i]})
	}
	return s
}

// equated reports whether a join condition says that column col of the two sources is the same, directly
// or over others.
func (sc *Block) equated(a, b, col string) bool {
	same := map[string]string{}
	var root func(string) string
	root = func(x string) string {
		if p, ok := same[x]; ok && p != x {
			return root(p)
		}
		return x
	}
	for _, c := range sc.joinConditions() {
		e, ok := c.(*ast.BinaryOperationExpr)
		if !ok || e.Op != opcode.EQ {
			continue
		}
		l, lok := e.L.(*ast.ColumnNameExpr)
		r, rok := e.R.(*ast.ColumnNameExpr)
		if lok && rok && l.Name.Name.L == col && r.Name.Name.L == col && l.Name.Table.L != "" && r.Name.Table.L != "" {
			same[root(l.Name.Table.L)] = root(r.Name.Table.L)
		}
	}
	return root(strings.ToLower(a)) == root(strings.ToLower(b))
}

// joinConditions are the conjuncts of every ON and of WHERE.
func (sc *Block) joinConditions() []ast.ExprNode {
	var all []ast.ExprNode
	walkJoins(sc.Select, func(j *ast.Join) {
		if j.On != nil {
			all = append(all, parts(j.On.Expr)...)
		}
	})
	return append(all, parts(sc.Select.Where)...)
}

// moveQualifier points a qualified column at the source in the same FROM that has it.
func (a columnRepair) moveQualifier(r *ColumnRef) string {
	old := r.Name.Table
	var owners []*Source
	for _, s := range r.Block.Sources {
		if s.has(r.Name.Name.L) {
			owners = append(owners, s)
		}
	}
	known := r.Block.sourceNamed(old.L) != nil
	switch {
	case len(owners) == 0:
		return ""
	case len(owners) > 1:
		for _, o := range owners[1:] {
			if !r.Block.equated(owners[0].Name, o.Name, r.Name.Name.L) {
				return ""
			}
		}
	}
	// A qualifier that names a table which is present under an alias means that alias.
	if !known {
		if t, ok := a.Schema.Table(old.O); ok {
			var uses []*Source
			for _, s := range r.Block.Sources {
				if s.Table == t {
					uses = append(uses, s)
				}
			}
			if len(uses) == 1 && uses[0].has(r.Name.Name.L) {
				r.Name.Table = ast.NewCIStr(uses[0].Name)
				return old.O + "." + r.Name.Name.O + " is " + uses[0].Name + "." + r.Name.Name.O
			}
			if len(uses) == 0 && ownsColumn(t, r.Name.Name.L) {
				return "" // a table that was forgotten: joinOwner brings it
			}
		} else if t := a.ownerOfAlias(r); t != nil && r.Block.reads(t) == nil {
			return "" // likewise, under an alias
		}
	}
	if r.Clause == InOn && r.wouldCompareWithItself(owners[0]) {
		return ""
	}
	r.Name.Table = ast.NewCIStr(owners[0].Name)
	return old.O + "." + r.Name.Name.O + " is " + owners[0].Name + "." + r.Name.Name.O
}

func ownsColumn(t *Table, name string) bool {
	_, ok := t.Column(name)
	return ok
}

// wouldCompareWithItself reports whether moving r to s would turn a join condition into one of s alone.
func (r *ColumnRef) wouldCompareWithItself(s *Source) bool {
	for _, c := range r.Block.joinConditions() {
		e, ok := c.(*ast.BinaryOperationExpr)
		if !ok {
			continue
		}
		l, lok := e.L.(*ast.ColumnNameExpr)
		x, xok := e.R.(*ast.ColumnNameExpr)
		if lok && xok && (l.Name == r.Name && strings.EqualFold(x.Name.Table.L, s.Name) || x.Name == r.Name && strings.EqualFold(l.Name.Table.L, s.Name)) {
			return true
		}
	}
	return false
}

// ownerOfAlias is the one table that has every column the scope takes from an unknown qualifier,
// if its name begins with the qualifier's letters or no other table fits; else nil.
func (a columnRepair) ownerOfAlias(r *ColumnRef) *Table {
	var cols []string
	for _, o := range a.Columns {
		if o.Block == r.Block && o.Home == nil && o.Name.Table.L == r.Name.Table.L {
			cols = append(cols, o.Name.Name.L)
		}
	}
	var fit []*Table
	for i := range a.Schema.Tables {
		t := &a.Schema.Tables[i]
		all := len(cols) > 0
		for _, c := range cols {
			all = all && ownsColumn(t, c)
		}
		if all {
			fit = append(fit, t)
		}
	}
	if len(fit) == 1 {
		return fit[0]
	}
	var named []*Table
	for _, t := range fit {
		if strings.HasPrefix(strings.ToLower(t.Name), strings.TrimRight(r.Name.Table.L, "0123456789")) {
			named = append(named, t)
		}
	}
	if len(named) == 1 {
		return named[0]
	}
	return nil
}

// joinOwner joins the nearest table that has the column, over foreign keys that all point one way, so that
// no row is counted for an unrelated one.
func (a columnRepair) joinOwner(r *ColumnRef) string {
	if r.Block.Select.From == nil {
		return ""
	}
	var from []*Source
	if s := r.Block.sourceNamed(r.Name.Table.L); r.Name.Table.L != "" && s != nil && s.Table != nil {
		from = append(from, s)
	}
	for _, s := range r.Block.Sources {
		if s.Table != nil && (len(from) == 0 || from[0] != s) {
			from = append(from, s)
		}
	}
	if len(from) == 0 {
		return ""
	}
	var only *Table
	if r.Name.Table.L != "" && r.Block.sourceNamed(r.Name.Table.L) == nil {
		if t, ok := a.Schema.Table(r.Name.Table.O); ok {
			only = t
		} else if only = a.ownerOfAlias(r); only == nil {
			return ""
		}
	}
	way, start := a.nearest(from, r.Name.Name.L, only)
	if way == nil {
		return a.holderOf(r)
	}
	// A column of that name which is known not to hold what it is compared with is not the one that is meant.
	if c, _ := way[len(way)-1].to.Column(r.Name.Name.O); c != nil && c.Complete {
		for _, text := range r.comparedWith() {
			if !slices.ContainsFunc(c.Values, func(v string) bool { return strings.EqualFold(v, text) }) {
				if _, near := nearestValue(text, c.Values, false); !near {
					return a.holderOf(r)
				}
			}
		}
	}
	var added []string
	at := start
	for i, st := range way {
		if s := r.Block.reads(st.to); s != nil && i < len(way)-1 {
			at = s
			continue
		}
		alias := ""
		last := i == len(way)-1
		if last && only != nil && !strings.EqualFold(only.Name, r.Name.Table.O) {
			alias = r.Name.Table.O
		}
		shown := st.to.Name
		if alias != "" {
			shown = alias
		}
		if r.Block.sourceNamed(shown) != nil {
			return ""
		}
		node := &ast.TableSource{Source: &ast.TableName{Name: ast.NewCIStr(st.to.Name)}, AsName: ast.NewCIStr(alias)}
		join := &ast.Join{Left: r.Block.Select.From.TableRefs, Right: node, Tp: ast.CrossJoin, On: &ast.OnCondition{Expr: st.on(at.Name, shown)}}
		tidyRoot(r.Block.Select.From, join)
		at = newSource(shown, st.to, node, r.Block)
		r.Block.Sources = append(r.Block.Sources, at)
		added = append(added, shown)
	}
	old := r.Name.Table.O
	r.Name.Table = ast.NewCIStr(at.Name)
	if old != "" {
		old += "."
	}
	// Other columns of the scope that stood alone and now have two owners keep their meaning.
	for _, o := range a.Columns {
		if o.Home == r.Block && o.Source != nil && o.Name.Table.L == "" && at.has(o.Name.Name.L) && o.Clause != InFrom {
			o.Name.Table = ast.NewCIStr(o.Source.Name)
		}
	}
	return old + r.Name.Name.O + " is in " + at.Table.Name + ", joined as " + strings.Join(added, ", ")
}

// holderOf renames a column that is compared with known values to the one column of the query's tables that holds
// them: "state = 'Shipped'" where only status knows 'Shipped'.
func (a columnRepair) holderOf(r *ColumnRef) string {
	texts := r.comparedWith()
	if len(texts) == 0 {
		return ""
	}
	var home *Source
	var col *Column
	for _, s := range r.Block.Sources {
		if s.Table == nil {
			continue
		}
		for i := range s.Table.Columns {
			c := &s.Table.Columns[i]
			if !c.holds(texts) {
				continue
			}
			if col != nil {
				return ""
			}
			home, col = s, c
		}
	}
	if col == nil {
		return ""
	}
	old := r.Name.Name.O
	r.Name.Name = ast.NewCIStr(col.Name)
	if r.Name.Table.L != "" || len(r.Block.Sources) > 1 {
		r.Name.Table = ast.NewCIStr(home.Name)
	}
	return "'" + texts[0] + "' is a " + col.Name + "; there is no " + old
}

// holds reports whether the column is known to hold every one of texts, whatever their case.
func (c *Column) holds(texts []string) bool {
	for _, text := range texts {
		if !slices.ContainsFunc(c.Values, func(v string) bool { return strings.EqualFold(v, text) }) {
			return false
		}
	}
	return true
}

// comparedWith are the string literals that WHERE and HAVING say r equals.
func (r *ColumnRef) comparedWith() []string {
	var texts []string
	add := func(column, lit ast.ExprNode) {
		c, ok := column.(*ast.ColumnNameExpr)
		v, isValue := lit.(ast.ValueExpr)
		if !ok || !isValue || c.Name != r.Name {
			return
		}
		if text, isText := v.GetValue().(string); isText {
			texts = append(texts, text)
		}
	}
	conditions := parts(r.Block.Select.Where)
	if r.Block.Select.Having != nil {
		conditions = append(conditions, parts(r.Block.Select.Having.Expr)...)
	}
	for _, c := range conditions {
		switch e := c.(type) {
		case *ast.BinaryOperationExpr:
			if e.Op == opcode.EQ {
				add(e.L, e.R)
				add(e.R, e.L)
			}
		case *ast.PatternInExpr:
			for _, it := range e.List {
				add(e.Expr, it)
			}
		}
	}
	return texts
}

// tidyRoot hangs join below the FROM clause. The parser wraps a lone table in a Join without a right side.
func tidyRoot(from *ast.TableRefsClause, join *ast.Join) {
	if left, ok := join.Left.(*ast.Join); ok && left.Right == nil {
		join.Left = left.Left
	}
	from.TableRefs = join
}

// A step crosses one foreign key.
type step struct {
	from, to *Table
	fromCols []string
	toCols   []string
	up       bool // from the referring table to the referred one: no row is repeated
}

func (s step) on(left, right string) ast.ExprNode {
	var all []ast.ExprNode
	for i := range s.fromCols {
		all = append(all, &ast.BinaryOperationExpr{Op: opcode.EQ, L: columnExpr(left, s.fromCols[i]), R: columnExpr(right, s.toCols[i])})
	}
	return allOf(all)
}

// stepsFrom are the foreign keys that touch t.
func stepsFrom(s *Schema, t *Table) []step {
	var all []step
	for _, fk := range t.ForeignKeys {
		if to, ok := s.Table(fk.RefTable); ok && to != t && len(fk.Columns) == len(fk.RefColumns) {
			all = append(all, step{t, to, fk.Columns, fk.RefColumns, true})
		}
	}
	for i := range s.Tables {
		o := &s.Tables[i]
		for _, fk := range o.ForeignKeys {
			if strings.EqualFold(fk.RefTable, t.Name) && o != t && len(fk.Columns) == len(fk.RefColumns) {
				all = append(all, step{t, o, fk.RefColumns, fk.Columns, false})
			}
		}
	}
	return all
}

// maxSteps is how far a missing table may be from the tables of the query.
const maxSteps = 3

// nearest finds the one shortest way from any of the sources to a table that has column col (to only, if
// given). Ways that change direction are refused, and so are two ways of the same length. Ways that go up,
// from many to one, win over ways down.
func (a columnRepair) nearest(from []*Source, col string, only *Table) ([]step, *Source) {
	for _, up := range []bool{true, false} {
		for _, starts := range [][]*Source{from[:1], from} {
			type path struct {
				steps []step
				start *Source
			}
			var level []path
			for _, s := range starts {
				level = append(level, path{nil, s})
			}
			for range maxSteps {
				var next, hits []path
				for _, p := range level {
					t := p.start.Table
					if n := len(p.steps); n > 0 {
						t = p.steps[n-1].to
					}
					for _, st := range stepsFrom(a.Schema, t) {
						if st.up != up || visits(p.steps, st.to) || isStart(from, st.to) {
							continue
						}
						np := path{append(p.steps[:len(p.steps):len(p.steps)], st), p.start}
						if ownsColumn(st.to, col) && (only == nil || st.to == only) {
							hits = append(hits, np)
						}
						next = append(next, np)
					}
				}
				if len(hits) == 1 {
					return hits[0].steps, hits[0].start
				}
				if len(hits) > 1 {
					// Several sources that are joined to each other may reach the same table.
					for _, h := range hits[1:] {
						if h.steps[len(h.steps)-1].to != hits[0].steps[len(hits[0].steps)-1].to || h.start == hits[0].start {
							return nil, nil
						}
					}
					return hits[0].steps, hits[0].start
				}
				level = next
			}
		}
	}
	return nil, nil
}

func visits(steps []step, t *Table) bool {
	for _, s := range steps {
		if s.from == t || s.to == t {
			return true
		}
	}
	return false
}

func isStart(from []*Source, t *Table) bool {
	for _, s := range from {
		if s.Table == t {
			return true
		}
	}
	return false
}

// repairCondition replaces a join condition that names a missing column by the foreign key between the two
// tables, if there is exactly one; a table that lies between them is joined first.
func (a columnRepair) repairCondition(r *ColumnRef) string {
	var bad *ast.BinaryOperationExpr
	walkJoins(r.Block.Select, func(x *ast.Join) {
		if x.On == nil {
			return
		}
		for _, c := range parts(x.On.Expr) {
			if e, ok := c.(*ast.BinaryOperationExpr); ok && e.Op == opcode.EQ {
				l, lok := e.L.(*ast.ColumnNameExpr)
				r2, rok := e.R.(*ast.ColumnNameExpr)
				if lok && l.Name == r.Name || rok && r2.Name == r.Name {
					bad = e
				}
			}
		}
	})
	if bad == nil {
		return ""
	}
	l, lok := bad.L.(*ast.ColumnNameExpr)
	x, xok := bad.R.(*ast.ColumnNameExpr)
	if !lok || !xok {
		return ""
	}
	ls, rs := r.Block.sourceNamed(l.Name.Table.L), r.Block.sourceNamed(x.Name.Table.L)
	if ls == nil || rs == nil || ls.Table == nil || rs.Table == nil || ls == rs {
		return ""
	}
	var direct []step
	for _, st := range stepsFrom(a.Schema, ls.Table) {
		if st.to == rs.Table {
			direct = append(direct, st)
		}
	}
	if len(direct) != 1 || len(direct[0].fromCols) != 1 {
		return ""
	}
	bad.L, bad.R = columnExpr(ls.Name, direct[0].fromCols[0]), columnExpr(rs.Name, direct[0].toCols[0])
	return "no such column " + r.Name.Table.O + "." + r.Name.Name.O + "; joined over the foreign key"
}
