package sqlcheck

import (
	"strings"
	"unicode/utf8"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/format"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"
)

// restoreFlags write what MySQL, MariaDB and TiDB all read.
// Backslashes must be doubled: a server reads them as escapes.
const restoreFlags = format.DefaultRestoreFlags | format.RestoreStringWithoutCharset | format.RestoreStringEscapeBackslash

// restore writes a tree as SQL text. It leaves the tree as it was, but changes it meanwhile.
func restore(n ast.Node) (string, error) {
	own := &ownNames{}
	n.Accept(own)
	defer own.back()
	var text strings.Builder
	if err := n.Restore(format.NewRestoreCtx(restoreFlags, &text)); err != nil {
		return "", err
	}
	return text.String(), nil
}

// ownNames gives INSERT and CHAR, which TiDB's parser calls insert_func and char_func, MySQL's names for as long as
// the tree is written.
type ownNames struct {
	calls []*ast.FuncCallExpr
	saved []ast.FuncCallExpr
}

// Enter implements ast.Visitor.
func (o *ownNames) Enter(n ast.Node) (ast.Node, bool) {
	f, ok := n.(*ast.FuncCallExpr)
	if !ok || f.FnName.L != ast.InsertFunc && f.FnName.L != ast.CharFunc {
		return n, false
	}
	o.calls, o.saved = append(o.calls, f), append(o.saved, *f)
	if f.FnName.L == ast.InsertFunc {
		f.FnName = ast.NewCIStr("insert")
	} else {
		f.FnName = ast.NewCIStr("char")
		f.Args = f.Args[:len(f.Args)-1] // the character set
	}
	return n, false
}

// Leave implements ast.Visitor.
func (o *ownNames) Leave(n ast.Node) (ast.Node, bool) { return n, true }

func (o *ownNames) back() {
	for i, f := range o.calls {
		*f = o.saved[i]
	}
}

// fieldLabel is the column label that MySQL gives an item of the select list: its alias, the name of a bare column,
// the value of a string, else the text as written.
func fieldLabel(f *ast.SelectField) string {
	if f.AsName.O != "" {
		return f.AsName.O
	}
	expr := unparen(f.Expr)
	for {
		plus, ok := expr.(*ast.UnaryOperationExpr) // a unary plus is no operation to MySQL
		if !ok || plus.Op != opcode.Plus {
			break
		}
		expr = unparen(plus.V)
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

// respell spells every name as it was bound, so that servers that tell cases apart find it, and gives computed
// columns of derived tables the label that their text had before, since restoring may change it.
func (b *Bound) respell() {
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
	for _, q := range b.query {
		if q.derived && q.block != nil {
			b.keepLabels(q.block)
		}
	}
}

func (b *Bound) respellSource(src *Source) {
	name, ok := src.Node.Source.(*ast.TableName)
	if !ok {
		return
	}
	name.Schema = ast.CIStr{}
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
		if text, err := restore(out.Expr); err == nil && text != out.Label {
			out.Field.AsName = ast.NewCIStr(out.Label)
		}
	}
}
