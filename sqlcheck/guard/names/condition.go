package names

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// onlyWay is the way to the one table that has a column, from a table in FROM, if no other is as short; nil if there
// is none. only, if given, is the table that the column's qualifier means.
func (a repair) onlyWay(i bind.Issue, only *schema.Table) ([]schema.Step, *bind.Source) {
	if !a.guess || len(i.Owners) != 1 {
		return nil, nil
	}
	o := i.Owners[0]
	if o.From == nil || o.From.Block != i.Ref.Block || !o.Unique || only != nil && only != o.Table {
		return nil, nil
	}
	return a.steps(o.From.Table, o.Way), o.From
}

// steps is a way as steps from a table; nil if it is too long, or goes up and then down: its end then only shares a
// parent with its beginning, as payments and orders do that are of one customer, and a sum would count the same again
// and again.
func (a repair) steps(from *schema.Table, way []schema.Join) (steps []schema.Step) {
	for _, j := range way {
		for _, s := range a.Schema.Steps(from) {
			if s.Right == j.Right && slices.Equal(s.LeftColumns, j.LeftColumns) &&
				slices.Equal(s.RightColumns, j.RightColumns) {
				if n := len(steps); n == edit.MaxSteps || n > 0 && steps[n-1].Up && !s.Up {
					return nil
				}
				steps, from = append(steps, s), s.To
				break
			}
		}
	}
	return steps
}

// repairCondition replaces a join condition that names a missing column by the foreign key between the two tables, if
// there is exactly one. Where there is none, the tables between the two are joined, if one way over them is the
// shortest.
func (a repair) repairCondition(r *bind.ColumnRef) string {
	join, bad := conditionOf(r)
	if bad == nil {
		return ""
	}
	l, x, op := edit.Columns(bad)
	if op == 0 {
		return ""
	}
	ls, rs := r.Block.SourceNamed(l.Name.Table.L), r.Block.SourceNamed(x.Name.Table.L)
	if ls == nil || rs == nil || ls.Table == nil || rs.Table == nil || ls == rs {
		return ""
	}
	was := "there is no " + r.Name.Name.O + " to join by; "
	direct := syntax.Filter(a.Schema.Steps(ls.Table), func(st schema.Step) bool { return st.To == rs.Table })
	conditions := syntax.Conjuncts(join.On.Expr)
	switch {
	case len(direct) == 1 && (len(direct[0].LeftColumns) == 1 || len(conditions) == 1):
		join.On.Expr = edit.Replaced(conditions, bad, edit.On(direct[0].Join, ls.Name, rs.Name))
		return was + "joined over the foreign key"
	case len(direct) > 0:
		return ""
	}
	if ls.Node == join.Right {
		ls, rs = rs, ls
	}
	if !a.guess || rs.Node != join.Right || join.Tp == ast.RightJoin {
		return ""
	}
	joins, unique := a.Schema.Joins(ls.Table.Name, rs.Table.Name)
	way := a.steps(ls.Table, joins)
	if !unique || way == nil {
		return ""
	}
	at := ls.Name
	var between []string
	for _, j := range way[:len(way)-1] {
		if s := r.Block.SourceNamed(j.Right); s != nil {
			if s.Table == nil || s.Table.Name != j.Right || !edit.Reads(join.Left, s) {
				return ""
			}
			at = s.Name
			continue
		}
		edit.Between(r.Block, join, at, j.Join, j.To)
		at, between = j.Right, append(between, j.Right)
	}
	join.On.Expr = edit.Replaced(conditions, bad, edit.On(way[len(way)-1].Join, at, rs.Name))
	if len(between) == 0 {
		return was + ls.Table.Name + " and " + rs.Table.Name + " are joined over the foreign key"
	}
	return was + ls.Table.Name + " and " + rs.Table.Name + " are joined over " + strings.Join(between, " and ")
}

// conditionOf is the equality of a join in which r stands, with its join; nil if there is none.
func conditionOf(r *bind.ColumnRef) (join *ast.Join, condition *ast.BinaryOperationExpr) {
	edit.Joins(r.Block.Select, func(j *ast.Join) {
		if j.On == nil {
			return
		}
		for _, c := range syntax.Conjuncts(j.On.Expr) {
			e, is := c.(*ast.BinaryOperationExpr)
			isRef := func(t *ast.ColumnNameExpr) bool { return t.Name == r.Name }
			if is && e.Op == opcode.EQ && slices.ContainsFunc(edit.Tested(c), isRef) {
				join, condition = j, e
			}
		}
	})
	return join, condition
}
