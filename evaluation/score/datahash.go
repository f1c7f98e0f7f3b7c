package score

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
)

// DataHash is the SHA-256 of a database's tables, columns and rows. It is the same on each engine that holds the same:
// neither the order of rows counts nor how an engine writes a schema.
func DataHash(ctx context.Context, x *Executor) (string, error) {
	h := sha256.New()
	for _, t := range x.Schema.Tables {
		fmt.Fprintf(h, "table %q\n", t.Name)
		var cols []string
		for _, c := range t.Columns {
			fmt.Fprintf(h, "column %q\n", c.Name)
			cols = append(cols, runner.QuoteName(c.Name))
		}
		key := cols
		if len(t.PrimaryKey) > 0 {
			key = nil
			for _, c := range t.PrimaryKey {
				key = append(key, runner.QuoteName(c))
			}
		}
		var rows []string // their hashes
		for offset := 0; ; {
			sql := fmt.Sprintf("SELECT %s FROM %s ORDER BY %s LIMIT 1000 OFFSET %d", strings.Join(cols, ", "),
				runner.QuoteName(t.Name), strings.Join(key, ", "), offset)
			q, v, err := sqlcheck.Check(sql, x.Schema)
			if err == nil && !v.OK {
				err = errors.New(v.String())
			}
			var res runner.Result
			if err == nil {
				res, err = x.DB.Query(ctx, q)
			}
			if err == nil && res.Truncated && len(res.Rows) == 0 {
				err = errors.New("a row is too long")
			}
			if err != nil {
				return "", fmt.Errorf("hash table %s: %w", t.Name, err)
			}
			for _, row := range res.Rows {
				one := sha256.Sum256([]byte(runner.RowKey(row)))
				rows = append(rows, string(one[:]))
			}
			if offset += len(res.Rows); len(res.Rows) < 1000 && !res.Truncated {
				break
			}
		}
		slices.Sort(rows)
		for _, one := range rows {
			io.WriteString(h, one) // a hash takes all
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
