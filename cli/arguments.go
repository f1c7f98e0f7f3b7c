package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// flagsOf are the flags of a command and of those below it: "--name" or "-n", and whether a value follows.
func flagsOf(node *kong.Node) map[string]bool {
	all := map[string]bool{}
	for _, f := range node.Flags {
		all["--"+f.Name] = !f.IsBool()
		if f.Short != 0 {
			all["-"+string(f.Short)] = !f.IsBool()
		}
	}
	for _, child := range node.Children {
		for name, value := range flagsOf(child) {
			all[name] = value
		}
	}
	return all
}

// inOrder puts flags that stand before the name of their command behind it: flags belong to commands, and may come first.
func inOrder(node *kong.Node, known map[string]bool, args []string) []string {
	var words, flags []string
	for len(node.Children) > 0 && len(args) > 0 {
		arg := args[0]
		if strings.HasPrefix(arg, "-") && arg != "-" && arg != "--" {
			n := 1
			if known[arg] && len(args) > 1 { // not --name=value
				n = 2
			}
			flags, args = append(flags, args[:n]...), args[n:]
			continue
		}
		i := slices.IndexFunc(node.Children, func(c *kong.Node) bool { return c.Name == arg || slices.Contains(c.Aliases, arg) })
		if i < 0 {
			break
		}
		node, words, args = node.Children[i], append(words, arg), args[1:]
	}
	return slices.Concat(words, flags, args)
}

// ofAnotherCommand makes it clear that a flag is known, and not to this command.
func ofAnotherCommand(err error, known map[string]bool) error {
	var wrong *kong.ParseError
	if !errors.As(err, &wrong) || wrong.Context == nil {
		return err
	}
	rest, unknown := strings.CutPrefix(err.Error(), "unknown flag ")
	name, _, _ := strings.Cut(rest, ",")
	if _, there := known[name]; !unknown || !there {
		return err
	}
	if wrong.Context.Selected() == nil {
		return failure{exitUsage, fmt.Errorf("%s is of commands, and there is none: nl2sql --help lists them", name)}
	}
	command := wrong.Context.Selected().Path()
	return failure{exitUsage, fmt.Errorf("%s takes no %s: see nl2sql %s --help", command, name, command)}
}

// dsns are the databases that the command line and the environment name.
func dsns(args []string) []string {
	all := []string{os.Getenv("NL2SQL_DB")}
	for i, arg := range args {
		for _, flag := range []string{"--db", "--against"} {
			if value, is := strings.CutPrefix(arg, flag+"="); is {
				all = append(all, value)
			} else if arg == flag && i+1 < len(args) {
				all = append(all, args[i+1])
			}
		}
	}
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}
