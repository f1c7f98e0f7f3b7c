package desk

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"
)

// errFull says that too many wait already.
var errFull = errors.New("too many wait already")

// queue lets so many through at once, and keeps so many more waiting, in their order.
type queue struct {
	mu     sync.Mutex
	free   int // who may still come through
	most   int // who may wait
	line   []*waiting
	inside int
	took   time.Duration // of one that went through, as a moving mean; 0 before the first
	closed bool
	ended  chan struct{} // closed by close
}

// waiting is a place in the line.
type waiting struct {
	turn  chan struct{} // closed when it is its turn
	moved chan struct{} // holds something when the place has changed
}

func newQueue(together, most int) *queue {
	return &queue{free: max(1, together), most: most, ended: make(chan struct{})}
}

// enter waits for its turn; who is through calls leave, once. told gets each place in the line, the first is 1; who
// needs not wait has none. The error is errFull, ErrStopping or that of ctx.
func (q *queue) enter(ctx context.Context, told func(place int)) (leave func(), err error) {
	q.mu.Lock()
	switch {
	case q.closed:
		q.mu.Unlock()
		return nil, ErrStopping
	case q.free > 0:
		q.free--
		q.inside++
		q.mu.Unlock()
		return q.leave(), nil
	case len(q.line) >= q.most:
		q.mu.Unlock()
		return nil, errFull
	}
	w := &waiting{make(chan struct{}), make(chan struct{}, 1)}
	q.line = append(q.line, w)
	w.moved <- struct{}{}
	q.mu.Unlock()
	for {
		select {
		case <-w.turn:
			return q.leave(), nil
		case <-w.moved:
			if place := q.placeOf(w); place > 0 {
				told(place)
			}
		case <-ctx.Done():
			return nil, q.giveUp(w, ctx.Err())
		case <-q.ended:
			return nil, q.giveUp(w, ErrStopping)
		}
	}
}

// placeOf is 0 where it is w's turn.
func (q *queue) placeOf(w *waiting) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Index(q.line, w) + 1
}

// giveUp takes w out of the line, or passes its turn on, and returns why.
func (q *queue) giveUp(w *waiting, why error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.line, w); i >= 0 {
		q.line = slices.Delete(q.line, i, i+1)
		q.tellFrom(i)
	} else {
		q.next()
	}
	return why
}

// leave returns what lets the next one through.
func (q *queue) leave() func() {
	start := time.Now()
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		took := time.Since(start)
		if q.took > 0 {
			took = (4*q.took + took) / 5
		}
		q.took = max(1, took)
		q.next()
	}
}

// next passes a turn on.
func (q *queue) next() {
	if len(q.line) == 0 {
		q.free++
		q.inside--
		return
	}
	close(q.line[0].turn)
	q.line = q.line[1:]
	q.tellFrom(0)
}

// tellFrom lets those behind a place know that theirs has changed.
func (q *queue) tellFrom(i int) {
	for _, w := range q.line[i:] {
		select {
		case w.moved <- struct{}{}:
		default: // it has not looked since it was told last
		}
	}
}

// close sends away who waits and who comes; who is inside stays.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		close(q.ended)
	}
}

// counts are who is inside and who waits.
func (q *queue) counts() (inside, waits int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.inside, len(q.line)
}

// soon is the time that the last ones took, in whole seconds: one more may find a place then.
func (q *queue) soon() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return int(max(1, min(600, math.Ceil(q.took.Seconds()))))
}
