package suite

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Snapshot is a whole database in memory: how its base tables are made, and their rows.
type Snapshot struct {
	Name   string
	DDL    string             // makes the tables
	Schema *schema.Schema     // of DDL
	Rows   map[string][][]any // by table, in the cells of [runner.Result], columns as declared
}

// Maker opens a database that holds a snapshot.
type Maker func(ctx context.Context, s *Snapshot) (runner.DB, error)

// ReadSnapshot reads all of a database. db's limits must let its largest table pass.
func ReadSnapshot(ctx context.Context, db runner.DB) (*Snapshot, error) {
	definer, ok := db.(runner.Definer)
	if !ok {
		return nil, fmt.Errorf("database %s does not tell how its tables were made", db.Backend().Database)
	}
	s := &Snapshot{Name: db.Backend().Database, Rows: map[string][][]any{}}
	var err error
	if s.DDL, err = definer.DDL(ctx); err != nil {
		return nil, err
	}
	if s.Schema, err = schema.ParseDDL(s.Name, s.DDL); err != nil {
		return nil, err
	}
	for i := range s.Schema.Tables {
		table := &s.Schema.Tables[i]
		res, err := query(ctx, db, s.Schema, "SELECT "+quoted(table)+" FROM "+runner.QuoteName(table.Name))
		if err != nil {
			return nil, fmt.Errorf("read table %s: %w", table.Name, err)
		}
		if res.Truncated {
			return nil, fmt.Errorf("read table %s: it has more than %d rows", table.Name, len(res.Rows))
		}
		for _, row := range res.Rows {
			for j, v := range row {
				if u, is := v.(uint64); is && int64(u) >= 0 {
					row[j] = int64(u)
				}
			}
		}
		s.Rows[table.Name], table.Rows = res.Rows, int64(len(res.Rows))
	}
	return s, nil
}

// query runs a statement of ours; that it is refused is an error.
func query(ctx context.Context, db runner.DB, schema *schema.Schema, sql string) (runner.Result, error) {
	q, v, err := sqlcheck.Check(sql, schema)
	if err != nil {
		return runner.Result{}, err
	}
	if !v.OK {
		return runner.Result{}, fmt.Errorf("refused: %s", v)
	}
	return db.Query(ctx, q)
}

func quoted(t *schema.Table) string {
	return strings.Join(syntax.Map(t.ColumnNames(), runner.QuoteName), ",")
}

// Hash is the SHA-256 of the script, in hexadecimal.
func (s *Snapshot) Hash() string { return hashOf(s.Script()) }

// Size is the number of rows.
func (s *Snapshot) Size() (n int) {
	for _, rows := range s.Rows {
		n += len(rows)
	}
	return n
}

// with is a snapshot of the same tables with other rows.
func (s *Snapshot) with(rows map[string][][]any) *Snapshot {
	return &Snapshot{Name: s.Name, DDL: s.DDL, Schema: s.Schema, Rows: rows}
}

// copied is rows that may be changed without changing s.
func (s *Snapshot) copied() map[string][][]any {
	out := map[string][][]any{}
	for name, rows := range s.Rows {
		out[name] = syntax.Map(rows, slices.Clone)
	}
	return out
}

// insertRows is how many rows an INSERT statement of a script holds at most.
const insertRows = 100

// Script writes the snapshot as a MySQL script: the same bytes for the same snapshot.
func (s *Snapshot) Script() []byte {
	var out bytes.Buffer
	out.WriteString("SET NAMES utf8mb4;\nSET FOREIGN_KEY_CHECKS=0;\n")
	out.WriteString(s.DDL)
	for i := range s.Schema.Tables {
		table := &s.Schema.Tables[i]
		head := fmt.Sprintf("INSERT INTO %s (%s) VALUES\n", runner.QuoteName(table.Name), quoted(table))
		for n, row := range s.Rows[table.Name] {
			switch {
			case n%insertRows == 0 && n > 0:
				out.WriteString(";\n" + head)
			case n == 0:
				out.WriteString(head)
			default:
				out.WriteString(",\n")
			}
			out.WriteByte('(')
			for j, v := range row {
				if j > 0 {
					out.WriteByte(',')
				}
				out.WriteString(sqlLiteral(v))
			}
			out.WriteByte(')')
		}
		if len(s.Rows[table.Name]) > 0 {
			out.WriteString(";\n")
		}
	}
	out.WriteString("SET FOREIGN_KEY_CHECKS=1;\n")
	return out.Bytes()
}

var escapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\x00", `\0`, "\x1a", `\Z`)

// sqlLiteral writes a cell as MySQL reads it back.
func sqlLiteral(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case string:
		return "'" + escapes.Replace(v) + "'"
	case []byte:
		if len(v) == 0 {
			return "''"
		}
		return "x'" + hex.EncodeToString(v) + "'"
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}
