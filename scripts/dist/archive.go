package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
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

// tree are the files of a package by their places, without a first slash.
type tree map[string][]byte

// installed is where the files of an archive go on a Debian system.
var installed = map[string]string{
	"nl2sql":                  "usr/bin/nl2sql",
	"nl2sql.1":                "usr/share/man/man1/nl2sql.1.gz",
	"completions/nl2sql.bash": "usr/share/bash-completion/completions/nl2sql",
	"completions/nl2sql.zsh":  "usr/share/zsh/vendor-completions/_nl2sql",
	"completions/nl2sql.fish": "usr/share/fish/vendor_completions.d/nl2sql.fish",
	"nl2sql.cdx.json":         "usr/share/doc/nl2sql/nl2sql.cdx.json",
}

//go:embed control.txt
var controlText string

// deb makes a package of the files of an archive, and of the texts of all licences. It needs none of Debian's tools,
// whose versions compress otherwise: the same files give the same bytes. Source: deb(5).
func (r release) deb(files tree, licences string) ([]byte, error) {
	data := tree{"usr/share/doc/nl2sql/copyright": []byte(licences)}
	for name, at := range installed {
		text := files[name]
		if strings.HasSuffix(at, ".gz") {
			var err error
			if text, err = packed(text); err != nil {
				return nil, err
			}
		}
		data[at] = text
	}
	var sums strings.Builder
	size := 0
	for _, at := range slices.Sorted(maps.Keys(data)) {
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(data[at]), at)
		size += len(data[at])
	}
	control := fmt.Sprintf(controlText, debVersion(r.version, r.date), r.arch, (size+1023)/1024)
	about, err := installing(tree{"control": []byte(control), "md5sums": []byte(sums.String())}, r.date)
	if err != nil {
		return nil, err
	}
	body, err := installing(data, r.date)
	if err != nil {
		return nil, err
	}
	out := bytes.NewBufferString("!<arch>\n")
	for _, member := range []struct {
		name string
		text []byte
	}{{"debian-binary", []byte("2.0\n")}, {"control.tar.gz", about}, {"data.tar.gz", body}} {
		fmt.Fprintf(out, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", member.name, r.date.Unix(), 0, 0, 0o100644, len(member.text))
		out.Write(member.text)
		if len(member.text)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}

// debVersion is a version that Debian can compare: one that begins with no digit names a commit, and goes by its day.
func debVersion(version string, date time.Time) string {
	if trimmed := strings.TrimPrefix(version, "v"); strings.Contains(trimmed, ".") && trimmed[0] <= '9' {
		return strings.ReplaceAll(trimmed, "-", "+")
	}
	return "0~" + date.Format("20060102.150405") + "+" + strings.ReplaceAll(version, "-", "+")
}

// installing packs files with the folders that they are in, owned by root.
func installing(files tree, date time.Time) ([]byte, error) {
	places := map[string]bool{}
	for at := range files {
		places[at] = true
		for dir := path.Dir(at); dir != "."; dir = path.Dir(dir) {
			places[dir+"/"] = true
		}
	}
	return tarred(slices.Sorted(maps.Keys(places)), files, func(at string) tar.Header {
		h := tar.Header{Name: "./" + at, Mode: 0o644, ModTime: date, Uname: "root", Gname: "root",
			Format: tar.FormatGNU}
		if strings.HasSuffix(at, "/") {
			h.Typeflag, h.Mode = tar.TypeDir, 0o755
		} else if strings.HasPrefix(at, "usr/bin/") {
			h.Mode = 0o755
		}
		return h
	})
}

func packed(text []byte) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(text); err != nil {
		return nil, err
	}
	err = z.Close()
	return out.Bytes(), err
}
