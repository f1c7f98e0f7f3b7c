// Command quality measures how right answers are: it splits Spider's databases, runs every condition on every set of questions, and
// writes the page of the figures.
package main

import (
	"fmt"
	"io"
	"os"

	"nl2sql/evaluation/item"
)

var commands = map[string]func(args []string) error{"items": printSide}

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/quality items …")
		os.Exit(1)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "quality: %v\n", err)
		os.Exit(1)
	}
}

func writeItems(w io.Writer, items []item.Item) error {
	for _, it := range items {
		line, err := item.JSONLine(it)
		if err != nil {
			return err
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}
