package embedded

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"nl2sql/assets"
	"nl2sql/runner"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
)

func TestImport(t *testing.T) {
	t.Setenv("NL2SQL_CACHE", t.TempDir())
	script := must.Get(assets.DemoSQL())(t)
	var last int64
	report := must.Get(Import(t.Context(), "shop-1", strings.NewReader(string(script)),
		ImportOptions{Progress: func(n, _ int64) { last = n }}))(t)
	if report.Rows != 3864 || report.Tables != 8 || last == 0 || last > report.Bytes {
		t.Errorf("report %+v, last progress %d", report, last)
	}
	names := must.Get(List())(t)
	must.Same(t, names, []string{"shop-1"})
	db := must.Get(Open(t.Context(), "shop-1", runner.Limits{}))(t)
	defer db.Close()
	demo := openDemo(t)
	const sum = "SELECT customerName, SUM(amount) FROM customers JOIN payments USING (customerNumber) GROUP BY customerName ORDER BY 2"
	got := must.Get(ask(t.Context(), db, sum))(t)
	want := must.Get(ask(t.Context(), demo, sum))(t)
	must.Same(t, got.Rows, want.Rows)
	ours, _ := db.Schema(t.Context())
	theirs, _ := demo.Schema(t.Context())
	must.Same(t, ours.Tables, theirs.Tables, "schema")
}

// A script that cannot be loaded is one line with the place, and leaves neither a database nor a trace.
func TestImportFailures(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("NL2SQL_CACHE", dir)
	const create = "CREATE TABLE t (a INT PRIMARY KEY, b DECIMAL(6,2), c DATE, d VARCHAR(9));\n"
	for _, tt := range []struct{ name, script, want string }{
		{"empty", "", "the file has no CREATE TABLE statement"},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00",
			`line 1: a statement that starts with "\x7fELF\x02\x01\x01\x00\x00" cannot be loaded`},
		{"syntax", "CREATE TABLE t (a INTEGR);", "line 1: cannot be parsed: line 1 column 24 near \"INTEGR)\""},
		{"string", create + "\n\nINSERT INTO t VALUES (1,'x\n;\n",
			"line 4: the string that starts on line 4 is not closed"},
		{"comment", create + "/* x", "line 2: the comment that starts on line 2 is not closed"},
		{"number", create + "INSERT INTO t VALUES\n(1,2.5,NULL,'a'),\n(2,'x',NULL,'b');",
			"line 2: table t, column b, row 2 of the INSERT: \"x\" is not a DECIMAL"},
		{"torn", create + "INSERT INTO t VALUES (1,2.5,NULL,'a'),\n(2,",
			"line 2: table t, row 2 of the INSERT: the statement ends inside a row"},
		{"date", create + "INSERT INTO t (a,c) VALUES (1,'2024-02-30');",
			"line 2: table t, column c, row 1 of the INSERT: \"2024-02-30\" is not a DATE"},
		{"width", create + "INSERT INTO t VALUES (1,2);",
			"line 2: table t, row 1 of the INSERT: 2 values for 4 columns"},
		{"column", create + "INSERT INTO t (z) VALUES (1);", "line 2: table t has no column z"},
		{"table", "INSERT INTO t VALUES (1);", "line 1: INSERT into t, which is not created before"},
		{"select", create + "INSERT INTO t SELECT 1;", "line 2: table t, row 1 of the INSERT: 1 values for 4 columns"},
		{"query", create + "INSERT INTO t SELECT * FROM gone;", "line 2: unknown_table:gone"},
		{"duplicate", create + "INSERT INTO t VALUES (1,2,NULL,'a') ON DUPLICATE KEY UPDATE b = z;\n" +
			"INSERT INTO t VALUES (1,2,NULL,'a') ON DUPLICATE KEY UPDATE b = z;",
			"line 3: table t, row 1 of the INSERT: unknown_column:z"},
		{"PostgreSQL", "SET statement_timeout = 0;\nCREATE TABLE public.x (id integer NOT NULL);\nCOPY public.x (id) FROM stdin;\n1\n",
			"it is a dump of PostgreSQL, and MySQL's are read"},
		{"SQL Server", "\xff\xfeU\x00S\x00E\x00 \x00[\x00s\x00]\x00\n\x00G\x00O\x00\n\x00", "it is a script of SQL Server, and MySQL's are read"},
		{"delete", "CREATE TABLE t (a INT);\nDELETE FROM t WHERE a = 1 LIMIT 1;",
			"line 2: rows of t, which has no primary key, cannot be changed by others' or with LIMIT"},
		{"delete of two", create + "DELETE a, b FROM t a JOIN t b USING (a);",
			"line 2: the table whose rows change is not named, has PARTITION, or is not created before"},
		{"key", "CREATE TABLE g (a INT, b INT AS (a + 1) STORED PRIMARY KEY);\nREPLACE INTO g (a) VALUES (1);",
			"line 2: rows of g, which has a key of generated columns, cannot be replaced or ignored"},
		{"two databases", "CREATE TABLE one.t (a INT);\nINSERT INTO `one` . t VALUES (1);\n" +
			"CREATE TABLE IF NOT EXISTS two.u (a INT);",
			"the file holds 2 databases: choose one of them with --database: one, two"},
		{"delete from nothing", "DELETE FROM t WHERE a = 1;",
			"line 1: the table whose rows change is not named, has PARTITION, or is not created before"},
		{"delimiter", "DELIMITER //\nCREATE PROCEDURE p() BEGIN END;\n" + create,
			"line 2: the statement that starts here goes on to the end"},
		{"update", create + "UPDATE t SET a = 1, b = a + 1;", "line 2: an UPDATE that reads a behind setting it cannot be loaded"},
		{"update of a join", create + "UPDATE t JOIN u USING (a) SET b = 1;",
			"line 2: the table whose rows change is not named, has PARTITION, or is not created before"},
		{"update of no table", create + "UPDATE (SELECT 1 AS a) x SET a = 2;",
			"line 2: the table whose rows change is not named, has PARTITION, or is not created before"},
		{"rows of a partition", create + "DELETE FROM t PARTITION (p1);", "line 2: " +
			"the table whose rows change is not named, has PARTITION"},
		{"keys or not", "CREATE TABLE t (a INT PRIMARY KEY);\nUPDATE IGNORE t SET a = a + 1;",
			"line 2: an UPDATE IGNORE, which may leave rows as they are, cannot be loaded"},
		{"update of nothing", create + "UPDATE t SET z = 1;", "line 2: table t has no column z"},
		{"digits", "CREATE TABLE t (b DECIMAL(12,2));\nINSERT INTO t VALUES (12345678901234567890.5);",
			"line 2: table t, column b, row 1 of the INSERT: the DECIMAL 12345678901234567890.5 has more than 15 digits, which is more than the embedded database keeps exactly"},
		{"type", "CREATE TABLE t (g NOSUCH);", "line 1: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Import(t.Context(), "broken", strings.NewReader(tt.script), ImportOptions{Replace: true})
			must.Have(t, err != nil, "no error")
			if got := err.Error(); !strings.HasPrefix(got, tt.want) || strings.Contains(got, "\n") {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			left, _ := filepath.Glob(filepath.Join(dir, "databases", "*"))
			hidden, _ := filepath.Glob(filepath.Join(dir, "databases", ".*"))
			must.Be(t, len(left)+len(hidden) <= 0, "left behind", left, hidden)
		})
	}
	if _, err := Import(t.Context(), "../x", strings.NewReader(create), ImportOptions{Replace: true}); err == nil {
		t.Error("a name with a path is accepted")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Import(ctx, "stopped", strings.NewReader(create), ImportOptions{Replace: true}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled import: %v", err)
	}
	if _, err := Open(t.Context(), "nothing", runner.Limits{}); err == nil ||
		!strings.Contains(err.Error(), "no database nothing has been imported") {
		t.Errorf("open: %v", err)
	}
}

// What a failed import does to the database of the same name: nothing.
func TestImportKeepsOld(t *testing.T) {
	t.Setenv("NL2SQL_CACHE", t.TempDir())
	load := func(script string) error {
		_, err := Import(t.Context(), "x", strings.NewReader(script), ImportOptions{Replace: true})
		return err
	}
	count := func() string {
		db := must.Get(Open(t.Context(), "x", runner.Limits{}))(t)
		defer db.Close()
		r := must.Get(ask(t.Context(), db, "SELECT COUNT(*) FROM t"))(t)
		return fmt.Sprint(r.Rows[0][0])
	}
	must.Do(t, load("CREATE TABLE t (a INT); INSERT INTO t VALUES (1);"))
	must.Be(t, load("CREATE TABLE t (a INT); INSERT INTO t VALUES (1),(2;") != nil, "broken script accepted")
	must.Equal(t, count(), "1", "after a failed import", "rows")
	must.Do(t, load("CREATE TABLE t (a INT); INSERT INTO t VALUES (1),(2); CREATE TABLE k1 (a INT PRIMARY KEY);"))
	must.Equal(t, count(), "2", "after a second import", "rows")
}

// Forms that dump programs write.
func TestDumpForms(t *testing.T) {
	const script = "-- comment; with 'quote\r\n# another\r\n/*!40101 SET NAMES utf8 */;\r\n" +
		"/*!40000 CREATE DATABASE `x` /*!40100 DEFAULT CHARACTER SET latin1 */;\r\nUSE `x`;\r\nDROP TABLE IF EXISTS `t`;\r\n" +
		"/*!50001 CREATE VIEW `v` AS SELECT 1 AS `a` */;\r\n" +
		"CREATE TABLE `t` (\r\n  `id` int(11) NOT NULL AUTO_INCREMENT,\r\n  `s` varchar(20) COLLATE utf8mb4_bin DEFAULT 'a;b',\r\n" +
		"  `b` blob, `f` float, `e` enum('x','y'), `ts` timestamp NULL DEFAULT CURRENT_TIMESTAMP, `y` year, `bit` bit(4)\r\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;\r\n" +
		"LOCK TABLES `t` WRITE;\r\n/*!40000 ALTER TABLE `t` DISABLE KEYS */;\r\n" +
		"INSERT INTO `t` VALUES (1,'it''s \\'q\\' \\\\ \\n;',0x00FF,0.1,'x','2024-01-02 03:04:05',2024,b'101'),(2,NULL,_binary 'ab',-1e3,2,NULL,NULL,NULL);\r\n" +
		"INSERT IGNORE INTO x.t (`id`, s) VALUES (3, \"dou\"\"ble\"), (4, N'n');\r\nUNLOCK TABLES;\r\n" +
		"DELIMITER ;;\r\nCREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW BEGIN SET @a = 1; END ;;\r\nDELIMITER ;\r\n" +
		"ALTER TABLE `t`\r\n  ADD PRIMARY KEY (`id`),\r\n  ADD KEY `s` (`s`);\r\nALTER TABLE `t` MODIFY `id` int(11) NOT NULL AUTO_INCREMENT, AUTO_INCREMENT=5;\r\nCOMMIT;\r\n"
	db := must.Get(OpenDump(t.Context(), "x", strings.NewReader(script), runner.Limits{}))(t)
	defer db.Close()
	r := must.Get(ask(t.Context(), db, "SELECT id, s, b, f, e, IF(id > 2, ts > '2024-12-31', ts), y FROM t ORDER BY id"))(t)
	want := [][]any{
		{int64(1), "it's 'q' \\ \n;", []byte{0, 255}, 0.1, "x", "2024-01-02 03:04:05", int64(2024)},
		{int64(2), nil, []byte("ab"), -1000.0, "y", nil, nil},
		{int64(3), `dou"ble`, nil, nil, nil, "1", nil}, // the day of the import
		{int64(4), "n", nil, nil, nil, "1", nil},
	}
	must.Same(t, r.Rows, want, "rows")
	s, _ := db.Schema(t.Context())
	must.Same(t, s.Tables[0].PrimaryKey, []string{"id"})
}

// The original dump has trailing blanks, and says latin1, whose collation ignores them.
func TestOriginalDump(t *testing.T) {
	script := bytes.NewReader(golds.File(t, golds.ClassicModels))
	db := must.Get(OpenDump(t.Context(), "classicmodels", script, runner.Limits{}))(t)
	defer db.Close()
	for _, tt := range []struct {
		sql  string
		want [][]any
	}{
		{"SELECT COUNT(*) FROM orderdetails", [][]any{{int64(2996)}}},
		{"SELECT COUNT(*) FROM customers WHERE country = 'norway'", [][]any{{int64(3)}}},
		{"SELECT COUNT(*) FROM customers WHERE country LIKE 'Norway'", [][]any{{int64(1)}}},
		{"SELECT SUM(amount) FROM payments", [][]any{{runner.Decimal("8853839.23")}}},
	} {
		r, err := ask(t.Context(), db, tt.sql)
		if err != nil {
			t.Errorf("%s: %v", tt.sql, err)
			continue
		}
		must.Same(t, r.Rows, tt.want, tt.sql)
	}
}

// A relative cache folder works, with signs in its name that mean something in a URI; what a killed import left is
// removed.
func TestImportFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("NL2SQL_CACHE", "ca che?#%20")
	stale := filepath.Join("ca che?#%20", "databases", ".old.new-1")
	must.Do(t, os.MkdirAll(stale, 0o755))
	past := time.Now().Add(-48 * time.Hour)
	must.Do(t, os.Chtimes(stale, past, past))
	must.Get(Import(t.Context(), "x", strings.NewReader("CREATE TABLE t (a INT); INSERT INTO t VALUES (1);"),
		ImportOptions{Replace: true}))(t)
	db := must.Get(Open(t.Context(), "x", runner.Limits{}))(t)
	defer db.Close()
	if r, err := ask(t.Context(), db, "SELECT a FROM t"); err != nil || len(r.Rows) != 1 {
		t.Errorf("%v, %v", r.Rows, err)
	}
	if _, err := os.Stat(stale); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", stale, err)
	}
}

// What an import of another format left is not read, and says what to do; the new import reads JSON, long DECIMALs and
// comments back.
func TestImportFormat(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("NL2SQL_CACHE", dir)
	load := func() {
		t.Helper()
		const script = "CREATE TABLE t (j JSON COMMENT 'what was said', d DECIMAL(30,4)) COMMENT='calls'; INSERT INTO t VALUES ('{\"b\": 1,\"a\":[ ]}', 12345678901234567890.1250), (NULL, -0.5), ('1', 12345678901234567890.125);"
		must.Get(Import(t.Context(), "x", strings.NewReader(script), ImportOptions{Replace: true}))(t)
	}
	load()
	path := filepath.Join(dir, "databases", "x", schemaFile)
	text := must.Get(os.ReadFile(path))(t)
	old := strings.Replace(string(text), fmt.Sprintf(`"format": %d`, importFormat), `"format": 1`, 1)
	for name, content := range map[string]string{"older": old, "cut off": old[:len(old)/2], "empty": ""} {
		must.Do(t, os.WriteFile(path, []byte(content), 0o644))
		if _, err := Open(t.Context(), "x", runner.Limits{}); err == nil ||
			!strings.Contains(err.Error(), "import it again") {
			t.Errorf("%s: %v", name, err)
		}
	}
	load()
	db := must.Get(Open(t.Context(), "x", runner.Limits{}))(t)
	defer db.Close()
	s := must.Get(db.Schema(t.Context()))(t)
	if diff := cmp.Diff([]string{"calls", "what was said", ""}, []string{s.Tables[0].Comment,
		s.Tables[0].Columns[0].Comment, s.Tables[0].Columns[1].Comment}); diff != "" {
		t.Errorf("comments (-want +got)\n%s", diff)
	}
	for sql, want := range map[string][][]any{
		"SELECT j, d FROM t WHERE JSON_TYPE(j) = 'OBJECT'": {{`{"a": [], "b": 1}`,
			runner.Decimal("12345678901234567890.1250")}},
		"SELECT d, COUNT(*) FROM t GROUP BY d ORDER BY d": {{runner.Decimal("-0.5000"), int64(1)},
			{runner.Decimal("12345678901234567890.1250"), int64(2)}},
		"SELECT SUM(d), AVG(d) FROM t WHERE d > 12345678901234567890.1249": {{runner.Decimal("24691357802469135780.2500"), runner.Decimal("12345678901234567890.12500000")}},
	} {
		r, err := ask(t.Context(), db, sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		must.Same(t, r.Rows, want, sql)
	}
}

// Scripts come compressed, and what is imported is for its owner alone.
func TestImportPacked(t *testing.T) {
	t.Setenv("NL2SQL_CACHE", t.TempDir())
	const script = "CREATE TABLE t (a INT); INSERT INTO t VALUES (1);"
	var gz, zst bytes.Buffer
	z := gzip.NewWriter(&gz)
	_, werr := io.WriteString(z, script)
	s, err := zstd.NewWriter(&zst)
	must.Do(t, errors.Join(werr, z.Close(), err))
	must.Get(io.WriteString(s, script))(t)
	must.Do(t, s.Close())
	for name, text := range map[string]string{"plain": script, "gz": gz.String(), "zst": zst.String()} {
		read := int64(0)
		report, err := Import(t.Context(), name, strings.NewReader(text),
			ImportOptions{Progress: func(n, _ int64) { read = n }})
		if err != nil || report.Rows != 1 || read != int64(len(text)) {
			t.Errorf("%s: %+v, %d of %d bytes, %v", name, report, read, len(text), err)
			continue
		}
		dir := must.Get(folder(name))(t)
		for path, want := range map[string]fs.FileMode{"": 0o700, imageFile: 0o600, schemaFile: 0o600} {
			must.Equal(t, must.Get(os.Stat(filepath.Join(dir, path)))(t).Mode().Perm(), want, path)
		}
	}
	for _, tt := range []struct{ file, text, encoding, want string }{ // a byte order mark says the same as the first
		{"wide.csv", "\xff\xfei\x00d\x00\n\x007\x00\n\x00", "utf-16le", "[{id int [7]}] 1"},
		{"cities.json", "[{\"a\":\"\xb1\xb1\xbe\xa9\"}]", "gbk", "[{a varchar(2) [北京]}] 1"},
		{"towns.csv", "a,b\n\x93\x8c\x8b\x9e,1\n", "shift_jis", "[{a varchar(2) [東京]} {b int [1]}] 1"},
	} {
		path := filepath.Join(t.TempDir(), tt.file)
		must.Do(t, os.WriteFile(path, []byte(tt.text), 0o600))
		o := ImportOptions{Read: ReadOptions{Encoding: tt.encoding}}
		report := must.Get(ImportFile(t.Context(), NameOf(path), path, o))(t)
		must.Equal(t, fmt.Sprint(report.Read[0].Columns, report.Rows), tt.want)
	}
	for name, text := range map[string]string{"gz": gz.String(), "zst": zst.String()} {
		if _, err := Import(t.Context(), "cut-"+name, strings.NewReader(text[:len(text)-9]),
			ImportOptions{}); err == nil {
			t.Errorf("half of a %s file went through", name)
		}
	}
}

// Shapes come as the texts that ST_AsText gives, whichever way the script writes them.
func TestImportShapes(t *testing.T) {
	t.Setenv("NL2SQL_CACHE", t.TempDir())
	const script = "CREATE TABLE `address` (\n  `id` int NOT NULL,\n  `location` geometry NOT NULL /*!80003 SRID 0 */,\n  `area` polygon DEFAULT NULL,\n  `parts` geometrycollection,\n" +
		"  PRIMARY KEY (`id`),\n  SPATIAL KEY `idx_location` (`location`)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='a point of interest';\n" +
		"INSERT INTO `address` VALUES (1,0x00000000010100000000000000000008C0000000000000F83F," +
		"_binary '\\0\\0\\0\\0\x01\x03\\0\\0\\0\x01\\0\\0\\0\x02\\0\\0\\0" +
		"\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0" + "\\0\\0\\0\\0\\0\\0\xf0\x3f\\0\\0\\0\\0\\0\\0\\0@'," +
		"0x000000000107000000020000000101000000000000000000F03F000000000000F03F" + "010400000001000000" +
		"0101000000000000000000F03F000000000000F03F" +
		"),(2,0x0000000000000000013FF00000000000004000000000000000,NULL,NULL);\n" +
		"ALTER TABLE `address` ADD SPATIAL INDEX `more` (`area`);\n" +
		"CREATE TABLE bare (id int, point varchar(9) COMMENT 'lon, lat point', /*!50705 at POINT */ /*!80003 SRID 4326 */ " +
		"/*!50705 NOT NULL,*/ z int, KEY point (point) /*!50705 ,SPATIAL KEY k (at)*/);\n" +
		"INSERT INTO bare VALUES (1,'a',/*!50705 0xE6100000010100000000000000000008C0000000000000F83F,*/2);\n" +
		"ALTER TABLE bare ADD PRIMARY KEY (id), ADD SPATIAL KEY (at), ADD COLUMN n int DEFAULT 5;\n"
	report := must.Get(Import(t.Context(), "shapes", strings.NewReader(script), ImportOptions{}))(t)
	must.Same(t, report.Spatial, []string{"address.location", "address.area", "address.parts", "bare.at"})
	db := must.Get(Open(t.Context(), "shapes", runner.Limits{}))(t)
	defer db.Close()
	got := must.Get(ask(t.Context(), db, "SELECT id, location, area, parts FROM address ORDER BY id"))(t)
	want := [][]any{
		{int64(1), "POINT(-3 1.5)", "POLYGON((0 0,1 2))", "GEOMETRYCOLLECTION(POINT(1 1),MULTIPOINT((1 1)))"},
		{int64(2), "POINT(1 2)", nil, nil},
	}
	must.Same(t, got.Rows, want)
	got = must.Get(ask(t.Context(), db, "SELECT point, at, z, n FROM bare"))(t)
	must.Same(t, got.Rows, [][]any{{"a", "POINT(1.5 -3)", int64(2), int64(5)}})
	for name, bytes := range map[string]string{"short": "0x00", "cut": "0x00000000010100000000000000000008C0",
		"kind": "0x000000000109000000", "endless": "0x000000000104000000FFFFFFFF"} {
		if _, err := Import(t.Context(), "no-"+name,
			strings.NewReader("CREATE TABLE `a` (`p` point); INSERT INTO `a` VALUES ("+bytes+");"),
			ImportOptions{}); err == nil {
			t.Errorf("%s: went through", name)
		}
	}
}

// A zip file is the folder, or the one file, that it holds.
func TestImportZip(t *testing.T) {
	t.Setenv("NL2SQL_CACHE", t.TempDir())
	const a, dump = "id,n\n1,2\n", "CREATE TABLE goods (id INT); INSERT INTO goods VALUES (1);"
	for _, tt := range []struct {
		files        []string // names and contents
		tables, told string
	}{
		{[]string{"a.csv", a}, "a", ""},
		{[]string{"127.0.0.1.sql", dump}, "goods", ""},
		{[]string{"out/", "", "out/goods-schema.sql", dump, "out/goods-rows.sql",
			"INSERT INTO goods VALUES (2);"}, "goods", ""},
		{[]string{"out/", "", "out/2024/", "", "out/2024/may.csv", a,
			"out/2025/may.csv", a, "__MACOSX/out/._may.csv", "x", "out/.DS_Store", "x"},
			"2024_may,2025_may", "2025_may: it has the columns of 2024_may"},
		{[]string{"../../a.csv", a, `x\b.csv`, a, "x.pdf", "%PDF"}, "a,x_b", "x.pdf: it is not a table file"},
		{[]string{"caf\x82.csv", a}, "café", ""},
		{[]string{"a.csv", a, "a.csv", "id,n\n3,4\n", "b.csv", a}, "a,b", "a.csv: it is there twice"},
		{[]string{"a.csv", a, "b.csv@", "a.csv"}, "a", "b.csv: it is encrypted, or a link: unpack it first"},
		{[]string{"a.csv", a, "b.csv!", a}, "a", "b.csv: it is encrypted, or a link: unpack it first"},
		{[]string{"a.csv", a, "b.csv#", a}, "a", "b.csv: zip: checksum error"},
		{[]string{"x.zip", "PK"}, "", "it is not a table file: import it by itself"},
		{[]string{".hidden", a}, "", "it holds no .csv"},
	} {
		path := filepath.Join(t.TempDir(), "x.ZIP")
		out := must.Get(os.Create(path))(t)
		z := zip.NewWriter(out)
		for i := 0; i < len(tt.files); i += 2 {
			name, text := tt.files[i], tt.files[i+1]
			h := &zip.FileHeader{Name: strings.TrimRight(name, "@!#"), Method: zip.Deflate}
			h.NonUTF8 = !utf8.ValidString(name)
			create := z.CreateHeader
			switch name[len(name)-1] {
			case '@':
				h.SetMode(fs.ModeSymlink)
			case '!', '#':
				h.Method, h.CompressedSize64, h.UncompressedSize64 = zip.Store, uint64(len(text)), uint64(len(text))
				h.CRC32, create = 1, z.CreateRaw // a wrong one
				if name[len(name)-1] == '!' {
					h.Flags = 1
				}
			}
			_ = must.Get(must.Get(create(h))(t).Write([]byte(text)))(t)
		}
		must.Do(t, z.Close())
		must.Do(t, out.Close())
		report, err := ImportFile(t.Context(), "x", path, ImportOptions{Replace: true})
		if tt.tables == "" {
			must.Says(t, err, tt.told)
			continue
		}
		must.Do(t, err, tt.files)
		db := must.Get(Open(t.Context(), "x", runner.Limits{}))(t)
		var tables []string
		for _, table := range db.schema.Tables {
			tables = append(tables, table.Name)
		}
		must.Close(t, db)
		must.Same(t, strings.Join(tables, ","), tt.tables)
		must.Has(t, strings.Join(report.Doubts(), "\n"), tt.told, "told")
		must.Do(t, Remove("x"))
	}
	must.Same(t, must.Get(filepath.Glob(filepath.Join(os.Getenv("NL2SQL_CACHE"), "databases", "*")))(t), nil)
}

// Of a folder one bad file costs a line; what is no table is named, locks and hidden files are passed over. A database
// that would lose a table stays as it is.
func TestImportBadFiles(t *testing.T) {
	t.Setenv("NL2SQL_CACHE", t.TempDir())
	dir := t.TempDir()
	for name, text := range map[string]string{"a.csv": "id,n\n1,2\n", "Mein Blatt (2).csv": "id,n\n1,2\n", "~$a.xlsx": "x",
		".DS_Store": "x", "zero.csv": "a\x00b", "note.docx": "x"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	report := must.Get(ImportFile(t.Context(), "x", dir, ImportOptions{}))(t)
	must.Same(t, strings.Join(report.Left, "; "), "note.docx: it is not a table file: copy its tables into a sheet, and save "+
		"that as .xlsx or .csv; zero.csv: the file holds zero bytes: it is no CSV text")
	must.Same(t, report.Read[0].Name, "mein_blatt_2")
	must.Do(t, os.WriteFile(filepath.Join(dir, "a.csv"), []byte("a\x00b"), 0o600))
	_, err := ImportFile(t.Context(), "x", dir, ImportOptions{Replace: true})
	must.Be(t, err != nil && strings.HasPrefix(err.Error(), "the table a would be lost, so x stays as it is"), err)
	must.Do(t, must.Get(Open(t.Context(), "x", runner.Limits{}))(t).Close())
}
