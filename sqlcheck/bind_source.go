package sqlcheck

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// has reports whether the source offers a column; one whose columns are not known may offer any.
func (s *Source) has(col string) bool {
	for _, c := range s.Columns {
		if strings.EqualFold(c.Name, col) {
			return true
		}
	}
	return s.broke
}

// sourceNamed is the source that a qualifier means in b or a block around it, or nil.
func (b *Block) sourceNamed(name string) *Source {
	for ; b != nil; b = b.Outer {
		for _, s := range b.Sources {
			if strings.EqualFold(s.Name, name) {
				return s
			}
		}
	}
	return nil
}

// reads is a source of b that is table t itself, or nil.
func (b *Block) reads(t *Table) *Source {
	for _, s := range b.Sources {
		if s.Table == t {
			return s
		}
	}
	return nil
}

func columnNames(src *Source) []string {
	names := make([]string, len(src.Columns))
	for i, col := range src.Columns {
		names[i] = col.Name
	}
	return names
}

// sourceName is a source for messages: "o (orders)".
func sourceName(src *Source) string {
	if src.Table != nil && !strings.EqualFold(src.Name, src.Table.Name) {
		return src.Name + " (" + src.Table.Name + ")"
	}
	return src.Name
}

func sourcesHint(sources []*Source) string {
	if len(sources) == 0 {
		return "is none"
	}
	names := make([]string, len(sources))
	for i, src := range sources {
		names[i] = sourceName(src)
	}
	if len(names) == 1 {
		return "is " + names[0]
	}
	return "are " + joinSome(names, 10)
}

func joinSome(names []string, most int) string {
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " …"
	}
	return strings.Join(names, ", ")
}

// column is the base column that an expression is.
func (b *Bound) column(n ast.ExprNode) (*Column, bool) {
	name, ok := unparen(n).(*ast.ColumnNameExpr)
	if !ok {
		return nil, false
	}
	ref := b.byName[name.Name]
	if ref == nil {
		return nil, false
	}
	_, col := ref.Column()
	return col, col != nil
}

// fields lists the base columns that a statement uses, stars included, each once.
func (b *Bound) fields() []string {
	var out []string
	add := func(t *Table, c *Column) {
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
