package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// collect writes the licences of nl2sql and of all that is linked into a release, for assets: every program prints
// those of its parts. It is run when a dependency came or went.
func collect(args []string) error {
	f := flag.NewFlagSet("licences", flag.ContinueOnError)
	out := f.String("out", "assets/licences.txt.zst", "file")
	if err := f.Parse(args); err != nil {
		return err
	}
	linked, err := releaseModules()
	if err != nil {
		return err
	}
	parts, err := modules("", linked)
	if err != nil {
		return err
	}
	libraries, err := cLibraries(runtime.GOARCH)
	if err != nil {
		return err
	}
	parts = append(append(parts, wordNet), libraries...)
	own, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	text := licencesText(append([]part{{name: "nl2sql", licences: map[string][]byte{"LICENSE": own}}}, parts...))
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	return os.WriteFile(*out, w.EncodeAll([]byte(text), nil), 0o644)
}

// releaseModules are the modules that a release is built of.
func releaseModules() (deps []*debug.Module, err error) {
	cmd := exec.Command("go", "list", "-deps", "-tags", "netgo,osusergo,llamacpp", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1", "GOOS=linux")
	list, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	lines := strings.Split(strings.TrimSpace(string(list)), "\n")
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		if name, version, ok := strings.Cut(line, " "); ok {
			deps = append(deps, &debug.Module{Path: name, Version: version})
		}
	}
	return deps, nil
}

// licencesText has a head for each part, with its name, and below it the files that say what its licence is. It names
// no versions: those of C's libraries are of the machine that builds.
func licencesText(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		for _, name := range slices.Sorted(maps.Keys(p.licences)) {
			fmt.Fprintf(&b, "==== %s: %s\n\n%s\n\n", p.name, name, strings.TrimSpace(string(p.licences[name])))
		}
	}
	return b.String()
}
