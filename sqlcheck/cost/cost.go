// Package cost says what a bound statement may take of a server before it runs: memory, and work that neither a time
// limit nor KILL interrupts. It knows what each function makes of its arguments, and no rule about what may be asked.
// Begin with Check.
package cost

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// What a statement may come to when every common table expression, derived table and view is written out where it is
// used, as servers do before they look at a time limit or at KILL.
const (
	maxExpanded = 250      // SELECTs and tables; MySQL takes 0.2 MB and 0.1 ms for each
	maxJoined   = 61       // of them where constants are looked for in subqueries: more end MySQL 8.0.15 with signal 11
	maxNodes    = 100_000  // of the syntax tree
	maxPlanned  = 2e7      // SELECTs that MariaDB plans, 40 ns each: four times in an IN, 16 times in an IN in that
	smallTables = 64 << 20 // of temporary tables, which are there while no function holds its longest text
)

// Check refuses a statement that is small as it is written and too large to be worked on: by what it expands to,
// and by what its texts grow to. Names need not be known.
func Check(b *bind.Bound, view bool) bind.Fault {
	if v := checkCopies(b); v.Reason != "" {
		return v
	}
	m := &measure{bound: b, sizes: map[ast.ExprNode]float64{}, outputs: map[*bind.Query][]float64{}}
	m.rows = &rowBound{measure: m, blocks: map[*bind.Block]float64{}}
	e := &expander{measure: m, totals: map[*bind.Query]*expansion{}}
	for _, block := range b.Blocks {
		if v := checkCrash(b, block); v.Reason != "" {
			return v
		}
	}
	e.total(b.Queries[b.Stmt])
	switch {
	case e.largest.tables > maxExpanded || e.sought && e.largest.tables > maxJoined:
		return over("too_many_tables", strconv.FormatFloat(e.largest.tables, 'g', 3, 64)+" when written out", 0)
	case e.largest.nodes > maxNodes:
		return over("too_long", "when written out", 0)
	case view:
		return bind.Fault{}
	case e.fault.Reason != "":
		return e.fault
	}
	if tables, long := e.usual().kept(); e.largest.held+long+max(0, tables-smallTables) > maxHeld {
		return over("huge_result", "all texts together", 0)
	}
	compared := e.largest.compared * compareByte
	if e.largest.compared*slowestByte > maxWork {
		compared = e.largest.compared * comparison(b.Stmt)
	}
	sent := sentByte * float64(len(b.Output)) * total(e.usual().query(b.Queries[b.Stmt]))
	if e.largest.work+compared+sent > maxWork {
		return over("long_search", "all texts together", 0)
	}
	if e.largest.planned > maxPlanned {
		return over("too_deep", "IN within IN", 0)
	}
	return bind.Fault{}
}

// checkCrash refuses what may end MySQL 8.0.15 with signal 11: WITH ROLLUP over nothing but constants, or with window
// functions where rows are ordered; window functions and HAVING beside DISTINCT over a constant, which may fail.
func checkCrash(b *bind.Bound, block *bind.Block) bind.Fault {
	by, sel := block.Select.GroupBy, block.Select
	rollup := by != nil && by.Rollup
	window := b.Windows && (rollup || sel.Having != nil) && len(syntax.All[*ast.WindowFuncExpr](sel)) > 0
	if window && sel.Having != nil && slices.ContainsFunc(syntax.All[*ast.AggregateFuncExpr](sel), fixedDistinct) {
		return over("distinct_constant", "", sel.Having.OriginTextPosition())
	}
	varying := func(item *ast.ByItem) bool {
		if n, ok := syntax.Position(item.Expr); ok && n > 0 && n <= len(block.Output) {
			return varies(b, block.Output[n-1])
		}
		return varies(b, bind.Output{Expr: item.Expr})
	}
	if rollup && (window && sel.OrderBy != nil || !slices.ContainsFunc(by.Items, varying)) {
		return over("rollup", "", by.OriginTextPosition())
	}
	return bind.Fault{}
}

// fixedDistinct says that an aggregate takes the distinct values of what is computed from no column.
func fixedDistinct(a *ast.AggregateFuncExpr) bool {
	return a.Distinct && slices.ContainsFunc(a.Args, func(arg ast.ExprNode) bool {
		_, literal := arg.(ast.ValueExpr)
		return !literal && len(syntax.ColumnNames(arg)) == 0
	})
}

// varies says that an output comes to a column of a table, through aliases and derived tables.
func varies(b *bind.Bound, out bind.Output) bool {
	if src := out.Source; src != nil && src.Inner != nil && src.Inner.Block != nil {
		return varies(b, src.Inner.Block.Output[out.Index])
	}
	return out.Expr == nil || slices.ContainsFunc(syntax.ColumnNames(out.Expr), func(n *ast.ColumnName) bool {
		ref := b.Ref(n)
		if ref != nil && ref.Source == nil && ref.Home != nil {
			return varies(b, ref.Home.Output[ref.Output])
		}
		return ref == nil || varies(b, bind.Output{Source: ref.Source, Index: ref.Index})
	})
}

func over(why, detail string, pos int) bind.Fault {
	return bind.Fault{Reason: why, Detail: detail, Pos: pos}
}

// jsonColumn is the time for a column of a row of JSON_TABLE, whose rows are all made before the next look at a limit.
const jsonColumn = 500

// expansion is the size of a query that is written out.
type expansion struct {
	tables, nodes float64
	planned       float64 // SELECTs, as often as MariaDB plans them
	held          float64 // bytes of the texts that its functions make, and of what its aggregates keep
	work          float64 // nanoseconds of its functions for one row
	compared      float64 // bytes that it compares for one row
}

func (x *expansion) add(y expansion) {
	x.tables, x.nodes, x.planned, x.held, x.work, x.compared = x.tables+y.tables, x.nodes+y.nodes, x.planned+y.planned,
		x.held+y.held, x.work+y.work, x.compared+y.compared
}

// nanos is the time for one row, in a collation that is not slow.
func (x expansion) nanos() float64 { return x.work + x.compared*compareByte }

// expander goes through every query of a statement once.
type expander struct {
	*measure
	totals  map[*bind.Query]*expansion
	largest expansion // of all queries, those that nothing reads too
}

func (e *expander) total(q *bind.Query) expansion {
	if sum := e.totals[q]; sum != nil {
		return *sum
	}
	e.totals[q] = &expansion{tables: 1} // of a table that reads itself
	w, block := &expandWalk{expander: e, times: 1}, e.block
	q.Node.Accept(w)
	e.block = block
	e.totals[q] = &w.sum
	x, y := e.largest, w.sum
	e.largest = expansion{max(x.tables, y.tables), max(x.nodes, y.nodes), max(x.planned, y.planned),
		max(x.held, y.held), max(x.work, y.work), max(x.compared, y.compared)}
	return w.sum
}

// expandWalk adds up one query. What stands in its text counts as it is, what it reads by name as it is written out.
type expandWalk struct {
	*expander
	sum   expansion
	times float64       // that a SELECT is planned here
	outer []*bind.Block // around the SELECT that it is in
}

// Enter implements ast.Visitor.
func (w *expandWalk) Enter(n ast.Node) (ast.Node, bool) {
	w.sum.nodes++
	switch n := n.(type) {
	case *ast.ColumnName, *ast.SelectField, *ast.FieldList, *ast.TableName, *ast.OnCondition:
		return n, false // they cost nothing themselves
	case *ast.ColumnNameExpr:
		if ref := w.bound.Ref(n.Name); ref != nil { // each use has what it stands for
			w.sum.held += w.behind(ref.Source, ref.Index).held
		}
		return n, false
	case *ast.WithClause:
		for _, cte := range n.CTEs {
			w.total(w.bound.Queries[cte.Query.Query])
		}
		return n, true
	case *ast.SelectStmt:
		if t := syntax.JSONTableOf(n); t != nil {
			rows := w.rows.jsonRows(t)
			for _, call := range t.Calls { // a row may have the values for what is not found, too
				w.sum.work += rows * (jsonColumn + lookByte*w.size(call.Args[len(call.Args)-1]))
			}
		}
		w.sum.tables++
		w.sum.planned += w.times
		w.outer = append(w.outer, w.block)
		if w.block = nil; w.bound.Queries[n] != nil {
			w.block = w.bound.Queries[n].Block
			w.sum.work += w.joined(w.block)
		}
	case *ast.TableSource:
		_, isName := n.Source.(*ast.TableName)
		src := &bind.Source{} // of brackets around a join
		for i := 0; w.block != nil && i < len(w.block.Sources); i++ {
			if w.block.Sources[i].Node == n {
				src = w.block.Sources[i]
			}
		}
		switch {
		case src.Table != nil:
			w.sum.add(expansion{tables: float64(1 + src.Table.Reads), nodes: float64(src.Table.Reads)})
		case src.Inner != nil && isName:
			inner := w.total(src.Inner)
			inner.planned *= w.times
			w.sum.add(inner)
			w.sum.held += 2 * total(w.usual().query(src.Inner)) // MariaDB makes it for each name
			w.sum.held += w.usual().read(src.Inner.Block)
		}
	}
	if isSought(n) {
		w.times *= 4
	}
	if w.fault.Reason == "" {
		cost := w.judge(n)
		if w.block != nil && cost.nanos() > maxWork/1e5 && !searches(n) && !hasColumn(n) {
			again := float64(4 + 2*len(w.block.Sources)) // as often as MariaDB works a constant out to plan
			cost.work, cost.compared = again*cost.work, again*cost.compared
		}
		w.sum.add(cost)
	}
	return n, false
}

// Leave implements ast.Visitor.
func (w *expandWalk) Leave(n ast.Node) (ast.Node, bool) {
	if _, ok := n.(*ast.SelectStmt); ok {
		w.block, w.outer = w.outer[len(w.outer)-1], w.outer[:len(w.outer)-1]
	} else if isSought(n) {
		w.times /= 4
	}
	return n, true
}

// searches says that a node looks for a regular expression, which ends after a number of steps.
func searches(n ast.Node) bool {
	call, _ := n.(*ast.FuncCallExpr)
	_, is := n.(*ast.PatternRegexpExpr)
	return is || call != nil && strings.HasPrefix(call.FnName.L, "regexp_")
}

// isSought says that a value is looked for in a subquery.
func isSought(n ast.Node) bool {
	in, is := n.(*ast.PatternInExpr)
	_, compares := n.(*ast.CompareSubqueryExpr)
	return compares || is && in.Sel != nil
}
