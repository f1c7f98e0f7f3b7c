package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	man := filepath.Join(t.TempDir(), "nl2sql.1")
	must.Do(t, os.WriteFile(man, []byte(".TH"), 0o600))
	var archives, bills [2][]byte
	for i := range archives {
		out := t.TempDir()
		must.Do(t, pack([]string{"-version", "1", "-date", "1790000000", "-man", man, "-out", out, "amd64",
			program}))
		for name, to := range map[string]*[]byte{".tar.gz": &archives[i], ".cdx.json": &bills[i]} {
			if *to, err = os.ReadFile(filepath.Join(out, "nl2sql-1-linux-amd64"+name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !bytes.Equal(archives[0], archives[1]) || !bytes.Equal(bills[0], bills[1]) {
		t.Error("two runs give other bytes")
	}

	z := must.Get(gzip.NewReader(bytes.NewReader(archives[0])))(t)
	var names []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || h.Uname != "" || !h.ModTime.Equal(time.Unix(1790000000, 0)) ||
			(h.Mode == 0o755) != strings.HasSuffix(h.Name, "/nl2sql") {
			t.Errorf("%s: owner %d %q, mode %o, time %v", h.Name, h.Uid, h.Uname, h.Mode, h.ModTime)
		}
		names = append(names, strings.TrimPrefix(h.Name, "nl2sql-1-linux-amd64/"))
	}
	if !slices.IsSorted(names) {
		t.Error("names are not sorted")
	}
	for _, want := range []string{"LICENSE", "licences/github.com/CycloneDX/cyclonedx-go/LICENSE",
		"licences/go/LICENSE", "nl2sql", "nl2sql.1", "nl2sql.cdx.json"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s in %s", want, names)
		}
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
		if err != nil || n == 0 || (len(newer) > 0) != tt.newer {
			t.Errorf("%s: %d functions, above the baseline: %q, error %v", tt.name, n, newer, err)
		}
		shared, err := weakSymbols(object)
		if err != nil || (len(shared) > 0) != tt.weak {
			t.Errorf("%s: weak symbols %q, error %v", tt.name, shared, err)
		}
	}
}
