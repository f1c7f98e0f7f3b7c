// Package files knows files that users name: it reads them within bounds, whatever they are, and adds lines to them of
// which each is there whole or not at all.
package files

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Small bounds a file that people write by hand, and Large one that a program writes and that is read whole, in bytes.
const (
	Small = 4 << 20
	Large = 32 << 20
)

// Open opens a regular file, a pipe or the null device. Folders, other devices and sockets are errors, and so is
// reading a pipe into which no program writes.
func Open(path string) (io.ReadCloser, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = kind(info)
	}
	if err != nil {
		return nil, about(path, err)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return &pipe{File: f}, nil
	}
	return f, err
}

// about is an error with the path that it is about, once.
func about(path string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		path, err = pe.Path, pe.Err
	}
	return &fs.PathError{Op: "open", Path: path, Err: err}
}

// kind says why a file is not read.
func kind(info fs.FileInfo) error {
	null, err := os.Stat(os.DevNull)
	switch mode := info.Mode(); {
	case mode.IsDir():
		return syscall.EISDIR
	case mode.IsRegular(), mode&fs.ModeNamedPipe != 0, err == nil && os.SameFile(null, info):
		return nil
	}
	return errors.New("is a device or a socket: name a file")
}

// pipe is a pipe that nobody may write into.
type pipe struct {
	*os.File
	begun bool // somebody did
}

// patience is how long a pipe is given to find somebody who writes.
const patience = 3 * time.Second

// Read implements [io.Reader].
func (p *pipe) Read(b []byte) (int, error) {
	n, err := p.File.Read(b)
	for until := time.Now().Add(patience); err == io.EOF && !p.begun; n, err = p.File.Read(b) {
		raw, lost := p.SyscallConn()
		if lost == nil {
			lost = raw.Control(func(fd uintptr) {
				ready, _ := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 50)
				p.begun = ready > 0
			})
		}
		switch {
		case lost != nil:
			return 0, lost
		case !p.begun && time.Now().After(until):
			return 0, errors.New("no program writes into this pipe")
		}
	}
	p.begun = p.begun || n > 0
	return n, err
}

// Read reads a file of at most so many bytes, see [Open].
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := All(f, most)
	if err != nil {
		err = about(path, err)
	}
	return text, err
}

// Regular reads a file that nobody named and others wrote: a regular one of at most so many bytes. Reading a pipe could
// wait for ever.
func Regular(path string, most int64) ([]byte, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, about(path, errors.New("is not a regular file"))
	}
	return Read(path, most)
}

// All reads what has at most so many bytes.
func All(r io.Reader, most int64) ([]byte, error) {
	tooLong := fmt.Errorf("has more than %d bytes, the most that is read", most)
	var text bytes.Buffer
	if f, is := r.(*os.File); is {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			if info.Size() > most {
				return nil, tooLong
			}
			text.Grow(int(info.Size()) + bytes.MinRead)
		}
	}
	_, err := text.ReadFrom(io.LimitReader(r, most+1))
	if err == nil && int64(text.Len()) > most {
		err = tooLong
	}
	if err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// Field is what stands behind a name that begins a line of a file, as those of /proc have it; "" is the first line. It
// is "" where nobody tells.
func Field(file, name string) string {
	text, _ := os.ReadFile(file)
	_, rest, _ := strings.Cut("\n"+string(text), "\n"+name)
	rest, _, _ = strings.Cut(rest, "\n")
	return strings.Trim(rest, ": \t")
}

// Lines are the lines of a text with their ends, each of at most so many bytes and there until the next; what was cut
// off may lack its end. The error is the last that it yields.
func Lines(r io.Reader, most int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		sc := bufio.NewScanner(r)
		sc.Buffer(make([]byte, 0, min(most, 64<<10)), most)
		sc.Split(func(data []byte, end bool) (int, []byte, error) {
			n := bytes.IndexByte(data, '\n') + 1
			switch {
			case n == 0 && end:
				n = len(data)
			case n == 0:
				return 0, nil, nil
			}
			return n, data[:n:n], nil
		})
		n := 1
		for ; sc.Scan() && len(sc.Bytes()) > 0; n++ {
			if !yield(sc.Bytes(), nil) {
				return
			}
		}
		switch err := sc.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(nil, fmt.Errorf("line %d is longer than %d bytes", n, most))
		case err != nil:
			yield(nil, err)
		}
	}
}
