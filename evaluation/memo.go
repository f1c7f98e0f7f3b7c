package evaluation

import (
	"context"
	"sync"
)

// memo computes a value for each key once, whoever asks first. The zero value is ready, and safe for concurrent use.
// Errors are not kept, and one that came from another caller's context is nobody else's: they compute anew.
type memo[V any] struct {
	mu    sync.Mutex
	known map[string]*computation[V]
}

// computation is of one value. All but done is written before done is closed, and only read after.
type computation[V any] struct {
	done      chan struct{}
	value     V
	err       error
	abandoned bool // the context of the caller who computes it has ended
}

func (m *memo[V]) get(ctx context.Context, key string, compute func(context.Context) (V, error)) (V, error) {
	for {
		m.mu.Lock()
		c, there := m.known[key]
		if !there {
			c = &computation[V]{done: make(chan struct{}), abandoned: true}
			if m.known == nil {
				m.known = map[string]*computation[V]{}
			}
			m.known[key] = c
		}
		m.mu.Unlock()
		if !there {
			defer m.settle(key, c)
			c.value, c.err = compute(ctx)
			c.abandoned = c.err != nil && ctx.Err() != nil
			return c.value, c.err
		}
		select {
		case <-c.done:
			if !c.abandoned {
				return c.value, c.err
			}
		case <-ctx.Done():
			var none V
			return none, context.Cause(ctx)
		}
	}
}

// settle tells those who wait, also if the computation panicked, and forgets what has no value.
func (m *memo[V]) settle(key string, c *computation[V]) {
	if c.err != nil || c.abandoned {
		m.mu.Lock()
		if m.known[key] == c {
			delete(m.known, key)
		}
		m.mu.Unlock()
	}
	close(c.done)
}

// forget calls f with every value that is there, and keeps none.
func (m *memo[V]) forget(f func(V)) {
	m.mu.Lock()
	known := m.known
	m.known = nil
	m.mu.Unlock()
	for _, c := range known {
		if <-c.done; c.err == nil && !c.abandoned {
			f(c.value)
		}
	}
}
