package chat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"regexp"
	"strings"

	"golang.org/x/term"

	"github.com/reeflective/readline"

	"nl2sql/runner/files"
)

// Lines are where the turns of a chat come from.
type Lines interface {
	// Read is the next turn, of one line or, where a backslash ends it, of several. Behind the last it is io.EOF;
	// ErrInterrupted says that Ctrl-C was pressed instead.
	Read(ctx context.Context) (string, error)
	// Edit lets a person change a text. It is errors.ErrUnsupported where nobody can.
	Edit(ctx context.Context, text string) (string, error)
}

// ErrInterrupted says that Ctrl-C was pressed while a line was awaited.
var ErrInterrupted = errors.New("interrupted")

// maxLine bounds one turn, in bytes.
const maxLine = 1 << 20

// Plain reads lines as they come: of a pipe, and on a terminal that cannot move its cursor.
type Plain struct {
	next       func() (line []byte, err error, more bool)
	prompt     func(text string) // nil shows none
	interrupts <-chan os.Signal  // nil where Ctrl-C ends all
	pending    chan read         // a line that is awaited; a read of a terminal cannot be taken back
}

type read struct {
	text string
	err  error
}

// NewPlain reads in. prompt shows what a person is to see in front of a line; nil shows nothing, as for a pipe.
func NewPlain(in io.Reader, prompt func(text string), interrupts <-chan os.Signal) *Plain {
	next, _ := iter.Pull2(files.Lines(in, maxLine)) // it ends with the program
	return &Plain{next: next, prompt: prompt, interrupts: interrupts}
}

// Read implements [Lines].
func (p *Plain) Read(ctx context.Context) (string, error) {
	whole := ""
	for shown := Prompt; ; shown = Continued {
		if p.prompt != nil {
			p.prompt(shown)
		}
		line, err := p.line(ctx)
		if errors.Is(err, io.EOF) && p.prompt != nil {
			p.prompt("\n") // Ctrl-D has none
		}
		if err != nil {
			return "", err
		}
		if len(whole)+len(line) > maxLine {
			return "", fmt.Errorf("a turn is longer than %d bytes", maxLine)
		}
		before, goesOn := strings.CutSuffix(line, `\`)
		if whole += before; !goesOn {
			return whole, nil
		}
		whole = strings.TrimRight(whole, " ") + "\n"
	}
}

// line reads one line. Of the last one the end may be missing.
func (p *Plain) line(ctx context.Context) (string, error) {
	if p.pending == nil {
		p.pending = make(chan read, 1)
		go func(to chan<- read) {
			line, err, more := p.next()
			if !more {
				err = io.EOF
			}
			to <- read{strings.TrimRight(string(line), "\r\n"), err}
		}(p.pending)
	}
	select {
	case r := <-p.pending:
		p.pending = nil
		return r.text, r.err
	case <-p.interrupts:
		if p.prompt != nil {
			p.prompt("\n")
		}
		return "", ErrInterrupted
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Edit implements [Lines].
func (*Plain) Edit(context.Context, string) (string, error) { return "", errors.ErrUnsupported }

// Prompt stands in front of a turn, Continued in front of its further lines.
const (
	Prompt    = "? "
	Continued = ". "
)

// Editor reads lines with a line editor, on a terminal: with a history that outlives the program, and completion.
type Editor struct {
	shell *readline.Shell
	fd    int // of the terminal
}

// settings of the editor, which ~/.inputrc has otherwise: a pasted text of several lines is one turn, and letters of
// other languages are letters. It does not ask the terminal where the cursor is: some never say, others late, and keys
// that come with what they say are lost.
var settings = map[string]bool{
	"cursor-position-probe":        false,
	"menu-complete-display-prefix": true, // of several words first what they share
	"enable-bracketed-paste":       true, "convert-meta": false, "input-meta": true, "output-meta": true,
}

// NewEditor keeps its history in a file; "" keeps none. Its error says that the file cannot be read or written, and the
// editor is there even so. Words are what may complete the line before the cursor.
func NewEditor(history string, words func(before string) []Word) (*Editor, error) {
	e := &Editor{shell: readline.NewShell(), fd: int(os.Stdin.Fd())}
	e.shell.Prompt.Primary(func() string { return Prompt })
	e.shell.Prompt.Secondary(func() string { return Continued })
	e.shell.AcceptMultiline = func(line []rune) bool { return len(line) == 0 || line[len(line)-1] != '\\' }
	e.shell.Completer = func(line []rune, cursor int) readline.Completions { return completions(words, line, cursor) }
	var err error
	for name, value := range settings {
		err = errors.Join(err, e.shell.Config.Set(name, value))
	}
	if history == "" {
		return e, err
	}
	log, missing := files.OpenLog(history, `{"datetime":"`, func([]byte) error { return nil })
	if missing == nil {
		missing = log.Close()
	}
	if missing != nil {
		return e, errors.Join(err, missing)
	}
	source, unread := readline.NewHistoryFromFile(history)
	e.shell.History.Add("chat", source)
	return e, errors.Join(err, unread)
}

// Read implements [Lines].
func (e *Editor) Read(ctx context.Context) (string, error) {
	before, err := term.GetState(e.fd)
	if err != nil {
		return "", err
	}
	if _, err := os.Stdout.WriteString(room); err != nil {
		return "", err
	}
	done := make(chan read, 1)
	go func() {
		text, err := e.shell.Readline()
		done <- read{text, err}
	}()
	select {
	case r := <-done:
		if errors.Is(r.err, readline.ErrInterrupt) {
			return "", ErrInterrupted
		}
		return continued.ReplaceAllString(r.text, "\n"), r.err
	case <-ctx.Done(): // the editor waits for a key that does not come, and the process is about to end
		return "", errors.Join(ctx.Err(), term.Restore(e.fd, before))
	}
}

// continued is the end of a line that goes on.
var continued = regexp.MustCompile(` *\\\n`)

// room makes free lines below the one that is edited: in the last of a terminal the editor would write over the one
// above.
const room = "\n\n\n\x1b[3A"

// Edit implements [Lines].
func (e *Editor) Edit(ctx context.Context, text string) (string, error) {
	e.shell.Line().Set([]rune(text)...)
	e.shell.History.Accept(true, false, errHeld) // the next line begins with it
	return e.Read(ctx)
}

// errHeld keeps a text that is to be edited out of the history.
var errHeld = errors.New("held")
