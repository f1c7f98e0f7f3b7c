package runner

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxStatement bounds the memory of SplitScript, in bytes. mysqldump keeps a statement below
// the server's max_allowed_packet, which is 64 MiB by default in MySQL 8.0.
const maxStatement = 64 << 20

// SplitScript reads a script as the mysql client does in batch mode and calls f with one statement
// at a time, in order, without its delimiter. It knows quotes, the three kinds of comments, DELIMITER
// lines, CRLF and a byte order mark. Comments are left out, but conditional ones (/*! … */, /*M! … */)
// and hints (/*+ … */) stay in the text. Backslashes escape in strings, so a script for sql_mode
// NO_BACKSLASH_ESCAPES is read wrongly.
//
// Memory is bounded by the longest statement, and that by 64 MiB. An error names the line on which
// the statement begins; the errors of f and of r are wrapped.
func SplitScript(r io.Reader, f func(stmt string) error) error {
	s := splitter{r: bufio.NewReaderSize(r, 64<<10), line: 1, delimiter: ";", emit: f}
	if bom, _ := s.r.Peek(3); string(bom) == "\xef\xbb\xbf" {
		s.r.Discard(3)
	}
	err := s.run()
	if err != nil && s.start > 0 {
		return fmt.Errorf("statement at line %d: %w", s.start, err)
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", s.line, err)
	}
	return nil
}

type splitter struct {
	r         *bufio.Reader
	line      int // 1-based, of the next byte
	start     int // line of the statement's first byte; 0 between statements
	delimiter string
	text      strings.Builder
	emit      func(string) error
}

// errEnd says that the input ended where it should not.
var errEnd = errors.New("end of file")

func (s *splitter) run() error {
	for {
		c, err := s.next()
		if err == io.EOF {
			return s.flush()
		}
		if err != nil {
			return err
		}
		switch {
		case c == s.delimiter[0] && s.follows(s.delimiter[1:]):
			s.r.Discard(len(s.delimiter) - 1)
			if err := s.flush(); err != nil {
				return err
			}
			continue
		case s.start == 0 && isSpace(c):
			continue
		case s.start == 0 && (c == 'd' || c == 'D') && s.isDelimiterLine():
			if err := s.setDelimiter(); err != nil {
				return err
			}
			continue
		case c == '#', c == '-' && s.isDashComment():
			if err := s.skipLine(); err != nil {
				return err
			}
			continue
		case c == '/' && s.follows("*"):
			if err := s.comment(); err != nil {
				return err
			}
			continue
		}
		if err := s.put(c); err != nil {
			return err
		}
		if c == '\'' || c == '"' || c == '`' {
			if err := s.quoted(c); err != nil {
				return err
			}
		}
	}
}

// next reads one byte and counts lines.
func (s *splitter) next() (byte, error) {
	c, err := s.r.ReadByte()
	if err == nil && c == '\n' {
		s.line++
	}
	return c, err
}

// put adds one byte to the statement, which begins with it if there is none.
func (s *splitter) put(c byte) error {
	if s.start == 0 {
		s.start = s.line
	}
	if s.text.Len() >= maxStatement {
		return fmt.Errorf("longer than %d MiB", maxStatement>>20)
	}
	return s.text.WriteByte(c)
}

// flush hands the statement over.
func (s *splitter) flush() error {
	stmt := strings.TrimRight(s.text.String(), " \t\r\n\v\f")
	s.text.Reset()
	if stmt != "" {
		if err := s.emit(stmt); err != nil {
			return err
		}
	}
	s.start = 0
	return nil
}

// follows says whether the input goes on with want.
func (s *splitter) follows(want string) bool {
	if want == "" {
		return true
	}
	got, _ := s.r.Peek(len(want))
	return string(got) == want
}

// quoted copies the rest of a string or quoted name; the opening quote is in the text already.
func (s *splitter) quoted(quote byte) error {
	open := s.line
	for {
		c, err := s.next()
		if err == io.EOF {
			return fmt.Errorf("%w in the %c opened at line %d", errEnd, quote, open)
		}
		if err != nil {
			return err
		}
		if err := s.put(c); err != nil {
			return err
		}
		switch {
		case c == '\\' && quote != '`':
			c, err := s.next()
			if err == io.EOF {
				continue
			}
			if err != nil {
				return err
			}
			if err := s.put(c); err != nil {
				return err
			}
		case c == quote: // a doubled quote closes and opens again
			return nil
		}
	}
}

// comment handles what begins with /*; the slash is read, the star is not.
func (s *splitter) comment() error {
	open := s.line
	head, _ := s.r.Peek(3)
	keep := len(head) >= 2 && (head[1] == '!' || head[1] == '+') || string(head) == "*M!"
	if !keep {
		s.r.Discard(1)
		if err := s.skipComment(open); err != nil {
			return err
		}
		if s.start == 0 {
			return nil
		}
		return s.put(' ')
	}
	for _, c := range []byte("/*") {
		if err := s.put(c); err != nil {
			return err
		}
	}
	s.r.Discard(1)
	for {
		c, err := s.next()
		if err == io.EOF {
			return fmt.Errorf("%w in the comment opened at line %d", errEnd, open)
		}
		if err != nil {
			return err
		}
		if c == '/' && s.follows("*") { // a plain comment inside a conditional one
			inner := s.line
			s.r.Discard(1)
			if err := s.skipComment(inner); err != nil {
				return err
			}
			continue
		}
		if err := s.put(c); err != nil {
			return err
		}
		switch {
		case c == '*' && s.follows("/"):
			s.r.Discard(1)
			return s.put('/')
		case c == '\'' || c == '"' || c == '`':
			if err := s.quoted(c); err != nil {
				return err
			}
		}
	}
}

func (s *splitter) skipComment(open int) error {
	for {
		c, err := s.next()
		if err == io.EOF {
			return fmt.Errorf("%w in the comment opened at line %d", errEnd, open)
		}
		if err != nil {
			return err
		}
		if c == '*' && s.follows("/") {
			s.r.Discard(1)
			return nil
		}
	}
}

// isDashComment says whether a dash just read begins a comment: "--" and then a blank, a control character or the end.
func (s *splitter) isDashComment() bool {
	got, _ := s.r.Peek(2)
	return len(got) > 0 && got[0] == '-' && (len(got) == 1 || got[1] <= ' ')
}

// skipLine leaves the line's end unread, so that it still separates words.
func (s *splitter) skipLine() error {
	for {
		got, err := s.r.Peek(1)
		if err == io.EOF || len(got) == 1 && got[0] == '\n' {
			return nil
		}
		if err != nil {
			return err
		}
		s.r.Discard(1)
	}
}

// isDelimiterLine says whether the d just read begins a DELIMITER line.
func (s *splitter) isDelimiterLine() bool {
	got, _ := s.r.Peek(len("elimiter "))
	return len(got) == len("elimiter ") && strings.EqualFold(string(got[:8]), "elimiter") && isSpace(got[8])
}

func (s *splitter) setDelimiter() error {
	line, err := s.r.ReadString('\n')
	if err != nil && err != io.EOF {
		return err
	}
	word := strings.Fields(line[len("elimiter"):])
	if len(word) == 0 || strings.ContainsAny(word[0], "\\'\"`") {
		return errors.New("DELIMITER must be followed by a delimiter")
	}
	s.delimiter = word[0]
	if strings.HasSuffix(line, "\n") {
		s.line++
	}
	return nil
}

func isSpace(c byte) bool {
	return c == ' ' || '\t' <= c && c <= '\r'
}
