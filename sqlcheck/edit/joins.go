package edit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

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
func Owners(b *bind.Block, n *ast.ColumnName) (found []*bind.Source) {
	for _, s := range b.Sources {
		if (n.Table.L == "" || strings.EqualFold(s.Name, n.Table.L)) && s.Has(n.Name.L) {
			found = append(found, s)
		}
	}
	return found
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
