package llm

import (
	"context"
	"fmt"
	"strings"
	"sync"
)

// Replay answers from a fixed list, in order. It is the model of golden tests,
// of --model replay:FILE and of demos without weights. It is safe for concurrent use.
type Replay struct {
	mu      sync.Mutex
	replies []string
	used    int
}

// NewReplay reads replies separated by lines that hold only "===".
func NewReplay(text string) *Replay {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if text == "" {
		return &Replay{}
	}
	return &Replay{replies: strings.Split(text, "\n===\n")}
}

// Skip passes over n replies: a run that goes on has used them.
func (r *Replay) Skip(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used = min(r.used+n, len(r.replies))
}

// Generate returns the next reply. It fails when the script has run out.
func (r *Replay) Generate(ctx context.Context, msgs []Message, p Params) (Completion, error) {
	if err := ctx.Err(); err != nil {
		return Completion{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.used == len(r.replies) {
		return Completion{}, fmt.Errorf("replay: all %d replies are used up: add one to the file", len(r.replies))
	}
	text := r.replies[r.used]
	r.used++
	if p.Told != nil {
		p.Told(text)
	}
	return Completion{Text: text, StopReason: StopEnd}, nil
}
