package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
)

// Log is a file of JSON lines that is only added to.
type Log struct{ *os.File }

// mostLine bounds a line of a log, in bytes.
const mostLine = 16 << 20

// OpenLog opens a log for adding, or begins one, and sends the lines that it has through read. It changes nothing of a
// file of which read refuses a line, or whose only line does not begin as those of such a log.
func OpenLog(path, begin string, read func(line []byte) error) (*Log, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: name one", path)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	l := &Log{f}
	if err := l.read(begin, read); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return l, nil
}

func (l *Log) read(begin string, read func(line []byte) error) error {
	whole, n := int64(0), 1
	for line, err := range Lines(l.File, mostLine) {
		switch {
		case err != nil:
			return err
		case n == 1 && !bytes.HasPrefix(line, []byte(begin)):
			return errors.New("its first line is not of such a file, so nothing is written to it: name another")
		case Torn(line):
			Passed(l.Name())
			return l.Truncate(whole)
		}
		if err := read(bytes.TrimSpace(line)); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if line[len(line)-1] != '\n' {
			_, err := l.Write([]byte{'\n'})
			return err
		}
		whole, n = whole+int64(len(line)), n+1
	}
	return nil
}

// Torn says that a line is what a killed process or a full disk left of one.
func Torn(line []byte) bool {
	err := json.NewDecoder(bytes.NewReader(line)).Decode(new(json.RawMessage))
	return !bytes.HasSuffix(line, []byte("\n")) && errors.Is(err, io.ErrUnexpectedEOF)
}

// Passed warns that the end of a file was torn.
func Passed(path string) { slog.Warn(path + ": the last line was cut off: it is passed over") }

// Write adds a line. What is written of one that has no room is taken back.
func (l *Log) Write(line []byte) (int, error) {
	end, unsought := l.Seek(0, io.SeekEnd)
	n, err := l.File.Write(line)
	if err != nil && n > 0 && unsought == nil {
		err = errors.Join(err, l.Truncate(end))
	}
	return n, err
}
