package cli

import (
	"context"
	"errors"
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
		watcher, err := c.watcher(open, c.Agent, c.Model)
		if err != nil {
			return err
		}
		late := &late{load: func() (*answer.Asker, error) { // it ends with ctx, not with the call that began it
			asker, err := c.asker(ctx, con, open, *src, method)
			if err == nil {
				asker.Watcher = watcher
			}
			return asker, err
		}}
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

// late is an asker whose model is loaded with the first question: many clients start a server that they never ask. A
// load that failed is begun again by the next question.
type late struct {
	load  func() (*answer.Asker, error)
	mu    sync.Mutex
	now   *loading // nil before the first, and after one that failed
	ended bool     // none begins any more
}

// loading is a load that has begun.
type loading struct {
	done  chan struct{} // closed when the others are set
	asked *answer.Asker
	err   error
}

// begin is the load at work, or the one that ended well; else it begins one.
func (l *late) begin() (*loading, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return nil, errors.New("the server is stopping")
	}
	if l.now != nil {
		return l.now, nil
	}
	now := &loading{done: make(chan struct{})}
	l.now = now
	go func() {
		now.asked, now.err = l.load()
		l.mu.Lock()
		defer l.mu.Unlock()
		if now.err != nil {
			l.now = nil
		}
		close(now.done)
	}()
	return now, nil
}

// asker waits for it, and tells of the wait.
func (l *late) asker(ctx context.Context, told func(line string)) (*answer.Asker, error) {
	now, err := l.begin()
	if err != nil {
		return nil, err
	}
	select {
	case <-now.done:
		return now.asked, now.err
	default:
		told("loading the model")
	}
	select {
	case <-now.done:
		return now.asked, now.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// wait waits for the end of a load that has begun, and lets none begin.
func (l *late) wait() {
	l.mu.Lock()
	now := l.now
	l.ended = true
	l.mu.Unlock()
	if now != nil {
		<-now.done
	}
}
