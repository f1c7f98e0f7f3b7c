package runner_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

var (
	soak     = flag.Int("soak", 30, "accepted statements that TestSoak runs on each engine")
	soakSeed = flag.Uint64("soakseed", 1, "seed of TestSoak")
)

// soakLimit is the time limit of a statement.
const soakLimit = time.Second

// TestSoak runs random statements at the edge of what the checker lets through: long texts, many columns, deep
// nesting, tables that multiply. None may be alive 5 s after its limit, and no process may take more than 1.5 times
// its memory at rest and 512 MB. A server inherits the cap of this process; the embedded engine is within it, and Go
// keeps 2.3 GB of addresses that it does not use:
//
//	(ulimit -v 2600000; go test ./runner -run Soak/mysql -soak 2000 -timeout 1h -v)
//	go test ./runner -run Soak/embedded -soak 2000 -timeout 1h -v
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a server, which -short leaves out")
	}
	script := soakScript()
	limits := runner.Limits{Timeout: soakLimit}
	t.Run("mysql", func(t *testing.T) {
		server, err := local.Start(t.Context(), local.Options{Engine: "mysql", Database: "soak",
			Load: strings.NewReader(script)})
		if err != nil && strings.Contains(err.Error(), "make mysql") {
			t.Skip(err)
		}
		must.Do(t, err)
		t.Cleanup(func() { server.Close() }) // behind that of the database
		soakOn(t, open(t, server.DSN(), limits), server.Pid())
	})
	t.Run("embedded", func(t *testing.T) {
		db := must.Get(embedded.OpenDump(t.Context(), "soak", strings.NewReader(script), limits))(t)
		defer db.Close()
		soakOn(t, db, os.Getpid())
	})
}

func soakOn(t *testing.T, db runner.DB, pid int) {
	schema := must.Get(db.Schema(t.Context()))(t)
	rest := resident(t, pid)
	bound := rest + rest/2 + 512
	g := &bombs{rand.New(rand.NewPCG(*soakSeed, 3))}
	count := map[string]int{}
	longest, most := time.Duration(0), 0
	for n := 0; n < *soak; {
		text := g.statement()
		q, v, err := sqlcheck.Check(text, schema)
		must.Do(t, err, text)
		if !v.OK {
			count["refused: "+string(v.Reason)]++
			continue
		}
		n++
		start, peak := time.Now(), make(chan int)
		done := make(chan struct{})
		go func() {
			high := 0
			for {
				high = max(high, resident(t, pid))
				select {
				case <-done:
					peak <- high
					return
				case <-time.After(10 * time.Millisecond):
				}
			}
		}()
		_, err = db.Query(t.Context(), q)
		took := time.Since(start)
		close(done)
		high := <-peak
		refused := (*runner.QueryError)(nil)
		switch {
		case err == nil:
			count["answered"]++
		case errors.As(err, &refused):
			count["error "+strconv.Itoa(int(refused.Code))]++
		default:
			t.Fatalf("%v\n%.2000s", err, text)
		}
		longest, most = max(longest, took), max(most, high)
		if took > soakLimit+5*time.Second {
			t.Errorf("took %v\n%.2000s", took, text)
		}
		if high > bound {
			t.Errorf("%d MB, %d at rest\n%.2000s", high, rest, text)
			bound = high + 50
		}
	}
	t.Logf("%d statements: the longest took %v with a limit of %v; %d MB at rest, %d MB at most; %v", *soak,
		longest.Round(time.Millisecond), soakLimit, rest, most, count)
}

// resident is what a process has in memory of its own, in MB; pages of files come and go.
func resident(t *testing.T, pid int) int {
	return memory(t, pid, "RssAnon:")
}

// memory is a line of what Linux says of a process's memory, in MB.
func memory(t *testing.T, pid int, line string) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Errorf("the process is gone: %v", err)
		return 0
	}
	_, rest, ok := strings.Cut(string(data), line)
	if !ok {
		t.Errorf("the process has ended")
		return 0
	}
	n, _ := strconv.Atoi(strings.Fields(rest)[0])
	return n >> 10
}

func soakScript() string {
	var b strings.Builder
	b.WriteString("CREATE TABLE doc (id INT PRIMARY KEY, title VARCHAR(255), note TEXT, body LONGTEXT, big LONGTEXT, j JSON, day DATE);\n")
	b.WriteString("CREATE TABLE tag (id INT PRIMARY KEY, doc_id INT, name VARCHAR(40), KEY (doc_id), FOREIGN KEY (doc_id) REFERENCES doc (id));\n")
	json := strings.Repeat("[", 25) + `{"a": [1, 2, {"a": "x"}]}` + strings.Repeat("]", 25) // MariaDB takes 32 levels
	for i := range 60 {
		big := "NULL"
		if texts := []string{"a", "aaab", "lorem ipsum ", "1"}; i < len(texts) {
			big = "'" + strings.Repeat(texts[i], 10_000_000/len(texts[i])) + "'"
		}
		fmt.Fprintf(&b, "INSERT INTO doc VALUES (%d, 'title %d', '%s', '%s', %s, '%s', '2004-06-%02d');\n", i+1, i,
			strings.Repeat("note ", 40*i), strings.Repeat("ab ", 500*i), big, json, i%28+1)
	}
	for i := 0; i < 20_000; i += 1000 {
		b.WriteString("INSERT INTO tag VALUES ")
		for k := range 1000 {
			if k > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "(%d, %d, 'name %d')", i+k, (i+k)%60+1, k%10)
		}
		b.WriteString(";\n")
	}
	return b.String()
}

// bombs writes statements that take much.
type bombs struct{ *rand.Rand }

func (g *bombs) one(list ...string) string { return list[g.IntN(len(list))] }

func (g *bombs) count() string {
	return g.one("3", "100", "9999", "100000", "1000000", "5000000", "d.id", "d.id * 1000", "LENGTH(d.note)",
		"(SELECT COUNT(*) FROM tag)")
}

func (g *bombs) text(depth int) string {
	if depth <= 0 {
		return g.one("d.title", "d.note", "d.body", "d.big", "d.big", "'a'", "CAST(d.j AS CHAR)",
			"'(a|b)*%_\\\\'", "d.id")
	}
	x := func() string { return g.text(depth - 1 - g.IntN(2)) }
	switch g.IntN(24) {
	case 0, 1:
		return "CONCAT(" + x() + ", " + x() + ")"
	case 2:
		return "REPLACE(" + x() + ", " + g.one("'a'", "' '", "LEFT("+x()+", 50)") + ", " +
			g.one("'bb'", "''", x()) + ")"
	case 3:
		return "HEX(" + x() + ")"
	case 4:
		return g.one("QUOTE(", "JSON_QUOTE(", "TO_BASE64(", "UPPER(", "LOWER(", "REVERSE(", "TRIM(", "SOUNDEX(",
			"MD5(") + x() + ")"
	case 5:
		return "REPEAT(" + x() + ", " + g.count() + ")"
	case 6:
		return g.one("LPAD(", "RPAD(") + x() + ", " + g.count() + ", " + g.one("'x'", "' '", x()) + ")"
	case 7:
		return "INSERT(" + x() + ", 2, 0, " + x() + ")"
	case 8:
		return "REGEXP_REPLACE(" + x() + ", " + g.one("'a+'", "'x+'", "'(a|b)*c'", "LEFT("+x()+", 20)") + ", " +
			g.one("'b'", "'$1'", "''") + ")"
	case 9:
		return "SUBSTRING_INDEX(" + x() + ", " + g.one("' '", "'a'", "LEFT("+x()+", 100)") + ", " +
			g.one("3", "-3") + ")"
	case 10:
		return "LEFT(" + x() + ", " + g.count() + ")"
	case 11:
		return "EXPORT_SET(d.id, " + x() + ", 'n')"
	case 12:
		return "CONCAT_WS(" + x() + ", " + x() + ", " + x() + ")"
	case 13:
		return "CAST(JSON_ARRAY(" + x() + ", " + x() + ") AS CHAR)"
	case 14:
		return "CAST(JSON_EXTRACT(d.j, " + g.one("'$**.a'", "'$[0]'", "'$**[0]'",
			"CONCAT('$[', d.id, ']')") + ") AS CHAR)"
	case 15:
		return "CAST(JSON_EXTRACT(CONCAT('[\"', " + g.one("d.body", "d.note", "REPEAT('a', 100000)") +
			", '\"]'), '$[0]') AS CHAR)"
	case 16:
		return "CASE WHEN " + g.cond(depth-1) + " THEN " + x() + " ELSE " + x() + " END"
	case 17:
		return "COALESCE(" + x() + ", " + x() + ")"
	case 18:
		return "CONVERT(" + x() + " USING " + g.one("utf8mb4", "latin1") + ")"
	case 19:
		return "DATE_FORMAT(d.day, " + g.one("'%W'", x()) + ")"
	case 20:
		return "MAKE_SET(7, " + x() + ", " + x() + ")"
	case 21:
		return "JSON_SEARCH(d.j, 'all', " + g.one("'x'", "'%'") + ")"
	case 22:
		return "(SELECT MAX(" + g.one("t.name", "CONCAT(t.name, "+x()+")") + ") FROM tag t WHERE t.doc_id = d.id)"
	}
	return "IF(" + g.cond(depth-1) + ", " + x() + ", NULL)"
}

func (g *bombs) cond(depth int) string {
	x := func() string { return g.text(depth - 1) }
	switch g.IntN(9) {
	case 0, 1:
		return x() + " LIKE " + g.one("'%b%a%'", "CONCAT('%', "+x()+", 'b%')", "CONCAT('%', LEFT("+x()+
			", 30), 'b%')", x())
	case 2:
		return x() + " REGEXP " + g.one("'(a*)*b'", "'^(a|aa)+$'", "CONCAT(REPEAT('a?', 30), 'b')",
			"CONCAT(REPEAT('a?', 900), 'b')", x())
	case 3:
		return "LOCATE(" + g.one("'b'", "LEFT("+x()+", 50)", x()) + ", " + x() + ") > 1"
	case 4:
		return "INSTR(" + x() + ", " + g.one("'aaaab'", x()) + ")"
	case 5:
		return "FIND_IN_SET(" + x() + ", " + x() + ")"
	case 6:
		return x() + " = " + x()
	case 7:
		return "JSON_CONTAINS(d.j, '1')"
	}
	return "LENGTH(" + x() + ") > 10"
}

// columns are items of a select list, most of them the same with another number.
func (g *bombs) columns() string {
	item := g.text(1 + g.IntN(4))
	if g.IntN(3) > 0 {
		item = g.one("LENGTH(", "MD5(", "CRC32(") + item + ")"
	}
	n := g.IntN(3)
	if g.IntN(4) == 0 {
		n = g.IntN(600)
	}
	out := "d.id"
	for i := range n + 1 {
		out += ", " + item + " AS c" + strconv.Itoa(i)
	}
	return out
}

func (g *bombs) from() string {
	return g.one("doc d", "doc d", "doc d", "doc d JOIN tag t ON t.doc_id = d.id", "doc d, doc e",
		"doc d JOIN doc e ON d.title < e.title JOIN doc f ON f.id = e.id",
		"doc d, LATERAL (SELECT COUNT(*) AS n FROM tag WHERE tag.doc_id = d.id) x",
		"(SELECT id, title, note, CONCAT(body, 'x') AS body, big, j, day FROM doc) d",
		"(SELECT * FROM doc UNION ALL SELECT * FROM doc) d",
		"tag t JOIN tag u ON t.name = u.name JOIN doc d ON d.id = t.doc_id")
}

func (g *bombs) statement() string {
	switch g.IntN(12) {
	case 0: // levels
		step := g.one("SELECT p.x FROM a%[2]d p JOIN a%[2]d q ON p.x = q.x",
			"SELECT x FROM a%[2]d UNION ALL SELECT x FROM a%[2]d",
			"SELECT x FROM a%[2]d WHERE x IN (SELECT x FROM a%[2]d)", "SELECT CONCAT(x, x) AS x FROM a%[2]d",
			"SELECT x FROM a%[2]d WHERE x <> ''", "SELECT DISTINCT p.x FROM a%[2]d p, a%[2]d q WHERE p.x = q.x",
			"SELECT HEX(x) AS x FROM a%[2]d LIMIT 3")
		levels := 1 + g.IntN(9)
		with := "WITH a0 AS (SELECT " + g.one("d.title", g.text(1)) + " AS x FROM doc d)"
		for i := 1; i <= levels; i++ {
			with += strings.ReplaceAll(strings.ReplaceAll(", a%[1]d AS ("+step+")", "%[1]d", strconv.Itoa(i)), "%[2]d",
				strconv.Itoa(i-1))
		}
		return with + " SELECT " + g.one("COUNT(*)", "MAX(LENGTH(x))", "COUNT(DISTINCT x)") + " FROM a" +
			strconv.Itoa(levels)
	case 1:
		return "SELECT JSON_LENGTH(JSON_ARRAYAGG(" + g.text(1+g.IntN(2)) + ")) FROM " + g.from()
	case 2:
		return "SELECT LENGTH(GROUP_CONCAT(" + g.text(1+g.IntN(2)) + g.one("", " ORDER BY d.id", " ORDER BY "+
			g.text(1)) + ")) FROM " + g.from()
	case 3:
		return "WITH RECURSIVE r AS (SELECT 1 AS n, " + g.one("CAST('a' AS CHAR(1000))", "REPEAT('a', 60000)",
			"REPEAT('a', 1000000)") + " AS x UNION ALL SELECT n + 1, " + g.one("CONCAT(x, 'a')", "CONCAT(x, x)",
			"HEX(x)", "x") + " FROM r WHERE n < " + g.one("10", "200", "900") +
			") SELECT COUNT(*), MAX(LENGTH(x)) FROM r"
	case 4:
		return "SELECT DISTINCT " + g.columns() + " FROM " + g.from()
	case 5:
		return "SELECT " + g.text(2) + " AS x, COUNT(*) FROM " + g.from() + " GROUP BY x" + g.one("", " WITH ROLLUP")
	case 6:
		return "SELECT d.id, RANK() OVER (ORDER BY " + g.text(2) + "), " + g.one("FIRST_VALUE", "MAX", "LAG") + "(" +
			g.text(1) + ") OVER (PARTITION BY " + g.text(1) + " ORDER BY d.id) FROM " + g.from()
	case 7:
		return "SELECT COUNT(*) FROM " + g.from() + " WHERE " + g.cond(3) + " AND " + g.cond(2)
	case 8:
		return "SELECT " + g.columns() + " FROM " + g.from() + " ORDER BY " + g.text(2) + g.one("", " LIMIT 3")
	case 9:
		return "SELECT " + g.columns() + " FROM " + g.from() + " UNION SELECT " + g.one("1", "d.id") +
			strings.Repeat(", ''", 0) + " FROM doc d"
	}
	return "SELECT " + g.columns() + " FROM " + g.from() + g.one("", " WHERE "+g.cond(2))
}
