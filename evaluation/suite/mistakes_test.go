package suite

import (
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// operators that are taken for one another.
var operators = map[opcode.Op][]opcode.Op{
	opcode.EQ: {opcode.NE, opcode.GE, opcode.LE}, opcode.NE: {opcode.EQ, opcode.GT, opcode.LT},
	opcode.GT: {opcode.GE, opcode.LT, opcode.EQ}, opcode.GE: {opcode.GT, opcode.LE, opcode.EQ},
	opcode.LT: {opcode.LE, opcode.GT, opcode.EQ}, opcode.LE: {opcode.LT, opcode.GE, opcode.EQ},
	opcode.Plus: {opcode.Minus}, opcode.Minus: {opcode.Plus}, opcode.Mul: {opcode.Plus, opcode.Div},
	opcode.Div:      {opcode.Mul},
	opcode.LogicAnd: {opcode.LogicOr}, opcode.LogicOr: {opcode.LogicAnd},
}

// likeAggregates are taken for one another.
var likeAggregates = map[string][]string{
	"count": {"sum", "max"}, "sum": {"avg", "max", "count"}, "avg": {"sum", "max", "min"}, "max": {"min", "avg", "sum"},
	"min": {"max", "avg", "sum"},
}

func (m *mutator) operation(e *ast.BinaryOperationExpr) ast.ExprNode {
	for _, op := range operators[e.Op] {
		if m.hit() {
			e.Op = op
			return e
		}
	}
	if e.Op == opcode.LogicAnd || e.Op == opcode.LogicOr { // a condition is forgotten
		if m.hit() {
			return e.L
		}
		if m.hit() {
			return e.R
		}
	}
	return e
}

func (m *mutator) between(e *ast.BetweenExpr) ast.ExprNode {
	if m.hit() {
		e.Not = !e.Not
		return e
	}
	part := func(op opcode.Op, limit ast.ExprNode) ast.ExprNode {
		return &ast.BinaryOperationExpr{Op: op, L: e.Expr, R: limit}
	}
	both := func(low, high opcode.Op) ast.ExprNode {
		return &ast.ParenthesesExpr{Expr: &ast.BinaryOperationExpr{Op: opcode.LogicAnd, L: part(low, e.Left),
			R: part(high, e.Right)}}
	}
	switch {
	case e.Not:
	case m.hit():
		return part(opcode.GE, e.Left)
	case m.hit():
		return part(opcode.LE, e.Right)
	case m.hit():
		return both(opcode.GT, opcode.LE)
	case m.hit():
		return both(opcode.GE, opcode.LT)
	}
	return e
}

// like moves the wildcards of a pattern.
func (m *mutator) like(e *ast.PatternLikeOrIlikeExpr) {
	if m.hit() {
		e.Not = !e.Not
	}
	v, ok := e.Pattern.(ast.ValueExpr)
	if !ok {
		return
	}
	text, ok := v.GetValue().(string)
	if !ok {
		return
	}
	core := strings.Trim(text, "%")
	for _, other := range []string{core, core + "%", "%" + core, "%" + core + "%", "%" + core + "_%"} {
		if other != text && m.hit() {
			e.Pattern = syntax.TextExpr(other)
		}
	}
}

func (m *mutator) aggregate(e *ast.AggregateFuncExpr) {
	name := strings.ToLower(e.F)
	if len(e.Args) != 1 || likeAggregates[name] == nil {
		return
	}
	_, star := e.Args[0].(ast.ValueExpr)
	if !star {
		if m.hit() {
			e.Distinct = !e.Distinct
		}
		for _, other := range likeAggregates[name] {
			if m.hit() {
				e.F = other
			}
		}
	}
	if name != "count" {
		return
	}
	if !star {
		if m.hit() {
			e.Args, e.Distinct = []ast.ExprNode{ast.NewValueExpr(1, "", "")}, false
		}
		return
	}
	for _, src := range m.sources() { // COUNT(*) for COUNT of a column that may be NULL
		for _, col := range src.Columns {
			if col.Column != nil && (src.Weak || col.Column.Nullable) && m.hit() {
				e.Args = []ast.ExprNode{syntax.ColumnExpr(src.Name, col.Name)}
			}
		}
	}
}

// sources are those of the outermost query.
func (m *mutator) sources() []*bind.Source {
	if len(m.bound.Blocks) == 0 {
		return nil
	}
	return m.bound.Blocks[0].Sources
}

// likeCalls are functions that are taken for one another.
var likeCalls = map[string]string{"year": "month", "month": "year", "day": "month", "upper": "lower", "lower": "upper",
	"floor": "ceiling", "ceiling": "floor"}

func (m *mutator) call(e *ast.FuncCallExpr) ast.ExprNode {
	if other := likeCalls[e.FnName.L]; other != "" && m.hit() {
		e.FnName = ast.NewCIStr(other)
		return e
	}
	switch e.FnName.L {
	case "round", "ifnull", "coalesce", "nullif", "abs", "floor", "ceiling":
		if len(e.Args) > 0 && m.hit() {
			return e.Args[0]
		}
	}
	return e
}

// otherColumns is how many columns are tried in the place of one.
const otherColumns = 3

// column takes another column of the same table and kind of type.
func (m *mutator) column(e *ast.ColumnNameExpr) {
	ref := m.bound.Ref(e.Name)
	if ref == nil || ref.Source == nil || ref.Output >= 0 {
		return
	}
	_, col := ref.Column()
	if col == nil {
		return
	}
	cols, tried := ref.Source.Columns, 0
	for i := 1; i < len(cols) && tried < otherColumns; i++ {
		other := cols[(ref.Index+i)%len(cols)]
		if other.Column == nil || typeClass(other.Column.Type) != typeClass(col.Type) {
			continue
		}
		tried++
		if m.hit() {
			e.Name = &ast.ColumnName{Table: ast.NewCIStr(ref.Source.Name), Name: ast.NewCIStr(other.Name)}
		}
	}
}

// typeClass is equal for types whose values are compared in the same way.
func typeClass(columnType string) string {
	t := schema.ParseType(columnType)
	switch kind, _ := kindOf(t); {
	case kind.number():
		return "number"
	case kind == dateColumn:
		return "date"
	case kind == textColumn && t.Name != "set":
		return "text"
	}
	return t.Name
}

// literal takes the next number, day or known value.
func (m *mutator) literal(e *test_driver.ValueExpr) ast.ExprNode {
	if m.keep[e] {
		return e
	}
	text, isText := e.GetValue().(string)
	if !isText {
		written, err := syntax.Restore(e)
		x, isNumber := new(big.Rat).SetString(written)
		if err != nil || !isNumber {
			return e
		}
		_, places, _ := strings.Cut(written, ".")
		for _, step := range []int64{-1, 1} {
			if m.hit() {
				return numberExpr(new(big.Rat).Add(x, big.NewRat(step, 1)), len(places))
			}
		}
		return e
	}
	if day, err := time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))]); err == nil {
		for _, step := range []int{-1, 1} {
			if m.hit() {
				return syntax.TextExpr(day.AddDate(0, 0, step).Format(time.DateOnly) + text[len(time.DateOnly):])
			}
		}
		return e
	}
	if col := m.partner[e]; col != nil && len(col.Values) > 1 {
		i := slices.Index(col.Values, text)
		if m.hit() {
			return syntax.TextExpr(col.Values[(i+1)%len(col.Values)])
		}
	}
	return e
}

// numberExpr is a number with so many decimal places.
func numberExpr(x *big.Rat, places int) ast.ExprNode {
	if x.IsInt() && places == 0 && x.Num().IsInt64() {
		return ast.NewValueExpr(x.Num().Int64(), "", "")
	}
	d, err := ast.NewDecimal(x.FloatString(places))
	if err != nil {
		return ast.NewValueExpr(0, "", "")
	}
	return ast.NewValueExpr(d, "", "")
}

// selection adds or forgets a clause.
func (m *mutator) selection(e *ast.SelectStmt) {
	if m.hit() {
		e.Distinct = !e.Distinct
	}
	if e.Where != nil && m.hit() {
		e.Where = nil
	}
	if e.Having != nil && m.hit() {
		e.Having = nil
	}
	if e.GroupBy != nil && m.hit() {
		e.GroupBy = nil
	}
	if e.OrderBy != nil && m.hit() {
		e.OrderBy = nil
	}
	if e.Limit != nil && m.hit() {
		e.Limit = nil
	}
}

func (m *mutator) limit(e *ast.Limit) {
	count, known := syntax.LiteralCount(e.Count)
	if !known {
		return
	}
	for _, step := range []int{-1, 1} {
		if count+step > 0 && m.hit() {
			e.Count = ast.NewValueExpr(int64(count+step), "", "")
		}
	}
	if e.Offset != nil {
		if m.hit() {
			e.Offset = nil
		}
	} else if m.hit() {
		e.Offset = ast.NewValueExpr(int64(1), "", "")
	}
}

func (m *mutator) join(e *ast.Join) {
	if e.Right == nil || e.On == nil && e.Using == nil {
		return
	}
	for _, kind := range []ast.JoinType{ast.CrossJoin, ast.LeftJoin, ast.RightJoin} {
		if kind != e.Tp && m.hit() {
			e.Tp = kind
		}
	}
}

func (m *mutator) setOperation(e *ast.SetOprStmt) {
	for _, part := range e.SelectList.Selects[1:] {
		sel, ok := part.(*ast.SelectStmt)
		if !ok || sel.AfterSetOperator == nil {
			continue
		}
		for _, op := range []ast.SetOprType{ast.Union, ast.UnionAll} {
			if op != *sel.AfterSetOperator && m.hit() {
				sel.AfterSetOperator = &op
			}
		}
	}
}
