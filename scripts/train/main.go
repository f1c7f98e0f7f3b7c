// Command train makes follow-ups to train adapters on (followups), and packs an adapter into the program
// (pack). train.py beside it does the training. README.md says how the steps follow each other.
package main

import (
	"context"
	"fmt"
	"os"
)

var commands = map[string]func(ctx context.Context, args []string) error{"followups": makeFollowups,
	"pack": packAdapter}

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: go run -tags stub ./scripts/train followups|pack …")
		os.Exit(1)
	}
	if err := commands[os.Args[1]](context.Background(), os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "train: %v\n", err)
		os.Exit(1)
	}
}
