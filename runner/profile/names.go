package profile

import (
	"slices"
	"strings"

	"github.com/jinzhu/inflection"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// generic are the stems of a key's name that say nothing of what it is a key of. They are not those of [words.Key]: a
// uid is that of a user.
var generic = syntax.Set(syntax.Map(
	strings.Fields("id ids code no nr num number key uuid guid pk fk ssn isbn sku vin"), words.Stem))

// name is an identifier as evidence reads it.
type name struct {
	letters string   // lower-case letters and digits alone: "stuid"
	about   []string // singular stems without the generic ones at the end: home, team
	marked  bool     // there was a generic one at the end
	many    bool     // its last word is a plural: home_games is a number of them
}

func nameOf(text string) name {
	n := name{letters: letters(text), about: syntax.Map(words.OfName(text), words.Singular)}
	if parts := words.Parts(text); len(parts) > 0 {
		last := strings.ToLower(parts[len(parts)-1])
		n.many = inflection.Singular(last) != last
	}
	for len(n.about) > 0 && generic[n.about[len(n.about)-1]] {
		n.about, n.marked = n.about[:len(n.about)-1], true
	}
	if len(n.about) == 1 && !n.marked { // stuid, actid, deptno: no sign between the parts
		for _, end := range []string{"id", "no", "code", "num", "key"} {
			if stem, ok := strings.CutSuffix(n.letters, end); ok && stem != "" {
				n.about, n.marked = []string{words.Singular(words.Stem(stem))}, true
				break
			}
		}
	}
	return n
}

func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == ' ' || r == '-' || r == '.' {
			return -1
		}
		return r
	}, strings.ToLower(words.Fold(text)))
}

// keyLike says how likely a column is what its table's rows are known by, from names alone; 0 is not at all.
func (in *inference) keyLike(t *schema.Table, place int) float64 {
	c := in.names[t.Columns[place].Name]
	sure := 0.0
	switch {
	case len(c.about) == 0 && c.marked: // id, code
		sure = .9
	case c.marked && names(c.about, in.names[t.Name].about) > 0:
		sure = 1
	case c.marked:
		sure = .4
	case names(c.about, in.names[t.Name].about) == 1:
		sure = .3 // country of countries
	}
	if place == 0 {
		sure += .2
	}
	return sure
}

// names says how well the words of a column name a table: as the table does, or the last words of either; or
// shortened. 0 is not at all.
func names(column, table []string) float64 {
	if len(column) == 0 || len(table) == 0 {
		return 0
	}
	switch n := min(len(column), len(table)); {
	case slices.Equal(column, table), strings.Join(column, "") == strings.Join(table, ""):
		return 1
	case slices.Equal(column[len(column)-n:], table[len(table)-n:]):
		return .9
	}
	if n := min(len(column), len(table)); shortened(column[len(column)-n:], table[len(table)-n:]) {
		return .7
	}
	return 0
}

// shortened reports whether each word begins the other, as stu does student, or is a known short form of it.
func shortened(short, long []string) bool {
	for i, s := range short {
		l := long[i]
		isLong := func(w string) bool { return words.Singular(words.Stem(w)) == l }
		begins := len(s) > 2 && strings.HasPrefix(l, s)
		if s != l && !begins && !slices.ContainsFunc(words.Unabbreviated(s), isLong) {
			return false
		}
	}
	return true
}

// named says what speaks in names for a reference from a column to the key of a table, which may be its own: a
// sentence, and how likely it is by names alone. 0 is nothing.
func named(c, table, k name, self bool) (evidence string, sure float64) {
	best := func(why string, likely float64) {
		if likely > sure {
			evidence, sure = why, likely
		}
	}
	telling := len(k.about) > 0
	if telling && !self && c.letters == k.letters {
		best("it is named as the key", .95)
	}
	if telling && len(k.letters) > 2 && c.letters != k.letters && strings.HasSuffix(c.letters, k.letters) {
		best("its name ends as the key's", .85)
	}
	if by := names(c.about, table.about); by > 0 && !self {
		if c.marked {
			best("it is named after the table", .95*by)
		} else if !c.many {
			best("it is called as the table", .8*by)
		}
	}
	if by := names(c.about, k.about); telling && by > 0 && c.marked && k.marked && !self {
		best("its words are the key's", .85*by)
	}
	return evidence, sure
}
