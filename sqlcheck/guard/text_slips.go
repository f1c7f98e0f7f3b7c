package guard

import (
	"regexp"
	"strconv"
	"strings"

	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/syntax"
)

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
