// Command dist makes what is shipped of a program that was built: an archive with licences, man page and software bill
// of materials. It also looks at what was compiled. make dist and make test run it, in the module's root.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"time"
)

var commands = map[string]func(args []string) error{"pack": pack, "baseline": baseline, "licences": collect}

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/dist pack|baseline|licences …")
		os.Exit(1)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "dist: %v\n", err)
		os.Exit(1)
	}
}

// pack makes the archive of one program, a package for Debian, and the bill of materials beside them. The same program,
// version and date give the same bytes. CXX names the compiler, whose libraries are linked in.
func pack(args []string) error {
	f := flag.NewFlagSet("pack", flag.ContinueOnError)
	version := f.String("version", "", "in the archive's name")
	date := f.Int64("date", 0, "of all files, in seconds since 1970")
	man := f.String("man", "", "man page")
	completions := f.String("completions", "", "folder of the shells' scripts: nl2sql.bash, nl2sql.zsh, nl2sql.fish")
	out := f.String("out", "dist", "folder")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *version == "" || *date == 0 || *man == "" || *completions == "" || f.NArg() != 2 {
		return errors.New("usage: dist pack -version V -date SECONDS -man FILE -completions FOLDER [-out FOLDER] GOARCH PROGRAM")
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	return release{*version, f.Arg(0), f.Arg(1), *man, *completions, time.Unix(*date, 0).UTC()}.write(*out)
}
