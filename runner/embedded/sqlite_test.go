package embedded

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

// Tables, keys, values and views of a SQLite file, and what is left out of it.
func TestImportSQLite(t *testing.T) {
	t.Setenv("NL2SQL_CACHE", t.TempDir())
	setup()
	path := filepath.Join(t.TempDir(), "pets.db")
	db := must.Get(sql.Open("sqlite", path))(t)
	for _, statement := range []string{
		`CREATE TABLE owner (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, born DATE, active BOOLEAN, joined DATETIME, "weird col" TEXT, info JSON, code)`,
		`CREATE TABLE pet (id INTEGER PRIMARY KEY AUTOINCREMENT, owner_id INT REFERENCES owner, weight REAL, price DECIMAL(8,2), photo BLOB, tag TEXT UNIQUE)`,
		`CREATE TABLE kv (k TEXT PRIMARY KEY, v) WITHOUT ROWID`,
		`CREATE TABLE bare (a INT, b TEXT)`,
		`CREATE VIEW owners AS SELECT o.id, o.name || ' (' || count(p.id) || ')' AS label FROM owner o LEFT JOIN pet p ON p.owner_id = o.id GROUP BY o.id, o.name`,
		`CREATE VIEW "light ones" AS SELECT "id", "weight" FROM "pet" WHERE "tag" = 'A'`,
		`CREATE VIEW halves AS SELECT weight / 2 FROM pet`,
		`CREATE VIEW years AS SELECT strftime('%Y', born) AS y FROM owner`,
		`CREATE VIRTUAL TABLE words USING fts5 (x)`,
		`INSERT INTO owner VALUES (1, 'Ana Ñ', '1980-02-29', 1, '2020-01-01 10:00:00', 'x', '{"a":1}', 1), (2, 'O''Hara \ x', NULL, 0, '2020-01-01T10:00:00.25', NULL, '[1,2]', 'two')`,
		`INSERT INTO pet VALUES (1, 1, 4.5, 10.25, x'00ff27', 'A'), (2, 1, 30, 99, NULL, 'b'), (3, 2, 3.125, NULL, x'', NULL)`,
		`INSERT INTO kv VALUES ('a', 1), ('A', 2.5), ('b', 'x')`,
	} {
		must.Get(db.Exec(statement))(t)
	}
	must.Do(t, db.Close())
	report := must.Get(ImportFile(t.Context(), "pets", path, ImportOptions{}))(t)
	left := []string{"table words: it is a virtual one",
		"view halves: it divides, which SQLite does otherwise than MySQL", "view years: no_such_function:strftime"}
	if diff := cmp.Diff(left, report.Left); diff != "" || report.Tables != 4 || report.Views != 2 || report.Rows != 8 {
		t.Errorf("%+v\n%s", report, diff)
	}
	made := must.Get(Open(t.Context(), "pets", runner.Limits{}))(t)
	defer made.Close()
	const tables = "bare(a bigint, b text) kv(k varchar(1), v varchar(3)) light ones(id int, weight double) " +
		"owner(id int, name varchar(40), born date, active tinyint(1), joined datetime(2), weird col varchar(1), info json, code varchar(3)) " +
		"owners(id int, label text) pet(id int, owner_id int, weight double, price decimal(8,2), photo longblob, tag varchar(1))"
	must.Same(t, tablesText(made), tables)
	pet, _ := made.schema.Table("pet")
	if len(pet.ForeignKeys) != 1 || pet.ForeignKeys[0].RefColumns[0] != "id" || pet.Columns[5].Key != "UNI" ||
		pet.Columns[0].Key != "PRI" {
		t.Errorf("keys of pet: %+v", pet)
	}
	for query, want := range map[string]string{
		"SELECT * FROM owner ORDER BY id":               `[1 Ana Ñ 1980-02-29 1 2020-01-01 10:00:00.00 x {"a": 1} 1] [2 O'Hara \ x <nil> 0 2020-01-01 10:00:00.25 <nil> [1, 2] two]`,
		"SELECT * FROM owners ORDER BY id":              `[1 Ana Ñ (2)] [2 O'Hara \ x (1)]`,
		"SELECT * FROM `light ones`":                    "[1 4.5]",
		"SELECT price, HEX(photo) FROM pet ORDER BY id": "[10.25 00FF27] [99.00 <nil>] [<nil> ]",
		"SELECT v FROM kv WHERE k = 'A'":                "[2.5]",
	} {
		res, err := ask(t.Context(), made, query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		must.Same(t, rowsText(res), want, query)
	}
}
