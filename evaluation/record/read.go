package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nl2sql/runner/files"
	"nl2sql/sqlcheck/syntax"
)

// A live run's folder holds two files. RunFile is the same, byte for byte, whenever the same run is made again, its
// card's date apart; what differs each time is in TimingsFile.
const (
	RunFile     = "run.jsonl"     // a Card, then a Record a line
	TimingsFile = "timings.jsonl" // a timing a line
)

const runVersion = 1

// timing is what a record leaves out of RunFile: it depends on the machine and on what ran before.
type timing struct {
	ID       string        `json:"id"`
	Took     time.Duration `json:"took_ns"`       // wall time of the answer, scoring excluded
	Cached   int           `json:"cached_tokens"` // of the prompts
	Drafted  int           `json:"drafted_tokens,omitempty"`
	Accepted int           `json:"accepted_tokens,omitempty"`
}

// ReadRun reads the folder of a live run, its RunFile, or the original's JSON in either of its shapes. A run that was
// stopped is read as far as it came: it then has fewer records than Card.ItemCount, in the order in which they were
// made; a finished run's are in item order.
func ReadRun(path string) (Run, error) {
	file := path
	if st, err := os.Stat(path); err != nil {
		return Run{}, err
	} else if st.IsDir() {
		file = filepath.Join(path, RunFile)
	}
	run, _, err := readRunFile(file)
	if errors.Is(err, errNotOurs) {
		return ReadOriginal(file)
	}
	if err != nil {
		return Run{}, err
	}
	if n := len(run.Records); n < run.Card.ItemCount {
		slog.Warn(fmt.Sprintf("%s: %d of %d items: the run was stopped, go on with eval", path, n, run.Card.ItemCount))
	}
	run.Name = strings.TrimSuffix(filepath.Base(path), ".jsonl")
	times, _, err := readTimings(filepath.Join(filepath.Dir(file), TimingsFile))
	if err != nil {
		return Run{}, err
	}
	for i := range run.Records {
		r := &run.Records[i]
		t := times[r.ID]
		r.Took, r.Cached, r.Drafted, r.Accepted = t.Took, t.Cached, t.Drafted, t.Accepted
	}
	return run, nil
}

var errNotOurs = errors.New("not a results file")

// readRunFile reads a RunFile and returns how many bytes of it are whole lines: a killed run may leave a torn one.
func readRunFile(file string) (run Run, whole int64, err error) {
	seen := map[string]bool{}
	whole, err = readLines(file, func(n int, line []byte) error {
		if n == 1 {
			var head struct {
				Version int             `json:"nl2sql_run"`
				Shard   json.RawMessage `json:"shard"`
			}
			switch err := json.Unmarshal(line, &head); {
			case err != nil || head.Version == 0:
				return errNotOurs
			case head.Version != runVersion:
				return fmt.Errorf("format version %d: this nl2sql reads %d", head.Version, runVersion)
			case head.Shard != nil:
				return fmt.Errorf("this is part %s of a run: parts are no longer put together", head.Shard)
			}
			return syntax.JSON(line, &run.Card)
		}
		var r Record
		if err := syntax.JSON(line, &r); err != nil {
			return err
		}
		if seen[r.ID] {
			return fmt.Errorf("item %s is there twice", r.ID)
		}
		seen[r.ID] = true
		run.Records = append(run.Records, r)
		return nil
	})
	if err == nil && run.Card.Version == 0 { // not even one whole line
		err = errNotOurs
	}
	return run, whole, err
}

// readTimings reads a TimingsFile by item, the last timing of each; none if there is no such file.
func readTimings(file string) (times map[string]timing, whole int64, err error) {
	times = map[string]timing{}
	whole, err = readLines(file, func(_ int, line []byte) error {
		var t timing
		if err := json.Unmarshal(line, &t); err != nil {
			return err
		}
		times[t.ID] = t
		return nil
	})
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return times, whole, err
}

// readLines calls f with each whole line, counted from 1, and returns the number of bytes that they have.
func readLines(file string, f func(n int, line []byte) error) (whole int64, err error) {
	in, err := files.Open(file)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	n := 1
	for line, err := range files.Lines(in, maxLine) {
		if err != nil {
			return whole, fmt.Errorf("read %s: %w", file, err)
		}
		switch {
		case n > maxLines:
			return whole, fmt.Errorf("read %s: more than %d lines, the most that is read", file, maxLines)
		case line[len(line)-1] != '\n':
			return whole, nil
		}
		if err := f(n, bytes.TrimSpace(line)); err != nil {
			return whole, fmt.Errorf("read %s: line %d: %w", file, n, err)
		}
		whole, n = whole+int64(len(line)), n+1
	}
	return whole, nil
}

// maxLine bounds a line of a run, in bytes, maxLines how many there are, and maxResults those of one of the original's.
const maxLine, maxLines, maxResults = 64 << 20, 150_000, 20_000
