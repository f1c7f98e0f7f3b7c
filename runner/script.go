package runner

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// maxStatement bounds one statement of a script, in bytes: mysqldump writes INSERTs of at most 16 MiB or so.
const maxStatement = 256 << 20

// Script reads a MySQL script statement by statement, as the mysql client does in batch mode, so that a file of any
// size streams. It knows quotes, the three kinds of comments, DELIMITER lines and CRLF.
type Script struct {
	// Escapes says that a backslash takes the character behind it along, inside quotes of this kind; so it does in
	// texts at first.
	Escapes func(quote byte) bool
	Bytes   int64 // read so far

	keep  string // of a comment to keep: what may stand behind /*
	r     *bufio.Reader
	line  int // of the next byte, 1-based
	delim string
	set   int // the line that set it
	buf   []byte
}

// swallowed finds a statement inside another one whose delimiter never came.
var swallowed = regexp.MustCompile(`(?im);\s*^(CREATE TABLE|INSERT INTO|DELIMITER)\b`)

// NewScript reads a script for an engine of our own: of comments the conditional ones (/*! … */) stay in the text.
func NewScript(r io.Reader) *Script {
	return &Script{r: bufio.NewReaderSize(r, 1<<16), line: 1, delim: ";", keep: "!",
		Escapes: func(quote byte) bool { return quote != '`' }}
}

// SplitScript calls f with one statement of a script for a server at a time, in order, without its delimiter.
// Conditional comments, MariaDB's too (/*M! … */), and hints (/*+ … */) stay in the text. An error names the line on
// which the statement begins; the errors of f and of r are wrapped.
func SplitScript(r io.Reader, f func(stmt string) error) error {
	s := NewScript(r)
	s.keep = "!+M"
	if bom, _ := s.r.Peek(3); string(bom) == "\xef\xbb\xbf" {
		s.r.Discard(3)
	}
	for {
		text, line, err := s.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(string(text))
		}
		if err != nil {
			return fmt.Errorf("statement at line %d: %w", line, err)
		}
	}
}

func (s *Script) byte() (byte, error) {
	c, err := s.r.ReadByte()
	if err != nil {
		return 0, err
	}
	s.Bytes++
	if c == '\r' && s.peek() == '\n' { // as the mysql client has it
		return s.byte()
	}
	if c == '\n' {
		s.line++
	}
	s.buf = append(s.buf, c)
	if len(s.buf) > maxStatement {
		return 0, fmt.Errorf("a statement is longer than %d MiB", maxStatement>>20)
	}
	return c, nil
}

func (s *Script) peek() byte {
	b, err := s.r.Peek(1)
	if err != nil {
		return 0
	}
	return b[0]
}

// Next returns one statement without its delimiter, leading blanks and plain comments, and the line that it starts on.
// The text is valid until the next call. The last error is io.EOF.
func (s *Script) Next() (text []byte, line int, err error) {
	s.buf = s.buf[:0]
	line = s.line
	started := false
	for {
		c, err := s.byte()
		if err == io.EOF {
			if text = trim(s.buf); started && len(text) > 0 {
				if s.delim != ";" && swallowed.Match(text) {
					return nil, line,
						fmt.Errorf("the statement that starts here goes on to the end, over other tables: nothing ends it with the delimiter %s, which is set on line %d", s.delim, s.set)
				}
				return text, line, nil
			}
			return nil, line, io.EOF
		}
		if err != nil {
			return nil, line, err
		}
		at := len(s.buf) - 1
		switch {
		case c == '\'' || c == '"' || c == '`':
			if !started {
				started, line = true, s.line
			}
			if err := s.quoted(c); err != nil {
				return nil, line, err
			}
		case c == '#' || c == '-' && s.dashComment():
			for c != '\n' {
				if c, err = s.byte(); err != nil {
					break
				}
			}
			s.buf = append(s.buf[:at], '\n')
		case c == '/' && s.peek() == '*':
			if !started {
				line = s.line
			}
			executable, err := s.comment()
			if err != nil {
				return nil, line, err
			}
			switch {
			case !executable:
				s.buf = append(s.buf[:at], ' ')
			case !started:
				started = true
			}
		case c == s.delim[0] && s.delimited(), c == '\\' && s.sent():
			text = trim(s.buf[:at])
			// the command that changes it
			if len(text) >= 9 && len(text) < 20 && strings.EqualFold(string(text[:9]), "delimiter") {
				continue
			}
			if len(text) > 0 {
				return text, line, nil
			}
			s.buf, started, line = s.buf[:0], false, s.line
		case c > ' ' && !started:
			started, line = true, s.line
		case c == '\n' && started:
			begun := bytes.TrimLeft(s.buf, " \t\r\n")
			if len(begun) > maxCommand {
				continue
			}
			d, ok, err := delimiterLine(begun)
			if err != nil || useLine.Match(begun) {
				return trim(begun), line, err
			}
			if ok {
				s.delim, s.set = d, s.line-1
				s.buf, started, line = s.buf[:0], false, s.line
			}
		}
	}
}

// quoted reads to the end of a string or quoted name.
func (s *Script) quoted(quote byte) error {
	from := s.line
	for {
		c, err := s.byte()
		if err == nil && c == '\\' && s.Escapes(quote) {
			_, err = s.byte()
			c = 0
		}
		if err == io.EOF {
			return fmt.Errorf("the string that starts on line %d is not closed", from)
		}
		if err != nil {
			return err
		}
		if c == quote {
			return nil // a doubled quote starts a new string, which comes to the same
		}
	}
}

// comment reads to the end of a comment; kept says that it holds SQL (/*! … */). A plain one inside goes; one inside
// that holds SQL ends both, as for MySQL.
func (s *Script) comment() (kept bool, err error) {
	from := s.line
	if _, err := s.byte(); err != nil {
		return false, err
	}
	first, _ := s.r.Peek(2)
	kept = len(first) > 0 && strings.IndexByte(s.keep, first[0]) >= 0 && (first[0] != 'M' || string(first) == "M!")
	for {
		c, err := s.byte()
		switch at := len(s.buf) - 1; {
		case err != nil:
		case c == '*' && s.peek() == '/':
			_, err = s.byte()
			return kept, err
		case kept && (c == '\'' || c == '"' || c == '`'): // which may hold the end of a comment
			err = s.quoted(c)
		case kept && c == '/' && s.peek() == '*':
			if b, _ := s.r.Peek(2); len(b) == 2 && b[1] == '!' {
				continue
			}
			_, err = s.comment()
			s.buf = s.buf[:at]
		}
		if err == io.EOF {
			return false, fmt.Errorf("the comment that starts on line %d is not closed", from)
		}
		if err != nil {
			return false, err
		}
	}
}

func (s *Script) dashComment() bool {
	b, _ := s.r.Peek(2)
	return len(b) > 0 && b[0] == '-' && (len(b) == 1 || b[1] <= ' ')
}

// useLine is a command of the mysql client that ends with its line.
var useLine = regexp.MustCompile("(?i)^USE\\s+(?:`[^`]+`|[^\\s;`]+)\\s*$")

// maxCommand bounds such a command, in bytes.
const maxCommand = 200

// sent says that a backslash, which has been read, is one of \g and \G, which send a statement, and reads it.
func (s *Script) sent() bool {
	sends := s.peek()|0x20 == 'g'
	if sends {
		s.byte()
	}
	return sends
}

// delimited says that the delimiter, whose first byte has been read, is complete, and reads it.
func (s *Script) delimited() bool {
	rest := len(s.delim) - 1
	if b, _ := s.r.Peek(rest); string(b) != s.delim[1:] {
		return false
	}
	for range rest {
		if _, err := s.byte(); err != nil {
			return false
		}
	}
	return true
}

// delimiterLine reads a DELIMITER command of the mysql client, which takes the first word and no more.
func delimiterLine(b []byte) (delimiter string, ok bool, err error) {
	words := strings.Fields(string(b[:min(len(b), 80)]))
	switch {
	case len(words) == 0 || !strings.EqualFold(words[0], "delimiter"):
		return "", false, nil
	case len(words) == 1 || strings.ContainsAny(words[1], "\\'\"`"):
		return "", false, errors.New("DELIMITER must be followed by a delimiter")
	}
	return words[1], true, nil
}

func trim(b []byte) []byte { return []byte(strings.TrimSpace(string(b))) }
