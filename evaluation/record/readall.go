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
// that holds either, or folders of runs. The shards of a run may be at paths of their own.
func ReadRuns(paths []string) ([]Run, error) {
	var parts []found
	for _, path := range paths {
		more, err := readRunsAt(path)
		if err != nil {
			return nil, err
		}
		parts = append(parts, more...)
	}
	return together(parts)
}

func readRunsAt(path string) ([]found, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(filepath.Ext(path), ".csv") && !st.IsDir() {
		return flagsAt(path)
	}
	holds, err := holdsRun(path)
	if err != nil {
		return nil, err
	}
	if holds || !st.IsDir() {
		p, err := readHere(path)
		return []found{p}, err
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
	var parts []found
	for _, e := range entries {
		at := filepath.Join(path, e.Name())
		holds, err := holdsRun(at)
		if err != nil {
			return nil, err
		}
		if !holds && (filepath.Ext(at) != ".json" || e.Name() == ReportFile) {
			continue
		}
		p, err := readHere(at)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("no runs in %s: it holds neither %s nor folders with one, no .json files, and no %s with manifest.csv", path, RunFile, strings.Join(flagFiles, " or "))
	}
	return parts, nil
}

// holdsRun says that path is the folder of a run, or of its shards.
func holdsRun(path string) (bool, error) {
	if isFile(filepath.Join(path, RunFile)) {
		return true, nil
	}
	return Sharded(path)
}

// flagsAt reads a file of scores, with the manifest beside it.
func flagsAt(file string) (parts []found, err error) {
	runs, err := ReadFlags(file, filepath.Join(filepath.Dir(file), "manifest.csv"))
	for _, run := range runs {
		parts = append(parts, found{file, run})
	}
	return parts, err
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}
