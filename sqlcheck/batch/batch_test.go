package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"nl2sql/assets"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

// echo takes longer for earlier lines, so that only eachLine can put them in order.
func echo(line []byte, tooLong bool) Checked {
	if tooLong {
		return Checked{SQL: "too long"}
	}
	time.Sleep(time.Duration(20-len(line)) * 100 * time.Microsecond)
	return Checked{SQL: string(line)}
}

func TestEachLine(t *testing.T) {
	var many []string
	for i := range 500 {
		many = append(many, strings.Repeat("x", i%20))
	}
	tests := []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"order kept", strings.Join(many, "\n") + "\n", many},
		{"no newline at the end", "a\nb", []string{"a", "b"}},
		{"empty lines count", "\n\nb\n", []string{"", "", "b"}},
		{"an endless line loses only itself", "a\n" + strings.Repeat("y", maxLine+1) + "\nb\n",
			[]string{"a", "too long", "b"}},
		{"an endless last line", strings.Repeat("y", 3*maxLine), []string{"too long"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			must.Do(t, eachLine(t.Context(), strings.NewReader(test.in), echo, func(c Checked, _ bool) error {
				got = append(got, c.SQL)
				return nil
			}))
			must.Same(t, got, test.want)
		})
	}
}

// A program that sends a line and waits for its verdict gets it.
func TestEachLineInterleaves(t *testing.T) {
	in, feed := io.Pipe()
	verdicts := make(chan bool)
	done := make(chan error)
	go func() {
		done <- eachLine(t.Context(), in, echo, func(_ Checked, idle bool) error {
			verdicts <- idle
			return nil
		})
	}()
	for range 3 {
		fmt.Fprintln(feed, "line")
		must.Be(t, <-verdicts, "not idle though no line waits")
	}
	feed.Close()
	must.Succeed(t, <-done)
}

func TestEachLineStops(t *testing.T) {
	endless := strings.Repeat("x\n", 1<<20)
	t.Run("at the first error of emit", func(t *testing.T) {
		full := errors.New("disk full")
		if err := eachLine(t.Context(), strings.NewReader(endless), echo,
			func(Checked, bool) error { return full }); err != full {
			t.Errorf("got %v", err)
		}
	})
	t.Run("when cancelled, though the input blocks", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in, feed := io.Pipe()
		defer feed.Close()
		go cancel()
		if err := eachLine(ctx, in, echo, func(Checked, bool) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("at the first error of the input", func(t *testing.T) {
		in, feed := io.Pipe()
		go feed.CloseWithError(errors.New("disk gone"))
		err := eachLine(t.Context(), in, echo, func(Checked, bool) error { return nil })
		must.Says(t, err, "disk gone")
	})
}

// Whatever a line holds, it gets one verdict, and what passes is a statement that passes again.
func FuzzCheckLine(f *testing.F) {
	for _, s := range []string{``, `{}`, `{"sql":null}`, `{"sql":"SELECT 1"}`, `{"sql":"SELECT 1","database":"x"}`,
		`[1]`, `{"sql":"SELECT 1; DROP TABLE t"}`, "{\"sql\":\"\x00\"}"} {
		f.Add([]byte(s))
	}
	ddl := must.Get(assets.DemoSQL())(f)
	demo := must.Get(schema.ParseDDL(assets.DemoName, string(ddl)))(f)
	b := Batch{Schemas: func(database string) (*schema.Schema, error) {
		if database != "" && database != assets.DemoName {
			return nil, errors.New("only the demo database is known")
		}
		return demo, nil
	}}
	f.Fuzz(func(t *testing.T, line []byte) {
		res := b.CheckLine(line, false)
		must.Have(t, res.OK != (res.SQL == ""), "ok", res.OK, "with SQL", res.SQL)
		must.Be(t, res.OK || res.Reason != "", "rejected without a reason")
		if res.OK {
			if again := b.Check(Request{SQL: &res.SQL}); !again.OK {
				t.Errorf("%s passes as %s, which does not: %v", line, res.SQL, again.Verdict)
			}
		}
	})
}

// A byte order mark, as Windows begins a file with, is no part of a line.
func TestByteOrderMark(t *testing.T) {
	s := must.Get(schema.ParseDDL("one", "CREATE TABLE a (id int)"))(t)
	b := Batch{Schemas: func(string) (*schema.Schema, error) { return s, nil }}
	must.Have(t, b.CheckLine([]byte("\uFEFF{\"sql\":\"SELECT id FROM a\"}\r\n"), false).OK, "it passes")
}
