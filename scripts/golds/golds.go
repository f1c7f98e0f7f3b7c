// Package golds is for tests: the questions whose right queries lie beside the checkout, in ../shared/data, and their
// schemas. Tests that ask for them are skipped where they are not.
package golds

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

// Spider is the folder of Spider's databases in MySQL's dialect, ClassicModels the dump of the dissertation's.
const (
	Spider        = "spider-mysql/databases"
	ClassicModels = "classicmodels.sql"
)

// root is the checkout.
func root(tb testing.TB) string {
	tb.Helper()
	dir := must.Get(os.Getwd())(tb)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if up := filepath.Dir(dir); up != dir {
			dir = up
			continue
		}
		tb.Fatal("no go.mod above the test")
	}
}

// Path is where a file of the data is, or else skips the test.
func Path(tb testing.TB, name string) string {
	tb.Helper()
	path := filepath.Join(root(tb), "../shared/data", name)
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("needs ../shared/data/%s beside the checkout: %v", name, err)
	}
	return path
}

// File reads a file of the data, or skips the test.
func File(tb testing.TB, name string) []byte {
	tb.Helper()
	return must.Get(os.ReadFile(Path(tb, name)))(tb)
}

// All are the 6,079 golds of Spider's 130 databases.
func All(tb testing.TB) []item.Item {
	tb.Helper()
	return must.Get(item.Load(Path(tb, "spider-mysql/items.csv")))(tb)
}

// Fit are the 4,897 of the 104 databases with which rules may be made.
func Fit(tb testing.TB) []item.Item {
	tb.Helper()
	return slices.DeleteFunc(All(tb), func(it item.Item) bool { return ForJudging(it.Database) })
}

// ForJudging reports whether a database of spider-mysql is one of the 26 of its 130 that answers are judged by: those
// whose names have the least SHA-256. No rule is made with them, and no test that a rule must pass reads their
// questions.
func ForJudging(name string) bool { return sha256.Sum256([]byte(name))[0] < 0x23 }

// Written are the golds of our own, written by hand to train with, about databases that are in known.
func Written(tb testing.TB, known func(database string) bool) (list []item.Item) {
	tb.Helper()
	files := must.Get(filepath.Glob(filepath.Join(root(tb), "scripts/train/written/*.jsonl")))(tb)
	if len(files) == 0 {
		tb.Fatal("scripts/train/written holds no items")
	}
	for _, file := range files {
		items := must.Get(item.Load(file))(tb)
		list = append(list, slices.DeleteFunc(items, func(it item.Item) bool { return !known(it.Database) })...)
	}
	return list
}

// Dissertation are the 122 benchmark items that can be had and the 200 training items, about ClassicModels.
func Dissertation(tb testing.TB) (items, train []item.Item) {
	tb.Helper()
	return must.Get(item.Load(Path(tb, "dissertation/items.json")))(tb),
		must.Get(item.Load(Path(tb, "dissertation/train_200.jsonl")))(tb)
}

// ByDatabase are items by the databases that they name.
func ByDatabase(items []item.Item) map[string][]item.Item {
	of := map[string][]item.Item{}
	for _, it := range items {
		of[it.Database] = append(of[it.Database], it)
	}
	return of
}

// Schemas reads the schemas of Spider's databases as they are asked for.
func Schemas(tb testing.TB) func(name string) *schema.Schema {
	cache := map[string]*schema.Schema{}
	return func(name string) *schema.Schema {
		if cache[name] == nil {
			ddl := File(tb, filepath.Join(Spider, name, "schema.sql"))
			cache[name] = must.Get(schema.ParseDDL(name, string(ddl)))(tb)
		}
		return cache[name]
	}
}
