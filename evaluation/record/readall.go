package record

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

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
