package runner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/bits"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// What ReadTexts reads of each column and in all: what a question may name, not a copy of the database.
const (
	textRows   = 200_000 // the first rows of a table
	textWidth  = schema.TextWidth
	textValues = 5_000   // values of a column
	textTotal  = 100_000 // values of a database
)

// ReadTexts fills Texts of the columns of text that [ProfileValues] left without values, the smallest tables first:
// long texts of short content, names, tables of many rows. It stops after 20 s and at 100,000 values. query is as for
// [ProfileValues].
func ReadTexts(ctx context.Context, s *schema.Schema, query func(ctx context.Context,
	sql string) ([][]any, error)) error {
	end, left := time.Now().Add(profileTime), textTotal
	var tables []*schema.Table
	for i := range s.Tables {
		if s.Tables[i].Rows > 0 {
			tables = append(tables, &s.Tables[i])
		}
	}
	slices.SortStableFunc(tables, func(a, b *schema.Table) int { return cmp.Compare(a.Rows, b.Rows) })
	for _, t := range tables {
		for i := range t.Columns {
			c := &t.Columns[i]
			if c.Kind() != schema.Text || c.Values != nil || left <= 0 || time.Now().After(end) {
				continue
			}
			name := QuoteName(c.Name)
			rows, err := query(ctx,
				fmt.Sprintf("SELECT DISTINCT %s FROM (SELECT %s FROM %s LIMIT %d) AS x WHERE LENGTH(%s) BETWEEN 1 AND %d LIMIT %d",
					name, name, QuoteName(t.Name), textRows, name, textWidth, min(textValues, left)))
			if _, refused := errors.AsType[*QueryError](err); refused {
				continue
			}
			if err != nil {
				return fmt.Errorf("read texts of %s.%s: %w", t.Name, c.Name, err)
			}
			for _, row := range rows {
				if text, ok := row[0].(string); ok {
					c.Texts = append(c.Texts, text)
				}
			}
			slices.Sort(c.Texts)
			left -= len(c.Texts)
		}
	}
	markAll(s)
	return nil
}

// markAll says of which columns the texts are all that there are: of none once there were too many in the database.
func markAll(s *schema.Schema) {
	total := 0
	for _, t := range s.Tables {
		for _, c := range t.Columns {
			total += len(c.Texts)
		}
	}
	for i := range s.Tables {
		t := &s.Tables[i]
		for j := range t.Columns {
			c := &t.Columns[j]
			c.AllTexts = len(c.Texts) > 0 && len(c.Texts) < textValues && t.Rows < textRows && total < textTotal
		}
	}
}

// Texts are the texts of a schema's columns as files keep them: by table and column.
type Texts map[string]map[string][]string

// TextsOf takes them out of a schema.
func TextsOf(s *schema.Schema) Texts {
	texts := Texts{}
	for _, t := range s.Tables {
		for _, c := range t.Columns {
			if len(c.Texts) > 0 {
				if texts[t.Name] == nil {
					texts[t.Name] = map[string][]string{}
				}
				texts[t.Name][c.Name] = c.Texts
			}
		}
	}
	return texts
}

// Fill puts them into a schema.
func (x Texts) Fill(s *schema.Schema) {
	for i := range s.Tables {
		t := &s.Tables[i]
		for j := range t.Columns {
			t.Columns[j].Texts = x[t.Name][t.Columns[j].Name]
		}
	}
	markAll(s)
}

// textsAge is after how long a server's texts are read again, whatever else is the same.
const textsAge = 24 * time.Hour

// keptTexts fills Texts from the cache folder's values/, or reads them with query and keeps them there: once for a
// database, not with each question. They are read again a day later, and when tables, columns, known values or numbers
// of rows have changed. Those who share a file have the same salt.
func keptTexts(ctx context.Context, known *schema.Schema, salt string, query func(ctx context.Context,
	sql string) ([][]any, error)) error {
	state, err := State(known, salt)
	if err != nil {
		return err
	}
	dir, err := CacheFolder()
	path := filepath.Join(dir, "values", state+".json")
	if kept := (Texts{}); err == nil && Kept(path, textsAge, &kept) {
		kept.Fill(known)
		return nil
	}
	if err := ReadTexts(ctx, known, query); err != nil {
		return err
	}
	if err == nil {
		err = Keep(path, textsAge, TextsOf(known))
	}
	if err != nil {
		slog.Warn("the values of the database are read again next time", "err", err)
	}
	return nil
}

// State is a hash of what is known of a database without its texts, for what is kept of it. Estimated numbers of rows
// vary; their size does not.
func State(s *schema.Schema, salt string) (string, error) {
	rough := *s
	rough.Tables = slices.Clone(s.Tables)
	for i := range rough.Tables {
		if n := &rough.Tables[i].Rows; *n >= countedRows {
			*n = int64(bits.Len64(uint64(*n)))
		}
	}
	text, err := json.Marshal(rough)
	sum := sha256.Sum256(append(text, salt...))
	return hex.EncodeToString(sum[:16]), err
}

// longTypes are those whose declared length says little about their values.
var longTypes = syntax.WordSet("varchar text mediumtext longtext blob mediumblob longblob json")

// MeasureTexts fills Longest of the columns of texts, bytes and JSON in tables of 1 to 200,000 rows. query is as
// for [ProfileValues]; a table that it refuses with a *QueryError stays unmeasured.
func MeasureTexts(ctx context.Context, s *schema.Schema, query func(ctx context.Context,
	sql string) ([][]any, error)) error {
	end := time.Now().Add(profileTime)
	for t := range s.Tables {
		table := &s.Tables[t]
		if table.Rows == 0 || table.Rows > profileRows || time.Now().After(end) {
			continue
		}
		var columns []*schema.Column
		var items []string
		for c := range table.Columns {
			t := schema.ParseType(table.Columns[c].Type)
			if n, _ := t.Length(); longTypes[t.Name] && (n == 0 || 4*n > schema.TextWidth) {
				columns = append(columns, &table.Columns[c])
				items = append(items, "MAX(OCTET_LENGTH("+QuoteName(table.Columns[c].Name)+"))")
			}
		}
		if len(items) == 0 {
			continue
		}
		rows, err := query(ctx, "SELECT "+strings.Join(items, ", ")+" FROM "+QuoteName(table.Name))
		if _, refused := errors.AsType[*QueryError](err); refused {
			continue
		}
		if err != nil {
			return fmt.Errorf("measure the texts of %s: %w", table.Name, err)
		}
		for i, col := range columns {
			if n, ok := rows[0][i].(int64); ok {
				col.Longest = max(n, 1)
			}
		}
	}
	return nil
}

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
