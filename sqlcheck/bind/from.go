package bind

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// scope is the set of names that a FROM clause, or one join of it, offers.
type scope struct {
	sources []*Source // for qualified names
	visible []visible // for bare names and stars: joins by USING and NATURAL show a shared column once
}

// visible is a column that a bare name reaches.
type visible struct {
	name string
	src  *Source
	idx  int
}

// joinOn is a join condition with the names it may use. It is bound after the select list, as MySQL does.
type joinOn struct {
	cond  ast.ExprNode // nil for USING and NATURAL
	scope scope
	equal [][2]visible // the pairs of USING and NATURAL
	weak  []*Source    // the inner side of an outer join, nil for an inner join
}

// bindFrom binds a FROM clause, or a part of it, and returns the names it offers.
func (b *binder) bindFrom(block *Block, node ast.ResultSetNode, ctes *cteScope) (scope, bool) {
	switch n := node.(type) {
	case *ast.TableSource:
		if join, ok := n.Source.(*ast.Join); ok {
			return b.bindFrom(block, join, ctes)
		}
		return b.bindSource(block, n, ctes), true
	case *ast.Join:
		left, ok := b.bindFrom(block, n.Left, ctes)
		if n.Right == nil {
			return left, ok
		}
		right, _ := b.bindFrom(block, n.Right, ctes)
		return b.bindJoin(block, n, left, right), true
	case *ast.SelectStmt, *ast.SetOprStmt:
		b.issue(Issue{Fault: fault("derived_without_alias", "", 1248, "give the subquery in FROM an alias"),
			Node: node, Block: block})
	}
	return scope{}, false
}

// bindSource binds one table, derived table or common table expression.
func (b *binder) bindSource(block *Block, n *ast.TableSource, ctes *cteScope) scope {
	src := &Source{Name: n.AsName.O, Node: n, Block: block}
	switch from := n.Source.(type) {
	case *ast.TableName:
		b.bindTable(src, from, ctes)
	default:
		outer := block.Outer
		if n.Lateral {
			block.scope, block.clause = &scope{sources: block.Sources, visible: visibles(block.Sources)}, InFrom
			outer = block
		}
		src.Inner = b.bindQuery(from, outer, ctes)
		src.Inner.derive()
		src.Columns = src.Inner.columns(n.ColumnNames)
		if len(n.ColumnNames) > 0 && len(n.ColumnNames) != len(src.Columns) {
			b.issue(Issue{Fault: fault("column_count", src.Name, 1353, "the column list of "+src.Name+
				" and its SELECT have different column counts"), Node: n})
		}
		if src.Name == "" {
			b.issue(Issue{Fault: fault("derived_without_alias", "", 1248, "give the subquery in FROM an alias"),
				Node: n, Block: block})
		}
		b.checkDuplicates(src.Columns, n)
	}
	for _, other := range block.Sources {
		if src.Name != "" && other.Name == src.Name {
			b.issue(Issue{Fault: fault("duplicate_alias", src.Name, 1066, "FROM names "+src.Name+
				" twice; give each use its own alias"), Node: n, Block: block})
			break
		}
	}
	block.Sources = append(block.Sources, src)
	return scope{sources: []*Source{src}, visible: visibles([]*Source{src})}
}

func visibles(sources []*Source) []visible {
	n := 0
	for _, src := range sources {
		n += len(src.Columns)
	}
	out := make([]visible, 0, n)
	for _, src := range sources {
		for i, col := range src.Columns {
			out = append(out, visible{col.Name, src, i})
		}
	}
	return out
}

// bindTable finds a name in FROM among the common table expressions in reach, then in the schema.
func (b *binder) bindTable(src *Source, from *ast.TableName, ctes *cteScope) {
	if from.Schema.L == "" {
		if cte := ctes.find(from.Name.O); cte != nil {
			src.Inner, src.Columns = cte.query, cte.columns
			src.Name = cmp.Or(src.Name, cte.name)
			return
		}
	}
	table, ok := b.Schema.Table(from.Name.O)
	if ok && (from.Schema.L == "" || strings.EqualFold(from.Schema.L, b.Schema.Name)) {
		src.read(table)
		src.hidden = ctes.find(from.Name.O) != nil
		src.Name = cmp.Or(src.Name, table.Name)
		return
	}
	src.Broke = true
	src.Name = cmp.Or(src.Name, from.Name.O)
	b.unknownTable(src, from)
}

// bindJoin joins two scopes and keeps the condition for later.
func (b *binder) bindJoin(block *Block, n *ast.Join, left, right scope) scope {
	out := scope{sources: slices.Concat(left.sources, right.sources)}
	on := joinOn{}
	switch n.Tp {
	case ast.LeftJoin:
		on.weak = right.sources
	case ast.RightJoin:
		on.weak = left.sources
	}
	for _, src := range on.weak {
		src.Weak = true
	}
	switch {
	case n.NaturalJoin:
		var names []string
		for _, l := range left.visible {
			r, found := find(right.visible, l.name)
			if found == 0 {
				continue
			}
			if _, before := find(left.visible, l.name); before > 1 || found > 1 {
				b.issue(Issue{Fault: fault("ambiguous_column", l.name, 1052,
					"NATURAL JOIN finds "+l.name+" more than once on one side; write the condition with ON"),
					Node: n, Block: block})
				break
			}
			names = append(names, r.name)
		}
		out.visible = b.coalesce(block, n, &on, names, nil, left, right)
	case len(n.Using) > 0:
		names := syntax.Map(n.Using, func(c *ast.ColumnName) string { return c.Name.O })
		out.visible = b.coalesce(block, n, &on, names, n.Using, left, right)
	default:
		out.visible = slices.Concat(left.visible, right.visible)
	}
	if n.On != nil {
		on.cond = n.On.Expr
	}
	on.scope = out
	block.joins = append(block.joins, on)
	return out
}

// coalesce is the column list of a join by USING or NATURAL: the shared columns once, then the rest of either side.
// A right join counts as the left join that it is with its sides exchanged.
func (b *binder) coalesce(block *Block, n *ast.Join, on *joinOn, names []string, using []*ast.ColumnName, left,
	right scope) []visible {
	if n.Tp == ast.RightJoin {
		left, right = right, left
	}
	block.scope = &scope{sources: slices.Concat(left.sources, right.sources)} // for hints
	gone := map[visible]bool{}
	for i, name := range names {
		l, nl := find(left.visible, name)
		r, nr := find(right.visible, name)
		if using != nil {
			ref := &ColumnRef{Name: using[i], Block: block, Clause: InFrom, Output: -1}
			b.record(ref)
			if broken(left.sources) || broken(right.sources) {
				continue
			}
			switch {
			case nl == 0 || nr == 0:
				b.unknownColumn(ref)
				continue
			case nl > 1 || nr > 1:
				b.ambiguousColumn(ref, nil)
				continue
			}
			ref.Home, ref.Source, ref.Index = block, l.src, l.idx
		}
		gone[l], gone[r] = true, true
		on.equal = append(on.equal, [2]visible{l, r})
	}
	// The shared columns come in the order of the first table, whatever the order in USING.
	shared := syntax.Filter(left.visible, func(v visible) bool { return gone[v] })
	rest := syntax.Filter(slices.Concat(left.visible, right.visible), func(v visible) bool { return !gone[v] })
	return append(shared, rest...)
}

// find looks a bare name up and counts the columns that it may mean.
func find(cols []visible, name string) (visible, int) {
	var hit visible
	n := 0
	for _, v := range cols {
		if strings.EqualFold(v.name, name) {
			if n == 0 {
				hit = v
			}
			n++
		}
	}
	return hit, n
}

func broken(sources []*Source) bool {
	return slices.ContainsFunc(sources, func(s *Source) bool { return s.Broke })
}

// source finds a table alias, in its own spelling before any other.
func (s *scope) source(name string) (near *Source) {
	for _, src := range s.sources {
		if src.Name == name {
			return src
		}
		if near == nil && strings.EqualFold(src.Name, name) {
			near = src
		}
	}
	return near
}

// NewSource is a table that a repair puts into FROM, before the statement is bound again.
func NewSource(name string, t *schema.Table, node *ast.TableSource, b *Block) *Source {
	s := &Source{Name: name, Node: node, Block: b}
	s.read(t)
	return s
}

// read makes a source one of a base table.
func (s *Source) read(t *schema.Table) {
	s.Table = t
	s.Columns = make([]SourceColumn, len(t.Columns))
	for i := range t.Columns {
		s.Columns[i] = SourceColumn{t.Columns[i].Name, t, &t.Columns[i]}
	}
}

// Has reports whether the source offers a column; one whose columns are not known may offer any.
func (s *Source) Has(col string) bool {
	named := func(c SourceColumn) bool { return strings.EqualFold(c.Name, col) }
	return s.Broke || slices.ContainsFunc(s.Columns, named)
}

// SourceNamed is the source that a qualifier means in b or a block around it, or nil.
func (b *Block) SourceNamed(name string) *Source {
	for ; b != nil; b = b.Outer {
		for _, s := range b.Sources {
			if strings.EqualFold(s.Name, name) {
				return s
			}
		}
	}
	return nil
}

// Reads is a source of b that is table t itself, or nil.
func (b *Block) Reads(t *schema.Table) *Source {
	for _, s := range b.Sources {
		if s.Table == t {
			return s
		}
	}
	return nil
}

func columnNames(src *Source) []string {
	return syntax.Map(src.Columns, func(c SourceColumn) string { return c.Name })
}

// SourceName is a source for messages: "o (orders)".
func SourceName(src *Source) string {
	if src.Table != nil && !strings.EqualFold(src.Name, src.Table.Name) {
		return src.Name + " (" + src.Table.Name + ")"
	}
	return src.Name
}

func sourcesHint(sources []*Source) string {
	if len(sources) == 0 {
		return "is none"
	}
	names := syntax.Map(sources, SourceName)
	if len(names) == 1 {
		return "is " + names[0]
	}
	return "are " + JoinSome(names, 10)
}

// JoinSome lists names for a message, so many at most.
func JoinSome(names []string, most int) string {
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " …"
	}
	return strings.Join(names, ", ")
}

// Column is the base column that an expression is.
func (b *Bound) Column(n ast.ExprNode) (*schema.Column, bool) {
	_, col := b.RefOf(n).Column()
	return col, col != nil
}

// Fields lists the base columns that a statement uses, stars included, each once.
func (b *Bound) Fields() (out []string) {
	add := func(t *schema.Table, c *schema.Column) {
		if t == nil || c == nil {
			return
		}
		if name := t.Name + "." + c.Name; !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, ref := range b.Columns {
		add(ref.Column())
	}
	for _, block := range b.Blocks {
		for _, o := range block.Output {
			add(o.Table, o.Column)
		}
	}
	return out
}
