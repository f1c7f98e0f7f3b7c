package guard

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
)

// once has each row once where the question says so: "the sports that they do, each once".
// It changed 3 of 3,852 candidates for questions to learn from: 2 were right afterwards, none before.
func once(_ string, b *bind.Bound, in Input) string {
	sel, is := b.Stmt.(*ast.SelectStmt)
	if !is || in.Question == "" || sel.With != nil || sel.Distinct || sel.Limit != nil || b.Blocks[0].Grouped || len(sel.WindowSpecs) > 0 || !in.asked().Once() {
		return ""
	}
	sel.Distinct = true
	return "each row once"
}
