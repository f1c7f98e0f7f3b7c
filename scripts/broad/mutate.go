package main

import (
	"regexp"
	"strings"
)

// mistakes are what small models get wrong, made in a query that is right. Each gives "" where it does not apply.
var mistakes = []func(b *binder, sql string) string{guessedColumn, guessedColumn, otherAlias, otherAlias, guessedTable, lostJoin, lostGroup}

// words that a query is made of: names, bare or with an alias before them.
var (
	bareName  = regexp.MustCompile(`\b(T\d\.)?([A-Za-z_][A-Za-z_0-9]*)\b`)
	aliased   = regexp.MustCompile(`\bT(\d)\.`)
	lastJoin  = regexp.MustCompile(` JOIN \S+ AS T\d ON T\d\.\S+ = T\d\.\S+( WHERE| GROUP BY| ORDER BY|$)`)
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
