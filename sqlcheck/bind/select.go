package bind

import (
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

// MaxItems is how many columns one select list may have, stars expanded. MySQL allows 4,096 (1117).
const MaxItems = 1024

// bindFields binds the select list and expands its stars.
func (b *binder) bindFields(block *Block, fields []*ast.SelectField, ctes *cteScope) {
	for _, f := range fields {
		if len(block.Output) > MaxItems {
			b.issue(Issue{Fault: fault("too_many_items", "SELECT", 1117, "the select list has more than "+
				strconv.Itoa(MaxItems)+" columns"), Block: block})
			return
		}
		if f.WildCard != nil {
			b.bindStar(block, f)
			continue
		}
		aggregate := block.Aggregate
		block.Aggregate = false
		windows := b.bindExpr(block, InFields, f.Expr, ctes)
		out := Output{Label: fieldLabel(f), Field: f, Expr: f.Expr, named: f.AsName.O != "", Aggregate: block.Aggregate,
			Window: windows > 0}
		block.Aggregate = block.Aggregate || aggregate
		if ref := b.RefOf(f.Expr); ref != nil {
			out.named = true
			if ref.Source != nil && ref.Home == block {
				out.Source, out.Index = ref.Source, ref.Index
			}
			out.Table, out.Column = ref.Column()
		}
		block.Output = append(block.Output, out)
	}
}

func (b *binder) bindStar(block *Block, f *ast.SelectField) {
	cols := block.full.visible
	if name := f.WildCard.Table.O; name != "" {
		src := block.full.source(name)
		if src == nil || f.WildCard.Schema.O != "" && !strings.EqualFold(f.WildCard.Schema.O, b.Schema.Name) {
			b.issue(Issue{Fault: fault("unknown_table", name, 1051, "no table or alias "+name+" in FROM; there "+
				sourcesHint(block.full.sources)), Node: f, Block: block})
			return
		}
		cols = visibles([]*Source{src})
	} else if len(block.full.sources) == 0 {
		b.issue(Issue{Fault: fault("no_tables", "*", 1096, "a star needs a FROM clause"), Node: f, Block: block})
	}
	for _, v := range cols {
		col := v.src.Columns[v.idx]
		block.Output = append(block.Output, Output{
			Label: col.Name, Field: f, Source: v.src, Index: v.idx, Table: col.Table, Column: col.Column, named: true,
		})
	}
}

func (b *binder) badPosition(block *Block, n int, in Clause, node ast.Node) {
	b.issue(Issue{Fault: fault("unknown_column", strconv.Itoa(n), 1054,
		"position "+strconv.Itoa(n)+" in "+string(in)+": the select list has "+strconv.Itoa(len(block.Output))+
			" columns"), Node: node, Block: block})
}

// bindGroupItem binds one item of GROUP BY: a position, else a column of FROM, else an alias, else an expression.
func (b *binder) bindGroupItem(block *Block, item *ast.ByItem, ctes *cteScope) {
	if n, ok := syntax.Position(item.Expr); ok {
		switch {
		case n < 1 || n > len(block.Output):
			b.badPosition(block, n, InGroup, item)
		case block.Output[n-1].Aggregate || block.Output[n-1].Window:
			b.issue(Issue{Fault: fault("bad_aggregate", block.Output[n-1].Label, 1056,
				"GROUP BY cannot use an aggregate or a window function"), Node: item, Block: block})
		}
		return
	}
	col, ok := syntax.Unparen(item.Expr).(*ast.ColumnNameExpr)
	if !ok {
		b.bindExpr(block, InGroup, item.Expr, ctes)
		return
	}
	ref := b.newRef(block, InGroup, col)
	block.groupRefs = append(block.groupRefs, ref)
	out, ambiguous := b.findOutput(block, ref)
	if ambiguous {
		b.ambiguousColumn(ref, nil)
		return
	}
	if out < 0 || behindAlias(ref, block.Output[out]) {
		b.resolve(ref)
		return
	}
	if src, idx, n := block.full.lookup(ref.Name); n == 1 {
		ref.Home, ref.Source, ref.Index = block, src, idx
		return
	}
	b.resolveOutput(ref, block, out)
	if block.Output[out].Aggregate || block.Output[out].Window {
		b.issue(Issue{Fault: fault("bad_aggregate", ref.Name.Name.O, 1056, "GROUP BY cannot use "+ref.Name.Name.O+
			", which is an aggregate or a window function"), Ref: ref})
	}
}

// bindOrderItem binds one item of ORDER BY: a position, else something of the select list, else an expression.
func (b *binder) bindOrderItem(block *Block, item *ast.ByItem, ctes *cteScope) {
	if n, ok := syntax.Position(item.Expr); ok {
		if n < 1 || n > len(block.Output) {
			b.badPosition(block, n, InOrder, item)
		}
		return
	}
	col, ok := syntax.Unparen(item.Expr).(*ast.ColumnNameExpr)
	if !ok {
		b.bindExpr(block, InOrder, item.Expr, ctes)
		return
	}
	ref := b.newRef(block, InOrder, col)
	switch out, ambiguous := b.findOutput(block, ref); {
	case ambiguous:
		b.ambiguousColumn(ref, nil)
	case out >= 0 && !behindAlias(ref, block.Output[out]):
		b.resolveOutput(ref, block, out)
	default:
		b.resolve(ref)
	}
}

// behindAlias says that a bare name is the column of a selected item, but not its alias. GROUP BY and ORDER BY do not
// take such an item for the name's meaning; HAVING does.
func behindAlias(ref *ColumnRef, out Output) bool {
	return ref.Name.Table.O == "" && !strings.EqualFold(out.Label, ref.Name.Name.O)
}

// bindSetOrderItem binds one item of the ORDER BY behind a set operation.
func (b *binder) bindSetOrderItem(block *Block, item *ast.ByItem, ctes *cteScope) {
	if col, ok := syntax.Unparen(item.Expr).(*ast.ColumnNameExpr); ok && col.Name.Table.O != "" {
		b.issue(Issue{Fault: fault("unknown_column", writtenName(col.Name), 1250,
			"ORDER BY behind a set operation takes column names of the first SELECT, without a table"),
			Node: col, Block: block})
		return
	}
	before := block.Aggregate
	b.bindOrderItem(block, item, ctes)
	if block.Aggregate && !before {
		b.issue(Issue{Fault: fault("bad_aggregate", "ORDER BY", 3028,
			"ORDER BY behind a set operation cannot use an aggregate"), Node: item, Block: block})
	}
}

// findOutput finds the item of block's select list that a name means: its alias, else the column that it is.
func (b *binder) findOutput(block *Block, ref *ColumnRef) (out int, ambiguous bool) {
	out = -1
	name := ref.Name
	if name.Table.O != "" {
		src, idx, n := block.full.lookup(name)
		if n != 1 {
			return -1, false
		}
		for i, o := range block.Output {
			if o.Source == src && o.Index == idx {
				return i, false
			}
		}
		return -1, false
	}
	same := func(i, j int) bool {
		a, c := block.Output[i], block.Output[j]
		return a.Source != nil && a.Source == c.Source && a.Index == c.Index
	}
	plain, twice := -1, false // a column of that name under another alias
	for i, o := range block.Output {
		switch {
		case strings.EqualFold(o.Label, name.Name.O):
			if o.Source == nil {
				if out < 0 {
					out = i
				}
				continue
			}
			if out >= 0 && block.Output[out].Source != nil && !same(out, i) {
				return -1, true
			}
			if out < 0 {
				out = i
			}
		case o.Source != nil && strings.EqualFold(o.Source.Columns[o.Index].Name, name.Name.O):
			if plain >= 0 && !same(plain, i) {
				twice = true
			}
			plain = i
		}
	}
	if out < 0 && twice {
		return -1, true
	}
	if out < 0 {
		out = plain
	}
	return out, false
}

// resolveOutput ties a name to an item of home's select list.
func (b *binder) resolveOutput(ref *ColumnRef, home *Block, out int) {
	o := home.Output[out]
	ref.Home, ref.Output, ref.Source, ref.Index = home, out, o.Source, o.Index
}
