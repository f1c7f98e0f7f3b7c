package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// longTypes are those whose declared length says little about their values.
var longTypes = syntax.WordSet("text mediumtext longtext blob mediumblob longblob json")

// MeasureTexts fills Longest of the columns of long texts, bytes and JSON in tables of 1 to 200,000 rows. query is as
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
			if longTypes[schema.ParseType(table.Columns[c].Type).Name] {
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
