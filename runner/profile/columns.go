package profile

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// Table is what the rows of a table show. Rows are those that were read: the first ones where there are more.
type Table struct {
	Name    string   `json:"name"`
	Rows    int64    `json:"rows"`
	More    bool     `json:"more,omitempty"` // there are more rows than were read
	Columns []Column `json:"columns"`
	// Refused says why nothing was read, in a line; "" is that something was.
	Refused string `json:"refused,omitempty"`
}

// Column is what the values of a column show.
type Column struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Nulls    int64  `json:"nulls"`
	Distinct int64  `json:"distinct"`        // values; 0 too of types that are not compared
	Least    string `json:"least,omitempty"` // of numbers and dates
	Most     string `json:"most,omitempty"`
	Holds    string `json:"holds,omitempty"` // "numbers" or "dates", of a column of texts
	Unit     string `json:"unit,omitempty"`  // of its numbers, as its name or its comment says
}

// readRows are as many of a table as are read, and fewRows where that takes too long; the first ones.
const (
	readRows = 2_000_000
	fewRows  = firstRows
)

// atATime are the columns of one query.
const atATime = 12

// leastTime is what a table may take, however little of the time is left.
const leastTime = 2 * time.Second

// Columns reads the rows of all tables, each in its share of the time that is left of limit: all rows, else some, else
// none. Progress is told the tables that are done; it may be nil. A table that the database refuses to read, or not in
// time, says so.
func Columns(
	ctx context.Context, db Querier, s *schema.Schema, limit time.Duration, progress func(done, of int),
) ([]Table, error) {
	var out []Table
	end := time.Now().Add(limit)
	for i := range s.Tables {
		if progress != nil {
			progress(i, len(s.Tables))
		}
		share := max(time.Until(end)/time.Duration(len(s.Tables)-i), leastTime)
		t, err := columns(ctx, db, s, &s.Tables[i], readRows, share)
		if err == nil && t.Refused == tooLong {
			t, err = columns(ctx, db, s, &s.Tables[i], fewRows, share)
		}
		if err != nil {
			return out, fmt.Errorf("read %s: %w", s.Tables[i].Name, err)
		}
		out = append(out, t)
	}
	return out, nil
}

// columns reads as many rows of a table as most, within a time.
func columns(
	ctx context.Context, db Querier, s *schema.Schema, t *schema.Table, most int64, limit time.Duration,
) (Table, error) {
	out := Table{Name: t.Name, More: t.Rows > most}
	end := time.Now().Add(limit)
	for at := 0; at < len(t.Columns); at += atATime {
		part := t.Columns[at:min(at+atATime, len(t.Columns))]
		row, refused, err := one(ctx, db, s, countsOf(t, part, most), time.Until(end))
		if err != nil || refused != "" {
			return Table{Name: t.Name, Refused: refused}, err
		}
		out.Rows, _ = row[0].(int64)
		row = row[1:]
		for i := range part {
			c := Column{Name: part[i].Name, Type: part[i].Type, Holds: holds(&part[i]), Unit: unitOf(&part[i])}
			present, _ := row[0].(int64)
			c.Nulls = out.Rows - present
			c.Distinct, _ = row[1].(int64)
			c.Least, c.Most = shown(row[2]), shown(row[3])
			row = row[4:]
			out.Columns = append(out.Columns, c)
		}
	}
	return out, nil
}

// tooLong is why nothing was read in the time that there was.
const tooLong = "it takes too long"

// one is the row that a query of one row finds within a time, or why there is none.
func one(
	ctx context.Context, db Querier, s *schema.Schema, sql string, limit time.Duration,
) (row []any, refused string, err error) {
	q, v, err := sqlcheck.Check(sql, s)
	if err != nil || !v.OK {
		return nil, v.String(), err
	}
	ctx, stop := context.WithTimeoutCause(ctx, limit, errLate)
	defer stop()
	res, err := db.Query(ctx, q)
	wrong, still := (*runner.QueryError)(nil), (*runner.StillRunning)(nil)
	switch {
	case errors.As(err, &still): // it goes on without anybody who waits: that is told
		return nil, "", err
	case err != nil && context.Cause(ctx) == errLate, errors.As(err, &wrong) && wrong.TimedOut():
		return nil, tooLong, nil
	case errors.As(err, &wrong):
		return nil, wrong.Message, nil
	case err != nil:
		return nil, "", err
	}
	return res.Rows[0], "", nil
}

// countsOf is the query for what is known of columns: four values each, behind the number of rows.
func countsOf(t *schema.Table, part []schema.Column, most int64) string {
	var asked, names []string
	for i := range part {
		c := "x." + syntax.QuoteName(part[i].Name)
		names = append(names, syntax.QuoteName(part[i].Name))
		distinct, least, most := "NULL", "NULL", "NULL"
		switch kind := part[i].Kind(); {
		case kind == schema.Number || kind == schema.Date:
			least, most = "MIN("+c+")", "MAX("+c+")"
			fallthrough
		case kind == schema.Text && part[i].Longest <= 1<<10:
			distinct = "COUNT(DISTINCT " + c + ")"
		}
		asked = append(asked, fmt.Sprintf("COUNT(%s), %s, %s, %s", c, distinct, least, most))
	}
	from := syntax.QuoteName(t.Name) + " AS x"
	if t.Rows > most {
		from = fmt.Sprintf("(SELECT %s FROM %s LIMIT %d) AS x", strings.Join(names, ", "),
			syntax.QuoteName(t.Name), most)
	}
	return "SELECT COUNT(*), " + strings.Join(asked, ", ") + " FROM " + from
}

func shown(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// dated is a date as texts have them.
var dated = regexp.MustCompile(`^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})([ T]\d{1,2}:\d{2}.*)?$`)

// holds says what a column of texts holds instead: all of its known ones, and there are two at least.
func holds(c *schema.Column) string {
	texts := c.Known()
	_, other := c.NoNumeral()
	switch {
	case len(texts) < 2 || !c.IsFreeText():
	case !other:
		return "numbers"
	case !slices.ContainsFunc(texts, func(text string) bool { return !dated.MatchString(text) }):
		return "dates"
	}
	return ""
}

// inComment is a unit in a comment.
var inComment = regexp.MustCompile(`(?i)\(([a-z]+)\)|\bin ([a-z]+)|(%)`)

// unitOf is what the numbers of a column count; "" where nobody says.
func unitOf(c *schema.Column) string {
	if c.Kind() != schema.Number {
		return ""
	}
	for _, m := range inComment.FindAllStringSubmatch(c.Comment, -1) {
		for _, word := range m[1:] {
			if words.Is(strings.ToLower(word), words.Unit) || word == "%" {
				return word
			}
		}
	}
	if parts := words.Parts(c.Name); len(parts) > 1 && words.Is(strings.ToLower(parts[len(parts)-1]), words.Unit) {
		return strings.ToLower(parts[len(parts)-1])
	}
	return ""
}

// Full reads all that is known here of a database, and keeps it for [Of]. Limit is how long columns are read, and how
// long keys and references are looked for.
func Full(
	ctx context.Context, db Querier, s *schema.Schema, limit time.Duration, progress func(done, of int),
) (*Profile, error) {
	tables, err := Columns(ctx, db, s, limit, progress)
	if err != nil {
		return nil, err
	}
	path, err := place(db, s)
	return look(ctx, db, s, limit, tables, path, err)
}
