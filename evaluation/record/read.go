package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"nl2sql/evaluation/score"
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

// ReportFile is what a grid says of its runs, beside their folders.
const ReportFile = "report.json"

// flagFiles are names of files of scores; a manifest.csv lies beside them.
var flagFiles = []string{"per_item_flags.csv", "per_item.csv"}

// ReadRuns reads the runs at each path: what [ReadRun] reads, a CSV file of scores as [ReadFlags] does, or a folder
// that holds either, or folders of runs.
func ReadRuns(paths []string) (runs []Run, err error) {
	for _, path := range paths {
		more, err := readRunsAt(path)
		if err != nil {
			return nil, err
		}
		runs = append(runs, more...)
	}
	return runs, nil
}

func readRunsAt(path string) ([]Run, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(filepath.Ext(path), ".csv") && !st.IsDir() {
		return flagsAt(path)
	}
	if holdsRun(path) || !st.IsDir() {
		run, err := ReadRun(path)
		return []Run{run}, err
	}
	for _, name := range flagFiles {
		if file := filepath.Join(path, name); isFile(file) {
			return flagsAt(file)
		}
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var runs []Run
	for _, e := range entries {
		at := filepath.Join(path, e.Name())
		if !holdsRun(at) && (filepath.Ext(at) != ".json" || e.Name() == ReportFile) {
			continue
		}
		run, err := ReadRun(at)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("no runs in %s: it holds neither %s nor folders with one, no .json files, and no %s with manifest.csv", path, RunFile, strings.Join(flagFiles, " or "))
	}
	return runs, nil
}

// holdsRun says that path is the folder of a run.
func holdsRun(path string) bool { return isFile(filepath.Join(path, RunFile)) }

// flagsAt reads a file of scores, with the manifest beside it.
func flagsAt(file string) ([]Run, error) {
	return ReadFlags(file, filepath.Join(filepath.Dir(file), "manifest.csv"))
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

// ReadOriginal reads a run as the original recorded it, in either of its two shapes (dissertation.md §5.10).
// The condition is in the file's name: llama_base_k3_seed7.json.
func ReadOriginal(file string) (Run, error) {
	data, err := files.Read(file, files.Large)
	if err != nil {
		return Run{}, err
	}
	var in struct {
		Timestamp time.Time
		Method    string
		K         *int
		Seed      *json.Number
		Config    struct {
			K    *int         `json:"few_shot_k"`
			Seed *json.Number `json:"few_shot_seed"`
		}
		Results, Items []originalAnswer[json.RawMessage]
		Metadata       struct {
			Commit, Method string
			Model          string `json:"model_id"`
			Replicas       int    `json:"ts_n"`
		} `json:"run_metadata"`
	}
	if err := syntax.JSON(data, &in); err != nil {
		return Run{}, fmt.Errorf("read run %s: %w", file, err)
	}
	records := append(in.Results, in.Items...)
	if n := len(records); n == 0 || n > maxResults {
		return Run{}, fmt.Errorf("read run %s: %d results, but a run has from 1 to %d", file, n, maxResults)
	}
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	condition, seed, _ := strings.Cut(name, "_seed")
	run := Run{Name: name, Card: Card{
		Version: 1, Condition: condition, Seed: seed, Agent: in.Method, Pool: "test", Guards: "none",
		Commit: in.Metadata.Commit, Model: in.Metadata.Model, ItemCount: len(records), Replicas: in.Metadata.Replicas,
		Started: in.Timestamp,
	}}
	run.Card.Agent = cmp.Or(run.Card.Agent, in.Metadata.Method)
	for _, k := range []*int{in.K, in.Config.K} {
		if k != nil {
			run.Card.Shots = *k
		}
	}
	for _, s := range []*json.Number{in.Seed, in.Config.Seed} {
		if s != nil {
			run.Card.Seed = s.String()
		}
	}
	for n, r := range records {
		if r.I == nil {
			return Run{}, fmt.Errorf("read run %s: result %d has no number i", file, n+1)
		}
		run.Records = append(run.Records, r.record())
	}
	return run, nil
}

// originalAnswer is one item in either shape. What a step S of a trace holds matters only where it is written.
type originalAnswer[S any] struct {
	I        *int    `json:"i"` // counts from 0, in the order of the run; nil: it is none
	Question string  `json:"nlq"`
	Gold     string  `json:"gold_sql"`
	Raw      string  `json:"raw_sql"`
	SQL      string  `json:"pred_sql"`
	VA       bool    `json:"va"`
	EM       bool    `json:"em"`
	EX       bool    `json:"ex"`
	TS       *int    `json:"ts"`
	Error    *string `json:"error"`
	GoldErr  *string `json:"gold_error"`
	Trace    []S     `json:"trace,omitempty"`
}

func (a originalAnswer[S]) record() Record {
	s := score.Score{VA: a.VA, EM: a.EM, EX: a.EX}
	if a.TS != nil {
		same := *a.TS == 1
		s.TS = &same
	}
	out := Record{
		ID: strconv.Itoa(*a.I), Question: a.Question, Gold: a.Gold, Raw: a.Raw, SQL: a.SQL, Steps: len(a.Trace),
		Scores: map[string]score.Score{"dissertation": s},
	}
	if a.Error != nil {
		out.Error = *a.Error
	}
	if a.GoldErr != nil {
		out.GoldError = *a.GoldErr
	}
	return out
}
