package llm

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"nl2sql/scripts/must"
)

// wide answers with the seed, once as many calls are at work as it works on at once.
type wide struct {
	atOnce  int
	working chan struct{}
	begun   chan uint32
}

func (w *wide) Parallel() int { return w.atOnce }

func (w *wide) Generate(ctx context.Context, _ []Message, p Params) (Completion, error) {
	w.begun <- p.Seed
	select {
	case w.working <- struct{}{}:
		return Completion{Text: fmt.Sprint(p.Seed)}, nil
	case <-ctx.Done():
		return Completion{}, ctx.Err()
	}
}

func seeds(n int) []Params {
	p := make([]Params, n)
	for i := range p {
		p[i].Seed = uint32(i)
	}
	return p
}

func TestSeveral(t *testing.T) {
	var got []string
	for c, err := range Several(t.Context(), NewReplay("a\n===\nb\n===\nc"), nil, seeds(3)) {
		must.Do(t, err)
		got = append(got, c.Text)
	}
	must.Same(t, got, []string{"a", "b", "c"})

	r := NewReplay("a\n===\nb\n===\nc")
	for range Several(t.Context(), r, nil, seeds(3)) {
		break
	}
	must.Equal(t, must.Get(r.Generate(t.Context(), nil, Params{}))(t).Text, "b",
		"after one answer was taken", "want the second")

	var errs []error
	for _, err := range Several(t.Context(), NewReplay("a"), nil, seeds(3)) {
		errs = append(errs, err)
	}
	must.Be(t, len(errs) == 2 && errs[0] == nil && errs[1] != nil, "errors", errs, "want none and then one")
}

// A parallel model gets as many calls as it works on at once, and what nobody waits for is cancelled.
func TestSeveralAtOnce(t *testing.T) {
	w := &wide{3, make(chan struct{}), make(chan uint32, 5)}
	begun := map[uint32]bool{}
	next, taken := 0, 0
	go func() {
		for range 3 { // nobody goes on before three are at work
			begun[<-w.begun] = true
		}
		for {
			select {
			case <-w.working:
			case <-t.Context().Done():
				return
			}
		}
	}()
	for c, err := range Several(t.Context(), w, nil, seeds(5)) {
		must.Have(t, err == nil && c.Text == fmt.Sprint(next), "answer", next, c.Text, err)
		if next++; next == 5 {
			taken = next
		}
	}
	must.Be(t, taken == 5 && len(begun) == 3, taken, "answers taken", len(begun), "begun at once")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range Several(ctx, &wide{3, make(chan struct{}), make(chan uint32, 5)}, nil, seeds(5)) {
		must.Be(t, errors.Is(err, context.Canceled), "cancelled", err)
	}
}
