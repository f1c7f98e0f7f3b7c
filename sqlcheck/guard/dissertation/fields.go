package dissertation

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// readFields classifies the select list; false if it has a star among others or shows nothing of a base table.
func (p *projector) readFields() bool {
	for _, sf := range p.sel.Fields.Fields {
		if sf.WildCard != nil {
			return false
		}
		f := field{f: sf, at: -1}
		if c, ok := sf.Expr.(*ast.ColumnNameExpr); ok {
			if r := p.b.Ref(c.Name); r != nil {
				f.source = r.Source
				f.table, f.col = r.Column()
			}
		}
		f.agg = f.col == nil && syntax.HasAggregate(sf.Expr)
		if f.col != nil {
			f.key = p.q.Voc.IsKey(f.table, f.col)
		}
		p.fields = append(p.fields, f)
	}
	for i := range p.fields {
		if p.fields[i].col != nil {
			p.classify(&p.fields[i])
		}
	}
	return true
}

func (p *projector) classify(f *field) {
	v := p.q.Voc
	w := v.WordsOf(f.table, f.col)
	f.at, f.asked = p.q.ColumnAt(w)
	f.mentioned = f.at >= 0 || p.hints(*f, w)
	if p.entity != nil && f.table == p.entity {
		for _, c := range v.Natural(p.entity) {
			f.natural = f.natural || c == f.col
		}
	}
	for _, c := range append(syntax.Conjuncts(p.sel.Where), p.havingParts()...) {
		switch p.compares(c, f) {
		case opcode.EQ:
			f.constant = true
			f.filtered = true
		case opcode.NE:
			f.filtered = true
		}
	}
}

func (p *projector) havingParts() []ast.ExprNode {
	if p.sel.Having == nil {
		return nil
	}
	return syntax.Conjuncts(p.sel.Having.Expr)
}

// compares is EQ if c fixes f to a constant, NE if it compares it otherwise, 0 if it does not.
func (p *projector) compares(c ast.ExprNode, f *field) (how opcode.Op) {
	same := func(x *ast.ColumnNameExpr) bool {
		r := p.b.Ref(x.Name)
		return r != nil && r.Source == f.source && strings.EqualFold(r.Name.Name.O, f.col.Name)
	}
	if slices.ContainsFunc(edit.Tested(c), same) {
		how = opcode.NE
	}
	if _, is := c.(*ast.BinaryOperationExpr); is {
		edit.Equated(c, func(x *ast.ColumnNameExpr, _ ast.ValueExpr) {
			if same(x) {
				how = opcode.EQ
			}
		})
	}
	return how
}

// hints reports whether any word of the column stands in the question, so that it may be meant.
func (p *projector) hints(f field, w question.ColumnWords) bool {
	q := p.q
	if f.key {
		if q.AsksKey() {
			return true
		}
		t := p.identifies(f)
		if t == p.entity || p.showsNameOf(t) {
			return false
		}
		// "the players of clubs": with no name at hand, the key stands for the thing
		if q.AsksTable(t) {
			return true
		}
	}
	for _, word := range w.Own {
		if q.HasLike(word) {
			return true
		}
	}
	if f.key {
		var named []string // the table of its own rows is named by any question about them
		if t := p.identifies(f); t == f.table {
			named = q.Voc.TableWordsOf(t)
		}
		for _, word := range w.Words {
			if !words.Is(word, words.Key) && !slices.Contains(named, word) && q.HasLike(word) {
				return true
			}
		}
	}
	return false
}

// showsNameOf reports whether the select list has a column that names the rows of t.
func (p *projector) showsNameOf(t *schema.Table) bool {
	for _, f := range p.fields {
		if f.col != nil && f.table == t && !f.key && (p.q.Voc.IsName(f.table, f.col) || p.isNatural(f)) {
			return true
		}
	}
	return false
}

// isNatural reports whether f names the rows of its own table.
func (p *projector) isNatural(f field) bool {
	for _, c := range p.q.Voc.Natural(f.table) {
		if c == f.col {
			return true
		}
	}
	return false
}

// identifies is the table whose rows a key column tells apart: the one it refers to, or its own.
func (p *projector) identifies(f field) *schema.Table {
	for _, fk := range f.table.ForeignKeys {
		if len(fk.Columns) == 1 && strings.EqualFold(fk.Columns[0], f.col.Name) {
			if t, ok := p.b.Schema.Table(fk.RefTable); ok {
				return t
			}
		}
	}
	return f.table
}
