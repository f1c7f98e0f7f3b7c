package llm

import (
	"encoding/binary"
	"io"
)

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
