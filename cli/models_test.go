package cli

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// tinymodel FILE writes a model with a whole header and no sense: 64 dimensions, one layer, three tokens.
func tinymodel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: tinymodel FILE")
	}
	var m llm.Metadata
	m.Text("general.architecture", "llama")
	m.Number("general.file_type", 0)
	for key, n := range map[string]uint32{"context_length": 128, "block_count": 1, "embedding_length": 64,
		"attention.head_count": 2} {
		m.Number("llama."+key, n)
	}
	m.Text("tokenizer.ggml.model", "gpt2")
	m.Texts("tokenizer.ggml.tokens", []string{"a", "b", "c"})
	m.Text("tokenizer.chat_template", "<|im_start|>")
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	tensors := []llm.Tensor{{Name: "token_embd.weight", Shape: []int64{64, 3}, Type: "F32"},
		{Name: "blk.0.attn_q.weight", Shape: []int64{64, 64}, Type: "F32"}}
	ts.Check(llm.WriteGGUF(f, m, tensors, func(i int, w io.Writer) error {
		_, err := w.Write(make([]byte, 4*tensors[i].Elements()))
		return err
	}))
	ts.Check(f.Close())
}

// tinyadapter FILE writes a GGUF LoRA of rank 1 for the values of smollm2-135m's first layer.
func tinyadapter(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: tinyadapter FILE")
	}
	var m llm.Metadata
	for _, kv := range [][2]string{{"general.architecture", "llama"}, {"general.type", "adapter"},
		{"adapter.type", "lora"}} {
		m.Text(kv[0], kv[1])
	}
	tensors := []llm.Tensor{{Name: "blk.0.attn_v.weight.lora_a", Shape: []int64{576, 1}, Type: "F32"},
		{Name: "blk.0.attn_v.weight.lora_b", Shape: []int64{1, 192}, Type: "F32"}}
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(llm.WriteGGUF(f, m, tensors, func(i int, w io.Writer) error {
		return binary.Write(w, binary.LittleEndian, slices.Repeat([]float32{0.125}, int(tensors[i].Elements())))
	}))
	ts.Check(f.Close())
}

// A model on a server answers as one in the process does, and the key goes there and nowhere else.
func TestRemoteModel(t *testing.T) {
	const key = "sk-of-this-test"
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Model string }
		must.Succeed(t, json.NewDecoder(r.Body).Decode(&body))
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Header.Get("Authorization") != "Bearer "+key:
			w.WriteHeader(401)
			fmt.Fprintf(w, `{"error":{"message":"bad key %s"}}`, r.Header.Get("Authorization"))
		case body.Model != "coder":
			w.WriteHeader(404)
			fmt.Fprintf(w, `{"error":{"message":"no model %s"}}`, body.Model)
		case asked.Add(1) == 1:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(503)
		default:
			fmt.Fprint(w, `{"choices":[{"message":{"content":"SELECT COUNT(*) FROM orders WHERE status = 'Shipped'"},`+
				`"finish_reason":"stop"}],"usage":{"prompt_tokens":900,"completion_tokens":12,`+
				`"prompt_tokens_details":{"cached_tokens":810}}}`)
		}
	}))
	defer server.Close()
	dir := t.TempDir()
	run := func(apiKey string, args ...string) (stdout, stderr string, err error) {
		cmd := exec.Command("nl2sql", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "NL2SQL_API_KEY="+apiKey)
		var out, errOut strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errOut
		err = cmd.Run()
		return out.String(), errOut.String(), err
	}
	for _, tt := range []struct{ model, key, out, err string }{
		{"coder", key, "\n293\n", ""},
		{"codr", key, "", server.URL + "/v1: 404 Not Found: no model codr\n"},
		{"coder", "", "", "401 Unauthorized: bad key: set NL2SQL_API_KEY\n"},
		{"coder", "sk-wrong", "", "bad key Bearer …: the key in NL2SQL_API_KEY was refused\n"},
	} {
		out, errOut, err := run(tt.key, "ask", "--verbose", "--model", "openai:"+server.URL+"/v1#"+tt.model,
			"How many orders were shipped?")
		if (err == nil) != (tt.err == "") || !strings.HasSuffix(out, tt.out) || !strings.HasSuffix(errOut, tt.err) {
			t.Errorf("%s %s: %v\n%s\n%s", tt.model, tt.key, err, out, errOut)
		}
		must.Be(t, tt.key == "" || !strings.Contains(out+errOut, tt.key), "the key is shown", errOut)
	}
	// a run's card names the server, and its summary says what the server kept of prompts
	items := `{"id":"1","nlq":"How many orders were shipped?",` +
		`"sql":"SELECT COUNT(*) FROM orders WHERE status = 'Shipped'"}`
	must.Do(t, os.WriteFile(filepath.Join(dir, "items.jsonl"), []byte(items), 0o600))
	for format, want := range map[string]string{
		"plain":  "\nprompt tokens: 900, evaluated 90 (10.0 %)\n",
		"ndjson": "\n" + `{"prompt_tokens":900,"evaluated_tokens":90,"evaluated_share":0.1}` + "\n",
	} {
		out, errOut, err := run(key, "eval", "--items", "items.jsonl", "--model", "openai:"+server.URL+"/v1#coder",
			"--out", "run", "--format", format)
		must.Have(t, err == nil && strings.Contains(out, want), err, "no", want, out, errOut)
	}
	text := must.Get(os.ReadFile(filepath.Join(dir, "run", "run.jsonl")))(t)
	for _, want := range []string{`"model":"coder"`, `"engine":{"server":"` + server.URL + `/v1"}`,
		`"raw_sql":"SELECT COUNT(*)`} {
		must.Has(t, string(text), want, text)
	}
	must.Be(t, !strings.Contains(string(text), key), "the key is in the run", text)
}

// A second URL is refused in one line; a router before the servers has the one to name.
func TestTwoServers(t *testing.T) {
	cmd := exec.Command("nl2sql", "ask", "--model", "openai:http://127.0.0.1:1/v1,http://127.0.0.1:2/v1#m",
		"How many orders?")
	text, err := cmd.CombinedOutput()
	must.Have(t, err != nil && cmd.ProcessState.ExitCode() == exitError, err)
	must.Equal(t, string(text), "nl2sql: error: model: only one URL: to share calls among several servers, put a router "+
		"before them and name its URL\n")
}
