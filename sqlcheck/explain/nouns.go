package explain

import (
	"slices"
	"strings"
	"unicode"

	"github.com/jinzhu/inflection"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// noun is what the rows of a table are called.
type noun struct {
	one, many string // "customer", "customers"
	of        string // behind "of": "the customer"
}

// nounsOf are the nouns of all tables that a statement reads. Two uses of one table in reach of each other have their
// aliases behind.
func nounsOf(b *bind.Bound, outer map[*bind.Block]bool) map[*bind.Source]noun {
	nouns, foreign := map[*bind.Source]noun{}, foreign(b.Schema)
	of := func(src *bind.Source) noun {
		if src.Table != nil && foreign {
			return rowsOf(src.Table.Name)
		}
		return nounOf(b.Schema, src)
	}
	for _, block := range b.Blocks {
		for _, src := range block.Sources {
			nouns[src] = of(src)
		}
	}
	for _, block := range b.Blocks {
		var reach []*bind.Source
		for around := block; around != nil; around = around.Outer {
			reach = append(reach, around.Sources...)
			if !outer[around] {
				break // it speaks of nothing around it
			}
		}
		for _, src := range block.Sources {
			for _, twin := range reach {
				if twin != src && twin.Table != nil && twin.Table == src.Table {
					nouns[src], nouns[twin] = of(src).called(src), of(twin).called(twin)
				}
			}
		}
	}
	return nouns
}

// called is a noun with the alias of its table behind.
func (n noun) called(src *bind.Source) noun {
	if strings.EqualFold(src.Name, src.Table.Name) {
		return n
	}
	return noun{n.one + " " + src.Name, n.many + " " + src.Name, n.of + " " + src.Name}
}

func nounOf(s *schema.Schema, src *bind.Source) noun {
	if src.Table == nil {
		return rowsOf(src.Name)
	}
	parts := tableWords(s, src.Table.Name)
	last := parts[len(parts)-1]
	if slices.ContainsFunc(parts, noNoun) || uncounted[last] {
		return rowsOf(strings.Join(parts, " "))
	}
	one, many := singular(last), ""
	if many = plural(one); many == one && last != one {
		many = last
	}
	before := strings.Join(parts[:len(parts)-1], " ")
	one, many = strings.TrimSpace(before+" "+one), strings.TrimSpace(before+" "+many)
	return noun{one, many, "the " + one}
}

// rowsOf is what stands for a noun where a name is none.
func rowsOf(name string) noun { return noun{"row of " + name, "rows of " + name, name} }

// tableWords are the words of a table's name. One that begins like another table's, "orderdetails" beside "orders", has
// two.
func tableWords(s *schema.Schema, name string) []string {
	parts := nameParts(name)
	if len(parts) != 1 {
		return parts
	}
	for i := range s.Tables {
		other := strings.ToLower(s.Tables[i].Name)
		if len(other) < 3 || !strings.HasPrefix(parts[0], other[:3]) {
			continue
		}
		first := singular(other)
		rest, begins := strings.CutPrefix(parts[0], first)
		if begins && len(first) >= 3 && len(rest) >= 4 {
			return []string{first, rest}
		}
	}
	return parts
}

// nameParts are the words of a name, in lower-case letters but for those that are all of capitals, such as ID and MSRP.
func nameParts(name string) []string {
	parts := words.Parts(strings.ReplaceAll(name, "_", " "))
	if len(parts) == 0 {
		return []string{name}
	}
	shouts := strings.ToUpper(name) == name && (len(parts) > 1 || len(name) > 4)
	for i, p := range parts {
		if shouts || len(p) < 2 || strings.ToUpper(p) != p || !unicode.IsLetter(rune(p[0])) {
			parts[i] = strings.ToLower(p)
		}
	}
	return parts
}

// name is the words of a column's name. Single letters, as of "LName", stay with what is behind them.
func name(column string) string {
	parts := nameParts(column)
	if slices.ContainsFunc(parts, func(p string) bool { return len(p) == 1 && unicode.IsLetter(rune(p[0])) }) {
		return strings.ReplaceAll(column, "_", " ")
	}
	return strings.Join(parts, " ")
}

// noNoun says that a word makes no plural: it joins others, or is too short for a word.
func noNoun(word string) bool { return joins[word] || len(word) < 3 && word != "id" }

// joins are words that make a name more than a noun.
var joins = syntax.WordSet(`each has have had is are was in of for to with by at on from and or per as via likes makes made took takes
	gives belongs uses used contains includes appears participates attend attends lives plays played wrote written
	directed assigned`)

// uncounted are nouns that have no number.
var uncounted = syntax.WordSet("info data news series staff media aircraft equipment information")

// foreign says that the tables of a schema have names of another language than English, whose plurals are not known.
func foreign(s *schema.Schema) bool {
	all, known := 0, [words.Langs]int{}
	for i := range s.Tables {
		for _, word := range nameParts(s.Tables[i].Name) {
			all++
			for lang := words.English + 1; lang < words.Langs; lang++ {
				sure, _ := words.EnglishFor(lang, word)
				if len(sure) > 0 && !slices.Contains(sure, word) && !slices.Contains(sure, singular(word)) {
					known[lang]++
				}
			}
		}
	}
	return 2*slices.Max(known[:]) > all
}

// singular and plural are of English words. What ends like a plural and is none stays.
func singular(word string) string {
	for _, end := range []string{"ss", "us", "is", "as", "ens"} {
		if strings.HasSuffix(word, end) {
			return word
		}
	}
	return inflection.Singular(word)
}

func plural(word string) string {
	if strings.HasSuffix(word, "us") && inflection.Plural(word) == word {
		return word + "es"
	}
	return inflection.Plural(word)
}

// NameOf is a column's or a table's name in words.
func NameOf(of string) string { return name(of) }

// Lines is an explanation for people: a label and what it is about, one below the other, and queries below the one that
// speaks of them.
func (e Explanation) Lines() []string { return e.lines("") }

// Line is an explanation in one line: what is shown of which rows, in which order and how many; not the queries within.
func (e Explanation) Line() string {
	parts := []string{"a row is " + e.Row}
	if len(e.Shows) > 0 {
		parts = append([]string{strings.Join(e.Shows, ", ")}, parts...)
	} else { // a set operation
		parts = append(parts, syntax.Map(e.Queries, func(q Explanation) string { return q.Name + ": " + q.Line() })...)
	}
	add := func(before string, list []string, between string) {
		if len(list) > 0 {
			parts = append(parts, before+strings.Join(list, between))
		}
	}
	add("where ", e.Where, " and ")
	add("of groups where ", e.Having, " and ")
	add("in the order of ", e.Order, ", ")
	if e.Limit != "" {
		parts = append(parts, e.Limit)
	}
	return strings.Join(parts, "; ")
}

const labelWidth = 13

func (e Explanation) lines(indent string) (out []string) {
	add := func(label string, texts ...string) {
		for i, text := range texts {
			if i > 0 {
				label = ""
			}
			out = append(out, indent+label+strings.Repeat(" ", max(1, labelWidth-len(label)))+text)
		}
	}
	add("A row is", e.Row)
	add("From", e.From...)
	add("Only where", e.Where...)
	add("Groups where", e.Having...)
	add("Shows", e.Shows...)
	add("Sorted by", e.Order...)
	if e.Limit != "" {
		add("Keeps", e.Limit)
	}
	for _, q := range e.Queries {
		out = append(out, indent+"  "+q.Name+":")
		out = append(out, q.lines(indent+"    ")...)
	}
	return out
}
