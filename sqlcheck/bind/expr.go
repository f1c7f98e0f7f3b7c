package bind

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

// exprBinder walks one expression of one clause.
type exprBinder struct {
	*binder
	block   *Block
	ctes    *cteScope
	aggs    []int // of the aggregates around the current node: their first name in Bound.Columns
	windows int
}

// bindExpr resolves the names of an expression and says how many window functions it has of its own.
func (b *binder) bindExpr(block *Block, in Clause, expr ast.Node, ctes *cteScope) int {
	outer := block.clause
	block.clause = in
	w := &exprBinder{binder: b, block: block, ctes: ctes}
	expr.Accept(w)
	block.clause = outer
	return w.windows
}

func (b *binder) bindWindow(block *Block, spec *ast.WindowSpec, ctes *cteScope) {
	bind := func(in Clause, items []*ast.ByItem) {
		for _, item := range items {
			if n, ok := syntax.Position(item.Expr); ok {
				b.issue(Issue{Fault: fault("bad_window", strconv.Itoa(n), 3592,
					"a window takes expressions, not positions"), Node: item, Block: block})
			}
			b.bindExpr(block, in, item.Expr, ctes)
		}
	}
	if spec.PartitionBy != nil {
		bind(InPartition, spec.PartitionBy.Items)
	}
	if spec.OrderBy != nil {
		bind(InWinOrder, spec.OrderBy.Items)
	}
}

// Enter implements ast.Visitor.
func (w *exprBinder) Enter(n ast.Node) (ast.Node, bool) {
	switch n := n.(type) {
	case *ast.ColumnNameExpr:
		ref := w.newRef(w.block, w.block.clause, n)
		ref.inAgg = len(w.aggs) > 0
		w.resolve(ref)
		return n, true
	case *ast.MatchAgainst:
		for _, name := range n.ColumnNames {
			ref := w.newRef(w.block, w.block.clause, &ast.ColumnNameExpr{Name: name})
			ref.inAgg = len(w.aggs) > 0
			w.resolve(ref)
		}
	case *ast.SubqueryExpr:
		q := w.bindQuery(n.Query, w.block, w.ctes)
		w.checkWidth(n, len(q.Output))
		return n, true
	case *ast.RowExpr:
		w.checkWidth(n, len(n.Values))
	case *ast.ExistsSubqueryExpr:
		w.expect[n.Sel] = -1
	case *ast.PatternInExpr:
		w.expectIn(n)
		w.checkLimit(n.Sel)
	case *ast.BinaryOperationExpr:
		if syntax.Comparison(n.Op) {
			w.expectBoth(n.L, n.R)
		}
	case *ast.CompareSubqueryExpr:
		w.expectBoth(n.L, n.R)
		w.checkLimit(n.R)
	case *ast.AggregateFuncExpr:
		w.aggs = append(w.aggs, len(w.Columns))
		w.block.inAgg = true
	case *ast.WindowFuncExpr:
		w.windows++
		w.Windows = true
		w.checkWindow(n)
		for _, arg := range n.Args {
			arg.Accept(w)
		}
		w.bindWindow(w.block, &n.Spec, w.ctes)
		return n, true
	}
	return n, false
}

// Leave implements ast.Visitor.
func (w *exprBinder) Leave(n ast.Node) (ast.Node, bool) {
	if agg, ok := n.(*ast.AggregateFuncExpr); ok {
		use := w.aggs[len(w.aggs)-1]
		w.aggs = w.aggs[:len(w.aggs)-1]
		w.block.inAgg = len(w.aggs) > 0
		w.place(agg, w.Columns[use:])
	}
	return n, true
}

// place finds the block that an aggregate belongs to: the innermost one that its names come from if it may have
// aggregates there, else its own.
func (w *exprBinder) place(agg *ast.AggregateFuncExpr, args []*ColumnRef) {
	home, resolved := w.block, 0
	var deepest *Block
	for _, ref := range args {
		if ref.Home == nil {
			continue
		}
		resolved++
		if deepest == nil || ref.Home.Depth() > deepest.Depth() {
			deepest = ref.Home
		}
	}
	if resolved > 0 && deepest.Depth() < w.block.Depth() && !noAggregate(deepest.clause) {
		home = deepest
	}
	name := strings.ToUpper(agg.F)
	switch {
	case home == w.block && len(w.aggs) > 0, home != w.block && home.inAgg:
		w.issue(Issue{Fault: fault("bad_aggregate", name, 1111,
			"aggregates cannot be nested; compute the inner one in a derived table"), Node: agg, Block: w.block})
	case home.clause == InWhere:
		w.issue(Issue{Fault: fault("bad_aggregate", name, 1111, "WHERE cannot use "+name+
			"; use HAVING behind GROUP BY, or a subquery"), Node: agg, Block: home})
	case noAggregate(home.clause):
		w.issue(Issue{Fault: fault("bad_aggregate", name, 1111, name+" cannot stand in the "+string(home.clause)+
			"; use HAVING, or a subquery"), Node: agg, Block: home})
	default:
		home.Aggregate = true
	}
	for _, ref := range args {
		ref.inAgg = true
	}
}

// noAggregate names the clauses that are worked out before there are groups.
func noAggregate(in Clause) bool { return in == InWhere || in == InOn || in == InGroup || in == InFrom }

// checkWindow refuses a window function where MySQL does.
func (w *exprBinder) checkWindow(n *ast.WindowFuncExpr) {
	name := strings.ToUpper(n.Name)
	if slices.Contains([]Clause{InWhere, InOn, InGroup, InHaving}, w.block.clause) {
		w.issue(Issue{Fault: fault("bad_window", name, 3593, name+" OVER cannot stand in the "+string(w.block.clause)+
			"; compute it in a derived table"), Node: n, Block: w.block})
	}
	if len(w.aggs) > 0 {
		w.issue(Issue{Fault: fault("bad_window", name, 3593,
			name+" OVER cannot stand in an aggregate; compute it in a derived table"), Node: n, Block: w.block})
	}
	for _, ref := range []string{n.Spec.Name.O, n.Spec.Ref.O} {
		if ref != "" && !hasWindow(w.block.Select, ref) {
			w.issue(Issue{Fault: fault("unknown_window", ref, 3579, "there is no window "+ref+" in the WINDOW clause"),
				Node: n, Block: w.block})
		}
	}
}

func hasWindow(sel *ast.SelectStmt, name string) bool {
	named := func(w ast.WindowSpec) bool { return strings.EqualFold(w.Name.O, name) }
	return sel != nil && slices.ContainsFunc(sel.WindowSpecs, named)
}

// checkLimit refuses LIMIT right in a subquery behind IN, ALL, ANY or SOME.
func (w *exprBinder) checkLimit(n ast.ExprNode) {
	sub, ok := n.(*ast.SubqueryExpr)
	if !ok {
		return
	}
	var limit *ast.Limit
	switch q := sub.Query.(type) {
	case *ast.SelectStmt:
		limit = q.Limit
	case *ast.SetOprStmt:
		limit = q.Limit
	}
	if limit != nil {
		w.issue(Issue{Fault: fault("limit_in_subquery", "", 1235,
			"MySQL allows no LIMIT in a subquery behind IN, ALL or ANY; put the subquery into a derived table"),
			Node: sub, Block: w.block})
	}
}

// width is the number of columns of an expression; 0 if it is not known before it is bound.
func (w *exprBinder) width(expr ast.ExprNode) int {
	switch e := syntax.Unparen(expr).(type) {
	case *ast.RowExpr:
		return len(e.Values)
	case *ast.SubqueryExpr:
		sel := e.Query
		if set, ok := sel.(*ast.SetOprStmt); ok {
			first, _ := set.SelectList.Selects[0].(*ast.SelectStmt)
			if first == nil {
				return 0
			}
			sel = first
		}
		if s, ok := sel.(*ast.SelectStmt); ok && s.Fields != nil {
			for _, f := range s.Fields.Fields {
				if f.WildCard != nil {
					return 0
				}
			}
			return len(s.Fields.Fields)
		}
		return 0
	}
	return 1
}

// expectBoth makes the right side as wide as the left one.
func (w *exprBinder) expectBoth(l, r ast.ExprNode) {
	l, r = syntax.Unparen(l), syntax.Unparen(r)
	n := cmp.Or(w.width(l), -1)
	w.expect[l], w.expect[r] = n, n
	if n > 1 && w.width(r) == 1 {
		w.badWidth(r, n)
	}
}

func (w *exprBinder) expectIn(n *ast.PatternInExpr) {
	width := cmp.Or(w.width(n.Expr), -1)
	w.expect[syntax.Unparen(n.Expr)] = width
	if n.Sel != nil {
		w.expect[n.Sel] = width
	}
	for _, item := range n.List {
		item = syntax.Unparen(item)
		w.expect[item] = width
		if width > 1 && w.width(item) == 1 {
			w.badWidth(item, width)
		}
	}
}

func (w *exprBinder) checkWidth(n ast.Node, have int) {
	want, ok := w.expect[n]
	if !ok {
		want = 1
	}
	if want >= 0 && have != want && have > 0 {
		w.badWidth(n, want)
	}
}

func (w *exprBinder) badWidth(n ast.Node, want int) {
	text := "a subquery used as a value must select one column"
	if want > 1 {
		text = "both sides must have the same number of columns"
	}
	w.issue(Issue{Fault: fault("operand_columns", "", 1241, text), Node: n, Block: w.block})
}
