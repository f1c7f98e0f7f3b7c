package mcp

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
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
	used    map[string]use // sessions by their IDs
	share   int            // of the sessions that a user may have
}

// use is whose a session is, when it was last used, and how many requests of it are at work.
type use struct {
	user  string
	last  time.Time
	calls int
}

// Bounds of sessions: how many there are, of which each user has a share, and how long one may be idle. A client whose
// session is gone begins another.
const mostSessions, idleSession = 256, time.Hour

// withoutSessions is the version of the protocol from which on there are none.
const withoutSessions = "2026-07-28"

// mark is the header that says which request a call came with. A client's own is overwritten.
const mark = "X-Nl2sql-Request"

// Web makes the server one of HTTP, for so many users.
func (s Server) Web(users int) *Web {
	w := &Web{protocol: s.protocol(), used: map[string]use{}, share: max(1, mostSessions/max(1, users))}
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

// Serve serves a request, whose body was read, or was too long. Of several users each has sessions of its own; "" is
// the only one.
func (w *Web) Serve(user string, rw http.ResponseWriter, r *http.Request, body []byte, long bool) (err error) {
	if r.Method == http.MethodPost {
		p, version := &posted{ResponseWriter: rw}, cmp.Or(r.Header.Get("Mcp-Protocol-Version"), withBatches)
		if body = p.sort(bytes.TrimSpace(body), version); long {
			p.least = http.StatusRequestEntityTooLarge
			p.said = [][]byte{wrong(nil, jsonrpc.CodeInvalidRequest, longest)}
		}
		if body == nil {
			return p.refuse()
		}
		r.Body, r.ContentLength, rw = io.NopCloser(bytes.NewReader(body)), int64(len(body)), p
		defer func() { err = errors.Join(err, p.end()) }()
	}
	handler := w.inSessions
	switch {
	case r.Header.Get("Mcp-Protocol-Version") >= withoutSessions:
		handler = w.alone
	case r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "":
		if !w.room(user) {
			return fmt.Errorf("%d sessions are open, all at work: end one", w.share)
		}
		defer func() { w.uses(user, rw.Header().Get("Mcp-Session-Id"), 0) }()
	default:
		session := r.Header.Get("Mcp-Session-Id")
		w.uses(user, session, 1)
		defer w.uses(user, session, -1)
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

// uses notes that a user's session is used, with so many more requests at work.
func (w *Web) uses(user, session string, more int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	u, known := w.used[session]
	if known && u.user != user || !known && more != 0 || session == "" {
		return // not this user's, or one that is no more
	}
	w.used[session] = use{user, time.Now(), u.calls + more}
}

// room makes room for one more session of a user: where the share is full, the one ends that was idle for longest.
func (w *Web) room(user string) bool {
	w.mu.Lock()
	open, mine, idlest := map[string]bool{}, 0, (*sdk.ServerSession)(nil)
	for s := range w.protocol.Sessions() {
		u := w.used[s.ID()]
		open[s.ID()] = true
		if u.user != user {
			continue
		}
		mine++
		if u.calls == 0 && (idlest == nil || u.last.Before(w.used[idlest.ID()].last)) {
			idlest = s
		}
	}
	maps.DeleteFunc(w.used, func(id string, _ use) bool { return !open[id] })
	w.mu.Unlock()
	return mine < w.share || idlest != nil && idlest.Close() == nil
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
