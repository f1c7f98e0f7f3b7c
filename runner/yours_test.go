package runner_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nl2sql/runner"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

// shop is loaded onto a server of yours.
const shop = "CREATE TABLE digit (n int PRIMARY KEY);\nINSERT INTO digit VALUES " +
	"(0),(1),(2),(3),(4),(5),(6),(7),(8),(9);\n" +
	"CREATE TABLE customer (id int PRIMARY KEY, name varchar(40) NOT NULL COMMENT 'as on the bill', born date, " +
	"UNIQUE KEY (name)) COMMENT 'who buys';\n" +
	"CREATE TABLE sale (id int PRIMARY KEY, who int NOT NULL, paid decimal(8,2), CONSTRAINT buyer FOREIGN KEY (who) " +
	"REFERENCES customer (id));\n" +
	"INSERT INTO customer VALUES (1, 'Ann', '1990-02-03'), (2, 'Bob 縗', NULL);\nINSERT INTO sale VALUES (1, 1, 9.5), " +
	"(2, 1, NULL);\n" +
	"CREATE VIEW buyers AS SELECT c.name FROM customer c JOIN sale s ON s.who = c.id;\n"

// What the runner needs of a server, also of one that no test starts, such as TiDB: NL2SQL_SERVER is the DSN of a user
// who may make databases, without parameters; the one that it names, with _nl2sql_test behind it, must not be there.
func TestServerOfYours(t *testing.T) {
	if dsn := os.Getenv("NL2SQL_SERVER"); dsn != "" {
		serverOfYours(t, dsn+"_nl2sql_test")
		return
	}
	each(t, func(t *testing.T, s *local.Server) { serverOfYours(t, s.AdminDSN()+"_nl2sql_test") })
}

func serverOfYours(t *testing.T, dsn string) {
	db := must.Get(runner.Create(t.Context(), dsn, strings.NewReader(shop), runner.Limits{Timeout: time.Second}))(t)
	must.Close(t, db)
	b := db.Backend()
	t.Logf("%s %s", b.Engine, b.Version)
	inner := must.Get(runner.Open(t.Context(), dsn, runner.Limits{Timeout: time.Second}))(t)
	defer inner.Close()
	known := must.Get(db.Schema(t.Context()))(t)
	t.Run("schema", func(t *testing.T) {
		sale, _ := known.Table("sale")
		customer, _ := known.Table("customer")
		view, ok := known.Table("buyers")
		if !ok || view.Reads != 2 {
			t.Errorf("the view: %+v", view)
		}
		want := []schema.ForeignKey{{Columns: []string{"who"}, RefTable: "customer", RefColumns: []string{"id"}}}
		must.Same(t, sale.ForeignKeys, want)
		name, _ := customer.Column("name")
		if customer.Rows != 2 || customer.Comment != "who buys" || name.Comment != "as on the bill" || name.Nullable ||
			cmp.Diff([][]string{{"name"}}, customer.Unique) != "" ||
			cmp.Diff([]string{"id"}, customer.PrimaryKey) != "" {
			t.Errorf("%+v", customer)
		}
	})
	t.Run("query", func(t *testing.T) {
		q, verdict, err := sqlcheck.Check("SELECT c.name, SUM(s.paid), COUNT(*) FROM customer c LEFT JOIN sale s ON "+
			"s.who = c.id GROUP BY c.id, c.name ORDER BY c.id", known)
		must.Have(t, err == nil && verdict.OK, verdict, err)
		res := must.Get(db.Query(t.Context(), q))(t)
		must.Same(t, res.Rows, [][]any{{"Ann", runner.Decimal("9.50"), int64(2)}, {"Bob 縗", nil, int64(1)}})
	})
	t.Run("refused", func(t *testing.T) {
		for text, code := range map[string]uint16{"SELECT nope FROM sale": 1054, "SELECT * FROM nope": 1146,
			"SELECT name, id + 1 FROM customer GROUP BY born": 1055} {
			if _, err := runner.Run(t.Context(), inner, text, runner.Limits{}); !isQueryError(err, code) {
				t.Errorf("%s: %v, want %d", text, err, code)
			}
		}
	})
	t.Run("nothing is written", func(t *testing.T) {
		for _, text := range []string{"INSERT INTO digit VALUES (10)", "DELETE FROM sale",
			"UPDATE digit SET n = n + 100"} {
			if _, err := runner.Run(t.Context(), inner, text, runner.Limits{}); err == nil {
				t.Errorf("%s: no error", text)
			}
		}
		res, err := runner.Run(t.Context(), inner, "SELECT (SELECT SUM(n) FROM digit), (SELECT COUNT(*) FROM sale)",
			runner.Limits{})
		must.Be(t, err == nil && fmt.Sprint(res.Rows) == "[[45 2]]", res.Rows, err)
	})
	t.Run("time", func(t *testing.T) {
		for _, text := range []string{endless("timeout_mark"), "SELECT SLEEP(20) AS timeout_mark"} {
			_, err := runner.Run(t.Context(), inner, text, runner.Limits{Timeout: time.Second})
			if code := map[string]uint16{"mysql": 3024, "tidb": 3024,
				"mariadb": 1969}[b.Engine]; !isQueryError(err, code) {
				t.Errorf("%s: %v", text, err)
			}
		}
		wantGone(t, dsn, "timeout_mark")
	})
	t.Run("cancel", func(t *testing.T) {
		for _, text := range []string{endless("cancel_mark"), "SELECT SLEEP(30) AS cancel_mark"} {
			ctx, cancel := context.WithCancel(t.Context())
			onceRunning(t, dsn, "cancel_mark", 1, cancel)
			if _, err := runner.Run(ctx, inner, text, runner.Limits{Timeout: time.Minute}); !errors.Is(err,
				context.Canceled) {
				t.Errorf("%s: %v", text, err)
			}
		}
		wantGone(t, dsn, "cancel_mark")
	})
	t.Run("caps", func(t *testing.T) {
		res, err := runner.Run(t.Context(), inner, rows("caps_mark"), runner.Limits{Rows: 5, Timeout: time.Minute})
		must.Be(t, err == nil && res.Truncated && len(res.Rows) == 5, len(res.Rows), "rows", err)
		wantGone(t, dsn, "caps_mark")
	})
}

// wantGone wants no statement with the mark on the server: when a query returns, nothing of it runs there any more.
func wantGone(t *testing.T, dsn, mark string) {
	t.Helper()
	must.Equal(t, must.Get(statementsWith(dsn, mark))(t), 0, "statements with", mark)
}
