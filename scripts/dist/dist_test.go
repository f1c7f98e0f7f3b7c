package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
)

// The same program gives the same bytes, and all that is linked in is there with its licence and in the bill.
func TestPack(t *testing.T) {
	program, err := os.Executable() // a test knows its modules as a program does
	must.Do(t, err)
	t.Chdir("../..")
	man := filepath.Join(t.TempDir(), "nl2sql.1")
	must.Do(t, os.WriteFile(man, []byte(".TH"), 0o600))
	var archives, bills [2][]byte
	var debs [2][]byte
	scripts := t.TempDir()
	for _, shell := range []string{"bash", "zsh", "fish"} {
		must.Do(t, os.WriteFile(filepath.Join(scripts, "nl2sql."+shell), []byte("# "+shell), 0o600))
	}
	for i := range archives {
		out := t.TempDir()
		for _, arch := range []string{"amd64", "arm64"}[:2-i] {
			must.Do(t, pack([]string{"-version", "v1", "-date", "1790000000", "-man", man, "-completions", scripts,
				"-out", out, arch, program}))
		}
		if i == 0 {
			checkFormula(t, out)
			checkInstall(t, filepath.Join(out, "nl2sql-v1-linux-amd64.tar.gz"))
			checkDeb(t, filepath.Join(out, "nl2sql-v1-linux-amd64.deb"))
		}
		debs[i] = must.Get(os.ReadFile(filepath.Join(out, "nl2sql-v1-linux-amd64.deb")))(t)
		for name, to := range map[string]*[]byte{".tar.gz": &archives[i], ".cdx.json": &bills[i]} {
			if *to, err = os.ReadFile(filepath.Join(out, "nl2sql-v1-linux-amd64"+name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !bytes.Equal(debs[0], debs[1]) || !bytes.Equal(archives[0], archives[1]) || !bytes.Equal(bills[0], bills[1]) {
		t.Error("two runs give other bytes")
	}

	z := must.Get(gzip.NewReader(bytes.NewReader(archives[0])))(t)
	var names []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		must.Do(t, err)
		if h.Uid != 0 || h.Uname != "" || !h.ModTime.Equal(time.Unix(1790000000, 0)) ||
			(h.Mode == 0o755) != strings.HasSuffix(h.Name, "/nl2sql") {
			t.Errorf("%s: owner %d %q, mode %o, time %v", h.Name, h.Uid, h.Uname, h.Mode, h.ModTime)
		}
		names = append(names, strings.TrimPrefix(h.Name, "nl2sql-v1-linux-amd64/"))
	}
	must.Be(t, slices.IsSorted(names), "names are not sorted")
	for _, want := range []string{"LICENSE", "completions/nl2sql.bash", "licences/github.com/CycloneDX/cyclonedx-go/LICENSE",
		"licences/go/LICENSE", "nl2sql", "nl2sql.1", "nl2sql.cdx.json"} {
		must.Be(t, slices.Contains(names, want), "no", want, names)
	}
	var bill struct {
		BomFormat  string
		Components []struct{ Purl string }
	}
	must.Do(t, json.Unmarshal(bills[0], &bill))
	if bill.BomFormat != "CycloneDX" || len(bill.Components) < 2 || !strings.HasPrefix(bill.Components[0].Purl,
		"pkg:golang/std@") {
		t.Errorf("bill of materials: %+v", bill)
	}
}

// checkDeb compares a package with what Debian's own tool reads of it.
func checkDeb(t *testing.T, file string) {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	if !bytes.HasPrefix(text, []byte("!<arch>\ndebian-binary   1790000000  0     0     100644  4         `\n2.0\ncontrol.tar.gz")) {
		t.Errorf("the package begins with %q", text[:100])
	}
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Log("no dpkg-deb: its members were not read")
		return
	}
	about := must.Get(exec.Command("dpkg-deb", "--info", file).CombinedOutput())(t)
	if !strings.Contains(string(about), "Package: nl2sql") || !strings.Contains(string(about), "Version: 0~20260921") {
		t.Errorf("dpkg-deb --info: %s", about)
	}
	root := t.TempDir()
	if out, err := exec.Command("dpkg-deb", "--extract", file, root).CombinedOutput(); err != nil {
		t.Fatalf("dpkg-deb --extract: %v: %s", err, out)
	}
	for _, at := range installed {
		must.Equal(t, (must.Get(os.Stat(filepath.Join(root, at)))(t).Mode() == 0o755), (at == "usr/bin/nl2sql"), at)
	}
	text = must.Get(os.ReadFile(filepath.Join(root, "usr/share/doc/nl2sql/copyright")))(t)
	must.Has(t, string(text), "==== nl2sql: LICENSE", "the licences are not in it")
}

// checkInstall runs the script: it unpacks, and refuses what is for another machine or was changed.
func checkInstall(t *testing.T, file string) {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		t.Log("the archive is for another machine")
		return
	}
	to := t.TempDir()
	run := func(file string) string {
		out, err := exec.Command("sh", "scripts/dist/install.sh", file, to).CombinedOutput()
		return fmt.Sprint(string(out), err)
	}
	must.Has(t, run(file), "installed "+to+"/bin/nl2sql\n")
	for _, at := range []string{"bin/nl2sql", "share/man/man1/nl2sql.1", "share/zsh/site-functions/_nl2sql"} {
		if _, err := os.Stat(filepath.Join(to, at)); err != nil {
			t.Error(err)
		}
	}
	must.Has(t, run(strings.ReplaceAll(file, "amd64", "arm64")), "is not for this machine")
	sums := filepath.Join(filepath.Dir(file), "SHA256SUMS")
	must.Do(t, os.WriteFile(sums, []byte(strings.Repeat("0", 64)+"  "+filepath.Base(file)+"\n"), 0o600))
	must.Has(t, run(file), "FAILED", "with another sum")
	must.Do(t, os.Remove(sums))
}

// checkFormula lets Ruby read the formula, where there is one.
func checkFormula(t *testing.T, out string) {
	t.Helper()
	if text, err := exec.Command("make", "-s", "formula", "DIST="+out, "COMMIT=v1", "HOMEPAGE=https://example.org/nl2sql",
		"RELEASES=https://example.org/nl2sql/1/").CombinedOutput(); err != nil {
		t.Fatal(err, string(text))
	}
	at := filepath.Join(out, "nl2sql.rb")
	text := string(must.Get(os.ReadFile(at))(t))
	packed := must.Get(os.ReadFile(filepath.Join(out, "nl2sql-v1-linux-arm64.tar.gz")))(t)
	sum := fmt.Sprintf("%x", sha256.Sum256(packed))
	for _, want := range []string{`url "https://example.org/nl2sql/1/nl2sql-v1-linux-amd64.tar.gz"`,
		`sha256 "` + sum + `"`, `version "1"`, `homepage "https://example.org/nl2sql"`} {
		must.Has(t, text, want)
	}
	must.Be(t, !strings.Contains(text, "@"), text)
	if _, err := exec.LookPath("ruby"); err != nil {
		t.Log("no ruby: the formula was not read")
	} else if out, err := exec.Command("ruby", "-c", at).CombinedOutput(); err != nil {
		t.Errorf("ruby -c: %v: %s", err, out)
	}
}

// A version of Debian begins with a digit, and later ones are greater.
func TestDebVersion(t *testing.T) {
	day := time.Date(2026, 11, 26, 3, 4, 5, 0, time.UTC)
	for version, want := range map[string]string{"v1.2.0": "1.2.0", "v1.2.0-4-gabc": "1.2.0+4+gabc",
		"8ebfb48ebc3b": "0~20261126.030405+8ebfb48ebc3b", "abc+changes": "0~20261126.030405+abc+changes"} {
		must.Equal(t, debVersion(version, day), want, version)
	}
}

func TestLicences(t *testing.T) {
	dir := t.TempDir()
	if _, err := licences(dir); err == nil {
		t.Error("a folder without licences passes")
	}
	want := map[string][]byte{}
	for _, name := range []string{"LICENSE", "LICENCE.md", "COPYING", "LICENSE-3RD-PARTY.md", "licenses.go",
		"main.go", "notices"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600))
		if strings.ToUpper(name[:3]) == name[:3] {
			want[name] = []byte(name)
		}
	}
	got, err := licences(dir)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v, -want +got: %s", err, diff)
	}
}

// What is wrong with objects is seen: instructions above the baseline, and functions that the linker could share.
func TestObjects(t *testing.T) {
	for _, tool := range []string{"g++", "objdump", "nm"} {
		if _, err := exec.LookPath(tool); errors.Is(err, exec.ErrNotFound) {
			t.Skipf("no %s", tool)
		}
	}
	for _, tt := range []struct {
		name, flags, code string
		newer, weak       bool
	}{
		{"baseline", "-march=x86-64-v3", "void f(float *a, float *b) { for (int i = 0; i < 64; i++) a[i] += b[i]; }",
			false, false},
		{"avx512", "-march=x86-64-v4 -mprefer-vector-width=512",
			"void f(float *a, float *b) { for (int i = 0; i < 64; i++) a[i] += b[i]; }", true, false},
		{"masks", "-march=x86-64-v4",
			"void f(int *a, int *b) { for (int i = 0; i < 64; i++) if (b[i] > 3) a[i] = b[i]; }", true, false},
		{"avx-vnni", "-mavx2 -mavxvnni",
			"#include <immintrin.h>\n__m256i f(__m256i a, __m256i b, __m256i c) { return _mm256_dpbusd_avx_epi32(a, b, c); }", true, false},
		{"amx", "-mamx-tile", "#include <immintrin.h>\nvoid f() { _tile_release(); }", true, false},
		{"inline", "-march=x86-64-v3",
			"inline int g(int a) { static int n; return n += a; } int f(int a) { return g(a) + g(1); }", false, true},
		{"own", "-march=x86-64-v3",
			"static inline int g(int a) { static int n; return n += a; } int f(int a) { return g(a) + g(1); }", false,
			false},
	} {
		dir := t.TempDir()
		source, object := filepath.Join(dir, "f.cpp"), filepath.Join(dir, "f.o")
		must.Do(t, os.WriteFile(source, []byte(tt.code), 0o600))
		args := append(strings.Fields(tt.flags), "-O3", "-c", source, "-o", object)
		if out, err := exec.Command("g++", args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", tt.name, err, out)
		}
		n, newer, err := newerFunctions(object)
		must.Be(t, err == nil && n != 0 && (len(newer) > 0) == tt.newer,
			tt.name, n, "functions, above the baseline", newer, "error", err)
		shared, err := weakSymbols(object)
		must.Be(t, err == nil && (len(shared) > 0) == tt.weak, tt.name, "weak symbols", shared, "error", err)
	}
}
