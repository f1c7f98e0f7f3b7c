package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"nl2sql/llm/fetch"
)

// Upstream llama.cpp (licence MIT) to be measured beside: release b7347, whose source an npm package carries as a git
// bundle. It is a few days older than what the engine is built from, ec98e2002.
const (
	upstreamTag     = "b7347"
	upstreamPackage = "node-llama-cpp@3.14.5"
	upstreamBundle  = "package/llama/gitRelease.bundle" // in the archive
	upstreamCommit  = "57a6f5c1dc1f7ceda916d3204d752fb1a10c9636"
)

var upstreamArchive = pin("node-llama-cpp-3.14.5.tgz", 27_415_921,
	"9cd9572d8f9ff16f06d08ae3c513e3e9ffa6617b627ff328fe7853029b140974")

// upstreamPrograms are what is built.
var upstreamPrograms = []string{"llama-bench", "llama-server"}

// fetchUpstream returns the folder that holds upstream's programs, built for this machine's processor as upstream's
// manual says. What an interrupted build has compiled is not compiled again.
func fetchUpstream(ctx context.Context, c cache, _ []string) (string, error) {
	dir := c.Path("upstream", upstreamTag)
	bin, whole := filepath.Join(dir, "build", "bin"), filepath.Join(dir, ".built")
	have := func() bool {
		got, err := os.ReadFile(whole)
		return err == nil && string(got) == upstreamCommit
	}
	if have() {
		return bin, nil
	}
	unlock, err := c.Lock(ctx, "upstream")
	if err != nil {
		return "", err
	}
	defer unlock()
	if have() { // the one we waited for built it
		return bin, nil
	}
	err = c.upstreamSource(ctx, dir)
	if err == nil {
		err = buildUpstream(ctx, dir)
	}
	switch {
	case ctx.Err() != nil:
		return "", errors.New("upstream: interrupted (run again to go on from here)")
	case err != nil:
		return "", fmt.Errorf("upstream: %w", err)
	}
	say("upstream: done, in %s", bin)
	return bin, os.WriteFile(whole, []byte(upstreamCommit), 0o644)
}

// upstreamSource makes DIR/source, a clone of the bundle.
func (c cache) upstreamSource(ctx context.Context, dir string) error {
	source := filepath.Join(dir, "source")
	commit := func(tree string) string {
		out, err := output(ctx, tree, "git", "rev-parse", "HEAD")
		if err != nil {
			return ""
		}
		return out
	}
	if _, err := os.Stat(filepath.Join(source, ".git")); err == nil && commit(source) == upstreamCommit {
		return nil
	}
	tmp, err := os.MkdirTemp(c.Path("downloads"), "upstream-*")
	if err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	defer os.RemoveAll(tmp)
	say("upstream: getting llama.cpp %s (licence MIT), %s, with npm from %s", upstreamTag,
		fetch.Size(upstreamArchive.Bytes), upstreamPackage)
	if _, err := output(ctx, tmp, "npm", "pack", "--silent", upstreamPackage); errors.Is(err, exec.ErrNotFound) {
		return errors.New("npm is missing (Debian: apt-get install npm)")
	} else if err != nil {
		return err
	}
	archive, bundle, tree := filepath.Join(tmp, upstreamArchive.Name), filepath.Join(tmp, "bundle"),
		filepath.Join(tmp, "source")
	if err := upstreamArchive.Check(archive); err != nil {
		return err
	}
	if err := untarFile(archive, upstreamBundle, bundle); err != nil {
		return fmt.Errorf("%s: %w", upstreamArchive.Name, err)
	}
	if _, err := output(ctx, "", "git", "-c", "advice.detachedHead=false", "clone", "--quiet", bundle,
		tree); err != nil {
		return err
	}
	if got := commit(tree); got != upstreamCommit {
		return fmt.Errorf("the bundle's commit is %q, want %s", got, upstreamCommit)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	if err := os.RemoveAll(source); err != nil { // an older one
		return err
	}
	return os.Rename(tree, source)
}

// untarFile writes one file of a .tgz.
func untarFile(archive, name, out string) error {
	return untar(archive, name, func(in io.Reader) error {
		w, err := os.Create(out)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, in)
		return errors.Join(err, w.Close())
	})
}

// untar hands on what a .tgz has under a name.
func untar(archive, name string, read func(in io.Reader) error) error {
	r, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer r.Close()
	z, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err == io.EOF {
			return fmt.Errorf("no %s", name)
		}
		if err != nil {
			return err
		}
		if h.Name == name {
			return read(t)
		}
	}
}

// buildUpstream makes DIR/build/bin out of DIR/source, as docs/build.md there has it for a CPU; what else it builds and
// what is not installed here is left out.
func buildUpstream(ctx context.Context, dir string) error {
	if _, err := exec.LookPath("cmake"); err != nil {
		return errors.New("cmake is missing (Debian: apt-get install cmake)")
	}
	say("upstream: building %s in %s, 10 to 20 minutes on 2 cores", strings.Join(upstreamPrograms, " and "), dir)
	configure := []string{"-S", "source", "-B", "build", "-DCMAKE_BUILD_TYPE=Release", "-DGGML_NATIVE=ON",
		"-DLLAMA_CURL=OFF",
		"-DBUILD_SHARED_LIBS=OFF", "-DLLAMA_BUILD_NUMBER=" + strings.TrimPrefix(upstreamTag, "b"),
		"-DLLAMA_BUILD_TESTS=OFF", "-DLLAMA_BUILD_EXAMPLES=OFF"}
	build := append([]string{"--build", "build", "--parallel", fmt.Sprint(runtime.NumCPU()), "--target"},
		upstreamPrograms...)
	for _, args := range [][]string{configure, build} {
		if err := cmake(ctx, dir, args); err != nil {
			return err
		}
	}
	return nil
}

// cmake runs one command of it. What it says is shown as it comes on a terminal, elsewhere the end of it if it fails.
func cmake(ctx context.Context, dir string, args []string) error {
	cmd := exec.CommandContext(ctx, "cmake", args...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what it starts ends with it
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if onTerminal() {
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	}
	err := cmd.Run()
	if err != nil && ctx.Err() == nil {
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		fmt.Fprintln(os.Stderr, strings.Join(lines[max(0, len(lines)-30):], "\n"))
		return fmt.Errorf("cmake %s: %w", args[0], err)
	}
	return err
}
