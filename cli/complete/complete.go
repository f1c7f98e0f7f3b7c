// Package complete knows what may come next on a command line, by the parser's own description of the commands: their
// names, flags, the values of flags and arguments, and where files go; and how bash, zsh and fish ask for it. Which
// models and databases there are, its caller says.
package complete

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"nl2sql/sqlcheck/syntax"

	"github.com/alecthomas/kong"
)

//go:embed nl2sql.bash nl2sql.zsh nl2sql.fish
var scripts embed.FS

// Shells are those that there are scripts for.
var Shells = []string{"bash", "zsh", "fish"}

// Script is what a shell reads, so that it completes the program nl2sql.
func Script(shell string) (string, error) {
	text, err := scripts.ReadFile("nl2sql." + shell)
	return string(text), err
}

// Word is what may stand in the place of the last word.
type Word struct{ Text, Help string }

// Values are what may stand for a flag or an argument.
type Values struct {
	Words []Word
	List  bool // several, with commas between them
	Files bool // or any file
}

// Source says what may stand for a flag, or for an argument of a command, by its placeholder or name. Ok is false where
// it has nothing to say.
type Source func(command *kong.Node, v *kong.Value, placeholder string) (Values, bool)

// Next are the words that the last of words, which may be empty, may become. The words before it are a command line
// without the name of the program.
func Next(app *kong.Application, words []string, of Source) Values {
	if len(words) == 0 {
		return Values{}
	}
	last := words[len(words)-1]
	at := walk(app.Node, words[:len(words)-1])
	var all Values
	prefix := ""
	switch name, _, given := strings.Cut(last, "="); {
	case at.value != nil:
		all = valuesOf(at.node, at.value.Value, at.value.PlaceHolder, of)
	case strings.HasPrefix(last, "--") && given && !at.literal:
		if f := flagNamed(at.node, name); f != nil {
			all, prefix = valuesOf(at.node, f.Value, f.PlaceHolder, of), name+"="
		}
	case strings.HasPrefix(last, "-") && !at.literal:
		all = flags(at.node)
	case len(at.node.Children) > 0:
		shown := syntax.Filter(at.node.Children, func(n *kong.Node) bool { return !n.Hidden })
		all.Words = syntax.Map(shown, func(n *kong.Node) Word { return Word{n.Name, n.Help} })
		if at.node == app.Node {
			all.Words = append(all.Words, Word{"help", "Show the help of a command."})
		}
	case len(at.node.Positional) > 0:
		p := at.node.Positional[min(at.args, len(at.node.Positional)-1)]
		if at.args < len(at.node.Positional) || p.IsCumulative() {
			all = valuesOf(at.node, p, p.Name, of)
		}
	}
	return fitting(all, prefix, strings.TrimPrefix(last, prefix))
}

// fitting are the values that begin with what was typed, behind a prefix that stays.
func fitting(all Values, prefix, typed string) Values {
	if i := strings.LastIndexByte(typed, ','); all.List && i >= 0 {
		prefix, typed = prefix+typed[:i+1], typed[i+1:]
	}
	all.Words = slices.DeleteFunc(all.Words, func(w Word) bool { return !strings.HasPrefix(w.Text, typed) })
	for i := range all.Words {
		all.Words[i].Text = prefix + all.Words[i].Text
	}
	return all
}

// place is how far a command line has come.
type place struct {
	node    *kong.Node
	value   *kong.Flag // whose value comes next; nil if none does
	args    int        // arguments of the command before it
	literal bool       // behind --
}

// walk goes along the words of a command line.
func walk(node *kong.Node, words []string) place {
	root := node
	at := place{node: node}
	for _, word := range words {
		switch {
		case at.value != nil:
			at.value = nil
		case at.literal:
			at.args++
		case word == "--":
			at.literal = true
		case strings.HasPrefix(word, "-") && word != "-":
			if f := flagNamed(at.node, word); f != nil && !f.IsBool() && !f.IsCounter() {
				at.value = f
			}
		case word == "help" && at.node == root:
		default:
			i := slices.IndexFunc(at.node.Children,
				func(n *kong.Node) bool { return n.Name == word || slices.Contains(n.Aliases, word) })
			if i >= 0 {
				at.node = at.node.Children[i]
			} else {
				at.args++
			}
		}
	}
	return at
}

// flagNamed is the flag of a command by its name, or of any where the name of the command is still to come.
func flagNamed(node *kong.Node, name string) *kong.Flag {
	is := func(f *kong.Flag) bool { return "--"+f.Name == name || f.Short != 0 && "-"+string(f.Short) == name }
	for _, group := range node.AllFlags(false) {
		if i := slices.IndexFunc(group, is); i >= 0 {
			return group[i]
		}
	}
	for _, child := range node.Children {
		if f := flagNamed(child, name); f != nil {
			return f
		}
	}
	return nil
}

// flags are those of a command, by their names; where its name is still to come, those of all that it may be.
func flags(node *kong.Node) (all Values) {
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			all.Words = append(all.Words, Word{"--" + f.Name, f.Help})
		}
	}
	for _, child := range node.Children {
		all.Words = append(all.Words, flags(child).Words...)
	}
	slices.SortStableFunc(all.Words, func(a, b Word) int { return strings.Compare(a.Text, b.Text) })
	all.Words = slices.CompactFunc(all.Words, func(a, b Word) bool { return a.Text == b.Text })
	return all
}

// filed are placeholders behind which files go.
var filed = []string{"FILE", "DIR", "FOLDER", "PATH", "RUN", "URL|FILE", "file", "run"}

func valuesOf(node *kong.Node, v *kong.Value, placeholder string, of Source) Values {
	if v.Enum != "" {
		return valuesNamed(v.EnumSlice()...)
	}
	if all, ok := of(node, v, placeholder); ok {
		return all
	}
	return Values{Files: slices.Contains(filed, placeholder)}
}

// Write writes words a line each, with their help behind a tab, and a line ":files" where files may follow: what the
// scripts read.
func Write(w io.Writer, v Values) error {
	for _, word := range v.Words {
		help, _, _ := strings.Cut(word.Help, "\n")
		if first, _, more := strings.Cut(help, ": "); more && len(first) > 20 {
			help = first
		}
		if _, err := fmt.Fprintf(w, "%s\t%s\n", word.Text, help); err != nil {
			return err
		}
	}
	if v.Files {
		_, err := fmt.Fprintln(w, ":files")
		return err
	}
	return nil
}
