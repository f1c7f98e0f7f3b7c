package dissertation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/big"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"nl2sql/assets"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/files"
	"nl2sql/runner/local"
	"nl2sql/sqlcheck/schema"
)

// The author's evaluation database is not the stock sample (dissertation.md §5.9): some columns were changed, and its
// texts compare with their trailing blanks. A server takes it as a script ([AuthorScript]); the embedded engine, which
// knows no UPDATE, loads [StockScript] and changes rows ([AuthorRows]).

// authorEdit is one change of one column.
type authorEdit struct {
	Table  string
	Column string
	Factor string // decimal; the product is rounded to two places, half away from zero; "" for dates
	Days   int
}

func authorEdits() (edits []authorEdit, err error) {
	dec := json.NewDecoder(strings.NewReader(assets.AuthorBase))
	for {
		var e authorEdit
		switch err := dec.Decode(&e); {
		case err == io.EOF:
			return edits, nil
		case err != nil:
			return nil, fmt.Errorf("assets: author_base.jsonl: %w", err)
		}
		edits = append(edits, e)
	}
}

// noPad names, by engine, the collation that compares as MySQL 8's default does: case and accents do not count,
// trailing blanks do.
var noPad = map[string]string{
	"mysql":    "utf8mb4_0900_ai_ci",
	"embedded": "utf8mb4_0900_ai_ci",
	"mariadb":  "utf8mb4_unicode_520_nopad_ci",
}

var (
	createTable = regexp.MustCompile("(?i)^CREATE\\s+TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?`?(\\w+)")
	tableText   = regexp.MustCompile(`(?i)\s(DEFAULT\s+)?(CHARSET|CHARACTER\s+SET)\s*=?\s*\w+(\s+COLLATE\s*=?\s*\w+)?`)
)

// StockScript is a dump of the stock sample with tables whose texts compare with trailing blanks on that engine:
// "mysql", "mariadb" or "embedded".
func StockScript(dump io.Reader, engine string) ([]byte, error) {
	collation, ok := noPad[engine]
	if !ok {
		return nil, fmt.Errorf("no engine %q: take mysql, mariadb or embedded", engine)
	}
	edits, err := authorEdits()
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	tables := map[string]bool{}
	err = runner.SplitScript(dump, func(stmt string) error {
		if m := createTable.FindStringSubmatch(stmt); m != nil {
			end := strings.LastIndexByte(stmt, ')') + 1
			stmt = stmt[:end] + tableText.ReplaceAllString(stmt[end:], "") +
				" DEFAULT CHARSET=utf8mb4 COLLATE=" + collation
			tables[strings.ToLower(m[1])] = true
		}
		out.WriteString(stmt)
		out.WriteString(";\n")
		return nil
	})
	for _, e := range edits {
		if err == nil && !tables[strings.ToLower(e.Table)] {
			err = fmt.Errorf("it makes no table %s: a dump of ClassicModels is wanted", e.Table)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read the dump: %w", err)
	}
	return []byte(out.String()), nil
}

// AuthorScript makes the author's database of a dump of the stock sample, for a server.
func AuthorScript(dump io.Reader, engine string) ([]byte, error) {
	script, err := StockScript(dump, engine)
	if err != nil {
		return nil, err
	}
	edits, err := authorEdits()
	if err != nil {
		return nil, err
	}
	for _, e := range edits {
		column := runner.QuoteName(e.Column)
		value := fmt.Sprintf("ROUND(%s * %s, 2)", column, e.Factor)
		if e.Factor == "" {
			value = fmt.Sprintf("%s + INTERVAL %d DAY", column, e.Days)
		}
		script = fmt.Appendf(script, "UPDATE %s SET %s = %s;\n", runner.QuoteName(e.Table), column, value)
	}
	return script, nil
}

// AuthorRows changes the rows of one stock table into the author's.
func AuthorRows(table schema.Table, rows [][]any) ([][]any, error) {
	edits, err := authorEdits()
	if err != nil {
		return nil, err
	}
	for _, e := range edits {
		if !strings.EqualFold(e.Table, table.Name) {
			continue
		}
		at := slices.IndexFunc(table.Columns, func(c schema.Column) bool { return strings.EqualFold(c.Name, e.Column) })
		if at < 0 {
			return nil, fmt.Errorf("there is no column %s: a dump of ClassicModels is wanted", e.Column)
		}
		for _, row := range rows {
			if row[at] == nil {
				continue
			}
			if row[at], err = e.apply(fmt.Sprint(row[at])); err != nil {
				return nil, fmt.Errorf("column %s: %w", e.Column, err)
			}
		}
	}
	return rows, nil
}

func (e authorEdit) apply(cell string) (any, error) {
	if e.Factor == "" {
		day, err := time.Parse(time.DateOnly, cell)
		if err != nil {
			return nil, err
		}
		return day.AddDate(0, 0, e.Days).Format(time.DateOnly), nil
	}
	x, ok := new(big.Rat).SetString(cell)
	f, ok2 := new(big.Rat).SetString(e.Factor)
	if !ok || !ok2 {
		return nil, fmt.Errorf("%s × %s is no number", cell, e.Factor)
	}
	return runner.Decimal(x.Mul(x, f).FloatString(2)), nil // which rounds half away from zero
}

// Engines are those that the author's database can be made on, the nearest to the recorded one first.
var Engines = []string{"mysql", "mariadb", "embedded"}

// authorSettings let a server break ties as the recorded one did: grouped rows go to a temporary table on disk, and of
// rows that tie those come first that were grouped first.
var authorSettings = map[string]string{"mysql": "big_tables=1"}

// dumpName is the stock dump in the cache folder.
const dumpName = "classicmodels.sql"

// Open makes the database that the dissertation's recorded runs saw. rest is what follows "author" in --db:
// "", ":ENGINE", ":DUMP" or ":ENGINE:DUMP".
func Open(ctx context.Context, rest string, limits runner.Limits) (runner.DB, error) {
	engine, file := Engines[0], strings.TrimPrefix(rest, ":")
	if name, after, _ := strings.Cut(file, ":"); slices.Contains(Engines, name) {
		engine, file = name, after
	}
	dump, err := stockDump(file)
	if err != nil {
		return nil, err
	}
	if engine == "embedded" {
		script, err := StockScript(bytes.NewReader(dump), engine)
		if err != nil {
			return nil, err
		}
		stock, err := embedded.OpenDump(ctx, assets.DemoName, bytes.NewReader(script), limits)
		if err != nil {
			return nil, err
		}
		db, err := stock.Clone(ctx, AuthorRows)
		return db, errors.Join(err, stock.Close())
	}
	script, err := AuthorScript(bytes.NewReader(dump), engine)
	if err != nil {
		return nil, err
	}
	return local.OpenWith(ctx, local.Options{
		Engine: engine, Database: assets.DemoName, Load: bytes.NewReader(script),
		Log: func(line string) { slog.Warn(line) },
	}, authorSettings[engine], limits)
}

// stockDump reads the dump of the stock sample; "" takes the one in the cache folder.
func stockDump(file string) ([]byte, error) {
	if file != "" {
		return files.Read(file, files.Large)
	}
	cache, err := runner.CacheFolder()
	if err != nil {
		return nil, err
	}
	file = filepath.Join(cache, dumpName)
	dump, err := files.Read(file, files.Large)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the stock ClassicModels dump is not part of nl2sql: name it (--db author:FILE) or "+
			"put it at %s; it is mysqlsampledatabase.sql of github.com/hhorak/mysql-sample-db", file)
	}
	return dump, err
}
