// Package edit is the one kit for syntax trees whose names are bound: joins, query blocks, conditions and
// expressions, read and changed. It knows no rule, no question and no policy: guards, doubts and suites say what they
// want, edit says how a tree is made so. Begin with the file of what is to be changed. It imports bind, schema and
// syntax.
package edit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Replace walks over an expression outside of its subqueries, and puts what f returns on the way out in the place of
// what it was given.
func Replace(e ast.ExprNode, f func(n ast.ExprNode, enters bool) ast.ExprNode) ast.ExprNode {
	out, _ := e.Accept(replacer{f: f})
	return out.(ast.ExprNode)
}

// Rewrite walks over the expressions of a statement, subqueries and all, and puts what f returns in the place of what
// it was given, the innermost first.
func Rewrite(stmt ast.Node, f func(n ast.ExprNode) ast.ExprNode) {
	stmt.Accept(replacer{true, func(n ast.ExprNode, enters bool) ast.ExprNode {
		if enters {
			return n
		}
		return f(n)
	}})
}

// replacer makes a function a visitor of the parser, of subqueries too if it is deep.
type replacer struct {
	deep bool
	f    func(n ast.ExprNode, enters bool) ast.ExprNode
}

// Enter implements [ast.Visitor].
func (r replacer) Enter(n ast.Node) (ast.Node, bool) {
	if e, is := n.(ast.ExprNode); is {
		r.f(e, true)
	}
	_, sub := n.(*ast.SubqueryExpr)
	return n, sub && !r.deep
}

// Leave implements [ast.Visitor].
func (r replacer) Leave(n ast.Node) (ast.Node, bool) {
	if e, is := n.(ast.ExprNode); is {
		return r.f(e, false), true
	}
	return n, true
}

// Derive makes sel a query of fields of the rows of inner, a derived table of that name; false if inner cannot be one.
func Derive(sel, inner *ast.SelectStmt, name string, fields ...*ast.SelectField) bool {
	text, err := syntax.Print(inner)
	if err != nil {
		return false
	}
	outer, ok := syntax.OneSelect("SELECT 1 FROM (" + text + ") AS " + name)
	if !ok {
		return false
	}
	*sel = *outer.(*ast.SelectStmt)
	sel.Fields.Fields = fields
	return true
}

// FreeAlias is a name that no source in reach of the block has: T1, T2 and so on.
func FreeAlias(block *bind.Block) string {
	for n := len(block.Sources) + 1; ; n++ {
		if alias := fmt.Sprint("T", n); block.SourceNamed(alias) == nil {
			return alias
		}
	}
}

// Fields sorts the select list of a query: its plain columns, how many items have an aggregate, and whether there is
// anything else but constants.
func Fields(sel *ast.SelectStmt) (plain []*ast.ColumnNameExpr, aggs int, other bool) {
	if sel.Fields == nil {
		return nil, 0, true
	}
	for _, f := range sel.Fields.Fields {
		switch e := f.Expr.(type) {
		case nil:
			other = true
		case *ast.ColumnNameExpr:
			plain = append(plain, e)
		default:
			switch {
			case syntax.HasAggregate(e):
				aggs++
			case !IsConstant(e):
				other = true
			}
		}
	}
	return plain, aggs, other
}

// Subquery is the SELECT of a subquery; ok is false if it is none, or a set operation.
func Subquery(e ast.ExprNode) (sel *ast.SelectStmt, ok bool) {
	sub, is := e.(*ast.SubqueryExpr)
	if !is {
		return nil, false
	}
	sel, ok = sub.Query.(*ast.SelectStmt)
	return sel, ok
}

// ColumnList is the subquery on the right side of an IN and the column that it shows, if it is one SELECT of one
// column without LIMIT.
func ColumnList(in *ast.PatternInExpr) (sel *ast.SelectStmt, shown *ast.ColumnNameExpr, ok bool) {
	sel, is := Subquery(in.Sel)
	if !is || sel.Fields == nil || len(sel.Fields.Fields) != 1 || sel.Limit != nil {
		return nil, nil, false
	}
	shown, ok = syntax.Unparen(sel.Fields.Fields[0].Expr).(*ast.ColumnNameExpr)
	return sel, shown, ok
}

// MaxSteps is how many joins away a table may be that is put into a query.
const MaxSteps = 3

// Joins calls f for every join of the FROM clause of a query, inner ones first.
func Joins(sel *ast.SelectStmt, f func(*ast.Join)) {
	var walk func(n ast.ResultSetNode)
	walk = func(n ast.ResultSetNode) {
		j, ok := n.(*ast.Join)
		if !ok {
			return
		}
		walk(j.Left)
		if j.Right != nil {
			walk(j.Right)
		}
		f(j)
	}
	if sel.From != nil {
		walk(sel.From.TableRefs)
	}
}

// Conditions are the conjuncts of every ON of a query, and then of its WHERE.
func Conditions(sel *ast.SelectStmt) (all []ast.ExprNode) {
	Joins(sel, func(j *ast.Join) {
		if j.On != nil {
			all = append(all, syntax.Conjuncts(j.On.Expr)...)
		}
	})
	return append(all, syntax.Conjuncts(sel.Where)...)
}

// On is the condition of a join along keys, between two sources of these names.
func On(j schema.Join, left, right string) ast.ExprNode {
	var all []ast.ExprNode
	for i := range j.LeftColumns {
		l, r := syntax.ColumnExpr(left, j.LeftColumns[i]), syntax.ColumnExpr(right, j.RightColumns[i])
		all = append(all, &ast.BinaryOperationExpr{Op: opcode.EQ, L: l, R: r})
	}
	return syntax.AllOf(all)
}

// AddJoin puts a table at the end of the FROM of block, under its alias if that is not "", joined to the source at
// along j.
func AddJoin(block *bind.Block, at *bind.Source, j schema.Join, table *schema.Table, alias string) *bind.Source {
	shown := cmp.Or(alias, table.Name)
	node := &ast.TableSource{Source: &ast.TableName{Name: ast.NewCIStr(table.Name)}, AsName: ast.NewCIStr(alias)}
	from := block.Select.From
	left := ast.ResultSetNode(from.TableRefs)
	if from.TableRefs.Right == nil { // the parser wraps a lone table in a Join without a right side
		left = from.TableRefs.Left
	}
	tie := &ast.OnCondition{Expr: On(j, at.Name, shown)}
	from.TableRefs = &ast.Join{Left: left, Right: node, Tp: ast.CrossJoin, On: tie}
	added := bind.NewSource(shown, table, node, block)
	block.Sources = append(block.Sources, added)
	return added
}

// Between puts a table between the two sides of a join of block, tied to the source of the left side called at along j.
func Between(block *bind.Block, join *ast.Join, at string, j schema.Join, table *schema.Table) *bind.Source {
	node := &ast.TableSource{Source: &ast.TableName{Name: ast.NewCIStr(table.Name)}}
	join.Left = &ast.Join{Left: join.Left, Right: node, Tp: join.Tp, On: &ast.OnCondition{Expr: On(j, at, table.Name)}}
	return bind.NewSource(table.Name, table, node, block)
}

// Reads reports whether a source stands in a part of FROM.
func Reads(from ast.ResultSetNode, s *bind.Source) bool {
	j, is := from.(*ast.Join)
	return from == s.Node || is && (Reads(j.Left, s) || j.Right != nil && Reads(j.Right, s))
}

// Owners are the sources of a block that a column's name can mean.
func Owners(b *bind.Block, n *ast.ColumnName) []*bind.Source {
	return syntax.Filter(b.Sources, func(s *bind.Source) bool {
		return (n.Table.L == "" || strings.EqualFold(s.Name, n.Table.L)) && s.Has(n.Name.L)
	})
}

// KeepOwners names the owner of those columns of a block that stood alone and that an added source has too.
func KeepOwners(b *bind.Bound, block *bind.Block, added *bind.Source) {
	for _, o := range b.Columns {
		alone := o.Home == block && o.Source != nil && o.Name.Table.L == "" && o.Clause != bind.InFrom
		if alone && added.Has(o.Name.Name.L) {
			o.Name.Table = ast.NewCIStr(o.Source.Name)
		}
	}
}

// AllUp reports whether each join of a way leads from a table to one that it refers to, so that no row comes several
// times.
func AllUp(s *schema.Schema, way []schema.Join) bool {
	return !slices.ContainsFunc(way, func(j schema.Join) bool {
		table, _ := s.Table(j.Left)
		return !slices.ContainsFunc(s.Steps(table), func(st schema.Step) bool {
			return st.Up && st.Right == j.Right && slices.Equal(st.LeftColumns, j.LeftColumns)
		})
	})
}

// Referred are the columns that one of a table refers to, each as "table.column" in lower case.
func Referred(t *schema.Table, column string) (all []string) {
	for _, fk := range t.ForeignKeys {
		for i, name := range fk.Columns {
			if strings.EqualFold(name, column) && i < len(fk.RefColumns) {
				all = append(all, strings.ToLower(fk.RefTable+"."+fk.RefColumns[i]))
			}
		}
	}
	return all
}

// IsKey reports whether a column is the whole primary key of its table, also one that was inferred.
func IsKey(ref *bind.ColumnRef) bool { return ref.Source.Table.IsIdentity(ref.Name.Name.O) }
