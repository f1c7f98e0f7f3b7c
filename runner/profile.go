package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// What ProfileValues reads, and what it passes over.
const (
	profileRows   = 200_000          // tables with more rows are passed over, and those of unknown size
	profileValues = 200              // columns with more distinct values are passed over
	profileWidth  = 255              // characters; wider columns are passed over
	profileTime   = 20 * time.Second // for the whole schema; columns after that stay without values
)

// ProfileValues fills Values and Complete of the columns that few short strings fill: char and varchar
// of at most 255 characters, enum and set, in tables of 1 to 200,000 rows ([schema.Table].Rows), with at most
// 200 distinct values. The most frequent come first, ties in byte order; NULL is no value. An enum's
// remaining members follow, whatever the size of its table.
//
// query runs one SELECT that both MySQL and SQLite understand and returns its rows: the value, its count.
// A column that it refuses with a *QueryError (grants, time-out) stays without values; any other error is returned.
func ProfileValues(ctx context.Context, s *schema.Schema, query func(ctx context.Context,
	sql string) ([][]any, error)) error {
	end := time.Now().Add(profileTime)
	for t := range s.Tables {
		table := &s.Tables[t]
		for c := range table.Columns {
			col := &table.Columns[c]
			typ := schema.ParseType(col.Type)
			if !profiled(typ) {
				continue
			}
			if table.Rows > 0 && table.Rows <= profileRows && time.Now().Before(end) {
				values, ok, err := distinct(ctx, query, table.Name, col.Name)
				if err != nil {
					return fmt.Errorf("read values of %s.%s: %w", table.Name, col.Name, err)
				}
				if ok {
					col.Values, col.Complete = values, true
				}
			}
			if typ.Name == "enum" && (col.Complete || col.Values == nil) {
				for _, member := range typ.Args() {
					if !slices.Contains(col.Values, member) {
						col.Values = append(col.Values, member)
					}
				}
				col.Complete = true
			}
		}
	}
	return nil
}

// profiled says whether a column of this type is worth asking.
func profiled(t schema.Type) bool {
	switch t.Name {
	case "enum", "set":
		return true
	case "char", "varchar":
		if len(t.Args()) == 0 {
			return t.Name == "char" // char alone is char(1)
		}
		n, known := t.Length()
		return known && n <= profileWidth
	}
	return false
}

func distinct(ctx context.Context, query func(context.Context, string) ([][]any, error), table,
	column string) (values []string, ok bool, err error) {
	t, c := QuoteName(table), QuoteName(column)
	rows, err := query(ctx, fmt.Sprintf("SELECT %s, COUNT(*) FROM %s WHERE %s IS NOT NULL GROUP BY %s ORDER BY 2 DESC, 1 LIMIT %d", c, t, c, c, profileValues+1))
	if _, refused := errors.AsType[*QueryError](err); refused {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if len(rows) > profileValues {
		return nil, false, nil
	}
	for _, row := range rows {
		if len(row) != 2 {
			return nil, false, fmt.Errorf("%d columns, want 2", len(row))
		}
		if bytes, ok := row[0].([]byte); ok {
			row[0] = string(bytes)
		}
		_, isText := row[0].(string)
		if _, isInt := row[1].(int64); !isText || !isInt {
			return nil, false, fmt.Errorf("a value of type %T and a count of type %T", row[0], row[1])
		}
	}
	slices.SortStableFunc(rows, func(a, b []any) int { // collations differ between engines, bytes do not
		return cmp.Or(cmp.Compare(b[1].(int64), a[1].(int64)), cmp.Compare(a[0].(string), b[0].(string)))
	})
	for _, row := range rows {
		values = append(values, row[0].(string))
	}
	return values, true, nil
}

// QuoteName is [syntax.QuoteName].
func QuoteName(name string) string { return syntax.QuoteName(name) }
