//go:build cgo && llamacpp

package llamacpp

/*
#include "shim.h"
*/
import "C"

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"unsafe"

	"nl2sql/llm"
)

// The same prompt must give the same bits, whatever was cached before. Kernels treat rows of a batch differently by
// their number and place in it (groups of four, of sixteen; the last few apart), so a prompt is always cut alike:
// the last 1 to block tokens are one batch, and what is before comes in batches of a multiple of block that begin at
// a multiple of block. Only tokens of the latter stay cached; generated ones, evaluated one by one, never do.
const (
	exception = -100 // nl2sql_decode: llama.cpp threw

	block = 16
	chunk = 128 // most tokens of a batch; a cancellation waits for one matrix product at most (0.1 s with 8 billion weights)
)

// generate evaluates the prompt and draws tokens until the answer ends. The caller owns the context.
func (m *Model) generate(ctx context.Context, parts []llm.Part, p llm.Params) (out llm.Completion, err error) {
	defer m.watch(ctx)()
	forgetErrors()
	prompt, err := m.tokenize(ctx, parts)
	if err != nil {
		return out, err
	}
	out.PromptTokens = len(prompt)
	if window := m.Window(); len(prompt)+p.MaxTokens > window {
		return out, fmt.Errorf("%w: %d tokens and %d for the answer, the window has %d", llm.ErrContextFull, len(prompt), p.MaxTokens, window)
	}
	if out.CachedTokens, err = m.evaluate(ctx, prompt); err != nil {
		return out, err
	}
	next := m.sampler(p)
	var text answer
	for {
		token, err := next()
		if err != nil {
			return out, err
		}
		if m.model.TokenIsEog(int(token)) {
			out.StopReason = llm.StopEnd
			break
		}
		out.OutputTokens++
		if text.add(m.piece(token), p.Stop) {
			out.StopReason = llm.StopText
			break
		}
		if out.OutputTokens == p.MaxTokens {
			out.StopReason = llm.StopLength
			break
		}
		if err := m.decode(ctx, []int32{token}, len(prompt)+out.OutputTokens-1, true); err != nil {
			out.Text = text.String()
			return out, err
		}
	}
	out.Text = text.String()
	return out, nil
}

// watch makes the evaluation end when ctx does, until the function that it returns is called.
func (m *Model) watch(ctx context.Context) func() {
	flag := (*int32)(unsafe.Pointer(m.stop))
	atomic.StoreInt32(flag, 0)
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		atomic.StoreInt32(flag, 1)
		close(done)
	})
	return func() {
		if !stop() {
			<-done // or it would stop the next call
		}
	}
}

// tokenize writes the prompt as tokens. Control tokens come from special parts only.
func (m *Model) tokenize(ctx context.Context, parts []llm.Part) ([]int32, error) {
	var tokens []int32
	if bos := C.nl2sql_bos(m.v()); !m.template.BOS() && m.model.AddBOSToken() && bos >= 0 {
		tokens = append(tokens, int32(bos))
	}
	window := m.Window()
	for _, part := range parts {
		for text := part.Text; text != ""; {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if len(tokens) > window { // enough to know; the rest may be very long
				return nil, fmt.Errorf("%w: more than %d tokens, the window has %d", llm.ErrContextFull, len(tokens)-1, window)
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

// evaluate brings the context to the end of the prompt and returns how many of its tokens were cached.
func (m *Model) evaluate(ctx context.Context, prompt []int32) (cached int, err error) {
	last := (len(prompt) - 1) / block * block // first token of the last batch
	for cached < min(len(m.cached), last) && m.cached[cached] == prompt[cached] {
		cached++
	}
	cached = cached / block * block
	if !m.ctx.KvCacheSeqRm(0, cached, -1) {
		m.ctx.KvCacheClear() // a model that cannot go back to the middle
		cached = 0
	}
	m.cached = m.cached[:cached]
	for at := cached; at < last; at = len(m.cached) {
		batch := prompt[at:min(at+chunk, last)]
		if err := m.decode(ctx, batch, at, false); err != nil {
			return cached, err
		}
		m.cached = append(m.cached, batch...)
	}
	return cached, m.decode(ctx, prompt[last:], last, true)
}

// decode evaluates tokens from position at on.
func (m *Model) decode(ctx context.Context, tokens []int32, at int, logits bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.tune()
	code := C.nl2sql_decode(m.c(), (*C.int32_t)(unsafe.SliceData(tokens)), C.int32_t(len(tokens)), C.int32_t(at), C.bool(logits))
	if err := ctx.Err(); err != nil && code != 0 {
		return err
	}
	if code == 0 {
		return nil
	}
	err := fmt.Errorf("llama.cpp cannot evaluate tokens %d to %d: code %d%s", at, at+len(tokens)-1, code, because())
	if code == exception {
		m.gone = err // what state the context is in, nobody knows
	}
	return err
}

// piece returns the text of a token, which may be a part of a UTF-8 character.
func (m *Model) piece(token int32) string {
	buf := make([]byte, 64)
	n := C.nl2sql_piece(m.v(), C.int32_t(token), (*C.char)(unsafe.Pointer(&buf[0])), C.int32_t(len(buf)))
	if n < 0 {
		buf = make([]byte, -n)
		n = C.nl2sql_piece(m.v(), C.int32_t(token), (*C.char)(unsafe.Pointer(&buf[0])), C.int32_t(len(buf)))
	}
	return string(buf[:max(n, 0)])
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
