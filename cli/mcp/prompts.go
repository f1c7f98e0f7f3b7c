package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// prompt is one that people choose in their client. Its text has {argument} where an argument goes; {of} says of which
// database it is.
type prompt struct {
	name, title, is string
	arguments       [][2]string // each with what it is
	text            string
}

// prompts are those for what is usually asked.
var prompts = []prompt{
	{
		name: "answer", title: "Answer a question from the database", is: "Look, write a SELECT, run it, mend it, answer.",
		arguments: [][2]string{{"question", "in plain words"}},
		text: "Answer this question from the database{of}: {question}\n\nLook at what it is about with the tool schema " +
			"(question), write one SELECT in MySQL's dialect, and run it with query, which takes the question too. Mend it by " +
			"what an error says. Then answer in a sentence, show the SQL, and name what speaks against it.",
	},
	{
		name: "overview", title: "What is in the database?", is: "What its tables hold and how they belong together.",
		text: "Say what the database{of} holds: look at its schema, and at a few rows with samples where a name does not " +
			"tell. Group the tables by what they are about, say how they join, and suggest five questions that it can answer.",
	},
	{
		name: "table", title: "Describe a table", is: "What a table's columns mean, with examples.",
		arguments: [][2]string{{"table", "its name"}},
		text: "Describe the table {table} of the database{of}: look at it with the tools schema and samples, and say of each " +
			"column what it means, what its values look like, and what it joins with.",
	},
	{
		name: "review", title: "Review a statement", is: "What a SELECT asks, whether it may run, and what is doubtful.",
		arguments: [][2]string{{"sql", "one SELECT"}, {"question", "that it is to answer"}},
		text: "Review this statement on the database{of} with the tool check: {sql}\n\nIt is to answer: {question}\n\nSay in plain words " +
			"what it asks, whether that is what was meant, and mend it where it is not.",
	},
}

// addPrompts adds them.
func (s Server) addPrompts(p *sdk.Server) {
	for _, t := range prompts {
		is := &sdk.Prompt{Name: t.name, Title: t.title, Description: t.is}
		for _, a := range t.arguments {
			is.Arguments = append(is.Arguments, &sdk.PromptArgument{Name: a[0], Description: a[1], Required: true})
		}
		if len(s.Databases) > 1 {
			is.Arguments = append(is.Arguments, &sdk.PromptArgument{
				Name: "database", Description: s.Databases[0].Name + " unless given; of " + strings.Join(s.Names(), ", "),
			})
		}
		p.AddPrompt(is, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return s.prompted(t, req.Params.Arguments)
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
	for _, a := range t.arguments {
		if strings.TrimSpace(given[a[0]]) == "" {
			return nil, fmt.Errorf("the prompt %s needs %s: %s", t.name, a[0], a[1])
		}
		of = append(of, "{"+a[0]+"}", given[a[0]])
	}
	text := &sdk.TextContent{Text: strings.NewReplacer(of...).Replace(t.text)}
	return &sdk.GetPromptResult{
		Description: t.title, Messages: []*sdk.PromptMessage{{Role: "user", Content: text}},
	}, nil
}
