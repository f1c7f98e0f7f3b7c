package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// What go test -json printed, cut down: a skipped test, a failed one, one that passed, and a package without tests.
const log = `{"Action":"start","Package":"nl2sql/runner"}
{"Action":"run","Package":"nl2sql/runner","Test":"TestA"}
{"Action":"output","Package":"nl2sql/runner","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"nl2sql/runner","Test":"TestA","Output":"    a_test.go:7: no server: make mysql\n"}
{"Action":"output","Package":"nl2sql/runner","Test":"TestA","Output":"--- SKIP: TestA (0.00s)\n"}
{"Action":"skip","Package":"nl2sql/runner","Test":"TestA","Elapsed":0}
{"Action":"output","Package":"nl2sql/runner","Test":"TestB","Output":"--- FAIL: TestB (0.00s)\n"}
{"Action":"output","Package":"nl2sql/runner","Test":"TestB","Output":"    b_test.go:9: wrong\n"}
{"Action":"fail","Package":"nl2sql/runner","Test":"TestB","Elapsed":0}
{"Action":"output","Package":"nl2sql/runner","Test":"TestC","Output":"    c_test.go:9: said\n"}
{"Action":"pass","Package":"nl2sql/runner","Test":"TestC","Elapsed":0}
{"Action":"output","Package":"nl2sql/runner","Output":"FAIL\n"}
{"Action":"output","Package":"nl2sql/runner","Output":"FAIL\tnl2sql/runner\t0.01s\n"}
{"Action":"fail","Package":"nl2sql/runner","Elapsed":0.01}
{"Action":"output","Package":"nl2sql/llm","Output":"PASS\n"}
{"Action":"output","Package":"nl2sql/llm","Output":"ok  \tnl2sql/llm\t0.01s\n"}
{"Action":"pass","Package":"nl2sql/llm","Elapsed":0.01}
{"Action":"skip","Package":"nl2sql/none","Elapsed":0}
go: warning
`

func TestShow(t *testing.T) {
	var out strings.Builder
	skips := must.Get(show(strings.NewReader(log), &out))(t)
	want := "--- FAIL: TestB (0.00s)\n    b_test.go:9: wrong\nFAIL\nFAIL\tnl2sql/runner\t0.01s\n" +
		"ok  \tnl2sql/llm\t0.01s\ngo: warning\n"
	must.Same(t, out.String(), want)
	must.Same(t, skips, []skip{{"runner", "TestA", "no server: make mysql"}})
}

func TestSummary(t *testing.T) {
	dir := t.TempDir()
	fast, race, none := filepath.Join(dir, "fast"), filepath.Join(dir, "race"), filepath.Join(dir, "none")
	for file, text := range map[string]string{
		fast: `[{"Package":"runner","Test":"A","Why":"no server"},{"Package":"runner","Test":"B","Why":"no server"},` +
			`{"Package":"runner","Test":"C","Why":"no server"},{"Package":"runner","Test":"D","Why":"no server"},` +
			`{"Package":"runner","Test":"E","Why":"no server"},{"Package":"llm","Test":"F","Why":"no model"}]`,
		race: `[{"Package":"runner","Test":"A","Why":"no server"}]`,
		none: `null`,
	} {
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	}
	const want = "7 tests were skipped:\n  no server\n    fast: runner: A, B, C and 2 more\n    race: runner: A\n" +
		"  no model\n    fast: llm: F\n"
	for _, tt := range []struct {
		files []string
		want  string
	}{{[]string{fast, race, none}, want}, {[]string{none}, "no test was skipped\n"}} {
		var out strings.Builder
		must.Do(t, summary(&out, tt.files))
		must.Same(t, out.String(), tt.want)
	}
}
