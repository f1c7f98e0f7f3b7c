package translate

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

func (d *draft) join(n *ast.Join, sc *scope) joined {
	left := d.tableRef(n.Left, sc)
	if n.Right == nil {
		return left
	}
	before := sc.sources
	sc.sources = slices.Concat(before, left.sources) // for LATERAL
	right := d.tableRef(n.Right, sc)
	sc.sources = before
	if ts, ok := n.Right.(*ast.TableSource); ok && ts.Lateral && (n.Tp == ast.RightJoin || n.Tp == ast.LeftJoin &&
		!alwaysJoins(n.On)) {
		refuse("an outer join with LATERAL")
	}
	var word string
	switch n.Tp {
	case ast.LeftJoin:
		word = " LEFT JOIN "
	case ast.RightJoin:
		word = " RIGHT JOIN "
	case ast.CrossJoin, 0: // 0 is NATURAL JOIN
		word = " JOIN "
	default:
		refuse("this kind of join")
	}
	out := joined{sources: slices.Concat(left.sources, right.sources), merged: slices.Concat(left.merged, right.merged)}
	rightSQL := right.sql
	if r, ok := n.Right.(*ast.Join); ok && r.Right != nil {
		rightSQL = "(" + rightSQL + ")"
	} else if ts, ok := n.Right.(*ast.TableSource); ok {
		if _, ok := ts.Source.(*ast.Join); ok {
			rightSQL = "(" + rightSQL + ")"
		}
	}
	on := ""
	names := usingNames(n, left, right)
	switch {
	case names != nil:
		on = d.using(names, n.Tp, left, right, &out)
	case n.On != nil:
		inner := sc.beside(&block{sources: out.sources, merged: out.merged})
		on = " ON " + d.cond(d.expr(n.On.Expr, inner))
		fallthrough
	default:
		out.star = slices.Concat(left.star, right.star)
	}
	out.sql = left.sql + word + rightSQL + on
	return out
}

// alwaysJoins says that a condition is TRUE.
func alwaysJoins(on *ast.OnCondition) bool {
	if on == nil {
		return false
	}
	v, ok := syntax.Unparen(on.Expr).(ast.ValueExpr)
	return ok && v.GetValue() == int64(1)
}

// usingNames are the columns of USING or a natural join; nil if it is neither.
func usingNames(n *ast.Join, left, right joined) (names []string) {
	for _, c := range n.Using {
		names = append(names, c.Name.O)
	}
	if n.NaturalJoin {
		names = []string{}
		for _, c := range left.star {
			if _, ok := find(right.star, c.name); ok {
				names = append(names, c.name)
			}
		}
	}
	return names
}

// using joins over columns of the same name. They come first in *, once.
func (d *draft) using(names []string, tp ast.JoinType, left, right joined, out *joined) string {
	var conds []string
	isNamed := func(c sourceColumn) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, c.name) })
	}
	first := left.star // MySQL turns RIGHT JOIN around, the columns of USING with it
	if tp == ast.RightJoin {
		first = right.star
	}
	var merged []sourceColumn
	for _, c := range first {
		if !isNamed(c) {
			continue
		}
		l, _ := find(left.star, c.name) // the checker has found both
		r, _ := find(right.star, c.name)
		conds = append(conds, d.compare("=", l, r))
		keep := l
		if tp == ast.RightJoin {
			keep = r
		}
		merged = append(merged, sourceColumn{c.name, keep, false})
	}
	out.star = merged
	rest := func(cols []sourceColumn) {
		for _, c := range cols {
			if !isNamed(c) {
				out.star = append(out.star, c)
			}
		}
	}
	if tp == ast.RightJoin {
		rest(right.star)
		rest(left.star)
	} else {
		rest(left.star)
		rest(right.star)
	}
	out.merged = append(merged, slices.DeleteFunc(out.merged, isNamed)...)
	if len(conds) == 0 {
		return " ON 1"
	}
	return " ON " + strings.Join(conds, " AND ")
}
