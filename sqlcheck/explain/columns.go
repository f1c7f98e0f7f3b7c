package explain

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// column is a use of a column in words.
func (w writer) column(n *ast.ColumnName) string {
	ref := w.Ref(n)
	switch {
	case ref == nil:
		return name(n.Name.O)
	case ref.Source != nil && ref.Source.Name != "":
		return w.columnOf(ref.Source, ref.Index, ref.Block)
	case ref.Output >= 0 && ref.Home != nil && ref.Output < len(ref.Home.Output) && ref.Home.Select != nil:
		if o := ref.Home.Output[ref.Output]; !w.alias && !o.Window {
			return w.output(o)
		}
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
	other := func(s *bind.Source) bool { return s != src && s.Has(column) }
	return src.Table == nil || !strings.HasPrefix(words, w.nouns[src].one) ||
		slices.ContainsFunc(src.Block.Sources, other)
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

// kindOf is the kind of the values of a type.
func kindOf(of string) kind {
	t := schema.ParseType(of)
	if t.Name == "enum" {
		return listed
	}
	return map[schema.Kind]kind{schema.Number: number, schema.Text: text, schema.Date: date}[t.Kind()]
}

// maxDepth is how deep derived tables and calls are looked into for the kind of their values.
const maxDepth = 8

// kind is what the values of an expression are.
func (w writer) kind(e ast.ExprNode) kind { return w.kindAt(e, 0) }

func (w writer) kindAt(e ast.ExprNode, depth int) kind {
	e = syntax.Unparen(e)
	switch e := e.(type) {
	case *ast.ColumnNameExpr:
		if ref := w.Ref(e.Name); ref != nil && depth < maxDepth {
			return w.refKind(ref, depth+1)
		}
		return other
	case *test_driver.ValueExpr: // a text may be compared with a date
		if e.Kind() != test_driver.KindString && e.Kind() != test_driver.KindNull {
			return number
		}
		return other
	case *ast.BinaryOperationExpr, *ast.UnaryOperationExpr:
		return number
	case *ast.FuncCastExpr:
		if strings.HasSuffix(castTypes[e.Tp.GetType()], "text") {
			return text
		}
		return kindOf(e.Tp.String())
	case *ast.FuncCallExpr:
		switch f := calls[e.FnName.L]; {
		case f.kind == first && len(e.Args) > 0 && depth < maxDepth:
			return w.kindAt(e.Args[0], depth+1)
		case f.kind != truth && f.kind != first && e.FnName.L != "if":
			return f.kind
		}
	case *ast.AggregateFuncExpr:
		return w.totalKind(strings.ToLower(e.F), e.Args, depth)
	case *ast.WindowFuncExpr:
		return w.totalKind(strings.ToLower(e.Name), e.Args, depth)
	case *ast.SubqueryExpr:
		if q := w.Queries[e.Query]; q != nil && len(q.Output) == 1 {
			return w.outputKind(q.Output[0], depth+1)
		}
	case *ast.CaseExpr:
		if _, literal := syntax.LiteralText(e.WhenClauses[0].Result); literal {
			return text
		}
	}
	if isCondition(e) {
		return number
	}
	if _, then, _ := conditional(e); then != nil && depth < maxDepth {
		return w.kindAt(then, depth+1)
	}
	return other
}

// totalKind is the kind of what aggregate and window functions return.
func (w writer) totalKind(name string, args []ast.ExprNode, depth int) kind {
	_, total := totals[name]
	switch {
	case name == "max" || name == "min":
		return w.kindAt(args[0], depth+1)
	case name == "group_concat":
		return text
	case total || ranks[name] != "":
		return number
	}
	return other
}

// refKind is the kind of what a name stands for.
func (w writer) refKind(ref *bind.ColumnRef, depth int) kind {
	if ref.Source != nil && ref.Source.Name != "" {
		return w.sourceKind(ref.Source, ref.Index, depth)
	}
	if ref.Output < 0 || ref.Home == nil || ref.Output >= len(ref.Home.Output) {
		return other
	}
	o := ref.Home.Output[ref.Output]
	if o.Column == nil && o.Expr == nil && w.block != nil && ref.Output < len(w.block.Output) {
		o = w.block.Output[ref.Output] // of the first part of a set operation
	}
	return w.outputKind(o, depth)
}

// sourceKind is the kind of a column of a source.
func (w writer) sourceKind(src *bind.Source, index, depth int) kind {
	switch {
	case index >= len(src.Columns):
	case src.Columns[index].Column != nil:
		return kindOf(src.Columns[index].Column.Type)
	case src.Inner != nil && index < len(src.Inner.Output):
		o := src.Inner.Output[index]
		if o.Expr == nil && len(src.Inner.Parts) > 0 && index < len(src.Inner.Parts[0].Output) {
			o = src.Inner.Parts[0].Output[index]
		}
		return w.outputKind(o, depth)
	}
	return other
}

// outputKind is the kind of a column of a query's result.
func (w writer) outputKind(o bind.Output, depth int) kind {
	switch {
	case o.Column != nil:
		return kindOf(o.Column.Type)
	case o.Expr != nil && depth < maxDepth:
		return w.kindAt(o.Expr, depth+1)
	case o.Source != nil && depth < maxDepth:
		return w.sourceKind(o.Source, o.Index, depth+1)
	}
	return other
}
