package dump

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// maxStatement bounds one statement of a script, in bytes: mysqldump writes INSERTs of at most 16 MiB or so.
const maxStatement = 256 << 20

// script reads a MySQL script statement by statement, so that a file of any size streams.
type script struct {
	r     *bufio.Reader
	line  int   // of the next byte, 1-based
	read  int64 // bytes so far
	delim string
	set   int // the line that set it
	mode  mode
	buf   []byte
}

// swallowed finds a statement inside another one whose delimiter never came.
var swallowed = regexp.MustCompile(`(?im);\s*^(CREATE TABLE|INSERT INTO|DELIMITER)\b`)

func newScript(r io.Reader) *script {
	return &script{r: bufio.NewReaderSize(r, 1<<16), line: 1, delim: ";"}
}

func (s *script) byte() (byte, error) {
	c, err := s.r.ReadByte()
	if err != nil {
		return 0, err
	}
	s.read++
	if c == '\n' {
		s.line++
	}
	s.buf = append(s.buf, c)
	if len(s.buf) > maxStatement {
		return 0, fmt.Errorf("a statement is longer than %d MiB", maxStatement>>20)
	}
	return c, nil
}

func (s *script) peek() byte {
	b, err := s.r.Peek(1)
	if err != nil {
		return 0
	}
	return b[0]
}

// next returns one statement without its delimiter, leading blanks and plain comments, and the line that it starts on.
// The text is valid until the next call. The last error is io.EOF.
func (s *script) next() (text []byte, line int, err error) {
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
		case c == s.delim[0] && s.delimited():
			text = trim(s.buf[:len(s.buf)-len(s.delim)])
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
			if d, ok := delimiterLine(trim(s.buf)); ok {
				s.delim, s.set = d, s.line-1
				s.buf, started, line = s.buf[:0], false, s.line
			}
		}
	}
}

// quoted reads to the end of a string or quoted name.
func (s *script) quoted(quote byte) error {
	from := s.line
	for {
		c, err := s.byte()
		if err == nil && c == '\\' && s.mode.escapes(quote) {
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

// comment reads to the end of a comment; executable says that it holds SQL (/*! … */).
func (s *script) comment() (executable bool, err error) {
	from := s.line
	if _, err := s.byte(); err != nil {
		return false, err
	}
	executable = s.peek() == '!'
	last := byte(0)
	for {
		c, err := s.byte()
		if err == nil && executable && (c == '\'' || c == '"' || c == '`') { // which may hold the end of a comment
			err = s.quoted(c)
			c = 0
		}
		if err == io.EOF {
			return false, fmt.Errorf("the comment that starts on line %d is not closed", from)
		}
		if err != nil {
			return false, err
		}
		if last == '*' && c == '/' {
			return executable, nil
		}
		last = c
	}
}

func (s *script) dashComment() bool {
	b, _ := s.r.Peek(2)
	return len(b) > 0 && b[0] == '-' && (len(b) == 1 || b[1] <= ' ')
}

// delimited says that the delimiter, whose first byte has been read, is complete, and reads it.
func (s *script) delimited() bool {
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
func delimiterLine(b []byte) (string, bool) {
	if len(b) < 11 || !strings.EqualFold(string(b[:9]), "delimiter") || b[9] > ' ' {
		return "", false
	}
	words := strings.Fields(string(b[10:]))
	if len(words) == 0 {
		return "", false
	}
	return words[0], true
}

func trim(b []byte) []byte { return []byte(strings.TrimSpace(string(b))) }
