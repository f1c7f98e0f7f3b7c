package mcp

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nl2sql/loop/desk"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
)

// tool is one that agents call.
type tool struct {
	Name, Title string
	Is          string // what it does, for the model that chooses
	Writes      bool   // it keeps something; not in a database
}

//go:embed tools.yaml
var toolTable string

// offered are all tools.
var offered = syntax.Rows[tool](toolTable)

// acts are what the tools do, by name, and whether there is any use for one; nil is always.
var acts = map[string]struct {
	add   func(s Server, p *sdk.Server, t tool)
	there func(Server) bool
}{
	"ask":     {adding(Server.answer), func(s Server) bool { return s.Answers() }},
	"query":   {adding(Server.queries), nil},
	"check":   {adding(Server.checks), nil},
	"schema":  {adding(Server.schema), nil},
	"samples": {adding(Server.samples), nil},
	"pairs": {adding(Server.pairs), func(s Server) bool {
		return slices.ContainsFunc(s.Databases, func(d desk.Database) bool { return d.Pairs != nil })
	}},
	"learn": {adding(Server.learn), func(s Server) bool { return s.Keep != nil }},
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
		never, takes := false, s.takes(schemaOf[In]())
		is := &sdk.Tool{
			Name: t.Name, Title: t.Title, Description: t.Is + " " + dataMark,
			InputSchema: takes, OutputSchema: schemaOf[Out](),
			Annotations: &sdk.ToolAnnotations{
				Title: t.Title, ReadOnlyHint: !t.Writes, IdempotentHint: true,
				DestructiveHint: &never, OpenWorldHint: &never,
			},
		}
		p.AddTool(is, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			start := time.Now()
			in, err := argumentsOf[In](req.Params.Arguments, takes)
			if _, none := errors.AsType[*jsonrpc.Error](err); none {
				return nil, err
			}
			var r reply[Out]
			if err == nil {
				r, err = do(s, ctx, in, s.callerOf(ctx, req))
			}
			if err != nil {
				r = reply[Out]{text: syntax.InWords(err), failed: true}
			}
			if r.asks != nil {
				return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{consentKey: r.asks}}, nil
			}
			took := time.Since(start).Round(time.Millisecond)
			s.Log.Info("call", "tool", t.Name, "failed", r.failed, "took", took)
			res := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: r.text}}, IsError: r.failed}
			if r.value != nil {
				text, err := render.JSONText(r.value)
				if err != nil {
					return nil, err
				}
				res.StructuredContent = json.RawMessage(text)
			}
			return res, nil
		})
	}
}

// argumentsOf are the arguments of a call, or what is wrong with them in words of the schema. One that is null is not
// given, and a number may be written as a text.
func argumentsOf[In any](text json.RawMessage, takes *jsonschema.Schema) (in In, err error) {
	args := map[string]any{}
	if len(text) > 0 && json.Unmarshal(text, &args) != nil {
		return in, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "arguments are a JSON object"}
	}
	for name, of := range takes.Properties {
		number, written := args[name].(string)
		if n, err := strconv.Atoi(number); err == nil && written && of.Type == "integer" {
			args[name] = n
		}
	}
	maps.DeleteFunc(args, func(_ string, v any) bool { return v == nil })
	there := slices.Sorted(maps.Keys(takes.Properties))
	for _, name := range append(slices.Sorted(maps.Keys(args)), takes.Required...) {
		if !slices.Contains(there, name) {
			return in, fmt.Errorf("there is no argument %q%s", name, desk.Meant(name, there))
		} else if args[name] == nil {
			return in, errors.New(name + " is missing")
		}
	}
	is, err := takes.Resolve(nil)
	if err != nil {
		return in, err
	}
	if err := is.Validate(args); err != nil {
		at := property.FindStringSubmatch(err.Error()) // all are there, and no others
		return in, errors.New(at[1] + " must be " + jsonLine(takes.Properties[at[1]]))
	}
	text, _ = json.Marshal(args) // it was JSON
	err = json.Unmarshal(text, &in)
	return in, err
}

// property is where an error of a schema names an argument.
var property = regexp.MustCompile(`^validating root: validating /properties/(\w+)`)

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
	is.Properties["database"] = &jsonschema.Schema{Type: "string",
		Description: s.Databases[0].Name + " where none is named",
		Enum:        syntax.Map(s.Names(), func(name string) any { return name })}
	if n, has := is.Properties["max_rows"]; has {
		least, most := 1.0, float64(maxRows)
		n.Minimum, n.Maximum = &least, &most
	}
	return is
}

// prompt is one that people choose in their client. Its text has {argument} where an argument goes; {of} says of which
// database it is.
type prompt struct {
	Name, Title, Is string
	Arguments       [][2]string // each with what it is
	Text            string
}

//go:embed prompts.yaml
var promptTable string

// prompts are those for what is usually asked.
var prompts = syntax.Rows[prompt](promptTable)

// addPrompts adds them.
func (s Server) addPrompts(p *sdk.Server) {
	for _, t := range prompts() {
		is := &sdk.Prompt{Name: t.Name, Title: t.Title, Description: t.Is}
		for _, a := range t.Arguments {
			is.Arguments = append(is.Arguments, &sdk.PromptArgument{Name: a[0], Description: a[1], Required: true})
		}
		if len(s.Databases) > 1 {
			is.Arguments = append(is.Arguments, &sdk.PromptArgument{
				Name: "database", Description: s.Databases[0].Name + " unless given; of " + strings.Join(s.Names(), ", "),
			})
		}
		p.AddPrompt(is, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			got, err := s.prompted(t, req.Params.Arguments)
			if err != nil {
				err = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
			}
			return got, err
		})
	}
}

// prompted is a prompt with its arguments.
func (s Server) prompted(t prompt, given map[string]string) (*sdk.GetPromptResult, error) {
	d, err := s.Named(given["database"])
	if err != nil {
		return nil, err
	}
	of := []string{"{of}", " " + d.Name}
	for _, a := range t.Arguments {
		if strings.TrimSpace(given[a[0]]) == "" {
			return nil, fmt.Errorf("the prompt %s needs %s: %s", t.Name, a[0], a[1])
		}
		of = append(of, "{"+a[0]+"}", given[a[0]])
	}
	text := &sdk.TextContent{Text: strings.NewReplacer(of...).Replace(t.Text)}
	return &sdk.GetPromptResult{
		Description: t.Title, Messages: []*sdk.PromptMessage{{Role: "user", Content: text}},
	}, nil
}
