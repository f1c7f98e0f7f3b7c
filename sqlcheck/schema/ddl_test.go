package schema_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/schema"
)

func TestParseDDL(t *testing.T) {
	got := examples.MustParse(t, "shop", `
-- a dump; with a trap
/*!40101 SET NAMES utf8 */;
CREATE DATABASE /*!32312 IF NOT EXISTS*/ shop;
DROP TABLE IF EXISTS `+"`orders`"+`;
CREATE TABLE shop.orders (
  id INTEGER UNSIGNED NOT NULL AUTO_INCREMENT, # the key
  Customer INT(11) COMMENT 'who pays', state ENUM('open','it''s done') DEFAULT 'open' COMMENT 'it''s "open"; or not', total DECIMAL(10, 2), paid BOOLEAN, y YEAR, r REAL,
  note VARCHAR(20) UNIQUE, KEY (state), FOREIGN KEY (customer) REFERENCES shop.CLIENTS (ID)
) ENGINE=InnoDB COMMENT='what was bought';

INSERT INTO orders VALUES (1, 'CREATE TABLE x (a INT);', ";", 'a\';');
ALTER TABLE orders ADD PRIMARY KEY (id), MODIFY id int NOT NULL AUTO_INCREMENT COMMENT 'runs on';
CREATE TABLE Clients (id INT PRIMARY KEY, a INT NOT NULL, b INT, UNIQUE KEY ab (a, b));
CREATE TABLE items (order_id INT, line INT, PRIMARY KEY (order_id, line));
ALTER TABLE items ADD CONSTRAINT fk FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE;
ALTER TABLE items COMMENT = 'a line of an order';
DELIMITER ;;
CREATE TRIGGER t BEFORE INSERT ON items FOR EACH ROW BEGIN SET @a = 1; END;;
DELIMITER ;
CREATE VIEW v AS SELECT 1;
`)
	want := &schema.Schema{Name: "shop", Tables: []schema.Table{
		{
			Name: "Clients", PrimaryKey: []string{"id"}, Unique: [][]string{{"a", "b"}},
			Columns: []schema.Column{{Name: "id", Type: "int", Key: "PRI"}, {Name: "a", Type: "int", Key: "MUL"},
				{Name: "b", Type: "int", Nullable: true}},
		},
		{
			Name: "items", Comment: "a line of an order", PrimaryKey: []string{"order_id", "line"},
			ForeignKeys: []schema.ForeignKey{{Columns: []string{"order_id"}, RefTable: "orders", RefColumns: []string{"id"}}},
			Columns: []schema.Column{{Name: "order_id", Type: "int", Key: "PRI"},
				{Name: "line", Type: "int", Key: "PRI"}},
		},
		{
			Name: "orders", Comment: "what was bought", PrimaryKey: []string{"id"}, Unique: [][]string{{"note"}},
			ForeignKeys: []schema.ForeignKey{{Columns: []string{"Customer"}, RefTable: "Clients", RefColumns: []string{"id"}}},
			Columns: []schema.Column{
				{Name: "id", Type: "int", Key: "PRI", Comment: "runs on"},
				{Name: "Customer", Type: "int", Nullable: true, Key: "MUL", Comment: "who pays"},
				{Name: "state", Type: "enum('open','it''s done')", Nullable: true, Key: "MUL",
					Values: []string{"open", "it's done"}, Complete: true, Comment: `it's "open"; or not`},
				{Name: "total", Type: "decimal(10,2)", Nullable: true},
				{Name: "paid", Type: "tinyint(1)", Nullable: true},
				{Name: "y", Type: "year", Nullable: true},
				{Name: "r", Type: "double", Nullable: true},
				{Name: "note", Type: "varchar(20)", Nullable: true, Key: "UNI"},
			},
		},
	}}
	must.Same(t, got, want)
}

// An ALTER TABLE leaves the keys that MySQL leaves, by their names, also of a column that has another name then.
func TestAlter(t *testing.T) {
	got := examples.MustParse(t, "shop", `
CREATE TABLE a (id INT PRIMARY KEY, x INT UNIQUE, y INT, z INT, UNIQUE two (x, y), KEY (z), CONSTRAINT pos CHECK (y > 0),
  CONSTRAINT fk FOREIGN KEY (z) REFERENCES b (id), CONSTRAINT other FOREIGN KEY (y) REFERENCES b (id));
CREATE TABLE b (id INT, n INT);
CREATE UNIQUE INDEX only ON b (n);
ALTER TABLE a DROP x, RENAME COLUMN y TO w, DROP FOREIGN KEY fk, DROP INDEX z;
ALTER TABLE b CHANGE id n BIGINT, CHANGE n id INT NOT NULL FIRST, ADD PRIMARY KEY (id);
ALTER TABLE a MODIFY id BIGINT, ADD (u INT REFERENCES b (id), v INT), DROP CONSTRAINT other, ADD KEY (v);
DROP INDEX v ON a;
ALTER TABLE a RENAME TO c;
`)
	must.Same(t, got, &schema.Schema{Name: "shop", Tables: []schema.Table{
		{
			Name: "b", PrimaryKey: []string{"id"}, Unique: [][]string{{"id"}},
			Columns: []schema.Column{{Name: "id", Type: "int", Key: "PRI"},
				{Name: "n", Type: "bigint", Nullable: true}},
		},
		{
			Name: "c", PrimaryKey: []string{"id"}, Unique: [][]string{{"w"}},
			ForeignKeys: []schema.ForeignKey{{Columns: []string{"u"}, RefTable: "b", RefColumns: []string{"id"}}},
			Columns: []schema.Column{{Name: "id", Type: "bigint", Key: "PRI"},
				{Name: "w", Type: "int", Nullable: true, Key: "UNI"}, {Name: "z", Type: "int", Nullable: true}, {Name: "u", Type: "int", Nullable: true, Key: "MUL"},
				{Name: "v", Type: "int", Nullable: true}},
		},
	}})
}

func TestParseDDLErrors(t *testing.T) {
	for ddl, want := range map[string]string{
		"CREATE TABLE t (a INT);\nCREATE TABLE u (a POINT);": `line 2: cannot be parsed`,
		"CREATE TABLE t (a INT, a INT);":                     `table t has column a twice`,
		"CREATE TABLE t (a INT); CREATE TABLE t (a INT);":    `table t is created twice`,
		"CREATE TABLE t (a INT, PRIMARY KEY (b));":           `table t has no column b`,
		"ALTER TABLE t ADD PRIMARY KEY (a);":                 `table t is not known`,
		"CREATE TABLE t (a INT); ALTER TABLE t DROP b;":      `table t has no column b`,
		"CREATE TABLE t (a INT); ALTER TABLE t ADD a INT;":   `table t has column a twice`,
	} {
		_, err := schema.ParseDDL("x", ddl)
		must.Says(t, err, want, "ParseDDL", ddl)
	}
	large := "CREATE TABLE t (a INT COMMENT '" + strings.Repeat("x", 500_000) + "');\n"
	_, err := schema.ParseDDL("x", strings.Repeat("DROP TABLE IF EXISTS t;\n"+large, 17))
	must.Says(t, err, "line 34: there are more than 8 MiB of definitions")
}

func TestParseDDLOfSpider(t *testing.T) {
	files := must.Get(filepath.Glob(filepath.Join(golds.Path(t, golds.Spider), "*/schema.sql")))(t)
	tables := 0
	for _, file := range files {
		ddl := must.Get(os.ReadFile(file))(t)
		s := examples.MustParse(t, filepath.Base(filepath.Dir(file)), string(ddl))
		tables += len(s.Tables)
		for _, table := range s.Tables {
			for _, fk := range table.ForeignKeys {
				if ref, ok := s.Table(fk.RefTable); !ok || len(fk.Columns) != len(fk.RefColumns) ||
					ref.Name != fk.RefTable {
					t.Errorf("%s.%s: bad foreign key %v", s.Name, table.Name, fk)
				}
			}
		}
	}
	must.Equal(t, tables, 627, "tables")
}

func TestJoins(t *testing.T) {
	s := examples.MustParse(t, "", `
CREATE TABLE a (id INT PRIMARY KEY, x INT, y INT, UNIQUE (x, y));
CREATE TABLE b (id INT PRIMARY KEY, ax INT, ay INT, FOREIGN KEY (ax, ay) REFERENCES a (x, y));
CREATE TABLE c (id INT PRIMARY KEY, b INT REFERENCES b (id), a INT);
CREATE TABLE d (b1 INT REFERENCES b (id), b2 INT REFERENCES b (id));
CREATE TABLE e (id INT);`)
	way, unique := s.Joins("A", "c")
	want := []schema.Join{{"a", "b", []string{"x", "y"}, []string{"ax", "ay"}},
		{"b", "c", []string{"id"}, []string{"b"}}}
	if diff := cmp.Diff(want, way); diff != "" || !unique {
		t.Errorf("unique %v, -want +got\n%s", unique, diff)
	}
	must.Equal(t, way[0].On("", "t"), "a.x = t.ax AND a.y = t.ay", "On")
	if way, unique := s.Joins("a", "d"); len(way) != 2 || unique {
		t.Errorf("a to d: %v, unique %v; want two steps, not unique", way, unique)
	}
	if way, _ := s.Joins("a", "e"); way != nil {
		t.Errorf("a to e: %v, want none", way)
	}
}
