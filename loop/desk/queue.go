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
	mu             sync.Mutex
	together, most int        // who may be inside, and who may wait
	inside         int        // who is
	line           []chan int // of who waits: each holds its newest place, 0 is its turn
	took           time.Duration
	ended          chan struct{} // closed when nobody comes in any more
}

func newQueue(together, most int) *queue {
	return &queue{together: max(1, together), most: most, ended: make(chan struct{})}
}

// enter waits for its turn; who is through calls leave, once. told gets each place in the line, the first is 1; who
// needs not wait has none. The error is errFull, ErrStopping or that of ctx.
func (q *queue) enter(ctx context.Context, told func(place int)) (leave func(), err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed():
		return nil, ErrStopping
	case q.inside < q.together:
		q.inside++
		return q.leave(), nil
	case len(q.line) >= q.most:
		return nil, errFull
	}
	w := make(chan int, 1)
	q.line = append(q.line, w)
	w <- len(q.line)
	q.mu.Unlock()
	defer q.mu.Lock()
	for {
		select {
		case place := <-w:
			if place == 0 {
				return q.leave(), nil
			}
			told(place)
		case <-ctx.Done():
			return nil, q.giveUp(w, ctx.Err())
		case <-q.ended:
			return nil, q.giveUp(w, ErrStopping)
		}
	}
}

// giveUp takes w out of the line, or passes its turn on, and returns why.
func (q *queue) giveUp(w chan int, why error) error {
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
		if q.took > 0 { // a moving mean
			took = (4*q.took + took) / 5
		}
		q.took = max(1, took)
		q.next()
	}
}

// next passes a turn on.
func (q *queue) next() {
	if len(q.line) == 0 {
		q.inside--
		return
	}
	tell(q.line[0], 0)
	q.line = q.line[1:]
	q.tellFrom(0)
}

// tellFrom tells those behind a place theirs.
func (q *queue) tellFrom(i int) {
	for ; i < len(q.line); i++ {
		tell(q.line[i], i+1)
	}
}

// tell puts a place where the one before may stand still. It is called with mu held: nobody else puts one there.
func tell(w chan int, place int) {
	select {
	case <-w:
	default:
	}
	w <- place
}

func (q *queue) closed() bool {
	select {
	case <-q.ended:
		return true
	default:
		return false
	}
}

// close sends away who waits and who comes; who is inside stays.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed() {
		close(q.ended)
	}
}

// soon is the time that the last ones took, in whole seconds: one more may find a place then.
func (q *queue) soon() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return int(max(1, min(600, math.Ceil(q.took.Seconds()))))
}
