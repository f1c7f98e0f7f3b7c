package record

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"nl2sql/evaluation/score"
	"nl2sql/runner/files"
)

// ReadFlags reads runs of which only the scores are left: per_item_flags.csv, or the original's per_item.csv, and
// manifest.csv (dissertation.md §5.10), both as files. Questions and queries stay empty unless the file has them.
func ReadFlags(flags, manifest string) ([]Run, error) {
	f, err := files.Open(flags)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := files.Open(manifest)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	runs, err := readManifest(m)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", manifest, err)
	}
	if err := readFlags(f, runs); err != nil {
		return nil, fmt.Errorf("read %s: %w", flags, err)
	}
	return runs, nil
}

// readManifest returns a run without records for each row.
func readManifest(r io.Reader) (runs []Run, err error) {
	seen := map[[2]string]bool{}
	err = eachRow(r, []string{"condition_id", "model_tag", "method", "k", "seed", "n_items", "source_json"},
		func(v map[string]string) error {
			k, err := strconv.Atoi(v["k"])
			n, err2 := strconv.Atoi(v["n_items"])
			switch key := [2]string{v["condition_id"], v["seed"]}; {
			case err != nil:
				return fmt.Errorf("k is %q, not a number", v["k"])
			case err2 != nil || n < 1:
				return fmt.Errorf("n_items is %q, not a number above 0", v["n_items"])
			case seen[key]:
				return fmt.Errorf("condition %s, seed %s is there twice", key[0], key[1])
			default:
				seen[key] = true
			}
			runs = append(runs, Run{Name: strings.TrimSuffix(filepath.Base(v["source_json"]), ".json"), Card: Card{
				Version: 1, Condition: v["condition_id"], Model: v["model_tag"], Agent: v["method"],
				Shots: k, Seed: v["seed"],
				Pool: "test", Guards: "none", ItemCount: n,
			}})
			return nil
		})
	if err == nil && len(runs) == 0 {
		err = errors.New("no runs")
	}
	return runs, err
}

// readFlags adds a record to the run of each row.
func readFlags(r io.Reader, runs []Run) error {
	of := map[[2]string]*Run{}
	for i := range runs {
		of[[2]string{runs[i].Card.Condition, runs[i].Card.Seed}] = &runs[i]
	}
	seen := map[[3]string]bool{}
	err := eachRow(r, []string{"condition_id", "seed", "example_id", "va", "em", "ex", "ts"},
		func(v map[string]string) error {
			key := [3]string{v["condition_id"], v["seed"], v["example_id"]}
			run := of[[2]string(key[:2])]
			switch {
			case run == nil:
				return fmt.Errorf("condition %s, seed %s is not in the manifest", key[0], key[1])
			case seen[key]:
				return fmt.Errorf("item %s of condition %s, seed %s is there twice", key[2], key[0], key[1])
			}
			seen[key] = true
			var s score.Score
			for name, to := range map[string]*bool{"va": &s.VA, "em": &s.EM, "ex": &s.EX} {
				yes, ok := readFlag(v[name])
				if !ok {
					return fmt.Errorf("%s is %q, neither 0 nor 1", name, v[name])
				}
				*to = yes
			}
			if v["ts"] != "" {
				same, ok := readFlag(v["ts"])
				if !ok {
					return fmt.Errorf("ts is %q, neither 0 nor 1 nor empty", v["ts"])
				}
				s.TS = &same
			}
			run.Records = append(run.Records, Record{ID: key[2], Question: v["nlq"],
				Scores: map[string]score.Score{"dissertation": s}})
			return nil
		})
	if err != nil {
		return err
	}
	for _, run := range runs {
		if len(run.Records) != run.Card.ItemCount {
			return fmt.Errorf("condition %s, seed %s has %d items, the manifest says %d", run.Card.Condition,
				run.Card.Seed, len(run.Records), run.Card.ItemCount)
		}
	}
	return nil
}

// readFlag reads a boolean as Python's csv and pandas write one.
func readFlag(text string) (yes, ok bool) {
	switch text {
	case "1", "1.0", "True":
		return true, true
	case "0", "0.0", "False":
		return false, true
	}
	return false, false
}

// eachRow calls f with every row of a CSV file by column name. Columns in want must be there, others may be.
func eachRow(r io.Reader, want []string, f func(map[string]string) error) error {
	in := csv.NewReader(r)
	header, err := in.Read()
	if err == io.EOF {
		return errors.New("the file is empty")
	} else if err != nil {
		return err
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff") // spreadsheets write a byte order mark
	for _, name := range want {
		if !slices.Contains(header, name) {
			return fmt.Errorf("no column %q in line 1", name)
		}
	}
	for {
		row, err := in.Read()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		values := make(map[string]string, len(row))
		for i, name := range header {
			values[name] = row[i]
		}
		if err := f(values); err != nil {
			line, _ := in.FieldPos(0)
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}
