package desk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"nl2sql/runner/files"
	"nl2sql/runner/render"
)

// HistoryKept is how many questions a history holds.
const HistoryKept = 1000

// History remembers the last questions with their SQL and what became of them, not what was found, in a file of JSON
// lines that only this user may read. It is safe for concurrent use.
type History struct {
	mu    sync.Mutex
	path  string
	file  *files.Log
	last  []Asked // oldest first, HistoryKept at most
	lines int     // of the file
}

// Asked is a question that was asked, a line of a history.
type Asked struct {
	Time       time.Time `json:"time"`
	Client     string    `json:"client,omitempty"` // whose token it was, where there are several
	Database   string    `json:"database"`
	Question   string    `json:"question"`
	SQL        string    `json:"sql,omitempty"`
	Outcome    string    `json:"outcome"` // as nl2sql_questions_total of /metrics has it
	Rows       int       `json:"rows"`
	Confidence float64   `json:"confidence"`
	Seconds    float64   `json:"seconds"` // of the answer, its wait excluded
}

// OpenHistory opens a history, or begins one. The error of a file that another server has, or that is no history, says
// so. What a killed server left of a line is dropped, and so is a file that it was writing anew.
func OpenHistory(path string) (*History, error) {
	h := &History{path: path}
	var err error
	h.file, err = files.OpenLog(path, `{"time":"`, func(line []byte) error {
		var a Asked
		in := json.NewDecoder(bytes.NewReader(line))
		in.DisallowUnknownFields()
		if in.Decode(&a) != nil || in.More() || a.Question == "" {
			return errors.New("it is no question of a history, so nothing is written to it: name another file")
		}
		h.lines++
		h.keep(a)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	err = locked(h.file)
	if left := os.Remove(h.beside()); err == nil && !errors.Is(left, fs.ErrNotExist) {
		err = left // a killed server was writing it
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("history: %w", err), h.file.Close())
	}
	return h, nil
}

// locked takes a file for this process alone.
func locked(f *files.Log) error {
	if files.Lock(f.File) != nil {
		return fmt.Errorf("another server has %s", f.Name())
	}
	return f.Chmod(0o600) // it may have been there
}

func (h *History) keep(a Asked) {
	if h.last = append(h.last, a); len(h.last) > HistoryKept {
		h.last = slices.Delete(h.last, 0, len(h.last)-HistoryKept)
	}
}

// add writes a line. A file of twice as many lines as are kept is written anew.
func (h *History) add(a Asked) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.keep(a)
	if h.lines >= 2*HistoryKept {
		return h.rewrite()
	}
	h.lines++
	return render.WriteJSON(h.file, a)
}

// beside is the file that a rewritten history is until it is whole.
func (h *History) beside() string {
	return filepath.Join(filepath.Dir(h.path), "."+filepath.Base(h.path)+".new")
}

func (h *History) rewrite() error {
	var b bytes.Buffer
	if err := render.WriteJSON(&b, h.last...); err != nil {
		return err
	}
	beside := h.beside()
	f, err := files.OpenLog(beside, "", func([]byte) error { return nil })
	if err != nil {
		return err
	}
	if err = errors.Join(locked(f), f.Truncate(0)); err == nil {
		_, err = f.Write(b.Bytes())
	}
	if err == nil {
		err = os.Rename(beside, h.path)
	}
	if err != nil {
		return errors.Join(err, f.Close(), os.Remove(beside))
	}
	err = h.file.Close()
	h.file, h.lines = f, len(h.last)
	return err
}

// Of lists what a client asked of a database, the newest first; "" is any.
func (h *History) Of(client, database string) []Asked {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := []Asked{}
	for _, a := range slices.Backward(h.last) {
		if (client == "" || client == a.Client) && (database == "" || database == a.Database) {
			out = append(out, a)
		}
	}
	return out
}

// Close closes the file.
func (h *History) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.file.Close()
}
