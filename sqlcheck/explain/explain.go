// Package explain says what a query asks, in plain words: from its tree alone, without a model, a database or a
// question. What operators and functions are called stands in tables; what tables and columns are called comes from
// their names. The same words make the sentence above an answer (Sentence). Every construct that Check lets through has
// words. Begin with Of. It imports bind, edit, schema, syntax and words.
package explain

import (
	"fmt"
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
func Of(b *bind.Bound) Explanation {
	return newWriter(b).query(b.Stmt, "")
}

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
		w.set(n, n.SelectList.Selects, n.OrderBy, n.Limit, &e)
	case *ast.SetOprSelectList:
		w.with(n.With)
		w.set(n, n.Selects, n.OrderBy, n.Limit, &e)
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
		if q := w.Queries[cte.Query.Query]; with.IsRecursive && q != nil && w.readsItself(cte) {
			e.Row += "; what does not read " + cte.Name.O +
				" comes first, the rest again and again from the rows found last"
		}
		*w.apart = append(*w.apart, e)
	}
}

// readsItself says that a common table expression is in its own FROM.
func (w writer) readsItself(cte *ast.CommonTableExpression) (reads bool) {
	syntax.Visit(cte.Query, func(n ast.Node) bool {
		t, is := n.(*ast.TableName)
		reads = reads || is && t.Schema.L == "" && t.Name.L == cte.Name.L
		return !reads
	})
	return reads
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
	for _, c := range w.rest(tied) {
		e.Where = append(e.Where, w.condition(c))
	}
	if sel.Having != nil {
		for _, c := range syntax.Conjuncts(sel.Having.Expr) {
			e.Having = append(e.Having, w.condition(c))
		}
	}
	e.Shows = w.shows()
	w.alias = true
	e.Order = w.order(sel.OrderBy)
	e.Limit = w.limit(sel.Limit, sel.OrderBy != nil)
}

// rest are the conditions of WHERE that join no tables.
func (w writer) rest(tied []ast.ExprNode) (out []ast.ExprNode) {
	gone := map[ast.ExprNode]bool{}
	for _, c := range tied {
		gone[c] = true
	}
	for _, c := range syntax.Conjuncts(w.block.Select.Where) {
		if !gone[c] {
			out = append(out, c)
		}
	}
	return out
}

// shows are the columns of the select list.
func (w writer) shows() (out []string) {
	for _, f := range w.block.Select.Fields.Fields {
		switch {
		case f.WildCard != nil && f.WildCard.Table.O == "":
			out = append(out, "all columns")
		case f.WildCard != nil:
			src := w.block.SourceNamed(f.WildCard.Table.O)
			if src == nil {
				out = append(out, "all columns of "+f.WildCard.Table.O)
				break
			}
			out = append(out, "all columns of "+w.nouns[src].of)
		default:
			text := w.value(f.Expr)
			if f.AsName.O != "" && !w.namedLike(f.Expr, f.AsName.O) {
				text += fmt.Sprintf(" (called %s)", f.AsName.O)
			}
			out = append(out, text)
		}
	}
	return out
}

// namedLike says that an alias is the name of the column that it stands for.
func (w writer) namedLike(e ast.ExprNode, alias string) bool {
	c, ok := syntax.Unparen(e).(*ast.ColumnNameExpr)
	return ok && ast.NewCIStr(alias).L == c.Name.Name.L
}

// limit says how many rows are left.
func (w writer) limit(l *ast.Limit, ordered bool) string {
	if l == nil {
		return ""
	}
	text := w.expr(l.Count).text + " rows"
	if text == "1 rows" {
		text = "1 row"
	}
	if l.Offset != nil {
		return fmt.Sprintf("%s, after %s that are passed over", text, w.expr(l.Offset).text)
	}
	if !ordered {
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
		text := ""
		if n, is := syntax.Position(item.Expr); is && w.block != nil && n >= 1 && n <= len(w.block.Output) {
			text = w.output(w.block.Output[n-1])
		} else if is {
			text = fmt.Sprintf("column %d", n)
		} else if isCondition(item.Expr) {
			out = append(out, "those where "+w.condition(item.Expr)+[]string{", last", ", first"}[down(item)])
			continue
		} else {
			text = w.value(item.Expr)
		}
		out = append(out, text+", "+directions[w.sorted(item.Expr)][down(item)])
	}
	return out
}

func down(item *ast.ByItem) int {
	if item.Desc {
		return 1
	}
	return 0
}

// directions are what comes first by the kind of what is sorted, ascending and descending.
var directions = map[kind][2]string{
	number: {"smallest first", "largest first"},
	text:   {"A to Z", "Z to A"},
	date:   {"earliest first", "latest first"},
	listed: {"in the order of its type's list", "against the order of its type's list"},
	other:  {"ascending", "descending"},
}

// sorted is the kind of an item of ORDER BY.
func (w writer) sorted(e ast.ExprNode) kind {
	if n, is := syntax.Position(e); is {
		if w.block == nil || n < 1 || n > len(w.block.Output) {
			return other
		}
		return w.outputKind(w.block.Output[n-1], 0)
	}
	return w.kind(e)
}

// output is a column of the select list in words.
func (w writer) output(o bind.Output) string {
	if w.alias && o.Field != nil && o.Field.AsName.O != "" && o.Expr != nil && w.alone(o.Expr) {
		return o.Field.AsName.O
	}
	if o.Expr != nil {
		return w.value(o.Expr)
	}
	if o.Source != nil {
		return w.columnOf(o.Source, o.Index, w.block)
	}
	return o.Label
}

// alone says that an expression is no bare column, so that its alias says more.
func (w writer) alone(e ast.ExprNode) bool {
	_, bare := syntax.Unparen(e).(*ast.ColumnNameExpr)
	return !bare
}
