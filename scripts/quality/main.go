// Command quality measures how right answers are: it splits Spider's databases, runs every model on every set of
// questions, and writes the table of the figures.
package main

import (
	"fmt"
	"os"
)

var commands = map[string]func(args []string) error{"items": printSide, "results": measureResults}

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/quality items|results …")
		os.Exit(1)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "quality: %v\n", err)
		os.Exit(1)
	}
}
