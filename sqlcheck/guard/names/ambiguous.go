package names

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
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
