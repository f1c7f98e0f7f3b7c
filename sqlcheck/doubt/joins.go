package doubt

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// repeatedRows finds a SUM, AVG or COUNT over rows of one table that a join gives several times, there or in a derived
// table. Of AVG it is silent where something is asked of what is joined: most such joins lead over tables that hold
// each pair once.
func repeatedRows(c *Case) (out []sqlcheck.Finding) {
	check := func(name string, args []ast.ExprNode) {
		var of *bind.ColumnRef
		for _, name := range syntax.ColumnNames(args[0]) {
			ref := c.bound.Ref(name)
			if ref == nil || ref.Source == nil || of != nil && of.Source != ref.Source {
				return
			}
			of = ref
		}
		if name = strings.ToUpper(name); of == nil || !slices.Contains([]string{"SUM", "AVG", "COUNT"}, name) {
			return
		}
		if by, src := c.repeatsWithin(of.Home, of.Source, of.Index, name == "AVG"); by != nil {
			out = append(out, finding("the join with %s repeats rows of %s in %s(%s)",
				bind.SourceName(by), bind.SourceName(src), name, of.Name.Name.O)...)
		}
	}
	for _, agg := range syntax.All[*ast.AggregateFuncExpr](c.bound.Stmt) {
		if !agg.Distinct && len(agg.Args) == 1 {
			check(agg.F, agg.Args)
		}
	}
	for _, over := range syntax.All[*ast.WindowFuncExpr](c.bound.Stmt) {
		if len(over.Args) == 1 && !syntax.HasAggregate(over.Args[0]) {
			check(over.Name, over.Args)
		}
	}
	return out
}

// repeatsWithin is what repeats the rows of a source, whose column i is used: in block, or in the derived table that it
// is, if that is used as it is: not grouped, and nothing is asked of what else it shows.
func (c *Case) repeatsWithin(block *bind.Block, src *bind.Source, i int, filtered bool) (by, of *bind.Source) {
	if by := c.repeats(block, src, filtered); by != nil || src.Inner == nil || src.Inner.Block == nil {
		return by, src
	}
	inner := src.Inner.Block
	own := inner.Output[i]
	asks := func(ref *bind.ColumnRef) bool {
		return ref.Source == src && ref.Clause != bind.InFields && inner.Output[ref.Index].Source != own.Source
	}
	if own.Source == nil || inner.Grouped || inner.Select.Distinct || slices.ContainsFunc(c.bound.Columns, asks) {
		return nil, nil
	}
	return c.repeatsWithin(inner, own.Source, own.Index, filtered)
}

// countsNone finds COUNT(*) of each group beside an outer join: what has no match counts as one.
func countsNone(c *Case) (out []sqlcheck.Finding) {
	for _, block := range c.bound.Blocks {
		var by *bind.Source
		asks := false // something of what may be missing
		for _, ref := range c.bound.Columns {
			if ref.Home == block && ref.Source != nil && ref.Clause == bind.InGroup {
				by = ref.Source
			}
			asks = asks || ref.Home == block && ref.Source != nil && ref.Source.Weak &&
				slices.Contains([]bind.Clause{bind.InWhere, bind.InGroup, bind.InHaving}, ref.Clause)
		}
		if by == nil || asks {
			continue
		}
		weak := syntax.Filter(c.severalFor(block, by, nil), func(s *bind.Source) bool { return s.Weak })
		for _, agg := range syntax.All[*ast.AggregateFuncExpr](block.Select.Fields) {
			if len(weak) > 0 && strings.EqualFold(agg.F, "count") && edit.IsConstant(agg.Args[0]) {
				out = append(out, advice("count a column of "+weak[0].Name, "COUNT(*) counts 1 for %s without %s",
					bind.SourceName(by), bind.SourceName(weak[0]))...)
			}
		}
	}
	return out
}

// undoneJoins finds an outer join whose rows without a match a condition of WHERE takes away again.
func undoneJoins(c *Case) (out []sqlcheck.Finding) {
	for _, block := range c.bound.Blocks {
		for _, cond := range syntax.Conjuncts(block.Select.Where) {
			op, is := cond.(*ast.BinaryOperationExpr)
			if !is || !syntax.Comparison(op.Op) || op.Op == opcode.NullEQ || !keeps.MatchString(c.Question.Text) {
				continue
			}
			for _, side := range []ast.ExprNode{op.L, op.R} {
				if ref := c.bound.RefOf(side); ref != nil && ref.Home == block && ref.Source != nil && ref.Source.Weak {
					out = append(out, advice("write JOIN, or the condition into ON", "the condition on %s in WHERE drops the "+
						"rows without %s that the outer join keeps", ref.Name.Name.O, bind.SourceName(ref.Source))...)
				}
			}
		}
	}
	return out
}

// repeats is a source of block that gives several rows for one of src; nil if such a source is filtered where that
// counts, or grouped by: within a group it gives one, or it is what src belongs to.
func (c *Case) repeats(block *bind.Block, src *bind.Source, filtered bool) *bind.Source {
	many := c.severalFor(block, src, block.Select.GroupBy)
	settles := func(s *bind.Source) bool { return len(c.severalFor(block, s, nil)) == 0 }
	chosen := func(ref *bind.ColumnRef) bool {
		return slices.Contains(many, ref.Source) && (filtered && ref.Clause == bind.InWhere ||
			slices.Contains([]bind.Clause{bind.InPartition, bind.InWinOrder}, ref.Clause) ||
			ref.Clause == bind.InGroup && (filtered || slices.ContainsFunc(block.Sources, settles)))
	}
	if len(many) == 0 || slices.ContainsFunc(c.bound.Columns, chosen) {
		return nil
	}
	return many[0]
}

// severalFor are the sources of block that may give several rows for one of src, within a group of by, if any.
func (c *Case) severalFor(block *bind.Block, src *bind.Source, by *ast.GroupByClause) (many []*bind.Source) {
	keys, known := c.bound.Dependence(src), map[bind.ColumnID]bool{}
	for _, i := range src.All() {
		known[bind.ColumnID{Source: src, Index: i}] = true
	}
	for i := 0; by != nil && i < len(by.Items); i++ {
		if ref := c.bound.RefOf(by.Items[i].Expr); ref != nil && ref.Source != nil {
			known[bind.ColumnID{Source: ref.Source, Index: ref.Index}] = true
		}
	}
	reads := func(p *bind.Query) bool { return p.Block == nil || len(p.Block.Sources) > 0 }
	one := func(s *bind.Source) bool { // also by a key that the values show and nobody declared, or of a calendar
		made := s.Inner != nil && s.Inner.Block == nil && !slices.ContainsFunc(s.Inner.Parts, reads)
		return keys.OneRow(s, known, 0) || slices.ContainsFunc(s.All(), func(i int) bool {
			return known[bind.ColumnID{Source: s, Index: i}] && (made || s.Table != nil && s.Table.InferredKey != "" &&
				strings.EqualFold(s.Columns[i].Name, s.Table.InferredKey))
		})
	}
	for range block.Sources { // each may settle the next
		keys.Close(block, known)
		for _, s := range slices.DeleteFunc(slices.Clone(block.Sources), func(s *bind.Source) bool { return !one(s) }) {
			for _, i := range s.All() {
				known[bind.ColumnID{Source: s, Index: i}] = true
			}
		}
	}
	for _, other := range block.Sources {
		if other != src && !one(other) {
			many = append(many, other)
		}
	}
	return many
}

// oddJoin finds tables that are joined, or looked up in each other, by columns that are no key between them although
// keys lead from the one to the other.
func oddJoin(c *Case) []sqlcheck.Finding { return c.oddJoins(false) }

// oddJoins finds those of keys, of other things, or those of other columns.
func (c *Case) oddJoins(keys bool) (out []sqlcheck.Finding) {
	key := func(t *schema.Table, c *schema.Column) bool { return t.Refers(c.Name) || t.IsIdentity(c.Name) }
	c.eachPair(func(at *schema.Table, a *schema.Column, bt *schema.Table, b *schema.Column) {
		if at == bt || c.leads(at, a, bt, b) || (key(at, a) && key(bt, b)) != keys {
			return
		}
		f := finding("%s.%s = %s.%s is no key between them", at.Name, a.Name, bt.Name, b.Name)[0]
		if direct := c.Schema.Direct(at, bt); len(direct) > 0 {
			f.Suggestion = direct[0].On("", "") + " is"
		} else if way, _ := c.Schema.Joins(at.Name, bt.Name); len(way) < 2 || strings.EqualFold(a.Name, b.Name) {
			return
		}
		out = append(out, f)
	})
	return out
}

// partOfKey finds tables that are joined by all columns but one of a key, and nothing is asked of that.
func partOfKey(c *Case) (out []sqlcheck.Finding) {
	asked := map[*schema.Column]bool{}
	for _, ref := range syntax.Filter(c.bound.Columns, filters) {
		_, col := ref.Column()
		asked[col] = true
	}
	c.eachPair(func(at *schema.Table, a *schema.Column, bt *schema.Table, b *schema.Column) {
		for _, join := range c.Schema.Direct(at, bt) {
			var open []string
			for k, name := range join.LeftColumns {
				l, _ := at.Column(name)
				r, _ := bt.Column(join.RightColumns[k])
				if l != a && !(asked[l] && asked[r]) {
					open = append(open, at.Name+"."+name+" = "+bt.Name+"."+join.RightColumns[k])
				}
			}
			if at != bt && len(open) == 1 && asked[a] && asked[b] && slices.Contains(join.LeftColumns, a.Name) {
				out = append(out, advice("add "+open[0], "%s.%s and %s.%s are parts of keys", at.Name, a.Name, bt.Name,
					b.Name)...)
			}
		}
	})
	return out
}

// leads reports whether one of two columns refers to the other, or both to the same, over others or not.
func (c *Case) leads(at *schema.Table, a *schema.Column, bt *schema.Table, b *schema.Column) bool {
	refs := func(t *schema.Table, col *schema.Column) []string {
		all := []string{strings.ToLower(t.Name + "." + col.Name)}
		for i := 0; i < min(len(all), len(c.Schema.Tables)); i++ { // tables may refer to each other
			table, column, _ := strings.Cut(all[i], ".")
			if t, known := c.Schema.Table(table); known {
				all = append(all, edit.Referred(t, column)...)
			}
		}
		return all
	}
	from := refs(at, a)
	return slices.ContainsFunc(refs(bt, b), func(to string) bool { return slices.Contains(from, to) })
}

// eachPair calls f for every two base columns of which the one has to be equal to the other, or is looked up in it.
func (c *Case) eachPair(f func(at *schema.Table, a *schema.Column, bt *schema.Table, b *schema.Column)) {
	for _, block := range c.bound.Blocks {
		for _, eq := range c.bound.Dependence().Equalities(block) {
			if eq.Left == nil || eq.Right == nil {
				continue
			}
			l, r := eq.Left.Source.Columns[eq.Left.Index], eq.Right.Source.Columns[eq.Right.Index]
			if l.Column != nil && r.Column != nil {
				f(l.Table, l.Column, r.Table, r.Column)
			}
		}
	}
	for _, n := range syntax.All[ast.Node](c.bound.Stmt) {
		var left, right ast.ExprNode
		switch n := n.(type) {
		case *ast.PatternInExpr:
			left, right = n.Expr, n.Sel
		case *ast.BinaryOperationExpr:
			if n.Op == opcode.EQ {
				left, right = n.L, n.R
			}
		}
		sub, ok := right.(*ast.SubqueryExpr)
		if !ok {
			continue
		}
		t, col := c.bound.RefOf(left).Column()
		inner := c.bound.Queries[sub.Query]
		if col != nil && inner != nil && len(inner.Output) == 1 && inner.Output[0].Column != nil {
			f(t, col, inner.Output[0].Table, inner.Output[0].Column)
		}
	}
}
