package suite

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/zstd"

	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
)

// hostileDump is a schema with all that a generator may trip over.
const hostileDump = "CREATE TABLE nokey (a varchar(10), b varchar(10), n int, `select` decimal(4,1) unsigned);\n" +
	"INSERT INTO nokey VALUES ('x','1',5,1.5),('x','2',NULL,999.9),('y',NULL,7,0.0),('y','1',7,0.1),('x','1',5,1.5);\n" +
	`CREATE TABLE nothing (id int PRIMARY KEY, t text);
CREATE TABLE tree (id int PRIMARY KEY, parent int, name varchar(20) NOT NULL, size tinyint NOT NULL, FOREIGN KEY (parent) REFERENCES tree (id));
INSERT INTO tree VALUES (1,NULL,'root',100),(2,1,'it''s',-100),(3,1,'back\\slash',127),(4,2,'line
break',0);
CREATE TABLE chicken (id int PRIMARY KEY, egg int, born date, CONSTRAINT c1 FOREIGN KEY (egg) REFERENCES egg (id));
CREATE TABLE egg (id int PRIMARY KEY, chicken int, laid datetime(3), CONSTRAINT c2 FOREIGN KEY (chicken) REFERENCES chicken (id));
INSERT INTO chicken VALUES (1,2,'2004-02-29'),(2,1,'0000-00-00'),(3,NULL,NULL);
INSERT INTO egg VALUES (1,1,'2004-02-29 23:59:59.999'),(2,3,NULL);
CREATE TABLE piece (a int, b char(2), qty smallint unsigned NOT NULL CHECK (qty BETWEEN 10 AND 50), low decimal(8,2), high decimal(8,2), state enum('on','off') NOT NULL,
 PRIMARY KEY (a, b), UNIQUE KEY (b, low), CHECK (low <= high));
INSERT INTO piece VALUES (1,'aa',10,1.00,2.00,'on'),(1,'bb',20,1.00,1.00,'off'),(2,'aa',50,5.00,500.00,'on'),(2,'bb',49,NULL,3.00,'on');
CREATE TABLE part (a int, b char(2), w double, img varbinary(9), FOREIGN KEY (a, b) REFERENCES piece (a, b));
INSERT INTO part VALUES (1,'aa',1e-9,x'00ff27'),(2,'bb',1.5e300,NULL),(NULL,'aa',-0.25,x'5c');
CREATE VIEW v AS SELECT a FROM part;
`

func dump(t testing.TB, script string) runner.DB {
	t.Helper()
	db := must.Get(embedded.OpenDump(t.Context(), "x", strings.NewReader(script), runner.Limits{Rows: 1e6}))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

func snapshotOf(t testing.TB, db runner.DB) *Snapshot {
	t.Helper()
	return must.Get(ReadSnapshot(t.Context(), db))(t)
}

// classic is the real sample database, or the demo where it is not there.
func classic(t testing.TB) *Snapshot {
	t.Helper()
	text, err := os.ReadFile("../../shared/data/classicmodels.sql")
	if err == nil {
		return snapshotOf(t, dump(t, string(text)))
	}
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 1e6}))(t)
	t.Cleanup(func() { db.Close() })
	return snapshotOf(t, db)
}

// makeEmbedded is a Maker that loads the script of a snapshot.
func makeEmbedded(ctx context.Context, s *Snapshot) (runner.DB, error) {
	return embedded.OpenDump(ctx, s.Name, strings.NewReader(string(s.Script())), runner.Limits{Rows: 100_000})
}

// violations lists what rows do that the definition forbids.
func violations(t testing.TB, s *Snapshot) []string {
	t.Helper()
	var out []string
	key := func(row []any, at []int) (string, bool) {
		var cells []any
		for _, j := range at {
			if row[j] == nil {
				return "", false
			}
			cells = append(cells, row[j])
		}
		return runner.RowKey(cells), true
	}
	for i := range s.Schema.Tables {
		table := &s.Schema.Tables[i]
		at := (&tableFacts{Table: table}).places
		for j, c := range table.Columns {
			for n, row := range s.Rows[table.Name] {
				if row[j] == nil && !c.Nullable {
					out = append(out, fmt.Sprintf("%s.%s row %d is NULL", table.Name, c.Name, n))
				}
			}
		}
		for _, columns := range append([][]string{table.PrimaryKey}, table.Unique...) {
			seen := map[string]bool{}
			for n, row := range s.Rows[table.Name] {
				if k, whole := key(row, at(columns)); whole && len(columns) > 0 {
					if seen[k] {
						out = append(out, fmt.Sprintf("%s %v row %d comes twice", table.Name, columns, n))
					}
					seen[k] = true
				}
			}
		}
		for _, fk := range table.ForeignKeys {
			ref, _ := s.Schema.Table(fk.RefTable)
			have := map[string]bool{}
			for _, row := range s.Rows[ref.Name] {
				k, _ := key(row, (&tableFacts{Table: ref}).places(fk.RefColumns))
				have[k] = true
			}
			for n, row := range s.Rows[table.Name] {
				if k, whole := key(row, at(fk.Columns)); whole && !have[k] {
					out = append(out, fmt.Sprintf("%s %v row %d refers to nothing", table.Name, fk.Columns, n))
				}
			}
		}
	}
	broken := must.Get(s.broken(t.Context(), makeEmbedded))(t)
	for table, rows := range broken {
		out = append(out, fmt.Sprintf("%s: %d rows break a CHECK", table, len(rows)))
	}
	return out
}

// Replicas keep what must be kept, change something, and are the same for the same seed.
func TestReplica(t *testing.T) {
	for name, s := range map[string]*Snapshot{"hostile": snapshotOf(t, dump(t, hostileDump)),
		"classicmodels": classic(t)} {
		if v := violations(t, s); v != nil {
			t.Fatalf("%s: the source: %v", name, v)
		}
		original := string(s.Script())
		f := newFacts(s)
		for n := 1; n <= 4; n++ {
			r, changes, err := Replica(t.Context(), s, 7, n, makeEmbedded)
			must.Do(t, err)
			if v := violations(t, r); v != nil {
				t.Errorf("%s %d: %v", name, n, v)
			}
			again, _, err := Replica(t.Context(), s, 7, n, makeEmbedded)
			must.Be(t, err == nil && string(again.Script()) == string(r.Script()),
				name, n, "another one with the same seed", err)
			must.Have(t, string(s.Script()) == original, name, n, "the source has changed")
			must.Be(t, string(r.Script()) != original && len(changes) != 0, name, n, "nothing has changed")
			after := newFacts(r)
			for table, before := range f.tables {
				must.Equal(t, len(r.Rows[table]), len(s.Rows[table]), name, n, table, "rows, had")
				for j, c := range before.columns {
					if c.listed && !cmp.Equal(sortedCells(c.values),
						sortedCells(after.tables[table].columns[j].values)) {
						t.Errorf("%s %d: %s.%s has other values", name, n, table, c.Name)
					}
				}
			}
			// what was written can be read back
			if name != "hostile" && n > 1 {
				continue
			}
			back := snapshotOf(t, dump(t, string(r.Script())))
			if diff := cmp.Diff(r.Rows, back.Rows, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s %d: read back: %s", name, n, diff)
			}
		}
	}
}

func sortedCells(values []any) []string {
	var out []string
	for _, v := range values {
		out = append(out, runner.CellKey(v))
	}
	slices.Sort(out)
	return out
}

// MySQL takes the scripts of replicas, which it checks itself.
func TestReplicaOnMySQL(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	s := snapshotOf(t, dump(t, hostileDump))
	r, _, err := Replica(t.Context(), s, 7, 2, makeEmbedded)
	must.Do(t, err)
	server, err := local.Start(t.Context(), local.Options{Database: "suite",
		Load: strings.NewReader("CREATE TABLE t (i int);")})
	if err != nil && strings.Contains(err.Error(), "make ") {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	dsn := strings.Replace(server.AdminDSN(), "/suite", "/replica", 1)
	admin := must.Get(sql.Open("mysql", server.AdminDSN()))(t)
	defer func() {
		if _, err := admin.Exec("DROP DATABASE replica"); err != nil {
			t.Error(err)
		}
		admin.Close()
	}()
	must.Do(t, runner.ExecScript(t.Context(), dsn, bytes.NewReader(r.Script()), nil))
	db := must.Get(runner.Open(t.Context(), dsn, runner.Limits{}))(t)
	defer db.Close()
	back := snapshotOf(t, db)
	must.Same(t, back.Rows["piece"], r.Rows["piece"], "read back")
	if v := violations(t, back); v != nil {
		t.Errorf("on the server: %v", v)
	}
}

func loadEmbedded(ctx context.Context, name string, script io.Reader) (runner.DB, error) {
	return embedded.OpenDump(ctx, name, script, runner.Limits{})
}

func TestSuite(t *testing.T) {
	s := snapshotOf(t, dump(t, hostileDump))
	r, changes, err := Replica(t.Context(), s, 1, 1, makeEmbedded)
	must.Do(t, err)
	dir := filepath.Join(t.TempDir(), "a", "suite")
	members := []Member{{Snapshot: s}, {Snapshot: r, Changes: changes}}
	must.Do(t, Write(dir, Card{Database: "x"}, members))
	must.Says(t, Write(dir, Card{}, members), "not empty", "a suite was overwritten")
	suite := must.Get(Open(t.Context(), dir, loadEmbedded))(t)
	defer suite.Close()
	pairs, err := suite.Pairs(t.Context(), item.Item{Question: "?", SQL: "SELECT name FROM tree WHERE size > 50"},
		"SELECT name FROM tree WHERE size IN (100, 127)")
	must.Have(t, err == nil && len(pairs) == 2, len(pairs), err)
	same := func(p score.Pair) bool { return score.SameAnswer(p.Gold, *p.Pred.Result) }
	if !same(pairs[0]) || same(pairs[1]) {
		t.Errorf("on the source and on its replica: %v, %v", same(pairs[0]), same(pairs[1]))
	}
	if _, err := Open(t.Context(), t.TempDir(), loadEmbedded); err == nil ||
		!strings.Contains(err.Error(), "nl2sql suite build") {
		t.Errorf("an empty folder: %v", err)
	}
	file := filepath.Join(dir, "db-01.sql.zst")
	must.Do(t, os.WriteFile(file, []byte("broken"), 0o644))
	if _, err := Open(t.Context(), dir, loadEmbedded); err == nil || !strings.Contains(err.Error(), "db-01.sql.zst") {
		t.Errorf("a damaged file: %v", err)
	}
}

// A small file that would unpack to gigabytes is refused while it is small.
func TestSuiteBomb(t *testing.T) {
	w := must.Get(zstd.NewWriter(nil))(t)
	for _, tt := range []struct {
		size int
		ok   bool
	}{{8 << 20, true}, {256 << 20, false}} {
		packed := w.EncodeAll(bytes.Repeat([]byte("-- nothing\n"), tt.size/11), nil)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := unpack(packed)
		runtime.ReadMemStats(&after)
		must.Equal(t, err == nil, tt.ok, tt.size, "bytes in", len(packed), err)
		if made := after.TotalAlloc - before.TotalAlloc; made > 128<<20 {
			t.Errorf("%d bytes in %d: %d MiB were allocated", tt.size, len(packed), made>>20)
		}
	}
}
