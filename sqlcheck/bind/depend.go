package bind

import (
	"cmp"
	"slices"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/syntax"
)

// Equality is a fact of a block's conditions: where every column of need is settled, and one of the two sides,
// the other side is settled too. A side without a column is a constant.
type Equality struct {
	Left, Right *ColumnID
	need        []ColumnID // of an outer join: the other columns that decide whether a row is found
	toWeak      bool       // of an outer join: only a column of the inner side can be settled
	weak        map[*Source]bool
}

// Dependence finds what the columns of a statement settle: given some, which others have one value.
type Dependence struct {
	*Bound
	there  []*Source // that have a row
	within int       // derived tables that the search is inside of
}

// Dependence looks at what columns settle, in rows that some sources have a part of: outer joins have found it.
func (b *Bound) Dependence(there ...*Source) *Dependence { return &Dependence{Bound: b, there: there} }

// found are facts, of which those of outer joins that have found a row hold as those of other joins do.
func (d *Dependence) found(facts []Equality) []Equality {
	for again := len(d.there) > 0; again; {
		again = false
		for i, f := range facts {
			if f.toWeak && slices.ContainsFunc(d.there, func(s *Source) bool { return f.weak[s] }) {
				facts = slices.Clone(facts)
				facts[i].toWeak, facts[i].need, again = false, nil, true
				for _, id := range []*ColumnID{f.Left, f.Right} {
					if id != nil {
						d.there = append(d.there, id.Source)
					}
				}
			}
		}
	}
	return facts
}

// Close adds to known every column of block that is functionally dependent on those in it.
func (d *Dependence) Close(block *Block, known map[ColumnID]bool) {
	facts := d.found(d.Equalities(block))
	for grown := true; grown; {
		grown = false
		add := func(id ColumnID) {
			if !known[id] {
				known[id], grown = true, true
			}
		}
		for _, f := range facts {
			f.apply(known, add)
		}
		for _, src := range block.Sources {
			for _, idx := range d.settled(src, known) {
				add(ColumnID{src, idx})
			}
		}
	}
}

func (f Equality) apply(known map[ColumnID]bool, add func(ColumnID)) {
	for _, id := range f.need {
		if !known[id] {
			return
		}
	}
	is := func(id *ColumnID) bool { return id == nil || known[*id] }
	give := func(id *ColumnID) {
		if id != nil && (!f.toWeak || f.weak[id.Source]) {
			add(*id)
		}
	}
	if is(f.Left) {
		give(f.Right)
	}
	if is(f.Right) {
		give(f.Left)
	}
}

// settled lists the columns of one source that its own keys settle, given the known ones.
func (d *Dependence) settled(src *Source, known map[ColumnID]bool) []int {
	if src.Table != nil {
		keys := src.Table.Unique
		if src.Table.PrimaryKey != nil {
			keys = append([][]string{src.Table.PrimaryKey}, keys...)
		}
		for _, key := range keys {
			if src.hasKey(key, known) {
				return src.All()
			}
		}
		return nil
	}
	if src.Inner == nil || src.Inner.Block == nil {
		return nil
	}
	return d.settledInside(src, known)
}

// hasKey says that every column of a unique key is known and that none is nullable.
func (src *Source) hasKey(key []string, known map[ColumnID]bool) bool {
	for _, name := range key {
		found := false
		for i, col := range src.Columns {
			if col.Column != nil && col.Column.Name == name {
				found = known[ColumnID{src, i}] && !col.Column.Nullable
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// All are the indexes of the columns.
func (src *Source) All() []int {
	out := make([]int, len(src.Columns))
	for i := range out {
		out[i] = i
	}
	return out
}

// maxWithin is how many derived tables deep dependent columns are looked for: every level multiplies the work.
const maxWithin = 4

// rolledUp says that a block has WITH ROLLUP, whose NULLs settle no other column.
func (block *Block) rolledUp() bool {
	return block.Select.GroupBy != nil && block.Select.GroupBy.Rollup
}

// settledInside carries the known columns of a derived table into its SELECT and what follows there out again.
func (d *Dependence) settledInside(src *Source, known map[ColumnID]bool) []int {
	block := src.Inner.Block
	if d.within >= maxWithin {
		return nil
	}
	d.within++
	defer func() { d.within-- }()
	if block.Grouped && block.Select.GroupBy == nil || block.rolledUp() || syntax.JSONTableOf(block.Select) != nil {
		return nil // that there is one row MySQL does not see
	}
	inside := map[ColumnID]bool{}
	exprs := map[string]bool{}
	for i, out := range block.Output {
		if i < len(src.Columns) && known[ColumnID{src, i}] {
			if out.Source != nil {
				inside[ColumnID{out.Source, out.Index}] = true
			}
			exprs[d.outputKey(out)] = true
		}
	}
	d.Close(block, inside)
	g := &grouping{Dependence: d, block: block, known: inside, exprs: exprs}
	if len(exprs) == 0 && (block.Select.GroupBy != nil || block.Select.Distinct || block.Select.Limit != nil) {
		return nil // nothing is known of what MySQL keeps as a table; constants do not count
	}
	if by := block.Select.GroupBy; by != nil {
		for _, item := range by.Items {
			if !g.settles(item.Expr) {
				return nil
			}
		}
		return src.All() // one row per group, and the group is known
	}
	var out []int
	for i, o := range block.Output {
		if i < len(src.Columns) && g.badOutput(o) == "" && !o.Window {
			out = append(out, i)
		}
	}
	return out
}

// settles says that a grouping item is known.
func (g *grouping) settles(expr ast.ExprNode) bool {
	if n, ok := syntax.Position(expr); ok {
		return n >= 1 && n <= len(g.block.Output) && g.badOutput(g.block.Output[n-1]) == ""
	}
	if ref := g.RefOf(expr); ref != nil && ref.Home == g.block && ref.Output >= 0 && ref.Source == nil {
		return g.exprs[g.outputKey(g.block.Output[ref.Output])]
	}
	return g.bad(expr) == ""
}

// Groups numbers the sources of a block: those that equalities tie together have one number. fixed are those that an
// equality with a constant narrows.
func (d *Dependence) Groups(block *Block) (group []int, fixed []*Source) {
	group = make([]int, len(block.Sources))
	index := map[*Source]int{}
	for i, src := range block.Sources {
		group[i], index[src] = i, i
	}
	for _, eq := range d.Equalities(block) {
		switch {
		case eq.Left == nil:
			fixed = append(fixed, eq.Right.Source)
		case eq.Right == nil:
			fixed = append(fixed, eq.Left.Source)
		default:
			Tie(group, index[eq.Left.Source], index[eq.Right.Source])
		}
	}
	return group, fixed
}

// Tie gives two sources, and all that are tied to the first, one number.
func Tie(group []int, l, r int) {
	from, to := group[l], group[r]
	for i := range group {
		if group[i] == from {
			group[i] = to
		}
	}
}

// Conditions are those of WHERE and of joins, split at their ANDs: what must hold, or of an outer join where it finds.
func (b *Block) Conditions() []ast.ExprNode {
	all := []ast.ExprNode{b.Select.Where}
	for _, join := range b.joins {
		all = append(all, join.cond)
	}
	return syntax.Conjuncts(all...)
}

// Equalities lists the facts of WHERE and of the join conditions. They are read once, when all names of the block are
// bound.
func (d *Dependence) Equalities(block *Block) []Equality {
	if !block.factsRead {
		block.facts, block.factsRead = d.equalities(block), true
	}
	return block.facts
}

func (d *Dependence) equalities(block *Block) (out []Equality) {
	add := func(cond ast.ExprNode, weak map[*Source]bool, around []joinOn) {
		var need []ColumnID
		if weak != nil {
			need = d.strongColumns(block, cond, weak)
		}
		for _, c := range syntax.Conjuncts(cond) {
			if l, r, ok := d.equalSides(block, c); ok && !undone(l, r, around) {
				out = append(out, Equality{l, r, need, weak != nil, weak})
			}
		}
	}
	if block.Select.Where != nil {
		add(block.Select.Where, nil, nil)
	}
	for i, join := range block.joins {
		var weak map[*Source]bool
		if join.weak != nil {
			weak = syntax.Set(join.weak)
		}
		if join.cond != nil {
			add(join.cond, weak, block.joins[i+1:])
		}
		for _, pair := range join.equal {
			l, r := ColumnID{pair[0].src, pair[0].idx}, ColumnID{pair[1].src, pair[1].idx}
			out = append(out, Equality{&l, &r, nil, weak != nil, weak})
		}
	}
	return out
}

// undone says that a column that a join condition makes a constant may still be NULL, by an outer join around it.
// Joins come inner ones first.
func undone(l, r *ColumnID, around []joinOn) bool {
	if l != nil && r != nil {
		return false
	}
	fixed := cmp.Or(l, r)
	return slices.ContainsFunc(around, func(j joinOn) bool { return slices.Contains(j.weak, fixed.Source) })
}

// strongColumns lists the columns of a join condition that are not of the inner side.
func (b *Bound) strongColumns(block *Block, cond ast.ExprNode, weak map[*Source]bool) (out []ColumnID) {
	for _, n := range syntax.ColumnNames(cond) {
		if ref := b.byName[n]; ref != nil && ref.Home == block && ref.Source != nil && !weak[ref.Source] {
			out = append(out, ColumnID{ref.Source, ref.Index})
		}
	}
	return out
}

// equalSides reads a = b, a <=> b and a IN (b), where each side is a column of block or a constant for its rows.
func (b *Bound) equalSides(block *Block, cond ast.ExprNode) (l, r *ColumnID, ok bool) {
	var left, right ast.ExprNode
	switch c := cond.(type) {
	case *ast.BinaryOperationExpr:
		if c.Op != opcode.EQ && c.Op != opcode.NullEQ {
			return nil, nil, false
		}
		left, right = c.L, c.R
	case *ast.PatternInExpr:
		if c.Not || c.Sel != nil || len(c.List) != 1 {
			return nil, nil, false
		}
		left, right = c.Expr, c.List[0]
	default:
		return nil, nil, false
	}
	l, okL := b.side(block, left)
	r, okR := b.side(block, right)
	return l, r, okL && okR && (l != nil || r != nil)
}

// side is a column of block, or nil and true for an expression without columns of block, subqueries and randomness.
func (b *Bound) side(block *Block, expr ast.ExprNode) (*ColumnID, bool) {
	if ref := b.RefOf(expr); ref != nil && ref.Home == block {
		if ref.Source == nil {
			return nil, false
		}
		return &ColumnID{ref.Source, ref.Index}, true
	}
	constant := true
	syntax.Visit(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SubqueryExpr, *ast.AggregateFuncExpr, *ast.WindowFuncExpr:
			constant = false
		case *ast.ColumnName:
			if ref := b.byName[n]; ref == nil || ref.Home == block {
				constant = false
			}
		case *ast.FuncCallExpr:
			constant = constant && n.FnName.L != "rand" && n.FnName.L != "uuid"
		}
		return constant
	})
	return nil, constant
}

// OneRow says that the known columns pick at most one row of a source: they hold a key of the table, or of all tables
// that a derived table is made of, or what it is grouped by.
func (d *Dependence) OneRow(src *Source, known map[ColumnID]bool, depth int) bool {
	if src.Table != nil {
		return len(src.Columns) > 0 && len(d.settled(src, known)) == len(src.Columns)
	}
	if src.Inner == nil || src.Inner.Block == nil || depth >= maxWithin {
		return false
	}
	block := src.Inner.Block
	if syntax.JSONTableOf(block.Select) != nil {
		return false
	}
	open := func(i int) bool { return !known[ColumnID{src, i}] }
	if syntax.LimitCount(block.Select.Limit) == 1 || block.Select.Distinct && !slices.ContainsFunc(src.All(), open) {
		return true
	}
	if block.Grouped {
		if by := block.Select.GroupBy; by == nil {
			return true
		}
		return !block.rolledUp() &&
			slices.ContainsFunc(src.All(), func(i int) bool { return known[ColumnID{src, i}] }) &&
			len(d.settled(src, known)) == len(src.Columns)
	}
	inside := map[ColumnID]bool{}
	for i, out := range block.Output {
		if out.Source != nil && i < len(src.Columns) && known[ColumnID{src, i}] {
			inside[ColumnID{out.Source, out.Index}] = true
		}
	}
	d.Close(block, inside)
	return !slices.ContainsFunc(block.Sources, func(in *Source) bool { return !d.OneRow(in, inside, depth+1) })
}
