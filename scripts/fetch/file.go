package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// file is what a fetched file must be.
type file struct {
	Name   string // below the cache folder
	Bytes  int64
	SHA256 string // hex
}

// have reports whether the file is there and holds what it must. A file that was hashed once and has the size and
// time of then is not hashed again: FILE.ok remembers them.
func (c cache) have(f file) bool {
	path := c.path(f.Name)
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() || st.Size() != f.Bytes {
		return false
	}
	want := okNote(f, st)
	if got, err := os.ReadFile(path + ".ok"); err == nil && string(got) == want {
		return true
	}
	r, err := os.Open(path)
	if err != nil {
		return false
	}
	defer r.Close()
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil || hex.EncodeToString(h.Sum(nil)) != f.SHA256 {
		return false
	}
	_ = os.WriteFile(path+".ok", []byte(want), 0o644) // without the note the file is only hashed again
	return true
}

func okNote(f file, st fs.FileInfo) string {
	return fmt.Sprintf("%s %d %d\n", f.SHA256, st.Size(), st.ModTime().UnixNano())
}

// keep makes f out of what write writes: beside its place first, checked, then renamed, so that no reader ever sees
// half a file or a wrong one.
func (c cache) keep(f file, write func(w io.Writer) error) error {
	path := c.path(f.Name)
	for _, dir := range []string{filepath.Dir(path), c.path("downloads")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("cache folder: %w", err)
		}
	}
	tmp, err := os.CreateTemp(c.path("downloads"), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	sum := &sized{h: sha256.New()}
	if err := write(io.MultiWriter(tmp, sum)); err != nil {
		return err
	}
	if err := sum.check(f); err != nil {
		return err
	}
	if err := tmp.Chmod(0o644); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	if st, err := os.Stat(path); err == nil {
		_ = os.WriteFile(path+".ok", []byte(okNote(f, st)), 0o644) // as in have
	}
	return nil
}

// sized hashes and counts what is written to it.
type sized struct {
	h hash.Hash
	n int64
}

func (s *sized) Write(p []byte) (int, error) {
	s.n += int64(len(p))
	return s.h.Write(p)
}

func (s *sized) check(f file) error {
	if s.n != f.Bytes {
		return fmt.Errorf("%s: got %d bytes, want %d", filepath.Base(f.Name), s.n, f.Bytes)
	}
	if got := hex.EncodeToString(s.h.Sum(nil)); got != f.SHA256 {
		return fmt.Errorf("%s: got SHA-256 %s, want %s", filepath.Base(f.Name), got, f.SHA256)
	}
	return nil
}

// lock keeps a second fetch of the same thing waiting until unlock or until ctx is done.
func (c cache) lock(ctx context.Context, name string) (unlock func(), err error) {
	if err := os.MkdirAll(c.path("downloads"), 0o755); err != nil {
		return nil, fmt.Errorf("cache folder: %w", err)
	}
	f, err := os.OpenFile(c.path("downloads", name+".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("cache folder: %w", err)
	}
	for waited := false; ; waited = true {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if err != syscall.EWOULDBLOCK {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
		}
		if !waited {
			say("%s: another fetch is at work, waiting for it", name)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// say tells on stderr what is being done.
func say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "fetch: "+format+"\n", args...)
}

// size writes a number of bytes for people.
func size(n int64) string {
	if n >= 1e9 {
		return fmt.Sprintf("%.2f GB", float64(n)/1e9)
	}
	return fmt.Sprintf("%d MB", (n+5e5)/1e6)
}

// progress counts the bytes written to it, or what add is told. On a terminal it redraws one line; elsewhere it is silent.
type progress struct {
	what        string
	done, total int64
	text        func(n int64) string // of done and total
	tty         bool
	drawn       time.Time
}

func newProgress(what string, total int64) *progress {
	return &progress{what: what, total: total, text: size, tty: onTerminal()}
}

// onTerminal reports whether a person sees stderr.
func onTerminal() bool {
	st, err := os.Stderr.Stat()
	return err == nil && st.Mode()&fs.ModeCharDevice != 0
}

func (p *progress) Write(b []byte) (int, error) {
	p.add(int64(len(b)))
	return len(b), nil
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
func (p *progress) end() {
	if p.tty && !p.drawn.IsZero() {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
