package main

import (
	"regexp"
	"strings"
)

// mistakes are what small models get wrong, made in a query that is right. Each gives "" where it does not apply.
var mistakes = []func(b *binder, sql string) string{guessedColumn, guessedColumn, otherAlias, otherAlias, guessedTable,
	lostJoin, lostGroup, withoutJoin, withoutJoin, bareColumn, dialect, dialect}

// words that a query is made of: names, bare or with an alias before them.
var (
	bareName  = regexp.MustCompile(`\b(T\d\.)?([A-Za-z_][A-Za-z_0-9]*)\b`)
	aliased   = regexp.MustCompile(`\bT(\d)\.`)
	lastJoin  = regexp.MustCompile(`(?: LEFT)? JOIN \S+ AS T\d ON T\d\.\S+ = T\d\.\S+( WHERE| GROUP BY| ORDER BY|$)`)
	grouping  = regexp.MustCompile(` GROUP BY .*?( HAVING.*| ORDER BY.*|$)`)
	quotation = regexp.MustCompile(`'[^']*'`)
)

// guessedColumn names a column after the words of the question.
func guessedColumn(b *binder, sql string) string {
	return b.rename(sql, func(name string) string {
		for _, t := range b.d.tables {
			c := t.column(name)
			if c == nil || c.noun == "" || strings.HasPrefix(c.noun, name) {
				continue
			}
			guess := strings.ReplaceAll(c.noun, " ", "_")
			if first, last, ok := strings.Cut(guess, "_"); ok && b.rng.IntN(3) == 0 {
				guess = first + strings.ToUpper(last[:1]) + last[1:]
			}
			return guess
		}
		return ""
	})
}

// guessedTable names a table after the words of the question.
func guessedTable(b *binder, sql string) string {
	return b.rename(sql, func(name string) string {
		t := b.d.table(name)
		if t == nil || t.one == "" {
			return ""
		}
		return strings.ReplaceAll(pick(b.rng, []string{t.many, t.one}), " ", "_")
	})
}

// rename replaces one name everywhere, outside of texts.
func (b *binder) rename(sql string, to func(string) string) string {
	plain := quotation.ReplaceAllString(sql, "''")
	found := bareName.FindAllStringSubmatch(plain, -1)
	for range 8 {
		name := pick(b.rng, found)[2]
		guess := to(name)
		if guess == "" || strings.EqualFold(guess, name) || ident(name) != name {
			continue
		}
		return regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(sql, guess)
	}
	return ""
}

// otherAlias takes a column from another table of the query.
func otherAlias(b *binder, sql string) string {
	places := aliased.FindAllStringIndex(sql, -1)
	if len(places) == 0 {
		return ""
	}
	p := pick(b.rng, places)
	other := map[byte]string{'1': "T2.", '2': "T1.", '3': "T2.", '4': "T1."}[sql[p[0]+1]]
	return sql[:p[0]] + other + sql[p[1]:]
}

// lostJoin forgets the last join.
func lostJoin(_ *binder, sql string) string {
	if !lastJoin.MatchString(sql) {
		return ""
	}
	return lastJoin.ReplaceAllString(sql, "$1")
}

// lostGroup forgets GROUP BY.
func lostGroup(_ *binder, sql string) string {
	if strings.Count(sql, "GROUP BY") != 1 || strings.Contains(sql, "(SELECT") {
		return ""
	}
	return grouping.ReplaceAllString(sql, "$1")
}

var oneJoin = regexp.MustCompile(` AS T1 JOIN \S+ AS T2 ON T\d\.\S+ = T\d\.\S+`)

// withoutJoin asks one table for the columns of two.
func withoutJoin(b *binder, sql string) string {
	plain := oneJoin.ReplaceAllString(sql, "")
	if plain == sql || strings.Contains(plain, " T3 ") || strings.Contains(plain, "(SELECT") {
		return ""
	}
	return strings.NewReplacer("T1.", "", "T2.", "").Replace(plain)
}

// bareColumn leaves an alias out, which makes a column ambiguous where both tables have it.
func bareColumn(b *binder, sql string) string {
	places := aliased.FindAllStringIndex(sql, -1)
	if len(places) < 3 {
		return ""
	}
	p := pick(b.rng, places)
	return sql[:p[0]] + sql[p[1]:]
}

// dialects are forms of other databases, which MySQL does not have.
var dialects = []struct {
	in *regexp.Regexp
	to []string
}{
	{regexp.MustCompile(`YEAR\(([^()]+)\) = (\d+)`), []string{"strftime('%Y', $1) = '$2'", "date_part('year', $1) = $2",
		"$1::date >= '$2-01-01'"}},
	{regexp.MustCompile(`DATE_FORMAT\(([^(),]+), '%Y-%m'\)`), []string{"strftime('%Y-%m', $1)",
		"to_char($1, 'YYYY-MM')", "date_trunc('month', $1)"}},
	{regexp.MustCompile(`DAYNAME\(([^()]+)\)`), []string{"to_char($1, 'Day')", "strftime('%w', $1)",
		"EXTRACT(DOW FROM $1)"}},
	{regexp.MustCompile(`DATEDIFF\(([^(),]+), ([^(),]+)\)`), []string{"julianday($1) - julianday($2)",
		"DATEDIFF(day, $2, $1)"}},
	{regexp.MustCompile(` LIKE `), []string{" ILIKE "}},
	{regexp.MustCompile(`^SELECT (.*) LIMIT (\d+)$`), []string{"SELECT TOP $2 $1",
		"SELECT $1 FETCH FIRST $2 ROWS ONLY"}},
	{regexp.MustCompile(` LEFT JOIN `), []string{" FULL OUTER JOIN "}},
	{regexp.MustCompile(`CURDATE\(\)`), []string{"GETDATE()", "date('now')"}},
	{regexp.MustCompile(`SUM\(CASE WHEN (.*?) THEN 1 ELSE 0 END\)`), []string{"COUNT(*) FILTER (WHERE $1)"}},
	{regexp.MustCompile(`DATE_SUB\(CURDATE\(\), INTERVAL (\d+) DAY\)`), []string{"CURRENT_DATE - INTERVAL '$1 days'",
		"DATEADD(day, -$1, GETDATE())", "date('now', '-$1 days')"}},
	{regexp.MustCompile(` WHERE (\w+) NOT IN \(SELECT (\w+) FROM (\w+) WHERE \w+ IS NOT NULL\)$`),
		[]string{" EXCEPT SELECT $2 FROM $3"}},
	{regexp.MustCompile(`GROUP_CONCAT\(`), []string{"STRING_AGG(", "LISTAGG("}},
	{regexp.MustCompile(`COALESCE\(([^(),]+), `), []string{"NVL($1, ", "ISNULL($1, "}},
	{regexp.MustCompile(`TIMESTAMPDIFF\(YEAR, ([^(),]+), CURDATE\(\)\)`), []string{"EXTRACT(YEAR FROM AGE($1))",
		"date_part('year', age($1))"}},
}

// dialect writes a part of the query as another database has it.
func dialect(b *binder, sql string) string {
	for _, i := range b.rng.Perm(len(dialects)) {
		if d := dialects[i]; d.in.MatchString(sql) {
			return d.in.ReplaceAllString(sql, pick(b.rng, d.to))
		}
	}
	return ""
}
