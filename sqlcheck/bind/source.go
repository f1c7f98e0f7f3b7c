package bind

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

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
