package main

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"nl2sql/llm/fetch"
)

// say tells on stderr what is being done.
func say(format string, args ...any) {
	clearLine()
	fmt.Fprintf(os.Stderr, "fetch: "+format+"\n", args...)
}

// progress counts what add is told. On a terminal it redraws one line; elsewhere it is silent.
type progress struct {
	what        string
	done, total int64
	text        func(n int64) string // of done and total
	tty         bool
	drawn       time.Time
}

func newProgress(what string, total int64) *progress {
	return &progress{what: what, total: total, text: fetch.Size, tty: onTerminal()}
}

// onTerminal reports whether a person sees stderr.
func onTerminal() bool {
	st, err := os.Stderr.Stat()
	return err == nil && st.Mode()&fs.ModeCharDevice != 0
}

func (p *progress) add(n int64) {
	p.done += n
	if p.tty && (time.Since(p.drawn) > 100*time.Millisecond || p.done == p.total) {
		p.drawn = time.Now()
		const width = 30
		full := int(min(width, width*p.done/max(p.total, 1)))
		fmt.Fprintf(os.Stderr, "\r\x1b[K%s [%s%s] %s of %s", p.what,
			strings.Repeat("#", full), strings.Repeat(".", width-full), p.text(p.done), p.text(p.total))
	}
}

// end clears the line.
func (p *progress) end() { clearLine() }

// clearLine removes what is drawn on a terminal.
func clearLine() {
	if onTerminal() {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
