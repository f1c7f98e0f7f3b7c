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

// qualify picks the first of several equal columns.
func (b repair) qualify(r *bind.ColumnRef, owners []*bind.Source) string {
	first := owners[0]
	for _, c := range owners[1:] {
		if !equated(r.Block, owners[0].Name, c.Name, r.Name.Name.L) {
			if first = neighbours(r, owners); first == nil {
				return ""
			}
			break
		}
	}
	r.Name.Table = ast.NewCIStr(first.Name)
	labelled := func(f *ast.SelectField) bool { return f.AsName.L == r.Name.Name.L }
	for _, o := range b.Columns { // GROUP BY and ORDER BY may have meant it through the select list
		same := o.Block == r.Block && o.Name.Table.L == "" && o.Name.Name.L == r.Name.Name.L
		if same && o.Clause != bind.InFrom && !slices.ContainsFunc(r.Block.Select.Fields.Fields, labelled) {
			o.Name.Table = ast.NewCIStr(first.Name)
		}
	}
	return "ambiguous " + r.Name.Name.O + " is " + first.Name + "." + r.Name.Name.O
}

// neighbours is the one of owners that all qualified plain columns of the select list come from, if r stands there
// among them; else nil.
func neighbours(r *bind.ColumnRef, owners []*bind.Source) *bind.Source {
	if r.Clause != bind.InFields {
		return nil
	}
	var only *bind.Source
	own, others := false, 0
	for _, f := range r.Block.Select.Fields.Fields {
		c, ok := f.Expr.(*ast.ColumnNameExpr)
		if !ok {
			continue
		}
		if c.Name == r.Name {
			own = true
		}
		if c.Name.Table.L == "" {
			continue
		}
		for _, s := range r.Block.Sources {
			if strings.EqualFold(s.Name, c.Name.Table.L) {
				if only != nil && only != s {
					return nil
				}
				only = s
				others++
			}
		}
	}
	if !own || others < 2 || !slices.Contains(owners, only) {
		return nil
	}
	return only
}

// tableOf is what a reader knows a source by.
func tableOf(s *bind.Source) string {
	if s.Table == nil {
		return s.Name
	}
	return s.Table.Name
}

// splitCondition reads "ON x = x" as the x of the left and the x of the right table.
func splitCondition(r *bind.ColumnRef) string {
	if r.Clause != bind.InOn || r.Name.Table.L != "" {
		return ""
	}
	why := ""
	edit.Joins(r.Block.Select, func(j *ast.Join) {
		right, ok := j.Right.(*ast.TableSource)
		if j.On == nil || !ok || why != "" {
			return
		}
		for _, c := range syntax.Conjuncts(j.On.Expr) {
			l, x, op := edit.Columns(c)
			if op != opcode.EQ || l.Name != r.Name && x.Name != r.Name || l.Name.Name.L != x.Name.Name.L ||
				l.Name.Table.L != "" || x.Name.Table.L != "" {
				continue
			}
			var before, after *bind.Source
			for _, s := range r.Block.Sources {
				switch {
				case s.Node == right:
					after = s
				case after == nil && before == nil && s.Has(r.Name.Name.L):
					before = s
				}
			}
			if before != nil && after != nil && after.Has(r.Name.Name.L) {
				l.Name.Table, x.Name.Table = ast.NewCIStr(before.Name), ast.NewCIStr(after.Name)
				why = "joined " + tableOf(before) + " and " + tableOf(after) + " on " + r.Name.Name.O
			}
		}
	})
	return why
}

// equated reports whether a join condition says that column col of the two sources is the same, directly
// or over others.
func equated(block *bind.Block, a, b, col string) bool {
	same := map[string]string{}
	var root func(string) string
	root = func(x string) string {
		if p, ok := same[x]; ok && p != x {
			return root(p)
		}
		return x
	}
	for _, c := range edit.Conditions(block.Select) {
		l, r, op := edit.Columns(c)
		if op == opcode.EQ && l.Name.Name.L == col && r.Name.Name.L == col && l.Name.Table.L != "" &&
			r.Name.Table.L != "" {
			same[root(l.Name.Table.L)] = root(r.Name.Table.L)
		}
	}
	return root(strings.ToLower(a)) == root(strings.ToLower(b))
}

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
