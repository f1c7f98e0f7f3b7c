package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// farm is some servers and what they are asked.
type farm struct {
	mu     sync.Mutex
	urls   []string
	models []string           // of each, as /models lists them; "" cuts the connection there
	serve  []http.HandlerFunc // answers a prompt
	bodies [][]string         // the prompts of each
	warned []string
	*fake
}

func newFarm(t *testing.T, n int) *farm {
	f := &farm{fake: &fake{now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}, bodies: make([][]string, n)}
	for i := range n {
		f.models, f.serve = append(f.models, "m"), append(f.serve, answers)
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			must.Succeed(t, err)
			f.mu.Lock()
			names, serve := f.models[i], f.serve[i]
			if r.Method == http.MethodPost {
				f.bodies[i] = append(f.bodies[i], string(body))
			}
			f.mu.Unlock()
			switch {
			case r.Method == http.MethodPost:
				serve(w, r)
			case names == "":
				cut(w, r)
			default:
				reply(w, 200, `{"data":[{"id":"`+strings.ReplaceAll(names, " ", `"},{"id":"`)+`"}]}`)
			}
		}))
		t.Cleanup(s.Close)
		f.urls = append(f.urls, s.URL+"/v1")
	}
	return f
}

func answers(w http.ResponseWriter, _ *http.Request) { reply(w, 200, answer) }

// cut takes a request and gives nothing back.
func cut(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	conn.Close()
}

func (f *farm) open(o Options) (*Model, error) {
	o.URLs, o.Warn = f.urls, func(line string) { f.warned = append(f.warned, f.named(line)) }
	return open(context.Background(), o, f.clock())
}

func (f *farm) mustOpen(t *testing.T, o Options) *Model {
	t.Helper()
	m := must.Get(f.open(o))(t)
	t.Cleanup(func() { m.Close() })
	return m
}

// named writes A, B, C for the servers' addresses.
func (f *farm) named(text string) string {
	for i, url := range f.urls {
		text = strings.ReplaceAll(text, url, string(rune('A'+i)))
	}
	return text
}

// set changes how a server behaves.
func (f *farm) set(i int, models string, serve http.HandlerFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.models[i], f.serve[i] = models, serve
}

// asked returns how many prompts came to each since it was last called.
func (f *farm) asked() (n []int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.bodies {
		n, f.bodies[i] = append(n, len(f.bodies[i])), nil
	}
	return n
}

func (f *farm) pass(d time.Duration) {
	f.fake.mu.Lock()
	defer f.fake.mu.Unlock()
	f.now = f.now.Add(d)
}

// wantAsked asks once and wants it to come to those servers.
func (f *farm) wantAsked(t *testing.T, m *Model, text string, want ...int) {
	t.Helper()
	if _, err := m.Generate(context.Background(), []llm.Message{{Role: "user", Content: text}},
		llm.Params{}); err != nil {
		t.Error(err)
	}
	must.Same(t, f.asked(), want)
}

// Calls without a common beginning go where the fewest are at work, all with the same request.
func TestSpread(t *testing.T) {
	f := newFarm(t, 3)
	arrived, leave := make(chan bool, 6), make(chan bool)
	for i := range f.serve {
		f.set(i, "m", func(w http.ResponseWriter, r *http.Request) { arrived <- true; <-leave; reply(w, 200, answer) })
	}
	m := f.mustOpen(t, Options{Parallel: 6})
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			must.Equal(t, must.Get(m.Generate(context.Background(), question, llm.Params{Seed: 3}))(t).OutputTokens, 9)
		})
	}
	for range 6 {
		<-arrived
	}
	close(leave)
	wg.Wait()
	for i := range f.bodies {
		if len(f.bodies[i]) != 2 || f.bodies[i][0] != f.bodies[0][0] || f.bodies[i][1] != f.bodies[0][0] {
			t.Errorf("server %d: %q", i, f.bodies[i])
		}
	}
	if urls, name := m.Server(); f.named(urls) != "A,B,C" || name != "m" {
		t.Errorf("%s has %s", urls, name)
	}
}

// A prompt goes to the server that knows most of its beginning, unless that has much more to do.
func TestBeginnings(t *testing.T) {
	f := newFarm(t, 2)
	m := f.mustOpen(t, Options{Parallel: 9})
	books, shops := strings.Repeat("books(id, title) ", 99), strings.Repeat("shops(id, name) ", 99)
	f.wantAsked(t, m, books+"How many?", 1, 0)
	f.wantAsked(t, m, shops+"How many?", 0, 1)
	f.wantAsked(t, m, books+"Which?", 1, 0)
	f.wantAsked(t, m, books+"Where?", 1, 0)
	f.wantAsked(t, m, books[:700]+shops, 1, 0) // one block
	f.wantAsked(t, m, shops+"Which?", 0, 1)
	f.wantAsked(t, m, "short", 0, 1) // it was asked less

	wait, freed := make(chan bool), make(chan bool)
	f.set(0, "m", func(w http.ResponseWriter, r *http.Request) { wait <- true; <-wait; reply(w, 200, answer) })
	go func() {
		f.wantAsked(t, m, books+"Who?", 1, 1)
		close(freed)
	}()
	<-wait
	// to who has nothing to do
	if _, err := m.Generate(context.Background(), []llm.Message{{Role: "user", Content: books[:1000]}},
		llm.Params{}); err != nil {
		t.Error(err)
	}
	wait <- true
	<-freed

	arrived, leave := make(chan string, 9), make(chan bool)
	for i, name := range []string{"A", "B"} {
		f.set(i, "m", func(w http.ResponseWriter, r *http.Request) { arrived <- name; <-leave; reply(w, 200, answer) })
	}
	var wg sync.WaitGroup
	var at []string
	for _, text := range []string{"short", "short", books, books, books, books, books, books} {
		wg.Go(func() {
			if _, err := m.Generate(context.Background(), []llm.Message{{Role: "user", Content: text}},
				llm.Params{}); err != nil {
				t.Error(err)
			}
		})
		at = append(at, <-arrived)
	}
	close(leave)
	wg.Wait()
	// both have something to do; B knows it after the sixth
	must.Same(t, at, []string{"B", "A", "A", "A", "A", "B", "B", "B"})
}

// What a server took and did not answer is asked elsewhere; it is left out, longer each time, and taken back.
func TestFailingServer(t *testing.T) {
	f := newFarm(t, 2)
	m := f.mustOpen(t, Options{})
	f.set(0, "", cut)
	f.wantAsked(t, m, "one", 1, 1)
	f.wantAsked(t, m, "two", 0, 1)
	want := []string{"A: unexpected EOF; it is left out and tried again later"}
	for i := range f.warned {
		// either, as the connection was new or not
		f.warned[i] = strings.ReplaceAll(f.warned[i], "A: EOF", "A: unexpected EOF")
	}
	must.Same(t, f.warned, want)
	f.pass(firstOut)
	f.wantAsked(t, m, "three", 0, 1) // it lists no models: no prompt goes there
	f.pass(firstOut)
	f.set(0, "m", answers)
	f.wantAsked(t, m, "four", 0, 1) // left out for twice the time
	f.pass(firstOut)
	f.wantAsked(t, m, "five", 1, 0)
	f.wantAsked(t, m, "six", 1, 0)
	f.set(0, "m", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "90")
		reply(w, 503, `{}`)
	})
	f.wantAsked(t, m, "seven", 1, 1)
	f.pass(89 * time.Second)
	f.set(0, "m", answers)
	f.wantAsked(t, m, "eight", 0, 1)
	f.pass(time.Second)
	f.wantAsked(t, m, "nine", 1, 0)
	must.Be(t, len(f.warned) == 1 && len(f.sleeps) <= 0, "warned", f.warned, "slept", f.sleeps)
}

// Calls that fail together are one failure.
func TestFailTogether(t *testing.T) {
	f := newFarm(t, 2)
	m := f.mustOpen(t, Options{})
	a, b := m.servers[0], m.servers[1]
	for range 4 {
		if s, fails := m.take(nil, []*server{b}); s != a || fails != 0 {
			t.Fatal(s, fails)
		}
	}
	for range 4 {
		m.done(context.Background(), a, 0, retry{elsewhere: true}, errors.New("down"))
	}
	if out := a.until.Sub(m.clock.now()); a.fails != 1 || out != firstOut || a.waiting != 0 {
		t.Errorf("%d failures, out for %v, %d waiting", a.fails, out, a.waiting)
	}
}

// What is wrong with the prompt is wrong everywhere.
func TestRefusedPrompt(t *testing.T) {
	f := newFarm(t, 2)
	m := f.mustOpen(t, Options{})
	f.set(0, "m", func(w http.ResponseWriter, _ *http.Request) { reply(w, 400, `{"error":{"message":"no"}}`) })
	_, err := m.Generate(context.Background(), question, llm.Params{})
	if err == nil || f.named(err.Error()) != "A: 400 Bad Request: no" ||
		cmp.Diff([]int{1, 0}, f.asked()) != "" || f.warned != nil {
		t.Errorf("%v, warned %q", err, f.warned)
	}
}

// A prompt that servers take and do not answer is sent to two of them, then to others after a wait if that may help.
func TestPoison(t *testing.T) {
	f := newFarm(t, 3)
	for i := range f.serve {
		f.set(i, "m", func(w http.ResponseWriter, r *http.Request) {
			f.late()
			<-r.Context().Done()
		})
	}
	m := f.mustOpen(t, Options{Timeout: 30 * time.Second})
	_, err := m.Generate(context.Background(), question, llm.Params{})
	const want = "3 servers, no answer: A: no answer within 30s; B: no answer within 30s"
	if err == nil || f.named(err.Error()) != want || cmp.Diff([]int{1, 1, 0}, f.asked()) != "" || f.warned != nil {
		t.Errorf("%v, warned %q", err, f.warned)
	}
	f = newFarm(t, 3)
	for i := range 2 {
		f.set(i, "m", func(w http.ResponseWriter, _ *http.Request) { reply(w, 500, `{"error":"crash"}`) })
	}
	m = f.mustOpen(t, Options{})
	f.wantAsked(t, m, "x", 1, 1, 1)
	if diff := cmp.Diff([]time.Duration{375 * time.Millisecond}, f.sleeps); diff != "" || len(f.warned) != 2 {
		t.Errorf("%s, warned %q", diff, f.warned)
	}
}

// A server that is not there costs nothing but its warning; where none is, one line says so.
func TestAbsentServers(t *testing.T) {
	f := newFarm(t, 4)
	gone := func(i int) {
		l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
		f.urls[i] = "http://" + l.Addr().String() + "/v1"
		l.Close()
	}
	for i := range 3 {
		gone(i)
	}
	m := f.mustOpen(t, Options{})
	f.wantAsked(t, m, "x", 0, 0, 0, 1)
	must.Be(t, len(f.warned) == 3 && strings.HasPrefix(f.warned[2], "C: dial tcp"), "warned", f.warned)
	f.set(3, "m", cut)
	_, err := m.Generate(context.Background(), question, llm.Params{})
	if err == nil || !strings.Contains(f.named(err.Error()), "4 servers, no answer: D: ") ||
		!strings.Contains(err.Error(), "; and 1 more (tried 6 times)") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
	gone(3)
	f.warned = nil
	_, err = f.open(Options{Model: "m"})
	if err == nil || strings.Count(err.Error(), "connection refused") != 3 ||
		strings.Contains(err.Error(), "\n") || f.warned != nil {
		t.Errorf("%v, warned %q", err, f.warned)
	}
}

func TestModelsOfServers(t *testing.T) {
	for _, tt := range []struct {
		name   string
		models []string
		want   string
	}{
		{"", []string{"m", "m"}, "m"},
		{"", []string{"m", "n"}, "B has no model m: it has n, and all servers must have the same"},
		{"", []string{"m", "n m"}, "m"},
		{"", []string{"m n", "m"}, "A has several models: add #NAME with one of m, n"},
		{"m", []string{"m n", "m"}, "m"},
		{"m", []string{"m n", "n"}, "B has no model m: it has n, and all servers must have the same"},
		{"", []string{"", "m"}, "m"},
	} {
		f := newFarm(t, len(tt.models))
		for i, models := range tt.models {
			f.set(i, models, answers)
		}
		m, err := f.open(Options{Model: tt.name})
		got := ""
		if err != nil {
			got = f.named(err.Error())
		} else {
			_, got = m.Server()
		}
		must.Equal(t, got, tt.want, tt.name, tt.models)
	}
	// a server that comes back with another model is asked no more
	f := newFarm(t, 2)
	m := f.mustOpen(t, Options{})
	f.set(0, "m", cut)
	f.wantAsked(t, m, "x", 1, 1)
	f.set(0, "n", answers)
	f.pass(time.Hour)
	f.wantAsked(t, m, "x", 0, 1)
	f.pass(time.Hour)
	f.set(0, "m", answers)
	f.wantAsked(t, m, "x", 0, 1)
	if len(f.warned) != 2 || f.warned[1] != "A has no model m: it has n, and all servers must have the same; it is "+
		"left out" {
		t.Errorf("warned %q", f.warned)
	}
	f.set(1, "n", cut)
	_, err := m.Generate(context.Background(), question, llm.Params{})
	must.Says(t, err, "it has n")
	_, err = m.Generate(context.Background(), question, llm.Params{})
	must.Be(t, err != nil && err.Error() == "2 servers, no answer: none has the model m any more", err)
}

// Who leaves ends the request, and the server is not thought worse of.
func TestCancelled(t *testing.T) {
	f := newFarm(t, 2)
	m := f.mustOpen(t, Options{})
	arrived, stuck := make(chan bool), make(chan bool)
	f.set(0, "m", func(w http.ResponseWriter, r *http.Request) {
		arrived <- true
		select {
		case <-r.Context().Done():
		case <-stuck:
		}
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := m.Generate(ctx, question, llm.Params{})
		done <- err
	}()
	<-arrived
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	close(stuck)
	f.set(0, "m", answers)
	if diff := cmp.Diff([]int{1, 0}, f.asked()); diff != "" || f.warned != nil {
		t.Errorf("%s, warned %q", diff, f.warned)
	}
	f.wantAsked(t, m, "x", 0, 1)
	f.wantAsked(t, m, "x", 1, 0) // it is in, and nothing waits there
	for i, s := range m.servers {
		if s.waiting != 0 || s.fails != 0 {
			t.Errorf("server %d: %+v", i, s)
		}
	}
}

// What a server is thought to know is bounded.
func TestForgets(t *testing.T) {
	s := &server{}
	var first []uint64
	for i := range 3 * recalled / 4 {
		begin := beginnings([]llm.Message{{Role: "user", Content: fmt.Sprintf("%08d%s", i,
			strings.Repeat("x", 2*block))}})
		if first == nil {
			first = begin
		}
		s.learn(begin)
		must.Have(t, s.depth(begin) == 2 && (i != 1 || s.depth(first) == 2), "prompt", i, "is not known")
	}
	must.Be(t, len(s.known) == recalled && len(s.order) == recalled && s.depth(first) == 0,
		len(s.known), "blocks are known", recalled)
}
