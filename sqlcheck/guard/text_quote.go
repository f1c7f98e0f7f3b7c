package guard

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"nl2sql/sqlcheck/guard/draft"
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
		if ends && !s.HasColumn(word.Text) {
			return name
		}
	}
	return ""
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

// slips mends a text that is no SQL yet by what models slip in: an alias that is a number, WHERE twice, RANK()
// without OVER, a bracket that FROM comes before. It keeps what it did only if the text is one SELECT then.
//
//	SELECT SUM(fee) AS 2025 FROM visits → SELECT SUM(fee) AS `2025` FROM visits
//
//	Mean fee, one decimal | SELECT ROUND(AVG(fee) FROM visits → SELECT ROUND(AVG(fee), 1) FROM visits
func slips(t *draft.Text) (out, why string) {
	sql := t.SQL
	if len(sql) > draft.MaxBytes {
		return sql, ""
	}
	if _, parsed := t.Parse(sql); parsed {
		return sql, ""
	}
	text, whys := sql, []string(nil)
	for _, s := range slipTable {
		out := s.mend(text, t)
		if out == text {
			continue
		}
		text, whys = out, append(whys, s.why)
		whole := quoteNames(text, t.Schema)
		if n, _ := openBrackets(whole); n > 0 && n <= maxOpenBrackets {
			whole += strings.Repeat(")", n)
		}
		if stmt, parsed := t.Parse(whole); parsed && readsTable(stmt) {
			return whole, strings.Join(whys, "; ")
		}
	}
	return sql, ""
}

var (
	alias      = regexp.MustCompile(`(?i)\bAS\s+(\w+)(\s*,|\s+FROM\b)`)
	whereTwice = regexp.MustCompile(`(?i)(\bWHERE\b[^()]*(?:\([^()]*\)[^()]*)*)\bWHERE\b`)
	bareRank   = regexp.MustCompile(`(?i)\b(RANK|DENSE_RANK|ROW_NUMBER)\(\)(\s*,|\s+AS\b|\s+FROM\b)`)
	lastOrder  = regexp.MustCompile(`(?i)\b(ORDER\s+BY\s+[^;]*?)(?:\s+LIMIT\s+\d+)?$`)
	roundOpen  = regexp.MustCompile(`(?i)\bROUND\($`)
	fromTable  = regexp.MustCompile("(?i)^FROM\\s+[\\w`]+\\s*\\)+\\s*")
)

// slipTable has what models slip in and how that is mended, one after the other.
var slipTable = []struct {
	why  string
	mend func(sql string, t *draft.Text) string
}{
	{"a number and a word of SQL are quoted as aliases", quotedAliases},
	{"WHERE stands once", func(sql string, _ *draft.Text) string {
		if m := whereTwice.FindStringSubmatch(sql); m == nil || fromWord.MatchString(m[1]) {
			return sql
		}
		return whereTwice.ReplaceAllString(sql, "${1}AND")
	}},
	{"a rank is over the order of the query", func(sql string, _ *draft.Text) string {
		m := lastOrder.FindStringSubmatch(sql)
		if m == nil {
			return sql
		}
		return bareRank.ReplaceAllString(sql, "$1() OVER ("+m[1]+")$2")
	}},
	{"a bracket is closed before FROM", closedBeforeFrom},
}

// closedBeforeFrom closes the brackets that are open where the FROM of the query begins, and of ROUND says the
// decimals that the question wants. What stands behind the bracket that closes them is left out, and so is a FROM
// that was inside of them too.
func closedBeforeFrom(sql string, t *draft.Text) string {
	type bracket struct {
		query, round bool // of a subquery, of ROUND
	}
	var open []bracket
	token, next := syntax.NextToken(sql, 0)
	for ; token.Kind != syntax.EndToken; token, next = syntax.NextToken(sql, next) {
		switch {
		case token.Text == "(":
			after, _ := syntax.NextToken(sql, next)
			open = append(open, bracket{strings.EqualFold(after.Text, "SELECT"), roundOpen.MatchString(sql[:next])})
		case token.Text == ")":
			if len(open) == 0 {
				return sql
			}
			open = open[:len(open)-1]
		case strings.EqualFold(token.Text, "FROM") && len(open) > 0 && !open[len(open)-1].query:
			closed := ""
			for len(open) > 0 && !open[len(open)-1].query {
				if open[len(open)-1].round && t.Asked() != "" {
					if n := t.Question.Decimals(); n >= 0 {
						closed += ", " + strconv.Itoa(n)
					}
				}
				closed += ")"
				open = open[:len(open)-1]
			}
			rest := sql[token.Pos:]
			inner := fromTable.FindString(rest)
			if inner != "" && strings.HasPrefix(strings.ToUpper(rest[len(inner):]), "FROM ") {
				rest = rest[len(inner):]
			} else if _, at := openBrackets(rest); at >= 0 {
				rest = rest[:at]
			}
			return strings.TrimRight(sql[:token.Pos], " ") + closed + " " + rest
		}
	}
	return sql
}

// quotedAliases quotes names of columns of the result that cannot stand without: AS 2025, AS all.
func quotedAliases(sql string, _ *draft.Text) string {
	return alias.ReplaceAllStringFunc(sql, func(s string) string {
		m := alias.FindStringSubmatch(s)
		if _, err := strconv.Atoi(m[1]); err != nil && !syntax.Reserved(m[1]) {
			return s
		}
		return "AS `" + m[1] + "`" + m[2]
	})
}
