package dissertation

import (
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Values replaces a literal that the compared column is known not to hold by the one known value that it must mean:
// the same but for blanks and punctuation, a synonym, a plural, or one letter off; or the column by the one beside it
// that holds the literal.
//
//	SELECT patientName FROM patients WHERE country = 'United Kingdom'
//	→ SELECT patientName FROM patients WHERE country = 'UK'
//
//	SELECT floor FROM wards WHERE floor = 'North' → SELECT floor FROM wards WHERE wardName = 'North'
var Values = draft.OnTree(func(t *draft.Text, b *bind.Bound) string {
	v := &valueRepair{bound: b, question: strings.ToLower(t.Asked())}
	syntax.Visit(b.Stmt, v.node)
	return strings.Join(v.whys, "; ")
})

type valueRepair struct {
	bound    *bind.Bound
	whys     []string
	question string // lower case
}

// node mends what one node compares.
func (v *valueRepair) node(n ast.Node) (deeper bool) {
	switch n := n.(type) {
	case *ast.BinaryOperationExpr:
		if n.Op == opcode.EQ {
			n.R = v.mend(n.L, n.R)
			n.L = v.mend(n.R, n.L)
		}
	case *ast.PatternLikeOrIlikeExpr:
		v.moveLike(n)
	case *ast.PatternInExpr:
		for i := range n.List {
			n.List[i] = v.mend(n.Expr, n.List[i])
		}
	}
	return true
}

// mend returns lit, or the value of column that it must mean.
func (v *valueRepair) mend(column, lit ast.ExprNode) ast.ExprNode {
	c, ok := column.(*ast.ColumnNameExpr)
	if !ok {
		return lit
	}
	val, ok := lit.(ast.ValueExpr)
	if !ok {
		return lit
	}
	text, ok := val.GetValue().(string)
	r := v.bound.Ref(c.Name)
	t, col := r.Column()
	if !ok || col == nil || r.Output >= 0 {
		return lit
	}
	if other := holderBeside(t, col, text); other != nil && r.Source.Table == t {
		v.whys = append(v.whys, "'"+text+"' is a "+other.Name+" and no "+col.Name)
		c.Name.Name = ast.NewCIStr(other.Name)
		return lit
	}
	if !col.Complete || len(col.Values) == 0 {
		return lit
	}
	said := v.question == "" || strings.Contains(v.question, strings.ToLower(text))
	best, found := question.NearestValue(text, col.Values, !said)
	if !found || best == text {
		return lit
	}
	v.whys = append(v.whys, r.Name.Name.O+" holds '"+best+"', not '"+text+"'")
	return syntax.TextExpr(best)
}

// holderBeside is the one other column of t that is known to hold text, where col holds numbers and text is none;
// else nil. Between two text columns the rule is not applied: where a first and a last name are swapped, a gold query
// means it.
func holderBeside(t *schema.Table, col *schema.Column, text string) *schema.Column {
	if col.Kind() != schema.Number {
		return nil
	}
	if _, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
		return nil
	}
	var home *schema.Column
	for i := range t.Columns {
		if c := &t.Columns[i]; c != col && c.Holds(text) {
			if home != nil {
				return nil
			}
			home = c
		}
	}
	return home
}

// moveLike turns a search for a known value in a neighbouring text ("description LIKE '%Ships%'") into a comparison
// with the one column of the same table that holds exactly that value.
func (v *valueRepair) moveLike(n *ast.PatternLikeOrIlikeExpr) {
	c, ok := n.Expr.(*ast.ColumnNameExpr)
	if !ok || n.Not {
		return
	}
	val, ok := n.Pattern.(ast.ValueExpr)
	if !ok {
		return
	}
	pattern, ok := val.GetValue().(string)
	text := strings.Trim(pattern, "%")
	if !ok || text == pattern || len(text) < 3 || strings.ContainsAny(text, "%_") ||
		!strings.Contains(v.question, strings.ToLower(text)) {
		return
	}
	r := v.bound.Ref(c.Name)
	t, col := r.Column()
	if col == nil || r.Source.Table == nil || col.Values != nil {
		return
	}
	var home *schema.Column
	for i := range t.Columns {
		o := &t.Columns[i]
		if o == col || !o.Complete {
			continue
		}
		for _, known := range o.Values {
			if strings.EqualFold(known, text) {
				if home != nil {
					return
				}
				home, text = o, known
			}
		}
	}
	if home == nil {
		return
	}
	v.whys = append(v.whys, "'"+text+"' is a "+home.Name+", not a part of "+col.Name)
	c.Name.Name = ast.NewCIStr(home.Name)
	n.Pattern = syntax.TextExpr(text)
}
