package runner_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/role"
	"nl2sql/sqlcheck/schema"
)

// roleShop is a database with a secret in every place that a role may not see: rows of other clerks, a hidden and a
// masked column, a hidden table, and views over all of them. What a hole shows begins with "sec" or is 4711 or more.
const roleShop = `CREATE TABLE clerk (id int NOT NULL, name varchar(40) NOT NULL, secpay decimal(10,2) NOT NULL, PRIMARY KEY (id));
CREATE TABLE client (id int NOT NULL, name varchar(40) NOT NULL, credit bigint, clerk int NOT NULL, secnote varchar(40), secnum bigint, PRIMARY KEY (id));
CREATE TABLE bill (no int NOT NULL, client int NOT NULL, day date NOT NULL, sum bigint NOT NULL, word varchar(40), PRIMARY KEY (no));
CREATE TABLE item (no int NOT NULL, what varchar(40) NOT NULL, PRIMARY KEY (no));
CREATE TABLE sectable (id int NOT NULL, name varchar(40), PRIMARY KEY (id));
CREATE VIEW rich AS SELECT client.id AS id, client.name AS name, bill.sum AS sum FROM client JOIN bill ON bill.client = client.id;
CREATE VIEW secview AS SELECT id, secnote FROM client;
INSERT INTO item VALUES (1, 'pen'), (2, 'ink'), (3, 'cap');
INSERT INTO clerk VALUES (1, 'Ann', 1), (2, 'Bob', 2);
`

// roleShops are two databases in which the role sees the same: what it does not see differs in each cell, in numbers of
// rows, and in whether it makes errors.
var roleShops = [2]string{
	roleShop + `INSERT INTO client VALUES (1, 'Kim', 10, 7, 'secret', 4711), (2, 'Lee', 20, 7, NULL, 0), (3, 'Max', 30, 8, 'secret', 1);
INSERT INTO bill VALUES (1, 1, '2024-01-01', 5, '12'), (2, 1, '2024-02-01', 7, 'x'), (3, 2, '2024-03-01', 9, NULL), (4, 3, '2024-03-01', 1, 'secword');
INSERT INTO sectable VALUES (1, 'secname');`,
	roleShop + `INSERT INTO client VALUES (1, 'Kim', 9223372036854775807, 7, 'secure', NULL), (2, 'Lee', NULL, 7, '5', 9223372036854775807), (4, 'secmax', 9223372036854775807, 9, 'secure', 0), (5, '3', 0, 8, NULL, 5), (6, 'Kim', 10, 6, NULL, 5);
INSERT INTO bill VALUES (1, 1, '2024-01-01', 5, '12'), (2, 1, '2024-02-01', 7, 'x'), (3, 2, '2024-03-01', 9, NULL), (5, 4, '9999-12-31', 9223372036854775807, 'x'), (6, 4, '1999-12-31', 0, ''), (7, 6, '2024-01-01', 5, '{');
INSERT INTO sectable VALUES (1, NULL), (2, 'x'), (3, 'y');`,
}

const roleShopRole = `
values: {me: int}
tables:
  clerk: {columns: [id, name]}
  client: {hidden: [secnote, secnum], masked: [credit], where: 'clerk = @me AND COALESCE(secnum, 1) >= 0'}
  bill: client IN (SELECT id FROM client WHERE clerk = @me)
  item:
  rich:
`

var roleAttacks = flag.Int("roleattacks", must.Long(600, 20_000), "attacks that TestRoleAttacks draws for each engine")

// attacks are statements that would tell of what a role does not see. {c} is a column of the table {t}, {k} its key.
var attacks = []string{
	"SELECT * FROM {t}", "SELECT COUNT(*) FROM {t}", "SELECT COUNT({c}), MIN({c}), MAX({c}) FROM {t}",
	"SELECT SUM({c}), AVG({c}), STDDEV({c}) FROM {t}", "SELECT GROUP_CONCAT({c} ORDER BY {c}) FROM {t}",
	"SELECT JSON_ARRAYAGG({c}) FROM {t}", "SELECT {c}, COUNT(*) FROM {t} GROUP BY {c} HAVING COUNT(*) > 1",
	"SELECT DISTINCT {c} FROM {t} ORDER BY {c}", "SELECT {k} FROM {t} ORDER BY {c} DESC, {k} LIMIT 1",
	"SELECT 1 FROM item WHERE EXISTS (SELECT 1 FROM {t} WHERE {c} > 4000)", "SELECT no FROM item WHERE no NOT IN (SELECT {k} FROM {t})",
	"SELECT no FROM item WHERE no >= ALL (SELECT {k} FROM {t})", "SELECT no FROM item WHERE 9 < ANY (SELECT {c} FROM {t})",
	// errors
	"SELECT no FROM item WHERE no = (SELECT {k} FROM {t})", "SELECT (SELECT {k} FROM {t} WHERE {k} > 3)",
	"SELECT (SELECT {c} FROM {t} WHERE {c} = 5)", "SELECT COUNT(*) FROM {t} WHERE {c} * 9223372036854775807 > 1",
	"SELECT {k} FROM {t} WHERE {c} + 9223372036854775800 < 0", "SELECT {k} FROM {t} WHERE {k} > 0 AND {c} + 9223372036854775800 <> 0 ORDER BY {k}",
	"SELECT {k} FROM {t} WHERE EXP({c}) > 1", "SELECT {k}, POW({c}, 99) FROM {t} WHERE {k} = 4", "SELECT {k} FROM {t} ORDER BY {c} * {c} * 9, {k}",
	"SELECT SUM({c} * {c}) FROM {t}", "SELECT {k} FROM {t} GROUP BY {k}, {c} * 9223372036854775807", "SELECT MAX({c} - -9223372036854775807) FROM {t}",
	"SELECT {k} FROM {t} WHERE 1 / {c} > 0", "SELECT {k} FROM {t} WHERE {c} DIV 0 IS NULL AND MOD({c}, 2) = 1", "SELECT CAST({c} AS UNSIGNED) - 10 FROM {t}",
	"SELECT {k} FROM {t} WHERE CAST({c} AS DATE) > '2020-01-01'", "SELECT {k} FROM {t} WHERE JSON_EXTRACT({c}, '$.a') IS NULL",
	"SELECT {k} FROM {t} WHERE {c} REGEXP '['", "SELECT {k} FROM {t} WHERE ABS({c}) = -({c} - 1)", "SELECT {k} FROM {t} WHERE ST_X({c}) = 1",
	"SELECT a.{k} FROM {t} a LEFT JOIN {t} b ON a.{k} = b.{k} AND b.{c} + 9223372036854775800 > 0 ORDER BY 1",
	// patterns, and order
	"SELECT {k} FROM {t} WHERE {c} LIKE 's%'", "SELECT COUNT(*) FROM {t} WHERE {c} RLIKE '^sec'", "SELECT {k} FROM {t} WHERE SUBSTRING({c}, 1, 1) = 's'",
	"SELECT {k}, ROW_NUMBER() OVER (ORDER BY {c}, {k}) FROM {t}", "SELECT {k}, LAG({k}) OVER (ORDER BY {k}) FROM {t}",
	"SELECT {k}, RANK() OVER (PARTITION BY {c} ORDER BY {k}) r FROM {t}", "SELECT {k} FROM {t} ORDER BY {k} LIMIT 1 OFFSET 2",
	// dependencies
	"SELECT {c} FROM {t} GROUP BY {k}", "SELECT t1.{c}, COUNT(*) FROM {t} t1 JOIN item ON item.no = t1.{k} GROUP BY t1.{k}", "SELECT {k}, {c} FROM {t} GROUP BY {c}",
	"SELECT {c}, {k} FROM {t} GROUP BY {k} HAVING {c} > 1", "SELECT x.{c} FROM (SELECT * FROM {t}) x GROUP BY x.{k}",
	// joins
	"SELECT * FROM {t} NATURAL JOIN item", "SELECT * FROM bill NATURAL JOIN {t}", "SELECT * FROM {t} NATURAL LEFT JOIN clerk",
	"SELECT * FROM client JOIN clerk USING (name)", "SELECT COUNT(*) FROM {t} a JOIN {t} b USING ({c})", "SELECT COUNT(*) FROM {t} a, {t} b",
	"SELECT COUNT(*) FROM {t} a JOIN {t} b ON a.{c} = b.{c}", "SELECT item.no, x.{c} FROM item LEFT JOIN {t} x ON x.{k} = item.no ORDER BY 1, 2",
	"SELECT item.no, x.{c} FROM {t} x RIGHT JOIN item ON x.{k} = item.no + 2 ORDER BY 1, 2", "SELECT COUNT(*) FROM item LEFT JOIN {t} ON {t}.{c} IS NULL",
	"SELECT COUNT(*) FROM item LEFT JOIN (client JOIN bill ON bill.client = client.id) ON client.id = item.no",
	// names
	"SELECT * FROM {db}.{t}", "SELECT {db}.{t}.{c} FROM {db}.{t}", "SELECT * FROM `{t}`", "SELECT {T}.{C} FROM {T}", "SELECT {t}.* FROM {t}",
	"SELECT `{c}` FROM `{db}`.`{t}` AS `{t}`", "WITH {t} AS (SELECT * FROM {t}) SELECT * FROM {t}", "WITH {t} AS (SELECT 1 AS {k}) SELECT * FROM {db}.{t}",
	"WITH client AS (SELECT 4 AS id, 7 AS clerk UNION ALL SELECT 3, 7) SELECT * FROM bill", "WITH client AS (SELECT id, 7 AS clerk FROM client) SELECT * FROM {t}",
	"WITH clerk AS (SELECT * FROM {t}) SELECT * FROM clerk JOIN {db}.clerk c ON 1 = 1", "SELECT (SELECT COUNT(*) FROM {t}) FROM (SELECT 1 AS id, 7 AS clerk) AS client",
	"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 6) SELECT n, (SELECT {c} FROM {t} WHERE {k} = n) FROM r",
	"WITH x AS (SELECT * FROM {t}), {t} AS (SELECT * FROM x) SELECT COUNT(*) FROM {t}", "SELECT clerk.id FROM clerk WHERE EXISTS (SELECT 1 FROM {t} AS clerk WHERE clerk.{c} > 4000)",
	"SELECT * FROM {t} AS bill", "SELECT * FROM {t} AS `sec table`", "SELECT \"{c}\" FROM {t}", "SELECT {t}.secnote FROM {t}", "SELECT secnum FROM {t}",
	"SELECT 1 FROM client HAVING secnote > ''", "SELECT name FROM client ORDER BY secnum", "SELECT name AS secnum FROM client ORDER BY secnum",
	"SELECT COUNT(*) FROM client JOIN bill USING (secnum)", "SELECT id FROM item WHERE secpay = 1", "SELECT * FROM information_schema.columns",
	"SELECT * FROM information_schema.tables WHERE table_name LIKE 'sec%'", "SELECT * FROM mysql.user", "SELECT * FROM {db}.sectable", "SELECT * FROM sectabel", "TABLE {t}",
	"SELECT secnot FROM client", "SELECT * FROM secviw", "SELECT creditt FROM client", "SELECT clerk.secpy FROM clerk", "SELECT @me", "SELECT * FROM client WHERE clerk = @me",
	// sets and views
	"SELECT {c} FROM {t} UNION SELECT name FROM clerk ORDER BY 1", "SELECT no FROM item UNION ALL SELECT {c} FROM {t}", "SELECT {k} FROM {t} UNION SELECT {k} FROM {t} LIMIT 3",
	"SELECT {k} FROM {t} EXCEPT SELECT 4", "SELECT 2 INTERSECT SELECT {k} FROM {t}", "SELECT {k} FROM {t} WHERE no_such({c}) = 1",
	"SELECT COUNT(*), MAX(sum) FROM rich", "SELECT rich.name, client.credit FROM rich JOIN client USING (id)", "SELECT * FROM rich WHERE sum + 9223372036854775800 > 0", "SELECT id FROM secview",
	"SELECT no FROM item WHERE (no, 'Kim') IN (SELECT {k}, name FROM client)", "SELECT x.n FROM item, LATERAL (SELECT COUNT(*) n FROM {t} WHERE {k} > item.no) x",
	"SELECT * FROM {t} WHERE ROW({k}, 1) > ROW(3, 0)", "SELECT 1 FROM {t} LIMIT 4, 1", "SELECT ANY_VALUE({c}) FROM {t}", "SELECT BIT_XOR({c}), BIT_AND({k}) FROM {t}",
	"SELECT {k} FROM {t} WHERE {c} BETWEEN (SELECT MIN({c}) FROM {t}) AND 5 ORDER BY 1", "SELECT CASE WHEN {c} > 4000 THEN 1 / 0 ELSE {c} END FROM {t}",
	"SELECT IF(MAX({c}) > 4000, 9223372036854775807 + MAX({c}), 0) FROM {t}", "SELECT COALESCE({c}, EXP(999)) FROM {t}", "SELECT {k} FROM {t} WHERE {k} IN (4, 5, 6)",
}

// around is where an attack may stand in another statement.
var around = []string{"%s", "%s", "SELECT * FROM (%s) AS x", "WITH x AS (%s) SELECT COUNT(*) FROM x", "SELECT EXISTS (%s)", "SELECT no FROM item WHERE EXISTS (%s)",
	"SELECT 1 UNION ALL SELECT COUNT(*) FROM (%s) AS y", "SELECT item.no FROM item LEFT JOIN (%s) AS x ON 1 = 1", "SELECT (%s)"}

var roleColumns = map[string][]string{
	"client": {"id", "name", "credit", "clerk", "secnote", "secnum"}, "bill": {"no", "client", "day", "sum", "word"},
	"clerk": {"id", "name", "secpay"}, "rich": {"id", "name", "sum"}, "sectable": {"id", "name"}, "secview": {"id", "secnote"},
}

// drawAttack is attack n: the first ones are each of the list, as it is.
func drawAttack(n int, rng *rand.Rand) string {
	i, in := n, "%s"
	if n >= len(attacks) {
		i, in = rng.IntN(len(attacks)), around[rng.IntN(len(around))]
	}
	tables := []string{"client", "client", "client", "bill", "bill", "rich", "clerk", "sectable", "secview"}
	table := tables[rng.IntN(len(tables))]
	column := roleColumns[table][rng.IntN(len(roleColumns[table]))]
	sql := strings.NewReplacer("{t}", table, "{T}", strings.ToUpper(table), "{k}", roleColumns[table][0],
		"{c}", column, "{C}", strings.ToUpper(column)).Replace(attacks[i])
	return fmt.Sprintf(in, sql)
}

// roleSight is a database as it is and as the role sees it.
type roleSight struct {
	inner, as runner.DB
	full, see *schema.Schema
}

// told is all that somebody learns by a statement: what check says, what the database does. It runs nothing around the
// role.
func (r roleSight) told(ctx context.Context, t *testing.T, sql string) string {
	t.Helper()
	return tells(ctx, t, r.as, r.see, sql)
}

func tells(ctx context.Context, t *testing.T, db runner.DB, s *schema.Schema, sql string) string {
	t.Helper()
	q, v, err := sqlcheck.Check(strings.ReplaceAll(sql, "{db}", s.Name), s)
	must.Do(t, err)
	text := ""
	if !v.OK {
		text = fmt.Sprintf("refused %s %s", v, v.Hint)
	} else if res, err := db.Query(ctx, q); err != nil {
		must.Have(t, errors.As(err, new(*runner.QueryError)), sql, err)
		text = err.Error()
	} else {
		rows := make([]string, len(res.Rows))
		for i, row := range res.Rows {
			rows[i] = fmt.Sprintf("%q", row)
		}
		if !strings.Contains(sql, "ORDER BY") { // then the order is the engine's, which asks how large tables are
			slices.Sort(rows)
		}
		text = fmt.Sprintf("%q\n%s", res.Columns, strings.Join(rows, "\n"))
	}
	return strings.ReplaceAll(text, s.Name, "DB")
}

// TestRoleAttacks holds what a role tells on two databases that differ in nothing but in what it does not see.
//
//	go test ./runner -run RoleAttacks -roleattacks 20000 -v
func TestRoleAttacks(t *testing.T) {
	t.Run("embedded", func(t *testing.T) {
		attackRole(t, *roleAttacks, func(name, script string) runner.DB {
			return must.Get(embedded.OpenDump(t.Context(), name, strings.NewReader(script), runner.Limits{}))(t)
		})
	})
	for _, engine := range []string{"mysql", "mariadb"} {
		t.Run(engine, func(t *testing.T) {
			server := scratchServer(t, engine)
			attackRole(t, *roleAttacks, func(name, script string) runner.DB {
				db, err := server.Create(t.Context(), name, strings.NewReader(script), runner.Limits{Unread: true})
				must.Do(t, err)
				return db
			})
		})
	}
}

// scratchServer is a private server; the test is skipped where there is none.
func scratchServer(t *testing.T, engine string) *local.Server {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a server, which -short leaves out")
	}
	o := local.Scratch()
	o.Engine = engine
	server, err := local.Start(t.Context(), o)
	if err != nil && strings.Contains(err.Error(), "make "+engine) {
		t.Skip(err)
	}
	must.Do(t, err)
	t.Cleanup(func() { server.Close() })
	return server
}

func attackRole(t *testing.T, n int, open func(name, script string) runner.DB) {
	t.Setenv("NL2SQL_CACHE", t.TempDir())
	var on [2]roleSight
	for i, script := range roleShops {
		on[i] = sightedShop(t, open(fmt.Sprintf("shop%d", i), script))
		defer on[i].as.Close()
	}
	for i := range on[0].see.Tables {
		if a, b := on[0].see.Tables[i], on[1].see.Tables[i]; fmt.Sprintf("%+v", a) != fmt.Sprintf("%+v", b) {
			t.Errorf("the schemas differ:\n%+v\n%+v", a, b)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	secret := regexp.MustCompile(`sec\w*|4711|9223372036854775807|coalesce`)
	ran, direct := 0, 0
	for i := range n {
		sql := drawAttack(i, rng)
		told := on[0].told(t.Context(), t, sql)
		if other := on[1].told(t.Context(), t, sql); told != other {
			t.Errorf("%s\ntells %s\nand   %s", sql, told, other)
		}
		for _, word := range secret.FindAllString(strings.ToLower(told), -1) {
			must.Has(t, strings.ToLower(sql), word, sql, "tells", told)
		}
		if strings.HasPrefix(told, "refused") {
			continue
		}
		ran++
		if tells(t.Context(), t, on[0].inner, on[0].full, sql) != tells(t.Context(), t, on[1].inner, on[1].full, sql) {
			direct++
		}
	}
	t.Logf("%d attacks, of which %d ran; without the role %d of these tell the databases apart", n, ran, direct)
	must.Be(t, direct >= ran/3, "most attacks tell nothing without the role, so that they prove nothing")
}

// sightedShop puts the role before a database.
func sightedShop(t *testing.T, db runner.DB) roleSight {
	t.Helper()
	r, err := role.Read("clerk", []byte(roleShopRole), map[string]string{"me": "7"})
	must.Do(t, err)
	out := roleSight{inner: db}
	if out.full, err = db.Schema(t.Context()); err != nil {
		t.Fatal(err)
	}
	if out.as, err = runner.As(t.Context(), db, r); err != nil {
		t.Fatal(err)
	}
	if out.see, err = out.as.Schema(t.Context()); err != nil {
		t.Fatal(err)
	}
	return out
}

// limitProbes read through derived tables as a role makes them. On the second of the databases a row that is not seen
// makes an error of each.
var limitProbes = []string{
	"SELECT no FROM (SELECT * FROM bill WHERE client IN (SELECT id FROM client WHERE clerk = 7) LIMIT 9999) AS bill WHERE sum + 9223372036854775790 > 0",
	"SELECT id FROM (SELECT * FROM client WHERE clerk = 7 LIMIT 9999) AS client WHERE POW(id, 600) > 0 AND id > 0",
	"SELECT COUNT(*) FROM item WHERE EXISTS (SELECT 1 FROM (SELECT * FROM client WHERE clerk = 7 LIMIT 9999) AS client WHERE POW(id, 600) < item.no)",
}

// Without the LIMIT of its derived tables an engine may look at a query's conditions before it looks at the role's, and
// errors tell of rows that are not seen.
func TestRoleNeedsItsLimit(t *testing.T) {
	for _, engine := range []string{"mysql", "mariadb"} {
		t.Run(engine, func(t *testing.T) {
			server := scratchServer(t, engine)
			t.Setenv("NL2SQL_CACHE", t.TempDir())
			with, without := map[string]string{}, map[string]string{}
			told := 0
			for i, script := range roleShops {
				db := must.Get(server.Create(t.Context(), fmt.Sprintf("limit%d", i), strings.NewReader(script),
					runner.Limits{Unread: true}))(t)
				shop := sightedShop(t, db)
				defer shop.as.Close()
				for _, sql := range limitProbes {
					on := tells(t.Context(), t, shop.inner, shop.full, sql)
					off := tells(t.Context(), t, shop.inner, shop.full, strings.ReplaceAll(sql, " LIMIT 9999", ""))
					switch {
					case i == 0:
						with[sql], without[sql] = on, off
					case on != with[sql]:
						t.Errorf("%s\ntells %s\nand   %s", sql, with[sql], on)
					case off != without[sql]:
						told++
					}
				}
			}
			must.Be(t, told != 0, "no probe tells anything without the LIMIT: is it needed?")
		})
	}
}

// What a key of a table settles, it settles behind a role: MySQL sees through the derived table, and Check does.
func TestRoleGroupsByKeys(t *testing.T) {
	server := scratchServer(t, "mysql")
	t.Setenv("NL2SQL_CACHE", t.TempDir())
	db := must.Get(server.Create(t.Context(), "keys", strings.NewReader(roleShops[0]), runner.Limits{Unread: true}))(t)
	shop := sightedShop(t, db)
	defer shop.as.Close()
	for sql, want := range map[string]string{
		"SELECT name FROM client GROUP BY id ORDER BY name":                                                            "[\"name\"]\n[\"Kim\"]\n[\"Lee\"]",
		"SELECT c.name, c.credit, COUNT(b.no) n FROM client c JOIN bill b ON b.client = c.id GROUP BY c.id ORDER BY n": "[\"name\" \"credit\" \"n\"]\n[\"Lee\" <nil> '\\x01']\n[\"Kim\" <nil> '\\x02']",
		"SELECT name FROM client GROUP BY clerk":                                                                       "refused not_grouped:name column 1 of the select list uses name, which is neither grouped nor aggregated; add it to GROUP BY or aggregate it",
	} {
		must.Equal(t, shop.told(t.Context(), t, sql), want, sql)
	}
}
