package dump

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/sqlcheck/syntax"
)

// literal is one value of an INSERT.
type literal struct {
	mysqlfn.Literal
	null bool
	def  bool // DEFAULT

	charset  string // that it is said to be in: _latin1'…'; "" for the script's
	computed bool   // it comes from a query: in UTF-8
}

func plain(text string) literal { return literal{Literal: mysqlfn.Literal{Text: text}} }

// insert is the head of an INSERT or REPLACE statement; rows are read one by one.
type insert struct {
	table   string
	columns []string       // nil: all of them
	verb    string         // SQLite's
	becomes string         // what ON DUPLICATE KEY UPDATE sets; "" without
	ofNew   *regexp.Regexp // a column of the new row there, and quoted texts
	query   string         // of INSERT … SELECT; "" for VALUES
	next    func() ([]literal, error)
	in      *lexer
}

var errNotValues = errors.New("only INSERT … VALUES can be loaded")

var (
	// onDuplicate is the end of an INSERT that says what becomes of a row that is there.
	onDuplicate = regexp.MustCompile(`(?is)` + quotedText + `|"(?:[^"\\]|\\.)*"|\bON\s+DUPLICATE\s+KEY\s+UPDATE\b(.*)$`)
	duplicate   = regexp.MustCompile(`(?i)^DUPLICATE\s+KEY\s+UPDATE\b`)
	// rowAlias is the name of the new row that ends its values.
	rowAlias = regexp.MustCompile(`(?i)\)\s*AS\s+(` + anyName + `)\s*$`)
	// ofNew is a column of the new row there, and quoted texts.
	ofNew = regexp.MustCompile(`(?is)` + quotedText + `|\bVALUES\s*\(\s*(` + anyName + `)\s*\)`)
)

// parseInsert reads up to VALUES.
func parseInsert(text []byte) (*insert, error) {
	in := &lexer{s: string(text)}
	ins := &insert{in: in, verb: "INSERT", ofNew: ofNew}
	from := max(strings.LastIndex(in.s, "DUPLICATE"), strings.LastIndex(in.s, "duplicate"), 0)
	if duplicate.MatchString(in.s[from:]) {
		for _, m := range onDuplicate.FindAllStringSubmatchIndex(in.s, -1) {
			if m[2] >= 0 {
				ins.verb, ins.becomes, in.s = "INSERT OR IGNORE", in.s[m[2]:], in.s[:m[0]]
			}
		}
	}
	switch {
	case in.word("REPLACE"):
		ins.verb = "INSERT OR REPLACE"
	case !in.word("INSERT"):
		return nil, errNotValues
	}
	for in.word("LOW_PRIORITY") || in.word("HIGH_PRIORITY") || in.word("DELAYED") {
	}
	if in.word("IGNORE") {
		ins.verb = "INSERT OR IGNORE"
	}
	in.word("INTO")
	name, ok := in.name()
	if ok && in.sign('.') {
		name, ok = in.name()
	}
	if ins.table = name; !ok {
		return nil, errNotValues
	}
	if in.word("SET") {
		return ins, ins.assigned()
	}
	if before := in.at; in.sign('(') && !in.peekWord("SELECT") {
		ins.columns = []string{}
		for !in.sign(')') {
			begins := len(ins.columns) == 0 || in.sign(',')
			col, ok := in.name()
			if !ok || !begins {
				return nil, errNotValues
			}
			ins.columns = append(ins.columns, col)
		}
	} else {
		in.at = before
	}
	if in.peekWord("SELECT") || in.peekWord("WITH") || in.peekWord("(") {
		ins.query = in.s[in.at:]
		return ins, nil
	}
	if !in.word("VALUES") && !in.word("VALUE") {
		return nil, errNotValues
	}
	if ins.becomes != "" && rowAlias.MatchString(in.s) {
		m := rowAlias.FindStringSubmatchIndex(in.s)
		row := regexp.QuoteMeta(unquoted(in.s[m[2]:m[3]]))
		ins.ofNew = regexp.MustCompile(ofNew.String() + "|(?:`" + row + "`|\\b" + row + ")\\s*\\.\\s*(" + anyName + ")")
		in.s = in.s[:m[0]+1]
	}
	return ins, nil
}

// assigned reads INSERT … SET a = 1, b = 2 as the one row that it is.
func (ins *insert) assigned() error {
	var row []string
	for more := true; more; more = ins.in.sign(',') {
		col, ok := ins.in.name()
		if !ok || !ins.in.sign('=') {
			return errNotValues
		}
		ins.columns, row = append(ins.columns, col), append(row, ins.in.until(","))
	}
	ins.in = &lexer{s: "(" + strings.Join(row, ",") + ")"}
	return nil
}

// errEnd is the end of the rows, and errInRow that of a statement before it.
var errEnd, errInRow = io.EOF, errors.New("the statement ends inside a row")

// row reads the next row into dst; computed reads one that is not all literals. The end is errEnd.
func (ins *insert) row(dst []literal, computed func(in *lexer) ([]literal, error)) ([]literal, error) {
	if ins.next != nil {
		return ins.next()
	}
	in := ins.in
	if in.blank(); in.at == len(in.s) {
		return nil, io.EOF
	}
	in.word("ROW")
	if !in.sign('(') {
		return nil, fmt.Errorf("%w: found %q behind a row", errNotValues, mysqlfn.Clip(in.s[in.at:]))
	}
	for begin := in.at; !in.sign(')'); {
		v, err := in.value()
		if comma := err == nil && in.sign(','); err != nil || !comma && !in.peekWord(")") {
			if in.at == len(in.s) {
				return nil, cmp.Or(err, errInRow)
			}
			in.at = begin
			if dst, err = computed(in); err != nil {
				return nil, err
			}
			break
		}
		dst = append(dst, v)
	}
	in.sign(',')
	return dst, nil
}

// lexer reads names and literals.
type lexer struct {
	s  string
	at int
}

func (l *lexer) blank() {
	for l.at < len(l.s) && l.s[l.at] <= ' ' {
		l.at++
	}
}

func (l *lexer) sign(c byte) bool {
	l.blank()
	if l.at < len(l.s) && l.s[l.at] == c {
		l.at++
		return true
	}
	return false
}

func (l *lexer) word(w string) bool {
	l.blank()
	end := l.at + len(w)
	if end > len(l.s) || !strings.EqualFold(l.s[l.at:end], w) || end < len(l.s) && syntax.IsWordByte(l.s[end]) {
		return false
	}
	l.at = end
	return true
}

// peekWord says that a word or sign comes next.
func (l *lexer) peekWord(w string) bool {
	at := l.at
	defer func() { l.at = at }()
	if len(w) == 1 && !syntax.IsWordByte(w[0]) {
		return l.sign(w[0])
	}
	return l.word(w)
}

func (l *lexer) name() (string, bool) {
	token, end := syntax.NextToken(l.s, l.at)
	l.at = end
	return token.Name(), token.Name() != ""
}

// until is the text up to one of the signs outside of quotes and brackets, or all that is left.
func (l *lexer) until(signs string) string {
	from := l.at
	for depth := 0; l.at < len(l.s); l.at++ {
		switch c := l.s[l.at]; {
		case c == '\'' || c == '"' || c == '`':
			l.at = mode{}.closing(l.s, l.at) - 1
		case depth == 0 && strings.IndexByte(signs, c) >= 0:
			return l.s[from:l.at]
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
	}
	return l.s[from:]
}

// value reads one literal.
func (l *lexer) value() (literal, error) {
	l.blank()
	from := l.at
	if from == len(l.s) {
		return literal{}, errInRow
	}
	switch c := l.s[from]; {
	case c == '\'' || c == '"':
		text, err := l.text()
		return literal{Literal: mysqlfn.Literal{Text: text, Quoted: true}}, err
	case c == '_' || (c == 'N' || c == 'n') && from+1 < len(l.s) && l.s[from+1] == '\'':
		for l.at < len(l.s) && syntax.IsWordByte(l.s[l.at]) { // _utf8mb4'x', N'x'
			l.at++
		}
		charset := strings.ToLower(strings.TrimPrefix(l.s[from:l.at], "_"))
		v, err := l.value()
		if v.charset = charset; c != '_' {
			v.charset = "utf8"
		}
		return v, err
	case l.word("NULL"):
		return literal{null: true}, nil
	case l.word("DEFAULT"):
		return literal{def: true}, nil
	case l.word("TRUE"):
		return plain("1"), nil
	case l.word("FALSE"):
		return plain("0"), nil
	case strings.HasPrefix(l.s[from:], "0x") || strings.HasPrefix(l.s[from:], "0X"):
		l.at += 2
		start := l.at
		for l.at < len(l.s) && syntax.IsWordByte(l.s[l.at]) {
			l.at++
		}
		return unhex(l.s[start:l.at])
	case strings.HasPrefix(l.s[from:], "0b"):
		for l.at += 2; l.at < len(l.s) && syntax.IsWordByte(l.s[l.at]); l.at++ {
		}
		return unbit(l.s[from+2 : l.at])
	case (c == 'x' || c == 'X' || c == 'b' || c == 'B') && from+1 < len(l.s) && l.s[from+1] == '\'':
		l.at++
		text, err := l.text()
		if err != nil {
			return literal{}, err
		}
		if c == 'b' || c == 'B' {
			return unbit(text)
		}
		return unhex(text)
	}
	for l.at < len(l.s) && strings.IndexByte("+-.0123456789eE", l.s[l.at]) >= 0 {
		l.at++
	}
	if l.at == from {
		return literal{}, fmt.Errorf("%q is not a literal", mysqlfn.Clip(l.s[from:]))
	}
	text := l.s[from:l.at]
	if i := strings.LastIndexAny(text, "+-"); i > 0 && text[i-1]|0x20 != 'e' {
		return literal{}, fmt.Errorf("%q is not a literal", mysqlfn.Clip(text))
	}
	return plain(text), nil
}

// text reads a quoted string with MySQL's escapes.
func (l *lexer) text() (string, error) {
	quote := l.s[l.at]
	l.at++
	from := l.at
	for i := from; i < len(l.s); i++ {
		switch l.s[i] {
		case '\\':
			return l.escaped(quote, from, i)
		case quote:
			if i+1 < len(l.s) && l.s[i+1] == quote {
				return l.escaped(quote, from, i)
			}
			l.at = i + 1
			return l.s[from:i], nil
		}
	}
	return "", errors.New("a string is not closed")
}

// escaped reads the rest of a string in which the first escape stands at i.
func (l *lexer) escaped(quote byte, from, i int) (string, error) {
	b := []byte(l.s[from:i])
	for ; i < len(l.s); i++ {
		c := l.s[i]
		switch {
		case c == '\\' && i+1 < len(l.s):
			i++
			e := l.s[i]
			if at := strings.IndexByte("0nrtbZ", e); at >= 0 {
				e = "\x00\n\r\t\b\x1a"[at]
			} else if e == '%' || e == '_' {
				b = append(b, '\\')
			}
			b = append(b, e)
		case c == quote && i+1 < len(l.s) && l.s[i+1] == quote:
			b = append(b, c)
			i++
		case c == quote:
			l.at = i + 1
			return string(b), nil
		default:
			b = append(b, c)
		}
	}
	return "", errors.New("a string is not closed")
}

func unhex(text string) (literal, error) {
	if len(text)%2 == 1 {
		text = "0" + text
	}
	b, err := hex.DecodeString(text)
	if err != nil {
		return literal{}, fmt.Errorf("%q is not hexadecimal", mysqlfn.Clip(text))
	}
	return literal{Literal: mysqlfn.Literal{Text: string(b), Hex: true}}, nil
}

func unbit(text string) (literal, error) {
	n, err := strconv.ParseUint("0"+text, 2, 64)
	if err != nil {
		return literal{}, fmt.Errorf("%q is not a bit literal", mysqlfn.Clip(text))
	}
	bytes := binary.BigEndian.AppendUint64(nil, n)[8-(min(len(text), 64)+7)/8:]
	return literal{Literal: mysqlfn.Literal{Text: string(bytes), Hex: true}}, nil
}
