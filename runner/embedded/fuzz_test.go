package embedded

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"nl2sql/runner"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

// Whatever the checker accepts is answered or refused: no panic, and no text that SQLite cannot read.
func FuzzQuery(f *testing.F) {
	for _, list := range suites(f) {
		for _, a := range list.same {
			f.Add(a.SQL)
		}
		for _, sql := range list.refused {
			f.Add(sql)
		}
	}
	db := must.Get(Open(f.Context(), "", runner.Limits{Timeout: 300 * time.Millisecond}))(f)
	f.Cleanup(func() { db.Close() })
	s := must.Get(db.Schema(f.Context()))(f)
	f.Fuzz(func(t *testing.T, sql string) {
		q, v, err := sqlcheck.Check(sql, s)
		if err != nil || !v.OK {
			return
		}
		_, err = db.Query(t.Context(), q)
		qe := (*runner.QueryError)(nil)
		must.Be(t, err == nil || errors.As(err, &qe), err, sql)
		if qe != nil && (strings.Contains(qe.Message, "syntax error") || strings.Contains(qe.Message, "no such")) {
			t.Errorf("bad SQL for SQLite: %v\n%s", qe, sql)
		}
	})
}

// Any bytes are loaded or are one line of error.
func FuzzLoad(f *testing.F) {
	for _, s := range []string{
		"CREATE TABLE t (a INT PRIMARY KEY, b DECIMAL(6,2), c DATE, d VARCHAR(9)); INSERT INTO t VALUES (1,2.5,'2004-01-02','x'),(2,NULL,NULL,'it''s');",
		"DELIMITER ;;\nCREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW BEGIN END ;;\nDELIMITER ;\nCREATE TABLE t (a BLOB);\nINSERT INTO t VALUES (0xFF),(x'00'),(b'1'),(_binary 'a');",
		"/*!40101 SET NAMES latin1 */; CREATE TABLE `t` (`a` char(3) COLLATE utf8mb4_bin) DEFAULT CHARSET=latin1; INSERT IGNORE INTO t (a) VALUES ('\xe9');",
		"CREATE TABLE t (a INT); ALTER TABLE t ADD PRIMARY KEY (a); -- x\n# y\n/* z */ DROP TABLE t; CREATE TABLE t (e ENUM('a','b'));",
		"CREATE TABLE t (a INT UNIQUE, b TEXT, c INT AS (a + 1)); INSERT INTO t (a, b) VALUES (1, '2'); ALTER TABLE t CHANGE b d INT FIRST, DROP c, ADD id INT AUTO_INCREMENT PRIMARY KEY AFTER d; ALTER TABLE t CONVERT TO CHARACTER SET latin1, RENAME u; DROP INDEX a ON u; UPDATE u SET d = d + 1; CREATE TABLE v LIKE u; UPDATE u x JOIN (SELECT MAX(id) AS m FROM v) y ON x.id > m SET x.d = m; DELETE x FROM u AS x, v WHERE v.d = x.d;",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		db, err := OpenDump(t.Context(), "x", bytes.NewReader(script), runner.Limits{})
		if err != nil {
			must.Be(t, !strings.Contains(err.Error(), "\n"), "more than one line", err)
			return
		}
		must.Succeed(t, db.Close())
	})
}
