// Package chat is a conversation, turn by turn: questions, and commands that begin with a backslash.
//
// It knows how lines are read (on a terminal with an editor, on one that can do little, from a pipe), what may stand in
// them, what stops a turn and what ends the chat, and the file in which people say what was right. It knows no model,
// no database and no answer: cli gives it what a turn does. Begin with Chat.
package chat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"nl2sql/sqlcheck/syntax"
)

// Command is what a line may ask for that begins with a backslash and a name.
type Command struct {
	Name  string // without the backslash
	Takes string // what stands behind it, as help shows it; in brackets where it may be left out; "" takes nothing
	Help  string
	Run   func(ctx context.Context, behind string) error
	Words func() []string // what may stand behind it, to be completed; nil offers nothing
}

// usage is how the command is written.
func (c Command) usage() string { return strings.TrimSpace(`\` + c.Name + " " + c.Takes) }

// Chat is a conversation. All fields but Interrupts must be set.
type Chat struct {
	Lines    Lines
	Commands []Command
	Ask      func(ctx context.Context, question string) error
	// Tell says what is wrong with a turn. The chat goes on.
	Tell func(err error)
	// Between is called behind every turn.
	Between func()
	// Interrupts are Ctrl-C while a turn is worked on: it stops, and the chat goes on. Nil where Ctrl-C ends all.
	Interrupts <-chan os.Signal
}

// ErrQuit ends a chat without being a failure: a command returns it.
var ErrQuit = errors.New("quit")

// errStopped is why a turn ended that somebody stopped.
var errStopped = errors.New("stopped")

// Run reads and answers one line after the other, until there are no more, or a command ends it. Its error is that of
// ctx, or that lines could not be read.
func (c *Chat) Run(ctx context.Context) error {
	for {
		c.forget()
		line, err := c.Lines.Read(ctx)
		c.forget() // a signal may come late, and none is of a turn that is still to begin
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, ErrInterrupted):
			continue
		case err != nil:
			return err
		}
		err = c.turn(ctx, strings.TrimSpace(line))
		file, of := errors.AsType[*fs.PathError](err)
		switch {
		case errors.Is(err, ErrQuit):
			return nil
		case of && file.Path == os.Stdout.Name(): // nobody hears the next answer either
			return err
		case ctx.Err() != nil:
			return errors.Join(ctx.Err(), err)
		case err != nil:
			c.Tell(err)
		}
		c.Between()
	}
}

// forget drops what was pressed once a turn was over.
func (c *Chat) forget() {
	for {
		select {
		case <-c.Interrupts:
		default:
			return
		}
	}
}

// turn does what a line asks for.
func (c *Chat) turn(ctx context.Context, line string) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go func() {
		select {
		case <-c.Interrupts:
			stop(errStopped)
		case <-ctx.Done():
		}
	}()
	err := c.do(ctx, line)
	if errors.Is(context.Cause(ctx), errStopped) {
		return stopped{err}
	}
	return err
}

// stopped is what a turn that somebody stopped says, and what it would have said else.
type stopped struct{ error }

func (s stopped) Error() string { return errStopped.Error() }
func (s stopped) Unwrap() error { return s.error }

func (c *Chat) do(ctx context.Context, line string) error {
	if line == "" {
		return nil
	}
	name, behind, _ := strings.Cut(line, " ")
	name, is := strings.CutPrefix(name, `\`)
	switch meant := plainly[strings.Trim(strings.ToLower(line), " .!")]; {
	case meant != "":
		name, behind = meant, ""
	case !is:
		return c.Ask(ctx, line)
	}
	i := slices.IndexFunc(c.Commands, func(cmd Command) bool { return cmd.Name == name })
	if i < 0 {
		return c.unknown(name)
	}
	cmd, behind := c.Commands[i], strings.TrimSpace(behind)
	if needs := cmd.Takes != "" && cmd.Takes[0] != '['; needs && behind == "" || cmd.Takes == "" && behind != "" {
		return fmt.Errorf("%s: it is written so", cmd.usage())
	}
	return cmd.Run(ctx, behind)
}

// plainly are lines that ask for a command, since nobody asks a database for them.
var plainly = map[string]string{
	"quit": "quit", "exit": "quit", "help": "help", "?": "help", "undo": "undo", "undo that": "undo", "go back": "undo",
	"back": "undo", "zurück": "undo", "atrás": "undo", "retour": "undo", "start over": "new", "clear": "new",
	"reset": "new", "new conversation": "new", "von vorne": "new", "undo it": "undo", "take that back": "undo",
	"rückgängig": "undo", "deshacer": "undo", "annuler": "undo", "annule": "undo"}

func (c *Chat) unknown(name string) error {
	names := syntax.Map(c.Commands, func(cmd Command) string { return cmd.Name })
	for _, near := range syntax.NearNames(name, names) {
		return fmt.Errorf(`there is no \%s: did you mean \%s? \help lists the commands`, name, near)
	}
	return fmt.Errorf(`there is no \%s: \help lists the commands`, name)
}

// Help lists commands, a line each.
func Help(commands []Command) string {
	var b strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&b, "%-15s %s\n", c.usage(), c.Help)
	}
	b.WriteString("\nAll else is a question. One that goes on from the last is taken together with it.\n")
	return b.String()
}
