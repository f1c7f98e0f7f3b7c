package bind

import (
	"strings"
	"unicode/utf8"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/syntax"
)

// lookup finds a name in a scope and counts the columns that it may mean. n is -1 if a source's columns are not known
// and the name may be one of them.
func (s *scope) lookup(name *ast.ColumnName) (src *Source, idx, n int) {
	if name.Table.O != "" {
		src = s.source(name.Table.O)
		if src == nil {
			return nil, 0, 0
		}
		if src.Broke {
			return src, 0, -1
		}
		for i, col := range src.Columns {
			if strings.EqualFold(col.Name, name.Name.O) {
				return src, i, 1
			}
		}
		return src, 0, 0
	}
	v, n := find(s.visible, name.Name.O)
	if n == 0 && broken(s.sources) {
		return nil, 0, -1
	}
	return v.src, v.idx, n
}

func (b *binder) newRef(block *Block, in Clause, n *ast.ColumnNameExpr) *ColumnRef {
	if len(b.refs) == cap(b.refs) {
		b.refs = make([]ColumnRef, 0, usualNames)
	}
	b.refs = append(b.refs, ColumnRef{Name: n.Name, Block: block, Clause: in, Pos: n.OriginTextPosition(), Output: -1})
	return b.record(&b.refs[len(b.refs)-1])
}

func (b *binder) record(ref *ColumnRef) *ColumnRef {
	b.Columns = append(b.Columns, ref)
	b.byName[ref.Name] = ref
	return ref
}

// writtenName is a name as the statement has it.
func writtenName(n *ast.ColumnName) string {
	out := n.Name.O
	if n.Table.O != "" {
		out = n.Table.O + "." + out
	}
	if n.Schema.O != "" {
		out = n.Schema.O + "." + out
	}
	return out
}

// resolve finds what a name means in its block, then in the blocks around it.
func (b *binder) resolve(ref *ColumnRef) {
	if ref.Name.Schema.O != "" && !strings.EqualFold(ref.Name.Schema.O, b.Schema.Name) {
		b.unknownColumn(ref)
		return
	}
	for block := ref.Block; block != nil; block = block.Outer {
		clause := block.clause
		if block == ref.Block {
			clause = ref.Clause
		}
		// HAVING sees the select list and the grouped columns only, except in the arguments of aggregates.
		if clause == InHaving && !block.inAgg && !ref.inAgg {
			if b.resolveHaving(ref, block) {
				return
			}
			continue
		}
		switch src, idx, n := block.scope.lookup(ref.Name); {
		case n == 1:
			ref.Home, ref.Source, ref.Index = block, src, idx
			return
		case n > 1:
			ref.Home = block
			b.ambiguousColumn(ref, block.scope)
			return
		case n < 0:
			return // not known, and an issue of the table already
		}
		if b.resolveAlias(ref, block, clause) {
			return
		}
	}
	b.unknownColumn(ref)
}

// resolveAlias lets a name that is no column of FROM mean an alias, where MySQL allows it: in expressions of GROUP BY,
// ORDER BY and HAVING, and in subqueries of the select list.
func (b *binder) resolveAlias(ref *ColumnRef, block *Block, clause Clause) bool {
	switch clause {
	case InGroup, InOrder, InHaving:
	case InFields:
		if block == ref.Block {
			return false
		}
	default:
		return false
	}
	out, ambiguous := b.findOutput(block, ref)
	if ambiguous {
		b.ambiguousColumn(ref, nil)
		return true
	}
	if out < 0 {
		return false
	}
	b.resolveOutput(ref, block, out)
	if clause == InGroup && block.Output[out].Aggregate {
		b.issue(Issue{Fault: fault("bad_aggregate", ref.Name.Name.O, 1056, "GROUP BY cannot use "+ref.Name.Name.O+
			", which is an aggregate"), Ref: ref})
	}
	return true
}

// resolveHaving finds a name among the select list and the columns of GROUP BY.
func (b *binder) resolveHaving(ref *ColumnRef, block *Block) bool {
	out, ambiguous := b.findOutput(block, ref)
	if ambiguous {
		b.ambiguousColumn(ref, nil)
		return true
	}
	if out >= 0 {
		b.resolveOutput(ref, block, out)
		if block.Output[out].Window {
			b.issue(Issue{Fault: fault("bad_window", ref.Name.Name.O, 3594, "HAVING cannot use "+ref.Name.Name.O+
				", a window function; filter in an outer SELECT"), Ref: ref})
		}
		return true
	}
	src, idx, n := block.full.lookup(ref.Name)
	for _, g := range block.groupRefs {
		if g.Source != nil && g.Output < 0 && (n == 1 && g.Source == src && g.Index == idx || n > 1 &&
			strings.EqualFold(g.Name.Name.O, ref.Name.Name.O)) {
			ref.Home, ref.Source, ref.Index = block, g.Source, g.Index
			return true
		}
	}
	return n < 0
}

// fieldLabel is the column label that MySQL gives an item of the select list: its alias, the name of a bare column,
// the value of a string, else the text as written.
func fieldLabel(f *ast.SelectField) string {
	if f.AsName.O != "" {
		return f.AsName.O
	}
	expr := syntax.Unparen(f.Expr)
	for {
		plus, ok := expr.(*ast.UnaryOperationExpr) // a unary plus is no operation to MySQL
		if !ok || plus.Op != opcode.Plus {
			break
		}
		expr = syntax.Unparen(plus.V)
	}
	switch e := expr.(type) {
	case *ast.ColumnNameExpr:
		return e.Name.Name.O
	case *test_driver.ValueExpr:
		switch e.Kind() {
		case test_driver.KindString:
			return e.GetString()
		case test_driver.KindNull:
			return "NULL"
		}
		return literalLabel(f.Text())
	}
	text := strings.TrimSpace(f.Text())
	if utf8.RuneCountInString(text) > maxLabel {
		text = string([]rune(text)[:maxLabel])
	}
	return text
}

// maxLabel is how many characters of its text MySQL makes the label of a column (MAX_ALIAS_NAME, less one).
const maxLabel = 255

// literalLabel is the label of a number: its text without parentheses and plus signs around it.
func literalLabel(text string) string {
	for {
		text = strings.TrimLeft(strings.TrimSpace(text), "+ ")
		if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
			break
		}
		text = text[1 : len(text)-1]
	}
	if strings.EqualFold(text, "true") || strings.EqualFold(text, "false") {
		return strings.ToUpper(text)
	}
	return text
}

// Respell spells every name as it was bound, so that servers that tell cases apart find it, and gives computed
// columns of derived tables the label that their text had before, since restoring may change it.
func (b *Bound) Respell() {
	for _, block := range b.Blocks {
		for _, src := range block.Sources {
			b.respellSource(src)
		}
		for _, out := range block.Output {
			if f := out.Field; f.WildCard != nil && f.WildCard.Table.O != "" && out.Source != nil {
				f.WildCard.Table, f.WildCard.Schema = ast.NewCIStr(out.Source.Name), ast.CIStr{}
			}
		}
	}
	for _, ref := range b.Columns {
		ref.Name.Schema = ast.CIStr{}
		if ref.Source == nil || ref.Name.Table.O == "" {
			continue
		}
		ref.Name.Table = ast.NewCIStr(ref.Source.Name)
	}
	for _, q := range b.Queries {
		if q.derived && q.Block != nil {
			b.keepLabels(q.Block)
		}
	}
}

func (b *Bound) respellSource(src *Source) {
	name, ok := src.Node.Source.(*ast.TableName)
	if !ok {
		return
	}
	if name.Schema = (ast.CIStr{}); src.hidden {
		name.Schema = ast.NewCIStr(b.Schema.Name)
	}
	if src.Table != nil {
		name.Name = ast.NewCIStr(src.Table.Name)
	} else if src.Node.AsName.O == "" {
		name.Name = ast.NewCIStr(src.Name)
	}
}

// longestLabel is what may become an alias; MySQL takes up to 256 characters.
const longestLabel = 200

// keepLabels gives an unnamed computed column of a derived table its old label as alias: a name may refer to it.
func (b *Bound) keepLabels(block *Block) {
	for _, out := range block.Output {
		if out.Field == nil || out.Expr == nil || out.named || out.Label == "" || len(out.Label) > longestLabel {
			continue
		}
		if text, err := syntax.Restore(out.Expr); err == nil && text != out.Label {
			out.Field.AsName = ast.NewCIStr(out.Label)
		}
	}
}
