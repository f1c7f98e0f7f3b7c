package llm

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"syscall"
)

// Place is where a file lies: at a path, or within the file at that path, as a model in a bundle does.
type Place struct {
	Path  string
	Start int64 // bytes before it
	Bytes int64 // 0 means up to the file's end
}

// Open opens what lies there, which is no folder and not empty. It waits for nobody who writes into a
// pipe. Who closes the file ends the reader.
func (p Place) Open() (f *os.File, r *io.SectionReader, err error) {
	if f, err = os.OpenFile(p.Path, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
		return nil, nil, err
	}
	st, err := f.Stat()
	switch {
	case err != nil:
	case st.IsDir():
		err = errors.New("is a folder: name the GGUF file in it")
	case !st.Mode().IsRegular():
		err = errors.New("is not a regular file")
	case st.Size() == 0:
		err = errors.New("is empty")
	case p.Start+p.Bytes > st.Size():
		err = truncated(p.Start+p.Bytes, st.Size())
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	p.Bytes = cmp.Or(p.Bytes, st.Size()-p.Start)
	return f, io.NewSectionReader(f, p.Start, p.Bytes), nil
}

// Fingerprint writes what tells a file from others without reading all of it: its size, its beginning and 256 pages
// spread over it. Training changes every weight, and so every page.
func Fingerprint(w io.Writer, path string) error { return Place{Path: path}.Fingerprint(w) }

// Fingerprint is that of the file which the part would be alone.
func (p Place) Fingerprint(w io.Writer) error {
	f, r, err := p.Open()
	if err != nil {
		return err
	}
	defer f.Close()
	if err := binary.Write(w, binary.LittleEndian, r.Size()); err != nil {
		return err
	}
	const pages, page = 256, 4096
	if _, err := io.Copy(w, io.NewSectionReader(r, 0, 1<<16)); err != nil {
		return err
	}
	for i := range int64(pages) {
		if _, err := io.Copy(w, io.NewSectionReader(r, r.Size()*i/pages, page)); err != nil {
			return err
		}
	}
	return nil
}
