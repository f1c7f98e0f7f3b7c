package runner_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"nl2sql/runner"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

// TestLookalikesRun runs every statement that sqlcheck accepts though it looks like an attack on the real servers:
// within the limits, and without a trace in the data.
func TestLookalikesRun(t *testing.T) {
	if testing.Short() {
		t.Skip("needs servers, which -short leaves out")
	}
	ddl := must.Get(os.ReadFile("../sqlcheck/testdata/shop.sql"))(t)
	text := must.Get(os.ReadFile("../sqlcheck/testdata/lookalikes.txt"))(t)
	schema := must.Get(schema.ParseDDL("shop", string(ddl)))(t)
	script := string(ddl)
	for i := 1; i <= 200; i++ {
		script += fmt.Sprintf("INSERT INTO city VALUES (%d,'city %d',NULL);\nINSERT INTO client VALUES (%d,'client %d',%d,%d.50);\nINSERT INTO bill VALUES (%d,%d,'2024-01-%02d','paid');\nINSERT INTO bill_line VALUES (%d,1,'nail',%d,1.25);\nINSERT INTO refund VALUES (%d,%d,0.50);\n",
			i, i, i, i, i, i, i, i, i%28+1, i, i, i, i)
	}
	for _, engine := range []string{"mysql", "mariadb"} {
		t.Run(engine, func(t *testing.T) {
			start(t, engine) // or skip
			s := must.Get(local.Start(t.Context(), local.Options{Engine: engine, Database: "shop",
				Load: strings.NewReader(script)}))(t)
			t.Cleanup(func() { s.Close() })
			before := checksums(t, s, schema)
			db := open(t, s.DSN(), runner.Limits{Timeout: 20 * time.Second})
			ran, refused := 0, 0
			for line := range strings.Lines(string(text)) {
				line = strings.TrimSpace(line)
				if line == "" || strings.HasPrefix(line, "#") {
					continue
				}
				stmt := strings.NewReplacer("⏎", "\n", "␀", "\x00").Replace(line)
				q, v, err := sqlcheck.Check(stmt, schema)
				must.Have(t, err == nil && v.OK, stmt, v, err)
				res, err := db.Query(t.Context(), q)
				var qe *runner.QueryError
				switch {
				case errors.As(err, &qe): // what one server has and the other has not
					refused++
					t.Logf("%s refuses %s: %v", engine, q.SQL(), qe)
				case err != nil:
					t.Errorf("%s: %v", q.SQL(), err)
				default:
					ran++
					if len(res.Rows) > 1000 {
						t.Errorf("%s: %d rows", q.SQL(), len(res.Rows))
					}
				}
			}
			must.Equal(t, checksums(t, s, schema), before, "the data changed")
			t.Logf("%d statements ran, %d were refused by the server", ran, refused)
			must.Be(t, ran >= 100 && refused <= 12, ran, "ran", refused, "were refused")
		})
	}
}

// checksums are those of every table, taken by the server.
func checksums(t *testing.T, s *local.Server, schema *schema.Schema) string {
	t.Helper()
	admin := must.Get(sql.Open("mysql", s.AdminDSN()))(t)
	defer admin.Close()
	var out []string
	for _, name := range schema.TableNames() {
		var table, sum string
		must.Do(t, admin.QueryRowContext(context.Background(), "CHECKSUM TABLE "+runner.QuoteName(name)).Scan(&table,
			&sum))
		out = append(out, table+"="+sum)
	}
	return strings.Join(out, " ")
}
