package schema

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/charset"

	"nl2sql/sqlcheck/syntax"
)

// Plain writes a CREATE TABLE of any MySQL or MariaDB in words that TiDB's parser knows: of what stands behind the
// brackets it leaves the comment and the collation; it leaves out what hides columns, keeps versions or computes
// defaults, and takes the nearest of types and collations that the parser does not know. notes say which collations
// may compare otherwise, each once; defaults are the expressions that it leaves out, by their column.
func Plain(stmt string) (text string, notes []string, defaults map[string]string) {
	stmt = executed(stmt)
	p := &plainer{defaults: map[string]string{}}
	after := false // a comment
	for i := 0; ; {
		t, end := syntax.NextToken(stmt, i)
		if t.Kind == syntax.EndToken {
			break
		}
		if t.Pos > i || after {
			t.Text = " " + t.Text
		}
		after = t.Kind == syntax.CommentToken
		if i = end; !after {
			p.tokens = append(p.tokens, t.Text)
		}
	}
	open := slices.IndexFunc(p.tokens, is("("))
	if open < 0 || slices.ContainsFunc(p.tokens, is("SELECT")) || slices.ContainsFunc(p.tokens[:open], is("LIKE")) {
		return stmt, nil, nil
	}
	end := closing(p.tokens, open)
	if end >= len(p.tokens) {
		return stmt, nil, nil
	}
	var defs []string
	for from := open + 1; from < end; {
		to := from
		for to < end && !is(",")(p.tokens[to]) {
			to = min(closing(p.tokens, to)+1, end)
		}
		if def := p.definition(p.tokens[from:to]); len(def) > 0 {
			defs = append(defs, strings.Join(def, ""))
		}
		from = to + 1
	}
	head := strings.Join(p.tokens[:open], "")
	return head + " (" + strings.Join(defs, ",") + ")" + p.options(p.tokens[end+1:]), p.notes, p.defaults
}

// executed takes the marks of executable comments away, and leaves what they hold.
func executed(stmt string) string {
	var out strings.Builder
	for i := 0; i < len(stmt); {
		from := i
		switch c := stmt[i]; {
		case c == '\'' || c == '"' || c == '`':
			i = syntax.SkipQuoted(stmt, i)
		case strings.HasPrefix(stmt[i:], "/*!"), strings.HasPrefix(stmt[i:], "*/"):
			for i += 2; i < len(stmt) && (stmt[i] == '!' || stmt[i] >= '0' && stmt[i] <= '9'); i++ {
			}
			out.WriteByte(' ')
			continue
		default:
			i++
		}
		out.WriteString(stmt[from:i])
	}
	return out.String()
}

// closing is the index of the bracket that closes the one at i; i itself where there is none to close.
func closing(tokens []string, i int) int {
	if !is("(")(tokens[i]) {
		return i
	}
	for depth := 0; i < len(tokens); i++ {
		switch strings.TrimSpace(tokens[i]) {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return i
}

// is says whether a token is this word or sign.
func is(word string) func(string) bool {
	return func(t string) bool { return strings.EqualFold(strings.TrimSpace(t), word) }
}

type plainer struct {
	tokens []string // with a blank before those that had any
	notes  []string

	defaults map[string]string
}

// absentTypes are types that the parser does not know, and what their values fit in.
var absentTypes = map[string]string{"UUID": "char(36)", "INET4": "varchar(15)", "INET6": "varchar(39)",
	"XMLTYPE": "longtext", "VECTOR": "longblob"}

// dropped are words of a column or key that say nothing about its values.
var dropped = [][]string{
	{"GENERATED", "ALWAYS", "AS", "ROW", "START"}, {"GENERATED", "ALWAYS", "AS", "ROW", "END"},
	{"WITHOUT", "SYSTEM", "VERSIONING"}, {"WITH", "SYSTEM", "VERSIONING"},
	{"INVISIBLE"}, {"VISIBLE"}, {"COMPRESSED"}, {"IGNORED"}, {"NOT", "IGNORED"}, {"NOT", "SECONDARY"},
}

// definition is one of a column, a key or a condition; none if it is about something else.
func (p *plainer) definition(tokens []string) (out []string) {
	starts := func(words ...string) bool { return begins(tokens, words) }
	if starts("PERIOD", "FOR") || starts("VECTOR", "KEY") || starts("VECTOR", "INDEX") {
		return nil
	}
	tokens = withoutPeriod(tokens)
	for i := 0; i < len(tokens); i++ {
		t, rest := tokens[i], tokens[i:]
		if n := slices.IndexFunc(dropped, func(words []string) bool { return i > 1 && begins(rest, words) }); n >= 0 {
			i += len(dropped[n]) - 1
			continue
		}
		switch {
		case i == 1 && absentTypes[strings.ToUpper(strings.TrimSpace(t))] != "":
			out = append(out, " "+absentTypes[strings.ToUpper(strings.TrimSpace(t))])
			if len(rest) > 1 && is("(")(rest[1]) {
				i = closing(tokens, i+1)
			}
		case is("COLLATE")(t) && len(rest) > 1:
			out = append(out, t, " "+p.collation(strings.TrimSpace(rest[1])))
			i++
		case i > 1 && (is("CHARSET")(tokens[i-1]) || is("SET")(tokens[i-1]) && is("CHARACTER")(tokens[i-2])):
			out = append(out, " "+knownCharset(t, tokens))
		case is("DEFAULT")(t) && computed(rest[1:]):
			if i++; !is("(")(tokens[i]) {
				i++
			}
			i = closing(tokens, i)
			expr := strings.Join(tokens[len(tokens)-len(rest)+1:min(i+1, len(tokens))], "")
			p.defaults[strings.ReplaceAll(strings.Trim(strings.TrimSpace(tokens[0]), "`"), "``", "`")] = expr
		default:
			out = append(out, t)
		}
	}
	return out
}

// withoutPeriod is a key without the period in which its values may not come twice, MariaDB's WITHOUT OVERLAPS: a
// plain one, for they may come twice outside of it.
func withoutPeriod(tokens []string) []string {
	at := slices.IndexFunc(tokens, is("OVERLAPS"))
	open := slices.IndexFunc(tokens, is("("))
	if at < open+4 || open < 0 || !is("WITHOUT")(tokens[at-1]) || !is(",")(tokens[at-3]) {
		return tokens
	}
	return slices.Concat([]string{" KEY "}, tokens[open:at-3], tokens[at+1:])
}

func begins(tokens, words []string) bool {
	return len(tokens) >= len(words) && slices.EqualFunc(tokens[:len(words)], words,
		func(t, word string) bool { return is(word)(t) })
}

// computed says that a default is an expression, or a function other than the clock.
func computed(tokens []string) bool {
	switch {
	case len(tokens) == 0:
		return false
	case is("(")(tokens[0]):
		return true
	}
	return len(tokens) > 1 && is("(")(tokens[1]) && !slices.ContainsFunc([]string{"CURRENT_TIMESTAMP", "NOW",
		"LOCALTIME", "LOCALTIMESTAMP"}, func(now string) bool { return is(now)(tokens[0]) })
}

// options are those of a table that say something about its values.
func (p *plainer) options(tokens []string) (out string) {
	for i := 0; i < len(tokens); i++ {
		value := func(skip int) string {
			if i += skip; i < len(tokens) && is("=")(tokens[i]) {
				i++
			}
			if i >= len(tokens) {
				return ""
			}
			return strings.TrimSpace(tokens[i])
		}
		switch rest := tokens[i:]; {
		case is("PARTITION")(tokens[i]):
			return out
		case is("COMMENT")(tokens[i]):
			out += " COMMENT=" + value(1)
		case is("AUTO_INCREMENT")(tokens[i]):
			out += " AUTO_INCREMENT=" + value(1)
		case is("CHARSET")(tokens[i]):
			out += " CHARSET=" + knownCharset(value(1), tokens)
		case begins(rest, []string{"CHARACTER", "SET"}):
			out += " CHARSET=" + knownCharset(value(2), tokens)
		case is("COLLATE")(tokens[i]):
			out += " COLLATE=" + p.collation(value(1))
		}
	}
	return out
}

// defaultCollations are those of character sets that the parser does not know, where they are no name_general_ci.
var defaultCollations = map[string]string{"big5": "big5_chinese_ci", "gb2312": "gb2312_chinese_ci",
	"sjis": "sjis_japanese_ci", "cp932": "cp932_japanese_ci", "ujis": "ujis_japanese_ci",
	"eucjpms": "eucjpms_japanese_ci", "euckr": "euckr_korean_ci", "tis620": "tis620_thai_ci",
	"latin5": "latin5_turkish_ci", "dec8": "dec8_swedish_ci", "swe7": "swe7_swedish_ci", "hp8": "hp8_english_ci"}

// knownCharset is a character set that the parser knows: utf8mb4 holds the characters of all others, and a collation of
// theirs, unless one is said among the tokens, says how they compare.
func knownCharset(name string, tokens []string) string {
	name = strings.ToLower(strings.Trim(strings.TrimSpace(name), "`'\""))
	if _, err := charset.GetCharsetInfo(name); err == nil || name == "binary" {
		return name
	}
	coll := cmp.Or(defaultCollations[name], name+"_general_ci")
	if _, err := charset.GetCollationByName(coll); err != nil {
		return name
	}
	if slices.ContainsFunc(tokens, is("COLLATE")) {
		return "utf8mb4"
	}
	return "utf8mb4 COLLATE " + coll
}

var (
	uca1400 = regexp.MustCompile(`^(?:\w+?_)?uca1400_(?:\w+_)?(?:ai|as)_(ci|cs)$`)
	padless = regexp.MustCompile(`_nopad(_|$)`)
)

// collation is one that the parser knows: MariaDB's of Unicode 14, with neither case nor accents, compare as those of
// 5.2 do but for rare characters. What may compare otherwise is noted.
func (p *plainer) collation(name string) string {
	plain := strings.ToLower(name)
	near := padless.ReplaceAllString(plain, "$1")
	if m := uca1400.FindStringSubmatch(near); m != nil {
		switch near = "utf8mb4_unicode_520_ci"; {
		case m[1] == "cs":
			near = "utf8mb4_0900_as_cs"
		case strings.Contains(plain, "nopad"):
			near = "utf8mb4_0900_ai_ci"
		}
	}
	if note := plain + " as " + near; near != plain && !strings.HasSuffix(plain, "uca1400_ai_ci") &&
		!slices.Contains(p.notes, note) {
		p.notes = append(p.notes, note)
	}
	return near
}
