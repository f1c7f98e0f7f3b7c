package serve

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
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
