package runner_test

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"nl2sql/runner"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

var (
	texts    = flag.Int("texts", 3000, "texts that TestTextsMeanTheSame writes")
	textSeed = flag.Uint64("textseed", 1, "seed of TestTextsMeanTheSame")
)

const readingScript = `CREATE TABLE t (i INT, j INT NOT NULL, d DECIMAL(6,2), f DOUBLE, s VARCHAR(20), c CHAR(4) NOT NULL, day DATE, at DATETIME, o JSON, PRIMARY KEY (j));
INSERT INTO t VALUES (1, 2, 1.50, 0.25, 'abc', 'a', '2004-06-01', '2004-06-01 12:30:00', '{"a": [1, 2, {"b": "x"}]}'),
 (NULL, 0, -2.25, NULL, 'Déjà %_x', '', '2003-12-31', NULL, '[1, "a"]'), (-7, 5, NULL, 1e10, NULL, 'B\\', NULL, '2004-02-29 23:59:59', NULL);
CREATE TABLE u (j INT PRIMARY KEY, k INT, s VARCHAR(20));
INSERT INTO u VALUES (0, 1, 'x'), (2, NULL, 'abc'), (9, 3, '12');`

// TestTextsMeanTheSame asks MySQL random texts as they are and as the checker restores them. They are about syntax:
// signs that run together, precedence without brackets, literals, comments, forms that the grammar has of its own.
//
//	go test ./runner -run TextsMeanTheSame -texts 300000 -v
func TestTextsMeanTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a server, which -short leaves out")
	}
	server, err := local.Start(t.Context(), local.Options{Engine: "mysql", Database: "reading",
		Load: strings.NewReader(readingScript)})
	if err != nil && strings.Contains(err.Error(), "make mysql") {
		t.Skip(err)
	}
	must.Do(t, err)
	defer server.Close()
	db := must.Get(runner.Open(t.Context(), server.DSN(), runner.Limits{}))(t)
	defer db.Close()
	schema := must.Get(db.Schema(t.Context()))(t)
	raw := must.Get(sql.Open("mysql", server.DSN()+"?charset=utf8mb4"))(t)
	defer raw.Close()
	raw.SetMaxOpenConns(1)
	count := map[string]int{}
	w := &writer{Rand: rand.New(rand.NewPCG(*textSeed, 7))}
	start := time.Now()
	for range *texts {
		text := w.statement()
		q, v, err := sqlcheck.Check(text, schema)
		must.Do(t, err, text)
		if !v.OK {
			count["refused: "+string(v.Reason)]++
			if v.Reason == "restored_otherwise" && !strings.HasPrefix(v.Detail, "INTERVAL") {
				t.Errorf("%s: %s", v, text)
			}
			continue
		}
		want, wantErr := answerOf(t.Context(), raw, text)
		got, gotErr := answerOf(t.Context(), raw, q.SQL())
		switch {
		case wantErr == gotErr && (wantErr != 0 || want == got):
			count["the same"]++
		default:
			if count["different"]++; count["different"] <= 40 {
				t.Errorf("text     %s\nrestored %s\nMySQL    %d %q\nrestored %d %q", text, q.SQL(), wantErr,
					want, gotErr, got)
			}
		}
	}
	t.Logf("%d texts, seed %d, %v: %v", *texts, *textSeed, time.Since(start).Round(time.Second), count)
}

// answerOf is what a server says to a text, as it prints it.
func answerOf(ctx context.Context, db *sql.DB, text string) (string, uint16) {
	rows, err := db.QueryContext(ctx, text)
	if err != nil {
		return "", code(err)
	}
	defer rows.Close()
	cols, err := rows.Columns()
	if err != nil {
		return "", code(err)
	}
	var out strings.Builder
	cells, into := make([]sql.RawBytes, len(cols)), make([]any, len(cols))
	for i := range cells {
		into[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return "", code(err)
		}
		for _, c := range cells {
			if c == nil {
				out.WriteString("NULL|")
			} else {
				fmt.Fprintf(&out, "%q|", c)
			}
		}
		out.WriteByte('\n')
	}
	return out.String(), code(rows.Err())
}

func code(err error) uint16 {
	var refused *mysql.MySQLError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &refused):
		return refused.Number
	}
	return 1
}

// writer writes random texts over the tables t and u.
type writer struct{ *rand.Rand }

func (w *writer) one(list ...string) string { return list[w.IntN(len(list))] }

// glue joins two pieces without a blank where that may matter.
func (w *writer) glue() string {
	return w.one("", "", " ", " ", "  ", "\n", "\t", "/**/", "/* -- */", " -- x\n", "# y\n", "/* ' */")
}

func (w *writer) statement() string {
	switch w.IntN(14) {
	case 0:
		return w.query(2) + w.one(" UNION ", " UNION ALL ", " UNION DISTINCT ") + w.query(2)
	case 1:
		return "(" + w.query(2) + ") UNION (" + w.query(2) + ") ORDER BY 1" + w.one("", " DESC", " LIMIT 2")
	case 2:
		return "WITH q AS (" + w.query(2) + "), r(z) AS (SELECT " + w.expr(1) + " FROM u) SELECT * FROM r" +
			w.one("", " WHERE z IS NOT NULL") + " ORDER BY z"
	case 3:
		return "SELECT " + w.expr(2) + " AS x, COUNT(*), " + w.aggregate() + " FROM t GROUP BY x" +
			w.one("", " WITH ROLLUP", " HAVING "+w.aggregate()+" > 1", " ORDER BY x DESC")
	case 4:
		return "SELECT j, " + w.window() + " FROM t ORDER BY j"
	}
	return w.query(3)
}

func (w *writer) query(depth int) string {
	from := w.one("t", "t", "t", "t AS t", "`t`", "t"+w.glue()+" t", "(SELECT * FROM t) t", "(SELECT * FROM t WHERE "+
		w.expr(depth-1)+") AS t")
	where := ""
	if w.IntN(2) == 0 {
		where = " WHERE" + w.glue() + " " + w.expr(depth)
	}
	order := w.one(" ORDER BY j", " ORDER BY t.j DESC", " ORDER BY 1", " ORDER BY j LIMIT 2", " ORDER BY j LIMIT 1,1",
		" ORDER BY j LIMIT 1 OFFSET 1", " ORDER BY -j, j")
	return "SELECT " + w.one("", "", "", "ALL ", "DISTINCT ") + "t.j," + w.glue() + w.expr(depth) +
		w.one("", " x", " AS x", " AS `a b`", " 'é'") + " FROM " + from + where + strings.ReplaceAll(order,
		"ORDER BY 1", "ORDER BY t.j")
}

// expr is an expression; it is in brackets only now and then.
func (w *writer) expr(depth int) string {
	if depth <= 0 {
		return w.leaf()
	}
	x := func() string {
		e := w.expr(depth - 1)
		if w.IntN(6) == 0 {
			return "(" + e + ")"
		}
		return e
	}
	g := w.glue
	switch w.IntN(34) {
	case 0, 1, 2:
		return x() + g() + w.one("+", "-", "*", "/", "%", " DIV ", " MOD ", "&", "|", "^", "<<", ">>") + g() + x()
	case 3, 4, 5:
		return x() + g() + w.one("=", "<", ">", "<=", ">=", "<>", "!=", "<=>") + g() + x()
	case 6, 7:
		return x() + g() + w.one(" AND ", " OR ", " XOR ", "&&", "||") + g() + x()
	case 8, 9:
		return w.one("!", "!", "! ", "!!", "! !", "-", "- ", "- -", "--", "+", "~", "~ ", "NOT ", "NOT NOT ", "-!",
			"!-", "!~", "~!") + g() + x()
	case 10:
		return x() + w.one(" ", " NOT ") + "BETWEEN " + x() + " AND " + x()
	case 11:
		return x() + w.one(" ", " NOT ") + "IN (" + x() + ", " + x() + ")"
	case 12:
		return x() + w.one(" ", " NOT ") + w.one("LIKE ", "LIKE ", "REGEXP ", "RLIKE ") + w.one("'%a%'", "'a_'",
			"'\\\\%'", "'\\%x'", "'%|_%' ESCAPE '|'", "'a' 'b%'", "N'a%'", "CONCAT('%','x')", "'[a-c]'")
	case 13:
		return x() + " IS " + w.one("NULL", "NOT NULL", "TRUE", "NOT TRUE", "FALSE", "NOT FALSE",
			"UNKNOWN", "NOT UNKNOWN")
	case 14:
		return w.date(depth-1) + g() + w.one("+", "-") + " INTERVAL " + w.one("1", "-1", "'1'", "j", "(1+1)", "1+1",
			"1.5", "-j") + w.one(" DAY", " MONTH", " SECOND", " YEAR", " WEEK", " QUARTER") +
			w.one("", "", " + INTERVAL 1 DAY", " > '2004-06-01'", " + 1", " IS NULL")
	case 15:
		return w.one("", "(") + "INTERVAL " + w.one("1", "j") + " DAY" + g() + "+" + g() + w.date(0) +
			w.one("", " > '2004-06-01'", " + 1", " IS NULL", ")")
	case 16:
		return "CASE " + w.one("", x()+" ") + "WHEN " + x() + " THEN " + x() + w.one("", " ELSE "+x()) + " END"
	case 17:
		return w.one("IF(", "COALESCE(", "CONCAT_WS(", "GREATEST(", "FIELD(", "ELT(1, ") + x() + ", " +
			x() + ", " + x() + ")"
	case 18:
		return w.one("TRIM("+w.text(depth-1)+")", "TRIM(BOTH 'a' FROM "+w.text(depth-1)+")", "TRIM(LEADING FROM "+
			w.text(depth-1)+")", "TRIM(TRAILING 'c' FROM s)", "TRIM('a' FROM s)",
			"SUBSTRING(s FROM 2 FOR 1)", "SUBSTRING(s, -2)", "SUBSTR("+w.text(depth-1)+" FROM 2)", "MID(s, 1, 2)",
			"POSITION('b' IN s)", "LOCATE('b', s, 1)", "LEFT(s, 2)", "INSERT(s, 1, 2, 'zz')", "CHAR(65, 66.4, '67')")
	case 19:
		return w.cast()
	case 20:
		return w.one("EXTRACT(YEAR FROM ", "EXTRACT(DAY_HOUR FROM ", "YEAR(", "WEEK(", "LAST_DAY(", "TO_DAYS(", "DATE(",
			"TIME(") + w.date(depth-1) + ")"
	case 21:
		return w.one("DATE_ADD(", "DATE_SUB(", "ADDDATE(", "SUBDATE(") + w.date(depth-1) + ", INTERVAL " +
			w.one("1", "-2", "'1 2'", "j") + w.one(" DAY", " DAY_HOUR", " MONTH", " MINUTE") + ")"
	case 22:
		return w.one("ADDDATE(day, 5)", "SUBDATE(day, 1)", "TIMESTAMPADD(DAY, 1, day)", "TIMESTAMPDIFF(MONTH, day, at)",
			"DATEDIFF(at, day)", "DATE_FORMAT(at, '%Y-%m %%')", "GET_FORMAT(DATE, 'USA')",
			"STR_TO_DATE('2004-06-01', '%Y-%m-%d')", "INTERVAL(j, 1, 3)", "INTERVAL (j, 1)")
	case 23:
		return w.text(depth-1) + g() + " COLLATE " + w.one("utf8mb4_bin", "utf8mb4_general_ci", "utf8mb4_0900_as_cs") +
			w.one("", " = 'ABC'", " LIKE 'A%'")
	case 24:
		return w.one("_utf8mb4'abc' COLLATE utf8mb4_bin", "_utf8'abc' COLLATE utf8_bin", "_utf8mb4'a' = s",
			"N'abc' = s", "n'x'", "HEX(_utf8mb4 0xC3A9)", "HEX(_utf8 x'41')", "CHARSET(_utf8'x')",
			"COLLATION(_utf8mb4'x')", "CHARSET(N'x')", "COERCIBILITY(_utf8mb4'a')")
	case 25:
		return w.one("o->'$.a'", "o->>'$.a[2].b'", "o->'$[0]' = 1", "JSON_EXTRACT(o, '$.a', '$[1]')",
			"JSON_UNQUOTE(o->'$[1]')", "JSON_CONTAINS(o, '1')", "JSON_LENGTH(o)", "o->\"$**.b\"", "JSON_OBJECT('k', "+
				x()+")", "CAST(o AS CHAR)")
	case 26:
		return "(SELECT " + w.one("MAX(k)", "MIN(u.s)", "COUNT(*)", "SUM(k+0)") + " FROM u" +
			w.one("", " WHERE u.j = t.j", " WHERE u.j"+g()+">"+g()+"t.j") + ")"
	case 27:
		return w.one("", "NOT ") + "EXISTS (SELECT 1 FROM u WHERE u.j = t.j AND " + w.one("u.k IS NULL", "!u.k", "t.i",
			"u.s = t.s") + ")"
	case 28:
		return x() + w.one(" ", " NOT ") + "IN (SELECT " + w.one("j", "k", "s") + " FROM u" +
			w.one("", " WHERE k IS NOT NULL") + ")"
	case 29:
		return w.one("i", "j", "s") + g() + w.one("=", "<", ">=", "<>") + w.one(" ANY ", " ALL ", " SOME ") +
			"(SELECT " + w.one("j", "k") + " FROM u)"
	case 30:
		return "(" + w.leaf() + ", " + w.leaf() + ")" + w.one("=", " = ROW", "<", "<=>") + "(" + w.leaf() +
			", " + w.leaf() + ")"
	case 31:
		return w.one("BINARY ", "BINARY") + g() + " " + w.text(0) + w.one("", " = 'ABC'")
	case 32:
		return w.one("ABS", "FLOOR", "ROUND", "HEX", "LENGTH", "ISNULL", "SIGN", "UPPER", "QUOTE", "REVERSE",
			"BIT_COUNT") + w.one("(", "("+g()) + x() + ")"
	}
	return "(" + x() + ")"
}

func (w *writer) cast() string {
	kind := w.one("CHAR", "CHAR(2)", "SIGNED", "UNSIGNED", "SIGNED INTEGER", "DECIMAL(8,1)", "DECIMAL", "DATE",
		"DATETIME(3)", "TIME", "BINARY", "BINARY(3)", "JSON", "CHAR CHARACTER SET utf8mb4", "NCHAR(2)")
	if w.IntN(3) == 0 {
		return w.one("CONVERT("+w.expr(1)+", "+kind+")", "CONVERT(s USING utf8mb4)", "CONVERT(s USING latin1)",
			"CONVERT(d, CHAR)")
	}
	return "CAST(" + w.expr(1) + " AS " + kind + ")"
}

func (w *writer) date(depth int) string {
	if depth > 0 && w.IntN(3) == 0 {
		return "LAST_DAY(" + w.date(depth-1) + ")"
	}
	return w.one("day", "at", "t.day", "DATE '2004-02-29'", "DATE'2004-1-1'", "TIMESTAMP '2004-05-06 07:08:09.5'",
		"'2004-06-15'", "{d '2004-06-01'}", "{ts '2004-06-01 01:02:03'}", "TIME '10:11:12'", "20040601")
}

func (w *writer) text(depth int) string {
	if depth > 0 && w.IntN(3) == 0 {
		return w.one("UPPER(", "CONCAT('x', ", "LOWER(") + w.text(depth-1) + ")"
	}
	return w.one("s", "c", "t.s", "'abc'", "\"d\"", "'it''s'", "'a\\\\b'", "\"q\"\"q\"", "'a' 'b'", "'\\n\\t\\Z'",
		"'\\%\\_'", "'é😀'", "''", "'-- x'", "'/* y */'", "'\\''")
}

func (w *writer) leaf() string {
	switch w.IntN(5) {
	case 0:
		return w.text(0)
	case 1:
		return w.date(0)
	}
	return w.one("i", "j", "d", "f", "t.i", "`t`.`j`", "t . d", "0", "1", "2", "-1", "1.5", ".5", "5.", "1e3", "1E-2",
		"0.10", "0x41", "x'4142'", "X'00'", "0b101", "b'11'", "B'1'", "NULL", "TRUE", "FALSE", "9223372036854775807",
		"9223372036854775808", "18446744073709551615", "1.00", "00012")
}

func (w *writer) aggregate() string {
	return w.one("COUNT(DISTINCT "+w.leaf()+")", "SUM("+w.expr(1)+")", "SUM(DISTINCT i)", "AVG(ALL j)", "MAX("+
		w.expr(1)+")", "GROUP_CONCAT(s ORDER BY j DESC SEPARATOR ';')",
		"GROUP_CONCAT(DISTINCT c, j ORDER BY 2)", "BIT_OR(j)", "STD(j)", "VAR_SAMP(j)", "COUNT( * )",
		"JSON_ARRAYAGG(j)", "MIN(NOT j)", "SUM(!j)")
}

func (w *writer) window() string {
	by := w.one("ORDER BY j", "PARTITION BY i IS NULL ORDER BY j DESC",
		"ORDER BY j ROWS BETWEEN 1 PRECEDING AND CURRENT ROW", "ORDER BY j RANGE BETWEEN 2 PRECEDING AND 1 FOLLOWING",
		"ORDER BY j ROWS UNBOUNDED PRECEDING", "PARTITION BY !j ORDER BY j",
		"ORDER BY day RANGE BETWEEN INTERVAL 1 MONTH PRECEDING AND INTERVAL 1 DAY FOLLOWING")
	return w.one("ROW_NUMBER()", "RANK()", "SUM(j)", "COUNT(*)", "LAG(j, 1, 0)", "LEAD(j)", "FIRST_VALUE(s)",
		"NTILE(2)", "NTH_VALUE(j, 2)", "MAX(!j)") + " OVER (" + by + ")"
}
