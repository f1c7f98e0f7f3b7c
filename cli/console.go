package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"nl2sql/runner"
	"nl2sql/runner/render"
)

// console is the terminal or the pipes that the command talks to.
type console struct {
	in     io.Reader
	err    io.Writer
	typed  bool  // in is a terminal
	width  int   // of the terminal that stdout is; 0 if it is none
	live   bool  // stderr is a terminal that can redraw a line
	outErr error // the first failed write to stdout
}

func newConsole() *console {
	con := &console{in: os.Stdin, err: os.Stderr, typed: term.IsTerminal(int(os.Stdin.Fd()))}
	if fd := int(os.Stdout.Fd()); term.IsTerminal(fd) {
		con.width = 80
		if w, _, err := term.GetSize(fd); err == nil && w > 0 {
			con.width = w
		}
	}
	con.live = term.IsTerminal(int(os.Stderr.Fd())) && os.Getenv("TERM") != "dumb"
	return con
}

// Write writes to stdout. A failure is kept: main reports it, and everything after it is dropped.
func (con *console) Write(p []byte) (int, error) {
	if con.outErr != nil {
		return 0, con.outErr
	}
	n, err := os.Stdout.Write(p)
	con.outErr = err
	return n, err
}

// format resolves "auto": boxes on a terminal, tab-separated in a pipe.
func (con *console) format(name string) render.Format {
	switch {
	case name != "auto":
		return render.Format(name)
	case con.width > 0:
		return render.Table
	default:
		return render.Plain
	}
}

// rows prints a result, and says on stderr what a format has no place for.
func (con *console) rows(res runner.Result, f render.Format) error {
	if res.Truncated && (f == render.CSV || f == render.NDJSON) {
		fmt.Fprintf(con.err, "nl2sql: warning: %s (--max-rows)\n", res.RowCount())
	}
	return render.Write(con, res, f, con.width)
}

// writeJSON writes each value as a line of JSON, which a terminal shows and does not obey.
func writeJSON[T any](w io.Writer, values ...T) error {
	for _, v := range values {
		text, err := render.JSONText(v)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(text, '\n')); err != nil {
			return err
		}
	}
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
	if qe := (*runner.QueryError)(nil); errors.As(err, &qe) {
		return failure{exitNo, fmt.Errorf("refused: %w", qe)}
	}
	return err
}

// progress is one line on stderr that is drawn over and over, with the seconds since it last changed.
// It draws nothing unless stderr is a terminal.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	text  string
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
	line := render.Visible(p.text)
	if s := time.Since(p.since); s >= time.Second {
		line += fmt.Sprintf("  %d s", int(s.Seconds()))
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
}

// above lets print write lines above the one that is drawn.
func (p *progress) above(print func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	print()
	p.draw()
}

// warn writes a line above the one that is drawn.
func (p *progress) warn(w io.Writer, line string) {
	p.above(func() { fmt.Fprintf(w, "nl2sql: warning: %s\n", render.Visible(line)) })
}

// erase is called with mu held.
func (p *progress) erase() {
	if p.w != nil && p.text != "" {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// clear removes the line and ends the clock. A second call does nothing.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.once.Do(func() { close(p.stop) })
	p.erase()
	p.w, p.text = nil, ""
}
