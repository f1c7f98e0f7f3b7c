package examples

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"nl2sql/sqlcheck/schema"
)

// Composed is a SELECT at random: what a model may write at its worst, with names that mean nothing, too much or
// something of a query around it, in every clause, and queries in queries. It parses; most of them MySQL refuses.
func Composed(random *rand.Rand, s *schema.Schema) string {
	c := composer{random, s}
	return c.query(3)
}

type composer struct {
	random *rand.Rand
	schema *schema.Schema
}

func (c composer) one(of ...string) string { return of[c.random.IntN(len(of))] }

// times is n times out of ten.
func (c composer) times(n int) bool { return c.random.IntN(10) < n }

func (c composer) table() schema.Table { return c.schema.Tables[c.random.IntN(len(c.schema.Tables))] }

// name is a column of some table, an alias, or neither; qualified or not.
func (c composer) name() string {
	t := c.table()
	name := c.one(quoted(t.Columns[c.random.IntN(len(t.Columns))].Name), c.one("x", "y", "n"))
	if c.times(3) {
		return c.one("a", "b", quoted(t.Name)) + "." + name
	}
	return name
}

func (c composer) expr(depth int) string {
	switch c.random.IntN(9) {
	case 0:
		return fmt.Sprintf("%s(%s%s)", c.one("COUNT", "SUM", "MAX"), c.one("", "DISTINCT "), c.name())
	case 1:
		return "COUNT(*)"
	case 2:
		return c.one("1", "2", "'x'", "NULL")
	case 3:
		return fmt.Sprintf("%s %s %s", c.expr(0), c.one("+", "/", "=", ">"), c.expr(0))
	case 4:
		return fmt.Sprintf("%s() OVER (PARTITION BY %s ORDER BY %s)", c.one("RANK", "ROW_NUMBER"), c.name(), c.name())
	case 5:
		if depth > 0 {
			return "(" + c.query(depth-1) + ")"
		}
	}
	return c.name()
}

func (c composer) condition(depth int) string {
	if depth > 0 && c.times(4) {
		return fmt.Sprintf("%s %s (%s)", c.name(), c.one("IN", "NOT IN", ">", "= ANY"), c.query(depth-1))
	}
	if depth > 0 && c.times(2) {
		return fmt.Sprintf("EXISTS (%s)", c.query(depth-1))
	}
	return fmt.Sprintf("%s %s %s", c.expr(depth), c.one("=", ">", "<>", "LIKE"), c.expr(0))
}

func (c composer) source(depth int, alias string) string {
	if depth > 0 && c.times(2) {
		return "(" + c.query(depth-1) + ") AS " + alias
	}
	return quoted(c.table().Name) + c.one("", " AS "+alias)
}

func (c composer) list(n int, item func() string) string {
	items := make([]string, 1+c.random.IntN(n))
	for i := range items {
		items[i] = item()
	}
	return strings.Join(items, ", ")
}

func (c composer) query(depth int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "SELECT %s%s FROM %s", c.one("", "", "DISTINCT "), c.list(3, func() string {
		if c.times(1) {
			return c.one("*", "a.*")
		}
		return c.expr(depth) + c.one("", "", " AS x", " AS y", " AS n")
	}), c.source(depth, "a"))
	if c.times(4) {
		fmt.Fprintf(&b, " %s %s", c.one("JOIN", "LEFT JOIN", "RIGHT JOIN"), c.source(depth, "b"))
		fmt.Fprintf(&b, " ON %s", c.condition(0))
	}
	if c.times(4) {
		b.WriteString(" WHERE " + c.condition(depth))
	}
	if c.times(5) {
		b.WriteString(" GROUP BY " + c.list(2, func() string { return c.one(c.name(), c.name(), "1", "3", c.expr(0)) }))
	}
	if c.times(3) {
		b.WriteString(" HAVING " + c.condition(depth))
	}
	if c.times(1) {
		return b.String() + c.one(" UNION ", " EXCEPT ", " INTERSECT ") + c.query(0)
	}
	if c.times(4) {
		b.WriteString(" ORDER BY " + c.list(2, func() string {
			return c.one(c.name(), "2", c.expr(depth)) +
				c.one("", " DESC")
		}))
	}
	return b.String()
}

func quoted(name string) string { return "`" + name + "`" }
