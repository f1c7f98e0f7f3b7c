// Package serve answers over HTTP: questions, checks and queries, in JSON or as a stream of what happens, and chats as
// OpenAI's clients send them.
//
// It is an interface: what all of them do, loop/desk knows. It opens no model and no database,
// and knows no flag. Its routes are one table (routes.go), of which a test makes the description at /api/openapi.json.
// The page's files lie in assets. Begin with Server.
package serve

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"time"

	"nl2sql/cli/mcp"
	"nl2sql/loop/desk"
)

// Server is what is served, and to whom. Its fields are set before Handler or Serve is called.
type Server struct {
	*desk.Desk
	Model   string // what answers, for who reads of it
	Version string // of the program

	PerClient int         // requests of one client at work, what waits included; 0 is unbounded
	Tokens    []string    // one of which requests must bring, but for the page; nil means that none need one
	Origins   []string    // pages elsewhere that may ask, as browsers write them: https://HOST[:PORT]
	Hosts     []string    // names beside localhost that requests may name this server by
	AnyHost   bool        // the listener cannot be reached by a name
	TLS       *tls.Config // with its certificate; nil is plain HTTP

	Log       *slog.Logger // of requests; nil is none
	LogsTexts bool         // the questions too
}

// handler is a Server at work.
type handler struct {
	Server
	clients clients
	metrics *metrics
	web     *mcp.Web
	http    http.Handler
}

func (s Server) handler() *handler {
	h := &handler{Server: s}
	h.clients = clients{most: s.PerClient, at: map[string]int{}}
	h.Log = cmp.Or(h.Log, slog.New(slog.DiscardHandler))
	h.metrics = newMetrics(h)
	h.Done = func(q desk.Question, a desk.Asked, took desk.Costs) {
		h.metrics.count(a.Outcome, took.Took, took.Answer)
		if q.Agent {
			h.Log.Info("question of an agent", h.said(q, a.Outcome, took.Answer.How)...)
		}
		if took.Err != nil {
			h.Log.Warn("history", "error", took.Err.Error())
		}
	}
	h.web = mcp.Server{Desk: h.Desk, Version: h.Version, Log: h.Log}.Web(len(h.Tokens))
	mux := http.NewServeMux()
	for _, r := range slices.Concat(routes, pages) {
		mux.Handle(r.pattern(), h.serving(r))
	}
	mux.Handle("/", h.serving(route{method: "-", path: "/", open: true, do: (*handler).nowhere}))
	h.http = h.guarded(mux)
	return h
}

// Handler serves all routes.
func (s Server) Handler() http.Handler { return s.handler().http }

// How long a client may take.
const (
	headerTime = 10 * time.Second
	bodyTime   = 30 * time.Second
	writeTime  = 30 * time.Second // of one answer, or one event of a stream
	idleTime   = 2 * time.Minute
	maxHeader  = 64 << 10 // bytes
)

// Serve serves until ctx ends. Then nobody is let in any more, who waits is sent away, and what is being answered is
// answered.
func (s Server) Serve(ctx context.Context, l net.Listener) error {
	h := s.handler()
	server := &http.Server{
		Handler: h.http, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(h.Log.Handler(), slog.LevelWarn), TLSConfig: s.TLS,
	}
	failed := make(chan error, 1)
	serve := server.Serve
	if s.TLS != nil {
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	go func() { failed <- serve(l) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	h.Desk.Close()
	h.web.Close()
	if err := server.Shutdown(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// gone is the status of a request whose client did not wait, or said that it sends no more.
const gone = 499

// statuses are those of errors that are not the client's to mend, or that say more than that they are.
var statuses = map[string]int{
	"token": 401, "origin": 403,
	"unknown_database": 404, "no_pairs": 404, "no_history": 404, "not_found": 404, "model_not_found": 404,
	"method": 405, "slow": 408, "too_large": 413, "host": 421, "too_long": 422, "queue_full": 429, "client_limit": 429,
	"gone": gone, "failed": 500, "no_model": 503, "stopping": 503, "sessions_full": 503, "late": 504,
}

// statusOf is 400 unless the table says more.
func statusOf(e *desk.Error) int { return cmp.Or(statuses[e.Code], http.StatusBadRequest) }

// problem is an error of the protocol.
func problem(code, format string, args ...any) error {
	return &desk.Error{Code: code, Text: fmt.Sprintf(format, args...)}
}
