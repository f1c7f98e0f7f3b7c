package main

import (
	"archive/tar"
	"bytes"
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
	completions   string // folder of the shells' scripts
	date          time.Time
}

// write makes the archive, the package and the bill of materials.
func (r release) write(folder string) error {
	parts, err := linkedIn(r.program, r.arch)
	if err != nil {
		return err
	}
	files := tree{}
	from := map[string]string{"nl2sql": r.program, "nl2sql.1": r.man, "LICENSE": "LICENSE"}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		from["completions/nl2sql."+shell] = filepath.Join(r.completions, "nl2sql."+shell)
	}
	for name, from := range from {
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
	own := part{name: "nl2sql", licences: map[string][]byte{"LICENSE": files["LICENSE"]}}
	deb, err := r.deb(files, licencesText(append([]part{own}, parts...)))
	if err != nil {
		return err
	}
	name := "nl2sql-" + r.version + "-linux-" + r.arch
	packed, err := archive(name, files, r.date)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(folder, name+".tar.gz"), packed, 0o644),
		os.WriteFile(filepath.Join(folder, name+".deb"), deb, 0o644),
		os.WriteFile(filepath.Join(folder, name+".cdx.json"), bill, 0o644))
}

// archive packs files below a folder: sorted, of one date, of nobody.
func archive(folder string, files tree, date time.Time) ([]byte, error) {
	return tarred(slices.Sorted(maps.Keys(files)), files, func(name string) tar.Header {
		mode := int64(0o644)
		if name == "nl2sql" {
			mode = 0o755
		}
		return tar.Header{Name: path.Join(folder, name), Mode: mode, ModTime: date, Format: tar.FormatPAX}
	})
}

// tarred packs files by their places, in this order, each with its header but for its size. A folder has no file.
func tarred(places []string, files tree, header func(place string) tar.Header) ([]byte, error) {
	var out bytes.Buffer
	t := tar.NewWriter(&out)
	for _, at := range places {
		h := header(at)
		h.Size = int64(len(files[at]))
		if err := t.WriteHeader(&h); err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		if _, err := t.Write(files[at]); err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	return packed(out.Bytes())
}
