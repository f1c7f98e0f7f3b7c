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

// repeatedRows finds a SUM, AVG or COUNT over rows of one table that a join gives several times. Of AVG it is silent
// where something is asked of what is joined: most such joins lead over tables that hold each pair once.
func repeatedRows(c *Case) (out []sqlcheck.Finding) {
aggregates:
	for _, agg := range syntax.All[*ast.AggregateFuncExpr](c.bound.Stmt) {
		counts := slices.Contains([]string{"sum", "avg", "count"}, strings.ToLower(agg.F))
		if !counts || agg.Distinct || len(agg.Args) != 1 {
			continue
		}
		var of *bind.ColumnRef
		for _, name := range syntax.ColumnNames(agg.Args[0]) {
			ref := c.bound.Ref(name)
			if ref == nil || ref.Source == nil || of != nil && of.Source != ref.Source {
				continue aggregates
			}
			of = ref
		}
		if of == nil {
			continue
		}
		if by := c.repeats(of.Home, of.Source, strings.EqualFold(agg.F, "avg")); by != nil {
			out = append(out, finding("the join with %s repeats rows of %s in %s(%s)",
				bind.SourceName(by), bind.SourceName(of.Source), strings.ToUpper(agg.F), of.Name.Name.O)...)
		}
	}
	return out
}

// undoneJoins finds an outer join whose rows without a match a condition of WHERE takes away again.
func undoneJoins(c *Case) (out []sqlcheck.Finding) {
	for _, block := range c.bound.Blocks {
		for _, cond := range syntax.Conjuncts(block.Select.Where) {
			op, is := cond.(*ast.BinaryOperationExpr)
			if !is || !syntax.Comparison(op.Op) || op.Op == opcode.NullEQ {
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
	one := func(s *bind.Source) bool { // also by a key that the values show and nobody declared
		return keys.OneRow(s, known, 0) || s.Table != nil && s.Table.InferredKey != "" &&
			slices.ContainsFunc(s.All(), func(i int) bool {
				col := s.Columns[i].Column
				return known[bind.ColumnID{Source: s, Index: i}] && col != nil &&
					strings.EqualFold(col.Name, s.Table.InferredKey)
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
func oddJoin(c *Case) (out []sqlcheck.Finding) {
	c.eachPair(func(at *schema.Table, a *schema.Column, bt *schema.Table, b *schema.Column) {
		if at == bt || leads(at, a, bt, b) {
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

// leads reports whether one of two columns refers to the other, or both to the same.
func leads(at *schema.Table, a *schema.Column, bt *schema.Table, b *schema.Column) bool {
	refs := func(t *schema.Table, c *schema.Column) []string {
		return append(edit.Referred(t, c.Name), strings.ToLower(t.Name+"."+c.Name))
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
