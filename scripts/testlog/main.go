// Command testlog shows what `go test -json` says on stdin as go test itself would, and keeps which tests were skipped,
// and why, in a file; with -summary it shows what such files hold, for the end of `make test`.
//
//	go test -json ./... | go run ./scripts/testlog .build/skipped/fast
//	go run ./scripts/testlog -summary .build/skipped/*
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	var err error
	switch {
	case len(os.Args) > 2 && os.Args[1] == "-summary":
		err = summary(os.Stdout, os.Args[2:])
	case len(os.Args) == 2:
		err = keep(os.Stdin, os.Stdout, os.Args[1])
	default:
		err = errors.New("usage: testlog FILE | testlog -summary FILE…")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
		os.Exit(1)
	}
}

// event is a line of go test -json. Source: `go doc test2json`.
type event struct {
	Action, Package, Test, Output string
}

// skip is a test that was skipped.
type skip struct {
	Package, Test, Why string
}

func keep(in io.Reader, out io.Writer, file string) error {
	skips, err := show(in, out)
	if err != nil {
		return err
	}
	text, err := json.Marshal(skips)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// show writes the lines of packages, and what tests say that fail, and returns the skipped ones.
func show(in io.Reader, out io.Writer) (skips []skip, err error) {
	type test struct{ pkg, name string }
	said := map[test]string{}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return skips, nil
		} else if err != nil {
			return nil, err
		}
		var e event
		if json.Unmarshal(line, &e) != nil || e.Action == "" { // what go says itself
			fmt.Fprint(out, string(line))
			continue
		}
		at := test{e.Package, e.Test}
		switch {
		case e.Action == "build-output":
			fmt.Fprint(out, e.Output)
		case e.Action == "output" && e.Test == "":
			if e.Output != "PASS\n" {
				fmt.Fprint(out, e.Output)
			}
		case e.Action == "output" && !strings.HasPrefix(e.Output, "=== "):
			said[at] += e.Output
		case e.Action == "skip" && e.Test != "":
			skips = append(skips, skip{strings.TrimPrefix(e.Package, "nl2sql/"), e.Test, reason(said[at])})
		case e.Action == "fail" && e.Test != "":
			fmt.Fprint(out, said[at])
		}
		if e.Action != "output" {
			delete(said, at)
		}
	}
}

var place = regexp.MustCompile(`^\s+\w+\.go:\d+: `)

// reason is the last that a test said before it was skipped.
func reason(said string) string {
	why := "no reason was given"
	for line := range strings.Lines(said) {
		if at := place.FindString(line); at != "" {
			why = strings.TrimSpace(line[len(at):])
		}
	}
	return why
}

// summary lists reasons, those of most tests first, with the tests that each has, a line a file and package.
func summary(out io.Writer, files []string) error {
	whys, counts, all := map[string]map[string][]string{}, map[string]int{}, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var skips []skip
		if err := json.Unmarshal(text, &skips); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, s := range skips {
			if whys[s.Why] == nil {
				whys[s.Why] = map[string][]string{}
			}
			where := filepath.Base(file) + ": " + s.Package
			whys[s.Why][where] = append(whys[s.Why][where], s.Test)
			counts[s.Why]++
			all++
		}
	}
	if all == 0 {
		fmt.Fprintln(out, "no test was skipped")
		return nil
	}
	fmt.Fprintf(out, "%d tests were skipped:\n", all)
	for _, why := range slices.SortedFunc(maps.Keys(whys), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	}) {
		fmt.Fprintf(out, "  %s\n", why)
		for _, where := range slices.Sorted(maps.Keys(whys[why])) {
			fmt.Fprintf(out, "    %s: %s\n", where, few(whys[why][where]))
		}
	}
	return nil
}

// few names the first of some tests.
func few(tests []string) string {
	const most = 4
	if len(tests) <= most {
		return strings.Join(tests, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(tests[:most-1], ", "), len(tests)-most+1)
}
