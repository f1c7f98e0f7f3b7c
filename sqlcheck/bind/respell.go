package bind

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

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
