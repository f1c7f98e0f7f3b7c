package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nl2sql/evaluation/score"
	"nl2sql/scripts/must"
)

const smallRun = `{"nl2sql_run":1,"condition":"c_k0","agent":"loop","n":2}
{"id":"b","nlq":"q","gold_sql":"g","raw_sql":"r","pred_sql":"p","scores":{"strict":{"va":true,"em":false,"ex":true,"ts":null}}}
{"id":"a","nlq":"q","gold_sql":"g","raw_sql":"r","pred_sql":"p","scores":null}
`

func TestReadRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "first")
	must.Do(t, os.Mkdir(dir, 0o700))
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	write(RunFile, smallRun+`{"id":"torn","nlq"`)
	write(TimingsFile, `{"id":"a","took_ns":1,"cached_tokens":2}
{"id":"gone","took_ns":9}
{"id":"a","took_ns":5,"cached_tokens":7,"drafted_tokens":4,"accepted_tokens":3}
{"id":"b"`)
	run := must.Get(ReadRun(dir))(t)
	want := Run{Name: "first", Card: Card{Version: 1, Condition: "c_k0", Agent: "loop", ItemCount: 2},
		Records: []Record{
			{ID: "b", Question: "q", Gold: "g", Raw: "r", SQL: "p",
				Scores: map[string]score.Score{"strict": {VA: true, EX: true}}},
			{ID: "a", Question: "q", Gold: "g", Raw: "r", SQL: "p", Took: 5 * time.Nanosecond, Cached: 7,
				Drafted: 4, Accepted: 3},
		}}
	must.Same(t, run, want)
	original := write("llama_base_k3_seed7.json", `{"k":3,"results":[{"i":4,"nlq":"q"}]}`)
	if run, err := ReadRun(original); err != nil || run.Card.Condition != "llama_base_k3" || run.Records[0].ID != "4" {
		t.Errorf("%+v, %v", run, err)
	}
	for name, tt := range map[string]struct{ text, want string }{
		"empty.jsonl":  {"", "unexpected end of JSON input"},
		"binary.jsonl": {"GGUF\x00\x01", "invalid character"},
		"newer.jsonl": {strings.Replace(smallRun, `_run":1`, `_run":2`, 1),
			"line 1: format version 2: this nl2sql reads 1"},
		"part.jsonl": {strings.Replace(smallRun, `"n":2`, `"n":2,"shard":"2/3"`, 1),
			`line 1: this is part "2/3" of a run: parts are no longer put together`},
		"twice.jsonl":   {strings.Replace(smallRun, `"b"`, `"a"`, 1), "line 3: item a is there twice"},
		"garbled.jsonl": {strings.Replace(smallRun, `{"id":"b"`, `{"id":"b`, 1), "line 2: invalid character"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ReadRun(write(name, tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) ||
				strings.Contains(err.Error(), "\n") {
				t.Error(err)
			}
		})
	}
	if _, err := ReadRun(filepath.Join(dir, "nope")); !os.IsNotExist(err) {
		t.Error(err)
	}
}

func FuzzReadRun(f *testing.F) {
	f.Add(smallRun)
	f.Add(`{"results":[{"i":1,"nlq":"q"}]}`)
	file := filepath.Join(f.TempDir(), "run.jsonl")
	f.Fuzz(func(t *testing.T, text string) {
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
		run, err := ReadRun(file)
		must.Be(t, err != nil || len(run.Records) != 0 || run.Card.Version == runVersion, "neither a run nor an error")
	})
}
