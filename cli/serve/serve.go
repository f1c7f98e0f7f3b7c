// Package serve answers over HTTP: questions, checks and queries, in JSON or as a stream of what happens, and chats as
// OpenAI's clients send them.
//
// It is a door: what an answer is, loop/answer knows, and what may run, sqlcheck. It opens no model and no database,
// and knows no flag. Its routes are one table (routes.go), of which the description at /api/openapi.json is made. The
// page's files lie in assets. Begin with Server.
package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"nl2sql/cli/mcp"
	"nl2sql/loop/answer"
	"nl2sql/runner"
	"nl2sql/sqlcheck/batch"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// Database is one that is asked by its name.
type Database struct {
	Name string
	answer.Database
	Backend runner.Backend
}

// Server is what is served, and to whom. Its fields are set before Handler or Serve is called.
type Server struct {
	Asker     *answer.Asker
	Databases []Database   // the first is asked where a request names none
	Shots     answer.Shots // that questions are shown with
	Model     string       // what answers, for who reads of it
	Version   string       // of the program

	Together int           // questions at once; 0 means 1
	Waiting  int           // questions that may wait; more are sent away
	Longest  time.Duration // of one answer, its wait excluded; 0 is unbounded

	PerClient int      // requests of one client at work, what waits included; 0 is unbounded
	Tokens    []string // one of which requests must bring, but for the page; nil means that none need one
	Origins   []string // pages elsewhere that may ask, as browsers write them: https://HOST[:PORT]
	Hosts     []string // names beside localhost that requests may name this server by
	AnyHost   bool     // the listener cannot be reached by a name
	Cert, Key string   // files of TLS; "" is plain HTTP

	Log       *slog.Logger // of requests; nil is none
	LogsTexts bool         // the questions too
	History   *History     // of questions; nil is none

	Keep func(p tools.Pair, right bool) error // keeps verdicts, one at a time; nil keeps none
}

// handler is a Server at work.
type handler struct {
	Server
	questions, queries *queue
	clients            clients
	batch              batch.Batch
	metrics            *metrics
	web                *mcp.Web
	http               http.Handler
}

// queriesTogether and queriesWaiting bound the queries that people write.
const queriesTogether, queriesWaiting = 4, 64

func (s Server) handler() *handler {
	h := &handler{Server: s, questions: newQueue(s.Together, s.Waiting)}
	h.queries = newQueue(queriesTogether, queriesWaiting)
	h.clients = clients{most: s.PerClient, at: map[string]int{}}
	if h.Log == nil {
		h.Log = slog.New(slog.DiscardHandler)
	}
	h.batch = batch.Batch{Strict: true, Schemas: func(name string) (*schema.Schema, error) {
		d, err := h.database(name)
		return d.Schema, err
	}}
	h.metrics = newMetrics(h)
	h.web = h.forAgents().Web()
	mux := http.NewServeMux()
	for _, r := range routes {
		mux.Handle(r.pattern(), h.serving(r))
	}
	for pattern, path := range map[string]string{"GET /{$}": "/", "GET /page/{file}": "/page"} {
		mux.Handle(pattern, h.serving(route{method: "GET", path: path, open: true, do: (*handler).page}))
	}
	mux.Handle("/", h.serving(route{method: "-", path: "/", open: true, do: (*handler).nowhere}))
	h.http = h.guarded(mux)
	return h
}

// Handler serves all routes.
func (s Server) Handler() http.Handler { return s.handler().http }

// database finds one by its name, the first by "".
func (s *Server) database(name string) (Database, error) {
	for _, d := range s.Databases {
		if name == "" || name == d.Name {
			return d, nil
		}
	}
	text := fmt.Sprintf("there is no database %q: /api/databases lists them", name)
	return Database{}, problem{http.StatusNotFound, "unknown_database", text, 0}
}

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
		ErrorLog: slog.NewLogLogger(h.Log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() {
		if s.Cert != "" {
			failed <- server.ServeTLS(l, s.Cert, s.Key)
		} else {
			failed <- server.Serve(l)
		}
	}()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	h.questions.close()
	h.queries.close()
	h.web.Close()
	if err := server.Shutdown(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// problem is why a request gets no answer.
type problem struct {
	status int
	code   string // for programs
	text   string // for people, one line
	retry  int    // seconds after which it may be sent again; 0 is never
}

func (p problem) Error() string { return p.text }

// gone is the status of a request whose client did not wait, in logs and metrics alone: nobody reads it.
const gone = 499

// problemOf finds out what to say of an error.
func problemOf(ctx context.Context, err error) problem {
	var p problem
	switch {
	case errors.As(err, &p):
	case errors.Is(err, errStopping):
		p = problem{http.StatusServiceUnavailable, "stopping", err.Error(), 1}
	case ctx.Err() != nil:
		p = problem{status: gone, code: "gone", text: "the client went away"}
	default:
		p = problem{status: http.StatusInternalServerError, code: "failed", text: err.Error()}
	}
	p.status = cmp.Or(p.status, http.StatusBadRequest)
	return p
}
