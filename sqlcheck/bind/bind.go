// Package bind says what the names of a statement mean in a schema, and what MySQL would refuse about them. That is an
// Issue: unknown and ambiguous names, misplaced aggregates, columns that GROUP BY does not settle. It knows no policy
// and no question. Begin with Bind; the files are the clauses. It imports schema and syntax. Its tests ask through
// Check and stand in sqlcheck: bind_test.go, labels_test.go, analysts_test.go and mysql8_test.go.
package bind

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Bound is a statement whose names are resolved as MySQL 8 resolves them, except that table names and aliases match
// whatever their case. Guards read it to see what a name means; the tree in it may be rewritten and bound again.
type Bound struct {
	Stmt    ast.StmtNode
	Schema  *schema.Schema
	Blocks  []*Block     // every query block, an enclosing block before those in it
	Columns []*ColumnRef // every use of a column name, resolved or not, in the order of binding
	Output  []Output     // the result's columns, stars expanded
	Windows bool         // there is a window function
	byName  map[*ast.ColumnName]*ColumnRef
	Queries map[ast.Node]*Query // what a subquery's or derived table's node was bound to
}

// Ref is what a column name in the tree was resolved to, or nil if the name is not part of the statement.
func (b *Bound) Ref(name *ast.ColumnName) *ColumnRef { return b.byName[name] }

// RefOf is the reference that expr is, parentheses aside, or nil if it is something else.
func (b *Bound) RefOf(expr ast.ExprNode) *ColumnRef {
	if col, ok := syntax.Unparen(expr).(*ast.ColumnNameExpr); ok {
		return b.byName[col.Name]
	}
	return nil
}

// Tables lists the base tables that the statement reads, as the schema spells them, each once, in order of first use.
func (b *Bound) Tables() (out []string) {
	for _, block := range b.Blocks {
		for _, src := range block.Sources {
			if src.Table != nil && !slices.Contains(out, src.Table.Name) {
				out = append(out, src.Table.Name)
			}
		}
	}
	return out
}

// Clause is where in a query block a name stands, in the words of MySQL's messages.
type Clause string

// The clauses of a query block.
const (
	InFields    Clause = "field list"
	InFrom      Clause = "from clause" // USING
	InOn        Clause = "on clause"
	InWhere     Clause = "where clause"
	InGroup     Clause = "group statement"
	InHaving    Clause = "having clause"
	InOrder     Clause = "order clause"
	InPartition Clause = "window partition by"
	InWinOrder  Clause = "window order by"
)

// Block is one SELECT of a statement.
type Block struct {
	Select  *ast.SelectStmt
	Outer   *Block    // the block that encloses it, nil at the top
	Sources []*Source // what FROM names, left to right
	Output  []Output  // the select list, stars expanded
	Grouped bool      // it has GROUP BY or aggregates over all rows

	full      scope  // the names that FROM offers
	scope     *scope // the names in reach of the clause that is being bound
	clause    Clause
	inAgg     bool // an aggregate of this block is being bound
	groupRefs []*ColumnRef
	Aggregate bool // has an aggregate function of its own
	joins     []joinOn
	facts     []Equality // of WHERE and of the joins, once they were asked for
	factsRead bool
}

// Depth counts the blocks around b.
func (b *Block) Depth() (n int) {
	for ; b.Outer != nil; b = b.Outer {
		n++
	}
	return n
}

// Source is one table, derived table or common table expression in a FROM clause.
type Source struct {
	Name    string        // alias, or else the table's name as the schema spells it
	Table   *schema.Table // nil for derived tables and common table expressions
	Node    *ast.TableSource
	Block   *Block // whose FROM it is in
	Columns []SourceColumn
	Weak    bool // rows may be all NULL: the inner side of an outer join

	Inner *Query // of a derived table or common table expression
	Broke bool   // its columns are not known: a name in it is never wrong

	hidden bool // a common table expression has its bare name: only the database's in front of it reaches the table
}

// SourceColumn is one column that a source offers.
type SourceColumn struct {
	Name   string
	Table  *schema.Table  // the base table it comes from unchanged, or nil
	Column *schema.Column // the base column it is, or nil
}

// Output is one column of a block's result.
type Output struct {
	Label  string           // MySQL's column label
	Field  *ast.SelectField // nil for an output of a set operation
	Expr   ast.ExprNode     // nil where a star was expanded
	Source *Source          // where a bare column comes from, or nil
	Index  int              // into Source.Columns
	Table  *schema.Table    // the base table that a bare column comes from, or nil
	Column *schema.Column   // the base column that it is, or nil

	named     bool // has an alias or is a bare column
	Aggregate bool
	Window    bool
}

// ColumnRef is one use of a column name.
type ColumnRef struct {
	Name   *ast.ColumnName
	Block  *Block // where the name stands
	Clause Clause
	Pos    int // byte offset in the statement; 0 is also unknown

	Home   *Block  // the block it resolves in: Block or one around it; nil if it does not resolve
	Source *Source // nil if it does not resolve to a column of FROM
	Index  int     // into Source.Columns
	Output int     // index into Home.Output where the name is resolved through the select list, else -1
	inAgg  bool    // an argument of an aggregate function of Home
}

// Column is the base table and column behind a name, nil for computed columns and unresolved names; of nil, too.
func (r *ColumnRef) Column() (*schema.Table, *schema.Column) {
	if r == nil || r.Source == nil {
		return nil, nil
	}
	c := r.Source.Columns[r.Index]
	return c.Table, c.Column
}

// Query is a SELECT or set operation with what it returns.
type Query struct {
	Node    ast.Node // the SELECT or set operation
	Output  []Output
	Block   *Block   // nil for a set operation
	Parts   []*Query // of a set operation: its SELECTs; the first one names the columns
	derived bool     // read as a table, so its column labels are names
}

// derive marks q as read as a table.
func (q *Query) derive() {
	q.derived = true
	if len(q.Parts) > 0 {
		q.Parts[0].derive()
	}
}

// columns is what the query offers as a derived table with the given column names (none: its own).
func (q *Query) columns(names []ast.CIStr) []SourceColumn {
	cols := make([]SourceColumn, len(q.Output))
	for i, out := range q.Output {
		cols[i] = SourceColumn{out.Label, out.Table, out.Column}
		if i < len(names) {
			cols[i].Name = names[i].O
		}
	}
	return cols
}

// cteScope is a chain of WITH clauses, innermost first.
type cteScope struct {
	name    string
	query   *Query
	columns []SourceColumn
	up      *cteScope
}

func (s *cteScope) find(name string) *cteScope {
	for ; s != nil; s = s.up {
		if strings.EqualFold(s.name, name) {
			return s
		}
	}
	return nil
}

// binder walks one statement.
type binder struct {
	*Bound
	issues []Issue
	refs   []ColumnRef      // made together
	expect map[ast.Node]int // columns that a subquery or row in this place may have; 1 if not listed, -1 for any
}

// usualNames is how many names most statements have at most.
const usualNames = 16

// OnBind is called with the schema of each statement whose names are resolved, where a test counts; it is set before
// the first.
var OnBind func(s *schema.Schema)

// Bind resolves every name in stmt. The issues come in the order in which MySQL looks: the first is its error.
func Bind(stmt ast.StmtNode, s *schema.Schema) (*Bound, []Issue) {
	if OnBind != nil {
		OnBind(s)
	}
	b := &binder{
		Bound: &Bound{
			Stmt: stmt, Schema: s, Columns: make([]*ColumnRef, 0, usualNames),
			byName: make(map[*ast.ColumnName]*ColumnRef, usualNames), Queries: map[ast.Node]*Query{},
		},
		expect: map[ast.Node]int{},
	}
	b.Output = b.bindQuery(stmt, nil, nil).Output
	slices.SortStableFunc(b.issues, func(x, y Issue) int { // MySQL opens every table before it looks at a column
		return tableFirst(x) - tableFirst(y)
	})
	return b.Bound, b.issues
}

func tableFirst(i Issue) int {
	if i.Code == 1146 {
		return 0
	}
	return 1
}

// bindQuery binds a SELECT or a set operation inside outer.
func (b *binder) bindQuery(node ast.Node, outer *Block, ctes *cteScope) (q *Query) {
	switch n := node.(type) {
	case *ast.SelectStmt:
		q = b.bindSelect(n, outer, ctes)
	case *ast.SetOprStmt:
		q = b.bindSetOpr(n.With, n.SelectList.Selects, n.OrderBy, outer, ctes)
	case *ast.SetOprSelectList:
		q = b.bindSetOpr(n.With, n.Selects, n.OrderBy, outer, ctes)
	default:
		q = &Query{}
	}
	q.Node = node
	b.Queries[node] = q
	return q
}

func (b *binder) bindSelect(sel *ast.SelectStmt, outer *Block, ctes *cteScope) *Query {
	block := &Block{Select: sel, Outer: outer}
	b.Blocks = append(b.Blocks, block)
	ctes = b.bindWith(sel.With, outer, ctes)
	if sel.From != nil {
		block.full, _ = b.bindFrom(block, sel.From.TableRefs, ctes)
	}
	block.scope = &block.full
	if sel.Fields != nil {
		b.bindFields(block, sel.Fields.Fields, ctes)
	}
	if sel.Where != nil {
		b.bindExpr(block, InWhere, sel.Where, ctes)
	}
	for i := range block.joins {
		if on := &block.joins[i]; on.cond != nil {
			block.scope = &on.scope
			b.bindExpr(block, InOn, on.cond, ctes)
		}
	}
	block.scope = &block.full
	if sel.GroupBy != nil {
		block.Grouped = true
		for _, item := range sel.GroupBy.Items {
			b.bindGroupItem(block, item, ctes)
		}
	}
	if sel.Having != nil {
		b.bindExpr(block, InHaving, sel.Having.Expr, ctes)
	}
	for i := range sel.WindowSpecs {
		b.bindWindow(block, &sel.WindowSpecs[i], ctes)
	}
	grouped := block.Grouped || block.Aggregate
	if sel.OrderBy != nil {
		for _, item := range sel.OrderBy.Items {
			b.bindOrderItem(block, item, ctes)
		}
	}
	if block.Aggregate && !grouped {
		b.issue(Issue{Fault: fault("bad_aggregate", "ORDER BY", 3029,
			"ORDER BY has an aggregate function but the query has no GROUP BY; add GROUP BY or order by a column"),
			Block: block})
	}
	block.Grouped = grouped
	b.checkGrouping(block)
	return &Query{Output: block.Output, Block: block}
}

// bindWith binds the common table expressions of a WITH clause and returns the scope with them.
func (b *binder) bindWith(with *ast.WithClause, outer *Block, ctes *cteScope) *cteScope {
	if with == nil {
		return ctes
	}
	seen := map[string]bool{}
	for _, cte := range with.CTEs {
		if seen[cte.Name.L] {
			b.issue(Issue{Fault: fault("duplicate_alias", cte.Name.O, 1066, "two common table expressions are called "+
				cte.Name.O), Node: cte})
		}
		seen[cte.Name.L] = true
		entry := &cteScope{name: cte.Name.O, up: ctes}
		if set, ok := cte.Query.Query.(*ast.SetOprStmt); ok && with.IsRecursive {
			// The first SELECT, which does not read the table, says what columns it has.
			first := set.SelectList.Selects[0]
			issues, columns, blocks := b.issues, b.Columns, b.Blocks // which looking ahead adds to
			q := b.bindQuery(first, outer, b.bindWith(set.With, outer, ctes))
			b.issues, b.Columns, b.Blocks = issues, columns, blocks
			entry.query = &Query{Node: set, Output: q.Output}
			entry.columns = q.columns(cte.ColNameList)
			b.bindQuery(set, outer, entry).derive()
		} else {
			entry.query = b.bindQuery(cte.Query.Query, outer, ctes)
			entry.query.derive()
			entry.columns = entry.query.columns(cte.ColNameList)
		}
		if n := len(cte.ColNameList); n > 0 && n != len(entry.query.Output) {
			b.issue(Issue{Fault: fault("column_count", cte.Name.O, 1353, "the column list of "+cte.Name.O+
				" and its SELECT have different column counts"), Node: cte})
		}
		b.checkDuplicates(entry.columns, cte)
		ctes = entry
	}
	return ctes
}

// checkDuplicates rejects a derived table that has a column name twice.
func (b *binder) checkDuplicates(cols []SourceColumn, node ast.Node) {
	for i, col := range cols {
		if slices.ContainsFunc(cols[:i], func(c SourceColumn) bool { return strings.EqualFold(c.Name, col.Name) }) {
			b.issue(Issue{Fault: fault("duplicate_column", col.Name, 1060, "a derived table has two columns "+col.Name+
				"; give one of them another alias"), Node: node})
			return
		}
	}
}

func (b *binder) bindSetOpr(with *ast.WithClause, selects []ast.Node, order *ast.OrderByClause, outer *Block,
	ctes *cteScope) *Query {
	ctes = b.bindWith(with, outer, ctes)
	var parts []*Query
	for _, sel := range selects {
		parts = append(parts, b.bindQuery(sel, outer, ctes))
		if len(parts[len(parts)-1].Output) != len(parts[0].Output) {
			b.issue(Issue{Fault: fault("column_count", "", 1222,
				"the SELECTs of a set operation have different numbers of columns"), Node: sel})
		}
	}
	q := &Query{Parts: parts, Output: syntax.Map(parts[0].Output, func(out Output) Output {
		return Output{Label: out.Label, Table: out.Table, Column: out.Column, named: true}
	})}
	if order != nil {
		// ORDER BY of a set operation sees the columns of the first SELECT and nothing else.
		first := []*Source{{Columns: q.columns(nil)}}
		block := &Block{Outer: outer, full: scope{sources: first, visible: visibles(first)}}
		block.scope, block.Output, first[0].Block = &block.full, q.Output, block
		for _, item := range order.Items {
			b.bindSetOrderItem(block, item, ctes)
		}
	}
	return q
}

// Recursive says that q stands for a table that reads itself, inside and outside of it.
func (q *Query) Recursive() bool { return q.Block == nil && len(q.Parts) == 0 }
