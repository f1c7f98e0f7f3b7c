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

// checkWord refuses a bare word that MySQL does not take where TiDB's parser does. Behind a dot any word is a name.
func checkWord(sql string, t token) Verdict {
	if len(t.text) > 32 || t.pos > 0 && sql[t.pos-1] == '.' {
		return Pass("parse")
	}
	up := strings.ToUpper(t.text)
	if !OnlyMySQLReserves[up] && !NeverMySQL[up] {
		return Pass("parse")
	}
	v := placed(Reject("parse", "reserved_word", t.text), t.pos)
	v.Code = 1064
	v.Hint = "MySQL has no " + up + " here"
	if OnlyMySQLReserves[up] {
		v.Hint = up + " is a reserved word; write `" + t.text + "` in backquotes to use it as a name"
	}
	return v
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
