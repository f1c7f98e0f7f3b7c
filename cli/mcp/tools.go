package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nl2sql/loop/desk"
	"nl2sql/runner/render"
)

// tool is one that agents call.
type tool struct {
	name, title string
	is          string // what it does, for the model that chooses
	add         func(s Server, p *sdk.Server, t tool)
	writes      bool              // it keeps something; not in a database
	there       func(Server) bool // whether there is any use for it; nil is always
}

// offered are all tools.
var offered = []tool{
	{
		name: "ask", title: "Answer a question", add: adding(Server.answer),
		there: func(s Server) bool { return s.Answers() },
		is: "Answer a question in plain words about a database: a local model writes one SELECT, which is checked, mended " +
			"and run. Gives the SQL, the rows, how likely they are right, and what speaks against them. Takes seconds to " +
			"minutes.",
	},
	{
		name: "query", title: "Run a SELECT", add: adding(Server.queries),
		is: "Check one SELECT in MySQL's dialect and run it, read-only, with limits on time, work and rows. What may not " +
			"run is refused with what to do about it. Name the question that it is to answer, to be told what speaks against it.",
	},
	{
		name: "check", title: "Check a SELECT", add: adding(Server.checks),
		is: "Check a statement without running it: whether it is one read-only SELECT whose tables and columns exist. Gives " +
			"all errors at once, what it reads, and what it asks in plain words.",
	},
	{
		name: "schema", title: "Look at the schema", add: adding(Server.schema),
		is: "Tables of a database with columns, types, keys, known values and joins: all of them, one (table), or those that " +
			"a question is about (question), with what its words mean in this database.",
	},
	{
		name: "samples", title: "Look at rows", add: adding(Server.samples),
		is: "The first rows of a table, to see what its values look like.",
	},
	{
		name: "pairs", title: "Look at verified pairs", add: adding(Server.pairs),
		there: func(s Server) bool {
			return slices.ContainsFunc(s.Databases, func(d desk.Database) bool { return d.Pairs != nil })
		},
		is: "Questions that a person found answered rightly, each with its SQL, to write others by.",
	},
	{
		name: "learn", title: "Keep a verified pair", add: adding(Server.learn), writes: true,
		there: func(s Server) bool { return s.Keep != nil },
		is: "Keep a question with its SELECT in the file of verified pairs, for questions to come. Only what a person says is " +
			"right may be kept: the client asks them, or you do.",
	},
}

// addTools adds those that there are.
func (s Server) addTools(p *sdk.Server) {
	for _, t := range offered {
		if t.there == nil || t.there(s) {
			t.add(s, p, t)
		}
	}
}

// reply is what a call gives. One that failed is for the agent to mend.
type reply[Out any] struct {
	value  *Out // nil where there is none
	text   string
	failed bool
	asks   *sdk.ElicitParams // what a person is to say first; there is nothing else then
}

// told tells the client what happens while a call is at work.
type told func(line string)

// caller is the client of a call.
type caller struct {
	tell told
	asks bool              // it can ask a person
	said *sdk.ElicitResult // what the person said; nil before they were asked
}

// consentKey is under which a person is asked.
const consentKey = "consent"

// callerOf is the client of a request.
func (s Server) callerOf(ctx context.Context, req *sdk.CallToolRequest) caller {
	by := caller{tell: s.progress(ctx, req)}
	by.said, _ = req.Params.InputResponses[consentKey].(*sdk.ElicitResult)
	if is := req.Session.InitializeParams(); is != nil && is.Capabilities != nil && is.Capabilities.Elicitation != nil {
		by.asks = is.Capabilities.Elicitation.Form != nil || is.Capabilities.Elicitation.URL == nil
	}
	return by
}

// adding adds a tool that is a method, described by the types of what it takes and gives. An error of it is a result
// that says what is wrong. The value goes out with the digits that it has, which the SDK's own writing of values would
// not keep.
func adding[In, Out any](do func(Server, context.Context, In, caller) (reply[Out], error)) func(
	Server, *sdk.Server, tool,
) {
	return func(s Server, p *sdk.Server, t tool) {
		never := false
		is := &sdk.Tool{
			Name: t.name, Title: t.title, Description: t.is + " " + dataMark,
			InputSchema: s.takes(schemaOf[In]()), OutputSchema: schemaOf[Out](),
			Annotations: &sdk.ToolAnnotations{
				Title: t.title, ReadOnlyHint: !t.writes, IdempotentHint: true,
				DestructiveHint: &never, OpenWorldHint: &never,
			},
		}
		sdk.AddTool(p, is, func(
			ctx context.Context, req *sdk.CallToolRequest, in In,
		) (*sdk.CallToolResult, any, error) {
			start := time.Now()
			r, err := do(s, ctx, in, s.callerOf(ctx, req))
			if err != nil {
				r = reply[Out]{text: render.Visible(err.Error()), failed: true}
			}
			if r.asks != nil {
				return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{consentKey: r.asks}}, nil, nil
			}
			took := time.Since(start).Round(time.Millisecond)
			s.Log.Info("call", "tool", t.name, "failed", r.failed, "took", took)
			res := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: r.text}}, IsError: r.failed}
			if r.value != nil {
				text, err := render.JSONText(r.value)
				if err != nil {
					return nil, nil, err
				}
				res.StructuredContent = json.RawMessage(text)
			}
			return res, nil, nil
		})
	}
}

// progress tells of a call where its client wants to know.
func (s Server) progress(ctx context.Context, req *sdk.CallToolRequest) told {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func(string) {}
	}
	done := 0.0
	return func(line string) {
		done++
		p := &sdk.ProgressNotificationParams{ProgressToken: token, Message: render.Visible(line), Progress: done}
		if err := req.Session.NotifyProgress(ctx, p); err != nil {
			s.Log.Debug("progress was not sent", "err", err)
		}
	}
}

// schemaOf describes a type.
func schemaOf[T any]() *jsonschema.Schema {
	is, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // of a type of ours, which every test makes
	}
	plain(is)
	return is
}

// plain says of lists that they are lists: none of ours is null.
func plain(is *jsonschema.Schema) {
	if slices.Contains(is.Types, "array") {
		is.Type, is.Types = "array", nil
	}
	if is.Items != nil {
		plain(is.Items)
	}
	for _, part := range is.Properties {
		plain(part)
	}
}

// takes describes what a tool takes: the databases by the names that there are, and numbers by their bounds.
func (s Server) takes(is *jsonschema.Schema) *jsonschema.Schema {
	delete(is.Properties, "database")
	if len(s.Databases) > 1 {
		is.Properties["database"] = s.databaseSchema()
	}
	if n, has := is.Properties["max_rows"]; has {
		least, most := 1.0, float64(maxRows)
		n.Minimum, n.Maximum = &least, &most
	}
	return is
}

// databaseSchema is that of an argument.
func (s Server) databaseSchema() *jsonschema.Schema {
	is := &jsonschema.Schema{Type: "string", Description: s.Databases[0].Name + " where none is named"}
	for _, name := range s.Names() {
		is.Enum = append(is.Enum, name)
	}
	return is
}
