package mcp

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nl2sql/sqlcheck/syntax"
)

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
