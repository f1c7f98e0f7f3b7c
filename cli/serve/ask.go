package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/runner/render"
)

// askRequest is a question.
type askRequest struct {
	Question string `json:"question"`
	Database string `json:"database,omitempty"` // "" is the first
	ID       string `json:"id,omitempty"`       // comes back with the answer

	// the last answer of a conversation, its question in whole and its SQL as they came: the question may go on from it
	Behind *answer.Turn `json:"behind,omitempty"`

	DryRun        bool    `json:"dry_run,omitempty"`
	MinConfidence float64 `json:"min_confidence,omitempty"`
	MinAnswerable float64 `json:"min_answerable,omitempty"`
	Temperature   float32 `json:"temperature,omitempty"`
	TopP          float32 `json:"top_p,omitempty"`
	Seed          uint32  `json:"seed,omitempty"`

	Explain bool `json:"explain,omitempty"` // the answer says in words what its SQL asks

	Stream bool `json:"stream,omitempty"` // as the header Accept: text/event-stream says it too

	client string // whose token it came with, where there are several
}

// behind is the answer before; the zero value is none.
func (q askRequest) behind() answer.Turn {
	if q.Behind == nil {
		return answer.Turn{}
	}
	return *q.Behind
}

// check says what is wrong with a question.
func (q askRequest) check() error {
	bad := func(format string, args ...any) error {
		return problem{status: http.StatusBadRequest, code: "bad_question", text: fmt.Sprintf(format, args...)}
	}
	if err := loop.CheckQuestion(q.Question); err != nil {
		return bad("%v", err)
	}
	if err := q.behind().Check(); err != nil {
		return bad("%v", err)
	}
	for _, n := range []struct {
		name        string
		value, most float64
	}{
		{"min_confidence", q.MinConfidence, 1}, {"min_answerable", q.MinAnswerable, 1},
		{"temperature", float64(q.Temperature), 2}, {"top_p", float64(q.TopP), 1},
	} {
		if !(n.value >= 0 && n.value <= n.most) {
			return bad("%s: %v is not possible: give a number from 0 to %v", n.name, n.value, n.most)
		}
	}
	return nil
}

// queuePlace is told of a question that waits.
type queuePlace struct {
	Place int `json:"place"` // 1 is next
}

// answer answers a question when its turn comes. told gets what happens: places in the queue, and the events of the
// answer.
func (h *handler) answer(
	ctx context.Context, w http.ResponseWriter, q askRequest, told func(name string, data any),
) (answer.Answer, error) {
	var ans answer.Answer
	q.Question = strings.TrimSpace(q.Question)
	if err := q.check(); err != nil {
		return ans, err
	}
	d, err := h.database(q.Database)
	if err != nil {
		return ans, err
	}
	note(w, "database", d.Name)
	if h.LogsTexts {
		note(w, "question", q.Question)
	}
	leave, err := h.questions.enter(ctx, func(place int) { told("queue", queuePlace{place}) })
	if errors.Is(err, errFull) {
		h.metrics.count("full", 0, ans.Answer)
		err = h.questions.full("questions")
	}
	if err != nil {
		return ans, err
	}
	defer leave()
	start := time.Now()
	ans, err = h.asked(ctx, d, q, func(e loop.Event) { told(string(e.Kind), e) })
	outcome := "answered"
	switch {
	case err != nil && ctx.Err() != nil:
		outcome = "gone"
	case err != nil:
		outcome = problemOf(ctx, err).code
	case ans.Refused != "":
		outcome = "refused"
	case ans.Result == nil && ans.How != loop.ByDryRun:
		outcome = "none"
	}
	note(w, "outcome", outcome, "how", ans.How)
	h.remember(asking{Client: q.client, Database: d.Name, Question: q.Question, Outcome: outcome}, ans.Answer)
	h.metrics.count(outcome, time.Since(start), ans.Answer)
	return ans, err
}

// asked asks within the longest time.
func (h *handler) asked(ctx context.Context, d Database, q askRequest, events func(loop.Event)) (answer.Answer, error) {
	ans, err := h.Asker.Within(ctx, h.Longest, h.Shots, d.Database, answer.Question{
		Text: q.Question, Behind: q.behind(),
		Params:        llm.Params{Temperature: q.Temperature, TopP: q.TopP, Seed: q.Seed},
		MinConfidence: q.MinConfidence, MinAnswerable: q.MinAnswerable, DryRun: q.DryRun,
		Show: answer.Show{Words: true, Readings: true, Explanation: q.Explain},
	}, events)
	late := (*answer.Late)(nil)
	switch {
	case err == nil:
	case errors.As(err, &late):
		err = problem{status: http.StatusGatewayTimeout, code: "late", text: err.Error()}
	case errors.Is(err, llm.ErrContextFull):
		err = problem{status: http.StatusUnprocessableEntity, code: "too_long", text: err.Error()}
	case len(ans.Trace) == 0: // nothing was begun: the agent does not take what was wished
		err = problem{status: http.StatusBadRequest, code: "bad_question", text: err.Error()}
	}
	return ans, err
}

// ask serves /api/ask.
func (h *handler) ask(w http.ResponseWriter, r *http.Request) error {
	var q askRequest
	if err := read(w, r, &q, true); err != nil {
		return err
	}
	q.client, _ = h.whose(r)
	if !q.Stream && !strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		ans, err := h.answer(r.Context(), w, q, func(string, any) {})
		if err != nil {
			return err
		}
		return write(w, http.StatusOK, answer.AsJSON(q.ID, ans))
	}
	ctx, s := startStream(r.Context(), w)
	defer s.end()
	ans, err := h.answer(ctx, w, q, s.event)
	switch {
	case err == nil:
		s.event("answer", answer.AsJSON(q.ID, ans))
	case !s.hasBegun():
		return err
	default:
		s.event("failed", failedBody(problemOf(ctx, err)))
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
					s.send(":\n\n")
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

// event sends a named value.
func (s *stream) event(name string, data any) { s.json("event: "+name+"\n", data) }

// json sends a value behind a text.
func (s *stream) json(head string, data any) {
	text, err := render.JSONText(data)
	if err != nil {
		s.fail(err)
		return
	}
	s.send(head + "data: " + string(text) + "\n\n")
}

// send sends a text at once. A failure stops what is streamed.
func (s *stream) send(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	if !s.begun {
		s.begun = true
		s.w.Header().Set("Content-Type", "text/event-stream")
		s.w.Header().Set("X-Accel-Buffering", "no") // nginx would hold it back
		s.w.WriteHeader(http.StatusOK)
	}
	if s.err = hurry(s.w); s.err == nil {
		_, s.err = s.w.Write([]byte(text))
	}
	if s.err == nil {
		s.err = http.NewResponseController(s.w).Flush()
	}
	if s.err != nil {
		s.cancel(s.err)
	}
}

func (s *stream) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
		s.cancel(err)
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
