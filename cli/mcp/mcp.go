// Package mcp answers agents over the Model Context Protocol: what a database holds, whether a statement may run, what
// it finds, and, where there is a model, what a question's answer is.
//
// It is a door: what may run sqlcheck knows, and what an answer is loop/answer. It opens no model and no database,
// knows no flag, and has no way of its own to run a statement: its owner gives it one. Its tools are one table
// (tools.go), its prompts another (prompts.go); the protocol is the SDK's. Begin with Server.
package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nl2sql/loop/answer"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
)

// Database is one that is asked by its name.
type Database struct {
	Name    string
	Backend string // what pairs call it, wherever they are kept
	answer.Database
}

// Asker answers a question when its turn comes. told gets a line for each thing that happens until then, one at a time.
type Asker func(ctx context.Context, d Database, q answer.Question, told func(line string)) (answer.Answer, error)

// Querier checks a statement and runs it when its turn comes, as [answer.Database.Query] does.
type Querier func(ctx context.Context, d Database, sql string) (runner.Result, sqlcheck.Verdict, error)

// Server is what agents are served. It is made by who owns the model and the databases.
type Server struct {
	Databases []Database // the first is meant where a call names none
	Version   string     // of the program
	Ask       Asker      // nil where there is no model: there is no tool ask then
	Query     Querier
	Keep      Keeper       // nil keeps nothing: there is no tool learn then
	Log       *slog.Logger // of calls; nil is none
}

// instructions tell an agent what it has here, and how it gets on.
const instructions = `Databases to read, in MySQL's dialect. A statement is checked before any database sees it: one SELECT ` +
	`whose tables and columns exist; what it may not be is refused, with what to do about it. Look at the schema of what ` +
	`the question is about, write one SELECT, run it with query, and mend it by what the error says. ` + dataMark

// protocol is the server as the SDK has it.
func (s Server) protocol() *sdk.Server {
	text := instructions
	if s.Ask != nil {
		text += " Or leave the SQL to ask: it writes, checks and runs it, and says how sure it is."
	}
	p := sdk.NewServer(
		&sdk.Implementation{Name: "nl2sql", Title: "nl2sql", Version: cmp.Or(s.Version, "unknown")},
		&sdk.ServerOptions{
			Instructions: text, Capabilities: &sdk.ServerCapabilities{}, CompletionHandler: s.complete,
		},
	)
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	s.addTools(p)
	s.addResources(p)
	s.addPrompts(p)
	p.AddReceivingMiddleware(given)
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
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	return nil
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

// given leaves out arguments that are null, and takes a number that is written as a text.
func given(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		var args map[string]json.RawMessage
		call, is := req.GetParams().(*sdk.CallToolParamsRaw)
		if is && json.Unmarshal(call.Arguments, &args) == nil && args != nil {
			maps.DeleteFunc(args, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
			var n json.Number
			if json.Unmarshal(args["max_rows"], &n) == nil && n != "" {
				args["max_rows"] = json.RawMessage(n)
			}
			text, err := json.Marshal(args)
			if err != nil {
				return nil, err
			}
			call.Arguments = text
		}
		return next(ctx, method, req)
	}
}

// database finds one by its name, the first by "".
func (s Server) database(name string) (Database, error) {
	for _, d := range s.Databases {
		if name == "" || name == d.Name {
			return d, nil
		}
	}
	return Database{}, fmt.Errorf("there is no database %q%s", name, meant(name, s.names()))
}

// names are those of the databases.
func (s Server) names() (names []string) {
	for _, d := range s.Databases {
		names = append(names, d.Name)
	}
	return names
}
