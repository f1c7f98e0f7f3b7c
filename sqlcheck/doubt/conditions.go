package doubt

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// missingMonth finds a month of the question of which the query has no trace: not its number, its name, nor a day in
// it or in the next.
func missingMonth(c *Case) []sqlcheck.Finding {
	if c.Question == nil {
		return nil
	}
	text := strings.ToLower(strings.Join(literals(c.bound), " "))
	var out []sqlcheck.Finding
	for _, month := range c.Question.Months() {
		low := strings.ToLower(month.String())
		there := strings.Contains(text, low[:3]) || c.stands[low] || c.stands[low[:3]]
		for _, m := range numberIn.FindAllString(text, -1) {
			n, err := strconv.Atoi(m)
			there = there || err == nil && (n == int(month) || n == int(month)%12+1)
		}
		if !there {
			out = append(out, finding("nothing in the query stands for %s", month)...)
		}
	}
	return out
}

var numberIn = regexp.MustCompile(`\d+`)

// missingCondition finds a word before or behind the name of a table, as in "lost parcels", for which nothing in the
// query stands, where the query has no condition at all.
func missingCondition(c *Case) []sqlcheck.Finding {
	if c.Question == nil || conditional(c.bound) {
		return nil
	}
	content := c.Question.Content()
	for _, w := range c.Question.Conditions() {
		isValue := slices.ContainsFunc(c.Values, func(v Value) bool { return strings.EqualFold(v.Said, w.Said) })
		if !isValue && slices.Contains(content, w.Stem) && !c.reads(w.Stem) &&
			!words.StandsFor(c.comments, w.Stem) {
			return finding("nothing in the query stands for %q", w.Said)
		}
	}
	return nil
}

// conditional reports whether a statement keeps some of its rows only, in any way but by its joins.
func conditional(b *bind.Bound) bool {
	return slices.ContainsFunc(b.Blocks, func(block *bind.Block) bool {
		sel := block.Select
		return len(b.Blocks) > 1 || sel.Where != nil || sel.Having != nil || sel.Limit != nil
	})
}

// unknownThing finds what is counted that neither the query nor the database has: "how many stations" of a table of
// invoices.
func unknownThing(c *Case) []sqlcheck.Finding {
	if c.Question == nil {
		return nil
	}
	counted := c.Question.Counted()
	unlinked := c.Question.Unlinked(c.Glossary...)
	known := func(w question.Said) bool {
		return !slices.Contains(unlinked, w.Stem) || c.reads(w.Stem)
	}
	if len(counted) == 0 || slices.ContainsFunc(counted, known) {
		return nil
	}
	return finding("the question counts %s, of which the database seems to know nothing", counted[len(counted)-1].Said)
}

// otherCount finds a COUNT(*) of a join that gives several rows for one of what the question counts.
func otherCount(c *Case) []sqlcheck.Finding {
	if c.Question == nil {
		return nil
	}
	counted := c.Question.CountedTable()
	if counted == nil {
		return nil
	}
	var out []sqlcheck.Finding
	for _, block := range c.bound.Blocks {
		src := block.Reads(counted)
		if src == nil || block.Outer != nil {
			continue
		}
		many := c.severalFor(block, src)
		grouped := func(ref *bind.ColumnRef) bool {
			return ref.Clause == bind.InGroup && slices.Contains(many, ref.Source)
		}
		if len(many) == 0 || slices.ContainsFunc(c.bound.Columns, grouped) {
			continue
		}
		syntax.Visit(block.Select.Fields, func(n ast.Node) bool {
			agg, ok := n.(*ast.AggregateFuncExpr)
			if ok && strings.EqualFold(agg.F, "count") && !agg.Distinct {
				names := syntax.ColumnNames(agg)
				f := finding("the join with %s counts rows of %s several times", bind.SourceName(many[0]),
					bind.SourceName(src))[0]
				if len(names) == 0 || c.bound.Ref(names[0]) != nil {
					out = append(out, f)
				}
			}
			return true
		})
	}
	return out
}

// droppedCondition finds a query that goes on from another one and has lost a condition of it: "and their names", with
// the names of all.
func droppedCondition(c *Case) []sqlcheck.Finding {
	if c.Before == "" {
		return nil
	}
	stmt, ok := syntax.OneSelect(syntax.Readable(c.Before))
	if !ok {
		return nil
	}
	before, issues := bind.Bind(stmt, c.Schema)
	if len(issues) > 0 { // anybody may have written it
		return nil
	}
	kept := map[*schema.Column]bool{nil: true} // a computed column may be the same one in another way
	for _, ref := range c.bound.Columns {
		if ref.Clause == bind.InWhere || ref.Clause == bind.InHaving || ref.Clause == bind.InOn {
			_, col := ref.Column()
			kept[col] = true
		}
	}
	var out []sqlcheck.Finding
	for _, block := range before.Blocks {
		for _, cond := range syntax.Conjuncts(block.Select.Where) {
			for _, name := range edit.Tested(cond) {
				if _, col := before.RefOf(name).Column(); !kept[col] {
					kept[col] = true
					text, err := syntax.Print(cond)
					if err == nil {
						out = append(out, finding("the query before wanted %s, and this one does not", text)...)
					}
				}
			}
		}
	}
	return out
}

// otherMeaning finds a query that lacks a condition which the glossary gives for a word of the question, or that has
// another value in it.
func otherMeaning(c *Case) []sqlcheck.Finding {
	var out []sqlcheck.Finding
	for _, meaning := range c.Glossary {
		for _, cond := range conditionsIn(meaning) {
			if why := c.against(cond); why != "" {
				out = append(out, finding("the glossary says %s, and the query %s", meaning, why)...)
				break
			}
		}
	}
	return out
}

// conditionsIn are those of a meaning that is a condition in SQL; none if it is words.
func conditionsIn(meaning string) []ast.ExprNode {
	stmt, ok := syntax.OneSelect("SELECT 1 FROM t WHERE " + meaning)
	if !ok {
		return nil
	}
	sel, is := stmt.(*ast.SelectStmt)
	if !is || sel.GroupBy != nil || sel.OrderBy != nil || sel.Limit != nil {
		return nil
	}
	return syntax.Conjuncts(sel.Where)
}

// against says what of a query speaks against a condition; "" if nothing does, or the condition asks nothing of a
// column of the schema.
func (c *Case) against(cond ast.ExprNode) string {
	tested := edit.Tested(cond)
	if len(tested) == 0 || !c.isColumn(tested[0].Name) {
		return ""
	}
	name := tested[0].Name
	uses := func(ref *bind.ColumnRef) bool {
		t, col := ref.Column()
		return col != nil && strings.EqualFold(col.Name, name.Name.O) &&
			(name.Table.L == "" || strings.EqualFold(t.Name, name.Table.O))
	}
	if !slices.ContainsFunc(c.bound.Columns, uses) {
		return "asks nothing of " + name.Name.O
	}
	if null, is := syntax.Unparen(cond).(*ast.IsNullExpr); is {
		return c.contrary(null, uses)
	}
	var wanted, got []string
	edit.Equated(cond, func(_ *ast.ColumnNameExpr, v ast.ValueExpr) {
		wanted = append(wanted, fmt.Sprint(v.GetValue()))
	})
	other := false
	eachComparison(c.bound, func(op opcode.Op, l, r ast.ExprNode) {
		text, _, literal := literal(r)
		if !literal || !uses(c.bound.RefOf(l)) {
			return
		}
		if other = other || op != opcode.EQ; !other {
			got = append(got, text)
		}
	})
	same := func(v string) bool {
		return slices.ContainsFunc(wanted, func(w string) bool { return words.SameText(v, w) })
	}
	if len(wanted) > 0 && len(got) > 0 && !other && !slices.ContainsFunc(got, same) {
		return "has " + quoted(got[0], true) + " there"
	}
	return ""
}

// contrary says that the query asks for IS NULL where a condition asks for IS NOT NULL of the same column, or the other
// way round; "" if it does not, or asks for both.
func (c *Case) contrary(wanted *ast.IsNullExpr, uses func(*bind.ColumnRef) bool) string {
	same, other := false, false
	syntax.Visit(c.bound.Stmt, func(n ast.Node) bool {
		if null, is := n.(*ast.IsNullExpr); is {
			if ref := c.bound.RefOf(null.Expr); ref != nil && uses(ref) {
				same, other = same || null.Not == wanted.Not, other || null.Not != wanted.Not
			}
		}
		return true
	})
	switch {
	case same || !other:
		return ""
	case wanted.Not:
		return "has IS NULL there"
	}
	return "has IS NOT NULL there"
}

// isColumn reports whether a name is one of a column of the schema.
func (c *Case) isColumn(name *ast.ColumnName) bool {
	for i := range c.Schema.Tables {
		t := &c.Schema.Tables[i]
		if _, has := t.Column(name.Name.O); has && (name.Table.L == "" || strings.EqualFold(t.Name, name.Table.O)) {
			return true
		}
	}
	return false
}

// hiddenTable is the table whose rows the question counts, where the query neither reads nor refers to it, and a code
// stands in it for a word of the question, as for "open" in "How many stations did we open?"; or nil.
func (c *Case) hiddenTable() *schema.Table {
	counted := c.Question.CountedTable()
	if counted == nil || slices.Contains(c.bound.Tables(), counted.Name) {
		return nil
	}
	refers := func(ref *bind.ColumnRef) bool {
		t, col := ref.Column()
		return col != nil && slices.ContainsFunc(t.ForeignKeys, func(fk schema.ForeignKey) bool {
			named := func(name string) bool { return strings.EqualFold(name, col.Name) }
			return strings.EqualFold(fk.RefTable, counted.Name) && slices.ContainsFunc(fk.Columns, named)
		})
	}
	texts := literals(c.bound)
	code := func(v Value) bool { return v.Said != "" && slices.Contains(texts, v.Value) }
	if slices.ContainsFunc(c.bound.Columns, refers) || !slices.ContainsFunc(c.Values, code) {
		return nil
	}
	return counted
}
