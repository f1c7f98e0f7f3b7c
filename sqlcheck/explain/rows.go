package explain

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/syntax"
)

// row says what a row of the block's result is.
func (w writer) row() string {
	b := w.block
	switch {
	case b.Select.GroupBy != nil:
		return w.groups()
	case b.Grouped && len(b.Sources) > 0:
		text := "a single one, about all " + w.rowNoun().many
		if b.Select.Where != nil {
			text += " that meet the conditions"
		}
		return text
	case len(b.Sources) == 0:
		return "a single one"
	case b.Select.Distinct:
		return "each different " + w.distinct() + " once"
	}
	return w.source()
}

// distinct is what DISTINCT makes different.
func (w writer) distinct() string {
	if fields := w.block.Select.Fields.Fields; len(fields) == 1 && fields[0].Expr != nil {
		if text := w.bareOf(fields[0].Expr); len(text) <= longestGroup {
			return text
		}
	}
	return "combination of what is shown"
}

// source is what a row is before it is grouped: one of a table, with what belongs to it.
func (w writer) source() string {
	main := w.main()
	var ones, weak, others []string
	for _, src := range w.block.Sources {
		one := w.nouns[src].one
		ones = append(ones, "one "+one)
		if src.Weak {
			weak = append(weak, "the "+one)
		}
		if src != main && !w.absent(src) {
			others = append(others, "its "+one)
		}
	}
	text := ""
	switch {
	case main != nil && len(others) > 0:
		return "one " + w.nouns[main].one + " with " + list(others, "and")
	case main != nil:
		return "one " + w.nouns[main].one
	case len(ones) > 2:
		text = "a combination of " + list(ones, "and")
	default:
		text = "a pair of " + list(ones, "and")
	}
	if len(weak) > 0 {
		text += " (" + list(weak, "or") + " may be missing)"
	}
	return text
}

// rowNoun is what rows are called before they are grouped.
func (w writer) rowNoun() noun {
	if main := w.main(); main != nil {
		return w.nouns[main]
	}
	return noun{"row", "rows", "the row"}
}

// main is the source of which each row of the block is one: with it all others are settled. nil if there is none.
func (w writer) main() *bind.Source {
	if len(w.block.Sources) > maxSources {
		return nil
	}
	for _, src := range w.block.Sources {
		if !src.Weak && w.settles(src) {
			return src
		}
	}
	return nil
}

// maxSources bounds how many tables are tried.
const maxSources = 12

// settles says that a row of a source goes with at most one of each other source.
func (w writer) settles(src *bind.Source) bool {
	d := w.Dependence()
	known := map[bind.ColumnID]bool{}
	for _, i := range src.All() {
		known[bind.ColumnID{Source: src, Index: i}] = true
	}
	d.Close(w.block, known)
	return !slices.ContainsFunc(w.block.Sources, func(other *bind.Source) bool {
		return other != src && !w.absent(other) && !d.OneRow(other, known, 0)
	})
}

// absent says that WHERE keeps only rows to which no row of an outer-joined source belongs.
func (w writer) absent(src *bind.Source) bool {
	return src.Weak && slices.ContainsFunc(syntax.Conjuncts(w.block.Select.Where), func(c ast.ExprNode) bool {
		return w.anti(c) == src
	})
}

// anti is the outer-joined source of which a condition says that it has no row: a column of it that is never NULL is
// NULL.
func (w writer) anti(c ast.ExprNode) *bind.Source {
	is, ok := c.(*ast.IsNullExpr)
	if !ok || is.Not {
		return nil
	}
	ref := w.RefOf(is.Expr)
	_, col := ref.Column()
	if col == nil || col.Nullable || !ref.Source.Weak || ref.Home != w.block || ref.Source.Table == nil {
		return nil
	}
	return ref.Source
}

// groups says what a group is: a thing, where its key is grouped by, else the values.
func (w writer) groups() string {
	by := w.block.Select.GroupBy
	text := ""
	if src := w.groupedBy(); src != nil {
		text = w.nouns[src].one
	} else {
		text = list(syntax.Map(by.Items, func(item *ast.ByItem) string {
			return strings.TrimPrefix(w.groupItem(item.Expr), "the ")
		}), "and")
	}
	text = "one for each " + text
	if w.block.Select.Distinct {
		text += ", what is shown each different once"
	}
	if by.Rollup {
		text += "; and one for each subtotal and for the total"
	}
	return text
}

func (w writer) groupItem(e ast.ExprNode) string {
	if o, is := w.numbered(e); is {
		return w.output(o)
	}
	text := w.value(e)
	if ref := w.RefOf(e); ref != nil && ref.Output >= 0 && len(text) > longestGroup {
		return ref.Name.Name.O
	}
	return text
}

// longestGroup is how many bytes of an expression are said again for the name that it has in the select list.
const longestGroup = 60

// groupedBy is the source whose rows are the groups: its key is grouped by, and settles all else that is.
func (w writer) groupedBy() *bind.Source {
	by := w.block.Select.GroupBy
	if by.Rollup {
		return nil
	}
	var columns []bind.ColumnID
	for _, item := range by.Items {
		c := w.bare(item.Expr)
		if c == nil {
			return nil
		}
		columns = append(columns, *c)
	}
	for _, c := range columns {
		col := c.Source.Columns[c.Index].Column
		if c.Source.Weak || c.Source.Table == nil || col == nil || !c.Source.Table.IsIdentity(col.Name) {
			continue
		}
		known := map[bind.ColumnID]bool{c: true}
		w.Dependence().Close(w.block, known)
		if !slices.ContainsFunc(columns, func(o bind.ColumnID) bool { return !known[o] }) {
			return c.Source
		}
	}
	return nil
}

// bare is the column of this block's tables that an expression, or what it stands for in the select list, is.
func (w writer) bare(e ast.ExprNode) *bind.ColumnID {
	if o, is := w.numbered(e); is {
		if o.Source == nil {
			return nil
		}
		return &bind.ColumnID{Source: o.Source, Index: o.Index}
	}
	ref := w.RefOf(e)
	if ref == nil || ref.Source == nil || ref.Home != w.block {
		return nil
	}
	return &bind.ColumnID{Source: ref.Source, Index: ref.Index}
}

// keyed is the source whose whole key an expression is, or nil.
func (w writer) keyed(e ast.ExprNode) *bind.Source {
	if ref := w.RefOf(e); ref != nil && ref.Source != nil && ref.Source.Table != nil && edit.IsKey(ref) {
		return ref.Source
	}
	return nil
}

// list joins texts with commas and, before the last, a word.
func list(texts []string, word string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:len(texts)-1], ", ") + " " + word + " " + texts[len(texts)-1]
}
