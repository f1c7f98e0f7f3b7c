package sqlcheck

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
)

// projection makes the answer show what the question asks to see: it takes out columns that the question
// does not ask for, if those that stay are what it asks for, and writes SELECT * out.
//
// It touches plain columns of the outermost SELECT only, and none that the question may mean.
func projection(sql string, in Input) (string, string, Verdict) {
	ok := Pass("clean")
	if in.Question == "" || in.Schema == nil {
		return sql, "", ok
	}
	b, issues, parsed := in.bind(sql)
	if !parsed {
		return sql, "", ok
	}
	sel, is := b.Stmt.(*ast.SelectStmt)
	if !is || sel.From == nil || sel.Fields == nil {
		return sql, "", ok
	}
	for _, i := range issues {
		if i.Reason != "not_grouped" { // a narrower list may mend that
			return sql, "", ok
		}
	}
	p := projector{q: in.asked(), b: b, sel: sel}
	return rewritten(sql, b.Stmt, p.apply(), in)
}

type projector struct {
	q   *question
	b   *Bound
	sel *ast.SelectStmt

	fields []field
	entity *Table // the table the question asks for rows of; nil if that is not clear
	style  askStyle
}

// askStyle says how firmly a question that names only an entity settles what to show.
type askStyle int

const (
	styleOpen  askStyle = iota // a noun phrase: "Orders with more than 3 items"
	styleList                  // "List customers in Spain"
	styleWhich                 // "Which customers …?", "Who …?"
	styleCount                 // "How many …?"
)

type field struct {
	f      *ast.SelectField
	table  *Table
	source *Source
	col    *Column // nil if it is not a plain column of a base table
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
		if p.sel.Limit != nil || p.q.asksOrder() {
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

// keepMeaning qualifies names that were found through a dropped field.
func (p *projector) keepMeaning(drop map[int]bool) {
	for _, r := range p.b.Columns {
		if r.Output < 0 || r.Home != p.b.Blocks[0] || r.Name.Table.L != "" {
			continue
		}
		for i, f := range p.fields {
			if drop[i] && f.col != nil && p.b.Blocks[0].Output[r.Output].Field == f.f && f.source != nil {
				r.Name.Table = ast.NewCIStr(p.qualifier(f.source))
			}
		}
	}
}

// joinName shows the name of the thing that a lone key refers to, where the question asks for names of it.
func (p *projector) joinName() string {
	if len(p.fields) != 1 || p.sel.GroupBy != nil || p.sel.Distinct || len(p.b.Blocks[0].Sources) == 0 {
		return ""
	}
	f := p.fields[0]
	if f.col == nil || !f.key || f.source == nil || f.source.Table != f.table || p.q.asksKey() {
		return ""
	}
	t := p.identifies(f)
	nat := p.q.voc.natural(t)
	if t == f.table || len(nat) != 1 || !p.q.voc.isName(t, nat[0]) || p.b.Blocks[0].reads(t) != nil || !p.q.asksNamesOf(t) {
		return ""
	}
	for _, fk := range f.table.ForeignKeys {
		if len(fk.Columns) != 1 || !strings.EqualFold(fk.Columns[0], f.col.Name) {
			continue
		}
		st := step{from: f.table, to: t, fromCols: fk.Columns, toCols: fk.RefColumns}
		node := &ast.TableSource{Source: &ast.TableName{Name: ast.NewCIStr(t.Name)}}
		tidyRoot(p.sel.From, &ast.Join{Left: p.sel.From.TableRefs, Right: node, Tp: ast.CrossJoin, On: &ast.OnCondition{Expr: st.on(f.source.Name, t.Name)}})
		for _, r := range p.b.Columns { // names that stood alone keep their meaning
			if r.Home == p.b.Blocks[0] && r.Source != nil && r.Output < 0 && r.Name.Table.L == "" && r.Clause != InFrom {
				r.Name.Table = ast.NewCIStr(r.Source.Name)
			}
		}
		f.f.Expr, f.f.AsName = columnExpr(t.Name, nat[0].Name), ast.CIStr{}
		return "shows " + nat[0].Name + ", which the question asks for, and not its key"
	}
	return ""
}

// asksNamesOf reports whether the question has "names of T" or "T names".
func (q *question) asksNamesOf(t *Table) bool {
	words := q.voc.tableWordsOf(t)
	for i := q.mention(0, words); i >= 0; i = q.mention(i+1, words) {
		if q.is(i+len(words), "name", "names") {
			return true
		}
		k := i - 1
		for q.is(k, "the", "all", "any", "those", "different", "distinct") {
			k--
		}
		if q.is(k, "of", "for") && q.is(k-1, "name", "names") && !q.is(k-2, "first", "last", "and") {
			return true
		}
	}
	return false
}

// orderNames puts a person's first name before the last, where the question asks for persons and not for those columns.
func (p *projector) orderNames() string {
	if p.entity == nil || p.q.has("last", "family", "surname", "surnames", "first") {
		return ""
	}
	nat := p.q.voc.natural(p.entity)
	if len(nat) != 2 {
		return ""
	}
	for i := 1; i < len(p.fields); i++ {
		if a, b := p.fields[i-1], p.fields[i]; a.col == nat[1] && b.col == nat[0] && a.source == b.source {
			list := p.sel.Fields.Fields
			list[i-1], list[i] = list[i], list[i-1]
			return nat[0].Name + " comes before " + nat[1].Name
		}
	}
	return ""
}

// qualifier is what a column of s needs before it: nothing if s is alone.
func (p *projector) qualifier(s *Source) string {
	if len(p.b.Blocks[0].Sources) > 1 {
		return s.Name
	}
	return ""
}

// orderNeeds reports whether ORDER BY, GROUP BY or HAVING names a dropped field by alias or by position.
func (p *projector) orderNeeds(drop map[int]bool) bool {
	for _, r := range p.b.Columns {
		if r.Output < 0 || r.Home != p.b.Blocks[0] {
			continue
		}
		out := p.b.Blocks[0].Output[r.Output]
		for i, f := range p.fields {
			if drop[i] && out.Field == f.f && (f.col == nil || f.f.AsName.L != "") {
				return true
			}
		}
	}
	positions := false
	if p.sel.OrderBy != nil {
		for _, it := range p.sel.OrderBy.Items {
			_, pos := it.Expr.(*ast.PositionExpr)
			positions = positions || pos
		}
	}
	if p.sel.GroupBy != nil {
		for _, it := range p.sel.GroupBy.Items {
			_, pos := it.Expr.(*ast.PositionExpr)
			positions = positions || pos
		}
	}
	return positions
}

// showName shows the entity's name in place of its key, where a question asks for rows of it, the name is at hand and
// the key was not asked for.
func (p *projector) showName() string {
	if p.entity == nil || p.sel.Distinct || p.style == styleOpen {
		return ""
	}
	nat := p.q.voc.natural(p.entity)
	if len(nat) != 1 || !p.q.voc.isName(p.entity, nat[0]) {
		return ""
	}
	home := p.b.Blocks[0].reads(p.entity)
	if home == nil {
		return ""
	}
	if len(p.fields) == 1 && p.style == styleWhich {
		if f := p.fields[0]; f.col != nil && f.source == home && !f.mentioned && !f.filtered && !f.natural && p.sel.GroupBy == nil {
			f.f.Expr, f.f.AsName = columnExpr(p.qualifier(home), nat[0].Name), ast.CIStr{}
			return "shows " + nat[0].Name + ", which names the rows"
		}
	}
	key := -1
	for i, f := range p.fields {
		switch {
		case f.col == nil:
		case f.key && !f.mentioned && p.identifies(f) == p.entity && (f.table == p.entity && f.source == home || f.table != p.entity):
			if key >= 0 {
				return ""
			}
			key = i
		default:
			return ""
		}
	}
	if key < 0 {
		return ""
	}
	name := columnExpr(p.qualifier(home), nat[0].Name)
	if p.sel.GroupBy != nil {
		p.sel.GroupBy.Items = append(p.sel.GroupBy.Items, &ast.ByItem{Expr: columnExpr(p.qualifier(home), nat[0].Name), NullOrder: true})
	}
	p.fields[key].f.Expr, p.fields[key].f.AsName = name, ast.CIStr{}
	return "shows " + nat[0].Name + ", which names the rows, and not their key"
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
		f.agg = f.col == nil && hasAggregate(sf.Expr)
		if f.col != nil {
			f.key = p.q.voc.isKey(f.table, f.col)
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
	v := p.q.voc
	w := v.wordsOf(f.table, f.col)
	f.at, f.asked = p.q.columnAt(w)
	f.mentioned = f.at >= 0 || p.hints(*f, w)
	if p.entity != nil && f.table == p.entity {
		for _, c := range v.natural(p.entity) {
			f.natural = f.natural || c == f.col
		}
	}
	for _, c := range append(parts(p.sel.Where), p.havingParts()...) {
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
	return parts(p.sel.Having.Expr)
}

// compares is EQ if c fixes f to a constant, NE if it compares it otherwise, 0 if it does not.
func (p *projector) compares(c ast.ExprNode, f *field) opcode.Op {
	same := func(e ast.ExprNode) bool {
		x, ok := e.(*ast.ColumnNameExpr)
		if !ok {
			return false
		}
		r := p.b.Ref(x.Name)
		return r != nil && r.Source == f.source && strings.EqualFold(r.Name.Name.O, f.col.Name)
	}
	switch e := c.(type) {
	case *ast.BinaryOperationExpr:
		if !same(e.L) && !same(e.R) {
			return 0
		}
		if e.Op == opcode.EQ && (same(e.L) && isConstant(e.R) || same(e.R) && isConstant(e.L)) {
			return opcode.EQ
		}
		return opcode.NE
	case *ast.BetweenExpr:
		if same(e.Expr) {
			return opcode.NE
		}
	case *ast.PatternInExpr:
		if same(e.Expr) {
			return opcode.NE
		}
	case *ast.PatternLikeOrIlikeExpr:
		if same(e.Expr) {
			return opcode.NE
		}
	case *ast.IsNullExpr:
		if same(e.Expr) {
			return opcode.NE
		}
	}
	return 0
}

// openers begin a question that asks for rows.
var openers = map[string]askStyle{
	"list": styleList, "show": styleList, "find": styleList, "give": styleList, "display": styleList, "return": styleList, "get": styleList,
	"which": styleWhich, "who": styleWhich, "what": styleList, "name": styleList, "retrieve": styleList, "select": styleList,
}

var fillers = map[string]bool{"me": true, "all": true, "the": true, "of": true, "a": true, "list": true, "different": true, "distinct": true, "every": true, "each": true, "any": true, "us": true, "are": true, "is": true, "out": true, "in": true, "top": true, "those": true, "unique": true}

// findEntity reads what the question asks for rows of: the table named right after the opening words.
func (p *projector) findEntity() {
	q := p.q
	i := 0
	if len(q.words) == 0 {
		return
	}
	for i+1 < len(q.words) && q.is(i, "please", "can", "could", "you", "also", "and", "then") {
		i++
	}
	if style, ok := openers[q.words[i].low]; ok && !q.words[i].masked {
		p.style = style
		i++
	}
	for i < len(q.words) && (fillers[q.words[i].low] && p.style != styleWhich || isDigits(q.words[i].low) || q.is(i, "of", "the", "top")) {
		i++
	}
	if t, n := q.tableAt(i); t != nil && q.columnHere(i, n, t) == 0 && !q.columnNext(i+n, t) {
		p.entity = t
	}
}

// columnNext reports whether a column of t is named right at word i: "customer name", "product line".
func (q *question) columnNext(i int, t *Table) bool {
	if i == 0 || q.words[i-1].comma || q.words[i-1].stop || q.words[i-1].low != q.words[i-1].stem {
		return false // a plural stands for the rows
	}
	for _, k := range q.voc.byTable[t] {
		if q.mention(i, q.voc.columns[k].own) == i {
			return true
		}
	}
	return false
}

func isDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// columnHere is how many words a column's name takes at i if it is longer than the n words of t's name: "product
// lines" in a schema that has both.
func (q *question) columnHere(i, n int, t *Table) int {
	best := 0
	for _, c := range q.voc.columns {
		if len(c.words) > n && q.mention(i, c.words) == i {
			best = max(best, len(c.words))
		}
	}
	return best
}

// columnAt is where the question names the column, and whether that place asks to see it and does not only filter.
func (q *question) columnAt(w columnWords) (at int, asked bool) {
	at = -1
	for _, words := range [][]string{w.words, w.own} {
		for i := q.mention(0, words); i >= 0; i = q.mention(i+1, words) {
			if len(words) == 1 && keyWords[words[0]] && (q.is(i+1, "of") || q.is(i-1, "phone", "telephone", "zip", "postal")) {
				continue // "number of orders"
			}
			if q.covered(i, i+len(words)) {
				continue // "required date" does not name the order date
			}
			if at < 0 {
				at = i
			}
			if !q.filters(i, i+len(words)) {
				return i, true
			}
		}
	}
	// "first and last names" names two columns, and so do "full names".
	if n := len(w.own); at < 0 && n == 2 {
		for i := range q.words {
			if i+3 < len(q.words) && q.words[i].stem == w.own[0] && q.is(i+1, "and", "or") && q.words[i+3].stem == w.own[1] && !q.words[i].masked && !q.words[i+3].masked {
				return i, !q.filters(i, i+4)
			}
			if w.own[1] == "name" && (w.own[0] == "first" || w.own[0] == "last") && q.is(i, "full") && q.is(i+1, "name", "names") {
				return i, !q.filters(i, i+2)
			}
		}
	}
	return at, false
}

// comparing words after a column say that it filters.
var comparing = map[string]bool{
	"above": true, "over": true, "below": true, "under": true, "greater": true, "more": true, "less": true, "fewer": true, "higher": true, "lower": true, "larger": true, "smaller": true,
	"equal": true, "equals": true, "between": true, "at": true, "exceeding": true, "exceeds": true, "exceed": true, "is": true, "are": true, "was": true, "were": true, "has": true, "contains": true, "containing": true, "starts": true, "starting": true, "begins": true, "like": true, "not": true,
}

// filters reports whether the words [from,to) of the question name a column only to filter or to sort by it.
func (q *question) filters(from, to int) bool {
	if to < len(q.words) && !q.words[to-1].stop && (q.words[to].masked || isDigits(q.words[to].low) || comparing[q.words[to].low]) {
		return true
	}
	for i := 1; i < from; i++ {
		if q.is(i, "who", "whose", "where", "that") && q.clauseOpen(i, from) {
			return true
		}
	}
	return q.is(from-1, "by") || q.is(from-2, "by")
}

// clauseOpen reports whether the relative clause that begins at word i still runs at word at.
func (q *question) clauseOpen(i, at int) bool {
	for k := i; k < at; k++ {
		if q.words[k].comma || q.words[k].stop {
			return false
		}
	}
	return true
}

// hints reports whether any word of the column stands in the question, so that it may be meant.
func (p *projector) hints(f field, w columnWords) bool {
	q := p.q
	if f.key {
		if q.asksKey() {
			return true
		}
		t := p.identifies(f)
		if t == p.entity || p.showsNameOf(t) {
			return false
		}
		// "the players of clubs": with no name at hand, the key stands for the thing
		if q.asksTable(t) {
			return true
		}
	}
	for _, word := range w.own {
		if q.hasLike(word) {
			return true
		}
	}
	if f.key {
		var named []string // the table of its own rows is named by any question about them
		if t := p.identifies(f); t == f.table {
			named = q.voc.tableWordsOf(t)
		}
		for _, word := range w.words {
			if !keyWords[word] && !slices.Contains(named, word) && q.hasLike(word) {
				return true
			}
		}
	}
	return false
}

// asksKey reports whether the question speaks of numbers, codes or ids that are not counts.
func (q *question) asksKey() bool {
	for i := range q.words {
		w := q.words[i].stem
		if !q.words[i].masked && keyWords[w] && !(w == "number" && q.is(i+1, "of")) && !q.is(i-1, "phone", "telephone", "fax", "zip", "postal") {
			return true
		}
	}
	return false
}

// hasLike reports whether the question has a word that begins like word, outside data and outside longer names.
func (q *question) hasLike(word string) bool {
	for i, x := range q.words {
		if x.masked || q.covered(i, i+1) {
			continue
		}
		if x.stem == word || len(word) >= 4 && len(x.stem) >= 4 && (strings.HasPrefix(x.stem, word) || strings.HasPrefix(word, x.stem)) {
			return true
		}
	}
	return false
}

// asksTable reports whether the table is named in a place that asks to see it: not after a preposition, unless one row
// for each of it is asked for.
func (q *question) asksTable(t *Table) bool {
	words := q.voc.tableWordsOf(t)
	for i := q.mention(0, words); i >= 0; i = q.mention(i+1, words) {
		k := i - 1
		for q.is(k, "the", "all", "any", "some", "a", "an", "these", "those", "different", "distinct", "other") || k >= 0 && isDigits(q.words[k].low) {
			k--
		}
		if !q.is(k, "of", "for", "in", "from", "on", "at", "to", "with", "by", "whose", "that", "who", "which", "where", "than", "had", "has", "have") {
			return true
		}
	}
	return false
}

// showsNameOf reports whether the select list has a column that names the rows of t.
func (p *projector) showsNameOf(t *Table) bool {
	for _, f := range p.fields {
		if f.col != nil && f.table == t && !f.key && (p.q.voc.isName(f.table, f.col) || p.isNatural(f)) {
			return true
		}
	}
	return false
}

// choose returns the indexes of the fields to take out.
func (p *projector) choose() map[int]bool {
	drop := map[int]bool{}
	if p.q.has("details", "information", "info", "everything", "detail", "record", "records") || p.q.phrase("all columns") >= 0 || p.q.phrase("all fields") >= 0 {
		return nil
	}
	if p.q.phrase("how many") == 0 || p.q.phrase("how much") == 0 || limitCount(p.sel.Limit) == 1 {
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
	nameShown := map[*Table]bool{}
	for _, f := range p.fields {
		if f.col != nil && !f.key && (p.q.voc.isName(f.table, f.col) || f.natural || p.isNatural(f)) {
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
				drop[i] = true // "offices with city and country": the list is complete
			}
		case f.constant && p.entity != nil && !f.asked && f.at < 0:
			drop[i] = true
		case f.key && !f.mentioned && p.showsMeasure(i):
			// "Products with more than 500 units": a key beside the compared measure may be wanted
		case f.key && !f.mentioned && (nameShown[p.identifies(f)] || p.askedOther(i)):
			drop[i] = true
		case p.entity != nil && p.style == styleWhich && f.filtered && p.naturalShown():
			drop[i] = true
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

// isNatural reports whether f names the rows of its own table.
func (p *projector) isNatural(f field) bool {
	for _, c := range p.q.voc.natural(f.table) {
		if c == f.col {
			return true
		}
	}
	return false
}

// identifies is the table whose rows a key column tells apart: the one it refers to, or its own.
func (p *projector) identifies(f field) *Table {
	for _, fk := range f.table.ForeignKeys {
		if len(fk.Columns) == 1 && strings.EqualFold(fk.Columns[0], f.col.Name) {
			if t, ok := p.b.Schema.Table(fk.RefTable); ok {
				return t
			}
		}
	}
	return f.table
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

// onlyThreshold reports whether an aggregate is shown that HAVING compares and the question only sets a bound for:
// "orders with more than 3 items" does not ask how many.
func (p *projector) onlyThreshold(f field) bool {
	if p.entity == nil || p.sel.Having == nil || p.sel.OrderBy != nil && p.q.asksOrder() {
		return false
	}
	if p.q.has("count", "total", "sum", "average", "number", "totals", "amount", "mean") || p.q.phrase("how many") >= 0 || p.q.phrase("how much") >= 0 {
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
			if hasAggregate(side) && fieldText(side) == shown || isCol && f.f.AsName.L != "" && x.Name.Name.L == f.f.AsName.L {
				return true
			}
		}
	}
	return false
}

func fieldText(e ast.ExprNode) string {
	s, err := restore(e)
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
	i := p.q.index(0, "with")
	if i < 0 {
		return false
	}
	for _, f := range p.fields {
		if f.asked && (f.at == i+1 || p.q.is(i+1, "their", "its", "the") && f.at == i+2) {
			return true
		}
	}
	return false
}

// expandStar writes SELECT * as the columns that a question about an entity asks for.
func (p *projector) expandStar() string {
	if p.entity == nil || p.b.Blocks[0].reads(p.entity) == nil {
		return ""
	}
	qualifier := p.qualifier(p.b.Blocks[0].reads(p.entity))
	if p.q.has("details", "information", "info", "everything", "detail", "record", "records", "data", "row", "rows", "columns", "fields") {
		return ""
	}
	var cols []*Column
	for _, i := range p.q.voc.byTable[p.entity] {
		c := p.q.voc.columns[i]
		if _, asked := p.q.columnAt(c); asked {
			cols = append(cols, c.col)
		}
	}
	nat := p.q.voc.natural(p.entity)
	if len(nat) != 1 {
		return ""
	}
	if len(cols) == 0 {
		cols = nat
	} else if p.q.voc.isKey(p.entity, cols[0]) {
		return ""
	} else if len(nat) > 0 && !p.q.voc.isKey(p.entity, nat[0]) {
		cols = append(append([]*Column{}, nat...), cols...)
	}
	if len(cols) == 0 {
		return ""
	}
	p.sel.Fields.Fields = nil
	var names []string
	for _, c := range cols {
		p.sel.Fields.Fields = append(p.sel.Fields.Fields, &ast.SelectField{Expr: columnExpr(qualifier, c.Name)})
		names = append(names, c.Name)
	}
	return "* is written out: " + strings.Join(names, ", ")
}
