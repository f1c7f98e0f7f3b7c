package sqlcheck

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// readBack parses a text and compares it with a checked tree, which is restored to want: only a text that means what
// was checked may run. Trees are the same if their nodes are of the same kinds in the same places, and they are
// restored to the same text.
func readBack(sql string, checked ast.StmtNode, want string) (Verdict, error) {
	if op := strangeOperator(sql); op != "" {
		return forbid("restored_otherwise", op, 0), nil
	}
	stmts, perr, err := syntax.Parse(sql)
	if err != nil {
		return Verdict{}, err
	}
	if perr != nil || len(stmts) != 1 {
		return forbid("restored_otherwise", "", 0), nil
	}
	w := shapes.Get().(*shape)
	defer shapes.Put(w)
	w.nodes, w.depth = w.nodes[:0], 0
	checked.Accept(w)
	half := len(w.nodes)
	stmts[0].Accept(w)
	got, err := syntax.RestoreFrom(sql, stmts[0])
	if same := slices.Equal(w.nodes[:half], w.nodes[half:]); !same || got != want {
		return forbid("restored_otherwise", "", 0), err
	}
	return Pass("policy"), err
}

// comparisons are what MySQL's lexer makes of several signs of comparison in a row. Others it cuts in pieces of its
// own.
var comparisons = syntax.WordSet("< > = ! <= >= <> != <=> << >>")

// compareSigns are the signs that MySQL's lexer takes together.
const compareSigns = "<>=!"

// strangeOperator finds signs in a row that TiDB's lexer tells apart and MySQL's does not: "!!" is one "!" to it.
func strangeOperator(sql string) string {
	for i := 0; i < len(sql); i++ {
		switch sql[i] {
		case '\'', '"', '`':
			i = syntax.SkipQuoted(sql, i) - 1
		case '<', '>', '=', '!':
			op := signs(sql[i:])
			if !comparisons[op] {
				return op
			}
			i += len(op) - 1
		}
	}
	return ""
}

// signs are the signs of comparison that a text begins with.
func signs(s string) string { return s[:len(s)-len(strings.TrimLeft(s, compareSigns))] }

// shape is the visitor that reads of what kind the nodes of trees are, and where they stand. Brackets have no meaning
// once the tree is there.
type shape struct {
	nodes []shapeNode
	depth int
}

type shapeNode struct {
	kind  reflect.Type
	depth int
}

var shapes = sync.Pool{New: func() any { return &shape{} }}

// Enter implements ast.Visitor.
func (w *shape) Enter(n ast.Node) (ast.Node, bool) {
	if _, brackets := n.(*ast.ParenthesesExpr); brackets {
		return n, false
	}
	if join, is := n.(*ast.Join); !is || join.Right != nil {
		w.nodes = append(w.nodes, shapeNode{reflect.TypeOf(n), w.depth})
	}
	w.depth++
	return n, false
}

// Leave implements ast.Visitor.
func (w *shape) Leave(n ast.Node) (ast.Node, bool) {
	if _, brackets := n.(*ast.ParenthesesExpr); !brackets {
		w.depth--
	}
	return n, true
}

// Tree parses a query that was checked against s once more and binds it. The tree is the caller's to change.
// ok is false if there is no schema to bind to.
func Tree(q Query, s *schema.Schema) (b *bind.Bound, ok bool) {
	stmt, ok := syntax.OneSelect(q.sql)
	if !ok || s == nil {
		return nil, false
	}
	b, issues := bind.Bind(stmt, s)
	return b, len(issues) == 0
}
