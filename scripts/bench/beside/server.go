package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"nl2sql/llm"
)

// llamaServer is upstream's server with as many slots, as large windows and as many threads as ours, and its prompt
// cache on, which it is by default.
func (c *playCmd) llamaServer(ctx context.Context, model string, flags []string) (engine, error) {
	program, err := upstream(ctx, "llama-server")
	if err != nil {
		return engine{}, err
	}
	n := fmt.Sprint
	args := append([]string{"-m", model, "-np", n(c.Parallel), "-c", n(c.Parallel * c.Context), "-t", n(c.Threads),
		"-tb", n(c.Threads), "-fa", "on", "--jinja", "--no-webui"}, flags...)
	return engine{strings.Join(append([]string{"llama-server"}, flags...), " "),
		func(ctx context.Context) (llm.Generator, func() error, error) {
			return startServer(ctx, program, args)
		}}, nil
}

// server is a running llama-server.
type server struct {
	url    string
	client *http.Client
}

// startServer returns when the server can answer.
func startServer(ctx context.Context, program string, args []string) (llm.Generator, func() error, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // finds a free port
	if err != nil {
		return nil, nil, err
	}
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err = errors.Join(err, l.Close()); err != nil {
		return nil, nil, err
	}
	cmd := exec.Command(program, append(args, "--host", host, "--port", port)...)
	var log bytes.Buffer // read only after the server has ended
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	s := &server{"http://" + net.JoinHostPort(host, port), &http.Client{}}
	for {
		select {
		case err := <-ended:
			text := strings.TrimSpace(log.String())
			return nil, nil, fmt.Errorf("it ended at once: %w\n%s", err, text[max(0, len(text)-2000):])
		case <-ctx.Done():
			return nil, nil, errors.Join(ctx.Err(), cmd.Process.Kill())
		case <-time.After(20 * time.Millisecond):
		}
		if resp, err := s.client.Get(s.url + "/health"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				break
			}
		}
	}
	stop := func() error {
		s.client.CloseIdleConnections()
		if err := cmd.Process.Kill(); err != nil {
			return err
		}
		<-ended // an error says that it was killed
		return nil
	}
	return s, stop, nil
}

// Generate implements [llm.Generator]. A greedy answer asks for the cheapest of the server's samplers.
func (s *server) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	if p.MaxTokens == 0 {
		p.MaxTokens = 256
	}
	body := map[string]any{"messages": msgs, "max_tokens": p.MaxTokens, "temperature": p.Temperature, "seed": p.Seed,
		"stop": p.Stop, "cache_prompt": true}
	if p.Temperature == 0 {
		body["top_k"] = 1
	} else if p.TopP > 0 {
		body["top_p"] = p.TopP
	}
	text, err := json.Marshal(body)
	if err != nil {
		return llm.Completion{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/v1/chat/completions", bytes.NewReader(text))
	if err != nil {
		return llm.Completion{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.client.Do(req)
	if err != nil {
		return llm.Completion{}, err
	}
	defer resp.Body.Close()
	if text, err = io.ReadAll(resp.Body); err != nil {
		return llm.Completion{}, err
	}
	if resp.StatusCode != http.StatusOK {
		return llm.Completion{}, fmt.Errorf("%s: %s", resp.Status, text)
	}
	var r struct {
		Usage struct {
			Prompt int `json:"prompt_tokens"`
			Output int `json:"completion_tokens"`
		} `json:"usage"`
		Timings *struct {
			Evaluated int `json:"prompt_n"`
		} `json:"timings"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return llm.Completion{}, err
	}
	if r.Timings == nil {
		return llm.Completion{}, errors.New("the server does not say how many tokens it evaluated")
	}
	return llm.Completion{PromptTokens: r.Usage.Prompt, CachedTokens: r.Usage.Prompt - r.Timings.Evaluated,
		OutputTokens: r.Usage.Output}, nil
}
