package llm

import (
	"context"
	"iter"
	"sync"
)

// Parallel is a model that works on several calls at once.
type Parallel interface {
	Generator
	Parallel() int // how many; others than the first wait
}

// Several answers one prompt once for each of params, in their order. A model that is [Parallel] works on as many
// answers at once as it can; any other begins one when the one before was taken. Who stops ranging ends what is still
// being written. An error is the last that comes.
func Several(ctx context.Context, g Generator, msgs []Message, params []Params) iter.Seq2[Completion, error] {
	type answer struct {
		Completion
		err error
	}
	return func(yield func(Completion, error) bool) {
		atOnce := 1
		if p, ok := g.(Parallel); ok {
			atOnce = max(1, p.Parallel())
		}
		var begun sync.WaitGroup
		defer begun.Wait()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		answers := make([]chan answer, len(params))
		begin := func(i int) {
			answers[i] = make(chan answer, 1)
			begun.Go(func() {
				c, err := g.Generate(ctx, msgs, params[i])
				answers[i] <- answer{c, err}
			})
		}
		for i := range min(atOnce, len(params)) {
			begin(i)
		}
		for i := range params {
			if a := <-answers[i]; !yield(a.Completion, a.err) || a.err != nil {
				return
			}
			if i+atOnce < len(params) {
				begin(i + atOnce)
			}
		}
	}
}
