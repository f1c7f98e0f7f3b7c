package score

import (
	"fmt"
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
)

func TestDataHash(t *testing.T) {
	hash := func(script string) string {
		t.Helper()
		db := must.Get(embedded.OpenDump(t.Context(), "d", strings.NewReader(script), runner.Limits{Rows: 1000}))(t)
		defer db.Close()
		x := must.Get(NewExecutor(t.Context(), db))(t)
		return must.Get(DataHash(t.Context(), x))(t)
	}
	base := hash(petsScript)
	if moved := hash(strings.Replace(petsScript, "(1,'Ada','cat',3),(2,'Bo','dog',5)",
		"(2,'Bo','dog',5),(1,'Ada','cat',3)", 1)); moved != base {
		t.Error("the order of rows counts")
	}
	for _, other := range []string{
		strings.Replace(petsScript, "Ada", "ada", 1), strings.Replace(petsScript, "NULL)", "0)", 1),
		strings.ReplaceAll(petsScript, "pets", "beasts"),
		petsScript + "INSERT INTO pets VALUES (5,'Di','hen',NULL);",
	} {
		must.Be(t, hash(other) != base, "the same hash", other)
	}
	var long strings.Builder // more rows than one result may have, none with a key, some twice
	long.WriteString("CREATE TABLE t (a INT);\n")
	for i := range 2500 {
		fmt.Fprintf(&long, "INSERT INTO t VALUES (%d);\n", i/2)
	}
	must.Be(t, hash(long.String()) != hash(long.String()+"INSERT INTO t VALUES (7);\n"), "a third copy does not count")
}
