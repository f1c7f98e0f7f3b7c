package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"nl2sql/runner/files"
	"nl2sql/sqlcheck/syntax"
)

// Log writes a live run's folder. Lines are only ever appended, each by one write; Finish puts them in order.
type Log struct {
	dir         string
	lock        *os.File
	run, timing *os.File
	done        map[string]bool // items that have a record
	err         error           // of the first write that failed: what follows a torn line is lost
}

// OpenLog begins a run in dir, or goes on with the one that is there: then its card must be the same. It fills in
// Version and Started.
func OpenLog(dir string, card Card) (*Log, error) {
	card.Version = runVersion
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	l := &Log{dir: dir, done: map[string]bool{}}
	var err error
	if l.lock, err = files.LockFolder(dir); err != nil {
		return nil, err
	}
	if err := l.open(card); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func (l *Log) open(card Card) error {
	file, times := filepath.Join(l.dir, RunFile), filepath.Join(l.dir, TimingsFile)
	old, whole, err := held(l.dir, card)
	switch {
	case err == nil && len(old.Records) == 0:
		card.Started = time.Now().UTC().Truncate(time.Second)
		line, err := syntax.JSONLine(card)
		if err != nil {
			return err
		}
		if err := writeFile(file, line); err != nil {
			return err
		}
		whole = int64(len(line))
	case err != nil:
		return err
	default:
		for _, r := range old.Records {
			l.done[r.ID] = true
		}
	}
	_, wholeTimes, err := readTimings(times)
	if err != nil {
		return err
	}
	if l.run, err = openAppend(file, whole); err != nil {
		return err
	}
	l.timing, err = openAppend(times, wholeTimes)
	return err
}

// Held is what a folder has of the run that card describes, before its model is loaded: nothing, a part or all.
// Another run is an error that says what differs.
func Held(dir string, card Card) (Run, error) {
	card.Version = runVersion
	run, _, err := held(dir, card, "gpu")
	return run, err
}

// held also returns how many bytes of the run's file are whole lines. What the engine tells of itself once its model
// is loaded is not compared.
func held(dir string, card Card, later ...string) (Run, int64, error) {
	run, whole, err := readRunFile(filepath.Join(dir, RunFile))
	if errors.Is(err, os.ErrNotExist) {
		return Run{}, 0, nil
	}
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", dir, at.Err)
	}
	if err != nil || len(run.Records) == 0 {
		return run, whole, err
	}
	engine := map[string]string{}
	maps.Copy(engine, card.Engine)
	for _, fact := range later {
		if is, told := run.Card.Engine[fact]; told {
			engine[fact] = is
		}
	}
	card.Engine = engine
	if diff := card.Differs(run.Card); diff != "" {
		return run, whole, fmt.Errorf("%s holds another run: %s: name another folder", dir, diff)
	}
	return run, whole, nil
}

// openAppend opens file for appending after its first whole bytes; what follows them is a torn line.
func openAppend(file string, whole int64) (*os.File, error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(whole); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// appendLine writes v as one line, at once, and waits until the disk has it.
func appendLine(f *os.File, v any) error {
	line, err := syntax.JSONLine(v)
	if err != nil {
		return err
	}
	if _, err := (&files.Log{File: f}).Write(line); err != nil {
		return err
	}
	return f.Sync()
}

// Add appends a record. Its timing comes first: without a record it means nothing, and is made again.
func (l *Log) Add(r Record) error {
	r, t := r.timeless()
	if l.err == nil {
		l.err = appendLine(l.timing, t)
	}
	if l.err == nil {
		l.err = appendLine(l.run, r)
	}
	if l.err == nil {
		l.done[r.ID] = true
	}
	return l.err
}

// Has says that an item has a record.
func (l *Log) Has(id string) bool { return l.done[id] }

// Count is how many items have a record.
func (l *Log) Count() int { return len(l.done) }

// Finish puts the records into the order of ids. The file is replaced at once or not at all.
func (l *Log) Finish(ids []string) error {
	file := filepath.Join(l.dir, RunFile)
	old, err := files.Read(file, 1<<40)
	if err != nil {
		return err
	}
	lines := bytes.SplitAfter(old, []byte("\n"))
	byID := map[string][]byte{}
	for _, line := range lines[1 : len(lines)-1] {
		var r struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		byID[r.ID] = line
	}
	sorted := append([]byte{}, lines[0]...)
	for _, id := range ids {
		sorted = append(sorted, byID[id]...)
	}
	if bytes.Equal(sorted, old) {
		return nil
	}
	if len(sorted) != len(old) {
		return fmt.Errorf("%s holds records of other items", file)
	}
	return writeFile(file, sorted)
}

// writeFile replaces file at once or not at all. One process at a time may do so.
func writeFile(file string, data []byte) error {
	f, err := os.OpenFile(file+".tmp", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// Close lets another process write to the folder.
func (l *Log) Close() error {
	var errs []error
	for _, f := range []*os.File{l.run, l.timing, l.lock} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}
