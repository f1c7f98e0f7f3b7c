package score

import (
	"container/list"
	"context"
	"sync"
)

// memo keeps what was made for a key, up to a bound; what was used longest ago goes first. Who asks for what is being
// made waits for it. What could not be made is not kept, and where that was because the context of its maker ended,
// who waited makes it.
type memo[V any] struct {
	most int         // sum of the sizes that are kept; what alone is larger stays until the next one comes
	size func(V) int // at least 1
	gone func(V)     // is told what is no longer kept; may be nil

	mu     sync.Mutex
	kept   map[string]*list.Element
	order  *list.List // of memoEntry[V], the one used last first
	total  int        // of sizes
	making map[string]*memoMaking[V]
}

type memoEntry[V any] struct {
	key   string
	value V
}

type memoMaking[V any] struct {
	done  chan struct{} // closed when the rest is set
	value V
	err   error
	ended bool // the maker's context did
}

func newMemo[V any](most int, size func(V) int, gone func(V)) *memo[V] {
	return &memo[V]{most: most, size: size, gone: gone, kept: map[string]*list.Element{}, order: list.New(),
		making: map[string]*memoMaking[V]{}}
}

// get returns what is kept for a key, or what build makes under ctx.
func (m *memo[V]) get(ctx context.Context, key string, build func() (V, error)) (V, error) {
	for {
		m.mu.Lock()
		if e, ok := m.kept[key]; ok {
			m.order.MoveToFront(e)
			m.mu.Unlock()
			return e.Value.(memoEntry[V]).value, nil
		}
		w, busy := m.making[key]
		if !busy {
			w = &memoMaking[V]{done: make(chan struct{})}
			m.making[key] = w
			m.mu.Unlock()
			return m.build(ctx, key, w, build)
		}
		m.mu.Unlock()
		select {
		case <-w.done:
		case <-ctx.Done():
			var none V
			return none, context.Cause(ctx)
		}
		if !w.ended {
			return w.value, w.err
		}
	}
}

func (m *memo[V]) build(ctx context.Context, key string, w *memoMaking[V], build func() (V, error)) (V, error) {
	made := false
	defer func() { // also if build panics: nobody waits for ever
		w.ended = !made || w.err != nil && ctx.Err() != nil
		var gone []V
		m.mu.Lock()
		delete(m.making, key)
		if made && w.err == nil {
			gone = m.keep(key, w.value)
		}
		m.mu.Unlock()
		close(w.done)
		m.tell(gone)
	}()
	w.value, w.err = build()
	made = true
	return w.value, w.err
}

// keep returns what has to go for a value; m.mu is held.
func (m *memo[V]) keep(key string, v V) (gone []V) {
	m.kept[key] = m.order.PushFront(memoEntry[V]{key, v})
	m.total += m.size(v)
	for m.total > m.most && m.order.Len() > 1 {
		gone = append(gone, m.drop(m.order.Back()))
	}
	return gone
}

// drop takes one out; m.mu is held.
func (m *memo[V]) drop(e *list.Element) V {
	old := m.order.Remove(e).(memoEntry[V])
	delete(m.kept, old.key)
	m.total -= m.size(old.value)
	return old.value
}

// clear drops all, also what is being made.
func (m *memo[V]) clear() {
	m.mu.Lock()
	for len(m.making) > 0 {
		for _, w := range m.making {
			m.mu.Unlock()
			<-w.done
			m.mu.Lock()
			break
		}
	}
	var gone []V
	for m.order.Len() > 0 {
		gone = append(gone, m.drop(m.order.Back()))
	}
	m.mu.Unlock()
	m.tell(gone)
}

func (m *memo[V]) tell(gone []V) {
	if m.gone == nil {
		return
	}
	for _, v := range gone {
		m.gone(v)
	}
}
