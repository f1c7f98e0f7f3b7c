package sqlcheck

import (
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/format"
)

// colID is one column of one source.
type colID struct {
	src *Source
	idx int
}

// checkGrouping applies ONLY_FULL_GROUP_BY and the rules of DISTINCT as MySQL 8.0.15 was seen to do: a column must be
// in an aggregate, be a grouping column, or be functionally dependent on the grouping columns.
// Source: MySQL 8.0 Reference Manual, "Detection of Functional Dependence".
func (b *binder) checkGrouping(block *Block) {
	sel := block.Select
	for _, src := range block.Sources {
		if src.broke {
			return
		}
	}
	if block.Grouped {
		g := b.newGrouping(block)
		for i, out := range block.Output {
			if bad := g.badOutput(out); bad != "" && !g.items[i] {
				g.report(bad, "column "+strconv.Itoa(i+1)+" of the select list", out.Expr)
				break
			}
		}
		if sel.OrderBy != nil && sel.GroupBy != nil { // without GROUP BY there is one row, and MySQL drops the ORDER BY
			for _, item := range sel.OrderBy.Items {
				if ref := b.bareColumn(item.Expr); ref != nil && ref.Output >= 0 {
					continue
				}
				if bad := g.bad(item.Expr); bad != "" {
					g.report(bad, "ORDER BY", item.Expr)
					break
				}
			}
		}
	}
	if sel.Distinct && sel.OrderBy != nil && !(block.Grouped && b.distinctIsIdle(block)) {
		b.checkDistinct(block)
	}
}

// grouping answers what a grouped block may use outside aggregates.
type grouping struct {
	*binder
	block *Block
	known map[colID]bool
	exprs map[string]bool // keys of the grouping expressions that are not bare columns
	items map[int]bool    // items of the select list that GROUP BY names by alias or position
}

func (b *binder) newGrouping(block *Block) *grouping {
	g := &grouping{binder: b, block: block, known: map[colID]bool{}, exprs: map[string]bool{}, items: map[int]bool{}}
	if by := block.Select.GroupBy; by != nil {
		for _, item := range by.Items {
			expr := item.Expr
			if n, ok := position(expr); ok && n >= 1 && n <= len(block.Output) {
				out := block.Output[n-1]
				g.items[n-1] = true
				if out.Source != nil {
					g.known[colID{out.Source, out.Index}] = true
					continue
				}
				expr = out.Expr
			}
			if ref := b.bareColumn(expr); ref != nil {
				if ref.Source != nil && ref.Home == block {
					g.known[colID{ref.Source, ref.Index}] = true
				} else if ref.Output >= 0 && block.Output[ref.Output].Expr != nil {
					g.items[ref.Output] = true
					g.addExpr(block.Output[ref.Output].Expr)
				}
				continue
			}
			if expr != nil {
				g.addExpr(expr)
			}
		}
	}
	if !block.rolledUp() {
		b.close(block, g.known)
	}
	return g
}

// addExpr notes a grouping expression. MySQL never finds two subqueries equal.
func (g *grouping) addExpr(expr ast.ExprNode) {
	sub := &subqueryFinder{}
	expr.Accept(sub)
	if !sub.found {
		g.exprs[g.exprKey(expr)] = true
	}
}

type subqueryFinder struct{ found bool }

// Enter implements ast.Visitor.
func (w *subqueryFinder) Enter(n ast.Node) (ast.Node, bool) {
	if _, ok := n.(*ast.SubqueryExpr); ok {
		w.found = true
	}
	return n, w.found
}

// Leave implements ast.Visitor.
func (w *subqueryFinder) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// badOutput names the first column that an item of the select list may not use, or "".
func (g *grouping) badOutput(out Output) string {
	if out.Expr != nil {
		return g.bad(out.Expr)
	}
	if !g.known[colID{out.Source, out.Index}] {
		return out.Source.Name + "." + out.Source.Columns[out.Index].Name
	}
	return ""
}

// bad names the first column in expr that the grouping does not settle, or "".
func (g *grouping) bad(expr ast.ExprNode) string {
	if len(g.exprs) > 0 && g.exprs[g.exprKey(expr)] {
		return ""
	}
	w := &groupingWalk{grouping: g}
	expr.Accept(w)
	return w.bad
}

func (g *grouping) report(bad, where string, node ast.Node) {
	column := bad
	if len(g.block.Sources) == 1 {
		_, column, _ = strings.Cut(bad, ".")
	}
	if g.block.Select.GroupBy == nil {
		g.issue(Issue{Verdict: refuse("not_grouped", column, 1140, where+" uses "+column+" beside an aggregate; add GROUP BY "+column+" or aggregate it"), Node: node, Block: g.block})
		return
	}
	g.issue(Issue{Verdict: refuse("not_grouped", column, 1055, where+" uses "+column+", which is neither grouped nor aggregated; add it to GROUP BY or aggregate it"), Node: node, Block: g.block})
}

// groupingWalk looks for columns outside aggregates.
type groupingWalk struct {
	*grouping
	bad string
}

// Enter implements ast.Visitor.
func (w *groupingWalk) Enter(n ast.Node) (ast.Node, bool) {
	switch n := n.(type) {
	case *ast.AggregateFuncExpr:
		return n, true
	case *ast.FuncCallExpr:
		if n.FnName.L == "any_value" || n.FnName.L == "grouping" {
			return n, true
		}
	case *ast.WindowSpec:
		w.window(n)
		return n, true
	case *ast.ColumnName:
		ref := w.byName[n]
		if ref == nil || ref.Home != w.block || ref.inAgg || w.bad != "" {
			return n, true
		}
		if ref.Output >= 0 && ref.Source == nil {
			return n, true // an alias: its expression is looked at where it stands
		}
		if ref.Source != nil && !w.known[colID{ref.Source, ref.Index}] {
			w.bad = ref.Source.Name + "." + ref.Source.Columns[ref.Index].Name
		}
		return n, true
	}
	return n, w.bad != ""
}

// Leave implements ast.Visitor.
func (w *groupingWalk) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// window looks at each expression that a window parts or sorts the rows by as at one of the select list: it may be a grouping
// expression. Source: Group_check::check_query in sql/aggregate_check.cc.
func (w *groupingWalk) window(spec *ast.WindowSpec) {
	var items []*ast.ByItem
	if spec.PartitionBy != nil {
		items = append(items, spec.PartitionBy.Items...)
	}
	if spec.OrderBy != nil {
		items = append(items, spec.OrderBy.Items...)
	}
	for _, item := range items {
		if w.bad == "" {
			w.bad = w.grouping.bad(item.Expr)
		}
	}
}

// exprKey is the text of an expression with its columns named by what they are, so that two spellings of one
// expression have one key.
func (b *binder) exprKey(expr ast.ExprNode) string {
	names := &nameCollector{}
	expr.Accept(names)
	saved := make([]ast.ColumnName, len(names.found))
	for i, n := range names.found {
		saved[i] = *n
		n.Schema, n.Name = ast.CIStr{}, ast.NewCIStr(strings.ToLower(n.Name.O))
		if ref := b.byName[n]; ref != nil && ref.Source != nil {
			n.Table = ast.NewCIStr(ref.Source.Name)
			n.Name = ast.NewCIStr(strings.ToLower(ref.Source.Columns[ref.Index].Name))
		}
	}
	var text strings.Builder
	err := unparen(expr).Restore(format.NewRestoreCtx(restoreFlags, &text))
	for i, n := range names.found {
		*n = saved[i]
	}
	if err != nil {
		return "" // a tree that cannot be restored is rejected later
	}
	return text.String()
}

// nameCollector gathers the column names of a tree.
type nameCollector struct{ found []*ast.ColumnName }

// Enter implements ast.Visitor.
func (c *nameCollector) Enter(n ast.Node) (ast.Node, bool) {
	if name, ok := n.(*ast.ColumnName); ok {
		c.found = append(c.found, name)
	}
	return n, false
}

// Leave implements ast.Visitor.
func (c *nameCollector) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// distinctIsIdle says that DISTINCT has nothing to do, since every grouping column is selected: MySQL drops it then.
func (b *binder) distinctIsIdle(block *Block) bool {
	by := block.Select.GroupBy
	if by == nil {
		return true
	}
	keys := map[string]bool{}
	for _, out := range block.Output {
		keys[b.outputKey(out)] = true
	}
	for _, item := range by.Items {
		if _, ok := position(item.Expr); ok {
			continue
		}
		if ref := b.bareColumn(item.Expr); ref != nil && ref.Output >= 0 && ref.Source == nil {
			continue
		}
		if !keys[b.exprKey(item.Expr)] {
			return false
		}
	}
	return true
}

func (b *binder) outputKey(out Output) string {
	if out.Expr != nil {
		return b.exprKey(out.Expr)
	}
	return "`" + out.Source.Name + "`.`" + strings.ToLower(out.Source.Columns[out.Index].Name) + "`"
}

// checkDistinct refuses an ORDER BY that DISTINCT leaves undefined: it uses what is not selected.
func (b *binder) checkDistinct(block *Block) {
	selected, keys := map[colID]bool{}, map[string]bool{}
	for _, out := range block.Output {
		if out.Source != nil {
			selected[colID{out.Source, out.Index}] = true
		}
		keys[b.outputKey(out)] = true
	}
	g := &grouping{binder: b, block: block, known: selected, exprs: keys}
	for _, item := range block.Select.OrderBy.Items {
		if ref := b.bareColumn(item.Expr); ref != nil && ref.Output >= 0 || keys[b.exprKey(item.Expr)] {
			continue
		}
		if bad := g.bad(item.Expr); bad != "" {
			b.issue(Issue{Verdict: refuse("distinct_order", bad, 3065, "ORDER BY uses "+bad+", which SELECT DISTINCT does not select; select it or drop it"), Node: item.Expr, Block: block})
			return
		}
		if hasAggregate(item.Expr) {
			b.issue(Issue{Verdict: refuse("distinct_order", "", 3066, "ORDER BY uses an aggregate that SELECT DISTINCT does not select; select it or drop DISTINCT"), Node: item.Expr, Block: block})
			return
		}
	}
}

// hasAggregate says whether an expression has an aggregate function outside subqueries.
func hasAggregate(expr ast.Node) bool {
	w := &aggregateFinder{}
	expr.Accept(w)
	return w.found
}

type aggregateFinder struct{ found bool }

// Enter implements ast.Visitor.
func (w *aggregateFinder) Enter(n ast.Node) (ast.Node, bool) {
	switch n.(type) {
	case *ast.AggregateFuncExpr:
		w.found = true
	case *ast.SubqueryExpr:
		return n, true
	}
	return n, w.found
}

// Leave implements ast.Visitor.
func (w *aggregateFinder) Leave(n ast.Node) (ast.Node, bool) { return n, true }
