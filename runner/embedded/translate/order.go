package translate

import (
	"fmt"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
)

// settle is an expression as a result column, a group or a sort key: a DECIMAL has its own places, a text its
// collation.
func settle(v val) string {
	switch {
	case v.places > 0 && v.typ.Kind == types.Decimal:
		return fmt.Sprintf("my_dec_round(%s, 0, %d)", v.sql, v.typ.Scale)
	case v.typ.Kind == types.JSON:
		return fmt.Sprintf("(%s COLLATE %s)", v.sql, types.CollJSON)
	case v.typ.Kind == types.String && !v.col:
		return fmt.Sprintf("(%s COLLATE %s)", v.sql, v.typ.Collation())
	}
	return v.sql
}

// kept is settle where MySQL keeps the value in a table.
func kept(v val) string {
	if v.partly {
		return "my_kept_date(" + v.sql + ")"
	}
	return settle(v)
}

// fields expands and translates the select list.
func (d *draft) fields(list *ast.FieldList, sc *scope) (items []sourceColumn) {
	long := 0
	for _, f := range list.Fields {
		if f.WildCard != nil {
			items = append(items, d.wildcard(f.WildCard, sc)...)
			continue
		}
		v := d.scalar(f.Expr, sc)
		if long += len(v.sql); long > maxQuery {
			refuse("expressions that nest this deeply")
		}
		items = append(items, sourceColumn{name: fieldName(f), val: v})
	}
	return items
}

// fieldName is the name that MySQL gives a column of a select list.
func fieldName(f *ast.SelectField) string {
	if f.AsName.O != "" {
		return f.AsName.O
	}
	if c, ok := syntax.Unparen(f.Expr).(*ast.ColumnNameExpr); ok {
		return c.Name.Name.O
	}
	return strings.TrimSpace(f.Text())
}

func (d *draft) wildcard(w *ast.WildCardField, sc *scope) []sourceColumn {
	if w.Table.O == "" {
		return sc.star
	}
	for _, s := range sc.sources {
		if strings.EqualFold(s.name, w.Table.O) {
			return s.cols
		}
	}
	fail(1051, "Unknown table '%s'", w.Table.O)
	return nil
}

// orderItem translates an item of GROUP BY or ORDER BY: a position or an expression.
func (d *draft) orderItem(e ast.ExprNode, sc *scope, items []sourceColumn) val {
	if p, ok := e.(*ast.PositionExpr); ok {
		failIf(p.N < 1 || p.N > len(items), 1054, "Unknown column '%d' in 'order clause'", p.N)
		return items[p.N-1].val
	}
	return d.scalar(e, sc)
}

func (d *draft) orderBy(o *ast.OrderByClause, sc *scope, items []sourceColumn) string {
	if o == nil {
		return ""
	}
	var keys []string
	for _, item := range o.Items {
		s := *sc
		if c, ok := syntax.Unparen(item.Expr).(*ast.ColumnNameExpr); ok && c.Name.Table.O == "" {
			s.first = true // a name alone means the select list's
		}
		v := d.orderItem(item.Expr, &s, items)
		if isConstant(v) || v.truth && v.constant {
			continue // SQLite would take a number for a position
		}
		keys = append(keys, d.sortKey(v)+direction(item.Desc))
	}
	if len(keys) == 0 {
		return ""
	}
	return " ORDER BY " + strings.Join(keys, ", ")
}

func direction(desc bool) string {
	if desc {
		return " DESC"
	}
	return ""
}

// sortKey is what a value sorts by: the number of a word of a list, the length of a time, whose text does not sort,
// else the value.
func (d *draft) sortKey(v val) string {
	switch {
	case v.typ.Kind == types.JSON:
		return fmt.Sprintf("(my_json_order(%s) COLLATE %s)", v.sql, types.CollJSON)
	case v.typ.Kind == types.Time && !v.typ.Vague:
		return "my_seconds(" + v.sql + ")"
	case len(v.typ.Enum) > 0: // also of MIN and MAX, which MySQL sorts by what a table holds of them
		return wordNumber(v)
	}
	return settle(v)
}

// wordNumber is the number of a word of a list: its index in an ENUM, a bit for each member in a SET.
func wordNumber(v val) string {
	var b strings.Builder
	if v.typ.Set {
		for i, m := range v.typ.Enum {
			fmt.Fprintf(&b, "+((instr(',' || %s || ',', %s) > 0) << %d)", v.sql, quoteText(","+m+","), i)
		}
		return "(0" + b.String() + ")"
	}
	b.WriteString("(CASE " + v.sql)
	for i, m := range v.typ.Enum {
		fmt.Fprintf(&b, " WHEN %s THEN %d", quoteText(m), i+1)
	}
	fmt.Fprintf(&b, " ELSE 0 * length(%s) END)", v.sql)
	return b.String()
}

func isConstant(v val) bool {
	return v.text != nil || v.typ.Kind == types.Null || strings.Trim(v.sql, "-0123456789.e+") == ""
}

func (d *draft) limit(l *ast.Limit) string {
	if l == nil {
		return ""
	}
	out := " LIMIT " + limitNumber(l.Count)
	if l.Offset != nil {
		out += " OFFSET " + limitNumber(l.Offset)
	}
	return out
}

func limitNumber(e ast.ExprNode) string {
	if v, ok := e.(ast.ValueExpr); ok {
		switch n := v.GetValue().(type) {
		case int64:
			return fmt.Sprint(n)
		case uint64:
			return fmt.Sprint(min(n, 1<<62))
		}
	}
	refuse("LIMIT with anything but numbers")
	return ""
}

func limitsToOne(l *ast.Limit) bool {
	return l != nil && l.Count != nil && (limitNumber(l.Count) == "1" || limitNumber(l.Count) == "0")
}
