package evaluation

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
)

// A caller who gives up takes nobody along: neither who asks later nor who waits for the same.
func TestDatabasesAfterACallerGaveUp(t *testing.T) {
	var asked atomic.Int32
	began := make(chan struct{})
	dbs := &Databases{Open: func(ctx context.Context, name string) (runner.DB, error) {
		if asked.Add(1) == 1 {
			close(began)
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return embedded.OpenDump(ctx, "pets", strings.NewReader(petsScript), runner.Limits{})
	}}
	ctx, giveUp := context.WithCancel(t.Context())
	first := make(chan error)
	go func() {
		_, err := dbs.Executor(ctx, "")
		first <- err
	}()
	<-began
	second := make(chan error)
	go func() {
		_, err := dbs.Executor(t.Context(), "")
		second <- err
	}()
	giveUp()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("who gave up gets %v", err)
	}
	if err := <-second; err != nil {
		t.Errorf("who waited gets %v", err)
	}
	if _, err := dbs.Executor(t.Context(), ""); err != nil {
		t.Errorf("who asks later gets %v", err)
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("opened %d times", n)
	}
	if err := dbs.Close(); err != nil {
		t.Error(err)
	}
}

func TestScorerAfterACallerGaveUp(t *testing.T) {
	dbs := &Databases{Open: func(ctx context.Context, _ string) (runner.DB, error) {
		return embedded.OpenDump(ctx, "pets", strings.NewReader(petsScript), runner.Limits{})
	}}
	defer dbs.Close()
	s := &Scorer{Databases: dbs, Profiles: Profiles}
	it := Item{ID: "1", SQL: "SELECT 1"}
	gone, giveUp := context.WithCancel(t.Context())
	giveUp()
	if _, err := s.Score(gone, it, "SELECT 1"); !errors.Is(err, context.Canceled) {
		t.Errorf("who gave up gets %v", err)
	}
	if got, err := s.Score(t.Context(), it, "SELECT 1"); err != nil || !got.Scores["strict"].EX {
		t.Errorf("who asks later gets %v, %v", got.Scores, err)
	}
}

// Who waits for another's answer can give up.
func TestMemoWaitEndsWithItsContext(t *testing.T) {
	var m memo[int]
	began, answer := make(chan struct{}), make(chan int)
	first := make(chan int)
	go func() {
		n, err := m.get(t.Context(), "", func(context.Context) (int, error) { close(began); return <-answer, nil })
		if err != nil {
			t.Error(err)
		}
		first <- n
	}()
	<-began
	ctx, giveUp := context.WithCancel(t.Context())
	giveUp()
	if _, err := m.get(ctx, "", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	answer <- 7
	if n := <-first; n != 7 {
		t.Errorf("got %d", n)
	}
}
