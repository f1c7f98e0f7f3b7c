package score

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
)

const petsScript = `CREATE TABLE pets (id INT PRIMARY KEY, name VARCHAR(20), kind VARCHAR(20), age INT);
INSERT INTO pets VALUES (1,'Ada','cat',3),(2,'Bo','dog',5),(3,'Cy','cat',9),(4,'Di','hen',NULL);
`

// countedDB is a database that counts itself as open until it is closed.
type countedDB struct {
	runner.DB
	open *atomic.Int32
}

func (c countedDB) Close() error {
	c.open.Add(-1)
	return errors.Join(c.DB.Close(), errClosed)
}

var errClosed = errors.New("closed with an error")

// pets opens databases, and counts those that are open and those that ever were.
func pets(t *testing.T, most int) (dbs *Databases, open, opened *atomic.Int32) {
	t.Helper()
	open, opened = &atomic.Int32{}, &atomic.Int32{}
	dbs = &Databases{Most: most, Open: func(ctx context.Context, name string) (runner.DB, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		db, err := embedded.OpenDump(ctx, name, strings.NewReader(petsScript), runner.Limits{})
		if err != nil {
			return nil, err
		}
		open.Add(1)
		opened.Add(1)
		return countedDB{db, open}, nil
	}}
	return dbs, open, opened
}

// No more databases are open than may be, and none is lost to who holds it.
func TestDatabasesBound(t *testing.T) {
	dbs, open, opened := pets(t, 3)
	var all []*Executor
	for i := range 9 {
		x := must.Get(dbs.Executor(t.Context(), fmt.Sprint(i)))(t)
		if x.DB.Backend().Database != fmt.Sprint(i) {
			t.Errorf("database %d is %+v", i, x.DB.Backend())
		}
		all = append(all, x)
	}
	if open.Load() != 3 || opened.Load() != 9 {
		t.Errorf("%d are open of %d", open.Load(), opened.Load())
	}
	var wg sync.WaitGroup
	for i := range 90 {
		wg.Go(func() {
			o, err := all[i%9].Run(t.Context(), fmt.Sprintf("SELECT name FROM pets WHERE id <> %d", i))
			must.Be(t, err == nil && o.OK(), "query", i, o.Error, err)
		})
	}
	wg.Wait()
	if open.Load() != 3 || opened.Load() < 15 {
		t.Errorf("%d are open of %d", open.Load(), opened.Load())
	}
	if err := dbs.Close(); !errors.Is(err, errClosed) || open.Load() != 0 {
		t.Errorf("%d are open, %v", open.Load(), err)
	}
	must.Succeed(t, dbs.Close(), "closed twice")
}

// What is kept is measured by its cells and its text.
func TestScoredCells(t *testing.T) {
	dbs, _, _ := pets(t, 0)
	defer dbs.Close()
	s := &Scorer{Databases: dbs, Profiles: Profiles, Items: []item.Item{{ID: "1", SQL: "SELECT name FROM pets",
		Accept: []string{"SELECT id, name FROM pets"}}}}
	it := item.Item{ID: "1", SQL: "SELECT name FROM pets", Accept: s.Accepted("1", "SELECT name FROM pets")}
	got := must.Get(s.Score(t.Context(), it, "SELECT nothing FROM pets"))(t)
	texts := len("SELECT `name` FROM `pets`" + "SELECT `id`,`name` FROM `pets`")
	if n := got.cells(); n != 1+5+9+texts || s.scored.total != n {
		t.Errorf("%d cells, kept %d", n, s.scored.total)
	}
	if got := s.Accepted("2", "SELECT name FROM pets"); got != nil {
		t.Errorf("another item has %v", got)
	}
}

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
	must.Succeed(t, <-second, "who waited gets")
	if _, err := dbs.Executor(t.Context(), ""); err != nil {
		t.Errorf("who asks later gets %v", err)
	}
	must.Equal(t, asked.Load(), 2, "opened", "times")
	must.Succeed(t, dbs.Close())
}

func TestScorerAfterACallerGaveUp(t *testing.T) {
	dbs := &Databases{Open: func(ctx context.Context, _ string) (runner.DB, error) {
		return embedded.OpenDump(ctx, "pets", strings.NewReader(petsScript), runner.Limits{})
	}}
	defer dbs.Close()
	s := &Scorer{Databases: dbs, Profiles: Profiles}
	it := item.Item{ID: "1", SQL: "SELECT 1"}
	gone, giveUp := context.WithCancel(t.Context())
	giveUp()
	if _, err := s.Score(gone, it, "SELECT 1"); !errors.Is(err, context.Canceled) ||
		!strings.HasPrefix(err.Error(), "item 1: ") {
		t.Errorf("who gave up gets %v", err)
	}
	if got, err := s.Score(t.Context(), it, "SELECT 1"); err != nil || !got.Scores["strict"].EX {
		t.Errorf("who asks later gets %v, %v", got.Scores, err)
	}
}

// Close waits for a database that is being opened, and closes it too.
func TestDatabasesCloseWaits(t *testing.T) {
	began, goOn := make(chan struct{}), make(chan struct{})
	var open atomic.Int32
	dbs := &Databases{Open: func(ctx context.Context, name string) (runner.DB, error) {
		close(began)
		<-goOn
		db, err := embedded.OpenDump(ctx, name, strings.NewReader(petsScript), runner.Limits{})
		open.Add(1)
		return countedDB{db, &open}, err
	}}
	opened := make(chan error)
	go func() {
		_, err := dbs.Executor(t.Context(), "a")
		opened <- err
	}()
	<-began
	closed := make(chan error)
	go func() { closed <- dbs.Close() }()
	close(goOn)
	must.Succeed(t, <-opened)
	if err := <-closed; !errors.Is(err, errClosed) || open.Load() != 0 {
		t.Errorf("%d are open, %v", open.Load(), err)
	}
}
