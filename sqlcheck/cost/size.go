package cost

import (
	"math"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"
	"github.com/pingcap/tidb/pkg/parser/types"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// What is taken for true where the schema does not tell.
const (
	numberText   = 100       // bytes of a number or a date
	unknownText  = 512 << 10 // bytes of a column of long texts that was not measured
	typicalText  = 4 << 10   // bytes of such a column's usual value
	unknownCount = 100_000   // a number from the data
	concatText   = 1 << 20   // bytes of a GROUP_CONCAT; servers cut it, MySQL at 1,024 by default
)

// measure finds how long the values of expressions can be.
type measure struct {
	bound     *bind.Bound
	typical   bool // columns that were not measured have the length that is usual
	usually   *measure
	inTables  *measure    // of values in temporary tables, where a text is as long as it is declared
	fixed     bool        // it is that one
	averaged  *measure    // of columns as they are on the average, but for very long ones
	mean      bool        // it is that one
	repeating bool        // within an operand that is worked out several times
	rows      *rowBound   // the same for all of them
	block     *bind.Block // where the expression stands
	sizes     map[ast.ExprNode]float64
	outputs   map[*bind.Query][]float64
	inside    []*bind.Query // whose numbers are being looked for
	sought    bool          // a constant, in a subquery
	fault     bind.Fault    // of the first function that may not be
}

// usual measures the same statement with usual lengths where the schema knows none.
func (m *measure) usual() *measure {
	if m.typical {
		return m
	}
	return m.also(&m.usually)
}

// stored measures it as rows of temporary tables have it.
func (m *measure) stored() *measure { return m.also(&m.inTables) }

func (m *measure) also(other **measure) *measure {
	if *other == nil {
		*other = &measure{
			bound: m.bound, rows: m.rows, typical: true, fixed: other == &m.inTables, mean: other == &m.averaged,
			sizes: map[ast.ExprNode]float64{}, outputs: map[*bind.Query][]float64{},
		}
	}
	(*other).block = m.block
	return *other
}

// size is the largest length of an expression's value, in bytes.
func (m *measure) size(expr ast.ExprNode) float64 {
	switch n := expr.(type) {
	case *ast.ParenthesesExpr:
		return m.size(n.Expr)
	case *ast.SetCollationExpr:
		return m.size(n.Expr)
	case *test_driver.ValueExpr:
		switch n.Kind() {
		case test_driver.KindString, test_driver.KindBytes:
			return float64(len(n.GetString()))
		case test_driver.KindBinaryLiteral:
			return float64(len(n.GetBinaryLiteral()))
		}
		return numberText
	case *ast.ColumnNameExpr:
		return m.column(m.bound.Ref(n.Name))
	case *ast.SubqueryExpr:
		return m.value(n)
	case *ast.CaseExpr:
		return m.most(results(n)...)
	case *ast.RowExpr:
		return m.most(n.Values...)
	case *ast.BinaryOperationExpr:
		switch n.Op {
		case opcode.And, opcode.Or, opcode.Xor, opcode.LeftShift, opcode.RightShift: // of bytes they are bytes
			return max(numberText, m.size(n.L), m.size(n.R))
		}
	case *ast.UnaryOperationExpr:
		if n.Op == opcode.BitNeg {
			return max(numberText, m.size(n.V))
		}
	case *ast.FuncCallExpr, *ast.FuncCastExpr, *ast.AggregateFuncExpr, *ast.WindowFuncExpr:
		size, ok := m.sizes[expr]
		if !ok {
			size = m.call(expr)
			m.sizes[expr] = size
		}
		return size
	}
	return numberText
}

func (m *measure) call(expr ast.ExprNode) float64 {
	switch n := expr.(type) {
	case *ast.FuncCallExpr:
		f := functions[n.FnName.L]
		if f.gives == nil {
			return shortText
		}
		return f.gives(m, call{n.FnName.L, n.Args, syntax.Map(n.Args, m.size), f.arg})
	case *ast.FuncCastExpr:
		switch size, flen := m.size(n.Expr), n.Tp.GetFlen(); {
		case n.Tp.GetType() == mysql.TypeJSON:
			return 2*size + 2
		case n.Tp.GetType() != mysql.TypeVarString && !types.IsTypeChar(n.Tp.GetType()):
			return numberText
		case flen == types.UnspecifiedLength:
			return 4 * size // into another character set
		case n.Tp.GetCharset() == "binary":
			return float64(flen)
		default:
			return 4 * min(size, float64(flen))
		}
	case *ast.AggregateFuncExpr:
		return m.aggregate(strings.ToLower(n.F), n.Args)
	case *ast.WindowFuncExpr:
		return m.aggregate(strings.ToLower(n.Name), n.Args)
	}
	return numberText
}

func (m *measure) aggregate(name string, args []ast.ExprNode) float64 {
	switch name {
	case "group_concat":
		return concatText
	case "json_arrayagg", "json_objectagg":
		return m.collected(args)
	case "max", "min", "bit_and", "bit_or", "bit_xor", "first_value", "last_value", "nth_value", "lead", "lag":
		return max(numberText, m.most(args...))
	}
	return numberText
}

// Memory for one value of a JSON document that is being built, beside its text, and the bytes that a column's value
// has on the average: its longest one says little about all of them together, but half of them may be so long.
const (
	jsonNode       = 100
	jsonColumnTree = 18 // bytes a byte of a document in a column
	averageText    = 64
)

// collected is a JSON aggregate over all rows of the block.
func (m *measure) collected(args []ast.ExprNode) (row float64) {
	for _, arg := range args {
		size := m.size(arg)
		if m.isColumn(arg) {
			size = min(size, max(averageText, size/2))
		}
		if _, column := m.bound.RefOf(arg).Column(); isJSONColumn(column) {
			size *= jsonColumnTree
		}
		row += jsonNode + size + m.trees(arg)
	}
	return row * m.rows.block(m.block)
}

func (m *measure) most(exprs ...ast.ExprNode) float64 {
	return slices.Max(append(syntax.Map(exprs, m.size), 0))
}

// results are what a CASE may give.
func results(n *ast.CaseExpr) []ast.ExprNode {
	all := syntax.Map(n.WhenClauses, func(when *ast.WhenClause) ast.ExprNode { return when.Result })
	if n.ElseClause != nil {
		all = append(all, n.ElseClause)
	}
	return all
}

// value is the one column of a subquery that is a value; of rows, the longest one.
func (m *measure) value(n *ast.SubqueryExpr) float64 {
	if q := m.bound.Queries[n.Query]; q != nil && len(q.Output) > 0 {
		return slices.Max(append([]float64{0}, m.query(q)...))
	}
	return 0
}

func (m *measure) column(ref *bind.ColumnRef) float64 {
	switch {
	case ref == nil:
		return m.unknown()
	case ref.Source != nil:
		return m.sourceColumn(ref.Source, ref.Index)
	case ref.Output >= 0 && ref.Home != nil:
		return m.output(ref.Home.Output[ref.Output])
	}
	return m.unknown()
}

func (m *measure) sourceColumn(src *bind.Source, idx int) float64 {
	switch {
	case src.Table != nil:
		size := longestValue(src.Columns[idx].Column, m.fixed)
		if m.typical && !m.fixed && !measured(src.Columns[idx].Column) {
			size = min(size, typicalText)
		}
		if m.mean && size <= recursionText {
			size = min(size, averageText)
		}
		return size
	case src.Inner != nil:
		if sizes := m.query(src.Inner); idx < len(sizes) {
			return sizes[idx]
		}
	}
	return m.unknown()
}

func (m *measure) output(out bind.Output) float64 {
	switch {
	case out.Expr != nil:
		return m.size(out.Expr)
	case out.Source != nil:
		return m.sourceColumn(out.Source, out.Index)
	}
	return m.unknown()
}

// unknown is the length of a column that no schema tells of.
func (m *measure) unknown() float64 {
	if m.typical {
		return averageText
	}
	return unknownText
}

// query measures the columns of a query; of a set operation the longest SELECT counts.
func (m *measure) query(q *bind.Query) []float64 {
	if sizes, ok := m.outputs[q]; ok {
		return sizes
	}
	if q.Recursive() {
		return m.recursion(q)
	}
	block := m.block
	defer func() { m.block = block }()
	m.block = q.Block
	sizes := make([]float64, len(q.Output))
	for i, out := range q.Output {
		if q.Block != nil {
			sizes[i] = m.output(out)
		}
	}
	for _, part := range q.Parts {
		for i, size := range m.query(part) {
			if i < len(sizes) {
				sizes[i] = max(sizes[i], size)
			}
		}
	}
	m.outputs[q] = sizes
	return sizes
}

// What a column of a table that reads itself can grow to: its type is that of its first SELECT. A short text keeps its
// length, one of up to 64 KiB becomes a TEXT, and a longer one has no bound. Source: make_string_field in sql/item.cc.
const (
	recursionShort = 2 << 10
	recursionText  = 1 << 16
)

func (m *measure) recursion(q *bind.Query) []float64 {
	all := m.bound.Queries[q.Node]
	if all == nil || len(all.Parts) == 0 {
		return nil
	}
	first, typed := m.query(all.Parts[0]), m.stored().query(all.Parts[0])
	sizes := append([]float64{}, first...)
	m.outputs[q] = first
	for _, part := range all.Parts[1:] {
		for i, size := range m.query(part) {
			if i >= len(sizes) || size <= first[i] {
				continue
			}
			declared := m.declared(all.Parts[0], i)
			if declared && typed[i] <= recursionShort {
				continue
			}
			sizes[i] = recursionText
			if !declared || typed[i] > recursionText {
				sizes[i] = math.Inf(1)
			}
		}
	}
	clear(m.sizes) // what was measured with the first SELECT's lengths
	clear(m.outputs)
	m.outputs[q] = sizes
	return sizes
}

// declared says that the type of a column is as long as its longest value: nothing that makes it is a document, or a
// text whose length the server cannot tell beforehand, which have no bound.
func (m *measure) declared(q *bind.Query, i int) bool {
	if q.Block == nil || i >= len(q.Output) || q.Output[i].Expr == nil {
		return q.Block == nil || i >= len(q.Output) || q.Output[i].Column == nil || !isJSONColumn(q.Output[i].Column)
	}
	told := true
	syntax.Visit(q.Output[i].Expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncCallExpr:
			f := functions[n.FnName.L]
			told = told && (f.gives == nil || f.has["plain"] != nil)
		case *ast.FuncCastExpr:
			told = told && n.Tp.GetType() != mysql.TypeJSON
			return n.Tp.GetFlen() == types.UnspecifiedLength
		case *ast.AggregateFuncExpr:
			name := strings.ToLower(n.F)
			told = told && name != "group_concat" && !strings.HasPrefix(name, "json_")
		case *ast.ColumnName:
			if ref := m.bound.Ref(n); ref != nil && ref.Source != nil {
				if ref.Source.Inner != nil {
					told = told && (slices.Contains(m.inside, ref.Source.Inner) || m.declaredColumn(ref))
				} else {
					told = told && !isJSONColumn(ref.Source.Columns[ref.Index].Column)
				}
			}
		}
		return told
	})
	return told
}

// declaredColumn is declared of a column of a derived table.
func (m *measure) declaredColumn(ref *bind.ColumnRef) bool {
	q := ref.Source.Inner
	defer func(n int) { m.inside = m.inside[:n] }(len(m.inside))
	m.inside = append(m.inside, q)
	if q.Block != nil {
		return m.declared(q, ref.Index)
	}
	return !slices.ContainsFunc(q.Parts, func(part *bind.Query) bool { return !m.declared(part, ref.Index) })
}

// isLong says that values of an expression are kept beside their row, by its declared length.
func (m *measure) isLong(expr ast.ExprNode) bool { return m.stored().size(expr) >= 1<<16 }

func isJSONColumn(c *schema.Column) bool {
	return c != nil && strings.EqualFold(schema.ParseType(c.Type).Name, "json")
}

// measured reports whether the longest value of a column counts, and not its declared length.
func measured(c *schema.Column) bool {
	return c.Longest > 0 && schema.ParseType(c.Type).Name != "varchar"
}

// longestValue is the largest length of a column's values in bytes: as measured, else as declared, or a CHAR or VARCHAR
// as declared.
func longestValue(c *schema.Column, declared bool) float64 {
	if c == nil {
		return unknownText
	}
	if measured(c) && !declared {
		return float64(c.Longest)
	}
	t := schema.ParseType(c.Type)
	n, bounded := t.Length()
	switch {
	case t.Name == "char" && !bounded:
		return 4
	case t.Name == "char" || t.Name == "varchar":
		return 4 * float64(n)
	case t.Name == "binary" || t.Name == "varbinary":
		return float64(n)
	case t.Name == "enum" || t.Name == "set":
		return float64(len(c.Type)) // all of them
	case t.Name == "tinytext" || t.Name == "tinyblob":
		return 1 << 8
	case t.Name == "text" || t.Name == "blob":
		return 1 << 16
	case t.Kind() == schema.Number || t.Kind() == schema.Date:
		return numberText
	}
	return unknownText
}

// isColumn says that an expression is a column of the database and nothing made by the statement.
func (m *measure) isColumn(expr ast.ExprNode) bool {
	col, ok := syntax.Unparen(expr).(*ast.ColumnNameExpr)
	if !ok {
		return false
	}
	_, column := m.bound.Ref(col.Name).Column() // through derived tables
	return column != nil
}

// ofColumn says that an expression is a column, or what paths find in one.
func (m *measure) ofColumn(expr ast.ExprNode) bool {
	call, ok := syntax.Unparen(expr).(*ast.FuncCallExpr)
	return m.isColumn(expr) || ok && call.FnName.L == "json_extract" && m.isColumn(call.Args[0])
}

func (m *measure) isJSON(expr ast.ExprNode) bool {
	switch n := syntax.Unparen(expr).(type) {
	case *ast.FuncCallExpr:
		return strings.HasPrefix(n.FnName.L, "json_") && n.FnName.L != "json_unquote" && n.FnName.L != "json_quote"
	case *ast.AggregateFuncExpr:
		return strings.HasPrefix(strings.ToLower(n.F), "json_")
	case *ast.FuncCastExpr:
		return n.Tp.GetType() == mysql.TypeJSON
	case *ast.SubqueryExpr:
		q := m.bound.Queries[n.Query]
		return q != nil && len(q.Output) > 0 && q.Output[0].Expr != nil && m.isJSON(q.Output[0].Expr)
	}
	return false
}
