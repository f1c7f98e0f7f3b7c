package score

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
)

func TestMemo(t *testing.T) {
	var gone []int
	m := newMemo(10, func(v int) int { return v }, func(v int) { gone = append(gone, v) })
	made := 0
	get := func(key string, v int, want int) {
		t.Helper()
		before := made
		got, err := m.get(t.Context(), key, func() (int, error) { made++; return v, nil })
		if err != nil || got != v || made-before != want {
			t.Errorf("%s: %d, %v; made %d times, want %d", key, got, err, made-before, want)
		}
	}
	get("a", 4, 1)
	get("b", 5, 1)
	get("a", 4, 0)
	get("c", 3, 1) // b goes, which was used longest ago
	get("a", 4, 0)
	get("b", 5, 1)   // c goes
	get("big", 9, 1) // a and b go
	get("huge", 99, 1)
	get("huge", 99, 0) // larger than all, and there until the next comes
	get("a", 4, 1)
	must.Same(t, gone, []int{5, 3, 4, 5, 9, 99})
	gone = nil
	m.clear()
	if diff := cmp.Diff([]int{4}, gone); diff != "" || m.total != 0 || len(m.kept) != 0 {
		t.Errorf("%s; %d left", diff, m.total)
	}
	get("a", 4, 1)
}

// What failed is made anew by the next who asks.
func TestMemoKeepsNoError(t *testing.T) {
	m := newMemo(10, func(int) int { return 1 }, nil)
	fails := errors.New("no")
	if _, err := m.get(t.Context(), "a", func() (int, error) { return 0, fails }); err != fails {
		t.Error(err)
	}
	if v, err := m.get(t.Context(), "a", func() (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Error(v, err)
	}
}

// Several who ask at once get what one makes; where the maker's context ended, one who waited makes it. Who waits can
// leave.
func TestMemoWaits(t *testing.T) {
	m := newMemo(10, func(int) int { return 1 }, nil)
	begun, first := make(chan struct{}), make(chan error)
	gone, leave := context.WithCancel(t.Context())
	go func() {
		_, err := m.get(gone, "a", func() (int, error) {
			close(begun)
			<-gone.Done()
			return 0, gone.Err()
		})
		first <- err
	}()
	<-begun
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.get(ended, "a", func() (int, error) { return 1, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("who has left waits: %v", err)
	}
	type answer struct {
		v   int
		err error
	}
	answers := make(chan answer)
	for range 3 {
		go func() {
			v, err := m.get(t.Context(), "a", func() (int, error) { return 7, nil })
			answers <- answer{v, err}
		}()
	}
	leave()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for range 3 {
		if a := <-answers; a.v != 7 || a.err != nil {
			t.Errorf("who waited gets %d, %v", a.v, a.err)
		}
	}
}

// Who waits for another's answer can give up.
func TestMemoWaitEndsWithItsContext(t *testing.T) {
	m := newMemo(1, func(int) int { return 1 }, nil)
	began, answer := make(chan struct{}), make(chan int)
	first := make(chan int)
	go func() {
		n, err := m.get(t.Context(), "", func() (int, error) { close(began); return <-answer, nil })
		must.Succeed(t, err)
		first <- n
	}()
	<-began
	ctx, giveUp := context.WithCancel(t.Context())
	giveUp()
	if _, err := m.get(ctx, "", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	answer <- 7
	must.Equal(t, <-first, 7)
}
