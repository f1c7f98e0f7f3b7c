// Package mcp answers agents over the Model Context Protocol: what a database holds, whether a statement may run, what
// it finds, and, where there is a model, what a question's answer is.
//
// It is an interface: what all of them do, loop/desk knows. It opens no model and no database, and knows no flag. Its
// tools are one table (tools.yaml), its prompts another (prompts.yaml); the protocol is the SDK's. Begin with Server.
package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nl2sql/loop/desk"
)

// Server is what agents are served. It is made by who owns the model and the databases.
type Server struct {
	*desk.Desk
	Version string       // of the program
	Log     *slog.Logger // of calls; nil is none
}

// instructions tell an agent what it has here, and how it gets on.
const instructions = `Databases to read, in MySQL's dialect. A statement is checked before any database sees it: one SELECT ` +
	`whose tables and columns exist; what it may not be is refused, with what to do about it. Look at the schema of what ` +
	`the question is about, write one SELECT, run it with query, and mend it by what the error says. ` + dataMark

// protocol is the server as the SDK has it.
func (s Server) protocol() *sdk.Server {
	text := instructions
	if s.Answers() {
		text += " Or leave the SQL to ask: it writes, checks and runs it, and says how sure it is."
	}
	p := sdk.NewServer(
		&sdk.Implementation{Name: "nl2sql", Title: "nl2sql", Version: cmp.Or(s.Version, "unknown")},
		&sdk.ServerOptions{
			Instructions: text, Capabilities: &sdk.ServerCapabilities{}, CompletionHandler: s.complete,
		},
	)
	s.Log = cmp.Or(s.Log, slog.New(slog.DiscardHandler))
	for _, t := range offered() {
		if act := acts[t.Name]; act.there == nil || act.there(s) {
			act.add(s, p, t)
		}
	}
	s.addResources(p)
	s.addPrompts(p)
	p.AddReceivingMiddleware(errorsOf)
	return p
}

// Serve talks with one client over lines of JSON, until it goes or ctx ends: calls at work are ended then, and waited
// for.
func (s Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := s.protocol()
	p.AddReceivingMiddleware(endingWith(ctx))
	err := p.Run(ctx, newWire(in, out))
	if err == nil || ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("mcp: %w", err)
}

// endingWith has calls end when ctx does.
func endingWith(ctx context.Context) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(call context.Context, method string, req sdk.Request) (sdk.Result, error) {
			call, cancel := context.WithCancel(call)
			defer cancel()
			defer context.AfterFunc(ctx, cancel)()
			return next(call, method, req)
		}
	}
}

// errorsOf has errors as clients know them. What the SDK adds to one is left out where it is no JSON, as it is of an
// odd URI: that ends the session. In the protocol with sessions a resource that there is not has a code of its own.
func errorsOf(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, req)
		said, ok := errors.AsType[*jsonrpc.Error](err)
		if ok && !json.Valid(said.Data) {
			said.Data = nil
		}
		if by, is := req.GetSession().(*sdk.ServerSession); ok && is && method == "resources/read" {
			if begun := by.InitializeParams(); begun != nil && begun.ProtocolVersion < withoutSessions {
				said.Code = -32002 // of a resource that there is not
			}
		}
		return result, err
	}
}
