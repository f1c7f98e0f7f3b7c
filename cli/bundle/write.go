package bundle

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"nl2sql/llm"
	"nl2sql/runner/files"
)

// File is what becomes a part.
type File struct {
	Name  string
	Place llm.Place // of a program, what lies behind it is left out
	Text  string    // what is in it where there is no place
}

// Write writes a bundle: the program first, the others by their names, whatever their order. The same files give the
// same bytes. What can be run is made in a folder of its own, and is there whole or not at all.
func Write(out string, all []File, progress func(done int64)) (err error) {
	place := func(f File) string { return strings.TrimPrefix(f.Name, Program) } // of the program the first
	slices.SortFunc(all, func(a, b File) int { return strings.Compare(place(a), place(b)) })
	tmp, err := os.CreateTemp(filepath.Dir(out), "."+filepath.Base(out)+".*.part")
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: "create", Path: out, Err: pe.Err}
	} else if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	if err := errors.Join(files.Lock(tmp), removeLeft(tmp)); err != nil {
		return err
	}
	w := &writer{file: tmp, progress: progress}
	for _, f := range all {
		if err := w.add(f); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if err := w.finish(); err != nil {
		return err
	}
	if err := errors.Join(tmp.Chmod(0o755), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), out)
}

// removeLeft takes away what killed commands left beside a file that is being written.
func removeLeft(tmp *os.File) error {
	kind := regexp.MustCompile(`[0-9]+(\.part)$`)
	left, err := filepath.Glob(kind.ReplaceAllString(tmp.Name(), "[0-9]*$1"))
	for _, path := range left {
		if f, lost := os.Open(path); lost == nil {
			if files.Lock(f) == nil {
				err = errors.Join(err, os.Remove(path))
			}
			f.Close()
		}
	}
	return err
}

type writer struct {
	file     *os.File
	at       int64
	parts    []Part
	progress func(done int64)
}

// Write implements [io.Writer].
func (w *writer) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	w.at += int64(n)
	if w.progress != nil {
		w.progress(w.at)
	}
	return n, err
}

func (w *writer) add(f File) error {
	var from io.Reader = strings.NewReader(f.Text)
	if f.Place.Path != "" {
		file, in, err := f.Place.Open()
		if err != nil {
			return err
		}
		defer file.Close()
		from = in
		if f.Name == Program {
			end, err := programEnd(in)
			if err != nil {
				return err
			}
			from = io.NewSectionReader(in, 0, end)
		}
	}
	if err := w.pad(); err != nil {
		return err
	}
	p, sum := Part{Name: f.Name, Start: w.at}, sha256.New()
	if _, err := io.Copy(io.MultiWriter(w, sum), from); err != nil {
		return err
	}
	p.Bytes, p.SHA256 = w.at-p.Start, hex.EncodeToString(sum.Sum(nil))
	w.parts = append(w.parts, p)
	if f.Name == Program {
		_, err := w.Write(make([]byte, headSize))
		return err
	}
	return nil
}

// pad goes on to the next page.
func (w *writer) pad() error {
	_, err := w.Write(make([]byte, -w.at&(page-1)))
	return err
}

// finish writes index and tail, and the head that could not be written before.
func (w *writer) finish() error {
	index, err := json.MarshalIndent(w.parts, "", " ")
	if err != nil {
		return err
	}
	if err := w.pad(); err != nil {
		return err
	}
	start, sum := w.at, sha256.Sum256(index)
	tail := binary.LittleEndian.AppendUint64([]byte(magic), uint64(start))
	tail = binary.LittleEndian.AppendUint64(tail, uint64(len(index)))
	if _, err := w.Write(slices.Concat(index, tail, sum[:])); err != nil {
		return err
	}
	if _, err := parse(index, w.parts[0].Bytes, start); err != nil {
		return fmt.Errorf("the index %w", err)
	}
	head := binary.LittleEndian.AppendUint64([]byte(magic), uint64(w.at))
	_, err = w.file.WriteAt(head, w.parts[0].Bytes)
	return err
}
