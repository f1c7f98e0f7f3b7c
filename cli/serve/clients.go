package serve

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"

	"nl2sql/loop/desk"
)

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
