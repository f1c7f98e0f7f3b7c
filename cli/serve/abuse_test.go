package serve

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Two hundred who ask at once: as many as fit are answered, each with the bytes that one has alone, and the rest are
// told when to come again.
func TestFlood(t *testing.T) {
	const all, room = 200, 20
	replies := make([]string, room+1)
	for i := range replies {
		replies[i] = counted
	}
	model := newSlow(replies...)
	s := serverOf(t, model)
	s.Together, s.Waiting = 4, room-4
	model.let <- struct{}{}
	want := alone(t, s, asked)
	<-model.asked
	url := start(t, s).URL + "/api/ask"
	var answered, full atomic.Int32
	var group sync.WaitGroup
	for range all {
		group.Go(func() {
			resp, got := call(t, "POST", url, askBody(asked))
			switch {
			case resp.StatusCode == 200 && got == want:
				answered.Add(1)
			case resp.StatusCode == 429 && resp.Header.Get("Retry-After") != "":
				if full.Add(1) == all-room { // all are there
					for range room {
						model.let <- struct{}{}
					}
				}
			default:
				t.Errorf("%s: %s", resp.Status, got)
			}
		})
	}
	group.Wait()
	if answered.Load() != room || full.Load() != all-room {
		t.Errorf("%d were answered and %d sent away", answered.Load(), full.Load())
	}
}

// counting is a body of so many bytes, which counts those that were taken.
type counting struct {
	left  int64
	taken atomic.Int64
}

func (c *counting) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	n := min(c.left, int64(len(p)))
	copy(p, strings.Repeat("x", int(n)))
	if c.taken.Load() == 0 {
		copy(p, `{"question":"`)
	}
	c.left -= n
	c.taken.Add(n)
	return int(n), nil
}

// Of a body of 100 MB little more is read than what one may have, whether its length is said or not.
func TestHugeBody(t *testing.T) {
	const huge = 100 << 20
	url := start(t, serverOf(t, replay())).URL
	for _, path := range []string{"/api/ask", "/api/check", "/api/query", "/v1/chat/completions"} {
		for _, length := range []int64{huge, -1} {
			body := &counting{left: huge}
			req, err := http.NewRequestWithContext(t.Context(), "POST", url+path, io.NopCloser(body))
			if err != nil {
				t.Fatal(err)
			}
			req.ContentLength = length
			resp, err := http.DefaultClient.Do(req)
			var cut *net.OpError
			switch {
			case err == nil:
				if resp.Body.Close(); resp.StatusCode != http.StatusRequestEntityTooLarge {
					t.Errorf("%s: %s", path, resp.Status)
				}
			case !errors.As(err, &cut): // it wrote on while the server had hung up
				t.Errorf("%s: %v", path, err)
			}
			if taken := body.taken.Load(); taken > huge/4 { // it may be read still
				t.Errorf("%s took %d bytes", path, taken)
			}
		}
	}
	if resp, got := call(t, "GET", url+"/healthz", ""); resp.StatusCode != 200 {
		t.Errorf("%s: %s", resp.Status, got)
	}
}

// Many who never end their header keep nobody else waiting, and are cut off.
func TestSlowClients(t *testing.T) {
	if testing.Short() {
		t.Skip("waits until slow clients are cut off, which -short leaves out")
	}
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- serverOf(t, replay(counted)).Serve(ctx, l) }()
	address := l.Addr().String()
	slow := make([]net.Conn, 300)
	for i := range slow {
		if slow[i], err = net.Dial("tcp", address); err != nil {
			t.Fatal(err)
		}
		defer slow[i].Close()
		if _, err := io.WriteString(slow[i], "POST /api/ask HTTP/1.1\r\nHost: localhost\r\nX-Slow: "); err != nil {
			t.Fatal(err)
		}
	}
	if resp, got := call(t, "POST", "http://"+address+"/api/ask", askBody(asked)); resp.StatusCode != 200 {
		t.Errorf("%s: %s", resp.Status, got)
	}
	for i, conn := range slow {
		text, err := io.ReadAll(conn) // until it is cut off
		if err != nil && !errors.Is(err, net.ErrClosed) || strings.Contains(string(text), " 200 ") {
			t.Errorf("slow client %d: %v %s", i, err, text)
		}
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
