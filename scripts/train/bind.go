package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// binder gives the roles of a pattern to parts of a database.
type binder struct {
	d    *database
	lang string // "" is English
	rng  *rand.Rand
	has  map[string]any // *table, *column, *link, *tie, *filter or int
}

// bind follows a pattern's roles, such as "t:table c:cat(t) f:filter(t)". False means that this try found nothing.
func (b *binder) bind(roles string) bool {
	b.has = map[string]any{}
	for _, r := range strings.Fields(roles) {
		variable, call, _ := strings.Cut(r, ":")
		kind, arg, _ := strings.Cut(strings.TrimSuffix(call, ")"), "(")
		v := b.find(kind, arg)
		if v == nil || b.taken(variable, v) {
			return false
		}
		b.has[variable] = v
	}
	return true
}

// taken says that another variable is about the same column, link or condition.
func (b *binder) taken(variable string, v any) bool {
	cols := columnsOf(v)
	for other, o := range b.has {
		if o == v && other != variable {
			if _, isTable := v.(*table); isTable {
				continue
			}
			if _, isInt := v.(int); !isInt {
				return true
			}
		}
		f, isFilter := v.(*filter)
		g, wasFilter := o.(*filter)
		if isFilter && wasFilter && variable[0] == 'v' && other[0] == 'v' { // two values of one column
			if f.sql == g.sql {
				return true
			}
			continue
		}
		_, isColumn := o.(*column)
		if isFilter && isColumn && strings.Contains("vwy", variable[:1]) { // v, v2, w, y: values of that very column
			continue
		}
		for _, c := range cols {
			if slices.Contains(columnsOf(o), c) {
				return true
			}
		}
	}
	return false
}

func columnsOf(v any) []*column {
	switch v := v.(type) {
	case *column:
		return []*column{v}
	case *filter:
		return v.columns
	}
	return nil
}

func (b *binder) find(kind, arg string) any {
	switch kind {
	case "table", "named":
		return none(choose(b.rng, b.d.tables, func(t *table) bool {
			return t.one != "" && t.rows > 3 && len(t.show) > 0 && (kind == "table" || t.named())
		}))
	case "two":
		return none(choose(b.rng, b.d.tables, func(t *table) bool {
			return t.one != "" && t.rows > 3 &&
				len(t.show) == 2
		}))
	case "local", "localname":
		return none(choose(b.rng, b.d.tables, func(t *table) bool {
			return t.rows > 3 && t.spoken(b.lang) &&
				(kind == "local" || t.named())
		}))
	case "link", "self", "into", "from":
		about, _ := b.has[arg].(*table)
		return none(choose(b.rng, b.d.links, func(l *link) bool {
			self := l.parent == l.child
			return l.child.one != "" && l.parent.one != "" && l.child.rows > 3 && self == (kind == "self") &&
				(kind != "into" || l.parent == about) && (kind != "from" || l.child == about)
		}))
	case "tie":
		return none(choose(b.rng, b.d.ties, func(e *tie) bool {
			return e.a.parent.named() && e.b.parent.named() &&
				e.a.parent != e.b.parent
		}))
	case "k":
		lo, hi, _ := strings.Cut(arg, ",")
		return atoi(lo) + b.rng.IntN(atoi(hi)-atoi(lo)+1)
	}
	switch v := b.has[arg].(type) {
	case *link:
		t := map[string]*table{"child": v.child, "parent": v.parent, "localchild": v.child,
			"localparent": v.parent}[kind]
		if strings.HasPrefix(kind, "local") && !t.spoken(b.lang) {
			return nil
		}
		return none(t)
	case *tie:
		return map[string]any{"child": v.a.child, "a": v.a, "b": v.b}[kind]
	case *table:
		return b.ofTable(kind, v)
	case *column:
		switch kind {
		case "is":
			return none(b.plainIs(v))
		case "when":
			if b.lang != "" {
				return none(b.localWhen(v))
			}
			return none(b.when(v))
		case "year":
			return none(b.year(v))
		case "big":
			if n := len(v.values); n > 4 {
				return max(atoi(round(v.values[n*3/4]))*(2+b.rng.IntN(4)), 5)
			}
			return nil
		case "compare":
			return none(b.compare(v))
		case "missing":
			if v.nulls {
				return none(missing(v))
			}
		}
	}
	return nil
}

// plainIs is a category with one of its values.
func (b *binder) plainIs(c *column) *filter {
	f := b.is(c)
	if f == nil || !strings.Contains(f.sql, " = ") {
		return nil
	}
	return f
}

// uses lists the roles of columns that a kind of variable may be.
var uses = map[string][]role{"num": {amount}, "measure": {amount, rate}, "date": {moment}, "cat": {category},
	"plain": {amount, rate}, "solid": {amount, rate, year}, "day": {moment}, "born": {moment}, "code": {category},
	"days": {duration}, "any": {category, amount, rate, moment, text, year}}

func (b *binder) ofTable(kind string, t *table) any {
	switch kind {
	case "filter":
		return none(b.filterOf(t))
	case "filters":
		f, g := b.filterOf(t), b.filterOf(t)
		if f == nil || g == nil || f.columns[0] == g.columns[0] {
			return nil
		}
		return both(f, g, "and")
	case "like":
		return none(b.like(pick(b.rng, t.show)))
	case "one": // a row by what it is called
		if len(t.shown) < 2 || !t.named() {
			return nil
		}
		row := pick(b.rng, t.shown)
		f := &filter{columns: t.show, label: strings.Join(row, " ")}
		for i, c := range t.show {
			if row[i] == "<nil>" {
				return nil
			}
			f.sql += []string{"", " AND "}[i] + c.expr + " = " + c.literal(row[i])
		}
		return f
	case "null":
		return none(choose(b.rng, t.cols, func(c *column) bool { return c.nulls && c.null != "" }))
	case "open": // without a value in some rows, but no special words for them
		return none(choose(b.rng, t.cols, func(c *column) bool {
			return c.nulls && c.noun != "" &&
				c.role != name && c.role != key
		}))
	}
	return none(choose(b.rng, t.cols, func(c *column) bool {
		if !slices.Contains(uses[kind], c.role) || c.noun == "" || b.lang != "" && c.local(b.lang) == nil {
			return false
		}
		if (kind == "solid" || kind == "day") && c.nulls || kind == "born" && c.noun != "birth date" {
			return false
		}
		if kind == "plain" && strings.Count(c.expr, "{") > 1 {
			return false
		}
		switch c.role {
		case category:
			return (kind != "cat" || len(c.values) > 2) && len(c.values) > 1 && len(c.values) <= 40
		case duration:
			return true
		}
		return len(c.values) > 3 || strings.Count(c.expr, "{") > 1
	}))
}

func (b *binder) filterOf(t *table) *filter {
	c := choose(b.rng, t.cols, func(c *column) bool { return c.noun != "" })
	if c == nil || c.role == duration || c.role == nothing || c.role == name {
		return nil
	}
	if b.lang != "" {
		return b.localCondition(c)
	}
	return b.condition(c)
}

func (t *table) named() bool { return len(t.show) > 0 && t.show[0].role == name }

func choose[T any](rng *rand.Rand, list []T, fits func(T) bool) (found T) {
	var fit []T
	for _, v := range list {
		if fits(v) {
			fit = append(fit, v)
		}
	}
	if len(fit) == 0 {
		return found
	}
	return pick(rng, fit)
}

// none makes a nil pointer a nil.
func none[T any](v *T) any {
	if v == nil {
		return nil
	}
	return v
}

// sqlPart renders {…} of a pattern's SQL: x, T1.x, x.show, T1.x.pk, T1=T2:l.
func (b *binder) sqlPart(part string) (string, error) {
	if sides, l, ok := strings.Cut(part, ":"); ok { // child=parent:link
		child, parent, _ := strings.Cut(sides, "=")
		if t, ok := b.has[child].(*table); ok { // tables by their names
			child = ident(t.name)
		}
		if t, ok := b.has[parent].(*table); ok {
			parent = ident(t.name)
		}
		v, ok := b.has[l].(*link)
		if !ok {
			return "", fmt.Errorf("%s is no link", l)
		}
		var on []string
		for i := range v.cols {
			on = append(on, child+"."+ident(v.cols[i])+" = "+parent+"."+ident(v.refs[i]))
		}
		return strings.Join(on, " AND "), nil
	}
	alias := ""
	f := strings.Split(part, ".")
	if _, ok := b.has[f[0]]; !ok && len(f) > 1 {
		alias, f = f[0], f[1:]
	}
	attr := ""
	if len(f) > 1 {
		attr = f[1]
	}
	switch v := b.has[f[0]].(type) {
	case int:
		return strconv.Itoa(v), nil
	case *column:
		return inSQL(v.expr, alias), nil
	case *filter:
		if attr == "next" {
			return inSQL(strings.Replace(v.sql, strconv.Itoa(v.year), strconv.Itoa(v.year+1), 1), alias), nil
		}
		return inSQL(v.sql, alias), nil
	case *link:
		if len(v.cols) > 1 {
			return "", fmt.Errorf("the key of %s has several columns", v.parent.name)
		}
		switch attr {
		case "col":
			return qualified(alias, v.cols[0]), nil
		case "ref":
			return qualified(alias, v.refs[0]), nil
		}
	case *table:
		if strings.HasPrefix(attr, "show") && len(v.show) == 0 {
			return "", fmt.Errorf("%s has nothing to show", v.name)
		}
		switch attr {
		case "":
			return ident(v.name), nil
		case "show":
			return exprs(v.show, alias, ", "), nil
		case "show1":
			return exprs(v.show[:1], alias, ""), nil
		case "concat":
			return exprs(v.show, alias, ", ' ', "), nil
		case "by":
			if len(v.pk) == 0 {
				return exprs(v.show, alias, ", "), nil
			}
			var list []string
			for _, k := range v.pk {
				list = append(list, qualified(alias, k))
			}
			return strings.Join(list, ", "), nil
		case "pk":
			if len(v.pk) == 1 {
				return qualified(alias, v.pk[0]), nil
			}
			return "", fmt.Errorf("%s has no key of one column", v.name)
		}
	}
	return "", fmt.Errorf("{%s} means nothing", part)
}

func qualified(alias, name string) string {
	if alias == "" {
		return ident(name)
	}
	return alias + "." + ident(name)
}

func exprs(cols []*column, alias, sep string) string {
	var list []string
	for _, c := range cols {
		list = append(list, inSQL(c.expr, alias))
	}
	return strings.Join(list, sep)
}
