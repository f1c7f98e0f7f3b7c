package embedded

import (
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"

	"nl2sql/assets"
	"nl2sql/scripts/must"
)

// plans are other ways in which a real MySQL may answer a statement: it sorts groups or collects them in a temporary
// table, over the tables as they are or over copies without an index in another storage engine. Where they differ among
// themselves, MySQL's answer is one of several.
type plans struct {
	t      *testing.T
	tables map[string]*sql.DB // by what they are
}

// openPlans makes the copies.
func openPlans(t *testing.T, dsn string) plans {
	t.Helper()
	p := plans{t, map[string]*sql.DB{}}
	config := must.Get(mysql.ParseDSN(dsn))(t)
	open := func(name string) *sql.DB {
		config.DBName = name
		db := must.Get(sql.Open("mysql", config.FormatDSN()))(t)
		t.Cleanup(func() { db.Close() })
		return db
	}
	p.tables["the tables"] = open(assets.DemoName)
	t.Cleanup(func() {
		for _, name := range []string{"copies", "reversed", "shuffled"} {
			if _, err := p.tables["the tables"].Exec("DROP DATABASE IF EXISTS " + name); err != nil {
				t.Error(err)
			}
		}
	})
	var statements []string
	for database, order := range map[string]string{"copies": "", "reversed": " ORDER BY 1 DESC, 2 DESC",
		"shuffled": " ORDER BY RAND(1)"} {
		statements = append(statements, "DROP DATABASE IF EXISTS "+database, "CREATE DATABASE "+database)
		for name := range grammarTables {
			statements = append(statements,
				fmt.Sprintf("CREATE TABLE %s.%s ENGINE=MyISAM AS SELECT * FROM %[3]s.%[2]s%[4]s", database, name,
					assets.DemoName, order))
		}
	}
	for _, s := range statements {
		must.Get(p.tables["the tables"].Exec(s))(t)
	}
	p.tables["copies without an index"] = open("copies")
	p.tables["copies turned around"] = open("reversed")
	p.tables["copies in any order"] = open("shuffled")
	return p
}

// hints lead MySQL to other plans.
var hints = []string{"", "SQL_BIG_RESULT ", "SQL_SMALL_RESULT ", "STRAIGHT_JOIN ", "/*+ NO_BNL() */ STRAIGHT_JOIN ",
	"/*+ NO_BNL() */ SQL_BIG_RESULT STRAIGHT_JOIN "}

var (
	innerJoin = regexp.MustCompile(`FROM (\w+ \w+) JOIN (\w+ \w+) ON`)
	// MySQL 8.0.15 takes MONTH, DAY, ROUND(7, 1) and the like for shorter than they are, and cuts them, their averages
	// and their quotients in temporary tables: 9.9999 for 10.5. Wider numbers it does not.
	short = regexp.MustCompile(`(SELECT |\(|, )(\d+ AS |(?:MONTH|DAY|WEEK|QUARTER|YEAR|DAYOFWEEK|DAYOFYEAR|WEEKDAY|EXTRACT|TO_DAYS|LENGTH|CHAR_LENGTH|ASCII|INSTR|LOCATE|FIELD|STRCMP)\()`)
	words = strings.NewReplacer("AVG(", "AVG(0 + ", ") / ", ") * 1 / ")
	// An outer join is an inner one for it under NOT (… IS TRUE) and FIELD(NULL, …) = 0.
	where = regexp.MustCompile(` WHERE (.*?)( UNION | GROUP BY |$)`)
)

// reworded is a statement in words that mean the same.
func reworded(sql string) string {
	return where.ReplaceAllString(words.Replace(short.ReplaceAllString(sql, "${1}0 + $2")), " WHERE ($1) <=> 1$2")
}

// gives names a way in which MySQL gives the rows of an answer, in any order: with another plan, or asked in other
// words that mean the same. It is "" if there is none.
func (p plans) gives(a answer) string {
	turned := innerJoin.ReplaceAllString(a.SQL, "FROM $2 JOIN $1 ON")
	for name, db := range p.tables {
		for _, hint := range hints {
			for how, sql := range map[string]string{"": a.SQL, ", turned": turned, ", in other words": reworded(a.SQL),
				", turned, in other words": reworded(turned)} {
				rows, err := printedRows(db.Query(strings.ReplaceAll(sql, "SELECT ", "SELECT "+hint)))
				slices.SortFunc(rows, slices.Compare)
				if err == nil && cmp.Equal(rows, a.Rows) {
					return hint + "over " + name + how
				}
			}
		}
	}
	return ""
}

// printedRows reads a result as reply does.
func printedRows(rows *sql.Rows, err error) ([][]string, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	var out [][]string
	for rows.Next() {
		cells := make([]sql.NullString, len(types))
		into := make([]any, len(types))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		texts := make([]string, len(types))
		for i, c := range cells {
			texts[i] = c.String
			switch kind := types[i].DatabaseTypeName(); {
			case !c.Valid:
				texts[i] = "NULL"
			case kind == "DOUBLE" || kind == "FLOAT":
				f, err := strconv.ParseFloat(c.String, 64)
				if err != nil {
					return nil, err
				}
				texts[i] = strconv.FormatFloat(f, 'g', 13, 64)
			}
		}
		out = append(out, texts)
	}
	return out, rows.Err()
}
