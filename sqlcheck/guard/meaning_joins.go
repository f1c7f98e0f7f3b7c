package guard

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// joins mends a join that ties a foreign key to the key of a table that it does not refer to: over the tables between
// the two, if keys lead there from the one that it refers to, or by the only key that does tie the two. A column that
// is no foreign key may mean anything, and stays.
//
//	SELECT w.city FROM wards AS w JOIN patients AS p ON p.doctorId = w.wardCode
//	→ SELECT w.city FROM (wards AS w JOIN doctors ON w.wardCode = doctors.wardCode)
//	  JOIN patients AS p ON doctors.doctorId = p.doctorId
func joins(t *draft.Text, b *bind.Bound) string {
	_, issues, _ := t.Bind()
	stmt := b.Stmt
	var whys []string
	for range maxTies {
		if len(issues) > 0 {
			return ""
		}
		why := tieByKeys(b, t.Schema)
		if why == "" {
			break
		}
		t.Forget()
		whys = append(whys, why)
		b, issues = bind.Bind(stmt, t.Schema)
	}
	return strings.Join(whys, "; ")
}

// maxTies bounds the joins of one query that are mended.
const maxTies = 12

// tieByKeys mends the first such join of a statement.
func tieByKeys(b *bind.Bound, s *schema.Schema) (why string) {
	for _, block := range b.Blocks {
		edit.Joins(block.Select, func(j *ast.Join) {
			if why != "" || j.On == nil || j.Tp == ast.RightJoin {
				return
			}
			for _, c := range syntax.Conjuncts(j.On.Expr) {
				if t, ok := strayTie(b, s, block, j, c); ok && why == "" {
					why = t.mend(b, s)
				}
			}
		})
	}
	return why
}

// A tie is a condition of a join that sets a foreign key equal to the primary key of a table to which it does not
// refer.
type tie struct {
	block     *bind.Block
	join      *ast.Join
	condition ast.ExprNode
	from, to  *bind.Source // who has the foreign key, and the primary key
	key       schema.Step  // along the foreign key
}

// strayTie reads a condition as one.
func strayTie(b *bind.Bound, s *schema.Schema, block *bind.Block, j *ast.Join, condition ast.ExprNode) (tie, bool) {
	eq, ok := condition.(*ast.BinaryOperationExpr)
	if !ok || eq.Op != opcode.EQ {
		return tie{}, false
	}
	var sides [2]*bind.ColumnRef
	for i, e := range []ast.ExprNode{eq.L, eq.R} {
		ref := b.RefOf(e)
		if ref == nil || ref.Source == nil || ref.Source.Table == nil || !slices.Contains(block.Sources, ref.Source) {
			return tie{}, false
		}
		sides[i] = ref
	}
	if sides[0].Source == sides[1].Source || sides[0].Source.Node != j.Right && sides[1].Source.Node != j.Right {
		return tie{}, false
	}
	for range sides {
		from, to := sides[0], sides[1]
		steps, known := keysOf(s, from)
		own, whole := keysOf(s, to)
		stray := known && len(steps) == 1 && steps[0].To != to.Source.Table
		if stray && edit.IsKey(to) && whole && len(own) == 0 {
			return tie{block, j, condition, from.Source, to.Source, steps[0]}, true
		}
		slices.Reverse(sides[:])
	}
	return tie{}, false
}

// keysOf are the foreign keys of a column; it is not known what a part of a longer one refers to.
func keysOf(s *schema.Schema, ref *bind.ColumnRef) (out []schema.Step, known bool) {
	t := ref.Source.Table
	for _, fk := range t.ForeignKeys {
		if slices.ContainsFunc(fk.Columns, func(c string) bool { return strings.EqualFold(c, ref.Name.Name.O) }) {
			to, ok := s.Table(fk.RefTable)
			if !ok || len(fk.Columns) != 1 || len(fk.RefColumns) != 1 {
				return nil, false
			}
			j := schema.Join{Left: t.Name, Right: to.Name, LeftColumns: fk.Columns, RightColumns: fk.RefColumns}
			out = append(out, schema.Step{Join: j, To: to, Up: true})
		}
	}
	return out, true
}

// mend says what it did, or nothing.
func (t tie) mend(b *bind.Bound, s *schema.Schema) string {
	was := t.from.Table.Name + "." + t.key.LeftColumns[0] + " refers to " + t.key.Right
	conditions := syntax.Conjuncts(t.join.On.Expr)
	leads := func(st schema.Step) bool { return st.Up && st.To == t.to.Table }
	direct := syntax.Filter(s.Steps(t.from.Table), leads)
	if len(direct) == 1 {
		t.join.On.Expr = edit.Replaced(conditions, t.condition, edit.On(direct[0].Join, t.from.Name, t.to.Name))
		return was + "; joined by " + direct[0].LeftColumns[0]
	}
	way := t.way(s)
	if len(direct) > 0 || way == nil {
		return ""
	}
	left, right := t.from, t.to
	if t.from.Node == t.join.Right {
		left, right = t.to, t.from
		slices.Reverse(way)
		for i, j := range way {
			way[i] = schema.Join{Left: j.Right, Right: j.Left, LeftColumns: j.RightColumns, RightColumns: j.LeftColumns}
		}
	}
	last := len(way) - 1
	at := left.Name
	var between []string
	for _, j := range way[:last] {
		table, _ := s.Table(j.Right)
		edit.KeepOwners(b, t.block, edit.Between(t.block, t.join, at, j, table))
		at, between = j.Right, append(between, j.Right)
	}
	t.join.On.Expr = edit.Replaced(conditions, t.condition, edit.On(way[last], at, right.Name))
	return was + ", joined over " + strings.Join(between, ", ")
}

// way is the only shortest one along the foreign key to the other table, over tables that the query does not read;
// nil if there is none, or if it goes from one row to many.
func (t tie) way(s *schema.Schema) []schema.Join {
	on, unique := s.Joins(t.key.Right, t.to.Table.Name)
	if !unique || len(on) >= edit.MaxSteps {
		return nil
	}
	way := append([]schema.Join{t.key.Join}, on...)
	if !edit.AllUp(s, way) {
		return nil
	}
	for _, j := range way[1:] {
		if table, _ := s.Table(j.Left); t.block.Reads(table) != nil || t.block.SourceNamed(table.Name) != nil {
			return nil
		}
	}
	return way
}
