package sqlcheck

import (
	"strconv"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// What a statement may come to when every common table expression, derived table and view is written out where it is
// used, as servers do before they look at a time limit or at KILL.
const (
	maxExpanded = 250     // SELECTs and tables; MySQL takes 0.2 MB and 0.1 ms for each
	maxNodes    = 100_000 // of the syntax tree
)

// checkSize refuses a statement that is small as it is written and too large to be worked on. Names need not be known.
func checkSize(b *Bound) Verdict {
	if v := checkExpansion(b); !v.OK {
		return v
	}
	return checkCopies(b)
}

// checkExpansion refuses common table expressions that multiply each other.
func checkExpansion(b *Bound) Verdict {
	e := &expander{bound: b, source: map[*ast.TableSource]*Source{}, sizes: map[*boundQuery]expansion{}}
	for _, block := range b.Blocks {
		for _, src := range block.Sources {
			e.source[src.Node] = src
		}
	}
	e.query(b.query[b.Stmt])
	switch {
	case e.largest.tables > maxExpanded:
		return forbid("too_many_tables", strconv.FormatFloat(e.largest.tables, 'g', 3, 64)+" when written out", 0)
	case e.largest.nodes > maxNodes:
		return forbid("too_long", "when written out", 0)
	}
	return Pass("policy")
}

// expansion is the size of a query that is written out.
type expansion struct{ tables, nodes float64 }

func (x *expansion) add(y expansion) { x.tables, x.nodes = x.tables+y.tables, x.nodes+y.nodes }

type expander struct {
	bound   *Bound
	source  map[*ast.TableSource]*Source
	sizes   map[*boundQuery]expansion
	largest expansion // of all queries, those that nothing reads too
}

func (e *expander) query(q *boundQuery) expansion {
	if n, ok := e.sizes[q]; ok {
		return n
	}
	e.sizes[q] = expansion{tables: 1} // of a table that reads itself
	w := &expandWalk{expander: e}
	q.node.Accept(w)
	e.sizes[q] = w.size
	e.largest.tables, e.largest.nodes = max(e.largest.tables, w.size.tables), max(e.largest.nodes, w.size.nodes)
	return w.size
}

// expandWalk adds up one query. What stands in its text counts as it is, what it reads by name as it is written out.
type expandWalk struct {
	*expander
	size expansion
}

// Enter implements ast.Visitor.
func (w *expandWalk) Enter(n ast.Node) (ast.Node, bool) {
	w.size.nodes++
	switch n := n.(type) {
	case *ast.WithClause:
		for _, cte := range n.CTEs {
			w.query(w.bound.query[cte.Query.Query])
		}
		return n, true
	case *ast.SelectStmt:
		w.size.tables++
	case *ast.TableSource:
		src := w.source[n]
		switch {
		case src == nil:
		case src.Table != nil:
			w.size.add(expansion{float64(1 + src.Table.Reads), float64(1 + src.Table.Reads)})
		case src.inner != nil && isName(n):
			w.size.add(w.query(src.inner))
		}
	}
	return n, false
}

// Leave implements ast.Visitor.
func (w *expandWalk) Leave(n ast.Node) (ast.Node, bool) { return n, true }

func isName(n *ast.TableSource) bool {
	_, ok := n.Source.(*ast.TableName)
	return ok
}
