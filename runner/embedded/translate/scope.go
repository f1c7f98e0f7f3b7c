package translate

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/embedded/types"
)

// val is an expression in SQLite's SQL, with the type that MySQL infers for it.
type val struct {
	sql  string
	typ  types.Type
	text *string // the value of a string literal
	col  bool    // a bare column: SQLite knows its collation
	// of a wide DECIMAL that holds more decimal places than its scale, a quotient or an average: how many; else 0
	places int
	mixed  bool // of an exact number: rows give it different decimal places, on which those of a quotient depend
	// the text of a DECIMAL, or a DOUBLE of fixed places, that is CASE or IF: MySQL prints each branch with its own
	// places
	loose    string
	zero     bool   // what arithmetic gives: MySQL's zero has no decimal places then, as JSON shows
	partly   bool   // a date that is read out of a text: its month or day may be zero
	constant bool   // computed of no column
	either   bool   // CASE or IF of texts and numbers, of which MySQL reads the one that is chosen
	truth    bool   // a condition's value, or TRUE or FALSE: true or false in JSON
	notNull  bool   // a column that is declared NOT NULL
	lead     bool   // a column that an index starts with
	table    bool   // a column of a table itself, not of a view or a derived table
	declared string // of a column of a table, or of one that is nothing else: its declared type
	// of an average, or a choice between a quotient and a text: what MySQL computes where it wants a double; else ""
	real string
	bits string // of a whole number that may be beyond BIGINT: its 64 bits, where sql refuses such a number
	row  []val  // the parts of a row constructor; sql is then empty
}

// frac is how many decimal places an exact number holds.
func (v val) frac() int { return max(v.places, v.typ.Decimals()) }

// source is one table of a FROM clause.
type source struct {
	name string // how the query calls it
	cols []sourceColumn
	key  []string // the primary key of a table; nil for a derived one
}

type sourceColumn struct {
	name string
	val  val
	lead bool // an index starts with it; of a derived table's if MySQL merges it
}

// place is where a query stands: what MySQL does with its rows depends on it.
type place uint8

const (
	inQuery place = iota // in an expression that asks for rows, as IN does, or an operand of a set operation
	atTop                // it is the statement
	asValue              // a scalar subquery, whose value is not rounded
	// a derived table or a common table expression, which MySQL may merge into the query that reads it
	asTable
)

// wanted is what is wanted of a query by what stands around it. The zero value is rows.
type wanted struct {
	place  place
	stored map[int]types.Kind // the columns that a set operation around it makes texts or doubles
}

// block is one query block: what its FROM clause and its windows mean, what MySQL will do with it, and what was found
// out on the way.
type block struct {
	wanted
	stmt    *ast.SelectStmt // nil for a set operation's ORDER BY and the like
	sources []*source
	merged  []sourceColumn // the columns of USING and NATURAL joins
	star    []sourceColumn // what * means
	windows map[string]windowDef

	rounds  bool // groups are made in a temporary table, which rounds the quotients that are summed up
	settles bool // what the groups give is kept in a temporary table, which rounds it

	aggs     int  // how many aggregate functions there are so far
	windowed bool // there is a window function
	related  bool // a subquery has named a column of this block
	asked    bool // the same of the scalar subquery that is translated, or was last
}

// scope is where an expression stands: in a part of a query block, inside those around it.
type scope struct {
	*block
	parent  *scope
	ctes    map[string]*cte // by lower-case name; scopes above are looked through too
	items   []sourceColumn  // the select list, where its aliases may be used
	first   bool            // aliases come before columns
	grouped bool            // what stands here is computed of groups; false for WHERE
	inAgg   bool            // inside an aggregate function's arguments
	rollup  *rollup         // of the nearest block with WITH ROLLUP, this one or one around it
}

// rollup is a level of WITH ROLLUP.
type rollup struct {
	groups []val // the GROUP BY list; empty while it is translated itself
	up     []val // those of them that this level sums up
	texts  bool  // MySQL holds an ENUM or SET that is NOT NULL as a text
}

// inside is the scope of a new block that sees what sc does; nil sees nothing.
func (sc *scope) inside(b *block) *scope {
	in := &scope{block: b, parent: sc}
	if sc != nil {
		in.rollup = sc.rollup
	}
	return in
}

// beside is the scope of a new block that sees what stands around the block of sc, and its common table expressions.
func (sc *scope) beside(b *block) *scope {
	in := sc.parent.inside(b)
	in.ctes = sc.ctes
	return in
}

// filter is the scope of WHERE: there are no groups yet.
func (sc *scope) filter() *scope {
	in := *sc
	in.grouped = false
	if sc.rollup != nil {
		in.rollup = &rollup{groups: sc.rollup.groups}
	}
	return &in
}

// cte is a common table expression.
type cte struct {
	sql    string // its name in SQLite's SQL
	cols   []sourceColumn
	widths []int // of a recursive one: the most characters that each may have, -1 for any number
}

// column resolves a name. The checker has bound it before, so the first match is the one.
func (sc *scope) column(tbl, name string) (val, bool) {
	for s := sc; s != nil; s = s.parent {
		if tbl == "" && s.first && !s.inAgg {
			if v, ok := find(s.items, name); ok {
				return s.alias(v, sc), true
			}
		}
		if tbl == "" {
			if v, ok := find(s.merged, name); ok {
				return v, true
			}
		}
		for _, src := range s.sources {
			if tbl != "" && !strings.EqualFold(src.name, tbl) {
				continue
			}
			if v, ok := find(src.cols, name); ok {
				s.asked, s.related = s.asked || s != sc, s.related || s != sc
				return v, true
			}
		}
		if tbl == "" && !s.first {
			if v, ok := find(s.items, name); ok {
				return s.alias(v, sc), true
			}
		}
	}
	return val{}, false
}

func find(cols []sourceColumn, name string) (val, bool) {
	for _, c := range cols {
		if strings.EqualFold(c.name, name) {
			return c.val, true
		}
	}
	return val{}, false
}

// alias is an item of the select list where its name stands. Inside a subquery SQLite would take its aggregates for
// the subquery's.
func (sc *scope) alias(v val, where *scope) val {
	refuseIf(sc != where && !v.col && sc.aggs > 0, "an alias of an expression inside a subquery")
	return v
}

func (sc *scope) cte(name string) (*cte, bool) {
	for s := sc; s != nil; s = s.parent {
		if c, ok := s.ctes[strings.ToLower(name)]; ok {
			return c, true
		}
	}
	return nil, false
}
