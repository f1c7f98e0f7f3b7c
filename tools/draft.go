package tools

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// Proposal is a note that nobody wrote, with what speaks for it in a line.
type Proposal struct {
	Note
	Source string
	also   int // others that speak for it
}

// DraftNotes proposes a glossary for a person to edit: what verified pairs, the queries of views by their names,
// comments and shortened names of a schema say of words. A term of the glossary that there is is left out, and so is
// what its reader or [Notes.Check] refuses. A term of several meanings stands there with each, and says so.
func DraftNotes(s *schema.Schema, views map[string]string, pairs []Pair, there Notes) []Proposal {
	d := draft{schema: s, there: there, meanings: map[string]int{}}
	for _, p := range pairs {
		d.pair(p)
	}
	for _, name := range slices.Sorted(maps.Keys(views)) {
		d.view(name, views[name])
	}
	for i := range s.Tables {
		t := &s.Tables[i]
		d.comment(t.Name, t.Comment, syntax.QuoteIfNeeded(t.Name), t.Name)
		d.longer(t.Name, syntax.QuoteIfNeeded(t.Name), t.Name)
		for j := range t.Columns {
			d.column(t, &t.Columns[j])
		}
	}
	for i, p := range d.out {
		if p.also > 0 {
			d.out[i].Source += fmt.Sprintf(", and %d more", p.also)
		}
		if n := d.meanings[words.Phrase(p.Terms[0])]; n > 1 {
			d.out[i].Source += fmt.Sprintf("; one of %d meanings", n)
		}
	}
	return d.out
}

type draft struct {
	schema   *schema.Schema
	there    Notes
	out      []Proposal
	values   []LinkedValue  // of the question of the pair that is read
	meanings map[string]int // how many a term has, by its phrase
}

// Bounds of a term.
const (
	maxTermWords = 4
	maxTermBytes = 60
)

// add proposes a meaning for a term, if it says more than the name that stands for it, "" where none does.
func (d *draft) add(term, meaning, name, source string) {
	term, source = oneLine(term), oneLine(source)
	p := Proposal{Note: Note{Terms: []string{term}, Meaning: meaning}, Source: source}
	said := words.Split(term)
	if len(contentWords(term, words.OfName(name))) == 0 || len(said) > maxTermWords ||
		len(term) > maxTermBytes || strings.ContainsAny(term, ",") {
		return
	}
	// The reader of glossaries must read what was meant, and their check let it pass.
	read, err := ParseNotes(strings.NewReader(p.String()))
	if err != nil || len(read) != 1 || read[0].Terms[0] != term || read[0].Meaning != meaning ||
		read.Check(d.schema) != nil {
		return
	}
	phrase := words.Phrase(term)
	for _, n := range d.there {
		if slices.ContainsFunc(n.Terms, func(t string) bool { return words.Phrase(t) == phrase }) {
			return
		}
	}
	for i, old := range d.out {
		if words.Phrase(old.Terms[0]) == phrase && old.Meaning == meaning {
			d.out[i].also++
			return
		}
	}
	d.out = append(d.out, p)
	d.meanings[phrase]++
}

// oneLine is a text without what ends a line or moves a cursor.
func oneLine(text string) string {
	blank := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }
	return strings.Join(strings.FieldsFunc(text, blank), " ")
}

// column reads what is said of a column: the codes of its comment, else the comment; and its name. What the key of
// another table is called stands there.
func (d *draft) column(t *schema.Table, c *schema.Column) {
	at := syntax.QuoteIfNeeded(t.Name) + "." + syntax.QuoteIfNeeded(c.Name)
	codes := codesOf(c)
	for _, code := range codes {
		value := code.value
		if c.Kind() != schema.Number {
			value = "'" + strings.ReplaceAll(value, "'", "''") + "'"
		}
		d.add(code.meaning, at+" = "+value, "", "the comment of "+t.Name+"."+c.Name)
	}
	if t.Refers(c.Name) || t.IsIdentity(c.Name) {
		return
	}
	said, _, _ := strings.Cut(c.Comment, "NULL")
	if m := nullMeans.FindStringSubmatch(c.Comment); m != nil {
		term := strings.Trim(m[1], " '\"")
		if words.Phrase(term) == words.Phrase(t.Name) { // "NULL: still a member"
			term = "current " + term
		}
		d.add(term, at+" IS NULL", "", "the comment of "+t.Name+"."+c.Name)
	}
	if len(codes) == 0 {
		d.comment(c.Name, said, at, t.Name+"."+c.Name)
	}
	d.longer(c.Name, at, t.Name+"."+c.Name)
}

// nullMeans is what a comment says that NULL is: "NULL while running", "NULL: unsold". What it says of when NULL ends,
// "NULL until paid", is none of that.
var nullMeans = regexp.MustCompile(
	`\bNULL\s*(?:[=:–-]|means|while|when|if|for|as long as)\s*(?:(?:the )?\w+ (?:is|are) |it |they |still |the |an? )*([^,;./|()\n]+)`)

// units are words of measures that a comment begins with, beside those of [words.Unit].
var units = []string{"in", "per", "degree", "degrees", "square", "cubic", "percent"}

// comment proposes the first words of a comment, if they end there and are no unit: "gross amount, in EUR".
func (d *draft) comment(name, comment, meaning, of string) {
	if stop := meaningEnd.FindStringIndex(comment); stop != nil {
		comment = comment[:stop[0]]
	}
	comment, _, _ = strings.Cut(comment, " in ")
	first, rest, _ := strings.Cut(comment, " ")
	if slices.Contains([]string{"the", "a", "an"}, strings.ToLower(first)) {
		comment = rest
	}
	unit := func(w string) bool { return words.Is(w, words.Unit) || slices.Contains(units, w) }
	said := words.Split(comment)
	about := slices.ContainsFunc(said, func(w string) bool { return !unit(w) })
	if about && !words.Is(said[0], words.Stop|words.Denies) {
		d.add(strings.Trim(comment, " .:'\"-"), meaning, name, "the comment of "+of)
	}
}

// longer proposes what a shortened name is short for: "customer number" for cust_no. One word is a term of a table
// alone; of columns it would be in too many questions.
func (d *draft) longer(name, meaning, of string) {
	var long []string
	for _, p := range words.Parts(name) {
		p = strings.ToLower(p)
		if l := words.Unabbreviated(p); l != nil {
			long = append(long, l...)
		} else {
			long = append(long, p)
		}
	}
	if len(long) > 1 || of == name {
		d.add(strings.Join(long, " "), meaning, name, "the name of "+of)
	}
}

// view reads the query of a view: its name is the condition, and the names of its columns are what they are computed
// from.
func (d *draft) view(name, query string) {
	t, is := d.schema.Table(name)
	b := d.bound(query)
	if b == nil || !is || len(b.Output) != len(t.Columns) {
		return
	}
	source := "the view " + t.Name
	for i, o := range b.Output {
		if o.Expr == nil {
			continue
		}
		name := ""
		if o.Column != nil {
			name = o.Column.Name
		}
		d.add(strings.Join(words.Parts(t.Columns[i].Name), " "), d.written(b, o.Expr), name, source)
	}
	conditions := syntax.Filter(syntax.Conjuncts(b.Blocks[0].Select.Where), func(c ast.ExprNode) bool {
		left, _, _ := edit.Columns(c)
		return left == nil
	})
	if len(conditions) > 0 && !b.Blocks[0].Grouped {
		d.add(strings.Join(words.Parts(t.Name), " "), d.written(b, syntax.AllOf(conditions)), "", source)
	}
}

// bound is a statement of one block that names each table once, and nothing that is not there; or nil.
func (d *draft) bound(sql string) *bind.Bound {
	q, v, err := sqlcheck.Check(sql, d.schema)
	if err != nil || !v.OK {
		return nil
	}
	stmt, ok := syntax.OneSelect(q.SQL())
	if !ok {
		return nil
	}
	b, _ := bind.Bind(stmt, d.schema)
	if len(b.Blocks) != 1 || len(b.Tables()) != len(b.Blocks[0].Sources) {
		return nil
	}
	return b
}

// written is an expression as notes have it, with each column behind its table; "", which no note is, where that
// cannot be said.
func (d *draft) written(b *bind.Bound, e ast.ExprNode) string {
	for _, name := range syntax.ColumnNames(e) {
		t, c := b.Ref(name).Column()
		if c == nil {
			return ""
		}
		name.Schema, name.Table, name.Name = ast.CIStr{}, ast.NewCIStr(t.Name), ast.NewCIStr(c.Name)
	}
	text, err := syntax.Print(e)
	if err != nil || len(syntax.ColumnNames(e)) == 0 {
		return ""
	}
	return text
}

// pair reads a question with its query: where one run of words stands for nothing in the database, and one part of the
// query is what nothing else in the question stands for, the one is the other.
func (d *draft) pair(p Pair) {
	b := d.bound(p.SQL)
	if b == nil {
		return
	}
	q := question.Read(p.Question, d.schema)
	d.values = LinkValues(q, d.schema, d.there)
	terms := unknownRuns(q)
	parts := d.unsaid(b, q)
	if len(terms) == 1 && len(parts) == 1 {
		d.add(terms[0], parts[0], "", `the pair "`+p.Question+`"`)
	}
}

// unknownRuns are the words of a question that stand for nothing in the schema, those that stand together as one.
func unknownRuns(q *question.Question) (runs []string) {
	unlinked, open := q.Unlinked(), false
	for t := range words.Tokens(q.Text) {
		is := slices.Contains(unlinked, t.Stem) && !words.Is(t.Low, words.Superlative|words.Max|words.Min)
		switch {
		case is && open:
			runs[len(runs)-1] += " " + t.Text
		case is && !slices.ContainsFunc(runs, func(r string) bool { return strings.EqualFold(r, t.Text) }):
			runs = append(runs, t.Text)
		}
		open = is
	}
	return runs
}

// unsaid are the parts of a query that no word of the question stands for: conditions, and what is shown or sorted by.
func (d *draft) unsaid(b *bind.Bound, q *question.Question) (parts []string) {
	sel := b.Blocks[0].Select
	add := func(e ast.ExprNode) {
		left, right, _ := edit.Columns(e)
		joins := left != nil && b.Ref(left.Name).Source != b.Ref(right.Name).Source
		if joins || d.said(b, q, e) {
			return
		}
		if text := d.written(b, e); text != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	for _, c := range syntax.Conjuncts(sel.Where) {
		add(c)
	}
	for _, o := range b.Output {
		if o.Expr != nil {
			if e := d.plain(q, o.Expr); !d.names(b, q, e) {
				add(e)
			}
		}
	}
	if sel.OrderBy != nil {
		for _, by := range sel.OrderBy.Items {
			if ref := b.RefOf(by.Expr); ref == nil || ref.Output < 0 {
				add(d.plain(q, by.Expr))
			}
		}
	}
	return parts
}

// plain is what an aggregate is made of: of "average wage" the wage. A sum is one, if no word asks for it.
func (d *draft) plain(q *question.Question, e ast.ExprNode) ast.ExprNode {
	agg, is := syntax.Unparen(e).(*ast.AggregateFuncExpr)
	if is && len(agg.Args) == 1 && (!strings.EqualFold(agg.F, "sum") || q.Constraints().Agg == "SUM") {
		return agg.Args[0]
	}
	return e
}

// names reports whether an expression is no more than what the rows of a table are known by, or called.
func (d *draft) names(b *bind.Bound, q *question.Question, e ast.ExprNode) bool {
	t, c := b.RefOf(e).Column()
	return c != nil && (q.Voc.IsKey(t, c) || slices.Contains(q.Voc.Natural(t), c) ||
		strings.HasSuffix(strings.ToLower(c.Name), "name"))
}

// said reports whether a word of the question stands for a part of its query: for a value in it, or for a column. What
// has no column is said, as COUNT(*) is.
func (d *draft) said(b *bind.Bound, q *question.Question, e ast.ExprNode) bool {
	columns := syntax.ColumnNames(e)
	isSaid := func(n *ast.ColumnName) bool {
		_, c := b.Ref(n).Column()
		return c == nil || slices.ContainsFunc(words.OfName(c.Name), q.Bag().Holds)
	}
	return len(columns) == 0 || slices.ContainsFunc(columns, isSaid) ||
		slices.ContainsFunc(syntax.All[ast.ValueExpr](e), func(n ast.ValueExpr) bool {
			text := fmt.Sprint(n.GetValue())
			return slices.ContainsFunc(words.Stems(text), q.Bag().Holds) ||
				slices.ContainsFunc(d.values, func(v LinkedValue) bool { return v.Value == text })
		})
}
