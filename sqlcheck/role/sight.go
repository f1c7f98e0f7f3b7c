package role

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Sight is a database as a role sees it. It is safe for concurrent use.
type Sight struct {
	Schema *schema.Schema // what exists for the role, without anything that was read of values and numbers of rows
	full   *schema.Schema
	rules  map[string]*rule // by the table's lower-case name; a table that is seen whole has none
}

// rule is how a table is read: by a derived table in its place.
type rule struct {
	derived string // a SELECT
	narrow  bool   // not all rows are in it
	masked  map[string]bool
}

// limit keeps engines from merging a derived table with the query around it, and from looking at that one's conditions
// before they have looked at the role's: no row that is not seen meets anything that a query asks. It is more rows than
// there are, in the numbers of every engine. Sources: MySQL 8.0 Reference Manual, "Optimizing Derived Tables" and
// "Derived Condition Pushdown Optimization"; MariaDB, "Condition Pushdown into Derived Table Optimization"; SQLite,
// "The SQLite Query Optimizer Overview", 11 and 12.
const limit = " LIMIT 4611686018427387904"

// On is what a role sees of a database with that schema. views are the queries of its views, by their names; "" is one
// that nobody knows. A view is what it comes to for
// the role; one that reads what the role does not have, or that nobody can read, is refused.
func (r *Role) On(full *schema.Schema, views map[string]string) (*Sight, error) {
	s := &Sight{Schema: &schema.Schema{Name: full.Name}, full: full, rules: map[string]*rule{}}
	waiting := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(r.tables)) {
		table, ok := full.Table(name)
		if !ok {
			return nil, fmt.Errorf("there is no table %s%s", name, near(name, full.TableNames()))
		}
		if view, is := named(views, table.Name); is {
			if view == "" {
				return nil, fmt.Errorf("%s: the definition of this view cannot be read, so nobody knows what it shows",
					name)
			}
			waiting[name] = view
			continue
		}
		if err := r.add(s, name, table, nil); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := r.addViews(s, waiting); err != nil {
		return nil, err
	}
	s.tie()
	slices.SortFunc(s.Schema.Tables, func(a, b schema.Table) int { return strings.Compare(a.Name, b.Name) })
	return s, nil
}

// named is what stands under a name in a file of a role, whatever its case.
func named[V any](all map[string]V, name string) (of V, is bool) {
	for known, of := range all {
		if strings.EqualFold(known, name) {
			return of, true
		}
	}
	return of, false
}

// addViews adds each view when all that it reads is there.
func (r *Role) addViews(s *Sight, waiting map[string]string) error {
	for len(waiting) > 0 {
		var first error
		added := false
		for _, name := range slices.Sorted(maps.Keys(waiting)) {
			table, _ := s.full.Table(name)
			body, err := s.viewBody(waiting[name], table)
			if err == nil {
				err = r.add(s, name, table, body)
				delete(waiting, name)
				added = true
			}
			if err != nil && first == nil {
				first = fmt.Errorf("%s: %w", name, err)
			}
		}
		if first != nil && !added {
			return first
		}
	}
	return nil
}

// add takes a table into the schema that the role sees, and makes its rule. body is what a view reads; nil for a table.
func (r *Role) add(s *Sight, name string, table *schema.Table, body *string) error {
	e := r.tables[name]
	masks, err := e.masks()
	if err != nil {
		return err
	}
	seen, err := e.seen(table, masks)
	if err != nil {
		return err
	}
	cond := condition{}
	if e.Where != "" {
		if cond, err = r.condition(s.full, table, e.Where); err != nil {
			return fmt.Errorf("where: %w", err)
		}
		seen.Rows = 0
	}
	if body == nil && e.Where == "" && len(masks) == 0 && len(seen.Columns) == len(table.Columns) {
		s.Schema.Tables = append(s.Schema.Tables, *seen)
		return nil
	}
	ru := &rule{narrow: e.Where != "" || body != nil, masked: map[string]bool{}}
	from := qualified(s.full.Name, table.Name)
	if body != nil {
		from = "(" + *body + ") AS " + syntax.QuoteName(table.Name)
	}
	var items []string
	kept := e.Where != ""
	for _, c := range seen.Columns {
		item := syntax.QuoteName(c.Name)
		if m, is := named(masks, c.Name); is {
			ru.masked[c.Name] = true
			kept = kept || m.text != ""
			item = cmp.Or(m.text, "NULL") + " AS " + item
		}
		items = append(items, item)
	}
	ru.derived = "SELECT " + strings.Join(items, ", ") + " FROM " + from
	if e.Where != "" {
		ru.derived += " WHERE " + cond.text
	}
	if kept {
		ru.derived += limit
	}
	if _, v, err := sqlcheck.CheckView(ru.derived, s.full); err != nil || !v.OK {
		return errors.Join(err, fmt.Errorf("it cannot be read so: %s", v))
	}
	seen.Reads = table.Reads + 1 + cond.tables
	s.rules[strings.ToLower(table.Name)] = ru
	s.Schema.Tables = append(s.Schema.Tables, *seen)
	return nil
}

func qualified(database, table string) string {
	if database == "" {
		return syntax.QuoteName(table)
	}
	return syntax.QuoteName(database) + "." + syntax.QuoteName(table)
}

// seen is the table with the columns that exist for a role. Of masked ones nothing is known but their types.
func (e entry) seen(table *schema.Table, masks map[string]mask) (*schema.Table, error) {
	for _, name := range slices.Concat(e.Columns, e.Hidden, slices.Sorted(maps.Keys(masks))) {
		if _, ok := table.Column(name); !ok {
			return nil, fmt.Errorf("there is no column %s%s", name, near(name, table.ColumnNames()))
		}
	}
	has := func(list []string, name string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, name) })
	}
	out := *table
	out.Columns, out.Checks = nil, nil
	for _, c := range table.Columns {
		m, masked := named(masks, c.Name)
		if len(e.Columns) > 0 && !has(e.Columns, c.Name) && !masked || has(e.Hidden, c.Name) {
			if masked {
				return nil, fmt.Errorf("%s is hidden and masked", c.Name)
			}
			continue
		}
		if masked {
			if m.text != "" && m.kind != c.Kind() {
				return nil, fmt.Errorf("masked: %s is of type %s: what stands for its values must be of that type, or null",
					c.Name, c.Type)
			}
			c = schema.Column{Name: c.Name, Type: c.Type, Nullable: m.text == "", Comment: c.Comment,
				Longest: int64(max(len(m.text), 1))}
		} else if e.Where != "" {
			c.Values, c.Complete, c.Texts, c.AllTexts, c.Longest = nil, false, nil, false, 0
		}
		out.Columns = append(out.Columns, c)
	}
	if len(out.Columns) == 0 {
		return nil, errors.New("no column is left")
	}
	keepKeys(&out, masks)
	return &out, nil
}

// near is what a name may have been meant for.
func near(name string, names []string) string {
	if close := syntax.NearNames(name, names); len(close) > 0 {
		return ": did you mean " + strings.Join(close, " or ") + "?"
	}
	return ""
}

// condition is what rows of a table are seen.
type condition struct {
	text   string // with every table's name qualified, so that no name of a query means anything in it
	tables int    // that it reads itself
}

// condition reads a condition with the values in their places. It may ask anything of the whole database that a query
// may ask.
func (r *Role) condition(full *schema.Schema, table *schema.Table, where string) (condition, error) {
	text, err := r.withValues("SELECT 1 FROM "+qualified(full.Name, table.Name)+" WHERE (", where+"\n)")
	if err != nil {
		return condition{}, err
	}
	q, v, err := sqlcheck.CheckView(text, full)
	if err != nil {
		return condition{}, err
	}
	if !v.OK {
		return condition{}, errors.New(v.Advice())
	}
	b, ok := sqlcheck.Tree(q, full)
	if !ok {
		return condition{}, errors.New("it cannot be read")
	}
	tables := qualify(b)
	cond, err := syntax.Restore(b.Blocks[0].Select.Where)
	return condition{cond, tables - 1}, err
}

// keepKeys drops the keys of which a part is not seen.
func keepKeys(t *schema.Table, masks map[string]mask) {
	whole := func(key []string) bool {
		for _, name := range key {
			_, masked := named(masks, name)
			if _, there := t.Column(name); !there || masked {
				return false
			}
		}
		return true
	}
	if !whole(t.PrimaryKey) {
		t.PrimaryKey = nil
		for i := range t.Columns {
			if t.Columns[i].Key == "PRI" {
				t.Columns[i].Key = ""
			}
		}
	}
	t.Unique = syntax.Filter(t.Unique, whole)
	t.ForeignKeys = syntax.Filter(t.ForeignKeys, func(fk schema.ForeignKey) bool { return whole(fk.Columns) })
}

// tie drops the foreign keys that lead to what is not seen.
func (s *Sight) tie() {
	for i := range s.Schema.Tables {
		t := &s.Schema.Tables[i]
		t.ForeignKeys = syntax.Filter(t.ForeignKeys, func(fk schema.ForeignKey) bool {
			to, there := s.Schema.Table(fk.RefTable)
			for _, name := range fk.RefColumns {
				if there {
					_, there = to.Column(name)
				}
				there = there && !s.Masked(fk.RefTable, name)
			}
			return there
		})
	}
}

// Narrow says that the role sees a table otherwise than it is: fewer rows, or a view's.
func (s *Sight) Narrow(table string) bool {
	ru := s.rules[strings.ToLower(table)]
	return ru != nil && ru.narrow
}

// Masked says that other values stand for those of a column.
func (s *Sight) Masked(table, column string) bool {
	ru := s.rules[strings.ToLower(table)]
	return ru != nil && ru.masked[column]
}

// Hides says that a text has the name of a table or column in it that exists for others alone.
func (s *Sight) Hides(text string) bool {
	words := syntax.Set(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}))
	says := func(name string) bool {
		return words[strings.ToLower(name)] || !syntax.IsPlainName(name) && strings.Contains(text, name)
	}
	for i := range s.full.Tables {
		t := &s.full.Tables[i]
		seen, there := s.Schema.Table(t.Name)
		if !there && says(t.Name) {
			return true
		}
		for _, c := range t.Columns {
			if there {
				_, there := seen.Column(c.Name)
				if !there && says(c.Name) {
					return true
				}
			} else if says(c.Name) && !s.Schema.HasColumn(c.Name) {
				return true
			}
		}
	}
	return false
}
