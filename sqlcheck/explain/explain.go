// Package explain says what a query asks, in plain words: from its tree alone, without a model, a database or a
// question. What operators and functions are called stands in tables; what tables and columns are called comes from
// their names. The same words make the sentence above an answer (Sentence). What is rare (frames of windows, JSON,
// regular expressions, bits) is shown as its SQL. Begin with Of. It imports bind, edit, schema, syntax and words.
package explain

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Explanation is a query in words. Its JSON is an interface.
type Explanation struct {
	// by which the query around it speaks of it: "spent", "(1)"; "" is the statement
	Name   string   `json:"name,omitempty"`
	Row    string   `json:"row"`              // what a row of the result is
	From   []string `json:"from,omitempty"`   // tables, each with how it is joined to those before it
	Where  []string `json:"where,omitempty"`  // conditions, all of which a row meets
	Having []string `json:"having,omitempty"` // of groups
	Shows  []string `json:"shows,omitempty"`  // its columns
	Order  []string `json:"order,omitempty"`  // the first counts most
	Limit  string   `json:"limit,omitempty"`

	Queries []Explanation `json:"queries,omitempty"` // those that it reads, compares with or puts together
}

// Bind parses and binds a query that passed the check against a schema; ok is false if it is none.
func Bind(sql string, s *schema.Schema) (b *bind.Bound, ok bool) {
	stmt, ok := syntax.OneSelect(syntax.Readable(sql))
	if !ok || s == nil {
		return nil, false
	}
	b, issues := bind.Bind(stmt, s)
	return b, len(issues) == 0
}

// Of explains a statement whose names are bound without an issue.
func Of(b *bind.Bound) Explanation { return newWriter(b).query(b.Stmt, "") }

// writer puts the queries of one statement into words.
type writer struct {
	*bind.Bound
	nouns  map[*bind.Source]noun
	outer  map[*bind.Block]bool    // it, or a query within, names columns of one around it
	told   map[*schema.Column]bool // its comment was told; nil tells none
	block  *bind.Block             // that is being written
	apart  *[]Explanation          // where queries go that are told apart
	number *int                    // of those without a name
	within int                     // queries that are told in the sentence around them
	alias  bool                    // columns that the select list computes are named by their alias
}

func newWriter(b *bind.Bound) *writer {
	w := &writer{Bound: b, outer: map[*bind.Block]bool{}, told: map[*schema.Column]bool{}, number: new(int)}
	w.apart = &[]Explanation{}
	for _, ref := range b.Columns {
		for block := ref.Block; ref.Home != nil && block != nil && block != ref.Home; block = block.Outer {
			w.outer[block] = true
		}
	}
	w.nouns = nounsOf(b, w.outer)
	return w
}

// query explains a SELECT or a set operation under a name.
func (w writer) query(node ast.Node, name string) Explanation {
	e := Explanation{Name: name}
	w.apart = &e.Queries
	switch n := node.(type) {
	case *ast.SelectStmt:
		w.with(n.With)
		w.selects(n, &e)
	case *ast.SetOprStmt:
		w.with(n.With)
		w.set(n.SelectList.Selects, n.OrderBy, n.Limit, &e)
	case *ast.SetOprSelectList:
		w.with(n.With)
		w.set(n.Selects, n.OrderBy, n.Limit, &e)
	}
	return e
}

// with explains the common table expressions of a query.
func (w writer) with(with *ast.WithClause) {
	if with == nil {
		return
	}
	for _, cte := range with.CTEs {
		e := w.query(cte.Query.Query, cte.Name.O)
		self := func(t *ast.TableName) bool { return t.Schema.L == "" && t.Name.L == cte.Name.L }
		if q := w.Queries[cte.Query.Query]; with.IsRecursive && q != nil &&
			slices.ContainsFunc(syntax.All[*ast.TableName](cte.Query), self) {
			e.Row += "; what does not read " + cte.Name.O +
				" comes first, the rest again and again from the rows found last"
		}
		*w.apart = append(*w.apart, e)
	}
}

// selects explains one SELECT.
func (w writer) selects(sel *ast.SelectStmt, e *Explanation) {
	q := w.Queries[sel]
	if q == nil || q.Block == nil {
		return
	}
	w.block = q.Block
	e.Row = w.row()
	var tied []ast.ExprNode
	e.From, tied = w.from()
	e.Where = append(e.Where, syntax.Map(w.rest(tied), w.condition)...)
	if sel.Having != nil {
		e.Having = append(e.Having, syntax.Map(syntax.Conjuncts(sel.Having.Expr), w.condition)...)
	}
	e.Shows = w.shows()
	w.alias = true
	e.Order = w.order(sel.OrderBy)
	e.Limit = w.limit(sel.Limit, sel.OrderBy != nil)
}

// rest are the conditions of WHERE that join no tables.
func (w writer) rest(tied []ast.ExprNode) []ast.ExprNode {
	return slices.DeleteFunc(syntax.Conjuncts(w.block.Select.Where), func(c ast.ExprNode) bool {
		return slices.Contains(tied, c)
	})
}

// shows are the columns of the select list.
func (w writer) shows() (out []string) {
	for _, f := range w.block.Select.Fields.Fields {
		switch {
		case f.WildCard != nil && f.WildCard.Table.O == "":
			out = append(out, "all columns")
		case f.WildCard != nil:
			out = append(out, "all columns of "+w.nouns[w.block.SourceNamed(f.WildCard.Table.O)].of)
		default:
			text := w.value(f.Expr)
			c, is := syntax.Unparen(f.Expr).(*ast.ColumnNameExpr)
			if f.AsName.O != "" && (!is || f.AsName.L != c.Name.Name.L) {
				text += " (called " + f.AsName.O + ")"
			}
			out = append(out, text)
		}
	}
	return out
}

// limit says how many rows are left.
func (w writer) limit(l *ast.Limit, ordered bool) string {
	if l == nil {
		return ""
	}
	text := w.value(l.Count) + " rows"
	if text == "1 rows" {
		text = "1 row"
	}
	switch {
	case l.Offset != nil:
		return text + ", after " + w.value(l.Offset) + " that are passed over"
	case !ordered:
		return "any " + text
	}
	return "the first " + strings.TrimPrefix(text, "1 ")
}

// order says how rows are sorted.
func (w writer) order(by *ast.OrderByClause) (out []string) {
	if by == nil {
		return nil
	}
	for _, item := range by.Items {
		if isCondition(item.Expr) {
			end := map[bool]string{false: ", last", true: ", first"}[item.Desc]
			out = append(out, "those where "+w.condition(item.Expr)+end)
		} else if o, is := w.numbered(item.Expr); is {
			out = append(out, w.output(o)+directions[w.outputKind(o, 0)][item.Desc])
		} else {
			out = append(out, w.value(item.Expr)+directions[w.kind(item.Expr)][item.Desc])
		}
	}
	return out
}

// directions are what comes first by the kind of what is sorted, and whether downwards.
var directions = map[kind]map[bool]string{
	number: {false: ", smallest first", true: ", largest first"},
	text:   {false: ", A to Z", true: ", Z to A"},
	date:   {false: ", earliest first", true: ", latest first"},
	listed: {false: ", in the order of its type's list", true: ", against the order of its type's list"},
	other:  {false: ", ascending", true: ", descending"},
}

// numbered is the column of the select list that a number in ORDER BY or GROUP BY stands for.
func (w writer) numbered(e ast.ExprNode) (o bind.Output, ok bool) {
	n, is := syntax.Position(e)
	if !is || w.block == nil || n < 1 || n > len(w.block.Output) {
		return o, false
	}
	return w.block.Output[n-1], true
}

// output is a column of the select list in words.
func (w writer) output(o bind.Output) string {
	_, bare := syntax.Unparen(o.Expr).(*ast.ColumnNameExpr)
	switch {
	case w.alias && o.Field != nil && o.Field.AsName.O != "" && o.Expr != nil && !bare: // it says more
		return o.Field.AsName.O
	case o.Expr != nil:
		return w.value(o.Expr)
	case o.Source != nil:
		return w.columnOf(o.Source, o.Index, w.block)
	}
	return o.Label
}
