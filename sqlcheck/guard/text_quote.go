package guard

import (
	"slices"
	"strings"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// maxQuoted bounds the names of one text that are put into backquotes.
const maxQuoted = 16

// quoteNames puts names of the schema that cannot stand without backquotes into them, where the parser stumbles: FROM
// case, T1.Paid By. Of a name with blanks its first words are enough, if no other begins so.
func quoteNames(sql string, s *schema.Schema) string {
	var names []string
	at, stumbles := stumble(sql)
	for n := 0; stumbles && n < maxQuoted; n++ {
		if names == nil {
			if names = awkwardNames(s); len(names) == 0 {
				break
			}
		}
		// A column may be called "from": the name is what lets the parser read further.
		before := sql
		from, reads := at, -1
		for _, covers := range []bool{true, false} {
			out := quoteAt(before, from, covers, names)
			if out == before {
				continue
			}
			if to, again := stumble(out); !again || to > reads {
				sql, at, stumbles, reads = out, to, again, to
			}
			if !stumbles {
				break
			}
		}
		if sql == before {
			break
		}
	}
	return sql
}

// stumble is the offset of what the parser does not take.
func stumble(sql string) (at int, stumbles bool) {
	_, perr, err := syntax.Parse(sql)
	if perr == nil || err != nil {
		return 0, false
	}
	near, _ := syntax.Near(perr)
	return strings.LastIndex(sql, near), true
}

// quoteAt quotes the name that covers the text at pos, or else the one that ends before it.
func quoteAt(sql string, pos int, covers bool, names []string) string {
	var run []syntax.Token // words that follow each other, around pos
	for t, next := syntax.NextToken(sql, 0); t.Kind != syntax.EndToken; t, next = syntax.NextToken(sql, next) {
		if t.Kind != syntax.WordToken {
			if t.Pos > pos {
				break
			}
			if t.Pos < pos {
				run = nil
			}
			continue
		}
		run = append(run, t)
		if t.Pos > pos && len(run) > 2*maxWords {
			break
		}
	}
	for i, first := range run {
		for n := min(maxWords, len(run)-i); n > 0 && first.Pos <= pos; n-- {
			to := endOf(run[i+n-1])
			if covers && to <= pos || !covers && (to > pos || i+n < len(run) && run[i+n].Pos < pos) {
				continue
			}
			if name := nameOf(sql[first.Pos:to], names); name != "" {
				return sql[:first.Pos] + syntax.QuoteName(name) + sql[to:]
			}
		}
	}
	return sql
}

// maxWords is how many words of a name are looked at.
const maxWords = 5

// nameOf is the name that words spell, or with several of them the only one that they begin; "" if there is none.
func nameOf(words string, names []string) (begun string) {
	words = strings.Join(strings.Fields(words), " ")
	if i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, words) }); i >= 0 {
		return names[i]
	}
	if !strings.Contains(words, " ") {
		return ""
	}
	for _, n := range names {
		if len(n) > len(words) && n[len(words)] == ' ' && strings.EqualFold(n[:len(words)], words) {
			if begun != "" {
				return ""
			}
			begun = n
		}
	}
	return begun
}

// quoteReserved quotes names of the schema that MySQL reserves and the parser does not, and those that read as
// something else: e-assist, where no column is called e. Behind a dot and before a bracket a reserved word is no name.
func quoteReserved(sql string, s *schema.Schema) string {
	var names []string
	var b strings.Builder
	from := 0
	for t, next := syntax.NextToken(sql, 0); t.Kind != syntax.EndToken; t, next = syntax.NextToken(sql, next) {
		if t.Kind != syntax.WordToken {
			continue
		}
		alone := (t.Pos == 0 || sql[t.Pos-1] != '.') && !strings.HasPrefix(sql[syntax.SkipBlank(sql, next):], "(")
		reserved := alone && syntax.OnlyMySQLReserves(t.Text)
		if !reserved && (next == len(sql) || !strings.ContainsRune("-+/%#", rune(sql[next]))) {
			continue
		}
		if names == nil {
			names = awkwardNames(s)
		}
		if name := computed(sql, t, names, s); name != "" {
			b.WriteString(sql[from:t.Pos] + syntax.QuoteName(name))
			from = t.Pos + len(name)
			next = from
		} else if name := nameOf(t.Text, names); reserved && name != "" {
			b.WriteString(sql[from:t.Pos] + syntax.QuoteName(name))
			from = next
		}
	}
	return b.String() + sql[from:]
}

// computed is the name of the schema that stands at a word and that the parser reads as a computation, because no
// column is called as the word; "" if there is none.
func computed(sql string, word syntax.Token, names []string, s *schema.Schema) string {
	rest := sql[word.Pos:]
	for _, name := range names {
		if len(name) <= len(word.Text) || len(name) > len(rest) || !strings.EqualFold(name, rest[:len(name)]) {
			continue
		}
		after, _ := syntax.NextToken(rest, len(name))
		ends := after.Pos > len(name) || after.Kind != syntax.WordToken && after.Text != "("
		if ends && !slices.ContainsFunc(s.Tables, called(word.Text)) {
			return name
		}
	}
	return ""
}

// called reports whether a table has a column of that name.
func called(column string) func(t schema.Table) bool {
	return func(t schema.Table) bool {
		_, has := t.Column(column)
		return has
	}
}

// awkwardNames are the schema's that cannot stand without backquotes.
func awkwardNames(s *schema.Schema) (names []string) {
	if s == nil {
		return nil
	}
	seen := map[string]bool{"": true}
	for i := range s.Tables {
		for _, name := range append([]string{s.Tables[i].Name}, s.Tables[i].ColumnNames()...) {
			if !seen[name] && !syntax.IsPlainName(name) {
				names = append(names, name)
			}
			seen[name] = true
		}
	}
	return names
}
