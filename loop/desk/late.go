package desk

import (
	"context"
	"sync"
)

// late is an asker that is made with the first question: many clients start a server that they never ask. A load that
// failed is begun again by the next question.
type late struct {
	mu    sync.Mutex
	now   *loading // nil before the first, and after one that failed
	ended bool     // none begins any more
}

// loading is a load that has begun.
type loading struct {
	done  chan struct{} // closed when the others are set
	asker Asker
	err   error
}

// begin is the load at work, or the one that ended well; else it begins one.
func (l *late) begin(load func() (Asker, error)) (*loading, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return nil, ErrStopping
	}
	if l.now != nil {
		return l.now, nil
	}
	now := &loading{done: make(chan struct{})}
	l.now = now
	go func() {
		now.asker, now.err = load()
		l.mu.Lock()
		defer l.mu.Unlock()
		if now.err != nil {
			l.now = nil
		}
		close(now.done)
	}()
	return now, nil
}

// end waits for the end of a load that has begun, and lets none begin.
func (l *late) end() {
	l.mu.Lock()
	now := l.now
	l.ended = true
	l.mu.Unlock()
	if now != nil {
		<-now.done
	}
}

// asker is what answers: the one that is there, or the one that is made now, of whose wait it tells.
func (d *Desk) asker(ctx context.Context, told func(Step)) (Asker, error) {
	switch {
	case d.Asker != nil:
		return d.Asker, nil
	case d.Load == nil:
		return nil, &Error{Code: "no_model", Text: "there is no model here: questions get no answer"}
	}
	now, err := d.late.begin(d.Load)
	if err != nil {
		return nil, err
	}
	select {
	case <-now.done:
		return now.asker, now.err
	default:
		told(Step{Wait: "loading the model"})
	}
	select {
	case <-now.done:
		return now.asker, now.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
