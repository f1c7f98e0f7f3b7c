package embedded

import (
	"fmt"
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

const floatsScript = `CREATE TABLE t (i INT PRIMARY KEY, f FLOAT, g FLOAT(10,2), e DOUBLE(10,2), d DOUBLE, s VARCHAR(30));
INSERT INTO t VALUES (1,3.1415927,2.345,2.345,3.1415927,'x'),(2,16777217,1234567.89,1234567.89,16777217,'y'),(3,0.1,1.005,1.005,0.1,'z'),
 (4,1e10,7,7,1e10,'q'),(5,1.23456789e-7,1,1,1e-7,'r'),(6,-123456.789,5,5,-1.5,'w'),(7,NULL,NULL,NULL,NULL,NULL),(8,1234565,1,1,1,'k');`

// Where the value of a FLOAT stands as a table holds it MySQL prints six digits, of an expression all that tell it
// from the next FLOAT, and of what is computed of one those of a DOUBLE.
func TestFloats(t *testing.T) {
	const six, all, double = "3.14159 1.67772e+07 0.1 1e+10 1.23457e-07 -123457 <nil> 1.23456e+06",
		"3.1415927 1.6777216e+07 0.1 1e+10 1.2345679e-07 -123456.79 <nil> 1.234565e+06",
		"3.1415927410125732 1.6777216e+07 0.10000000149011612 1e+10 1.234567861274627e-07 -123456.7890625 <nil> 1.234565e+06"
	db := openScript(t, floatsScript)
	answer := func(t *testing.T, db runner.DB, expr string) string {
		t.Helper()
		if !strings.HasPrefix(expr, "SELECT") && !strings.HasPrefix(expr, "WITH") {
			expr = "SELECT " + expr + " FROM t ORDER BY i"
		}
		r := must.Get(ask(t.Context(), db, expr))(t, expr)
		var cells []string
		for _, row := range r.Rows {
			cells = append(cells, strings.Trim(fmt.Sprint(row...), " "))
		}
		return strings.Join(cells, " ")
	}
	tests := []struct{ expr, want string }{
		{"f", six},
		{"SELECT x FROM (SELECT i, f x FROM t) y ORDER BY i", six},
		{"SELECT x FROM (SELECT DISTINCT i, f x FROM t) y ORDER BY i", six},
		{"WITH c AS (SELECT i, f FROM t) SELECT f FROM c ORDER BY i", six},
		{"SELECT f FROM t UNION SELECT f FROM t ORDER BY 1",
			"<nil> -123457 1.23457e-07 0.1 3.14159 1.23456e+06 1.67772e+07 1e+10"},
		{"SELECT f FROM t GROUP BY f WITH ROLLUP",
			"<nil> -123457 1.23457e-07 0.1 3.14159 1.23456e+06 1.67772e+07 1e+10 <nil>"},
		{"CONCAT(f, '')", "3.14159 16777200 0.1 10000000000 0.000000123457 -123457 <nil> 1234560"},
		{"CAST(f AS CHAR)", "3.14159 16777200 0.1 10000000000 0.000000123457 -123457 <nil> 1234560"},
		{"SELECT GROUP_CONCAT(f ORDER BY i) FROM t", "3.14159,16777200,0.1,10000000000,0.000000123457,-123457,1234560"},
		{"SELECT i FROM t WHERE f LIKE '3.14159'", "1"},
		{"MAX(f) OVER (PARTITION BY i)", double},
		{"FIRST_VALUE(f) OVER (PARTITION BY i)", double},
		{"LAG(f, 0) OVER (ORDER BY i)", double},
		{"IFNULL(f, f)", all},
		{"COALESCE(f, NULL)", all},
		{"IF(i > 0, f, 1)", all},
		{"CASE WHEN i > 0 THEN f END", all},
		{"NULLIF(f, 7)", all},
		{"(SELECT f FROM t x WHERE x.i = t.i)", all},
		{"SELECT ANY_VALUE(f) FROM t GROUP BY i ORDER BY i", all},
		{"SELECT MIN(f) FROM t GROUP BY i ORDER BY i", all},
		{"COALESCE(f, i) + 0", strings.Replace(double, "<nil>", "7", 1)},
		{"f + 0", double},
		{"- (- f)", double},
		{"ABS(f) * SIGN(f)", double},
		{"CONCAT(IFNULL(f, f), '')",
			"3.1415927410125732 16777216 0.10000000149011612 10000000000 0.0000001234567861274627 -123456.7890625 <nil> 1234565"},
		{"SELECT f FROM t WHERE i < 4 UNION ALL SELECT s FROM t WHERE i = 1 ORDER BY 1",
			"0.10000000149011612 16777216 3.1415927410125732 x"},
		{"JSON_ARRAY(f)", "[3.1415927410125732] [16777216.0] [0.10000000149011612] [10000000000.0] [0.0000001234567861274627] [-123456.7890625] [null] [1234565.0]"},
		{"g", "2.35 1.2345679e+06 1 7 1 5 <nil> 1"},
		{"CONCAT(g, '')", "2.35 1234567.88 1.00 7.00 1.00 5.00 <nil> 1.00"},
		{"e", "2.35 1.23456789e+06 1 7 1 5 <nil> 1"},
	}
	for _, tt := range tests {
		must.Equal(t, answer(t, db, tt.expr), tt.want, tt.expr)
	}
	clone := cloneOf(t, db, func(_ schema.Table, rows [][]any) ([][]any, error) { return rows, nil })
	must.Equal(t, answer(t, clone, "f + 0"), double, "a clone holds")
	t.Run("mysql", func(t *testing.T) {
		server := mysqlServer(t, "x", []byte(floatsScript))
		for _, tt := range tests {
			must.Equal(t, answer(t, server, tt.expr), tt.want, tt.expr)
		}
	})
}
