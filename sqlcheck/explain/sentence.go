package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// Found is what a query found, as far as a sentence speaks of it.
type Found struct {
	Rows      int
	Truncated bool  // there were more
	First     []any // the values of the first row
}

// Bounds of what a sentence says, in bytes: what is longer it leaves out.
const (
	longestSentence = 240
	longestWhere    = 120
	longestCell     = 80
)

// Sentence says in one sentence what was found: from the tree and the result, not by a model. Where it cannot be sure
// of more it says how many rows there are. The names of b are bound without an issue.
func Sentence(b *bind.Bound, f Found) string {
	w := *newWriter(b)
	w.told = nil
	sel, ok := b.Stmt.(*ast.SelectStmt)
	q := b.Queries[b.Stmt]
	if !ok || q == nil || q.Block == nil || f.Truncated {
		return rowCount(f)
	}
	w.block = q.Block
	said := ""
	switch {
	case sel.GroupBy == nil && w.block.Grouped && f.Rows == 1:
		said = w.totalsSaid(f)
	case sel.GroupBy == nil && !w.block.Grouped || sel.GroupBy != nil && !sel.GroupBy.Rollup:
		said = w.rowsSaid(f)
	}
	if said == "" || len(said) > longestSentence {
		return rowCount(f)
	}
	return strings.ToUpper(said[:1]) + strings.TrimSuffix(said[1:], ".") + "."
}

// rowCount says how many rows there are, and the value where there is one alone.
func rowCount(f Found) string {
	v, alone := f.value()
	switch {
	case alone:
		return "The answer is " + v + "."
	case f.Truncated:
		return fmt.Sprintf("The first %d rows; there are more.", f.Rows)
	case f.Rows == 0:
		return "No rows."
	case f.Rows == 1:
		return "1 row."
	}
	return fmt.Sprintf("%d rows.", f.Rows)
}

// value is that of an answer that is one alone.
func (f Found) value() (said string, ok bool) {
	if f.Rows != 1 || len(f.First) != 1 {
		return "", false
	}
	return cell(f.First[0])
}

// cell is a value as a sentence shows it; ok is false where it does not.
func cell(v any) (said string, ok bool) {
	switch v := v.(type) {
	case nil, []byte:
		return "", false
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), v < 1e15 && v > -1e15
	default:
		said = fmt.Sprint(v)
	}
	return said, said != "" && len(said) <= longestCell && !strings.Contains(said, "\n") && utf8.ValidString(said)
}

// plain says that all that the block reads are tables: what derived ones are called says nothing to a reader.
func (w writer) plain() bool {
	derived := func(src *bind.Source) bool { return src.Table == nil }
	return len(w.block.Sources) > 0 && !slices.ContainsFunc(w.block.Sources, derived)
}

// kept says which rows are meant: " where …", or that there are conditions.
func (w writer) kept() string {
	_, tied := w.from()
	return w.meant(w.rest(tied))
}

const conditions = " that meet the conditions"

// meant says which rows conditions mean.
func (w writer) meant(conds []ast.ExprNode) string {
	switch text := w.both(conds); {
	case text == "":
		return ""
	case len(*w.apart) > 0 || len(text) > longestWhere: // a query is told apart, and a sentence has no place for it
		return conditions
	default:
		return " where " + text
	}
}

// totalsSaid says the values of a row that is about all rows.
func (w writer) totalsSaid(f Found) string {
	sel := w.block.Select
	values := len(f.First)
	if !w.plain() || sel.Having != nil || sel.Limit != nil || values != len(sel.Fields.Fields) || values > 3 {
		return ""
	}
	rows, kept := w.rowNoun(), w.together(w.main())+w.kept()
	var parts []string
	for i, field := range sel.Fields.Fields {
		v, ok := cell(f.First[i])
		if !ok && f.First[i] != nil {
			return ""
		}
		text := w.value(field.Expr)
		_, total := syntax.Unparen(field.Expr).(*ast.AggregateFuncExpr)
		if counted, is := strings.CutPrefix(text, "the number of "); is && total && len(f.First) == 1 {
			return w.countSaid(counted, v, kept)
		}
		if f.First[i] == nil {
			parts = append(parts, text+" has no value")
			continue
		}
		parts = append(parts, text+" is "+v)
	}
	if len(*w.apart) > 0 {
		return ""
	}
	return "for all " + rows.many + kept + ": " + list(parts, "and")
}

// countSaid says a number of things: "293 orders where …".
func (w writer) countSaid(counted, n, kept string) string {
	rows := w.rowNoun()
	switch {
	case n == "0":
		return "there are no " + counted + kept
	case n == "1" && counted == rows.many:
		return "1 " + rows.one + kept
	case n == "1":
		return "the number of " + counted + kept + " is 1"
	}
	return n + " " + counted + kept
}

// rowsSaid says what the rows are: things, groups of them or different values, the first of an order or all.
func (w writer) rowsSaid(f Found) string {
	sel := w.block.Select
	if !w.plain() {
		return ""
	}
	things, ok := w.things()
	kept := w.kept()
	if things.of != "" { // of a table; different values say it themselves
		things.one, things.many = things.one+w.together(w.thing()), things.many+w.together(w.thing())
	}
	if !ok || sel.Limit != nil && sel.Limit.Offset != nil {
		return ""
	}
	if sel.Having != nil {
		groups := w.meant(syntax.Conjuncts(sel.Having.Expr))
		if kept != "" {
			groups = conditions
		}
		kept = groups
	}
	if f.Rows < 2 {
		kept = strings.Replace(kept, "that meet", "that meets", 1)
	}
	most := 0
	if sel.Limit != nil {
		if most = syntax.LimitCount(sel.Limit); most == 0 {
			return ""
		}
	}
	said := ""
	switch {
	case f.Rows == 0:
		return "there is no " + things.one + kept
	case most > 0 && sel.OrderBy != nil && f.Rows == most:
		said = w.firstSaid(things, kept, most)
	case most > 0 && f.Rows == most:
		said = fmt.Sprintf("%d %s%s, of which there may be more", f.Rows, things.of1(f.Rows), kept)
	default:
		said = fmt.Sprintf("%d %s%s", f.Rows, things.of1(f.Rows), kept)
	}
	if said == "" || len(*w.apart) > 0 && !strings.Contains(kept, " the conditions") {
		return ""
	}
	if v, ok := f.value(); ok {
		said += ": " + v
	}
	return said
}

// firstSaid says the first rows of an order.
func (w writer) firstSaid(things noun, kept string, most int) string {
	order, count := w.order(w.block.Select.OrderBy)[0], ""
	switch {
	case strings.HasPrefix(order, "those where"):
		return ""
	case most > 1:
		count = strconv.Itoa(most) + " "
	}
	return "the first " + count + things.of1(most) + kept + " by " + strings.TrimPrefix(order, "the ")
}

// thing is the table whose rows, or groups, the rows are; nil if there is none.
func (w writer) thing() *bind.Source {
	if w.block.Select.GroupBy != nil {
		return w.groupedBy()
	}
	return w.main()
}

// together names the tables without a row of which there is none of the thing: joined ones leave rows out.
func (w writer) together(thing *bind.Source) string {
	var others []string
	for _, src := range w.block.Sources {
		if src != thing && !src.Weak {
			others = append(others, w.nouns[src].many)
		}
	}
	if thing == nil || len(others) == 0 {
		return ""
	}
	return " with " + list(others, "and")
}

// things are what the rows are called; ok is false where they have no name.
func (w writer) things() (things noun, ok bool) {
	sel := w.block.Select
	switch {
	case sel.GroupBy != nil && sel.Distinct:
		return noun{}, false
	case sel.GroupBy != nil:
		if src := w.groupedBy(); src != nil {
			return w.nouns[src], true
		}
		if len(sel.GroupBy.Items) != 1 {
			return noun{}, false
		}
		return w.differentOf(sel.GroupBy.Items[0].Expr)
	case sel.Distinct && len(sel.Fields.Fields) == 1 && sel.Fields.Fields[0].Expr != nil:
		return w.differentOf(sel.Fields.Fields[0].Expr)
	}
	if main := w.main(); main != nil && !sel.Distinct {
		return w.nouns[main], true
	}
	return noun{}, false
}

// differentOf are the different values of a column.
func (w writer) differentOf(e ast.ExprNode) (noun, bool) {
	c := w.bare(e)
	if c == nil {
		return noun{}, false
	}
	if col := c.Source.Columns[c.Index].Column; col == nil || col.Nullable || c.Source.Weak {
		return noun{}, false // NULL is one of the rows, and no value
	}
	column, of := name(c.Source.Columns[c.Index].Name), ""
	if len(w.block.Sources) > 1 {
		of = " of " + w.nouns[c.Source].many + w.together(c.Source)
	}
	return noun{column + of, "different " + valuesOf(column) + of, ""}, true
}

// of1 is the noun for a number of things.
func (n noun) of1(count int) string {
	if count == 1 {
		return n.one
	}
	return n.many
}
