package bind

import (
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/format"

	"nl2sql/sqlcheck/syntax"
)

// ColumnID is one column of one source.
type ColumnID struct {
	Source *Source
	Index  int // into Source.Columns
}

// checkGrouping applies ONLY_FULL_GROUP_BY and the rules of DISTINCT as MySQL 8.0.15 was seen to do: a column must be
// in an aggregate, be a grouping column, or be functionally dependent on the grouping columns.
// Source: MySQL 8.0 Reference Manual, "Detection of Functional Dependence".
func (b *binder) checkGrouping(block *Block) {
	sel := block.Select
	for _, src := range block.Sources {
		if src.Broke {
			return
		}
	}
	if block.Grouped {
		g := b.Dependence().newGrouping(block)
		for i, out := range block.Output {
			if bad := g.badOutput(out); bad != "" && !g.items[i] {
				b.notGrouped(block, bad, "column "+strconv.Itoa(i+1)+" of the select list", out.Expr)
				break
			}
		}
		if sel.OrderBy != nil && sel.GroupBy != nil { // without GROUP BY there is one row, and MySQL drops the ORDER BY
			for _, item := range sel.OrderBy.Items {
				if ref := b.RefOf(item.Expr); ref != nil && ref.Output >= 0 {
					continue
				}
				if bad := g.bad(item.Expr); bad != "" {
					b.notGrouped(block, bad, "ORDER BY", item.Expr)
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
	*Dependence
	block *Block
	known map[ColumnID]bool
	exprs map[string]bool // keys of the grouping expressions that are not bare columns
	items map[int]bool    // items of the select list that GROUP BY names by alias or position
}

func (d *Dependence) newGrouping(block *Block) *grouping {
	g := &grouping{Dependence: d, block: block, known: map[ColumnID]bool{}, exprs: map[string]bool{},
		items: map[int]bool{}}
	if by := block.Select.GroupBy; by != nil {
		for _, item := range by.Items {
			expr := item.Expr
			if n, ok := syntax.Position(expr); ok && n >= 1 && n <= len(block.Output) {
				out := block.Output[n-1]
				g.items[n-1] = true
				if out.Source != nil {
					g.known[ColumnID{out.Source, out.Index}] = true
					continue
				}
				expr = out.Expr
			}
			if ref := d.RefOf(expr); ref != nil {
				switch {
				case ref.Home != block: // one value of a row around
				case ref.Source != nil:
					g.known[ColumnID{ref.Source, ref.Index}] = true
				case ref.Output >= 0 && block.Output[ref.Output].Expr != nil:
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
		d.Close(block, g.known)
	}
	return g
}

// addExpr notes a grouping expression. MySQL never finds two subqueries equal.
func (g *grouping) addExpr(expr ast.ExprNode) {
	if len(syntax.All[*ast.SubqueryExpr](expr)) == 0 {
		g.exprs[g.ExprKey(expr)] = true
	}
}

// badOutput names the first column that an item of the select list may not use, or "".
func (g *grouping) badOutput(out Output) string {
	if out.Expr != nil {
		return g.bad(out.Expr)
	}
	if !g.known[ColumnID{out.Source, out.Index}] {
		return out.Source.Name + "." + out.Source.Columns[out.Index].Name
	}
	return ""
}

// bad names the first column in expr that the grouping does not settle, or "".
func (g *grouping) bad(expr ast.ExprNode) string {
	if len(g.exprs) > 0 && g.exprs[g.ExprKey(expr)] {
		return ""
	}
	bad := ""
	syntax.Visit(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AggregateFuncExpr:
			return false
		case *ast.FuncCallExpr:
			if n.FnName.L == "any_value" || n.FnName.L == "grouping" {
				return false
			}
		case *ast.WindowSpec:
			if bad == "" {
				bad = g.badWindow(n)
			}
			return false
		case *ast.ColumnName:
			ref := g.byName[n]
			if ref == nil || ref.Home != g.block || ref.inAgg || bad != "" {
				return false
			}
			// An alias is looked at where its expression stands.
			if ref.Source != nil && !g.known[ColumnID{ref.Source, ref.Index}] {
				bad = ref.Source.Name + "." + ref.Source.Columns[ref.Index].Name
			}
			return false
		}
		return bad == ""
	})
	return bad
}

func (b *binder) notGrouped(block *Block, bad, where string, node ast.Node) {
	column := bad
	if len(block.Sources) == 1 {
		_, column, _ = strings.Cut(bad, ".")
	}
	if block.Select.GroupBy == nil {
		b.issue(Issue{Fault: fault("not_grouped", column, 1140, where+" uses "+column+
			" beside an aggregate; add GROUP BY "+column+" or aggregate it"), Node: node, Block: block})
		return
	}
	b.issue(Issue{Fault: fault("not_grouped", column, 1055, where+" uses "+column+
		", which is neither grouped nor aggregated; add it to GROUP BY or aggregate it"), Node: node, Block: block})
}

// badWindow looks at each expression that a window parts or sorts the rows by as at one of the select list: it may be
// a grouping expression. Source: Group_check::check_query in sql/aggregate_check.cc.
func (g *grouping) badWindow(spec *ast.WindowSpec) string {
	var items []*ast.ByItem
	if spec.PartitionBy != nil {
		items = append(items, spec.PartitionBy.Items...)
	}
	if spec.OrderBy != nil {
		items = append(items, spec.OrderBy.Items...)
	}
	for _, item := range items {
		if bad := g.bad(item.Expr); bad != "" {
			return bad
		}
	}
	return ""
}

// ExprKey is the text of an expression with its columns named by what they are, so that two spellings of one
// expression have one key.
func (b *Bound) ExprKey(expr ast.ExprNode) string {
	names := syntax.ColumnNames(expr)
	saved := make([]ast.ColumnName, len(names))
	for i, n := range names {
		saved[i] = *n
		n.Schema, n.Name = ast.CIStr{}, ast.NewCIStr(strings.ToLower(n.Name.O))
		if ref := b.byName[n]; ref != nil && ref.Source != nil {
			n.Table = ast.NewCIStr(ref.Source.Name)
			n.Name = ast.NewCIStr(strings.ToLower(ref.Source.Columns[ref.Index].Name))
		}
	}
	var text strings.Builder
	err := syntax.Unparen(expr).Restore(format.NewRestoreCtx(syntax.RestoreFlags, &text))
	for i, n := range names {
		*n = saved[i]
	}
	if err != nil {
		return "" // a tree that cannot be restored is rejected later
	}
	return text.String()
}

// distinctIsIdle says that DISTINCT has nothing to do, since every grouping column is selected: MySQL drops it then.
func (b *Bound) distinctIsIdle(block *Block) bool {
	by := block.Select.GroupBy
	if by == nil {
		return true
	}
	keys := syntax.Set(syntax.Map(block.Output, b.outputKey))
	for _, item := range by.Items {
		if _, ok := syntax.Position(item.Expr); ok {
			continue
		}
		if ref := b.RefOf(item.Expr); ref != nil && ref.Output >= 0 && ref.Source == nil {
			continue
		}
		if !keys[b.ExprKey(item.Expr)] {
			return false
		}
	}
	return true
}

func (b *Bound) outputKey(out Output) string {
	if out.Expr != nil {
		return b.ExprKey(out.Expr)
	}
	return "`" + out.Source.Name + "`.`" + strings.ToLower(out.Source.Columns[out.Index].Name) + "`"
}

// checkDistinct refuses an ORDER BY that DISTINCT leaves undefined: it uses what is not selected.
func (b *binder) checkDistinct(block *Block) {
	selected, keys := map[ColumnID]bool{}, map[string]bool{}
	for _, out := range block.Output {
		if out.Source != nil {
			selected[ColumnID{out.Source, out.Index}] = true
		}
		keys[b.outputKey(out)] = true
	}
	g := &grouping{Dependence: b.Dependence(), block: block, known: selected, exprs: keys}
	for _, item := range block.Select.OrderBy.Items {
		if ref := b.RefOf(item.Expr); ref != nil && ref.Output >= 0 || keys[b.ExprKey(item.Expr)] {
			continue
		}
		if bad := g.bad(item.Expr); bad != "" {
			b.issue(Issue{Fault: fault("distinct_order", bad, 3065, "ORDER BY uses "+bad+
				", which SELECT DISTINCT does not select; select it or drop it"), Node: item.Expr, Block: block})
			return
		}
		if syntax.HasAggregate(item.Expr) {
			b.issue(Issue{Fault: fault("distinct_order", "", 3066,
				"ORDER BY uses an aggregate that SELECT DISTINCT does not select; select it or drop DISTINCT"),
				Node: item.Expr, Block: block})
			return
		}
	}
}
