package cli

import (
	"context"
	"io"
	"log/slog"
	"os"
	"strings"

	"nl2sql/cli/mcp"
	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
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

// clientWaits bounds the questions of a client that wait.
const clientWaits = 1 << 16

// Run opens the databases, and serves until the client goes or a signal.
func (c *mcpCmd) Run(ctx context.Context, con *console, open *opened) error {
	src, method, err := c.asks(ctx, con, open)
	if err != nil {
		return err
	}
	c.Parallel = max(1, c.Parallel)
	d, err := c.desk(ctx, con, open)
	if err != nil {
		return err
	}
	d.Waiting, d.Together = clientWaits, c.Parallel
	if src != nil {
		d.Load = func() (desk.Asker, error) { // it ends with ctx, not with the call that began it
			return c.asker(ctx, con, open, *src, method)
		}
	}
	defer d.Close()
	con.note("serving " + strings.Join(d.Names(), ", ") + " to the client at stdin and stdout")
	return mcp.Server{Desk: d, Version: revision(), Log: slog.Default()}.Serve(ctx, io.NopCloser(con.in), os.Stdout)
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
