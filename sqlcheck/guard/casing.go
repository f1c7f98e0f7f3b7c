package guard

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/guard/draft"
)

// casing writes tables and columns as the schema does; aliases and literals are left alone. A server on Linux refuses
// a table in another case.
//
//	SELECT V.FEE FROM VISITS AS v → SELECT v.fee FROM visits AS v
func casing(_ *draft.Text, b *bind.Bound) (why string) {
	rename := func(name *ast.CIStr, to string) {
		if name.O != to && strings.EqualFold(name.O, to) {
			why = name.O + " is " + to
			*name = ast.NewCIStr(to)
		}
	}
	for _, block := range b.Blocks {
		for _, s := range block.Sources {
			if t, is := s.Node.Source.(*ast.TableName); is && s.Table != nil {
				rename(&t.Name, s.Table.Name)
			}
		}
	}
	for _, r := range b.Columns {
		if r.Source == nil || r.Output >= 0 {
			continue
		}
		if _, c := r.Column(); c != nil {
			rename(&r.Name.Name, c.Name)
		}
		if r.Name.Table.O != "" {
			rename(&r.Name.Table, r.Source.Name)
		}
	}
	return why
}
