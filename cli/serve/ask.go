package serve

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/runner/render"
)

// askRequest is a question.
type askRequest struct {
	desk.Question
	Stream bool `json:"stream,omitempty"` // as the header Accept: text/event-stream says it too
}

// queuePlace is told of a question that waits.
type queuePlace struct {
	Place int `json:"place"` // 1 is next
}

// answer answers a question, and notes what the log says of it.
func (h *handler) answer(
	ctx context.Context, w http.ResponseWriter, q desk.Question, told func(desk.Step),
) (answer.Answer, error) {
	ans, err := h.Ask(ctx, q, told)
	note(w, h.said(q, desk.Outcome(ctx, ans, err), ans.How)...)
	return ans, err
}

// said is what the log says of a question.
func (h *handler) said(q desk.Question, outcome, how string) (notes []any) {
	if d, err := h.Named(q.Database); err == nil {
		notes = append(notes, "database", d.Name)
	}
	if h.LogsTexts {
		notes = append(notes, "question", q.Question)
	}
	return append(notes, "outcome", outcome, "how", how)
}

// ask serves /api/ask.
func (h *handler) ask(w http.ResponseWriter, r *http.Request) error {
	var q askRequest
	if err := read(w, r, &q, true); err != nil {
		return err
	}
	q.Client, _ = h.whose(r)
	if !q.Stream && !strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		ans, err := h.answer(r.Context(), w, q.Question, func(desk.Step) {})
		if err != nil {
			return err
		}
		return write(w, http.StatusOK, answer.AsJSON(q.ID, ans))
	}
	ctx, s := startStream(r.Context(), w)
	defer s.end()
	ans, err := h.answer(ctx, w, q.Question, s.step)
	switch {
	case err == nil:
		s.event("answer", answer.AsJSON(q.ID, ans))
	case !s.hasBegun():
		return err
	default:
		s.event("failed", failedBody(desk.ErrorOf(ctx, err)))
	}
	return errors.Join(err, s.end())
}

// stream is a response of server-sent events. Source: HTML Living Standard, "Server-sent events".
type stream struct {
	mu     sync.Mutex
	w      http.ResponseWriter
	begun  bool
	err    error                   // the first
	cancel context.CancelCauseFunc // of what is streamed
	over   chan struct{}
	ended  sync.Once
}

// pulse is how often a comment is sent, so that nobody between takes a silent stream for a dead one.
const pulse = 15 * time.Second

// startStream returns a context that ends when the client cannot be reached any more. What is sent first begins the
// response.
func startStream(ctx context.Context, w http.ResponseWriter) (context.Context, *stream) {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &stream{w: w, cancel: cancel, over: make(chan struct{})}
	go func() {
		tick := time.NewTicker(pulse)
		defer tick.Stop()
		for {
			select {
			case <-s.over:
				return
			case <-tick.C:
				if s.hasBegun() {
					s.send(":\n\n", nil)
				}
			}
		}
	}()
	return ctx, s
}

func (s *stream) hasBegun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun
}

// step sends what happens.
func (s *stream) step(is desk.Step) {
	if is.Place > 0 {
		s.event("queue", queuePlace{is.Place})
	} else {
		s.event(string(is.Event.Kind), is.Event)
	}
}

// event sends a named value.
func (s *stream) event(name string, data any) { s.json("event: "+name+"\n", data) }

// json sends a value behind a text.
func (s *stream) json(head string, data any) {
	text, err := render.JSONText(data)
	s.send(head+"data: "+string(text)+"\n\n", err)
}

// send sends a text at once, unless it failed to be one. A failure stops what is streamed.
func (s *stream) send(text string, failed error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	if s.err = failed; s.err == nil && !s.begun {
		s.begun = true
		s.w.Header().Set("Content-Type", "text/event-stream")
		s.w.Header().Set("X-Accel-Buffering", "no") // nginx would hold it back
		s.w.WriteHeader(http.StatusOK)
	}
	if s.err == nil {
		s.err = hurry(s.w)
	}
	if s.err == nil {
		_, s.err = s.w.Write([]byte(text))
	}
	if s.err == nil {
		s.err = http.NewResponseController(s.w).Flush()
	}
	if s.err != nil {
		s.cancel(s.err)
	}
}

// end stops the pulse and returns what went wrong. It may be called twice.
func (s *stream) end() error {
	s.ended.Do(func() { close(s.over) })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel(nil)
	return s.err
}
