package serve

import (
	"cmp"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"nl2sql/loop/desk"
)

// CheckOrigin says what is wrong with a name of pages that may ask: it is their scheme, host and port.
func CheckOrigin(origin string) error {
	if err := http.NewCrossOriginProtection().AddTrustedOrigin(origin); err != nil {
		return fmt.Errorf("%q names no page that may ask: write https://HOST or https://HOST:PORT", origin)
	}
	return nil
}

// guarded lets through what names this server, and what no foreign page has sent.
func (h *handler) guarded(next http.Handler) http.Handler {
	origins := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var why error
		if !h.AnyHost && !h.names(r.Host) {
			why = problem("host", "%q is none of this server's names: --host adds one", r.Host)
		} else if h.welcome(w, r) {
			if r.Method == http.MethodOptions {
				w.WriteHeader(http.StatusNoContent)
				return
			}
		} else if err := origins.Check(r); err != nil {
			why = problem("origin", "pages of other origins may not ask here: --allow-origin lets one")
		}
		if why != nil {
			refuse := func(*handler, http.ResponseWriter, *http.Request) error { return why }
			h.serving(route{path: "/", open: true, do: refuse}).ServeHTTP(w, r)
			return
		}
		for strings.Contains(r.URL.Path, "//") { // the mux would send the client to look there
			r.URL.Path = strings.ReplaceAll(r.URL.Path, "//", "/")
		}
		next.ServeHTTP(w, r)
	})
}

// welcome reports whether a page of another origin asks that may, and lets its browser know (CORS). Source: Fetch
// Standard, "HTTP-network-or-cache fetch" and "CORS protocol".
func (h *handler) welcome(w http.ResponseWriter, r *http.Request) bool {
	if len(h.Origins) == 0 {
		return false
	}
	header := w.Header()
	header.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if !slices.Contains(h.Origins, origin) {
		return false
	}
	header.Set("Access-Control-Allow-Origin", origin)
	header.Set("Access-Control-Expose-Headers", "Retry-After, Mcp-Session-Id")
	if r.Method == http.MethodOptions {
		header.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
		header.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
		header.Set("Access-Control-Max-Age", "600")
	}
	return true
}

// names reports whether a Host header names this server. A page that has its own name resolve to this machine (DNS
// rebinding) sends that name; it cannot send an address.
func (h *handler) names(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	return host == "localhost" || net.ParseIP(host) != nil || slices.Contains(h.Hosts, host)
}

// answered is a response, with what the log says of it.
type answered struct {
	http.ResponseWriter
	status int
	bytes  int
	notes  []any // keys and values
}

// Unwrap is for [http.ResponseController].
func (a *answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answered) WriteHeader(status int) {
	a.status = cmp.Or(a.status, status)
	a.ResponseWriter.WriteHeader(status)
}

func (a *answered) Write(p []byte) (int, error) {
	a.status = cmp.Or(a.status, http.StatusOK)
	n, err := a.ResponseWriter.Write(p)
	a.bytes += n
	return n, err
}

// note adds to what the log says of a request.
func note(w http.ResponseWriter, keysAndValues ...any) {
	if a, ok := w.(*answered); ok {
		a.notes = append(a.notes, keysAndValues...)
	}
}

// serving runs a route, sends what is wrong, and logs and counts the request.
func (h *handler) serving(at route) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		start := time.Now()
		w := &answered{ResponseWriter: rw}
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "no-store")
		var err error
		who, allowed := h.whose(r)
		if at.open || allowed {
			err = h.limited(at, who, w, r)
		} else {
			header.Set("WWW-Authenticate", "Bearer")
			err = problem("token", "bring the token: Authorization: Bearer TOKEN")
		}
		if err != nil {
			p := desk.ErrorOf(r.Context(), err)
			if w.status == 0 { // nothing was sent
				if p.Retry > 0 {
					header.Set("Retry-After", strconv.Itoa(p.Retry))
				}
				if err := write(w, statusOf(p), failedBody(p)); err != nil {
					note(w, "unsent", err.Error())
				}
			}
			if statusOf(p) == gone {
				w.status = gone
			}
			note(w, "error", p.Text)
		}
		client, _, _ := net.SplitHostPort(r.RemoteAddr)
		if who != "" {
			note(w, "token", who)
		}
		h.metrics.requests.WithLabelValues(at.path, strconv.Itoa(w.status)).Inc()
		took := time.Since(start).Round(time.Microsecond)
		h.Log.Info("request", append([]any{
			"method", r.Method, "path", r.URL.Path, "status", w.status, "bytes", w.bytes, "took",
			took, "client", client,
		}, w.notes...)...)
	})
}

// whose says which token a request brings: its number, from 1, where there are several; ok where it may come in.
func (h *handler) whose(r *http.Request) (who string, ok bool) {
	scheme, brought, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if brought = strings.TrimSpace(brought); !strings.EqualFold(scheme, "Bearer") { // source: RFC 9110, 11.1
		brought = ""
	}
	for i, token := range h.Tokens { // all, so that the time tells nothing
		if subtle.ConstantTimeCompare([]byte(brought), []byte(token)) == 1 {
			if ok = true; len(h.Tokens) > 1 {
				who = strconv.Itoa(i + 1)
			}
		}
	}
	return who, ok || len(h.Tokens) == 0
}

// clients counts what each client has at work.
type clients struct {
	mu   sync.Mutex
	most int // 0 is unbounded
	at   map[string]int
}

// enter lets a client begin one more; leave ends it. ok is false where it has most already. "" is never too many.
func (c *clients) enter(client string) (leave func(), ok bool) {
	if client == "" || c.most == 0 {
		return func() {}, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at[client] >= c.most {
		return nil, false
	}
	c.at[client]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.at[client]--; c.at[client] == 0 {
			delete(c.at, client)
		}
	}, true
}

// client is who counts as one: the bearer of a token where there are several, else an address, of IPv6 the network; ""
// on a socket of this user alone.
func client(who string, r *http.Request) string {
	if who != "" {
		return "token " + who
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is6() && !ip.Is4In6() {
		if network, err := ip.WithZone("").Prefix(64); err == nil {
			return network.String()
		}
	}
	return host
}

// limited runs a route that makes work, unless its client has enough at work.
func (h *handler) limited(at route, who string, w http.ResponseWriter, r *http.Request) error {
	if at.in == nil {
		return at.do(h, w, r)
	}
	leave, ok := h.clients.enter(client(who, r))
	if !ok {
		text := fmt.Sprintf("%d requests of yours are at work: wait until one is done", h.PerClient)
		return &desk.Error{Code: "client_limit", Text: text, Retry: h.Soon()}
	}
	defer leave()
	return at.do(h, w, r)
}
