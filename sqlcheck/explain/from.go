package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// from says which tables a SELECT reads and how each is joined to those before it. tied are the conditions of WHERE
// that do so.
func (w writer) from() (lines []string, tied []ast.ExprNode) {
	sel := w.block.Select
	if sel.From == nil {
		return nil, nil
	}
	j := &joiner{writer: w}
	for _, c := range syntax.Conjuncts(sel.Where) {
		if l, r := w.sides(c); l != nil && l != r {
			j.where = append(j.where, c)
		}
	}
	lines = j.read(sel.From.TableRefs)
	return lines, j.used
}

// sides are the two tables of this SELECT whose columns a condition wants to be equal; nil if it is another one.
func (w writer) sides(c ast.ExprNode) (l, r *bind.Source) {
	left, right, op := edit.Columns(c)
	if op != opcode.EQ {
		return nil, nil
	}
	a, b := w.Ref(left.Name), w.Ref(right.Name)
	if a == nil || b == nil || a.Home != w.block || b.Home != w.block || a.Source == nil || b.Source == nil {
		return nil, nil
	}
	return a.Source, b.Source
}

// joiner reads the FROM of one SELECT.
type joiner struct {
	writer
	where []ast.ExprNode // conditions of WHERE that tie two tables and that no line has told
	used  []ast.ExprNode // those that one has
	seen  []*bind.Source
}

// read tells a part of FROM: a line a table.
func (j *joiner) read(n ast.ResultSetNode) []string {
	switch n := n.(type) {
	case *ast.TableSource:
		if join, ok := n.Source.(*ast.Join); ok {
			return j.read(join)
		}
		return []string{j.source(n)}
	case *ast.Join:
		lines := j.read(n.Left)
		if n.Right == nil {
			return lines
		}
		before := len(j.seen)
		right := j.read(n.Right)
		added := j.seen[before:]
		text := right[0]
		if len(right) > 1 {
			text = "(" + strings.Join(right, "; ") + ")"
		}
		return append(lines, j.join(n, text, added))
	}
	return nil
}

// source names a table, and explains a derived one apart.
func (j *joiner) source(n *ast.TableSource) string {
	i := slices.IndexFunc(j.block.Sources, func(s *bind.Source) bool { return s.Node == n })
	if i < 0 {
		return "rows"
	}
	src := j.block.Sources[i]
	j.seen = append(j.seen, src)
	if src.Table != nil {
		return j.nouns[src].many
	}
	if from, ok := n.Source.(*ast.TableName); ok { // a common table expression
		if !strings.EqualFold(from.Name.O, src.Name) {
			return fmt.Sprintf("rows of %s, called %s", from.Name.O, src.Name)
		}
		return "rows of " + src.Name
	}
	if syntax.JSONTableOf(n.Source) != nil {
		return "rows of " + printed(n)
	}
	*j.apart = append(*j.apart, j.query(n.Source, src.Name))
	if n.Lateral {
		return "rows of " + src.Name + ", found anew for each row of those before"
	}
	return "rows of " + src.Name
}

// join says how tables that text names are joined to those before them.
func (j *joiner) join(n *ast.Join, text string, added []*bind.Source) string {
	how := j.how(n, added)
	switch {
	case how == "" && len(added) == 1 && added[0].Node.Lateral:
		return "with " + text
	case how == "":
		how = "every one with each row before"
	}
	switch n.Tp {
	case ast.LeftJoin:
		return fmt.Sprintf("with %s, if there are any: %s", text, how)
	case ast.RightJoin:
		return fmt.Sprintf("with all %s, also those that nothing before belongs to: %s", text, how)
	}
	return fmt.Sprintf("with %s: %s", text, how)
}

// how says by what two sides are tied; "" if by nothing.
func (j *joiner) how(n *ast.Join, added []*bind.Source) string {
	var ties, conds []string
	add := func(c ast.ExprNode) {
		if text := j.key(c); text != "" {
			ties = append(ties, text)
			return
		}
		conds = append(conds, j.condition(c))
	}
	switch {
	case n.NaturalJoin:
		return "by all columns of the same name"
	case len(n.Using) > 0:
		for _, c := range n.Using {
			ties = append(ties, j.using(c.Name.O, added))
		}
	case n.On != nil:
		for _, c := range syntax.Conjuncts(n.On.Expr) {
			add(c)
		}
	}
	if n.Tp == ast.CrossJoin {
		j.where = slices.DeleteFunc(j.where, func(c ast.ExprNode) bool {
			l, r := j.sides(c)
			if !slices.Contains(j.seen, l) || !slices.Contains(j.seen, r) {
				return false
			}
			add(c)
			j.used = append(j.used, c)
			return true
		})
	}
	if len(conds) > 0 {
		ties = append(ties, "where "+strings.Join(conds, " and "))
	}
	return strings.Join(ties, " and ")
}

// using says that a column of both sides is the same.
func (j *joiner) using(column string, added []*bind.Source) string {
	for _, src := range added {
		for _, other := range j.seen {
			if slices.Contains(added, other) || !src.Has(column) || !other.Has(column) {
				continue
			}
			if text := j.foreign(other, column, src, column); text != "" {
				return text
			}
		}
	}
	return "by the same " + name(column)
}

// key says that a condition ties two tables by a foreign key; "" if it does not.
func (j *joiner) key(c ast.ExprNode) string {
	l, r := j.sides(c)
	if l == nil || l == r {
		return ""
	}
	left, right, _ := edit.Columns(c)
	a, _ := j.Column(left)
	b, _ := j.Column(right)
	if a == nil || b == nil {
		return ""
	}
	return j.foreign(l, a.Name, r, b.Name)
}

// foreign names the foreign key that two columns are, whichever refers to the other; "" if they are none.
func (j *joiner) foreign(a *bind.Source, column string, b *bind.Source, other string) string {
	if a.Table == nil || b.Table == nil {
		return ""
	}
	if !refers(a.Table, column, b.Table, other) {
		if a, column, b, other = b, other, a, column; !refers(a.Table, column, b.Table, other) {
			return ""
		}
	}
	return fmt.Sprintf("by the key %s.%s → %s.%s", j.said(a), column, j.said(b), other)
}

// said is how a key names a table: by its alias where it is read twice.
func (j *joiner) said(src *bind.Source) string {
	twin := func(s *bind.Source) bool { return s != src && s.Table == src.Table }
	if slices.ContainsFunc(j.block.Sources, twin) {
		return src.Name
	}
	return src.Table.Name
}

// refers says that a column of one table refers to a column of another.
func refers(from *schema.Table, column string, to *schema.Table, other string) bool {
	return slices.Contains(edit.Referred(from, column), strings.ToLower(to.Name+"."+other))
}
