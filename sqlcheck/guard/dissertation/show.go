package dissertation

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

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
	if f.col == nil || !f.key || f.source == nil || f.source.Table != f.table || p.q.AsksKey() {
		return ""
	}
	t := p.identifies(f)
	nat := p.q.Voc.Natural(t)
	if t == f.table || len(nat) != 1 || !p.q.Voc.IsName(t, nat[0]) || p.b.Blocks[0].Reads(t) != nil ||
		!p.q.AsksNamesOf(t) {
		return ""
	}
	for _, fk := range f.table.ForeignKeys {
		if len(fk.Columns) != 1 || !strings.EqualFold(fk.Columns[0], f.col.Name) {
			continue
		}
		j := schema.Join{Left: f.table.Name, Right: t.Name, LeftColumns: fk.Columns, RightColumns: fk.RefColumns}
		edit.AddJoin(p.b.Blocks[0], f.source, j, t, "")
		for _, r := range p.b.Columns { // names that stood alone keep their meaning
			if r.Home == p.b.Blocks[0] && r.Source != nil && r.Output < 0 && r.Name.Table.L == "" &&
				r.Clause != bind.InFrom {
				r.Name.Table = ast.NewCIStr(r.Source.Name)
			}
		}
		f.f.Expr, f.f.AsName = syntax.ColumnExpr(t.Name, nat[0].Name), ast.CIStr{}
		return "shows " + nat[0].Name + ", which the question asks for, and not its key"
	}
	return ""
}

// orderNames puts a person's first name before the last, where the question asks for persons and not for those columns.
func (p *projector) orderNames() string {
	if p.entity == nil || p.q.Has("last", "family", "surname", "surnames", "first") {
		return ""
	}
	nat := p.q.Voc.Natural(p.entity)
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
func (p *projector) qualifier(s *bind.Source) string {
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
	nat := p.q.Voc.Natural(p.entity)
	home := p.b.Blocks[0].Reads(p.entity)
	if home == nil {
		return ""
	}
	if len(nat) == 2 && len(p.fields) == 1 && p.style == styleWhich && p.sel.GroupBy == nil {
		if f := p.fields[0]; f.key && f.source == home && !f.mentioned && !f.filtered {
			first, last := syntax.ColumnExpr(p.qualifier(home), nat[0].Name),
				syntax.ColumnExpr(p.qualifier(home), nat[1].Name)
			p.sel.Fields.Fields = []*ast.SelectField{{Expr: first}, {Expr: last}}
			return "shows " + nat[0].Name + " and " + nat[1].Name + ", which name the rows, and not their key"
		}
	}
	if len(nat) != 1 || !p.q.Voc.IsName(p.entity, nat[0]) {
		return ""
	}
	if len(p.fields) == 1 && p.style == styleWhich {
		f := p.fields[0]
		unasked := !f.mentioned && !f.filtered && !f.natural
		if f.col != nil && f.source == home && unasked && p.sel.GroupBy == nil {
			f.f.Expr, f.f.AsName = syntax.ColumnExpr(p.qualifier(home), nat[0].Name), ast.CIStr{}
			return "shows " + nat[0].Name + ", which names the rows"
		}
	}
	key := -1
	for i, f := range p.fields {
		switch {
		case f.col == nil:
		case f.key && !f.mentioned && p.identifies(f) == p.entity && (f.table != p.entity || f.source == home):
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
	name := syntax.ColumnExpr(p.qualifier(home), nat[0].Name)
	if p.sel.GroupBy != nil {
		by := syntax.ColumnExpr(p.qualifier(home), nat[0].Name)
		p.sel.GroupBy.Items = append(p.sel.GroupBy.Items, &ast.ByItem{Expr: by, NullOrder: true})
	}
	p.fields[key].f.Expr, p.fields[key].f.AsName = name, ast.CIStr{}
	return "shows " + nat[0].Name + ", which names the rows, and not their key"
}

// expandStar writes SELECT * as the columns that a question about an entity asks for.
func (p *projector) expandStar() string {
	if p.entity == nil || p.b.Blocks[0].Reads(p.entity) == nil {
		return ""
	}
	qualifier := p.qualifier(p.b.Blocks[0].Reads(p.entity))
	if p.q.Has("details", "information", "info", "everything", "detail", "record", "records",
		"data", "row", "rows", "columns", "fields") {
		return ""
	}
	var cols []*schema.Column
	for _, i := range p.q.Voc.ByTable[p.entity] {
		c := p.q.Voc.Columns[i]
		if _, asked := p.q.ColumnAt(c); asked {
			cols = append(cols, c.Col)
		}
	}
	nat := p.q.Voc.Natural(p.entity)
	if len(nat) != 1 {
		return ""
	}
	if len(cols) == 0 {
		cols = nat
	} else if p.q.Voc.IsKey(p.entity, cols[0]) {
		return ""
	} else if len(nat) > 0 && !p.q.Voc.IsKey(p.entity, nat[0]) {
		cols = append(append([]*schema.Column{}, nat...), cols...)
	}
	if len(cols) == 0 {
		return ""
	}
	p.sel.Fields.Fields = nil
	var names []string
	for _, c := range cols {
		p.sel.Fields.Fields = append(p.sel.Fields.Fields, &ast.SelectField{Expr: syntax.ColumnExpr(qualifier, c.Name)})
		names = append(names, c.Name)
	}
	return "* is written out: " + strings.Join(names, ", ")
}
