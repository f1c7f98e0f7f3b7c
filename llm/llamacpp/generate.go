package llamacpp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"nl2sql/llm"
)

// request is one call of Generate or Score.
type request struct {
	ctx    context.Context
	prompt []int32
	given  int // tokens at the prompt's end that are not read but scored; 0: an answer is drawn
	p      llm.Params
	done   chan struct{} // closed when the answer is final
	grown  chan struct{} // holds something when the text has become longer; nil where nobody is told

	// The scheduler's own.
	next    func(logits []float32) (int32, error) // draws a token
	at      int                                   // tokens of the prompt that are evaluated
	token   int32                                 // drawn, not evaluated yet
	drafter *drafter                              // has the prompt, and the answer up to token; nil without drafts

	mu   sync.Mutex // guards what follows until done is closed
	out  llm.Completion
	text answer
	err  error
}

// Generate implements [llm.Generator]. When ctx ends, it returns within 0.2 s with what there is and ctx's error.
func (m *Model) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	began := time.Now()
	p.MaxTokens = cmp.Or(p.MaxTokens, 256)
	if p.MaxTokens < 0 || p.Temperature < 0 || p.TopP < 0 || p.TopP > 1 {
		return llm.Completion{}, fmt.Errorf("model parameters out of range: %+v", p)
	}
	parts, err := m.template.Parts(msgs)
	if err != nil {
		return llm.Completion{}, err
	}
	r := &request{ctx: ctx, p: p, done: make(chan struct{})}
	if p.Told != nil {
		r.grown = make(chan struct{}, 1)
	}
	if err := m.prepare(r, parts); err != nil {
		return llm.Completion{}, err
	}
	out, err := m.serve(r)
	out.Took = time.Since(began)
	return out, err
}

// Score implements [llm.Scorer].
func (m *Model) Score(ctx context.Context, msgs []llm.Message, answer string) (llm.Completion, error) {
	began := time.Now()
	parts, err := m.template.Parts(msgs)
	if err != nil {
		return llm.Completion{}, err
	}
	r := &request{ctx: ctx, done: make(chan struct{})}
	err = m.alive(func() (err error) {
		before, err := m.tokenize(ctx, parts)
		if err != nil {
			return err
		}
		r.prompt, err = m.tokenize(ctx, append(parts, llm.Part{Text: answer}))
		r.given = len(r.prompt) - len(before)
		return err
	})
	if err != nil {
		return llm.Completion{}, err
	}
	if r.given == 0 {
		return llm.Completion{}, errors.New("a text of no tokens has no probability")
	}
	out, err := m.serve(r)
	if err == nil && (math.IsNaN(out.LogProb) || math.IsInf(out.LogProb, 0)) {
		err = errNoLogits
	}
	out.Text, out.Took = answer, time.Since(began)
	return out, err
}

// serve hands a request to the scheduler and returns what comes of it, or has come of it when the request's ctx ends.
func (m *Model) serve(r *request) (llm.Completion, error) {
	r.out.PromptTokens = len(r.prompt)
	if len(r.prompt)+r.p.MaxTokens > m.window {
		return r.out, fmt.Errorf("%w: %d tokens and %d for the answer, the window has %d", llm.ErrContextFull,
			len(r.prompt), r.p.MaxTokens, m.window)
	}
	if m.drafts && r.given == 0 {
		r.drafter = newDrafter(r.prompt)
	}
	defer context.AfterFunc(r.ctx, m.abandon)()
	select {
	case m.submit <- r:
	case <-m.done:
		return r.out, m.gone
	case <-m.closing:
		return r.out, errClosed
	case <-r.ctx.Done():
		return r.out, r.ctx.Err()
	}
	err := r.wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.out
	out.Text = r.text.String()
	return out, err
}

// wait waits until the answer is final or the request's ctx ends, and tells how the text grows meanwhile.
func (r *request) wait() error {
	for {
		select {
		case <-r.done:
			return r.err
		case <-r.ctx.Done():
			return r.ctx.Err()
		case <-r.grown:
			r.mu.Lock()
			text := r.text.String()
			r.mu.Unlock()
			r.p.Told(text)
		}
	}
}

// prepare does what needs no context, beside the scheduler's work.
func (m *Model) prepare(r *request, parts []llm.Part) error {
	return m.alive(func() (err error) {
		r.next = m.sampler(r.p)
		r.prompt, err = m.tokenize(r.ctx, parts)
		return err
	})
}

// alive calls f while the model cannot be freed; a model that is gone says why.
func (m *Model) alive(f func() error) error {
	m.life.RLock()
	defer m.life.RUnlock()
	select {
	case <-m.done:
		return m.gone
	default:
		return f()
	}
}

// end returns the position of the last token that was drawn.
func (r *request) end() int { return len(r.prompt) + r.out.OutputTokens - 1 }

// score adds the logarithm of a token's probability to the answer's.
func (r *request) score(logProb float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.out.LogProb += logProb
	r.out.LeastLogProb = min(r.out.LeastLogProb, logProb)
}

// take draws the next token from the logits after the one before it and reports whether the answer goes on. Several
// requests may take theirs at once.
func (m *Model) take(r *request, logits []float32) bool {
	token, err := r.next(logits)
	likely := 0.0
	if err == nil {
		likely = logProb(logits, token)
	}
	r.score(likely)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil:
		r.err = err
		return false
	case m.model.TokenIsEog(int(token)):
		r.out.StopReason = llm.StopEnd
		return false
	}
	r.out.OutputTokens++
	r.token = token
	defer r.tell()
	switch {
	case r.text.add(m.model.Piece(token), r.p.Stop):
		r.out.StopReason = llm.StopText
		return false
	case r.out.OutputTokens == r.p.MaxTokens:
		r.out.StopReason = llm.StopLength
		return false
	}
	return true
}

// tell lets the one who waits know that the text has grown. It never waits for them.
func (r *request) tell() {
	select {
	case r.grown <- struct{}{}:
	default: // they have not looked since they were told last, or nobody wants to know
	}
}

// tokenize writes the prompt as tokens. Control tokens come from special parts only.
func (m *Model) tokenize(ctx context.Context, parts []llm.Part) ([]int32, error) {
	var tokens []int32
	if bos, ok := m.model.BOS(); ok && !m.template.BOS && m.model.AddBOSToken() {
		tokens = append(tokens, bos)
	}
	for _, part := range parts {
		for text := part.Text; text != ""; {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if len(tokens) > m.window { // enough to know; the rest may be very long
				return nil, fmt.Errorf("%w: more than %d tokens, the window has %d", llm.ErrContextFull,
					len(tokens)-1, m.window)
			}
			piece := cut(text)
			ids, err := m.model.Tokenize(piece, false, part.Special)
			if err != nil {
				return nil, fmt.Errorf("tokenize: %w", err)
			}
			for _, id := range ids {
				tokens = append(tokens, int32(id))
			}
			text = text[len(piece):]
		}
	}
	return tokens, nil
}

// cut returns the first piece of a text that is long for one go of the tokenizer, which cannot be interrupted. Pieces
// end before a line break or a space, where words end too.
func cut(text string) string {
	const long = 64 << 10
	if len(text) <= long {
		return text
	}
	if i := strings.LastIndexAny(text[:long], "\n "); i > 0 {
		return text[:i]
	}
	return strings.ToValidUTF8(text[:long], "")
}

// answer collects the text.
type answer struct{ text string }

// add appends a piece and reports whether the text now ends at one of the stop texts, which it then loses.
func (a *answer) add(piece string, stops []string) bool {
	before := len(a.text)
	a.text += piece
	end := -1
	for _, s := range stops {
		if s == "" {
			continue
		}
		from := max(0, before-len(s)+1) // it cannot end sooner
		if i := strings.Index(a.text[from:], s); i >= 0 && (end < 0 || from+i < end) {
			end = from + i
		}
	}
	if end >= 0 {
		a.text = a.text[:end]
	}
	return end >= 0
}

// String returns the text as valid UTF-8; a character that was cut off at the end is dropped.
func (a *answer) String() string {
	text := a.text
	for i := 1; i <= min(3, len(text)); i++ {
		if c := text[len(text)-i]; c >= 0xc0 {
			if want := [...]int{2, 2, 3, 4}[(c>>4)&3]; want > i {
				text = text[:len(text)-i]
			}
			break
		} else if c < 0x80 {
			break
		}
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
