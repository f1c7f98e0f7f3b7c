package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionCmd struct{}

// commit is set by the Makefile with -X main.commit=…; builds inside a checkout know it by themselves.
var commit string

// Run says what was built from what.
func (*versionCmd) Run(con *console) error {
	fmt.Fprintf(con, "nl2sql %s %s %s/%s\n", revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// revision is the commit, with "+changes" if the checkout had any.
func revision() string {
	if commit != "" {
		return commit
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	rev, dirty := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	return rev + dirty
}
