package runner

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"nl2sql/sqlcheck/schema"
)

const (
	briefTime   = 2 * time.Second // for one count or one column's values
	countedRows = 100_000         // tables estimated to have more rows are not counted
)

// The queries of introspection, one per kind of row. Names are aliased because MySQL 8 and MariaDB disagree about
// their case; ordering by name is done here, because the collations differ too.
//
// Comments and estimates are asked for apart, and of no view: MySQL 8.0 puts an error that one column of a row met,
// such as what is wrong with a view, into the comment of that row or of the next.
const (
	tablesSQL = `SELECT TABLE_NAME AS t, TABLE_TYPE AS kind
FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')`
	commentsSQL = `SELECT TABLE_NAME AS t, TABLE_COMMENT AS about
FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')`
	estimatesSQL = `SELECT TABLE_NAME AS t, TABLE_ROWS AS estimate
FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')`
	columnsSQL = `SELECT TABLE_NAME AS t, COLUMN_NAME AS c, COLUMN_TYPE AS kind, IS_NULLABLE AS nullable, COLUMN_KEY AS k, COLUMN_COMMENT AS about
FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, ORDINAL_POSITION`
	keysSQL = `SELECT TABLE_NAME AS t, INDEX_NAME AS i, COLUMN_NAME AS c
FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND NON_UNIQUE = 0 ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`
	foreignKeysSQL = `SELECT TABLE_NAME AS t, CONSTRAINT_NAME AS k, COLUMN_NAME AS c, REFERENCED_TABLE_NAME AS rt, REFERENCED_COLUMN_NAME AS rc
FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_SCHEMA = DATABASE()
ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`
)

// Schema reads the database's schema and the known values of its columns (see [ProfileValues]) once and keeps them.
// Row counts are exact up to about 100,000, above that the server's estimate; a view has none.
func (s *server) Schema(ctx context.Context) (*schema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.schema != nil {
		return s.schema, nil
	}
	schema, err := s.introspect(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	s.schema = schema
	return schema, nil
}

// listTables has the rows of tablesSQL, the names of the views among them, and what these do.
func (s *server) listTables(ctx context.Context) (tables [][]string, views []string, audit viewAudit, err error) {
	tables, err = s.strings(ctx, tablesSQL)
	for _, row := range tables {
		if row[1] == "VIEW" {
			views = append(views, row[0])
		}
	}
	if err == nil && len(views) > 0 {
		audit, err = s.auditViews(ctx, views)
	}
	return tables, views, audit, err
}

func (s *server) introspect(ctx context.Context) (*schema.Schema, error) {
	known := &schema.Schema{Name: s.backend.Database}
	tables, _, audit, err := s.listTables(ctx)
	if err != nil {
		return nil, err
	}
	if !s.limits.TrustViews {
		for _, line := range audit.lines() { // which views are left out
			slog.Warn(line)
		}
		tables = slices.DeleteFunc(tables, func(row []string) bool { return audit.calls[row[0]] != "" })
	}
	comments, err := s.pairs(ctx, commentsSQL)
	if err != nil {
		return nil, err
	}
	estimates, err := s.pairs(ctx, estimatesSQL)
	if err != nil {
		return nil, err
	}
	for _, row := range tables {
		table := schema.Table{Name: row[0], Comment: comments[row[0]], Reads: audit.reads[row[0]]}
		if row[1] != "VIEW" {
			if table.Rows, err = s.count(ctx, row[0], estimates[row[0]]); err != nil {
				return nil, err
			}
		}
		known.Tables = append(known.Tables, table)
	}
	slices.SortFunc(known.Tables, func(a, b schema.Table) int { return strings.Compare(a.Name, b.Name) })
	byName := map[string]*schema.Table{}
	for i := range known.Tables {
		byName[known.Tables[i].Name] = &known.Tables[i]
	}

	columns, err := s.strings(ctx, columnsSQL)
	if err != nil {
		return nil, err
	}
	for _, row := range columns {
		if table := byName[row[0]]; table != nil {
			table.Columns = append(table.Columns, schema.Column{Name: row[1], Type: columnType(row[2]),
				Nullable: row[3] == "YES", Key: row[4], Comment: row[5]})
		}
	}
	keys, err := s.strings(ctx, keysSQL)
	if err != nil {
		return nil, err
	}
	for _, key := range groups(keys) {
		if table := byName[key[0][0]]; table != nil {
			addKey(table, key)
		}
	}
	foreign, err := s.strings(ctx, foreignKeysSQL)
	if err != nil {
		return nil, err
	}
	for _, key := range groups(foreign) {
		if table := byName[key[0][0]]; table != nil {
			table.ForeignKeys = append(table.ForeignKeys, foreignKey(known, key))
		}
	}
	if s.limits.Unread {
		return known, nil
	}
	if err := MeasureTexts(ctx, known, s.brief); err != nil {
		return nil, err
	}
	if err := ProfileValues(ctx, known, s.brief); err != nil {
		return nil, err
	}
	return known, keptTexts(ctx, known, "", s.brief)
}

// displayWidth is what MySQL 8.0.19 stopped to print: the width of an integer or a year.
var displayWidth = regexp.MustCompile(`^(tinyint|smallint|mediumint|int|bigint|year)\([0-9]+\)`)

// columnType is a COLUMN_TYPE as MySQL prints it since 8.0.19, so that one schema reads the same from every server and
// from a dump: no display width but that of tinyint(1) and of ZEROFILL.
func columnType(text string) string {
	if text == "tinyint(1)" || strings.HasSuffix(text, "zerofill") {
		return text
	}
	return displayWidth.ReplaceAllString(text, "$1")
}

// groups joins neighbouring rows with the same first two cells: the columns of one key.
func groups(rows [][]string) [][][]string {
	var out [][][]string
	for i, row := range rows {
		if i == 0 || rows[i-1][0] != row[0] || rows[i-1][1] != row[1] {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], row)
	}
	return out
}

func addKey(table *schema.Table, key [][]string) {
	var columns []string
	for _, row := range key {
		if row[2] == "" {
			return // an index over an expression
		}
		columns = append(columns, row[2])
	}
	if key[0][1] == "PRIMARY" {
		table.PrimaryKey = columns
		return
	}
	table.Unique = append(table.Unique, columns)
}

// foreignKey takes the referenced names in the case in which they were declared; servers may keep the case of the
// reference.
func foreignKey(s *schema.Schema, key [][]string) schema.ForeignKey {
	fk := schema.ForeignKey{RefTable: key[0][3]}
	ref, known := s.Table(fk.RefTable)
	if known {
		fk.RefTable = ref.Name
	}
	for _, row := range key {
		column := row[4]
		if known {
			if c, ok := ref.Column(column); ok {
				column = c.Name
			}
		}
		fk.Columns, fk.RefColumns = append(fk.Columns, row[2]), append(fk.RefColumns, column)
	}
	return fk
}

// count is the number of rows, exact if the estimate is small and counting takes no longer than briefTime.
func (s *server) count(ctx context.Context, table, estimate string) (int64, error) {
	guess, _ := strconv.ParseInt(estimate, 10, 64) // NULL for some engines: 0, unknown
	if guess >= countedRows {
		return guess, nil
	}
	rows, err := s.brief(ctx, "SELECT COUNT(*) FROM "+QuoteName(table))
	if _, refused := errors.AsType[*QueryError](err); refused {
		return guess, nil
	}
	if err != nil {
		return 0, err
	}
	return countIn(rows)
}

// countIn is the number that the one row of a query for COUNT(*) holds.
func countIn(rows [][]any) (int64, error) {
	n, ok := rows[0][0].(int64)
	if !ok {
		return 0, fmt.Errorf("COUNT(*) is a %T", rows[0][0])
	}
	return n, nil
}

// brief runs a small query that is not worth a long wait: one that takes longer than briefTime is refused. Its rows
// are for the program, so that the limits of what a user sees do not cut them.
func (s *server) brief(ctx context.Context, text string) ([][]any, error) {
	res, err := s.run(ctx, text, BriefLimits(s.limits))
	if err == nil && res.Truncated {
		err = ErrTooLarge
	}
	return res.Rows, err
}

// BriefLimits are those of what the program reads for itself, where queries have these.
func BriefLimits(of Limits) Limits {
	return Limits{Rows: textValues, Timeout: min(of.Timeout, briefTime)}.WithDefaults()
}

// ErrTooLarge is the refusal of what the program reads for itself, and finds more of than it wants.
var ErrTooLarge = &QueryError{Message: "it is too large"}

// pairs runs a query of introspection with two columns: the second by the first.
func (s *server) pairs(ctx context.Context, text string) (map[string]string, error) {
	rows, err := s.strings(ctx, text)
	out := map[string]string{}
	for _, row := range rows {
		out[row[0]] = row[1]
	}
	return out, err
}

// strings runs a query of introspection; NULL is "".
func (s *server) strings(ctx context.Context, text string) ([][]string, error) {
	res, err := s.run(ctx, text, Limits{Rows: 1_000_000, Bytes: 256 << 20, Timeout: s.limits.Timeout})
	if err != nil {
		return nil, err
	}
	if res.Truncated {
		return nil, errors.New("it is too large")
	}
	out := make([][]string, len(res.Rows))
	for i, row := range res.Rows {
		out[i] = make([]string, len(row))
		for j, v := range row {
			switch v := v.(type) {
			case nil:
			case []byte:
				out[i][j] = string(v)
			default:
				out[i][j] = fmt.Sprint(v)
			}
		}
	}
	return out, nil
}
