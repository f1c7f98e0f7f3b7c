// Package names mends names of tables and columns that mean nothing, or too much, in a schema: what [sqlcheck.Check]
// refuses, and nothing else. It says what it took for what. Begin with Columns. It imports bind, draft, edit,
// question, schema and syntax.
package names

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

// maxRepairs bounds the changes to one query; a text with more wrong names is not worth mending.
const maxRepairs = 12

// Columns qualifies a column that is the same on both sides of a join, moves a qualifier to the table that has the
// column, and joins the nearest table that has it.
//
//	SELECT country, AVG(fee) FROM visits GROUP BY country
//	→ SELECT patients.country,AVG(fee) FROM visits JOIN patients ON visits.patientId = patients.patientId
//	  GROUP BY country
func Columns(t *draft.Text) (out, why string) { return mend(t, false) }

// Names also takes an unknown table or column for the one that alone can be meant: the single near name, the only
// table that has a column, the tables between two that no key joins.
//
//	SELECT ward.city, ward.* FROM ward → SELECT wards.city,wards.* FROM wards
//
//	SELECT patientName FROM patients WHERE visitDate > '2024-01-31'
//	→ SELECT patientName FROM patients JOIN visits ON patients.patientId = visits.patientId
//	  WHERE visits.visitDate > '2024-01-31'
func Names(t *draft.Text) (out, why string) { return mend(t, true) }

func mend(t *draft.Text, guess bool) (out, why string) {
	wrong := func(i bind.Issue) bool { // about a column name that means nothing or too much
		return i.Ref != nil && (i.Reason == "unknown_column" || i.Reason == "ambiguous_column") ||
			guess && i.Reason == "unknown_table"
	}
	b, issues, parsed := t.Bind()
	if !parsed || !slices.ContainsFunc(issues, wrong) {
		return t.SQL, ""
	}
	stmt := b.Stmt
	t.Forget()
	var whys []string
	for range maxRepairs {
		b, issues := bind.Bind(stmt, t.Schema)
		if len(issues) == 0 {
			break
		}
		a, why := repair{b, guess}, ""
		for _, i := range issues {
			switch {
			case !wrong(i):
				continue
			case i.Ref == nil:
				why = a.nearTable(i)
			default:
				why = a.column(i)
			}
			if why != "" {
				break
			}
		}
		if why == "" {
			break
		}
		whys = append(whys, why)
	}
	if len(whys) == 0 {
		return t.SQL, ""
	}
	out, good := t.Print(stmt)
	if !good {
		return t.SQL, ""
	}
	// Half a repair helps nobody: the model's own text says more to a repair prompt.
	after := draft.Text{SQL: out, Schema: t.Schema}
	if _, issues, parsed := after.Bind(); !parsed || slices.ContainsFunc(issues, wrong) {
		return t.SQL, ""
	}
	return out, strings.Join(whys, "; ")
}

// repair mends the tree of a bound statement.
type repair struct {
	*bind.Bound
	guess bool // also by what could only be meant
}

// column mends one reference, or returns "".
func (a repair) column(i bind.Issue) string {
	r := i.Ref
	if r.Name.Schema.L != "" {
		return ""
	}
	if owners := edit.Owners(r.Block, r.Name); len(owners) > 1 {
		if why := a.qualify(r, owners); why != "" {
			return why
		}
		return splitCondition(r)
	}
	if why := a.unquoted(r); why != "" {
		return why
	}
	broke := func(s *bind.Source) bool { return s.Broke } // its own issue comes first
	if len(r.Block.Sources) == 0 || slices.ContainsFunc(r.Block.Sources, broke) {
		return ""
	}
	if r.Name.Table.L != "" {
		if why := a.moveQualifier(r); why != "" {
			return why
		}
	}
	if why := aliased(r); why != "" {
		return why
	}
	if why := a.respelled(r); why != "" {
		return why
	}
	if r.Clause == bind.InOn {
		if why := a.repairCondition(r); why != "" {
			return why
		}
	} else if why := a.joinOwner(i); why != "" {
		return why
	}
	if a.guess {
		return a.nearColumn(i)
	}
	return ""
}

// unquoted finds a name that is a value of the column which it is compared with, and makes it that text.
func (a repair) unquoted(r *bind.ColumnRef) (why string) {
	has := func(text string) bool { return r.Name.Table.L == "" && strings.EqualFold(text, r.Name.Name.O) }
	edit.Comparisons(a.Stmt, func(_ opcode.Op, l, e ast.ExprNode) {
		col, known := a.Column(l)
		name, is := e.(*ast.ColumnNameExpr)
		if is && known && name.Name == r.Name && slices.ContainsFunc(col.Known(), has) {
			why = col.Name + " has '" + r.Name.Name.O + "', which is no column"
			edit.Rewrite(a.Stmt, func(n ast.ExprNode) ast.ExprNode {
				if n == e {
					return syntax.TextExpr(r.Name.Name.O)
				}
				return n
			})
		}
	})
	return why
}

// moveQualifier points a qualified column at the source in the same FROM that has it.
func (a repair) moveQualifier(r *bind.ColumnRef) string {
	old := r.Name.Table
	owners := edit.Owners(r.Block, &ast.ColumnName{Name: r.Name.Name})
	known := r.Block.SourceNamed(old.L) != nil
	switch {
	case len(owners) == 0:
		return ""
	case len(owners) > 1:
		for _, o := range owners[1:] {
			if !equated(r.Block, owners[0].Name, o.Name, r.Name.Name.L) {
				return ""
			}
		}
	}
	// A qualifier that names a table which is present under an alias means that alias.
	if !known {
		if t, ok := a.Schema.Table(old.O); ok {
			uses := syntax.Filter(r.Block.Sources, func(s *bind.Source) bool { return s.Table == t })
			if len(uses) == 1 && uses[0].Has(r.Name.Name.L) {
				r.Name.Table = ast.NewCIStr(uses[0].Name)
				return old.O + "." + r.Name.Name.O + " is " + uses[0].Name + "." + r.Name.Name.O
			}
			if len(uses) == 0 && ownsColumn(t, r.Name.Name.L) {
				return "" // a table that was forgotten: joinOwner brings it
			}
		} else if t := a.ownerOfAlias(r); t != nil && r.Block.Reads(t) == nil {
			return "" // likewise, under an alias
		}
	}
	join, condition := conditionOf(r)
	src := r.Block.SourceNamed(r.Name.Table.L)
	ties := condition != nil && src != nil && join.Right == src.Node // on another table's column it would tie nothing
	if r.Clause == bind.InOn && (wouldCompareWithItself(r, owners[0]) || ties) {
		return ""
	}
	r.Name.Table = ast.NewCIStr(owners[0].Name)
	return old.O + "." + r.Name.Name.O + " is " + owners[0].Name + "." + r.Name.Name.O
}

func ownsColumn(t *schema.Table, name string) bool {
	_, ok := t.Column(name)
	return ok
}

// wouldCompareWithItself reports whether moving r to s would turn a join condition into one of s alone.
func wouldCompareWithItself(r *bind.ColumnRef, s *bind.Source) bool {
	for _, c := range edit.Conditions(r.Block.Select) {
		l, x, op := edit.Columns(c)
		if op != 0 && x.Name == r.Name {
			l, x = x, l
		}
		if op != 0 && l.Name == r.Name && strings.EqualFold(x.Name.Table.L, s.Name) {
			return true
		}
	}
	return false
}

// ownerOfAlias is the one table that has every column the scope takes from an unknown qualifier,
// if its name begins with the qualifier's letters or no other table fits; else nil.
func (a repair) ownerOfAlias(r *bind.ColumnRef) *schema.Table {
	var cols []string
	for _, o := range a.Columns {
		if o.Block == r.Block && o.Home == nil && o.Name.Table.L == r.Name.Table.L {
			cols = append(cols, o.Name.Name.L)
		}
	}
	var fit []*schema.Table
	for i := range a.Schema.Tables {
		t := &a.Schema.Tables[i]
		if len(cols) > 0 && !slices.ContainsFunc(cols, func(c string) bool { return !ownsColumn(t, c) }) {
			fit = append(fit, t)
		}
	}
	if len(fit) > 1 {
		letters := strings.TrimRight(r.Name.Table.L, "0123456789")
		fit = slices.DeleteFunc(fit, func(t *schema.Table) bool {
			return !strings.HasPrefix(strings.ToLower(t.Name), letters)
		})
	}
	if len(fit) == 1 {
		return fit[0]
	}
	return nil
}
