package guard

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"nl2sql/sqlcheck/syntax"
)

// dialect writes what other databases have and MySQL cannot parse as MySQL has it. The text must be one that MySQL does
// not parse; what comes of it need not be another. It is for the rule clean.
func dialect(sql string) (out, why string) {
	var whys []string
	for range maxDialect {
		toks := tokens(sql)
		changed := false
		for i := 0; i < len(toks) && !changed; i++ {
			for _, d := range dialects {
				if out, ok := d.write(sql, toks, i); ok {
					sql, changed = out, true
					if !slices.Contains(whys, d.why) {
						whys = append(whys, d.why)
					}
					break
				}
			}
		}
		if !changed {
			break
		}
	}
	return sql, strings.Join(whys, "; ")
}

// maxDialect bounds the places of one text that are written anew.
const maxDialect = 24

// dialects has what other databases write, and writes it as MySQL has it where it begins at token i; ok is false if it
// does not begin there.
var dialects = []struct {
	why   string
	write func(sql string, toks []syntax.Token, i int) (out string, ok bool)
}{
	{"names stand in backquotes", standardName},
	{"LIKE knows no case here", func(sql string, toks []syntax.Token, i int) (string, bool) {
		if !wordsAt(toks, i, "ILIKE") {
			return "", false
		}
		return splice(sql, toks[i], toks[i], "LIKE"), true
	}},
	{"a query in WITH is not told how it is kept", func(sql string, toks []syntax.Token, i int) (string, bool) {
		from := i
		if wordsAt(toks, i-1, "NOT") {
			from = i - 1
		}
		if !wordsAt(toks, i, "MATERIALIZED", "(") || !wordsAt(toks, from-1, "AS") {
			return "", false
		}
		return splice(sql, toks[from], toks[i], ""), true
	}},
	{"a value is cast by CAST", colonCast},
	{"NULL comes first where the order goes up", nullsOrder},
	{"rows are limited by LIMIT", fetchRows},
	{"rows are limited by LIMIT", topRows},
	{"an interval names its unit", textInterval},
	{"no catalog stands before a database", catalogName},
}

// tokens are those of a text, without comments.
func tokens(sql string) (toks []syntax.Token) {
	for t, next := syntax.NextToken(sql, 0); t.Kind != syntax.EndToken; t, next = syntax.NextToken(sql, next) {
		if t.Kind != syntax.CommentToken {
			toks = append(toks, t)
		}
	}
	return toks
}

// wordsAt reports whether the words follow each other from token i on; several that may stand are parted by "|".
func wordsAt(toks []syntax.Token, i int, words ...string) bool {
	for n, w := range words {
		if i+n < 0 || i+n >= len(toks) || !slices.Contains(strings.Split(w, "|"), strings.ToUpper(toks[i+n].Text)) {
			return false
		}
	}
	return true
}

func endOf(t syntax.Token) int { return t.Pos + len(t.Text) }

// behind puts more behind the last token, before a comment that ends the text.
func behind(sql, more string) string {
	toks := tokens(sql)
	end := endOf(toks[len(toks)-1])
	return sql[:end] + more + sql[end:]
}

// splice puts by in the place of tokens from to to, both included.
func splice(sql string, from, to syntax.Token, by string) string {
	return sql[:from.Pos] + by + sql[endOf(to):]
}

// standardName is FROM "orders" and "o"."id", where no text can stand, and SQL Server's [order date].
func standardName(sql string, toks []syntax.Token, i int) (string, bool) {
	t := toks[i]
	closes := func(t syntax.Token) bool { return t.Text == "]" }
	if n := slices.IndexFunc(toks[i:], closes); t.Text == "[" && n > 1 && toks[i+1].Kind == syntax.WordToken {
		return splice(sql, t, toks[i+n], syntax.QuoteName(sql[t.Pos+1:toks[i+n].Pos])), true
	}
	if t.Kind != syntax.StringToken || t.Text[0] != '"' || len(t.Text) < 3 ||
		!wordsAt(toks, i-1, "FROM|JOIN|.") && !wordsAt(toks, i+1, ".") {
		return "", false
	}
	return splice(sql, t, t, syntax.QuoteName(t.Text[1:len(t.Text)-1])), true
}

// castTypes are MySQL's names of the types that stand behind ::, upper case. "" leaves the value as it is: MySQL
// divides with decimals in any case.
var castTypes = map[string]string{
	"DATE": "DATE", "TIMESTAMP": "DATETIME", "TIMESTAMPTZ": "DATETIME", "DATETIME": "DATETIME", "TIME": "TIME",
	"INT": "SIGNED", "INTEGER": "SIGNED", "BIGINT": "SIGNED", "SMALLINT": "SIGNED", "INT4": "SIGNED", "INT8": "SIGNED",
	"TEXT": "CHAR", "VARCHAR": "CHAR", "CHAR": "CHAR",
	"NUMERIC": "", "DECIMAL": "", "FLOAT": "", "FLOAT4": "", "FLOAT8": "", "REAL": "", "DOUBLE": "",
}

// colonCast is hours::int, with the function, brackets or name before it.
func colonCast(sql string, toks []syntax.Token, i int) (string, bool) {
	if i == 0 || !wordsAt(toks, i, ":", ":") || i+2 >= len(toks) {
		return "", false
	}
	from := i - 1
	if toks[from].Text == ")" {
		for depth := 1; depth > 0 && from > 0; {
			from--
			switch toks[from].Text {
			case ")":
				depth++
			case "(":
				depth--
			}
		}
		if from > 0 && toks[from-1].Kind == syntax.WordToken && !syntax.Reserved(toks[from-1].Text) {
			from--
		}
	}
	for from > 1 && toks[from-1].Text == "." {
		from -= 2
	}
	kind, known := castTypes[strings.ToUpper(toks[i+2].Text)]
	if !known {
		return "", false
	}
	to := i + 2
	if wordsAt(toks, to+1, "PRECISION") {
		to++
	} else if wordsAt(toks, to+1, "(") { // ::numeric(8, 2)
		end := slices.IndexFunc(toks[to:], func(t syntax.Token) bool { return t.Text == ")" })
		if end < 0 {
			return "", false
		}
		size := sql[toks[to+1].Pos:endOf(toks[to+end])]
		to += end
		kind = cmp.Or(kind, "DECIMAL"+size)
	}
	value := sql[toks[from].Pos:endOf(toks[i-1])]
	if kind != "" {
		value = "CAST(" + value + " AS " + kind + ")"
	}
	return splice(sql, toks[from], toks[to], value), true
}

// nullsOrder is ORDER BY fee DESC NULLS LAST. MySQL has no words for it: NULL is less than any value.
func nullsOrder(sql string, toks []syntax.Token, i int) (string, bool) {
	if !wordsAt(toks, i, "NULLS", "FIRST|LAST") || i == 0 {
		return "", false
	}
	down, last := wordsAt(toks, i-1, "DESC"), wordsAt(toks, i+1, "LAST")
	out := strings.TrimRight(sql[:toks[i].Pos], " \t\r\n") + sql[endOf(toks[i+1]):]
	if down == last {
		return out, true
	}
	end := i - 1 // of what is ordered by
	if down || wordsAt(toks, i-1, "ASC") {
		end--
	}
	from, depth := end, 0
	for ; from > 0; from-- {
		switch toks[from].Text {
		case ")":
			depth++
		case "(":
			depth--
		}
		if depth < 0 || depth == 0 && wordsAt(toks, from-1, ",|BY") {
			break
		}
	}
	if from > end || depth != 0 {
		return "", false
	}
	test := " IS NULL, "
	if !last {
		test = " IS NOT NULL, "
	}
	at := toks[from].Pos
	return out[:at] + sql[at:endOf(toks[end])] + test + out[at:], true
}

// fetchRows is OFFSET 5 ROWS FETCH NEXT 3 ROWS ONLY, with or without its offset.
func fetchRows(sql string, toks []syntax.Token, i int) (string, bool) {
	if !wordsAt(toks, i, "FETCH", "FIRST|NEXT") {
		return "", false
	}
	limit, end := "1", i+2
	if end < len(toks) && isNumber(toks[end].Text) {
		limit, end = toks[end].Text, end+1
	}
	if !wordsAt(toks, end, "ROW|ROWS", "ONLY") {
		return "", false
	}
	from := i
	if i >= 3 && wordsAt(toks, i-3, "OFFSET") && isNumber(toks[i-2].Text) && wordsAt(toks, i-1, "ROW|ROWS") {
		from, limit = i-3, limit+" OFFSET "+toks[i-2].Text
	}
	return splice(sql, toks[from], toks[end+1], "LIMIT "+limit), true
}

// topRows is SELECT TOP 5 at the beginning of a text that has no LIMIT.
func topRows(sql string, toks []syntax.Token, i int) (string, bool) {
	if i != 1 || !wordsAt(toks, 0, "SELECT", "TOP") || len(toks) < 4 ||
		slices.ContainsFunc(toks, func(t syntax.Token) bool { return strings.EqualFold(t.Text, "LIMIT") }) {
		return "", false
	}
	number, to := 2, 2
	if toks[2].Text == "(" && wordsAt(toks, 4, ")") {
		number, to = 3, 4
	}
	if !isNumber(toks[number].Text) {
		return "", false
	}
	return splice(behind(sql, " LIMIT "+toks[number].Text), toks[0], toks[to], toks[0].Text), true
}

// intervalText is what stands behind INTERVAL elsewhere: '30 days'.
var intervalText = regexp.MustCompile(`(?i)^'(-?\d+)\s+(second|minute|hour|day|week|month|quarter|year)s?'$`)

func textInterval(sql string, toks []syntax.Token, i int) (string, bool) {
	if !wordsAt(toks, i, "INTERVAL") || i+1 >= len(toks) {
		return "", false
	}
	m := intervalText.FindStringSubmatch(toks[i+1].Text)
	if m == nil {
		return "", false
	}
	return splice(sql, toks[i+1], toks[i+1], m[1]+" "+strings.ToUpper(m[2])), true
}

// catalogName is def.shop.orders: information_schema names the one catalog of MySQL so.
func catalogName(sql string, toks []syntax.Token, i int) (string, bool) {
	if !wordsAt(toks, i, "DEF|`DEF`", ".") || !wordsAt(toks, i+3, ".") {
		return "", false
	}
	return splice(sql, toks[i], toks[i+1], ""), true
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// quotedWhole is a query that stands in quotes, without them: what begins at offset at, if a quote stands before it and
// nothing but marks behind the last one.
func quotedWhole(text string, at int) (inner string, ok bool) {
	before := strings.TrimRight(text[:at], " \t\r\n")
	if before == "" || !strings.ContainsAny(before[len(strings.TrimRight(before, quoteMarks)):], quoteMarks) {
		return "", false
	}
	rest := strings.TrimRight(text[at:], ";,.)}] \t\r\n")
	if end := strings.TrimRight(rest, quoteMarks); end == rest {
		return "", false
	}
	mark, _ := utf8.DecodeLastRuneInString(rest)
	if (mark == '\'' || mark == '`') && strings.Count(rest, string(mark))%2 == 0 { // it closes a text or name
		return "", false
	}
	return strings.ReplaceAll(rest[:len(rest)-len(string(mark))], `\"`, `"`), true
}

// quoteMarks open or close a quotation.
const quoteMarks = "\"'`“”‘’„«»"
