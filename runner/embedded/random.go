package embedded

import (
	"database/sql/driver"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"modernc.org/sqlite"
)

// seededRandoms gives rows the numbers of RAND(seed), one after the other.
// Source: Item_func_rand::seed_random in sql/item_func.cc, randominit and my_rnd in sql-common/my_rnd.cc.
type seededRandoms struct {
	started bool
	s1, s2  uint64
}

const randomLimit = 0x3FFFFFFF

func (r *seededRandoms) Step(_ *sqlite.FunctionContext, a []driver.Value) error {
	if !r.started {
		seed := uint64(0)
		if a[0] != nil {
			seed = uint64(uint32(whole(a[0])))
		}
		r.started = true
		r.s1 = uint64(uint32(seed*0x10001+55555555)) % randomLimit
		r.s2 = uint64(uint32(seed*0x10000001)) % randomLimit
	}
	r.s1 = (r.s1*3 + r.s2) % randomLimit
	r.s2 = (r.s1 + r.s2 + 33) % randomLimit
	return nil
}

func (*seededRandoms) WindowInverse(*sqlite.FunctionContext, []driver.Value) error {
	return errNoWindow
}

func (r *seededRandoms) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	return float64(r.s1) / randomLimit, nil
}

func (*seededRandoms) Final(*sqlite.FunctionContext) {}

// seededOrder are the sort keys by which the rows of a query block get the numbers of RAND(seed); "" where MySQL's plan decides.
// It does not with all the rows of one table that has no index but its primary key: they are read in that key's order, and where
// they are sorted by columns MySQL computes the select list behind that.
func (d *dialect) seededOrder(n *ast.SelectStmt, sc *scope) string {
	if d.depth > 1 || len(sc.sources) != 1 || sc.sources[0].key == nil || n.Where != nil || n.GroupBy != nil || n.Having != nil || n.Distinct || hasAggregate(n) || hasWindow(n.Fields) {
		return ""
	}
	table := sc.sources[0]
	var keys []string
	for _, name := range table.key {
		k, ok := find(table.cols, name)
		if !ok {
			return ""
		}
		keys = append(keys, d.sortKey(k))
	}
	for _, c := range table.cols {
		if c.lead && !strings.EqualFold(c.name, table.key[0]) {
			return ""
		}
	}
	if n.OrderBy == nil {
		return strings.Join(keys, ", ")
	}
	var sorted []string
	left := map[string]bool{} // the keys that the order does not have yet
	for _, k := range keys {
		left[k] = true
	}
	for _, item := range n.OrderBy.Items {
		_, position := item.Expr.(*ast.PositionExpr)
		if position && slices.ContainsFunc(n.Fields.Fields, func(f *ast.SelectField) bool { return f.WildCard != nil }) { // moves the positions
			return ""
		}
		e := bare(aliased(item.Expr, n.Fields))
		if hasRandom(e) {
			return strings.Join(keys, ", ")
		}
		c, ok := e.(*ast.ColumnNameExpr)
		if !ok {
			return ""
		}
		v, ok := find(table.cols, c.Name.Name.O)
		if !ok {
			return ""
		}
		key := d.sortKey(v)
		delete(left, key)
		sorted = append(sorted, key+direction(item.Desc))
	}
	if len(left) > 0 { // rows may be tied
		return ""
	}
	return strings.Join(sorted, ", ")
}

// hasRandom says that RAND or UUID stands in e.
func hasRandom(e ast.Node) (found bool) {
	visitBlock(e, func(n ast.Node) {
		f, ok := n.(*ast.FuncCallExpr)
		found = found || ok && (f.FnName.L == "rand" || f.FnName.L == "uuid")
	})
	return found
}
