package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"nl2sql/llm/fetch"
)

// Chromium (BSD-3-Clause) and axe-core (MPL-2.0), with which the page of serve is tested. Debian has a newer Chromium
// every few days, so none is pinned: apt checks each package against the archive's signed index.
const (
	chromiumName = "chromium"
	chromiumPin  = "of Debian, unpacked by browser.go: 2" // another number fetches it anew
	axePackage   = "axe-core@4.14.1"
	axeArchive   = "axe-core-4.14.1.tgz"
)

var axeScript = pin("axe/axe.min.js", 653_780, "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c")

// chromiumStart starts Chromium with the libraries and fonts that were unpacked beside it.
const chromiumStart = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
libs="$here/usr/lib/x86_64-linux-gnu"
export LD_LIBRARY_PATH="$here/usr/lib/chromium:$libs:$libs/pulseaudio:$here/lib/x86_64-linux-gnu"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/usr/lib/chromium/chromium" "$@"
`

const chromiumFonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

// fetchChromium returns the path of Chromium: the one that is installed, or Debian's, unpacked with all that it needs
// and this system lacks.
func fetchChromium(ctx context.Context, c cache, _ []string) (string, error) {
	if path, err := exec.LookPath(chromiumName); err == nil {
		return path, nil
	}
	return c.server(ctx, chromiumName, chromiumName, chromiumPin, func(dir string) error {
		say("chromium: getting Debian's (licence BSD-3-Clause), about 110 MB, with apt-get")
		a := &apt{dir: dir}
		packages, err := a.lacking(ctx, chromiumName)
		if err != nil {
			return err
		}
		if _, err := a.get(ctx, append([]string{"download"}, packages...)...); err != nil {
			return err
		}
		debs, err := filepath.Glob(filepath.Join(dir, "apt/debs", "*.deb"))
		if err != nil || len(debs) != len(packages) {
			return errors.Join(err, fmt.Errorf("apt-get brought %d packages, want %d", len(debs), len(packages)))
		}
		into := filepath.Join(dir, "server")
		for _, deb := range debs {
			if _, err := output(ctx, "", "dpkg-deb", "-x", deb, into); err != nil {
				return err
			}
		}
		for name, file := range map[string]struct {
			text string
			mode os.FileMode
		}{chromiumName: {chromiumStart, 0o755}, "fonts.conf": {chromiumFonts, 0o644}} {
			if err := os.WriteFile(filepath.Join(into, name), []byte(file.text), file.mode); err != nil {
				return err
			}
		}
		_, err = output(ctx, "", filepath.Join(into, chromiumName), "--version")
		return err
	})
}

// wouldInstall is a line of apt-get's simulation: a package and its version.
var wouldInstall = regexp.MustCompile(`(?m)^Inst (\S+) (?:\[\S+\] )?\((\S+) `)

// lacking are the packages that a package needs and the system lacks, with itself, as apt-get download names them.
func (a *apt) lacking(ctx context.Context, name string) ([]string, error) {
	if err := a.update(ctx); err != nil {
		return nil, err
	}
	plan, err := a.get(ctx, "install", "--simulate", "--no-install-recommends", name)
	if err != nil {
		return nil, err
	}
	var packages []string
	for _, m := range wouldInstall.FindAllStringSubmatch(plan, -1) {
		packages = append(packages, m[1]+"="+m[2])
	}
	if len(packages) == 0 {
		return nil, fmt.Errorf("apt-get has nothing to install for %s: is it installed, and not on PATH?", name)
	}
	return packages, nil
}

// fetchAxe returns the path of axe-core's script.
func fetchAxe(ctx context.Context, c cache, _ []string) (string, error) {
	path := c.Path(axeScript.Name)
	if c.Have(axeScript) {
		return path, nil
	}
	unlock, err := c.Lock(ctx, "axe")
	if err != nil {
		return "", err
	}
	defer unlock()
	dir, err := os.MkdirTemp(c.Path("downloads"), "axe-*")
	if err != nil {
		return "", fmt.Errorf("cache folder: %w", err)
	}
	defer os.RemoveAll(dir)
	say("axe: getting %s (licence MPL-2.0), %s, with npm", axePackage, fetch.Size(axeScript.Bytes))
	if _, err := output(ctx, dir, "npm", "pack", "--silent", axePackage); err != nil {
		return "", fmt.Errorf("axe: %w", err)
	}
	return path, c.Keep(axeScript, func(w io.Writer) error {
		return untar(filepath.Join(dir, axeArchive), "package/axe.min.js", func(in io.Reader) error {
			_, err := io.Copy(w, in)
			return err
		})
	})
}
