// Package fetch gets files that are pinned by size and SHA-256 into the cache folder, the weights of models above all.
// It knows which models there are, and where; it runs none. The program's command model fetch and the Makefile's
// scripts share its pins.
package fetch

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

	"nl2sql/runner/files"
)

// File is what a fetched file must be.
type File struct {
	Name   string // below the cache folder
	Bytes  int64
	SHA256 string // hex
}

// Cache is the folder that keeps what was fetched, and who is told of it.
type Cache struct {
	Dir      string
	Say      func(line string)                    // what is being done; nil says nothing
	Progress func(what string, done, total int64) // bytes of a file; nil shows nothing
}

// Path joins names below the folder.
func (c Cache) Path(names ...string) string {
	return filepath.Join(append([]string{c.Dir}, names...)...)
}

func (c Cache) say(format string, args ...any) {
	if c.Say != nil {
		c.Say(fmt.Sprintf(format, args...))
	}
}

// Have reports whether the file is there and holds what it must. A file that was hashed once and has the size and
// time of then is not hashed again: FILE.ok remembers them.
func (c Cache) Have(f File) bool {
	path := c.Path(f.Name)
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

func okNote(f File, st fs.FileInfo) string {
	return fmt.Sprintf("%s %d %d\n", f.SHA256, st.Size(), st.ModTime().UnixNano())
}

// Keep makes f out of what write writes: beside its place first, checked, then renamed, so that no reader ever sees
// half a file or a wrong one.
func (c Cache) Keep(f File, write func(w io.Writer) error) error {
	path := c.Path(f.Name)
	for _, dir := range []string{filepath.Dir(path), c.Path("downloads")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("cache folder: %w", err)
		}
	}
	if err := c.removeHalves(filepath.Base(path)); err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	tmp, err := os.CreateTemp(c.Path("downloads"), filepath.Base(path)+".*")
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

// removeHalves removes the halves of a file that programs left which were killed: who fetches a file holds its lock,
// so that nobody writes one now.
func (c Cache) removeHalves(base string) error {
	left, err := filepath.Glob(c.Path("downloads", base+".[0-9]*"))
	for _, path := range left {
		if err == nil && strings.Trim(strings.TrimPrefix(filepath.Base(path), base+"."), "0123456789") == "" {
			err = os.Remove(path)
		}
	}
	return err
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

func (s *sized) check(f File) error {
	if s.n != f.Bytes {
		return fmt.Errorf("%s: got %d bytes, want %d", filepath.Base(f.Name), s.n, f.Bytes)
	}
	if got := hex.EncodeToString(s.h.Sum(nil)); got != f.SHA256 {
		return fmt.Errorf("%s: got SHA-256 %s, want %s", filepath.Base(f.Name), got, f.SHA256)
	}
	return nil
}

// Lock keeps a second fetch of the same thing waiting until unlock or until ctx is done.
func (c Cache) Lock(ctx context.Context, name string) (unlock func(), err error) {
	if err := os.MkdirAll(c.Path("downloads"), 0o755); err != nil {
		return nil, fmt.Errorf("cache folder: %w", err)
	}
	f, err := files.WaitLock(ctx, c.Path("downloads", name+".lock"), func() {
		c.say("%s: another fetch is at work, waiting for it", name)
	})
	if err != nil {
		return nil, fmt.Errorf("cache folder: %w", err)
	}
	return func() { f.Close() }, nil
}

// Check compares a file with what it must be.
func (f File) Check(path string) error {
	r, err := os.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	sum := &sized{h: sha256.New()}
	if _, err := io.Copy(sum, r); err != nil {
		return err
	}
	return sum.check(f)
}

// Size writes a number of bytes for people.
func Size(n int64) string {
	if n >= 1e9 {
		return fmt.Sprintf("%.2f GB", float64(n)/1e9)
	}
	return fmt.Sprintf("%d MB", (n+5e5)/1e6)
}

// counted tells Progress of the bytes that are written to it.
type counted struct {
	c           Cache
	what        string
	done, total int64
}

func (p *counted) Write(b []byte) (int, error) {
	p.done += int64(len(b))
	if p.c.Progress != nil {
		p.c.Progress(p.what, p.done, p.total)
	}
	return len(b), nil
}
