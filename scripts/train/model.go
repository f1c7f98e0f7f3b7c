package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"nl2sql/evaluation/score"
)

// database is what can be asked about: tables with words for what they hold.
type database struct {
	tables []*table
	links  []*link
}

type table struct {
	name, one, many string // "" is no name for people: nothing is asked about it
	cols            []*column
	pk              []string
	show            []*column // what stands for a row in an answer
	rows            int
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
)

// column is one of a table's.
type column struct {
	role   role
	expr   string   // its name within {}
	noun   string   // "order date"
	typ    string   // as declared, lower case
	values []string // a sample, in order, most frequent first for categories
	nulls  bool
}

// link is a foreign key.
type link struct {
	child, parent *table
	cols, refs    []string
	as            string // what the parent is to the child: "manager"
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

// named says that people call a row by a name.
func (t *table) named() bool { return len(t.show) > 0 && t.show[0].role == name }

// showNoun is what the columns that stand for a row are called.
func (t *table) showNoun(many bool) string {
	noun := t.show[0].noun
	if len(t.show) == 2 {
		noun = "first and last name"
	}
	if many {
		return plural(noun)
	}
	return noun
}

// look reads from the database what the words alone do not say: values, row counts, missing values.
func (d *database) look(ctx context.Context, x *score.Executor) error {
	for _, t := range d.tables {
		n, err := cells(ctx, x, "SELECT COUNT(*) FROM "+ident(t.name))
		if err != nil {
			return err
		}
		fmt.Sscan(n[0], &t.rows)
		for _, c := range t.cols {
			if c.noun == "" {
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

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

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
