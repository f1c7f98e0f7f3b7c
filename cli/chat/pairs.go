package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"nl2sql/runner"
	"nl2sql/runner/files"
	"nl2sql/tools"
)

// Pairs are two files of JSON lines that this user alone may read: of what was right, and, beside it, of what was not.
type Pairs struct{ Path string }

// wrong is the file of what was not right.
func (p Pairs) wrong() string { return strings.TrimSuffix(p.Path, ".jsonl") + ".bad.jsonl" }

// Add keeps a verdict. A pair is in one of the files: the last verdict counts.
func (p Pairs) Add(pair tools.Pair, right bool) (path string, err error) {
	to, from := p.Path, p.wrong()
	if !right {
		to, from = from, to
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return to, err
	}
	for _, file := range []string{from, to} {
		if err := without(file, pair); err != nil {
			return file, err
		}
	}
	line, err := json.Marshal(pair)
	if err != nil {
		return to, err
	}
	f, err := os.OpenFile(to, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return to, err
	}
	_, err = (&files.Log{File: f}).Write(append(line, '\n'))
	return to, errors.Join(err, f.Close())
}

// without takes a pair out of a file, whatever its date. Lines that are no pairs stay: a person may edit the file.
func without(file string, pair tools.Pair) error {
	if is, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) || err == nil && !is.Mode().IsRegular() {
		return nil // a device or a pipe holds nothing
	}
	text, err := files.Read(file, files.Large)
	if err != nil {
		return err
	}
	var kept bytes.Buffer
	for line := range bytes.Lines(text) {
		var old tools.Pair
		is := json.Unmarshal(line, &old) == nil
		if old.Date = pair.Date; is && old == pair {
			continue
		}
		if files.Torn(line) {
			files.Passed(file)
			continue
		}
		kept.Write(bytes.TrimSuffix(line, []byte("\n")))
		kept.WriteByte('\n')
	}
	if bytes.Equal(kept.Bytes(), text) {
		return nil
	}
	return runner.ReplaceFile(file, kept.Bytes()) // a full disk leaves the old one
}
