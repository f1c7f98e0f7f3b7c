package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"nl2sql/loop/answer"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
)

// console is the terminal or the pipes that the command talks to.
type console struct {
	in     io.Reader
	err    io.Writer
	typed  bool           // in is a terminal
	screen render.Options // of the terminal that stdout is; zero if it is none
	live   bool           // stderr is a terminal that can redraw a line
	color  bool           // stderr is a terminal that shows colours
	// columns of the terminal that stderr is; 0 if it is none
	errWidth int
	wrote    bool  // something went to stdout
	outErr   error // the first failed write to stdout
}

func newConsole() *console {
	con := &console{in: os.Stdin, err: os.Stderr, typed: term.IsTerminal(int(os.Stdin.Fd()))}
	smart := os.Getenv("TERM") != "dumb"
	colors := smart && os.Getenv("NO_COLOR") == "" // no-color.org
	con.screen.Color = colors && term.IsTerminal(int(os.Stdout.Fd()))
	stderr := term.IsTerminal(int(os.Stderr.Fd()))
	con.live, con.color = stderr && smart, stderr && colors
	con.measure()
	return con
}

// measure reads how large the terminal is now.
func (con *console) measure() {
	if fd := int(os.Stdout.Fd()); term.IsTerminal(fd) {
		con.screen.Width, con.screen.Height = 80, 0
		if w, h, err := term.GetSize(fd); err == nil && w > 0 {
			con.screen.Width, con.screen.Height = w, h
		}
	}
	if w, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil {
		con.errWidth = w
	}
}

// Write writes to stdout. A failure is kept: main reports it, and everything after it is dropped.
func (con *console) Write(p []byte) (int, error) {
	if con.outErr != nil {
		return 0, con.outErr
	}
	n, err := os.Stdout.Write(p)
	con.outErr, con.wrote = err, true
	return n, err
}

// format resolves "auto": boxes on a terminal, tab-separated in a pipe.
func (con *console) format(name string) render.Format {
	switch {
	case name != "auto":
		return render.Format(name)
	case con.screen.Width > 0:
		return render.Table
	default:
		return render.Plain
	}
}

// rows prints rows of data below a text, and says on stderr what is missing in them.
func (con *console) rows(above string, res runner.Result, f render.Format) error {
	b := bytes.NewBufferString(above)
	isCut, err := render.Write(b, res, f, con.screen)
	if err == nil {
		err = con.page(b.Bytes())
	}
	if isCut {
		con.note("texts are cut to fit the terminal: --expanded shows them whole")
	}
	con.truncated(res)
	return err
}

// offer shows other readings of a question with their first rows; then is what keeps the answer.
func (con *console) offer(r answer.Answer, then string) {
	keys := ""
	if r.Asks != "" {
		con.note(r.Asks)
	}
	for i, r := range r.Readings {
		key := strconv.Itoa(i + 2)
		keys += ", " + key
		found := strings.Join(syntax.Map(r.First.Rows, func(row []any) string {
			return strings.Join(render.CellTexts(row), " | ")
		}), "; ")
		if r.First.Truncated {
			found += "; …"
		}
		con.note(fmt.Sprintf("or %s: %s → %s", key, r.Words, found))
	}
	con.note("another reading? " + keys[2:] + " and Enter shows it, " + then)
}

// line is the next line of stdin, "" where ctx ends before.
func (con *console) line(ctx context.Context) string {
	read := make(chan string, 1)
	go func() { // a read from a terminal cannot be cancelled, and the process is about to end
		line, _ := bufio.NewReader(con.in).ReadString('\n') // Ctrl-D chooses nothing
		read <- line
	}()
	select {
	case line := <-read:
		return line
	case <-ctx.Done():
		return ""
	}
}

// truncated says so of a result that is.
func (con *console) truncated(res runner.Result) {
	if res.Truncated {
		con.warn(res.RowCount() + " (--max-rows)")
	}
}

// table prints a table of ours.
func (con *console) table(res runner.Result, f render.Format) error {
	var b bytes.Buffer
	if err := con.tableTo(&b, res, f); err != nil {
		return err
	}
	return con.page(b.Bytes())
}

// listed is a table of ours with a row for each of a list.
func listed[T any](columns []string, list []T, row func(T) []any) runner.Result {
	return runner.Result{Columns: columns, Rows: syntax.Map(list, row)}
}

// tables prints those tables of ours that have rows; people see an empty line between them.
func (con *console) tables(f render.Format, list ...runner.Result) error {
	list = slices.DeleteFunc(list, func(res runner.Result) bool { return len(res.Rows) == 0 })
	for i, res := range list {
		if i > 0 && f != render.NDJSON {
			fmt.Fprintln(con)
		}
		if err := con.table(res, f); err != nil {
			return err
		}
	}
	return nil
}

// tableTo is table for what is a part of more.
func (con *console) tableTo(w io.Writer, res runner.Result, f render.Format) error {
	o := con.screen
	o.Report = true
	_, err := render.Write(w, res, f, o)
	return err
}

// warn tells of a doubt, on stderr.
func (con *console) warn(text string) {
	fmt.Fprintln(con.err, render.Doubt(con.wrapped("nl2sql: warning: "+render.Visible(text)), con.color))
}

// note tells what is no doubt, on stderr.
func (con *console) note(text string) {
	fmt.Fprintln(con.err, con.wrapped("nl2sql: "+render.Visible(text)))
}

// wrapped is a line over as many as the terminal that stderr is needs, broken at words; elsewhere it is one.
func (con *console) wrapped(line string) string { return render.Wrapped(line, con.errWidth, "  ") }

// page prints text, through a pager where it is longer than the terminal. To leave the pager early, also by Ctrl-C, is
// no failure.
func (con *console) page(text []byte) error {
	pager := pager()
	if pager == nil || con.screen.Height == 0 || bytes.Count(text, []byte("\n")) < con.screen.Height {
		_, err := con.Write(text)
		return err
	}
	pager.Stdin, pager.Stdout, pager.Stderr = bytes.NewReader(text), os.Stdout, os.Stderr
	// none of them ends us before the pager; what is left then is short
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	err := pager.Run()
	exit := (*exec.ExitError)(nil)
	// it never ran
	if isExit := errors.As(err, &exit); err != nil && (!isExit || exit.ExitCode() == 126 || exit.ExitCode() == 127) {
		_, err := con.Write(text)
		return err
	}
	return nil
}

// pager is the command in PAGER, or less where there is none; nil if that is missing, or PAGER is empty or cat. Less is
// told, where LESS does not say otherwise, to end on a short text (F), to let colours through (R), to cut long lines
// (S) and to leave the text on the screen (X).
func pager() (cmd *exec.Cmd) {
	switch command, isSet := os.LookupEnv("PAGER"); command {
	case "cat":
		return nil
	case "":
		less, err := exec.LookPath("less")
		if isSet || err != nil {
			return nil
		}
		cmd = exec.Command(less)
	default:
		cmd = exec.Command("sh", "-c", command)
	}
	cmd.Env = os.Environ()
	for _, v := range []string{"LESS=FRSX", "LESSCHARSET=utf-8"} {
		if name, _, _ := strings.Cut(v, "="); os.Getenv(name) == "" {
			cmd.Env = append(cmd.Env, v)
		}
	}
	return cmd
}

// writeNew writes a file that is not there yet, and says so.
func (con *console) writeNew(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: name another file", path)
	} else if err != nil {
		return brief(err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	con.note(fmt.Sprintf("wrote %s, %d bytes", path, len(text)))
	return nil
}

// writeObject writes one value as JSON for people.
func writeObject(w io.Writer, v any) error {
	text, err := render.JSONText(v)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err = w.Write(b.Bytes())
	return err
}

// refused tells the engine's refusal of a statement, which is an answer, from a failure to ask.
func refused(err error) error {
	if qe, ok := errors.AsType[*runner.QueryError](err); ok {
		return failure{exitNo, fmt.Errorf("refused: %w", qe)}
	}
	return err
}

// progress is a line on stderr, or a few, drawn over and over, with the seconds since it last changed.
// It draws nothing unless stderr is a terminal.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	text  string
	lines int // that are drawn
	since time.Time
	stop  chan struct{}
	once  sync.Once // for stop
}

func (con *console) progress() *progress {
	p := &progress{since: time.Now(), stop: make(chan struct{})}
	if con.live {
		p.w = con.err
		go p.tick()
	}
	return p
}

func (p *progress) tick() {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-t.C:
			p.mu.Lock()
			p.draw()
			p.mu.Unlock()
		}
	}
}

func (p *progress) show(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if text := fmt.Sprintf(format, args...); text != p.text {
		p.text, p.since = text, time.Now()
		p.draw()
	}
}

// draw is called with mu held. Stderr is best effort: there is nowhere to report its failure.
func (p *progress) draw() {
	if p.w == nil || p.text == "" {
		return
	}
	text := render.VisibleLines(p.text)
	if s := time.Since(p.since); s >= time.Second {
		text += fmt.Sprintf("  %d s", int(s.Seconds()))
	}
	fmt.Fprintf(p.w, "%s\r\x1b[K%s", p.up(), text)
	p.lines = 1 + strings.Count(text, "\n")
}

// above lets print write lines above the one that is drawn.
func (p *progress) above(print func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	print()
	p.draw()
}

// erase is called with mu held.
func (p *progress) erase() {
	if p.w != nil && p.lines > 0 {
		fmt.Fprint(p.w, p.up()+"\r\x1b[K")
	}
	p.lines = 0
}

// up erases all lines that are drawn but the first, and goes there.
func (p *progress) up() string { return strings.Repeat("\r\x1b[K\x1b[1A", max(0, p.lines-1)) }

// clear removes the line and ends the clock. A second call does nothing.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.once.Do(func() { close(p.stop) })
	p.erase()
	p.w, p.text = nil, ""
}
