package desk

import (
	"context"
	"sync"

	"golang.org/x/sync/singleflight"
)

// late is an asker that is made with the first question: many clients start a server that they never ask. A load that
// failed is begun again by the next question.
type late struct {
	mu    sync.Mutex
	made  Asker // nil before
	ended bool  // none begins any more
	one   singleflight.Group
	work  sync.WaitGroup
}

// load makes the asker, unless it is made, or the end has come.
func (l *late) load(load func() (Asker, error)) (Asker, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || l.made != nil {
		return l.made, nil
	}
	l.work.Add(1)
	l.mu.Unlock()
	made, err := load()
	l.work.Done()
	l.mu.Lock()
	if err == nil {
		l.made = made
	}
	return made, err
}

// end waits for the end of a load that has begun, and lets none begin.
func (l *late) end() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	l.work.Wait()
}

// asker is what answers: the one that is there, or the one that is made now, of whose wait it tells.
func (d *Desk) asker(ctx context.Context, told func(Step)) (Asker, error) {
	switch {
	case d.Asker != nil:
		return d.Asker, nil
	case d.Load == nil:
		return nil, &Error{Code: "no_model", Text: "there is no model here: questions get no answer"}
	}
	d.late.mu.Lock()
	made, ended := d.late.made, d.late.ended
	d.late.mu.Unlock()
	switch {
	case ended:
		return nil, ErrStopping
	case made != nil:
		return made, nil
	}
	loaded := d.late.one.DoChan("", func() (any, error) { return d.late.load(d.Load) })
	told(Step{Wait: "loading the model"})
	select {
	case r := <-loaded:
		made, is := r.Val.(Asker)
		if !is && r.Err == nil {
			return nil, ErrStopping
		}
		return made, r.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
