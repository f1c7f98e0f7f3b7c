package cli

import (
	"context"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"

	"github.com/alecthomas/kong"
	"golang.org/x/sync/semaphore"

	"nl2sql/cli/mcp"
	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
)

type mcpCmd struct{ DoorFlags }

// Help tells what the flags do not.
func (mcpCmd) Help() string {
	return "A client starts this command and talks with it over stdin and stdout; what it logs goes to stderr. " +
		"It has the tools query, check, schema, samples and pairs, and, where there is a model, ask: --model none leaves that out. " +
		"With --pairs FILE there is learn, too, which keeps there what a person says is right. " +
		"The model is loaded with the first question. " +
		"--db may be given several times, each with a name of its own: --db shop=embedded:shop --db hr=DSN."
}

// Validate makes wrong values usage errors.
func (c *mcpCmd) Validate(given *kong.Context) error { return c.DoorFlags.Validate(given) }

// queriesTogether bounds the queries of a client that are at work.
const queriesTogether = 4

// Run opens the databases, and serves until the client goes or a signal.
func (c *mcpCmd) Run(ctx context.Context, con *console, open *opened) error {
	src, method, err := c.asks(ctx, con, open)
	if err != nil {
		return err
	}
	all, shots, err := c.databases(ctx, con, open)
	if err != nil {
		return err
	}
	server := mcp.Server{Version: revision(), Log: slog.Default(), Query: querying(), Keep: c.keeper()}
	var names []string
	for _, d := range all {
		server.Databases = append(server.Databases,
			mcp.Database{Name: d.Name, Backend: d.Backend.Database, Database: d.Database})
		names = append(names, d.Name)
	}
	if src != nil {
		late := c.asking(ctx, con, open, *src, method)
		defer late.wait()
		turns := semaphore.NewWeighted(int64(c.Parallel))
		server.Ask = func(
			ctx context.Context, d mcp.Database, q answer.Question, told func(string),
		) (answer.Answer, error) {
			asker, err := late.asker(ctx, told)
			if err == nil {
				err = turns.Acquire(ctx, 1)
			}
			if err != nil {
				return answer.Answer{}, err
			}
			defer turns.Release(1)
			return asker.Within(ctx, c.Timeout, shots, d.Database, q, func(e loop.Event) {
				if line := e.Line(); line != "" {
					told(line)
				}
			})
		}
	}
	con.note("serving " + strings.Join(names, ", ") + " to the client at stdin and stdout")
	return server.Serve(ctx, io.NopCloser(con.in), os.Stdout)
}

// asks looks at the model; nil where there is none and nobody named one.
func (c *mcpCmd) asks(ctx context.Context, con *console, open *opened) (*source, answer.Method, error) {
	if c.Model == "none" {
		return nil, answer.Method{}, nil
	}
	named := c.Model != ""
	src, method, err := c.prepared(ctx, con, open)
	if err != nil && !named && ctx.Err() == nil {
		con.note("there is no tool ask: " + err.Error())
		return nil, method, nil
	}
	return &src, method, err
}

// querying runs a few queries at once.
func querying() mcp.Querier {
	turns := semaphore.NewWeighted(queriesTogether)
	return func(ctx context.Context, d mcp.Database, sql string) (runner.Result, sqlcheck.Verdict, error) {
		if err := turns.Acquire(ctx, 1); err != nil {
			return runner.Result{}, sqlcheck.Verdict{}, err
		}
		defer turns.Release(1)
		return d.Query(ctx, sql)
	}
}

// late is an asker whose model is loaded with the first question: many clients start a server that they never ask.
type late struct {
	load   func() (*answer.Asker, error)
	once   sync.Once
	loaded chan struct{} // closed when asked and err are set
	asked  *answer.Asker
	err    error
}

// asking will load the model of a source. The load ends with ctx, not with the call that began it.
func (c *mcpCmd) asking(
	ctx context.Context, con *console, open *opened, src source, method answer.Method,
) *late {
	return &late{loaded: make(chan struct{}), load: func() (*answer.Asker, error) {
		asker, err := c.asker(ctx, con, open, src, method)
		if err == nil {
			asker.Watcher, err = c.watcher(open, c.Agent, c.Model)
		}
		return asker, err
	}}
}

// asker waits for it, and tells of the wait.
func (l *late) asker(ctx context.Context, told func(line string)) (*answer.Asker, error) {
	l.once.Do(func() {
		go func() {
			l.asked, l.err = l.load()
			close(l.loaded)
		}()
	})
	select {
	case <-l.loaded:
		return l.asked, l.err
	default:
		told("loading the model")
	}
	select {
	case <-l.loaded:
		return l.asked, l.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// wait waits for the end of a load that has begun, and lets none begin.
func (l *late) wait() {
	l.once.Do(func() { close(l.loaded) })
	<-l.loaded
}
