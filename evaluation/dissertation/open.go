package dissertation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"nl2sql/assets"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/files"
	"nl2sql/runner/local"
)

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
