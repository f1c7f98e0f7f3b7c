package schema_test

import (
	"os"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

// FuzzParseDDL: a schema that is read is well formed.
func FuzzParseDDL(f *testing.F) {
	shop := must.Get(os.ReadFile("../testdata/shop.sql"))(f)
	f.Add(string(shop))
	f.Add("CREATE TABLE t (a ENUM('x'), b INT, UNIQUE (b)); ALTER TABLE t ADD PRIMARY KEY (a); DELIMITER ;;\nDROP TABLE t;;")
	f.Add("CREATE TABLE t (a INT CHECK (a > 0), b INT, KEY k (b, a)); ALTER TABLE t DROP a, CHANGE b c TEXT FIRST, ADD (d INT UNIQUE), RENAME u; DROP INDEX k ON u")
	f.Fuzz(func(t *testing.T, ddl string) {
		s, err := schema.ParseDDL("x", ddl)
		if err != nil {
			return
		}
		for _, table := range s.Tables {
			for _, name := range table.PrimaryKey {
				if _, ok := table.Column(name); !ok {
					t.Fatalf("%q: primary key column %q is not a column", ddl, name)
				}
			}
		}
	})
}
