package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"
)

// release is a program to ship.
type release struct {
	version, arch string
	program, man  string // files
	date          time.Time
}

// write makes the archive and the bill of materials.
func (r release) write(folder string) error {
	parts, err := linkedIn(r.program, r.arch)
	if err != nil {
		return err
	}
	files := map[string][]byte{}
	for name, from := range map[string]string{"nl2sql": r.program, "nl2sql.1": r.man, "LICENSE": "LICENSE"} {
		if files[name], err = os.ReadFile(from); err != nil {
			return err
		}
	}
	for _, p := range parts {
		for name, text := range p.licences {
			files[path.Join("licences", p.name, name)] = text
		}
	}
	bill, err := r.bill(parts, sha256.Sum256(files["nl2sql"]))
	if err != nil {
		return err
	}
	files["nl2sql.cdx.json"] = bill
	name := "nl2sql-" + r.version + "-linux-" + r.arch
	packed, err := archive(name, files, r.date)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(folder, name+".tar.gz"), packed, 0o644),
		os.WriteFile(filepath.Join(folder, name+".cdx.json"), bill, 0o644))
}

// archive packs files below a folder: sorted, of one date, of nobody.
func archive(folder string, files map[string][]byte, date time.Time) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		mode := int64(0o644)
		if name == "nl2sql" {
			mode = 0o755
		}
		h := &tar.Header{Name: path.Join(folder, name), Mode: mode, Size: int64(len(files[name])), ModTime: date,
			Format: tar.FormatPAX}
		if err := t.WriteHeader(h); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if _, err := t.Write(files[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
