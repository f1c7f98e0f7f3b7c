package loop

import (
	"fmt"
	"strings"
	"text/template"

	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
)

// Chat builds messages from the blocks of a template. It keeps the first error.
type Chat struct {
	Template *template.Template
	Messages []llm.Message
	Err      error
}

// Add renders a block as the next turn.
func (c *Chat) Add(role, block string, data any) {
	var b strings.Builder
	if err := c.Template.ExecuteTemplate(&b, block, data); err != nil && c.Err == nil {
		c.Err = fmt.Errorf("prompt: %w", err)
	}
	c.Say(role, strings.TrimSpace(b.String()))
}

// Say adds a turn as it is.
func (c *Chat) Say(role, text string) {
	c.Messages = append(c.Messages, llm.Message{Role: role, Content: text})
}

// Success is what a model is told of a result: how many rows, of which columns, and the first two. A nil one says no
// more than its name.
func Success(res *runner.Result) string {
	if res == nil {
		return "Success"
	}
	rows := fmt.Sprint(len(res.Rows))
	if res.Truncated {
		rows = "more than " + rows
	}
	text := fmt.Sprintf("Success: %s rows; columns: %s; first rows:", rows, strings.Join(res.Columns, ", "))
	for _, row := range res.Rows[:min(2, len(res.Rows))] {
		text += " (" + strings.Join(render.CellTexts(row), ", ") + ")"
	}
	return syntax.Clip(text, MaxObservation)
}
