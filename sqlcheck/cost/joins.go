package cost

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// Budget of a FROM clause. A server gets through some ten million combined rows a second.
const (
	maxJoinRows  = 100_000_000 // rows that the tables of one FROM may make if unjoined tables multiply
	unknownRows  = 1_000       // of a table whose size is not known
	constantHelp = 10          // an equality with a constant divides a table's rows by this
	jsonCells    = 10          // rows that JSON_TABLE makes of a document, mostly
)

// Joins refuses a FROM clause whose tables are not tied together and multiply beyond the budget.
func Joins(b *bind.Bound) bind.Fault {
	c := &coster{bound: b, sizes: map[*bind.Block]fromSize{}}
	for _, block := range b.Blocks {
		if rows := c.block(block); rows > maxJoinRows && c.sizes[block].times > 1 {
			v := over("cartesian_product", strconv.FormatFloat(rows, 'g', 2, 64)+" rows", 0)
			v.Hint = "join " + bind.JoinSome(syntax.Map(block.Sources, bind.SourceName), 6) + " on their keys"
			return v
		}
	}
	return c.recursions()
}

// recursions refuses a table that reads itself and multiplies at each step: what it is joined with must be tied to it,
// and a derived table by a key, so that it gives one row.
func (c *coster) recursions() bind.Fault {
	for _, block := range c.bound.Blocks {
		self := slices.IndexFunc(block.Sources, func(src *bind.Source) bool {
			return src.Inner != nil && c.inside(src.Inner, block)
		})
		if self < 0 {
			continue
		}
		keys, known := c.bound.Dependence(), map[bind.ColumnID]bool{}
		for _, i := range block.Sources[self].All() {
			known[bind.ColumnID{Source: block.Sources[self], Index: i}] = true
		}
		keys.Close(block, known)
		group, _ := keys.Groups(block)
		for i, src := range block.Sources {
			tied := group[i] == group[self]
			if src.Table == nil && i != self {
				tied = keys.OneRow(src, known, 0) || src.Inner != nil && c.query(src.Inner) <= 1
			}
			if !tied {
				return over("unbounded_recursion", block.Sources[self].Name, 0)
			}
		}
	}
	return bind.Fault{}
}

// inside says that a block is one of the SELECTs of a table that reads itself.
func (c *coster) inside(q *bind.Query, block *bind.Block) bool {
	all := c.bound.Queries[q.Node]
	return q.Recursive() && all != nil &&
		slices.ContainsFunc(all.Parts, func(part *bind.Query) bool { return part.Block == block })
}

type coster struct {
	bound *bind.Bound
	sizes map[*bind.Block]fromSize
}

type fromSize struct{ rows, times float64 } // times that the largest table is gone through: 1 if all are joined

// block estimates the rows that FROM makes: tables that equalities tie together count as their largest one,
// groups of tied tables multiply.
func (c *coster) block(block *bind.Block) float64 {
	if size, ok := c.sizes[block]; ok {
		return size.rows
	}
	c.sizes[block] = fromSize{rows: 1} // a recursive table has no size of its own
	size := syntax.Map(block.Sources, func(src *bind.Source) float64 { return rowsOf(src, c.query) })
	group, fixed := c.bound.Dependence().Groups(block)
	for _, src := range fixed {
		size[slices.Index(block.Sources, src)] /= constantHelp
	}
	c.tie(block, group)
	largest := map[int]float64{}
	for i := range group {
		largest[group[i]] = max(largest[group[i]], size[i], 1)
	}
	rows, most := 1.0, 1.0
	for _, n := range largest {
		rows *= n
		most = max(most, n)
	}
	c.sizes[block] = fromSize{rows, rows / most}
	return rows
}

// tie gives one number to sources that an equality of expressions ties together, HOUR(a.x) = b.y as a.x = b.y.
func (c *coster) tie(block *bind.Block, group []int) {
	if len(group) == 0 || slices.Min(group) == slices.Max(group) { // they are tied
		return
	}
	of := func(side ast.ExprNode) int { // the source of all its columns
		at := -1
		for _, name := range syntax.ColumnNames(side) {
			ref := c.bound.Ref(name)
			if ref == nil || ref.Source == nil || at >= 0 && ref.Source != block.Sources[at] {
				return -1
			}
			at = slices.Index(block.Sources, ref.Source)
		}
		return at
	}
	for _, cond := range block.Conditions() {
		if op, is := cond.(*ast.BinaryOperationExpr); is && op.Op == opcode.EQ {
			if l, r := of(op.L), of(op.R); l >= 0 && r >= 0 {
				bind.Tie(group, l, r)
			}
		}
	}
}

// rowsOf is how many rows a source has, where query tells it of derived tables.
func rowsOf(src *bind.Source, query func(q *bind.Query) float64) float64 {
	switch {
	case src.Table != nil && src.Table.Rows > 0:
		return float64(src.Table.Rows)
	case src.Inner != nil:
		return query(src.Inner)
	}
	return unknownRows
}

// query estimates the rows of a derived table.
func (c *coster) query(q *bind.Query) float64 {
	switch {
	case q.Block != nil && syntax.JSONTableOf(q.Block.Select) != nil:
		return jsonCells
	case q.Block != nil:
		if q.Block.Grouped && q.Block.Select.GroupBy == nil {
			return 1
		}
		rows := c.block(q.Block)
		if q.Block.Select.GroupBy != nil || q.Block.Select.Distinct {
			rows = min(rows, unknownRows)
		}
		if n, ok := limitOf(q.Block.Select.Limit); ok {
			rows = min(rows, n)
		}
		return rows
	case len(q.Parts) > 0:
		return total(syntax.Map(q.Parts, c.query))
	}
	return unknownRows
}

func limitOf(l *ast.Limit) (float64, bool) {
	if l == nil {
		return 0, false
	}
	n, ok := syntax.LiteralCount(l.Count)
	return float64(n), ok
}

// Unbounded is the name of a recursive table that nothing bounds, "" if there is none. What bounds one is a LIMIT, a
// comparison in the direction in which it counts, or a join with another table. Servers have a bound of their own
// (1,001 rounds), other engines none.
func Unbounded(with *ast.WithClause) string {
	if !with.IsRecursive {
		return ""
	}
	for _, cte := range with.CTEs {
		set, ok := cte.Query.Query.(*ast.SetOprStmt)
		if !ok || set.Limit != nil {
			continue
		}
		for _, node := range set.SelectList.Selects {
			sel, ok := node.(*ast.SelectStmt)
			if ok && sel.From != nil && reads(sel.From, cte.Name.L) && !bounded(sel, cte.Name.L) {
				return cte.Name.O
			}
			if list, ok := node.(*ast.SetOprSelectList); ok && reads(list, cte.Name.L) {
				return cte.Name.O
			}
		}
	}
	return ""
}

// reads says whether a tree names a table.
func reads(n ast.Node, table string) bool {
	found, _ := namedTables(n, table)
	return found > 0
}

// namedTables counts how often a tree names a table, and others.
func namedTables(n ast.Node, table string) (found, others int) {
	for _, t := range syntax.All[*ast.TableName](n) {
		if t.Name.L == table {
			found++
		} else {
			others++
		}
	}
	return found, others
}

func bounded(sel *ast.SelectStmt, name string) bool {
	found, others := namedTables(sel.From, name)
	if found > 1 {
		return false
	}
	var ends recursionEnds
	syntax.Visit(sel.From, ends.condition)
	if sel.Where != nil {
		syntax.Visit(sel.Where, ends.condition)
	}
	if others > 0 && (ends.equal || ends.using) {
		return true
	}
	syntax.Visit(sel.Fields, ends.step)
	return ends.upper && (ends.up || !ends.down) || ends.lower && ends.down && !ends.up
}

// recursionEnds is what can end a recursion: comparisons, and which way it counts.
type recursionEnds struct{ equal, using, upper, lower, up, down bool }

// condition looks for comparisons.
func (w *recursionEnds) condition(n ast.Node) (deeper bool) {
	switch n := n.(type) {
	case *ast.Join:
		w.using = w.using || len(n.Using) > 0 || n.NaturalJoin
	case *ast.SubqueryExpr:
		return false
	case *ast.BetweenExpr:
		w.upper, w.lower = true, true
	case *ast.BinaryOperationExpr:
		left, right := hasColumn(n.L), hasColumn(n.R)
		switch n.Op {
		case opcode.LogicOr:
			return false // either side may be true for ever
		case opcode.EQ:
			w.equal = w.equal || left && right
		case opcode.LT, opcode.LE:
			w.upper, w.lower = w.upper || left, w.lower || right
		case opcode.GT, opcode.GE:
			w.upper, w.lower = w.upper || right, w.lower || left
		}
	}
	return true
}

func hasColumn(n ast.Node) bool { return len(syntax.ColumnNames(n)) > 0 }

// step looks at which way the recursion counts.
func (w *recursionEnds) step(n ast.Node) (deeper bool) {
	switch n := n.(type) {
	case *ast.BinaryOperationExpr:
		switch n.Op {
		case opcode.Plus, opcode.Mul:
			w.up = true
		case opcode.Minus, opcode.Div, opcode.IntDiv:
			w.down = true
		}
	case *ast.FuncCallExpr:
		switch {
		case strings.HasPrefix(n.FnName.L, "date_sub"), n.FnName.L == "subdate":
			w.down = true
		case strings.HasPrefix(n.FnName.L, "date_add"), n.FnName.L == "adddate", n.FnName.L == "timestampadd":
			w.up = true
		}
	}
	return true
}
