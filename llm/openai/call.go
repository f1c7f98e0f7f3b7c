package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"nl2sql/llm"
)

const (
	maxAnswer = 16 << 20 // bytes
	maxOther  = 1 << 20  // bytes of a list of models, and of what is looked at of a refusal
	tries     = 6
	firstWait = 500 * time.Millisecond // doubled each time, and drawn between half of it and all of it
	longest   = 2 * time.Minute        // that a server may ask to wait
)

// call sends a request, asked written as JSON if it is not nil, until it is answered, as often as tries allow, and
// reads the answer into out.
func (m *Model) call(ctx context.Context, method, path string, asked, out any) error {
	var body []byte
	if asked != nil {
		var err error
		if body, err = json.Marshal(asked); err != nil {
			return err
		}
	}
	select {
	case m.turn <- struct{}{}:
		defer func() { <-m.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for n := 1; ; n++ {
		again, err := m.try(ctx, method, path, body, out)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !again.may:
			return err
		case n == tries:
			return fmt.Errorf("%w (tried %d times)", err, n)
		case again.after > longest:
			return fmt.Errorf("%w; the server asks to wait %v", err, again.after.Round(time.Second))
		}
		wait := firstWait << (n - 1)
		wait = wait/2 + time.Duration(m.clock.draw()*float64(wait/2))
		if err := m.clock.sleep(ctx, max(wait, again.after)); err != nil {
			return err
		}
	}
}

// retry says whether another try may go better, and how long the server wants it to wait.
type retry struct {
	may   bool
	after time.Duration
}

// try sends one request and reads the answer into out.
func (m *Model) try(ctx context.Context, method, path string, body []byte, out any) (retry, error) {
	if err := m.clock.sleep(ctx, m.rate.wait(m.clock.now())); err != nil {
		return retry{}, err
	}
	limited, cancel := m.clock.limit(ctx, m.o.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(limited, method, m.o.URL+path, bytes.NewReader(body))
	if err != nil {
		return retry{}, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "nl2sql")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if m.o.Key != "" {
		req.Header.Set("Authorization", "Bearer "+m.o.Key)
	}
	resp, err := m.client.Do(req)
	if err != nil {
		return m.broken(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 { // 101: what follows is no body, and net/http would read it past the context's end
		return retry{}, fmt.Errorf("%s: the server answers %q to a question: is this the address of an API?", m.o.URL,
			m.clip(resp.Status, 40))
	}
	most := maxAnswer
	if body == nil {
		most = maxOther
	}
	if resp.StatusCode != http.StatusOK {
		text, err := io.ReadAll(io.LimitReader(resp.Body, maxOther))
		if err != nil {
			return m.broken(err)
		}
		return m.refused(resp, text)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, int64(most)+1))
	switch {
	case err != nil:
		return m.broken(err)
	case len(text) > most:
		return retry{}, fmt.Errorf("%s: the answer has more than %d MiB", m.o.URL, most>>20)
	}
	if kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return retry{}, fmt.Errorf("%s: the answer is %s, not JSON: is this the address of an API, with its /v1? It "+
			"says %q",
			m.o.URL, cmp.Or(m.clip(kind, 40), "of no type"), m.clip(string(text), 80))
	}
	if err := json.Unmarshal(text, out); err != nil {
		return retry{}, fmt.Errorf("%s: the answer is no JSON of this API: %s", m.o.URL, m.clip(err.Error(), 200))
	}
	return retry{}, nil
}

// broken says what went wrong with the connection. One that was cut may go better next time.
func (m *Model) broken(err error) (retry, error) {
	if ue, ok := errors.AsType[*url.Error](err); ok {
		err = ue.Err // it repeats the address
	}
	cut := errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("no answer within %v", m.o.Timeout)
	}
	// it may repeat what came
	return retry{may: cut}, fmt.Errorf("%s: %w", m.o.URL, told{m.clip(err.Error(), 300), err})
}

// refused says why the server did not answer the question.
func (m *Model) refused(resp *http.Response, text []byte) (retry, error) {
	why, code := reason(text)
	status := resp.StatusCode
	err := fmt.Errorf("%s: %d %s", m.o.URL, status, cmp.Or(http.StatusText(status), "status"))
	if why != "" {
		err = fmt.Errorf("%w: %s", err, m.clip(why, 300))
	}
	low := strings.ToLower(why)
	switch {
	case status == http.StatusTooManyRequests || status >= 500:
		return retry{may: true, after: after(resp.Header.Get("Retry-After"), m.clock.now())}, err
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		if m.o.Key == "" {
			return retry{}, fmt.Errorf("%w: set NL2SQL_API_KEY", err)
		}
		return retry{}, fmt.Errorf("%w: the key in NL2SQL_API_KEY was refused", err)
	case status >= 300 && status < 400:
		return retry{}, fmt.Errorf("%w: it sends us to %q, name that address", err,
			m.clip(resp.Header.Get("Location"), 200))
	case code == "context_length_exceeded", code == "exceed_context_size_error",
		strings.Contains(low, "maximum context length"):
		return retry{}, fmt.Errorf("%w: %w", llm.ErrContextFull, err)
	}
	return retry{}, err
}

// reason finds the explanation in an error's body, in the forms that OpenAI, vLLM, llama-server, Ollama and FastAPI
// use.
func reason(text []byte) (why, code string) {
	var body struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Type    string          `json:"type"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(text, &body) != nil {
		return string(text), ""
	}
	var object struct {
		Message string `json:"message"`
		Type    string `json:"type"`
		Code    any    `json:"code"`
	}
	var plain string
	switch {
	case json.Unmarshal(body.Error, &object) == nil && object.Message != "":
		if code, ok := object.Code.(string); ok && code != "" {
			return object.Message, code
		}
		return object.Message, object.Type
	case json.Unmarshal(body.Error, &plain) == nil && plain != "":
		return plain, ""
	case body.Message != "":
		return body.Message, body.Type
	}
	return string(body.Detail), ""
}

// after reads Retry-After: seconds, or a date.
func after(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(header); err == nil {
		return max(0, date.Sub(now))
	}
	return 0
}

// told is an error in fewer words.
type told struct {
	text string
	error
}

func (e told) Error() string { return e.text }
func (e told) Unwrap() error { return e.error }

// hide takes the key out of a text of the server's, which may repeat it.
func (m *Model) hide(s string) string {
	if m.o.Key == "" {
		return s
	}
	return strings.ReplaceAll(s, m.o.Key, "…")
}

// clip shortens a text of the server's and makes it one line. The key goes first: a part of it would not be known
// again.
func (m *Model) clip(s string, bytes int) string {
	s = m.hide(s)
	s = strings.Join(strings.Fields(s[:min(len(s), maxMessage)]), " ")
	if len(s) > bytes {
		s = strings.ToValidUTF8(s[:bytes], "") + "…"
	}
	return s
}

// maxMessage bounds what is looked at of a text that is shown, in bytes.
const maxMessage = 64 << 10

// rate spaces requests out. The zero value lets all through.
type rate struct {
	every time.Duration
	mu    sync.Mutex
	next  time.Time // when the next may go
}

// wait takes the next turn and returns how long it is away.
func (r *rate) wait(now time.Time) time.Duration {
	if r.every == 0 {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	at := now
	if r.next.After(now) {
		at = r.next
	}
	r.next = at.Add(r.every)
	return at.Sub(now)
}
