package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"nl2sql/sqlcheck"
)

// What ProfileValues reads, and what it passes over.
const (
	profileRows   = 200_000          // tables with more rows are passed over, and those of unknown size
	profileValues = 200              // columns with more distinct values are passed over
	profileWidth  = 255              // characters; wider columns are passed over
	profileTime   = 20 * time.Second // for the whole schema; columns after that stay without values
)

// ProfileValues fills Values and Complete of the columns that few short strings fill: char and varchar
// of at most 255 characters, enum and set, in tables of 1 to 200,000 rows ([sqlcheck.Table].Rows), with at most
// 200 distinct values. The most frequent come first, ties in byte order; NULL is no value. An enum's
// remaining members follow, whatever the size of its table.
//
// query runs one SELECT that both MySQL and SQLite understand and returns its rows: the value, its count.
// A column that it refuses with a *QueryError (grants, time-out) stays without values; any other error is returned.
func ProfileValues(ctx context.Context, s *sqlcheck.Schema, query func(ctx context.Context, sql string) ([][]any, error)) error {
	end := time.Now().Add(profileTime)
	for t := range s.Tables {
		table := &s.Tables[t]
		for c := range table.Columns {
			col := &table.Columns[c]
			kind, args := splitType(col.Type)
			if !profiled(kind, args) {
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
			if kind == "enum" && (col.Complete || col.Values == nil) {
				for _, member := range args {
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
func profiled(kind string, args []string) bool {
	switch kind {
	case "enum", "set":
		return true
	case "char", "varchar":
		if len(args) == 0 {
			return kind == "char" // char alone is char(1)
		}
		n, err := strconv.Atoi(args[0])
		return err == nil && n <= profileWidth
	}
	return false
}

func distinct(ctx context.Context, query func(context.Context, string) ([][]any, error), table, column string) (values []string, ok bool, err error) {
	t, c := QuoteName(table), QuoteName(column)
	rows, err := query(ctx, fmt.Sprintf("SELECT %s, COUNT(*) FROM %s WHERE %s IS NOT NULL GROUP BY %s ORDER BY 2 DESC, 1 LIMIT %d", c, t, c, c, profileValues+1))
	if refused := (*QueryError)(nil); errors.As(err, &refused) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if len(rows) > profileValues {
		return nil, false, nil
	}
	type entry struct {
		value string
		count int64
	}
	entries := make([]entry, 0, len(rows))
	for _, row := range rows {
		if len(row) != 2 {
			return nil, false, fmt.Errorf("%d columns, want 2", len(row))
		}
		var e entry
		switch v := row[0].(type) {
		case string:
			e.value = v
		case []byte:
			e.value = string(v)
		default:
			return nil, false, fmt.Errorf("value of type %T", v)
		}
		n, isInt := row[1].(int64)
		if !isInt {
			return nil, false, fmt.Errorf("count of type %T", row[1])
		}
		e.count = n
		entries = append(entries, e)
	}
	slices.SortStableFunc(entries, func(a, b entry) int { // collations differ between engines, bytes do not
		return cmp.Or(cmp.Compare(b.count, a.count), strings.Compare(a.value, b.value))
	})
	for _, e := range entries {
		values = append(values, e.value)
	}
	return values, true, nil
}

// splitType takes a COLUMN_TYPE apart: "decimal(10,2) unsigned" is decimal with 10 and 2,
// "enum('a','b')" is enum with a and b; quotes are doubled in members.
func splitType(columnType string) (kind string, args []string) {
	kind, rest, found := strings.Cut(columnType, "(")
	kind = strings.ToLower(strings.TrimSpace(kind))
	if !found {
		kind, _, _ = strings.Cut(kind, " ")
		return kind, nil
	}
	for len(rest) > 0 && rest[0] != ')' {
		switch rest[0] {
		case ',', ' ':
			rest = rest[1:]
		case '\'':
			var b strings.Builder
			i := 1
			for ; i < len(rest); i++ {
				if rest[i] == '\'' {
					if i+1 == len(rest) || rest[i+1] != '\'' {
						break
					}
					i++
				}
				b.WriteByte(rest[i])
			}
			args = append(args, b.String())
			rest = rest[min(i+1, len(rest)):]
		default:
			n := strings.IndexAny(rest, ",)")
			if n < 0 {
				n = len(rest)
			}
			args = append(args, strings.TrimSpace(rest[:n]))
			rest = rest[n:]
		}
	}
	return kind, args
}

// QuoteName is [sqlcheck.QuoteName].
func QuoteName(name string) string { return sqlcheck.QuoteName(name) }
