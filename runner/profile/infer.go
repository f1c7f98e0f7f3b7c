package profile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Bounds of what is read. Names propose, and rows decide: no column is read that no name speaks for.
const (
	leastSure   = .6              // references that are less likely by their names are not looked at
	mostMissing = .1              // share of values that may be no key: rows whose parents were deleted
	firstRows   = 200_000         // of a table, whose values are looked up
	oneQuery    = 5 * time.Second // for one look, or a third of the time for all, if that is more
)

// Querier runs checked queries; every [runner.DB] does.
type Querier interface {
	Query(ctx context.Context, q sqlcheck.Query) (runner.Result, error)
}

// Infer finds keys and references that s does not declare and that hold in db, and says how many queries that took. It
// ends after limit, with what was found till then; an error is that of a database that went away.
func Infer(ctx context.Context, db Querier, s *schema.Schema, limit time.Duration) (p *Profile, asked int, err error) {
	in := inference{db: db, schema: s, look: max(oneQuery, limit/3)}
	err = in.infer(ctx, limit)
	return &in.profile, in.asked, err
}

// errLate ends an inference, and nothing else.
var errLate = errors.New("the time is over")

type inference struct {
	ctx     context.Context
	db      Querier
	schema  *schema.Schema
	names   map[string]name // of tables and columns
	profile Profile
	asked   int                        // queries
	look    time.Duration              // for one of them
	keys    map[*schema.Table][]string // columns by one of which the rows of a table are known, the primary key first
}

func (in *inference) infer(ctx context.Context, limit time.Duration) error {
	var stop context.CancelFunc
	in.ctx, stop = context.WithTimeoutCause(ctx, limit, errLate)
	defer stop()
	in.names, in.keys = map[string]name{}, map[*schema.Table][]string{}
	for _, t := range in.schema.Tables {
		for _, n := range append(t.ColumnNames(), t.Name) {
			if _, known := in.names[n]; !known {
				in.names[n] = nameOf(n)
			}
		}
	}
	for i := range in.schema.Tables {
		if err := in.key(&in.schema.Tables[i]); err != nil {
			return err
		}
	}
	for i := range in.schema.Tables {
		if err := in.references(&in.schema.Tables[i]); err != nil {
			return err
		}
	}
	return nil
}

// numbers are what a query of one row finds; nil where it was refused or took too long.
func (in *inference) numbers(sql string) ([]int64, error) {
	if in.ctx.Err() != nil {
		return nil, in.late(in.ctx.Err())
	}
	in.asked++
	row, refused, err := one(in.ctx, in.db, in.schema, sql, in.look)
	if err != nil {
		return nil, err
	}
	in.profile.Cut = in.profile.Cut || refused == tooLong
	var out []int64
	for _, v := range row {
		n, ok := v.(int64)
		if !ok {
			return nil, fmt.Errorf("a count is a %T", v)
		}
		out = append(out, n)
	}
	return out, nil
}

// late is err, or nothing where it is the end of the time.
func (in *inference) late(err error) error {
	if context.Cause(in.ctx) == errLate {
		in.profile.Cut = true
		return nil
	}
	return err
}

// key fills keys of a table: what it declares, else the likeliest column by its name whose values are all there and all
// different.
func (in *inference) key(t *schema.Table) error {
	for _, key := range append([][]string{t.PrimaryKey}, t.Unique...) {
		if len(key) == 1 {
			in.keys[t] = append(in.keys[t], key[0])
		}
	}
	if len(t.PrimaryKey) > 0 || len(t.Unique) > 0 || t.Rows == 0 {
		return nil
	}
	type column struct {
		place int
		sure  float64
	}
	var list []column
	for i := range t.Columns {
		if sure := in.keyLike(t, i); sure > 0 && keyType(&t.Columns[i]) {
			list = append(list, column{i, sure})
		}
	}
	slices.SortStableFunc(list, func(a, b column) int { return cmp.Compare(b.sure, a.sure) })
	list = list[:min(len(list), 8)]
	for _, c := range list {
		name := t.Columns[c.place].Name
		n, err := in.numbers(fmt.Sprintf("SELECT COUNT(*), COUNT(%[1]s), COUNT(DISTINCT %[1]s) FROM %[2]s",
			syntax.QuoteName(name), syntax.QuoteName(t.Name)))
		if err != nil {
			return err
		}
		if n == nil || n[0] == 0 || n[0] != n[1] || n[0] != n[2] {
			continue
		}
		if len(in.keys[t]) == 0 {
			in.profile.Keys = append(in.profile.Keys, Key{Table: t.Name, Column: name, Rows: n[0],
				Confidence: min(c.sure, 1)})
		}
		in.keys[t] = append(in.keys[t], name)
	}
	return nil
}

// keyType reports whether keys and references are of such values: whole numbers, and short texts.
func keyType(c *schema.Column) bool {
	t := schema.ParseType(c.Type)
	switch t.Name {
	case "tinyint", "smallint", "mediumint", "int", "integer", "bigint", "char", "varchar", "binary":
		return true
	case "decimal", "numeric":
		return t.Scale() == 0
	case "text":
		return c.Longest <= 64
	}
	return false
}

// references finds, for each column of a table that refers to nothing, what it refers to.
func (in *inference) references(t *schema.Table) error {
	for i := range t.Columns {
		c := &t.Columns[i]
		if !keyType(c) || t.Refers(c.Name) {
			continue
		}
		list := in.proposed(t, c)
		for _, r := range list {
			ok, err := in.holds(&r)
			if err != nil {
				return err
			}
			if ok {
				in.profile.References = append(in.profile.References, r)
				break
			}
		}
	}
	return nil
}

// proposed are the references that names speak for, the likeliest first.
func (in *inference) proposed(t *schema.Table, c *schema.Column) (list []Reference) {
	own := slices.ContainsFunc(in.keys[t], func(k string) bool { return strings.EqualFold(k, c.Name) })
	for i := range in.schema.Tables {
		to := &in.schema.Tables[i]
		for _, key := range in.keys[to] {
			k, ok := to.Column(key)
			if !ok || k == c || !keyType(k) || c.Kind() != k.Kind() {
				continue
			}
			why, sure := named(in.names[c.Name], in.names[to.Name], in.names[key], to == t)
			if sure < leastSure {
				continue
			}
			ends := strings.HasSuffix(in.names[c.Name].letters, in.names[key].letters)
			// of two tables with the same key it is that of the one of which the other has a row for some rows
			if own && (to == t || !ends || cmp.Or(cmp.Compare(in.rank(to, key), in.rank(t, key)),
				cmp.Compare(len(in.names[t.Name].about), len(in.names[to.Name].about)),
				cmp.Compare(to.Rows, t.Rows), strings.Compare(t.Name, to.Name)) <= 0) {
				continue
			}
			list = append(list, Reference{Table: t.Name, Column: c.Name, RefTable: to.Name, RefColumn: key,
				Evidence: why, Confidence: sure + in.rank(to, key)})
		}
	}
	slices.SortStableFunc(list, func(a, b Reference) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return list
}

// rank is what makes one of two tables with the same key the one that it is the key of: the one whose name it has.
func (in *inference) rank(t *schema.Table, key string) float64 {
	if by := names(in.names[key].about, in.names[t.Name].about); by > 0 {
		return .04 * by
	}
	return 0
}

// holds looks the values of a column up among the keys.
func (in *inference) holds(r *Reference) (bool, error) {
	c, t := syntax.QuoteName(r.Column), syntax.QuoteName(r.Table)
	k, to := syntax.QuoteName(r.RefColumn), syntax.QuoteName(r.RefTable)
	n, err := in.numbers(fmt.Sprintf(
		"SELECT COUNT(*), COUNT(CASE WHEN x.v NOT IN (SELECT %s FROM %s WHERE %s IS NOT NULL) THEN 1 END) "+
			"FROM (SELECT DISTINCT a.v AS v FROM (SELECT %s AS v FROM %s WHERE %s IS NOT NULL LIMIT %d) AS a) AS x",
		k, to, k, c, t, c, firstRows))
	if err != nil || n == nil {
		return false, err
	}
	r.Values, r.Missing = n[0], n[1]
	if r.Values == 0 {
		r.Confidence *= .8
	} else if float64(r.Missing) > mostMissing*float64(r.Values) {
		return false, nil
	}
	r.Confidence = min(r.Confidence, 1)
	return true, nil
}
