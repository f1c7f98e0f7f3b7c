package serve

import (
	"cmp"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// modelName is the model of chats, for the first database; behind a colon it names a database.
const modelName = "nl2sql"

// models are the databases, as OpenAI's API lists models.
type models struct {
	Object string  `json:"object"` // "list"
	Data   []model `json:"data"`
}

type model struct {
	ID      string `json:"id"`
	Object  string `json:"object"` // "model"
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"` // what answers
}

// oneModel serves /v1/models/{id}.
func (h *handler) oneModel(w http.ResponseWriter, r *http.Request) error {
	name, database, _ := strings.Cut(r.PathValue("id"), ":")
	d, err := h.Named(database)
	if err != nil || name != modelName {
		return problem("model_not_found", "there is no such model: /v1/models lists them")
	}
	return write(w, http.StatusOK, model{ID: modelName + ":" + d.Name, Object: "model", OwnedBy: h.Model})
}

// models serves /v1/models.
func (h *handler) models(w http.ResponseWriter, _ *http.Request) error {
	out := models{Object: "list"}
	for _, d := range h.Databases {
		out.Data = append(out.Data, model{ID: modelName + ":" + d.Name, Object: "model", OwnedBy: h.Model})
	}
	return write(w, http.StatusOK, out)
}

// chatRequest is what OpenAI's clients send, as far as it says something to an answer.
type chatRequest struct {
	Model         string         `json:"model"`
	Messages      []chatMessage  `json:"messages"` // the last is the question
	Stream        bool           `json:"stream,omitempty"`
	StreamOptions *streamOptions `json:"stream_options,omitempty"`
	Temperature   float32        `json:"temperature,omitempty"`
	TopP          float32        `json:"top_p,omitempty"`
	Seed          int64          `json:"seed,omitempty"`

	sent map[string]any // all of it
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *chatRequest) UnmarshalJSON(text []byte) error {
	type fields chatRequest
	return cmp.Or(json.Unmarshal(text, &c.sent), json.Unmarshal(text, (*fields)(c)))
}

// askedElse is a field that asks for what is not done here: a pattern for values that ask for nothing, and what is.
type askedElse struct{ Name, Passes, Is string }

//go:embed chat.yaml
var chatTable string

// neutral are all such fields.
var neutral = syntax.Rows[askedElse](chatTable)

// notDone says what a chat asks for that is not done here.
func (c chatRequest) notDone() string {
	for _, f := range neutral() {
		text, _ := json.Marshal(c.sent[f.Name]) // it was JSON
		if passes := regexp.MustCompile("^(null|" + f.Passes + ")$"); !passes.Match(text) {
			return f.Name + " " + f.Is
		}
	}
	return ""
}

// sqlBlock is where an answer of ours has its SQL.
var sqlBlock = regexp.MustCompile("(?s)```sql\n(.*?)\n```")

// behind is the last answer that the messages before the question hold, from which it may go on; nil where there is
// none.
func (c chatRequest) behind(s *schema.Schema) *answer.Turn {
	var last answer.Turn
	asked := ""
	before := c.Messages[:len(c.Messages)-1]
	for _, m := range before[max(0, len(before)-100):] { // each question is read by the schema
		text, err := m.text()
		if err != nil {
			continue
		}
		if m.Role == "user" {
			asked = text
		}
		if sql := sqlBlock.FindStringSubmatch(text); m.Role == "assistant" && sql != nil && asked != "" {
			if last.GoesOn(asked, s) {
				asked = last.With(asked)
			}
			last, asked = answer.Turn{Question: asked, SQL: sql[1]}, ""
		}
	}
	if last.SQL == "" || last.Check() != nil {
		return nil
	}
	return &last
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type chatMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"` // a text, or parts with texts
}

// text is what a message says.
func (m chatMessage) text() (text string, err error) {
	if json.Unmarshal(m.Content, &text) == nil {
		return text, nil
	}
	var parts []struct{ Type, Text string }
	if err := json.Unmarshal(m.Content, &parts); err != nil {
		return "", errors.New("the content of a message is a text or a list of parts")
	}
	for _, p := range parts {
		if p.Type != "text" {
			return "", fmt.Errorf("a part of type %q cannot be read: send text", p.Type)
		}
		text += "\n" + p.Text
	}
	return strings.TrimPrefix(text, "\n"), nil
}

// question is what a chat asks: its last message, of the database that the model's name names.
func (c chatRequest) question() (q desk.Question, err error) {
	name, database, _ := strings.Cut(cmp.Or(c.Model, modelName), ":")
	switch n := len(c.Messages); {
	case name != modelName:
		return q, problem("model_not_found", "there is no model %q: /v1/models lists them", c.Model)
	case n == 0 || c.Messages[n-1].Role != "user":
		return q, problem("no_question", `the last message must be the question, with the role "user"`)
	case c.notDone() != "":
		return q, problem("not_done", "%s", c.notDone())
	}
	text, err := c.Messages[len(c.Messages)-1].text()
	if err != nil {
		return q, problem("bad_content", "%v", err)
	}
	q.Question, q.Database = text, database
	q.Temperature, q.TopP, q.Seed = c.Temperature, c.TopP, uint32(c.Seed)
	return q, nil
}

// chat is a completion, or a chunk of one.
type chat struct {
	ID      string       `json:"id"`
	Object  string       `json:"object"`
	Created int64        `json:"created"` // seconds since 1970
	Model   string       `json:"model"`
	Choices []choice     `json:"choices"`
	Usage   *usage       `json:"usage,omitempty"`
	Answer  *answer.JSON `json:"nl2sql,omitempty"` // that of /api/ask
}

type choice struct {
	Index   int     `json:"index"`
	Message *says   `json:"message,omitempty"`
	Delta   *says   `json:"delta,omitempty"` // of a chunk
	Finish  *string `json:"finish_reason"`
}

type says struct {
	Role    string  `json:"role,omitempty"`
	Content *string `json:"content,omitempty"`
	// Reasoning is a line of what happens, where servers of reasoning models stream their thoughts.
	Reasoning string `json:"reasoning_content,omitempty"`
}

type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

func usageOf(ans answer.Answer) *usage {
	_, cost := ans.Trace.Cost()
	return &usage{cost.PromptTokens, cost.OutputTokens, cost.PromptTokens + cost.OutputTokens}
}

// chat serves /v1/chat/completions.
func (h *handler) chat(w http.ResponseWriter, r *http.Request) error {
	var c chatRequest
	if err := read(w, r, &c, false); err != nil { // clients send much that means nothing here
		return err
	}
	q, err := c.question()
	if err != nil {
		return err
	}
	d, err := h.Named(q.Database)
	if err != nil {
		return err
	}
	q.Behind = c.behind(d.Schema)
	q.Client, _ = h.whose(r)
	stop := "stop"
	out := chat{
		ID: "chatcmpl-" + rand.Text(), Object: "chat.completion", Created: time.Now().Unix(),
		Model: cmp.Or(c.Model, modelName),
	}
	if !c.Stream {
		ans, err := h.answer(r.Context(), w, q, func(desk.Step) {})
		if err != nil {
			return err
		}
		text, j := strings.Join(chatText(ans), ""), answer.AsJSON("", ans)
		out.Choices = []choice{{Message: &says{Role: "assistant", Content: &text}, Finish: &stop}}
		out.Usage, out.Answer = usageOf(ans), &j
		return write(w, http.StatusOK, out)
	}
	ctx, s := startStream(r.Context(), w)
	defer s.end()
	out.Object = "chat.completion.chunk"
	send := func(delta says, finish *string, j *answer.JSON) {
		chunk := out
		chunk.Choices, chunk.Answer = []choice{{Delta: &delta, Finish: finish}}, j
		s.json("", chunk)
	}
	role := "assistant"
	ans, err := h.answer(ctx, w, q, func(is desk.Step) {
		if line := visibleLine(is.Line()); line != "" {
			send(says{Role: role, Reasoning: line + "\n"}, nil, nil)
			role = ""
		}
	})
	switch {
	case err != nil && !s.hasBegun():
		return err
	case err != nil:
		s.json("", failedBody(desk.ErrorOf(ctx, err)))
	default:
		for _, part := range chatText(ans) {
			send(says{Role: role, Content: &part}, nil, nil)
			role = ""
		}
		j := answer.AsJSON("", ans)
		send(says{}, &stop, &j)
		if c.StreamOptions != nil && c.StreamOptions.IncludeUsage {
			out.Choices, out.Usage = []choice{}, usageOf(ans)
			s.json("", out)
		}
	}
	s.send("data: [DONE]\n\n", nil)
	return errors.Join(err, s.end())
}

// chatRows are shown in a chat; all are in the field nl2sql.
const chatRows = 50

// chatText is an answer as a chat shows it, in parts: the SQL, the rows, and what a reader should know.
func chatText(ans answer.Answer) (parts []string) {
	if ans.Reply != "" {
		return []string{ans.Reply}
	}
	if ans.SQL != "" {
		parts = append(parts, "```sql\n"+render.VisibleLines(strings.ReplaceAll(ans.SQL, "```", "` ` `"))+"\n```\n")
	}
	if res := ans.Result; res != nil {
		shown := runner.Result{Columns: res.Columns, Rows: res.Rows[:min(chatRows, len(res.Rows))]}
		var b strings.Builder
		b.WriteByte('\n')
		if _, err := render.Write(&b, shown, render.Markdown, render.Options{Report: true}); err != nil {
			return []string{err.Error()} // of a format that there is not
		}
		fmt.Fprintf(&b, "\n%s", res.RowCount())
		if more := len(res.Rows) - len(shown.Rows); more > 0 {
			fmt.Fprintf(&b, ", %d of them here", len(shown.Rows))
		}
		parts = append(parts, b.String()+".\n")
	}
	text := ""
	for _, line := range answer.AsJSON("", ans).Remarks() {
		text += "\n- " + visibleLine(line)
	}
	if text != "" {
		parts = append(parts, text+"\n")
	}
	return parts
}

// visibleLine is a text in a line whose marks no Markdown reader obeys.
func visibleLine(text string) string {
	return render.Visible(strings.NewReplacer("\n", " ", "<", "&lt;", "&", "&amp;").Replace(text))
}
