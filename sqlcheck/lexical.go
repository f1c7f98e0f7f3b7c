package sqlcheck

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Caps on a text, before any parser sees it.
const (
	maxLength = 64 << 10 // bytes
	maxNested = 64       // open parentheses
)

// lexical refuses what must not reach the parser, or what it would read otherwise than a server does.
func lexical(sql string) Verdict {
	switch {
	case len(sql) > maxLength:
		return forbid("too_long", strconv.Itoa(len(sql))+" bytes", 0)
	case strings.IndexByte(sql, 0) >= 0:
		return forbid("nul_byte", "", 0)
	case !utf8.ValidString(sql):
		return forbid("not_utf8", "", 0)
	case strings.TrimSpace(sql) == "":
		return Reject("parse", "empty_sql", "")
	}
	nested := 0
	var before [2]token // comments aside, the last one first
	for t, at := nextToken(sql, 0); t.kind != endToken; t, at = nextToken(sql, at) {
		if t.kind != commentToken {
			if v := readOtherwise(sql, t, before); !v.OK {
				return v
			}
			before = [2]token{t, before[0]}
		}
		switch t.kind {
		case commentToken:
			for _, mark := range []string{"/*!", "/*M!", "/*T!", "/*+"} {
				if strings.HasPrefix(t.text, mark) {
					return forbid("executable_comment", mark, t.pos)
				}
			}
			if t.text[0] == '/' && !strings.HasSuffix(t.text[2:], "*/") {
				return placed(Reject("parse", "open_comment", ""), t.pos)
			}
		case wordToken:
			if v := checkWord(sql, t); !v.OK {
				return v
			}
		case otherToken:
			switch t.text {
			case "(":
				if nested++; nested > maxNested {
					return forbid("too_deep", strconv.Itoa(maxNested)+" parentheses", t.pos)
				}
			case ")":
				nested--
			}
		}
	}
	return Pass("policy")
}

// readOtherwise refuses what MySQL's lexer reads otherwise than TiDB's: signs that run together, \N, and a second text behind
// one with an introducer, which is a part of it and no alias.
func readOtherwise(sql string, t token, before [2]token) Verdict {
	what, hint := "", ""
	switch {
	case t.kind == otherToken && t.text == `\`:
		what, hint = `\`, "MySQL knows no backslash here; write NULL for \\N"
	case t.kind == otherToken && strings.IndexByte(compareSigns, t.text[0]) >= 0 && (t.pos == 0 || strings.IndexByte(compareSigns, sql[t.pos-1]) < 0):
		if op := signs(sql[t.pos:]); !comparisons[op] {
			what, hint = op, "MySQL takes these signs together; put blanks or brackets between them"
		}
	case t.kind == stringToken && before[0].kind == stringToken && introduces(before[1], before[0]):
		what, hint = t.text, "write one text in place of two"
	}
	if what == "" {
		return Pass("parse")
	}
	v := placed(Reject("parse", "syntax", start(what)), t.pos)
	v.Code, v.Hint = 1064, hint
	return v
}

// introduces says that a word belongs to the text behind it: _utf8'…', N'…' or ESCAPE '…'.
func introduces(word, text token) bool {
	if word.kind != wordToken {
		return false
	}
	return strings.HasPrefix(word.text, "_") || strings.EqualFold(word.text, "escape") || strings.EqualFold(word.text, "n") && word.pos+1 == text.pos
}

func placed(v Verdict, pos int) Verdict {
	v.Pos = pos
	return v
}

// onlyMySQLReserves are the words that MySQL 8.0 reserves and that TiDB's parser takes as names.
// Source: information_schema.KEYWORDS of MySQL 8.0.15, each tried with the parser.
var onlyMySQLReserves = wordSet(`ACCESSIBLE ASENSITIVE BEFORE CONDITION CUBE DECLARE DETERMINISTIC EACH EMPTY FUNCTION GET
	INSENSITIVE IO_AFTER_GTIDS IO_BEFORE_GTIDS JSON_TABLE LOOP MASTER_BIND MASTER_SSL_VERIFY_SERVER_CERT MODIFIES
	OPTIMIZER_COSTS PURGE READS READ_WRITE RESIGNAL RETURN SENSITIVE SIGNAL SPECIFIC SYSTEM UNDO`)

// neverMySQL are words of TiDB's SELECT that MySQL's does not have: FETCH FIRST n ROWS, TABLESAMPLE, ILIKE.
var neverMySQL = wordSet(`FETCH ILIKE TABLESAMPLE`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// checkWord refuses a bare word that MySQL does not take where TiDB's parser does. Behind a dot any word is a name.
func checkWord(sql string, t token) Verdict {
	if len(t.text) > 32 || t.pos > 0 && sql[t.pos-1] == '.' {
		return Pass("parse")
	}
	up := strings.ToUpper(t.text)
	if !onlyMySQLReserves[up] && !neverMySQL[up] {
		return Pass("parse")
	}
	v := placed(Reject("parse", "reserved_word", t.text), t.pos)
	v.Code = 1064
	v.Hint = "MySQL has no " + up + " here"
	if onlyMySQLReserves[up] {
		v.Hint = up + " is a reserved word; write `" + t.text + "` in backquotes to use it as a name"
	}
	return v
}

type tokenKind byte

const (
	endToken     tokenKind = iota
	wordToken              // a bare word or number
	quotedToken            // a name in backquotes
	stringToken            // in ' or "
	commentToken           // with its marks
	otherToken             // one byte
)

// token is one piece of a statement, only as exact as the lexical rules need it.
type token struct {
	kind tokenKind
	text string // as written, quotes included
	pos  int    // byte offset
}

// nextToken reads the token at or behind offset i, and where to go on.
func nextToken(s string, i int) (token, int) {
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	if i == len(s) {
		return token{endToken, "", i}, i
	}
	kind, end := otherToken, i+1
	switch c := s[i]; {
	case c == '\'' || c == '"':
		kind, end = stringToken, SkipQuoted(s, i)
	case c == '`':
		kind, end = quotedToken, SkipQuoted(s, i)
	case isComment(s, i):
		kind, end = commentToken, skipComment(s, i)
	case isWordByte(c):
		kind = wordToken
		for end < len(s) && isWordByte(s[end]) {
			end++
		}
	}
	return token{kind, s[i:end], i}, end
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// name is the name that a token spells, or "".
func (t token) name() string {
	switch t.kind {
	case wordToken:
		return t.text
	case quotedToken:
		if len(t.text) >= 2 {
			return strings.ReplaceAll(t.text[1:len(t.text)-1], "``", "`")
		}
	}
	return ""
}

// namePos finds where a statement first names something, behind FROM, JOIN or a comma if there is such a place:
// TiDB's tree has no positions of tables.
func namePos(sql, name string) int {
	first, before := 0, ""
	for t, at := nextToken(sql, 0); t.kind != endToken; t, at = nextToken(sql, at) {
		if t.kind == commentToken {
			continue
		}
		if strings.EqualFold(t.name(), name) {
			switch before {
			case "FROM", "JOIN", ",", "(":
				return t.pos
			}
			if first == 0 {
				first = t.pos
			}
		}
		before = strings.ToUpper(t.text)
	}
	return first
}
