package guard_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/guard"
)

// uses are queries of a column of dates, {C}, beside constants: a day {D}, the same as the column has days {O}, a
// later one {E}, a year {Y}, a month {M}; behind a bar what it asks of a date.
var uses = strings.Split(`SELECT id FROM item ORDER BY {C}, id LIMIT 5
SELECT id, title FROM item ORDER BY {C} DESC, id DESC LIMIT 5
SELECT id FROM item AS i ORDER BY i.{C}, id
SELECT MAX({C}), MIN({C}) FROM item
SELECT title, MAX({C}) FROM item GROUP BY title ORDER BY MAX({C}) DESC, title
SELECT title FROM item GROUP BY title HAVING MAX({C}) >= '{D}'
SELECT title FROM item GROUP BY title HAVING MAX({C}) >= '{O}'
SELECT title FROM item GROUP BY title HAVING MIN({C}) < '{Y}' | SELECT title FROM item GROUP BY title HAVING YEAR(MIN({C})) < {Y}
SELECT COUNT(*) FROM item WHERE {C} >= '{D}'
SELECT COUNT(*) FROM item WHERE {C} > '{O}'
SELECT COUNT(*) FROM item WHERE {C} < {Y} | SELECT COUNT(*) FROM item WHERE YEAR({C}) < {Y}
SELECT COUNT(*) FROM item WHERE {C} >= '{Y}' | SELECT COUNT(*) FROM item WHERE YEAR({C}) >= {Y}
SELECT COUNT(*) FROM item WHERE '{D}' <= {C}
SELECT id FROM item WHERE {C} = '{D}'
SELECT id FROM item WHERE {C} = '{O}'
SELECT id FROM item WHERE {C} <> '{D}'
SELECT id FROM item WHERE {C} IN ('{D}', '{E}')
SELECT id FROM item WHERE {C} IN ('{O}', '{E}')
SELECT COUNT(*) FROM item WHERE {C} BETWEEN '{D}' AND '{E}'
SELECT COUNT(*) FROM item WHERE {C} NOT BETWEEN '{O}' AND '{E}'
SELECT COUNT(*) FROM item WHERE {C} LIKE '{Y}%'
SELECT COUNT(*) FROM item WHERE {C} LIKE '{M}%'
SELECT COUNT(*) FROM item WHERE YEAR({C}) = {Y}
SELECT COUNT(*) FROM item WHERE YEAR({C}) = {Y} AND MONTH({C}) = 3
SELECT YEAR({C}), COUNT(*) FROM item GROUP BY YEAR({C}) ORDER BY 1
SELECT DATE_FORMAT({C}, '%Y-%m') AS m, COUNT(*) FROM item GROUP BY m ORDER BY m
SELECT LEFT({C}, 4) AS y, COUNT(*) FROM item GROUP BY y ORDER BY y
SELECT SUBSTR({C}, 1, 7) AS y, COUNT(*) FROM item GROUP BY y ORDER BY y
SELECT SUBSTRING({C}, 6, 2) AS y, COUNT(*) FROM item GROUP BY y ORDER BY y
SELECT EXTRACT(YEAR FROM {C}) AS y, COUNT(*) FROM item GROUP BY y ORDER BY y
SELECT id, DATEDIFF('{D}', {C}) FROM item
SELECT id, DAYNAME({C}), QUARTER({C}), LAST_DAY({C}) FROM item
SELECT TIMESTAMPDIFF(DAY, MIN({C}), MAX({C})) FROM item
SELECT DATEDIFF(MAX({C}), MIN({C})) FROM item
SELECT id FROM item WHERE {C} = (SELECT MAX({C}) FROM item)
SELECT id FROM item WHERE {C} > (SELECT MIN({C}) FROM item WHERE title = 'a')
SELECT id FROM item WHERE {C} = (SELECT {C} FROM item WHERE id = 7)
SELECT id FROM item AS i WHERE {C} = (SELECT MAX(j.{C}) FROM item AS j WHERE j.title = i.title)
SELECT a.id, b.id FROM item AS a JOIN item AS b ON a.{C} < b.{C} WHERE a.id < 4
SELECT a.id, b.id FROM item AS a JOIN item AS b ON a.{C} = b.{C} AND a.id < b.id
SELECT id, MAX({C}) OVER (PARTITION BY title) FROM item
SELECT id, ROW_NUMBER() OVER (ORDER BY {C}, id) FROM item
SELECT i.id FROM item AS i JOIN (SELECT title, MAX({C}) AS m FROM item GROUP BY title) AS x ON i.title = x.title AND i.{C} = x.m
WITH x AS (SELECT title, MIN({C}) AS m FROM item GROUP BY title) SELECT i.id FROM item AS i JOIN x ON i.title = x.title WHERE i.{C} = x.m
SELECT id FROM (SELECT id, {C} FROM item WHERE title = 'a') AS x ORDER BY x.{C} DESC, id LIMIT 2
SELECT COUNT(*) FROM item WHERE {C} >= DATE_SUB('{D}', INTERVAL 1 YEAR)
SELECT COUNT(*) FROM item WHERE {C} >= '{D}' - INTERVAL 6 MONTH
SELECT COUNT(*) FROM item WHERE {C} <= CURDATE()
SELECT COUNT(*) FROM item WHERE {C} > NOW()
SELECT DISTINCT {C} IS NULL FROM item WHERE {C} < '{D}'
SELECT COUNT(*) FROM item WHERE DATE({C}) = '{D}'
SELECT COUNT(*) FROM item WHERE CAST({C} AS DATE) >= '{D}'
SELECT id FROM item WHERE DATE_ADD({C}, INTERVAL 10 DAY) > '{D}'
SELECT id, {C} + 0 > 20200000 FROM item
SELECT MAX({C} - INTERVAL 1 DAY) FROM item`, "\n")

// Of a column of texts whose dates have one form the guards make what the same query of real dates finds, or it is
// told that they are texts. Forms, dates, queries and constants are drawn.
func TestDateTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 4))
	layouts := strings.Split("02.01.2006|2.1.2006|02.01.06|02/01/2006|01/02/2006|1/2/06|02-01-2006|02-Jan-2006|2 January 2006|"+
		"2. January 2006|Jan 2, 2006|January 2, 2006|2006/01/02|2006/1/2|20060102|2006-1-2|02.01.2006 15:04|01/02/2006 3:04 PM|"+
		"02.01.2006, 15:04:05|2006-01-02|2006-01-02 15:04:05", "|")
	mended, told, all := 0, 0, 0
	for _, layout := range layouts {
		clock := strings.Contains(layout, ":04")
		var rows, days []string
		var times []time.Time
		for id := range 60 {
			day := time.Date(2015+rng.IntN(9), 1, 1+rng.IntN(365), 0, 0, 0, 0, time.UTC)
			if clock {
				day = day.Add(time.Duration(rng.IntN(24*60)) * time.Minute)
			}
			times = append(times, day)
			days = append(days, day.Format(layout))
			text := "'" + days[id] + "'"
			iso := day.Format("'2006-01-02 15:04:05'")
			if id == 50 {
				text, iso = "NULL", "NULL"
			}
			rows = append(rows, fmt.Sprintf("(%d, '%c', %s, %s)", id, 'a'+rune(rng.IntN(4)), text, iso))
		}
		kind := "date"
		if clock {
			kind = "datetime"
		}
		db := must.Get(embedded.OpenDump(t.Context(), "x", strings.NewReader("CREATE TABLE item (id int PRIMARY KEY, title char(1), "+
			"listed varchar(40), day "+kind+"); INSERT INTO item VALUES "+strings.Join(rows, ", ")+";"), runner.Limits{Rows: 1e4}))(t)
		s := must.Get(db.Schema(t.Context()))(t)
		found := func(sql string) (rows []string, v sqlcheck.Verdict) {
			q, v, err := sqlcheck.Check(sql, s)
			must.Do(t, err)
			if !v.OK {
				return nil, v
			}
			res, err := db.Query(t.Context(), q)
			must.Do(t, err, sql)
			for _, row := range res.Rows {
				rows = append(rows, fmt.Sprintf("%v", row))
			}
			slices.Sort(rows)
			return rows, v
		}
		set := must.Get(guard.ParseSet("default,-lastdays"))(t)
		for _, use := range uses {
			for range 3 {
				at := rng.IntN(40)
				day := times[at]
				later := day.AddDate(0, 3, 0).Format(time.DateOnly)
				texts, dates, other := strings.Cut(use, " | ")
				if !other {
					dates = texts
				}
				render := func(use, column, own string) string {
					return strings.NewReplacer("{C}", column, "{D}", day.Format(time.DateOnly), "{O}", own,
						"{E}", later, "{Y}", day.Format("2006"), "{M}", day.Format("2006-01")).Replace(use)
				}
				iso := day.Format(time.DateOnly)
				if clock {
					iso = day.Format(time.DateTime)
				}
				plain := func(rows []string) string {
					return strings.NewReplacer("-", "", "/", "").Replace(strings.Join(rows, "\n"))
				}
				sql := render(texts, "listed", day.Format(layout))
				out, changes, v := set.Apply(sql, guard.Input{Schema: s})
				must.Be(t, v.OK, sql, v)
				got, v := found(out)
				must.Be(t, v.OK, out, v)
				want, _ := found(render(dates, "day", iso))
				whole, _ := found(strings.ReplaceAll(render(dates, "DATE(day)", iso), ".DATE(day)", ".day"))
				q, _, _ := sqlcheck.Check(out, s)
				if all++; len(changes) > 0 {
					mended++
				}
				warned := slices.ContainsFunc(doubt.Findings(q, nil), func(f sqlcheck.Finding) bool {
					return strings.Contains("dates_as_texts unknown_value unknown_pattern", string(f.Reason))
				})
				if plain(got) == plain(want) || plain(got) == plain(whole) {
					continue
				}
				if told++; !warned {
					t.Errorf("%s\n%s\n%s\ngot  %.60q\nwant %.60q", layout, sql, out, got, want)
				}
			}
		}
	}
	t.Logf("%d queries, %d mended, %d told", all, mended, told)
}
