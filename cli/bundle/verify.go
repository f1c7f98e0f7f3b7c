package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"nl2sql/runner"
)

// remembered is how long it is remembered that the parts of a bundle are whole which nobody uses.
const remembered = 90 * 24 * time.Hour

// Verify looks at parts: whether each is what the index says. What was whole once, in a file that is still the same, is
// not read again: a note in the folder says so. Without a folder, or where it cannot be written to, it is read
// each time.
func (b *Bundle) Verify(ctx context.Context, folder string, progress func(done, of int64), parts ...Part) error {
	sum := sha256.Sum256([]byte(Absolute(b.Path)))
	note := filepath.Join(folder, hex.EncodeToString(sum[:12])+".whole")
	self, err := b.identity()
	if err != nil {
		return err
	}
	whole := []string{self}
	if text, err := os.ReadFile(note); err == nil && folder != "" {
		if kept := strings.Split(strings.TrimSpace(string(text)), "\n"); kept[0] == self {
			whole = kept
		}
	}
	parts = slices.DeleteFunc(slices.Clone(parts), func(p Part) bool { return slices.Contains(whole, p.SHA256) })
	var done, of int64
	for _, p := range parts {
		of += p.Bytes
	}
	for _, p := range parts {
		sum := sha256.New()
		in := &counted{ctx, b.Reader(p), func(n int) {
			if done += int64(n); progress != nil {
				progress(done, of)
			}
		}}
		if _, err := io.CopyBuffer(sum, in, make([]byte, 1<<20)); err != nil {
			return fmt.Errorf("the bundle %s: %s: %w", filepath.Base(b.Path), p.Name, err)
		}
		if got := hex.EncodeToString(sum.Sum(nil)); got != p.SHA256 {
			return fmt.Errorf("the bundle %s is damaged: its part %s is (SHA-256 %.12s…, want %.12s…): get it again",
				filepath.Base(b.Path), p.Name, got, p.SHA256)
		}
		whole = append(whole, p.SHA256)
	}
	if len(parts) > 0 && folder != "" {
		err := runner.KeepFile(note, []byte(strings.Join(whole, "\n")+"\n"), remembered)
		slog.Debug("bundle verified", "parts", len(parts), "bytes", of, "note", note, "err", err)
	}
	return nil
}

// identity tells the file from what it may be changed into: its index, size, inode and times.
func (b *Bundle) identity() (string, error) {
	st, err := b.file.Stat()
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%x %d %d", b.sum, st.Size(), st.ModTime().UnixNano())
	if sys, is := st.Sys().(*syscall.Stat_t); is {
		text += fmt.Sprintf(" %d %d", sys.Dev, sys.Ino)
	}
	return text, nil
}

// Absolute is a path that means the same in every folder.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// counted tells of the bytes that are read, and ends with its context.
type counted struct {
	ctx context.Context
	io.Reader
	tell func(n int)
}

// Read implements [io.Reader].
func (c *counted) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.Reader.Read(p)
	c.tell(n)
	return n, err
}
