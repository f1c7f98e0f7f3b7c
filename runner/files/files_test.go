package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"nl2sql/scripts/must"
)

// A regular file and a pipe are read within bounds; all else is an error that says what it is, at once.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"ten": "0123456789", "eleven": "0123456789X", "empty": ""} {
		must.Do(t, os.WriteFile(at(name), []byte(text), 0o600))
	}
	must.Do(t, os.Truncate(must.Get(os.Create(at("holes")))(t).Name(), 22<<30))
	for _, name := range []string{"pipe", "written", "endless"} {
		must.Do(t, syscall.Mkfifo(at(name), 0o600))
	}
	for name, text := range map[string]string{"written": "0123456789", "endless": strings.Repeat("x", 1<<20)} {
		go func() {
			f, err := os.OpenFile(at(name), os.O_WRONLY, 0) // waits for who reads
			if err == nil {
				_, err = f.WriteString(text)
				f.Close()
			}
			if err != nil && !errors.Is(err, syscall.EPIPE) {
				t.Error(err)
			}
		}()
	}
	for _, tt := range []struct{ path, named, regular string }{
		{at("ten"), "", ""},
		{at("empty"), "", ""},
		{at("eleven"), "eleven: has more than 10 bytes", "eleven: has more than 10 bytes"},
		{at("holes"), "holes: has more than 10 bytes", "has more than 10 bytes"},
		{at("written"), "", "is not a regular file"},
		{at("endless"), "has more than 10 bytes", "is not a regular file"},
		{at("pipe"), "no program writes into this pipe", "is not a regular file"},
		{dir, "is a directory", "is not a regular file"},
		{"/dev/null", "", "is not a regular file"},
		{"/dev/zero", "is a device or a socket", "is not a regular file"},
		{at("none"), "no such file", "no such file"},
	} {
		for i, read := range []func(string, int64) ([]byte, error){Regular, Read} {
			want := []string{tt.regular, tt.named}[i]
			text, err := read(tt.path, 10)
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s: %q, %v; want %q", tt.path, text, err, want)
			}
		}
	}
}

// A log has each line whole or not at all; a torn end is passed over, and a file of another kind stays as it is.
func TestLog(t *testing.T) {
	for _, tt := range []struct{ name, was, read, then, err string }{
		{"new", "", "", "{\"n\":9}\n", ""},
		{"whole", "{\"n\":1}\n{\"n\":2}\n", `{"n":1} {"n":2}`, "{\"n\":1}\n{\"n\":2}\n{\"n\":9}\n", ""},
		{"torn", "{\"n\":1}\n{\"n\"", `{"n":1}`, "{\"n\":1}\n{\"n\":9}\n", ""},
		{"only a torn one", "{\"n\":", "", "{\"n\":9}\n", ""},
		{"no end", "{\"n\":1}", `{"n":1}`, "{\"n\":1}\n{\"n\":9}\n", ""},
		{"another kind", "port = 80", "", "port = 80", "line is not of such a file"},
		{"another JSON", "{\"a\":1}\n{\"n", "", "{\"a\":1}\n{\"n", "line is not of such a file"},
		{"refused", "{\"n\":1}\nbad\n{\"n", `{"n":1}`, "{\"n\":1}\nbad\n{\"n", "line 2: no"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			must.Do(t, os.WriteFile(path, []byte(tt.was), 0o600))
			var read []string
			l, err := OpenLog(path, `{"n"`, func(line []byte) error {
				if line[0] != '{' {
					return errors.New("no")
				}
				read = append(read, string(line))
				return nil
			})
			if err == nil {
				must.Get(l.Write([]byte("{\"n\":9}\n")))(t)
				must.Do(t, l.Close())
			}
			must.Be(t, (err == nil) == (tt.err == "") && (err == nil || strings.Contains(err.Error(), tt.err)), err)
			must.Equal(t, strings.Join(read, " "), tt.read)
			must.Equal(t, string(must.Get(os.ReadFile(path))(t)), tt.then)
		})
	}
}

// What a full disk leaves of a line is taken back.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l := must.Get(OpenLog(path, "{", nil))(t)
	defer l.Close()
	must.Get(l.Write([]byte("{}\n")))(t)
	var before syscall.Rlimit
	must.Do(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	must.Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 5, Max: before.Max}))
	_, err := l.Write([]byte("{\"long\":1}\n"))
	must.Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before))
	must.Be(t, err != nil, "a line was written that has no room")
	must.Equal(t, string(must.Get(os.ReadFile(path))(t)), "{}\n")
	must.Get(l.Write([]byte("{}\n")))(t)
}
