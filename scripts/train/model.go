package main

import (
	"context"
	"fmt"
	"strings"

	"nl2sql/evaluation/score"
)

// database is what the patterns can ask about: tables with words for what they hold.
type database struct {
	name   string
	nokeys bool // its schema declares no foreign keys
	tables []*table
	links  []*link
	ties   []*tie
}

type table struct {
	name, one, many string // "" is no name for people: nothing is asked about it
	cols            []*column
	pk              []string
	show            []*column // what stands for a row in an answer
	rows            int
	shown           [][]string // some rows of show
}

// role is what a column may be used for.
type role string

const (
	key      role = "key"  // says which row; also of other tables
	name     role = "name" // what people call a row
	category role = "cat"
	amount   role = "num"  // adds up
	rate     role = "rate" // a number that does not: a price, an age
	moment   role = "date"
	year     role = "year" // a number
	text     role = "text"
	duration role = "days" // between two dates
	nothing  role = ""
)

// column is a column, or an expression of one row.
type column struct {
	table   *table
	role    role
	expr    string // names of columns within {}
	noun    string // "order date"
	unit    string // of a number, put behind it
	do      string // "were placed", for moments; "are from %" for categories
	that    string // "placed", "from %"; "" is made of do
	null    string // what rows without a value are: "have not been shipped yet"
	typ     string // as declared, lower case
	meaning map[string]string
	values  []string // a sample, in order, most frequent first for categories
	nulls   bool
	whole   bool // values are all there are
}

// link is a foreign key. The parent's rows do something: customers "placed" orders.
type link struct {
	child, parent *table
	cols, refs    []string
	did, do       string // "placed", "place"
	as            string // what the parent is to the child: "manager"
}

// tie is a table between two others: members "booked" courses.
type tie struct {
	a, b    *link
	did, do string
}

func (d *database) table(name string) *table {
	for _, t := range d.tables {
		if strings.EqualFold(t.name, name) {
			return t
		}
	}
	return nil
}

func (t *table) column(name string) *column {
	for _, c := range t.cols {
		if strings.EqualFold(c.expr, "{"+name+"}") {
			return c
		}
	}
	return nil
}

// look reads from the database what the words alone do not say: values, row counts, missing values.
func (d *database) look(ctx context.Context, x *score.Executor) error {
	for _, t := range d.tables {
		n, err := cells(ctx, x, "SELECT COUNT(*) FROM "+ident(t.name))
		if err != nil {
			return err
		}
		fmt.Sscan(n[0], &t.rows)
		if len(t.show) > 0 {
			o, err := x.Run(ctx, fmt.Sprintf("SELECT DISTINCT %s FROM %s LIMIT 300",
				exprs(t.show, "", ", "), ident(t.name)))
			if err != nil || !o.OK() {
				return fmt.Errorf("%s: %s %w", t.name, o.Error, err)
			}
			for _, row := range o.Result.Rows {
				var list []string
				for _, v := range row {
					list = append(list, fmt.Sprint(v))
				}
				t.shown = append(t.shown, list)
			}
		}
		for _, c := range t.cols {
			if c.role == nothing || c.role == duration || c.noun == "" {
				continue
			}
			e := inSQL(c.expr, "")
			q := fmt.Sprintf("SELECT %s FROM %s WHERE %[1]s IS NOT NULL GROUP BY %[1]s ORDER BY ", e, ident(t.name))
			if c.role == category || c.role == name {
				q += "COUNT(*) DESC, "
			}
			if c.values, err = cells(ctx, x, q+e+" LIMIT 400"); err != nil {
				return err
			}
			c.whole = len(c.values) < 400
			missing, err := cells(ctx, x, fmt.Sprintf("SELECT COUNT(*) FROM %s WHERE %s IS NULL", ident(t.name), e))
			if err != nil {
				return err
			}
			c.nulls = missing[0] != "0"
		}
	}
	return nil
}

// cells is the first column of a result.
func cells(ctx context.Context, x *score.Executor, sql string) ([]string, error) {
	o, err := x.Run(ctx, sql)
	if err != nil {
		return nil, err
	}
	if !o.OK() {
		return nil, fmt.Errorf("%s: %s", sql, o.Error)
	}
	var list []string
	for _, row := range o.Result.Rows {
		list = append(list, fmt.Sprint(row[0]))
	}
	return list, nil
}
