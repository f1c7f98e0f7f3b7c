package embedded

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

// shrink makes a statement shorter as long as keeps says that what it shows is still there.
func shrink(sql string, keeps func(sql string) bool) string {
	for tries := 0; tries < 400; {
		shorter := ""
		size := func(sql string) int { return len(strings.ReplaceAll(sql, "`", "")) } // a tree is written with them
		for _, s := range reductions(sql) {
			if tries++; size(s) < size(sql) && keeps(s) {
				shorter = s
				break
			}
		}
		if shorter == "" {
			return sql
		}
		sql = shorter
	}
	return sql
}

// reductions are a statement's next shorter forms: without a clause, or with a part of an expression in the
// expression's place.
func reductions(sql string) (out []string) {
	for cut := 0; ; cut++ {
		stmt, ok := syntax.OneSelect(sql)
		if !ok {
			return out
		}
		c := &cutter{at: cut}
		stmt.Accept(c)
		if !c.done {
			return out
		}
		if text, err := syntax.Restore(stmt); err == nil {
			out = append(out, text)
		}
	}
}

// cutter makes the cut with the number at in a tree.
type cutter struct {
	at   int
	done bool
}

// here says that this is the cut to make.
func (c *cutter) here() bool {
	c.at--
	c.done = c.done || c.at == -1
	return c.at == -1
}

// Enter implements ast.Visitor.
func (c *cutter) Enter(n ast.Node) (ast.Node, bool) {
	if s, ok := n.(*ast.SelectStmt); ok {
		c.clauses(s)
	}
	e, ok := n.(ast.ExprNode)
	if !ok || c.done {
		return n, c.done
	}
	for _, part := range parts(e) {
		if c.here() {
			return part, true
		}
	}
	return n, false
}

// Leave implements ast.Visitor.
func (c *cutter) Leave(n ast.Node) (ast.Node, bool) { return n, true }

func (c *cutter) clauses(s *ast.SelectStmt) {
	switch {
	case s.Where != nil && c.here():
		s.Where = nil
	case s.Having != nil && c.here():
		s.Having = nil
	case s.OrderBy != nil && c.here():
		s.OrderBy = nil
	case s.Limit != nil && c.here():
		s.Limit = nil
	case len(s.Fields.Fields) > 1 && c.here():
		s.Fields.Fields = s.Fields.Fields[1:]
	case len(s.Fields.Fields) > 1 && c.here():
		s.Fields.Fields = s.Fields.Fields[:len(s.Fields.Fields)-1]
	}
}

// parts are the expressions that an expression is made of.
func parts(e ast.ExprNode) []ast.ExprNode {
	switch e := e.(type) {
	case *ast.ParenthesesExpr:
		return []ast.ExprNode{e.Expr}
	case *ast.BinaryOperationExpr:
		return []ast.ExprNode{e.L, e.R}
	case *ast.UnaryOperationExpr:
		return []ast.ExprNode{e.V}
	case *ast.FuncCallExpr:
		return e.Args
	case *ast.FuncCastExpr:
		return []ast.ExprNode{e.Expr}
	case *ast.BetweenExpr:
		return []ast.ExprNode{e.Expr}
	case *ast.IsNullExpr:
		return []ast.ExprNode{e.Expr}
	case *ast.IsTruthExpr:
		return []ast.ExprNode{e.Expr}
	case *ast.CaseExpr:
		list := []ast.ExprNode{}
		for _, w := range e.WhenClauses {
			list = append(list, w.Result, w.Expr)
		}
		if e.ElseClause != nil {
			list = append(list, e.ElseClause)
		}
		return list
	}
	return nil
}
