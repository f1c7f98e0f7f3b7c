package edit

import (
	"slices"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// Alternatives splits a condition at its ORs, as [syntax.Conjuncts] does at its ANDs.
func Alternatives(e ast.ExprNode) []ast.ExprNode {
	if or, ok := syntax.Unparen(e).(*ast.BinaryOperationExpr); ok && or.Op == opcode.LogicOr {
		return append(Alternatives(or.L), Alternatives(or.R)...)
	}
	return []ast.ExprNode{e}
}

// Replaced are all conditions, with another one in the place of old.
func Replaced(conditions []ast.ExprNode, old, by ast.ExprNode) ast.ExprNode {
	others := slices.DeleteFunc(slices.Clone(conditions), func(e ast.ExprNode) bool { return e == old })
	return syntax.AllOf(append(others, by))
}

// IsConstant reports whether an expression is a literal.
func IsConstant(e ast.ExprNode) bool {
	_, ok := e.(ast.ValueExpr)
	return ok
}

// Tested are the columns that a condition asks something of, as they stand in it: the sides of an operator, what is
// looked for in a list, a range or a pattern, and what is or is not NULL.
func Tested(cond ast.ExprNode) (columns []*ast.ColumnNameExpr) {
	add := func(e ast.ExprNode) {
		if c, is := e.(*ast.ColumnNameExpr); is {
			columns = append(columns, c)
		}
	}
	switch e := cond.(type) {
	case *ast.BinaryOperationExpr:
		add(e.L)
		add(e.R)
	case *ast.BetweenExpr:
		add(e.Expr)
	case *ast.PatternInExpr:
		add(e.Expr)
	case *ast.PatternLikeOrIlikeExpr:
		add(e.Expr)
	case *ast.IsNullExpr:
		add(e.Expr)
	}
	return columns
}

// Equated calls f with the column and the constant of each equality that a condition is: c = 1, 1 = c, and one for
// each of c IN (1, 2).
func Equated(cond ast.ExprNode, f func(c *ast.ColumnNameExpr, value ast.ValueExpr)) {
	add := func(column, value ast.ExprNode) {
		c, is := column.(*ast.ColumnNameExpr)
		if v, constant := value.(ast.ValueExpr); is && constant {
			f(c, v)
		}
	}
	switch e := cond.(type) {
	case *ast.BinaryOperationExpr:
		if e.Op == opcode.EQ {
			add(e.L, e.R)
			add(e.R, e.L)
		}
	case *ast.PatternInExpr:
		for _, it := range e.List {
			add(e.Expr, it)
		}
	}
}

// Columns are the two columns that a condition compares with each other, and how; op is 0 if it is no such condition.
func Columns(cond ast.ExprNode) (left, right *ast.ColumnNameExpr, op opcode.Op) {
	e, is := cond.(*ast.BinaryOperationExpr)
	if !is {
		return nil, nil, 0
	}
	left, lok := e.L.(*ast.ColumnNameExpr)
	right, rok := e.R.(*ast.ColumnNameExpr)
	if !lok || !rok {
		return nil, nil, 0
	}
	return left, right, e.Op
}

// Needed are the conditions without which a statement finds no row, no value and no count: of WHERE, of HAVING and of
// inner joins, and those of the derived tables and of the subqueries that these need. A statement of several SELECTs,
// or one that makes more of its counts, has none.
func Needed(b *bind.Bound) []ast.ExprNode {
	sel, is := b.Stmt.(*ast.SelectStmt)
	if !is || len(b.Blocks) == 0 {
		return nil
	}
	made := func(f *ast.SelectField) bool { return !isAggregate(f.Expr) }
	if b.Blocks[0].Grouped && sel.GroupBy == nil && slices.ContainsFunc(sel.Fields.Fields, made) {
		return nil
	}
	return needed(sel)
}

// needed are those of a query that has rows only if there are rows in its FROM.
func needed(sel *ast.SelectStmt) (all []ast.ExprNode) {
	if sel.From != nil {
		all = neededFrom(sel.From.TableRefs)
	}
	all = append(all, syntax.Conjuncts(sel.Where)...)
	if sel.Having != nil {
		all = append(all, syntax.Conjuncts(sel.Having.Expr)...)
	}
	for _, c := range slices.Clone(all) {
		switch e := c.(type) {
		case *ast.PatternInExpr:
			if !e.Not {
				all = append(all, neededIn(e.Sel)...)
			}
		case *ast.ExistsSubqueryExpr:
			if !e.Not {
				all = append(all, neededIn(e.Sel)...)
			}
		case *ast.BinaryOperationExpr:
			if syntax.Comparison(e.Op) && e.Op != opcode.NullEQ {
				all = append(append(all, neededIn(e.L)...), neededIn(e.R)...)
			}
		}
	}
	return all
}

// neededFrom are those of the tables and inner joins of a part of FROM.
func neededFrom(n ast.ResultSetNode) (all []ast.ExprNode) {
	switch n := n.(type) {
	case *ast.TableSource:
		if sel, is := n.Source.(*ast.SelectStmt); is && rowsOnly(sel) {
			return needed(sel)
		}
	case *ast.Join:
		if n.Tp != ast.RightJoin {
			all = neededFrom(n.Left)
		}
		if n.Tp != ast.LeftJoin && n.Right != nil {
			all = append(all, neededFrom(n.Right)...)
		}
		if n.Tp == ast.CrossJoin && n.On != nil {
			all = append(all, syntax.Conjuncts(n.On.Expr)...)
		}
	}
	return all
}

// neededIn are those of a subquery that must find something.
func neededIn(e ast.ExprNode) []ast.ExprNode {
	if sel, is := Subquery(syntax.Unparen(e)); is && rowsOnly(sel) {
		return needed(sel)
	}
	return nil
}

// rowsOnly reports whether a query has a row only for rows of its FROM: no count of nothing.
func rowsOnly(sel *ast.SelectStmt) bool {
	return sel.GroupBy != nil || !syntax.HasAggregate(sel.Fields) && sel.Having == nil
}

// isAggregate reports whether an expression is an aggregate, rounded or not.
func isAggregate(e ast.ExprNode) bool {
	switch e := syntax.Unparen(e).(type) {
	case *ast.AggregateFuncExpr:
		return true
	case *ast.FuncCallExpr:
		return e.FnName.L == "round" && len(e.Args) > 0 && isAggregate(e.Args[0])
	}
	return false
}
