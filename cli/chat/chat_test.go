package chat

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

// A chat tells what is wrong with a turn and goes on, until it is told to end.
func TestChatRun(t *testing.T) {
	var log []string
	note := func(what string) { log = append(log, what) }
	c := &Chat{
		Lines: NewPlain(strings.NewReader("a question \\\nof two lines\n\n \\run  x y\n\\run\n\\bare x\n\\rin\n\\no\nhelp\nfails\nquit\nnever\n"), nil, nil),
		Ask: func(_ context.Context, q string) error {
			note("ask " + q)
			if q == "fails" {
				return errors.New("it fails")
			}
			return nil
		},
		Tell:    func(err error) { note("tell " + err.Error()) },
		Between: func() {},
		Commands: []Command{
			{Name: "run", Takes: "X", Run: func(_ context.Context, x string) error { note("run " + x); return nil }},
			{Name: "bare", Run: func(context.Context, string) error { note("bare"); return nil }},
			{Name: "help", Run: func(context.Context, string) error { note("help"); return nil }},
			{Name: "quit", Run: func(context.Context, string) error { return ErrQuit }},
		},
	}
	must.Do(t, c.Run(t.Context()))
	want := []string{
		"ask a question\nof two lines", "run x y", `tell \run X: it is written so`, `tell \bare: it is written so`,
		`tell there is no \rin: did you mean \run? \help lists the commands`,
		`tell there is no \no: \help lists the commands`, "help", "ask fails", "tell it fails",
	}
	must.Same(t, log, want)
}

// A turn that is stopped ends with its context, and the next is asked.
func TestChatStops(t *testing.T) {
	interrupts := make(chan os.Signal, 1)
	var told []string
	c := &Chat{
		Lines:      NewPlain(strings.NewReader("wait\nnext"), nil, nil),
		Interrupts: interrupts,
		Ask: func(ctx context.Context, q string) error {
			if q == "wait" {
				interrupts <- os.Interrupt
				<-ctx.Done()
				return ctx.Err()
			}
			told = append(told, q)
			return nil
		},
		Tell:    func(err error) { told = append(told, err.Error()) },
		Between: func() {},
	}
	must.Do(t, c.Run(t.Context()))
	must.Same(t, told, []string{"stopped", "next"})
}

// Ctrl-C that comes while a line is typed, late from the turn before, stops no turn.
func TestChatLateInterrupt(t *testing.T) {
	late := make(chan os.Signal, 9)
	var told []string
	c := &Chat{
		Lines:      NewPlain(strings.NewReader("next\n"), func(string) { late <- os.Interrupt }, nil),
		Interrupts: late,
		Ask: func(ctx context.Context, q string) error {
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
			return ctx.Err()
		},
		Tell:    func(err error) { told = append(told, err.Error()) },
		Between: func() {},
	}
	must.Do(t, c.Run(t.Context()))
	must.Same(t, told, nil)
}

// The end of the context ends a chat that waits for a line.
func TestChatEnds(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	ctx, cancel := context.WithCancel(t.Context())
	c := &Chat{Lines: NewPlain(in, func(string) { cancel() }, nil), Between: func() {}}
	if err := c.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestComplete(t *testing.T) {
	s := must.Get(schema.ParseDDL("pets", "CREATE TABLE pets (id INT PRIMARY KEY, petName VARCHAR(9)); CREATE TABLE pens (id INT)"))(t)
	s.Tables[1].Columns[1].Values = []string{"Peter Pan"}
	c := &Chat{Commands: []Command{{Name: "db", Words: func() []string { return []string{"shop", "shoes"} }}, {Name: "drop"}}}
	for before, want := range map[string]string{
		`\d`: `\db,\drop`, `\db sh`: "shop,shoes", `\db shop sh`: "", `\drop p`: "", "How many pe": "pens,pets,petName,Peter Pan",
		"of PETS": "pets", "": "", "How ": "",
	} {
		var got []string
		for _, w := range c.Complete(before, s) {
			got = append(got, w.Text)
		}
		must.Equal(t, strings.Join(got, ","), want, before, got)
	}
}
