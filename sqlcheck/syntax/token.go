package syntax

import "strings"

type tokenKind byte

const (
	EndToken     tokenKind = iota
	WordToken              // a bare word or number
	quotedToken            // a name in backquotes
	StringToken            // in ' or "
	CommentToken           // with its marks
	OtherToken             // one byte
)

// Token is one piece of a statement, only as exact as the lexical rules need it.
type Token struct {
	Kind tokenKind
	Text string // as written, quotes included
	Pos  int    // byte offset
}

// NextToken reads the token at or behind offset i, and where to go on.
func NextToken(s string, i int) (Token, int) {
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	if i == len(s) {
		return Token{EndToken, "", i}, i
	}
	kind, end := OtherToken, i+1
	switch c := s[i]; {
	case c == '\'' || c == '"':
		kind, end = StringToken, SkipQuoted(s, i)
	case c == '`':
		kind, end = quotedToken, SkipQuoted(s, i)
	case isComment(s, i):
		kind, end = CommentToken, skipComment(s, i)
	case IsWordByte(c):
		kind = WordToken
		for end < len(s) && IsWordByte(s[end]) {
			end++
		}
	}
	return Token{kind, s[i:end], i}, end
}

// IsWordByte says that a byte may stand in a name without quotes.
func IsWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// Name is the name that a token spells, or "".
func (t Token) Name() string {
	switch t.Kind {
	case WordToken:
		return t.Text
	case quotedToken:
		if len(t.Text) >= 2 {
			return strings.ReplaceAll(t.Text[1:len(t.Text)-1], "``", "`")
		}
	}
	return ""
}

// SkipBlank passes blanks and comments that are not executable.
func SkipBlank(s string, i int) int {
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
		case s[i] == '\\' && quote != '`', s[i] == quote && i+1 < len(s) && s[i+1] == quote:
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return len(s)
}
