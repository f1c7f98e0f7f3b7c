package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nl2sql/runner"
	"nl2sql/runner/files"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// Pairs are two files of JSON lines that this user alone may read: of what was right, and, beside it, of what was not.
// They are changed by one process at a time.
type Pairs struct{ Path string }

// wrong is the file of what was not right.
func (p Pairs) wrong() string { return strings.TrimSuffix(p.Path, ".jsonl") + ".bad.jsonl" }

// Add keeps a verdict. A pair is in one of the files: the last verdict counts. What was not right is taken out also
// where it names no database.
func (p Pairs) Add(pair tools.Pair, right bool) (path string, err error) {
	if path = p.Path; !right {
		path = p.wrong()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return path, err
	}
	lock, err := p.lock()
	if err != nil {
		return p.Path, err
	}
	defer lock.Close() // nothing was written to it
	line, err := json.Marshal(pair)
	if err != nil {
		return path, err
	}
	for _, file := range []string{p.wrong(), p.Path} { // the lock ends when the last is written anew
		last, anywhere := line, file == p.Path && !right
		if file != path {
			last = nil
		}
		if err := change(file, pair, anywhere, last); err != nil {
			return file, err
		}
	}
	return path, nil
}

// patience is how long others may take to change the files.
const patience = 10 * time.Second

// lock holds the file of what was right against other processes.
func (p Pairs) lock() (*os.File, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		f, err := files.WaitLock(ctx, p.Path, func() {})
		if ctx.Err() != nil {
			return nil, errors.New(p.Path + ": another program does not let go of it: try again")
		} else if err != nil {
			return nil, err
		}
		has, err := f.Stat()
		if now, lost := os.Stat(p.Path); err == nil && lost == nil && os.SameFile(has, now) {
			return f, nil
		}
		if err := errors.Join(err, f.Close()); err != nil { // it was written anew meanwhile
			return nil, err
		}
	}
}

// change takes a pair out of a file, whatever its date, and adds a line; nil adds none. Lines that are no pairs stay: a
// person may edit the file. Anywhere says that a pair without a database is this one too.
func change(file string, pair tools.Pair, anywhere bool, line []byte) error {
	text, err := files.Regular(file, files.Large)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var kept bytes.Buffer
	for line := range bytes.Lines(text) {
		var old tools.Pair
		is := json.Unmarshal(line, &old) == nil
		if is && old.Question == pair.Question && sameSQL(old.SQL, pair.SQL) &&
			(old.Database == pair.Database || anywhere && old.Database == "") {
			continue
		}
		if files.Torn(line) {
			files.Passed(file)
			continue
		}
		kept.Write(bytes.TrimSuffix(line, []byte("\n")))
		kept.WriteByte('\n')
	}
	if !bytes.Equal(kept.Bytes(), text) {
		if line != nil {
			kept.Write(append(line, '\n'))
		}
		return runner.ReplaceFile(file, kept.Bytes()) // a full disk leaves the old one
	}
	if line == nil {
		return nil
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = (&files.Log{File: f}).Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// sameSQL says that two queries are the same but for spaces and how words are written.
func sameSQL(a, b string) bool {
	printed := func(sql string) string {
		stmt, ok := syntax.OneSelect(sql)
		if !ok {
			return ""
		}
		text, _ := syntax.Print(stmt) // "" of what cannot be
		return text
	}
	return a == b || strings.TrimSpace(a) == strings.TrimSpace(b) || printed(a) != "" && printed(a) == printed(b)
}
