// Package ambiguity says what else a question may ask. Where one of its words fits several columns, tables or dates
// alike, where a value is one of two columns, and where the first rows are cut from more that tie, the query that
// answers it has neighbours, made by exchanging just that. It knows no model and no database: who runs them sees which
// find other rows, and only those matter. Begin with Of. It imports bind, edit, explain, question, schema, syntax and
// words.
package ambiguity

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/explain"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// Kind is what is ambiguous. Its texts are an interface.
type Kind string

// The kinds, of which a question is asked about the first.
const (
	Table  Kind = "table"
	Value  Kind = "value"
	Column Kind = "column"
	Date   Kind = "date"
	Tie    Kind = "tie"
)

// Alternative is another query that the same question may ask.
type Alternative struct {
	Kind  Kind
	Word  string // of the question, that fits both; of a tie how many rows are shown, as a number; "" of dates
	Taken string // what the query takes it for
	Other string // what this one takes it for
	SQL   string
}

// table has a function for each kind, in the order in which they are asked about.
var table = []func(*reader){(*reader).tables, (*reader).values, (*reader).columns, (*reader).dates, (*reader).ties}

// mostOthers are the alternatives of a word.
const mostOthers = 2

// Of are the alternatives of a query that passed the check, of the first kinds first. There are none for a query of
// which it is not plain what else could be meant.
func Of(q *question.Question, sql string) []Alternative {
	b, ok := explain.Bind(sql, q.Schema)
	if !ok || len(b.Blocks) == 0 {
		return nil
	}
	r := &reader{q: q, sql: sql, b: b}
	for _, find := range table {
		find(r)
	}
	return r.out
}

// reader looks for what else a question may ask than a query does.
type reader struct {
	q   *question.Question
	sql string
	b   *bind.Bound
	out []Alternative
}

// add makes an alternative of a fresh tree of the query; change is false where it cannot be made.
func (r *reader) add(a Alternative, change func(b *bind.Bound) (ast.Node, bool)) {
	same := func(o Alternative) bool { return o.Kind == a.Kind && o.Word == a.Word }
	if n := len(r.out); n >= mostOthers && same(r.out[n-1]) && same(r.out[n-mostOthers]) {
		return
	}
	b, ok := explain.Bind(r.sql, r.q.Schema)
	if !ok {
		return
	}
	stmt, ok := change(b)
	if !ok {
		return
	}
	var err error
	if a.SQL, err = syntax.Print(stmt); err == nil {
		r.out = append(r.out, a)
	}
}

// use is a column of a table that the query reads, and where its name stands in it.
type use struct {
	src   *bind.Source
	col   *schema.Column
	names []int // in Bound.Columns
}

// uses are the columns of tables that the query names, each once.
func (r *reader) uses() (all []use) {
	for i, ref := range r.b.Columns {
		src, col := behind(ref)
		if col == nil || src.Table == nil || ref.Clause == bind.InFrom {
			continue
		}
		u := syntax.Entry(&all, func(u use) bool { return u.src == src && u.col == col }, use{src: src, col: col})
		u.names = append(u.names, i)
	}
	return all
}

// behind is the source and the column that a name stands for, also where it means one of the select list.
func behind(ref *bind.ColumnRef) (*bind.Source, *schema.Column) {
	if ref.Source != nil {
		_, col := ref.Column()
		return ref.Source, col
	}
	if ref.Home == nil || ref.Output < 0 || ref.Output >= len(ref.Home.Output) {
		return nil, nil
	}
	if o := ref.Home.Output[ref.Output]; o.Source != nil && o.Field != nil && o.Field.AsName.O == "" {
		return o.Source, o.Column
	}
	return nil, nil
}

// rename writes the name of another column in the places of names.
func rename(names []int, to string) func(b *bind.Bound) (ast.Node, bool) {
	return func(b *bind.Bound) (ast.Node, bool) {
		for _, i := range names {
			b.Columns[i].Name.Name = ast.NewCIStr(to)
		}
		return b.Stmt, true
	}
}

// says reports whether the question has a word, or one that surely means it; those of but are spoken for.
func (r *reader) says(stem string, but []string) bool {
	said := map[string]bool{stem: true}
	if ways[stem] != nil {
		said = ways[stem]
	}
	means := words.MeaningOf(said)
	return slices.ContainsFunc(r.q.Words, func(w question.Word) bool {
		switch {
		case w.Masked:
			return false
		case said[words.Stem(w.Low)]:
			return true
		case slices.Contains(but, words.Stem(w.Low)) || len(w.Low) < 3:
			return false
		case measures[stem] && words.Uses(stem)&words.Uses(w.Low)&aggregates != 0:
			return true
		case words.IsStop(w.Low):
			return false
		}
		return words.StandsFor(said, w.Low) || !words.Is(w.Low, words.Order|words.Superlative) && means.Has(w.Low)
	})
}

const aggregates = words.Avg | words.Sum | words.Max | words.Min

// measures are words of names that ask for an aggregate in a question.
var measures = syntax.WordSet("avg average max maximum min minimum sum total")

// ways are words of questions for those of names that say too little by themselves.
var ways = map[string]map[string]bool{
	"from": syntax.WordSet("since start begin began join open"),
	"to":   syntax.WordSet("until till end leave left finish close"),
}

// tells are the words of the one name that are not of the other, without those that only build names.
func tells(of, other []string) []string {
	return slices.DeleteFunc(slices.Clone(of), func(w string) bool {
		return slices.Contains(other, w) || building[w]
	})
}

// building are words that build names, and the words of dates, which tell none from another.
var building = syntax.WordSet("a an and at by for in is of on the with yn date time datetime day year timestamp")

// settled reports whether the question has a word that tells one column from the other, or the whole name of one.
func (r *reader) settled(a, b question.ColumnWords) bool {
	both := slices.Concat(a.Own, b.Own, r.q.Voc.TableWordsOf(a.Table)) // claims say nothing of what was claimed
	says := func(w string) bool { return r.says(w, both) }
	return slices.ContainsFunc(tells(a.Own, b.Own), says) || slices.ContainsFunc(tells(b.Own, a.Own), says) ||
		r.q.Mention(0, a.Words) >= 0 || r.q.Mention(0, b.Words) >= 0 || r.done(a) || r.done(b)
}

// done reports whether the question says of a table's rows what the name of a column does: ordered, for the date of an
// order.
func (r *reader) done(c question.ColumnWords) bool {
	return slices.ContainsFunc(c.Words, func(s string) bool {
		return !slices.Contains(c.Own, s) && slices.ContainsFunc(r.q.Words, func(w question.Word) bool {
			return !w.Masked && words.Stem(w.Low) != s && words.Stands(map[string]bool{s: true}, w.Low)
		})
	})
}

// name is what a column or a table is called.
func name(of string) string { return strings.ToLower(explain.NameOf(of)) }

// ties shows the first rows of an order with all that tie for the last place.
//
//	SELECT name FROM pets ORDER BY age LIMIT 1 →
//	SELECT name FROM (SELECT name, RANK() OVER (ORDER BY age) AS place FROM pets) AS ranked WHERE place <= 1
func (r *reader) ties() {
	sel, is := r.b.Stmt.(*ast.SelectStmt)
	if !is || sel.OrderBy == nil || sel.Limit == nil || sel.Limit.Offset != nil || sel.Distinct || sel.With != nil {
		return
	}
	shown := syntax.LimitCount(sel.Limit)
	if shown == 0 {
		return
	}
	a := Alternative{Kind: Tie, Word: strconv.Itoa(shown), Taken: "the first", Other: "all that tie"}
	r.add(a, func(b *bind.Bound) (ast.Node, bool) { return ranked(b, shown) })
}

// ranked is a query of all rows whose place in the order of b is no later than one.
func ranked(b *bind.Bound, place int) (ast.Node, bool) {
	inner, block := b.Stmt.(*ast.SelectStmt), b.Blocks[0]
	by := &ast.OrderByClause{}
	for _, item := range inner.OrderBy.Items {
		e, ok := computed(b, block, item.Expr)
		if !ok {
			return nil, false
		}
		by.Items = append(by.Items, &ast.ByItem{Expr: e, Desc: item.Desc, NullOrder: true})
	}
	var fields []*ast.SelectField
	labels := map[string]bool{rank: true}
	for i, f := range inner.Fields.Fields {
		if f.Expr == nil || i >= len(block.Output) {
			return nil, false
		}
		label := block.Output[i].Label
		if labels[strings.ToLower(label)] {
			return nil, false
		}
		labels[strings.ToLower(label)] = true
		field := &ast.SelectField{Expr: syntax.ColumnExpr("", label)}
		if _, column := syntax.Unparen(f.Expr).(*ast.ColumnNameExpr); !column && f.AsName.O == "" {
			f.AsName = ast.NewCIStr("c" + strconv.Itoa(i+1))
			field = &ast.SelectField{Expr: syntax.ColumnExpr("", f.AsName.O), AsName: ast.NewCIStr(label)}
		}
		fields = append(fields, field)
	}
	window := &ast.WindowFuncExpr{Name: "RANK", Spec: ast.WindowSpec{OrderBy: by}}
	inner.Fields.Fields = append(inner.Fields.Fields, &ast.SelectField{Expr: window, AsName: ast.NewCIStr(rank)})
	inner.OrderBy, inner.Limit = nil, nil
	out := &ast.SelectStmt{}
	if !edit.Derive(out, inner, "ranked", fields...) {
		return nil, false
	}
	out.Where = &ast.BinaryOperationExpr{
		Op: opcode.LE, L: syntax.ColumnExpr("", rank), R: ast.NewValueExpr(int64(place), "", ""),
	}
	out.OrderBy = &ast.OrderByClause{Items: []*ast.ByItem{{Expr: syntax.ColumnExpr("", rank), NullOrder: true}}}
	return out, true
}

// rank is what the place of a row is called.
const rank = "place"

// computed is an item of ORDER BY with what its positions and aliases stand for.
func computed(b *bind.Bound, block *bind.Block, e ast.ExprNode) (ast.ExprNode, bool) {
	if n, is := syntax.Position(e); is {
		if n < 1 || n > len(block.Output) || block.Output[n-1].Expr == nil {
			return nil, false
		}
		return block.Output[n-1].Expr, true
	}
	return edit.Replace(e, func(n ast.ExprNode, enters bool) ast.ExprNode {
		c, is := n.(*ast.ColumnNameExpr)
		if !is || enters {
			return n
		}
		ref := b.Ref(c.Name)
		if ref == nil || ref.Output < 0 || ref.Home != block || block.Output[ref.Output].Expr == nil {
			return n
		}
		return block.Output[ref.Output].Expr
	}), true
}
