package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/role"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Reader is a database that the program reads for itself. Every DB of ours is one.
type Reader interface {
	// Read runs a query of the program's: what it finds is not cut to what a user is shown. One that takes too long, or
	// finds too much, is refused with a *QueryError.
	Read(ctx context.Context, q sqlcheck.Query) ([][]any, error)
	// Views are the queries of the database's views, by their names; "" is one that cannot be read.
	Views(ctx context.Context) (map[string]string, error)
}

// As is a database as a role sees it: its schema is what exists for the role, and what it runs reads nothing else. What
// the program reads for itself, numbers of rows and values, it reads so, too. It owns db and closes it, even where it
// fails; nothing else gets at db. The error says in a line what is wrong with the role.
func As(ctx context.Context, db DB, r *role.Role) (DB, error) {
	s := &sighted{db: db, role: r}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// sighted is a DB behind a role.
type sighted struct {
	db    DB
	role  *role.Role
	sight *role.Sight
}

func (s *sighted) open(ctx context.Context) error {
	reader, ok := s.db.(Reader)
	if !ok {
		return fmt.Errorf("%s takes no role", s.db.Backend().Source)
	}
	full, err := s.db.Schema(ctx)
	if err != nil {
		return err
	}
	views, err := reader.Views(ctx)
	if err != nil {
		return err
	}
	if s.sight, err = s.role.On(full, views); err != nil {
		return err
	}
	return s.look(ctx, reader)
}

// look reads what the role sees of numbers of rows and of values, where that is not what the whole database has.
func (s *sighted) look(ctx context.Context, reader Reader) error {
	seen := s.sight.Schema
	query := func(ctx context.Context, text string) ([][]any, error) {
		q, v, err := sqlcheck.Check(text, seen)
		if err == nil && v.OK {
			q, v, err = s.sight.Rewrite(q)
		}
		if err != nil {
			return nil, err
		}
		if !v.OK {
			return nil, &QueryError{Code: v.Code, Message: v.String()}
		}
		return reader.Read(ctx, q)
	}
	unread := &schema.Schema{Name: seen.Name}
	var places []*schema.Table
	for i := range seen.Tables {
		t := &seen.Tables[i]
		narrow := s.sight.Narrow(t.Name)
		if narrow {
			n, err := s.count(ctx, t.Name, query)
			if err != nil {
				return fmt.Errorf("%s: %w", t.Name, err)
			}
			t.Rows = n
		}
		read := func(c schema.Column) bool { return c.Values != nil || c.Texts != nil || c.Longest > 0 }
		if narrow || !slices.ContainsFunc(t.Columns, read) {
			unread.Tables, places = append(unread.Tables, s.unmasked(t)), append(places, t)
		}
	}
	err := MeasureTexts(ctx, unread, query)
	if err == nil {
		err = ProfileValues(ctx, unread, query)
	}
	if err == nil {
		err = s.texts(ctx, unread, query)
	}
	for i, t := range places {
		for _, c := range unread.Tables[i].Columns {
			if to, ok := t.Column(c.Name); ok {
				*to = c
			}
		}
	}
	return err
}

// count is how many rows of a table the role sees; 0 where that takes too long. Any other refusal is an error: every
// query of the table would meet it.
func (s *sighted) count(ctx context.Context, table string,
	query func(context.Context, string) ([][]any, error)) (int64, error) {
	rows, err := query(ctx, "SELECT COUNT(*) FROM "+syntax.QuoteName(table))
	if refused, ok := errors.AsType[*QueryError](err); ok && refused.TimedOut() {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return countIn(rows)
}

// unmasked is a table without the columns for whose values others stand.
func (s *sighted) unmasked(t *schema.Table) schema.Table {
	out := *t
	out.Columns = syntax.Filter(t.Columns, func(c schema.Column) bool { return !s.sight.Masked(t.Name, c.Name) })
	return out
}

// texts reads the texts of columns. Those of a server are kept in the cache folder, under a name that the role is part
// of.
func (s *sighted) texts(ctx context.Context, unread *schema.Schema,
	query func(context.Context, string) ([][]any, error)) error {
	if s.db.Backend().Engine == "embedded" {
		return ReadTexts(ctx, unread, query)
	}
	return keptTexts(ctx, unread, s.role.String()+" "+s.db.Backend().Source, query)
}

// Query implements [DB].
func (s *sighted) Query(ctx context.Context, q sqlcheck.Query) (Result, error) {
	rewritten, v, err := s.sight.Rewrite(q)
	if err != nil {
		return Result{}, fmt.Errorf("runner: %w", err)
	}
	if !v.OK {
		return Result{}, &QueryError{Code: v.Code, Message: v.Advice()}
	}
	res, err := s.db.Query(ctx, rewritten)
	if refused, ok := errors.AsType[*QueryError](err); ok && rewritten.SQL() != q.SQL() &&
		(refused.Code == quotes || s.sight.Hides(refused.Message)) { // it may name what the role does not see
		err = &QueryError{Code: refused.Code, Message: "the database refuses this query (its message is left out)"}
	}
	if labels := q.Labels(); err == nil && len(labels) == len(res.Columns) {
		res.Columns = labels
	}
	return res, err
}

// quotes is the error of a syntax that a server does not know. Its message has a part of the statement in it.
const quotes = 1064

// Schema implements [DB].
func (s *sighted) Schema(context.Context) (*schema.Schema, error) { return s.sight.Schema, nil }

// Backend implements [DB].
func (s *sighted) Backend() Backend {
	b := s.db.Backend()
	b.Role = s.role.String()
	return b
}

// Close implements [DB].
func (s *sighted) Close() error { return s.db.Close() }

// Read implements [Reader].
func (s *server) Read(ctx context.Context, q sqlcheck.Query) ([][]any, error) {
	return s.brief(ctx, q.SQL())
}

// Views implements [Reader].
func (s *server) Views(ctx context.Context) (map[string]string, error) {
	tables, err := s.strings(ctx, tablesSQL)
	if err != nil {
		return nil, err
	}
	views := map[string]string{}
	for _, row := range tables {
		if row[1] != "VIEW" {
			continue
		}
		def, err := s.strings(ctx, "SHOW CREATE VIEW "+QuoteName(row[0]))
		refused := (*QueryError)(nil)
		switch {
		case errors.As(err, &refused) || answered(err): // the user may not look into it, or it is broken
			views[row[0]] = ""
		case err != nil:
			return nil, err
		case len(def) == 1 && len(def[0]) > 1:
			views[row[0]] = syntax.ViewQuery(def[0][1])
		}
	}
	return views, nil
}
