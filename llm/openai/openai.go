// Package openai asks a model on a server that speaks OpenAI's API, for chats or for plain completions: vLLM,
// llama-server, Ollama and others. It keeps within limits, tries again what may pass, and says in one line what does
// not.
package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"nl2sql/llm"
)

// Options of Open. The zero values of the limits are right for a server of one's own.
type Options struct {
	URL       string        // of the API, "http://localhost:8000/v1"
	Plain     bool          // asks for completions of a text instead of answers in a chat
	Model     string        // the server's name of it; "" takes the only one that the server has
	Key       string        // "" sends none
	Parallel  int           // most requests at a time; 0 means 4
	PerMinute int           // most requests a minute, tries again among them; 0 sets no limit
	Timeout   time.Duration // of one request; 0 means 5 minutes
}

// Parse reads URL#NAME. The name can be left out, and so can the path /v1. A URL that ends in /completions asks for
// plain completions, unless it ends in /chat/completions.
func Parse(text string) (Options, error) {
	if strings.Contains(text, ",") {
		return Options{}, errors.New("only one URL: to share calls among several servers, put a router before them and " +
			"name its URL")
	}
	base, name, _ := strings.Cut(text, "#")
	u, err := url.Parse(base)
	switch {
	case err != nil:
		// the error would repeat what may hold a password
		return Options{}, errors.New("no URL: want openai:http://HOST:PORT/v1#MODEL")
	case u.User != nil:
		return Options{}, errors.New("the URL holds a password: put the key into NL2SQL_API_KEY")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "":
		return Options{}, fmt.Errorf("%q is no URL of an API: want openai:http://HOST:PORT/v1#MODEL", base)
	}
	path, named := strings.CutSuffix(strings.TrimRight(u.Path, "/"), "/completions")
	path, chat := strings.CutSuffix(path, "/chat")
	if chat && !named {
		path, chat = path+"/chat", false // a folder of that name
	}
	u.Path = cmp.Or(path, "/v1")
	return Options{URL: u.String(), Plain: named && !chat, Model: name}, nil
}

// Model is a model on a server. Its methods are safe for concurrent use.
type Model struct {
	o      Options
	client *http.Client
	turn   chan struct{} // holds a value for each call at work
	rate   rate
	clock  clock
}

// Parallel implements [llm.Parallel].
func (m *Model) Parallel() int { return cap(m.turn) }

// clock is the time; tests have one of their own.
type clock struct {
	now   func() time.Time
	sleep func(ctx context.Context, d time.Duration) error
	limit func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc)
	draw  func() float64 // in [0,1)
}

func realClock() clock {
	return clock{now: time.Now, limit: context.WithTimeout, draw: rand.Float64, sleep: func(ctx context.Context,
		d time.Duration) error {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
			return nil
		}
	}}
}

// Open makes a Model. It asks the server only where Options name no model.
func Open(ctx context.Context, o Options) (*Model, error) { return open(ctx, o, realClock()) }

func open(ctx context.Context, o Options, c clock) (*Model, error) {
	if o.Parallel <= 0 {
		o.Parallel = 4
	}
	if o.Timeout <= 0 {
		o.Timeout = 5 * time.Minute
	}
	o.Key = strings.TrimSpace(o.Key)
	if strings.ContainsFunc(o.Key, func(r rune) bool { return r < ' ' || r > '~' }) {
		return nil, errors.New("NL2SQL_API_KEY holds characters that no key has")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = o.Parallel
	m := &Model{o: o, clock: c, turn: make(chan struct{}, o.Parallel), client: &http.Client{
		Transport: transport,
		// a POST would become a GET
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if o.PerMinute > 0 {
		m.rate.every = time.Minute / time.Duration(o.PerMinute)
	}
	if o.Model == "" {
		var err error
		if m.o.Model, err = m.only(ctx); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// only returns the name of the server's one model.
func (m *Model) only(ctx context.Context) (string, error) {
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	err := m.call(ctx, http.MethodGet, "/models", nil, &list)
	switch n := len(list.Data); {
	case err != nil:
		return "", err
	case n == 1 && len(list.Data[0].ID) > maxName:
		return "", fmt.Errorf("%s has a model whose name is longer than %d bytes", m.o.URL, maxName)
	case n == 1 && m.clip(list.Data[0].ID, 80) != "":
		return list.Data[0].ID, nil
	case n == 0:
		return "", fmt.Errorf("%s has no models", m.o.URL)
	}
	const most = 8
	var names []string
	for _, d := range list.Data[:min(most, len(list.Data))] {
		names = append(names, m.clip(d.ID, 80))
	}
	text := strings.Join(names, ", ")
	if more := len(list.Data) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return "", fmt.Errorf("%s has several models: add #NAME with one of %s", m.o.URL, text)
}

// maxName bounds the name of a model, in bytes.
const maxName = 300

// Server returns the address of the API, with /completions if these are plain, and the server's name of the model,
// nothing secret: for a run card.
func (m *Model) Server() (url, model string) {
	if m.o.Plain {
		return m.o.URL + "/completions", m.o.Model
	}
	return m.o.URL, m.o.Model
}

// Close ends idle connections.
func (m *Model) Close() error {
	m.client.CloseIdleConnections()
	return nil
}

// request is the body of a completion. Source: OpenAI's API reference, "Create chat completion" and "Create
// completion".
type request struct {
	Model       string        `json:"model"`
	Messages    []llm.Message `json:"messages,omitempty"` // of a chat
	Prompt      string        `json:"prompt,omitempty"`   // else
	MaxTokens   int           `json:"max_tokens"`
	Temperature float32       `json:"temperature"`
	TopP        float32       `json:"top_p"`
	Seed        uint32        `json:"seed"`
	Stop        []string      `json:"stop,omitempty"`
	Stream      bool          `json:"stream"`
}

type response struct {
	Choices choices `json:"choices"`
	Usage   struct {
		Prompt  int `json:"prompt_tokens"`
		Output  int `json:"completion_tokens"`
		Details struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
}

// choices are the first of the answers, of which one was asked for: a long list of others takes no memory.
type choices struct {
	any   bool
	first struct {
		Message struct {
			Content string `json:"content"`
		} `json:"message"`
		Text         string `json:"text"` // of a plain completion
		FinishReason string `json:"finish_reason"`
	}
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *choices) UnmarshalJSON(text []byte) error {
	in := json.NewDecoder(bytes.NewReader(text))
	begin, err := in.Token()
	switch {
	case err != nil:
		return err
	case begin == nil: // null
		return nil
	case begin != json.Delim('['):
		return json.Unmarshal(text, new([]struct{}))
	}
	if c.any = in.More(); !c.any {
		return nil
	}
	return in.Decode(&c.first)
}

// plain writes a chat as the text that a plain completion goes on with: the instructions first, then each turn behind
// the name of its role. The chat template is in the model's file, which the server has.
func plain(msgs []llm.Message) string {
	var b strings.Builder
	for _, m := range msgs {
		if m.Role != "system" {
			b.WriteString(heading[m.Role])
		}
		b.WriteString(strings.TrimSpace(m.Content) + "\n\n")
	}
	b.WriteString(strings.TrimSpace(heading["assistant"]))
	return b.String()
}

// heading stands in front of a turn. No text ends in a space: its token would not be the one that models know.
var heading = map[string]string{"user": "User: ", "assistant": "Assistant: "}

// Generate implements [llm.Generator]. Token counts are what the server says; 0 if it says nothing.
func (m *Model) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	began := m.clock.now()
	p.MaxTokens = cmp.Or(p.MaxTokens, 256)
	p.TopP = cmp.Or(p.TopP, 1)
	if p.MaxTokens < 0 || p.Temperature < 0 || p.TopP < 0 || p.TopP > 1 {
		return llm.Completion{}, fmt.Errorf("model parameters out of range: %+v", p)
	}
	if len(msgs) == 0 {
		return llm.Completion{}, errors.New("no messages")
	}
	msgs = slices.Clone(msgs)
	for i := range msgs {
		msgs[i].Content = llm.WithoutControl(msgs[i].Content)
	}
	path, ask := "/chat/completions", request{Model: m.o.Model, Messages: msgs, MaxTokens: p.MaxTokens,
		Temperature: p.Temperature, TopP: p.TopP, Seed: p.Seed, Stop: p.Stop}
	if m.o.Plain {
		ask.Stop = append([]string{"\n" + heading["user"]}, p.Stop...) // where the model begins to write both parts
		path, ask.Messages, ask.Prompt = "/completions", nil, plain(msgs)
	}
	var r response
	if err := m.call(ctx, http.MethodPost, path, ask, &r); err != nil {
		return llm.Completion{}, err
	}
	if !r.Choices.any {
		return llm.Completion{}, fmt.Errorf("%s: the answer has no choices", m.o.URL)
	}
	c := r.Choices.first
	out := llm.Completion{StopReason: llm.StopEnd, PromptTokens: r.Usage.Prompt, CachedTokens: r.Usage.Details.Cached,
		OutputTokens: r.Usage.Output, Took: m.clock.now().Sub(began)}
	switch c.FinishReason {
	case "length":
		out.StopReason = llm.StopLength
	case "content_filter":
		return out, fmt.Errorf("%s: the server's content filter ended the answer", m.o.URL)
	}
	text := c.Message.Content
	if m.o.Plain {
		text = c.Text
	}
	out.Text = m.hide(strings.ToValidUTF8(text, "\uFFFD"))
	for _, stop := range ask.Stop { // not every server obeys
		if before, _, found := strings.Cut(out.Text, stop); found && stop != "" {
			out.Text, out.StopReason = before, llm.StopText
		}
	}
	if m.o.Plain { // the space behind the heading, and the line before the next
		out.Text = strings.TrimSpace(out.Text)
	}
	return out, nil
}
