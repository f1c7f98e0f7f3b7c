package dissertation

import (
	"regexp"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Projection makes the answer show what the question asks to see: it takes out columns that the question does not ask
// for, if those that stay are what it asks for, and writes SELECT * out.
//
// What it takes to be asked for is a convention of the dissertation's items: a thing is shown by its name and not by
// its key, and without what a condition says of it. Elsewhere a person may want what it takes out. It touches plain
// columns of the outermost SELECT only, and none that the question may mean.
//
//	Which patients are from France? | SELECT patientId, patientName FROM patients WHERE country = 'France'
//	→ SELECT patientName FROM patients WHERE country = 'France'
var Projection = draft.OnTree(func(t *draft.Text, b *bind.Bound) (why string) {
	if t.Asked() == "" {
		return ""
	}
	_, issues, _ := t.Bind()
	sel, is := b.Stmt.(*ast.SelectStmt)
	if !is || sel.From == nil || sel.Fields == nil {
		return ""
	}
	for _, i := range issues {
		if i.Reason != "not_grouped" { // a narrower list may mend that
			return ""
		}
	}
	if n := listed(t.Asked()); n > 1 && n == len(sel.Fields.Fields) {
		return "" // as many as the question lists
	}
	p := projector{q: t.Question, b: b, sel: sel}
	return p.apply()
})

type projector struct {
	q   *question.Question
	b   *bind.Bound
	sel *ast.SelectStmt

	fields []field
	entity *schema.Table // the table the question asks for rows of; nil if that is not clear
	style  askStyle
}

type field struct {
	f      *ast.SelectField
	table  *schema.Table
	source *bind.Source
	col    *schema.Column // nil if it is not a plain column of a base table
	agg    bool

	mentioned bool // the question has its name, or words of it
	asked     bool // … in a place that asks to see it
	at        int  // where
	natural   bool // names the rows of the entity
	key       bool
	constant  bool // WHERE fixes it to one value
	filtered  bool // WHERE or HAVING compares it
}

func (p *projector) apply() (why string) {
	p.findEntity()
	if len(p.sel.Fields.Fields) == 1 && p.sel.Fields.Fields[0].WildCard != nil {
		return p.expandStar()
	}
	if p.sel.Distinct && p.sel.OrderBy != nil {
		// MySQL wants the order's columns shown then.
		if p.sel.Limit != nil || p.q.AsksOrder() {
			return ""
		}
		defer func() {
			if why != "" {
				p.sel.OrderBy = nil
			}
		}()
	}
	if !p.readFields() {
		return ""
	}
	drop := p.choose()
	if len(drop) == 0 {
		if why := p.showName(); why != "" {
			return why
		}
		if why := p.joinName(); why != "" {
			return why
		}
		return p.orderNames()
	}
	if p.orderNeeds(drop) {
		return ""
	}
	p.keepMeaning(drop)
	var keep []*ast.SelectField
	var names []string
	for i, f := range p.fields {
		if drop[i] {
			names = append(names, p.fieldName(f))
			continue
		}
		keep = append(keep, f.f)
	}
	if len(keep) == 0 {
		return ""
	}
	p.sel.Fields.Fields = keep
	return "the question does not ask for " + strings.Join(names, ", ")
}

func (p *projector) fieldName(f field) string {
	if f.col != nil {
		return f.col.Name
	}
	if f.f.AsName.O != "" {
		return f.f.AsName.O
	}
	return "an aggregate"
}

// choose returns the indexes of the fields to take out.
func (p *projector) choose() map[int]bool {
	drop := map[int]bool{}
	if p.q.Has("details", "information", "info", "everything", "detail", "record", "records") ||
		p.q.Phrase("all columns") >= 0 || p.q.Phrase("all fields") >= 0 {
		return nil
	}
	if p.q.Phrase("how many") == 0 || p.q.Phrase("how much") == 0 || syntax.LimitCount(p.sel.Limit) == 1 {
		return nil // a number is asked for, or one row, which its key does not blur
	}
	shows := 0 // fields that are known to answer: asked for, or the entity's own
	for _, f := range p.fields {
		if f.col == nil || f.asked || f.natural {
			shows++
		}
	}
	if shows == 0 || shows == len(p.fields) && p.entity == nil {
		return nil
	}
	nameShown := map[*schema.Table]bool{}
	for _, f := range p.fields {
		if f.col != nil && !f.key && (p.q.Voc.IsName(f.table, f.col) || f.natural || p.isNatural(f)) {
			nameShown[f.table] = true
		}
	}
	for i, f := range p.fields {
		if f.col == nil {
			if f.agg && p.onlyThreshold(f) {
				drop[i] = true
			}
			continue
		}
		switch {
		case f.asked:
		case f.natural:
			if f.key && p.askedOther(i) && p.closedList() && !f.mentioned {
				drop[i] = true // what "with" lists is complete
			}
		case f.constant && p.entity != nil && !f.asked && f.at < 0:
			drop[i] = true
		case f.key && !f.mentioned && p.showsMeasure(i):
			// a key beside the compared measure may be wanted
		case f.key && !f.mentioned && (nameShown[p.identifies(f)] || p.askedOther(i)):
			drop[i] = true
		case p.entity != nil && p.style == styleWhich && f.filtered && p.naturalShown():
			drop[i] = true
		case p.measure(f):
			// what is compared may be what the rows are known by
		case p.entity != nil && !f.mentioned && (p.naturalShown() || p.askedOther(i)):
			drop[i] = true
		}
	}
	// A key that stands last was not put there by habit.
	for i := len(p.fields) - 1; i > 0 && drop[i] && p.fields[i].key && len(drop) == 1; i-- {
		delete(drop, i)
	}
	if len(drop) == len(p.fields) {
		return nil
	}
	return drop
}

// listed counts what a question lists behind a colon, with commas and "and"; 0 if it lists nothing.
func listed(question string) int {
	_, list, ok := strings.Cut(question, ": ")
	if !ok || strings.ContainsAny(list, ":;") {
		return 0
	}
	return len(listSeparator.Split(strings.TrimRight(list, ".?! "), -1))
}

var listSeparator = regexp.MustCompile(`(?i)\s*(?:,\s*and\s|,|\sand\s)\s*`)

// measure reports whether a question that is only a noun phrase compares the field without naming it, or whether the
// field is one of those that a thing without a name is known by.
func (p *projector) measure(f field) bool {
	if p.entity == nil || f.table != p.entity || f.key || f.mentioned || p.style != styleOpen {
		return false
	}
	return f.filtered && !f.constant || !p.naturalShown()
}

// showsMeasure reports whether a question that is only a noun phrase compares a shown column without asking for it.
func (p *projector) showsMeasure(i int) bool {
	if p.style != styleOpen || p.entity == nil {
		return false
	}
	for j, f := range p.fields {
		if j != i && f.col != nil && f.filtered && !f.constant && !f.key && !f.asked {
			return true
		}
	}
	return false
}

// onlyThreshold reports whether an aggregate is shown that HAVING compares and the question only sets a bound for,
// without asking how many.
func (p *projector) onlyThreshold(f field) bool {
	if p.entity == nil || p.sel.Having == nil || p.sel.OrderBy != nil && p.q.AsksOrder() {
		return false
	}
	if p.q.Has("count", "total", "sum", "average", "number", "totals", "amount", "mean") ||
		p.q.Phrase("how many") >= 0 || p.q.Phrase("how much") >= 0 {
		return false
	}
	shown := fieldText(f.f.Expr)
	for _, c := range p.havingParts() {
		e, ok := c.(*ast.BinaryOperationExpr)
		if !ok {
			continue
		}
		for _, side := range []ast.ExprNode{e.L, e.R} {
			x, isCol := side.(*ast.ColumnNameExpr)
			named := isCol && f.f.AsName.L != "" && x.Name.Name.L == f.f.AsName.L
			if named || syntax.HasAggregate(side) && fieldText(side) == shown {
				return true
			}
		}
	}
	return false
}

func fieldText(e ast.ExprNode) string {
	s, err := syntax.Restore(e)
	if err != nil {
		return ""
	}
	return s
}

func (p *projector) naturalShown() bool {
	for _, f := range p.fields {
		if f.natural {
			return true
		}
	}
	return false
}

// askedOther reports whether the question asks to see a shown column other than field i.
func (p *projector) askedOther(i int) bool {
	for j, f := range p.fields {
		if j != i && f.asked {
			return true
		}
	}
	return false
}

// closedList reports whether the question lists what to show: "… with A and B".
func (p *projector) closedList() bool {
	i := p.q.Index(0, "with")
	if i < 0 {
		return false
	}
	for _, f := range p.fields {
		if f.asked && (f.at == i+1 || p.q.Is(i+1, "their", "its", "the") && f.at == i+2) {
			return true
		}
	}
	return false
}
