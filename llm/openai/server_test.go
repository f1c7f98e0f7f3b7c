package openai

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// llamaServer starts upstream's llama-server with a small model and returns its address, or skips the test.
func llamaServer(t *testing.T) string {
	t.Helper()
	cache := os.Getenv("NL2SQL_CACHE")
	if cache == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			t.Skipf("no cache folder: %v", err)
		}
		cache = filepath.Join(base, "nl2sql")
	}
	built := must.Get(filepath.Glob(filepath.Join(cache, "upstream", "*", "build", "bin", "llama-server")))(t)
	model := filepath.Join(cache, "models", "SmolLM2-135M-Instruct.Q4_1.gguf")
	if _, err := os.Stat(model); err != nil || len(built) == 0 {
		t.Skip("needs llama-server and a model: make upstream, make model MODEL=smollm2-135m")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0") // finds a free port
	must.Do(t, err)
	host, port, err := net.SplitHostPort(l.Addr().String())
	must.Do(t, errors.Join(err, l.Close()))
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, built[0], "-m", model, "-c", "2048", "-np", "2", "-t", "1", "-tb", "1",
		"--no-webui", "--jinja", "--host", host, "--port", port)
	var log bytes.Buffer // read only after the server has ended
	cmd.Stdout, cmd.Stderr = &log, &log
	must.Do(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cancel()
		<-ended
		if t.Failed() {
			text := log.String()
			t.Logf("the server's log ends: %s", text[max(0, len(text)-3000):])
		}
	})
	base := "http://" + net.JoinHostPort(host, port)
	for {
		if resp, err := http.Get(base + "/health"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return base
			}
		}
		select {
		case err := <-ended:
			ended <- err // for the cleanup
			t.Fatalf("the server ended at once: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// A real server answers in a chat and goes on with a text, keeps to limits, and says what it counted.
func TestLlamaServer(t *testing.T) {
	base := llamaServer(t)
	msgs := []llm.Message{{Role: "system", Content: "You answer with one word."},
		{Role: "user", Content: "What is the capital of France?"}}
	for _, tt := range []struct{ api, server string }{
		{"", "/v1"},
		{"/v1/chat/completions", "/v1"},
		{"/v1/completions", "/v1/completions"},
	} {
		t.Run("at "+tt.api, func(t *testing.T) {
			o := must.Get(Parse(base + tt.api))(t)
			m := must.Get(Open(context.Background(), o))(t)
			defer m.Close()
			if url, name := m.Server(); url != base+tt.server || !strings.Contains(name, "SmolLM2") {
				t.Errorf("model %q at %q", name, url)
			}
			first, err := m.Generate(context.Background(), msgs, llm.Params{MaxTokens: 8})
			if err != nil || !strings.Contains(first.Text, "Paris") || first.PromptTokens < 15 ||
				first.OutputTokens == 0 || first.OutputTokens > 8 {
				t.Errorf("%+v, %v", first, err)
			}
			long, err := m.Generate(context.Background(), msgs, llm.Params{MaxTokens: 3, Temperature: 1.5, TopP: 0.9,
				Seed: 4, Stop: []string{"§"}})
			if err != nil || long.OutputTokens != 3 && long.StopReason != llm.StopEnd {
				t.Errorf("three tokens: %+v, %v", long, err)
			}
			cut, err := m.Generate(context.Background(), msgs, llm.Params{MaxTokens: 8, Stop: []string{"ari"}})
			if before, _, _ := strings.Cut(first.Text, "ari"); err != nil || cut.Text != before {
				t.Errorf("stop at %q: %+v, %v; want %q", "ari", cut, err, before)
			}
			huge := []llm.Message{{Role: "user", Content: strings.Repeat("many words ", 3000)}}
			if _, err := m.Generate(context.Background(), huge, llm.Params{MaxTokens: 8}); !errors.Is(err,
				llm.ErrContextFull) {
				t.Errorf("a prompt that is too long: %v", err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			defer cancel()
			if _, err := m.Generate(ctx, []llm.Message{{Role: "user", Content: "Count to a thousand, in words."}},
				llm.Params{MaxTokens: 900}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a caller that leaves: %v", err)
			}
			o.Model = "another" // llama-server answers to any name
			o.URL += "/nowhere"
			lost := must.Get(Open(context.Background(), o))(t)
			defer lost.Close()
			if _, err := lost.Generate(context.Background(), msgs, llm.Params{}); err == nil ||
				!strings.Contains(err.Error(), "404") || strings.Contains(err.Error(), "\n") {
				t.Errorf("a wrong address: %v", err)
			}
		})
	}
}
