package sqlcheck

import "strings"

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

// skipBlank passes blanks and comments that are not executable.
func skipBlank(s string, i int) int {
	for i < len(s) {
		switch {
		case isBlank(s[i]):
			i++
		case isComment(s, i) && !strings.HasPrefix(s[i:], "/*!"):
			i = skipComment(s, i)
		default:
			return i
		}
	}
	return i
}

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// isComment says whether a comment starts at s[i]. MySQL's "--" needs a blank behind it.
func isComment(s string, i int) bool {
	switch s[i] {
	case '#':
		return true
	case '/':
		return strings.HasPrefix(s[i:], "/*")
	case '-':
		return strings.HasPrefix(s[i:], "--") && (i+2 == len(s) || isBlank(s[i+2]))
	}
	return false
}

// skipComment is the offset behind the comment at s[i].
func skipComment(s string, i int) int {
	end, skip := "\n", 1
	if s[i] == '/' {
		end, skip = "*/", 2
	}
	if n := strings.Index(s[i+skip:], end); n >= 0 {
		return i + skip + n + len(end)
	}
	return len(s)
}

// SkipQuoted is the offset behind the string or quoted name at s[i].
func SkipQuoted(s string, i int) int {
	quote := s[i]
	for i++; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote != '`':
			i++
		case s[i] == quote && i+1 < len(s) && s[i+1] == quote:
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return len(s)
}
