package mcp

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Web serves clients over HTTP ("streamable HTTP"). Those of the protocol before 2026-07-28 have sessions; of later
// ones each request stands alone. It checks no token, no origin and no body: who serves it has done so.
type Web struct {
	protocol   *sdk.Server
	inSessions http.Handler
	alone      http.Handler
	requests   sync.Map // contexts of requests at work, by the mark that they carry

	ending  context.Context // of what waits for news
	end     context.CancelFunc
	mu      sync.Mutex // of what follows
	calls   int        // at work
	closing bool
}

// Bounds of sessions: how many there are, and how long one may be idle. A client whose session is gone begins another.
const mostSessions, idleSession = 256, time.Hour

// withoutSessions is the version of the protocol from which on there are none.
const withoutSessions = "2026-07-28"

// mark is the header that says which request a call came with. A client's own is overwritten.
const mark = "X-Nl2sql-Request"

// Web makes the server one of HTTP.
func (s Server) Web() *Web {
	w := &Web{protocol: s.protocol()}
	w.ending, w.end = context.WithCancel(context.Background())
	w.protocol.AddReceivingMiddleware(w.ofRequest)
	serving := func(o sdk.StreamableHTTPOptions) http.Handler {
		o.Logger, o.DisableLocalhostProtection = s.Log, true // the owner looks at hosts, and knows its names
		return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return w.protocol }, &o)
	}
	w.inSessions = serving(sdk.StreamableHTTPOptions{SessionTimeout: idleSession})
	w.alone = serving(sdk.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	return w
}

// Close ends what waits for news that will not come any more, when the calls that are at work have ended.
func (w *Web) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closing = true; w.calls == 0 {
		w.end()
	}
}

// begin counts a request that will be answered; done is called when it is.
func (w *Web) begin() (done func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls++
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.calls--; w.calls == 0 && w.closing {
			w.end()
		}
	}
}

// Serve serves a request. Of several users each has sessions of its own; "" is the only one.
func (w *Web) Serve(user string, rw http.ResponseWriter, r *http.Request) error {
	handler := w.inSessions
	switch {
	case r.Header.Get("Mcp-Protocol-Version") >= withoutSessions:
		handler = w.alone
	case r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "" && w.sessions() >= mostSessions:
		return fmt.Errorf("%d sessions are open: end one", mostSessions)
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if r.Method == http.MethodGet || r.Header.Get("Mcp-Method") == "subscriptions/listen" {
		defer context.AfterFunc(w.ending, cancel)()
	} else {
		defer w.begin()()
	}
	id := rand.Text()
	r = r.WithContext(ctx)
	r.Header.Set(mark, id)
	w.requests.Store(id, ctx)
	defer w.requests.Delete(id)
	if user != "" {
		is := func(context.Context, string, *http.Request) (*auth.TokenInfo, error) {
			return &auth.TokenInfo{UserID: user}, nil
		}
		handler = auth.RequireBearerToken(is, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(handler)
	}
	handler.ServeHTTP(rw, r)
	return nil
}

// sessions counts them.
func (w *Web) sessions() (n int) {
	for range w.protocol.Sessions() {
		n++
	}
	return n
}

type userKey struct{}

// User is whose call it is that a context came with; "" where there is but one.
func User(ctx context.Context) string {
	user, _ := ctx.Value(userKey{}).(string)
	return user
}

// ofRequest has a call end with the request that it came with: nobody would hear of its end.
func (w *Web) ofRequest(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		extra := req.GetExtra()
		if extra == nil {
			return next(ctx, method, req)
		}
		if extra.TokenInfo != nil {
			ctx = context.WithValue(ctx, userKey{}, extra.TokenInfo.UserID)
		}
		request, at := w.requests.Load(extra.Header.Get(mark))
		if at && method == "tools/call" {
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(request.(context.Context), cancel)()
		}
		return next(ctx, method, req)
	}
}
