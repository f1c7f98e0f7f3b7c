package explain

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
)

// kind is what values are, as far as words depend on it.
type kind byte

const (
	other kind = iota
	number
	text
	date
	listed // ENUM: sorted as its type lists them
	truth  // a condition
	first  // as the first argument
)

// kindOf is the kind of a base column.
func kindOf(c *schema.Column) kind {
	switch {
	case c == nil:
		return other
	case schema.ParseType(c.Type).Name == "enum":
		return listed
	}
	switch c.Kind() {
	case schema.Number:
		return number
	case schema.Text:
		return text
	case schema.Date:
		return date
	}
	return other
}

// column is a use of a column in words.
func (w writer) column(n *ast.ColumnName) string {
	ref := w.Ref(n)
	switch {
	case ref == nil:
		return name(n.Name.O)
	case ref.Source != nil && ref.Source.Name != "":
		return w.columnOf(ref.Source, ref.Index, ref.Block)
	case ref.Output >= 0 && ref.Home != nil && ref.Output < len(ref.Home.Output) && ref.Home.Select != nil:
		if o := ref.Home.Output[ref.Output]; w.alias || o.Expr != nil && w.windows(o.Expr) {
			return n.Name.O
		}
		return w.output(ref.Home.Output[ref.Output])
	}
	return n.Name.O
}

// columnOf is a column of a source, as block speaks of it: with its owner where there may be another.
func (w writer) columnOf(src *bind.Source, index int, block *bind.Block) string {
	if index >= len(src.Columns) {
		return "a column of " + w.nouns[src].of
	}
	c := src.Columns[index]
	words := name(c.Name)
	if w.needsOwner(src, c.Name, words, block) {
		words += " of " + w.nouns[src].of
	}
	return words + w.comment(c.Column)
}

// needsOwner says that a column's name alone may mislead.
func (w writer) needsOwner(src *bind.Source, column, words string, block *bind.Block) bool {
	if block != nil && (w.outer[block] || src.Block != block) {
		return true
	}
	if src.Block == nil || len(src.Block.Sources) < 2 {
		return false
	}
	for _, s := range src.Block.Sources {
		if s != src && s.Has(column) {
			return true
		}
	}
	return src.Table == nil || !strings.HasPrefix(words, w.nouns[src].one)
}

// longestComment is how many characters a comment has that is told with a name.
const longestComment = 40

// comment is what the schema says of a column, where it says it shortly; it is told once.
func (w writer) comment(c *schema.Column) string {
	if c == nil || c.Comment == "" || len(c.Comment) > longestComment || w.told == nil || w.told[c] {
		return ""
	}
	w.told[c] = true
	return " (" + c.Comment + ")"
}

// outputKind is the kind of a column of a query's result. Derived tables are looked into so many deep.
func (w writer) outputKind(o bind.Output, depth int) kind {
	switch {
	case o.Column != nil:
		return kindOf(o.Column)
	case o.Expr != nil && depth < maxDepth:
		return w.kindAt(o.Expr, depth+1)
	case o.Source != nil && depth < maxDepth:
		return w.sourceKind(o.Source, o.Index, depth+1)
	}
	return other
}

const maxDepth = 8

// sourceKind is the kind of a column of a source.
func (w writer) sourceKind(src *bind.Source, index, depth int) kind {
	if index >= len(src.Columns) {
		return other
	}
	if c := src.Columns[index].Column; c != nil {
		return kindOf(c)
	}
	if src.Inner == nil || index >= len(src.Inner.Output) {
		return other
	}
	o := src.Inner.Output[index]
	if o.Expr == nil && len(src.Inner.Parts) > 0 && index < len(src.Inner.Parts[0].Output) {
		o = src.Inner.Parts[0].Output[index]
	}
	return w.outputKind(o, depth)
}
