package sqlcheck

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/format"
	"github.com/pingcap/tidb/pkg/parser/test_driver"
)

// restoreFlags write what MySQL, MariaDB and TiDB all read.
const restoreFlags = format.DefaultRestoreFlags | format.RestoreStringWithoutCharset

// restore writes a tree as SQL text.
func restore(n ast.Node) (string, error) {
	var text strings.Builder
	if err := n.Restore(format.NewRestoreCtx(restoreFlags, &text)); err != nil {
		return "", err
	}
	return text.String(), nil
}

// fieldLabel is the column label that MySQL gives an item of the select list: its alias, the name of a bare column,
// the value of a string, else the text as written.
func fieldLabel(f *ast.SelectField) string {
	if f.AsName.O != "" {
		return f.AsName.O
	}
	switch e := unparen(f.Expr).(type) {
	case *ast.ColumnNameExpr:
		return e.Name.Name.O
	case *test_driver.ValueExpr:
		switch e.Kind() {
		case test_driver.KindString:
			return e.GetString()
		case test_driver.KindNull:
			return "NULL"
		}
	}
	text := strings.TrimSpace(f.Text())
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
