package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/loop/item"
	"nl2sql/scripts/must"
)

// What is recorded is what eval asks: shots of another question each time, and no answer is needed for it.
func TestRecordShots(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "shots.jsonl")
	must.Do(t, (&recordCmd{Kind: "shots", Out: file, Questions: 3}).Run(t.Context()))
	list := must.Get(readConversations(file))(t)
	items := must.Get(item.Read(strings.NewReader(assets.Benchmark)))(t)
	must.Have(t, len(list) == 3, len(list), "conversations, want 3")
	for i, c := range list {
		msgs := c[0].Messages
		if len(c) != 1 || len(msgs) != 9 || c[0].Params.MaxTokens != 128 { // system, schema, 3 exemplars, question
			t.Errorf("conversation %d: %d requests, %d messages, %+v", i, len(c), len(msgs), c[0].Params)
		}
		if q := items[i*len(items)/3].Question; !strings.Contains(msgs[len(msgs)-1].Content, q) {
			t.Errorf("conversation %d does not ask %q", i, q)
		}
	}
}

func TestReadConversations(t *testing.T) {
	one, two := []llm.Message{{Role: "user", Content: "<one>"}}, []llm.Message{{Role: "user", Content: "two"}}
	want := [][]request{{{0, one, llm.Params{MaxTokens: 5}}, {0, two, llm.Params{Stop: []string{";"}}}},
		{{1, one, llm.Params{}}}}
	file := filepath.Join(t.TempDir(), "r.jsonl")
	must.Do(t, writeRequests(file, slices.Concat(want...)))
	got, err := readConversations(file)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	must.Do(t, writeRequests(file, nil))
	if _, err := readConversations(file); err == nil || !strings.Contains(err.Error(), "beside record") {
		t.Errorf("no requests: %v", err)
	}
}

// slow answers once as many requests were under way as together says, and counts.
type slow struct {
	mu        sync.Mutex
	at, most  int
	order     map[string][]string // messages by conversation
	fail      string
	together  int
	everybody chan struct{}
}

func (s *slow) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	s.mu.Lock()
	s.at++
	s.most = max(s.most, s.at)
	conversation, step, _ := strings.Cut(msgs[0].Content, " ")
	s.order[conversation] = append(s.order[conversation], step)
	if s.at == s.together {
		close(s.everybody)
		s.together = -1
	}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.at--
		s.mu.Unlock()
	}()
	select {
	case <-s.everybody:
	case <-ctx.Done():
		return llm.Completion{}, ctx.Err()
	}
	if msgs[0].Content == s.fail {
		return llm.Completion{}, errors.New("no more")
	}
	return llm.Completion{PromptTokens: 10, CachedTokens: 7, OutputTokens: 2}, nil
}

// Steps come in order, as many conversations at once as there may be, and the first failure ends it.
func TestPlay(t *testing.T) {
	var list [][]request
	want := map[string][]string{}
	for i := range 5 {
		var c []request
		for step := range 3 {
			c = append(c, request{i, []llm.Message{{Role: "user", Content: fmt.Sprintf("%d %d", i, step)}},
				llm.Params{}})
			want[fmt.Sprint(i)] = append(want[fmt.Sprint(i)], fmt.Sprint(step))
		}
		list = append(list, c)
	}
	play := func(s *slow) (played, int, error) {
		s.order, s.together, s.everybody = map[string][]string{}, 2, make(chan struct{})
		stopped := 0
		p, err := (&playCmd{Parallel: 2}).play(t.Context(), engine{"slow", func(context.Context) (llm.Generator,
			func() error, error) {
			return s, func() error { stopped++; return nil }, nil
		}}, list)
		return p, stopped, err
	}
	s := &slow{}
	p, stopped, err := play(s)
	if err != nil || stopped != 1 || s.most != 2 || p.Calls != 15 || p.Prompt != 150 ||
		p.Evaluated != 45 || p.Output != 30 {
		t.Errorf("%+v, %d at once, stopped %d times: %v", p, s.most, stopped, err)
	}
	must.Same(t, s.order, want)
	if _, stopped, err := play(&slow{fail: "3 1"}); err == nil || err.Error() != "no more" || stopped != 1 {
		t.Errorf("%v, stopped %d times", err, stopped)
	}
}

// Times are held against the quickest server of the same requests, by medians.
func TestPlayTable(t *testing.T) {
	var all []played
	add := func(requests, engine string, start float64, seconds ...float64) {
		for _, s := range seconds {
			all = append(all, played{Requests: requests, Engine: engine, Start: start, Seconds: s, Calls: 50,
				Prompt: 100, Evaluated: 10, Output: 5})
		}
	}
	add("shots", "nl2sql exact", 1, 30, 20, 90)
	add("shots", "llama-server", 2, 60, 60, 10)
	add("shots", "llama-server -x", 3, 40, 42, 41)
	add("loop", "nl2sql exact", 1, 5)
	add("loop", "llama-server", 1, 10, 30)
	var got []string
	for _, row := range playTable(all).Rows {
		got = append(got, fmt.Sprint(row...))
	}
	want := []string{
		"shotsnl2sql exact5030.00.7331.00.70100105", "shotsllama-server5060.01.4662.01.41100105",
		"shotsllama-server -x5041.01.0044.01.00100105",
		"loopnl2sql exact505.00.256.00.29100105", "loopllama-server5020.01.0021.01.00100105",
	}
	must.Same(t, got, want)
}

func TestServerGenerate(t *testing.T) {
	var got map[string]any
	answer := `{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":90,"completion_tokens":4},"timings":{"cache_n":70,"prompt_n":20}}`
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" {
			http.NotFound(w, r)
			return
		}
		must.Succeed(t, json.NewDecoder(r.Body).Decode(&got))
		fmt.Fprint(w, answer)
	}))
	defer ts.Close()
	s := &server{ts.URL, ts.Client()}
	msgs := []llm.Message{{Role: "user", Content: "hello"}}
	out, err := s.Generate(t.Context(), msgs, llm.Params{Stop: []string{";"}})
	if diff := cmp.Diff(llm.Completion{PromptTokens: 90, CachedTokens: 70, OutputTokens: 4},
		out); diff != "" || err != nil {
		t.Error(err, diff)
	}
	want := map[string]any{"messages": []any{map[string]any{"role": "user", "content": "hello"}}, "max_tokens": 256.,
		"temperature": 0.,
		"top_k":       1., "seed": 0., "stop": []any{";"}, "cache_prompt": true}
	must.Same(t, got, want)
	answer = `{"usage":{"prompt_tokens":90}}`
	if _, err := s.Generate(t.Context(), msgs, llm.Params{}); err == nil {
		t.Error("an answer without counts is no error")
	}
	s.url += "/nope"
	if _, err := s.Generate(t.Context(), msgs, llm.Params{}); err == nil || !strings.HasPrefix(err.Error(), "404") {
		t.Errorf("not found: %v", err)
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		list []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{5, 1}, 3}, {[]float64{9, 1, 2}, 2}} {
		must.Equal(t, median(tt.list), tt.want, "median", tt.list)
	}
}
