package serve

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/runner"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/doubt"
)

const chatBody = `{"model":"nl2sql:classicmodels","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"` + asked + `"}],"n":1`

// A chat has the answer as text, and whole in a field of its own.
func TestChat(t *testing.T) {
	s := serverOf(t, replay(counted, counted, counted))
	want := alone(t, s, asked)
	url := start(t, s).URL + "/v1/chat/completions"
	_, got := call(t, "POST", url, chatBody+"}")
	var plain struct {
		Object  string
		Choices []struct {
			Message struct{ Role, Content string }
			Finish  string `json:"finish_reason"`
		}
		Usage  *usage
		Answer json.RawMessage `json:"nl2sql"`
	}
	if err := json.Unmarshal([]byte(got), &plain); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	c := plain.Choices[0]
	if plain.Object != "chat.completion" || c.Message.Role != "assistant" || c.Finish != "stop" || plain.Usage == nil {
		t.Error(got)
	}
	if string(plain.Answer)+"\n" != want {
		t.Error(got)
	}
	text := c.Message.Content
	if !strings.HasPrefix(text, "```sql\n"+counted+"\n```\n\n| COUNT(\\*) |\n| ---: |\n| ") {
		t.Error(text)
	}
	if !strings.Contains(text, "\n1 row.\n\n- Confidence: ") {
		t.Error(text)
	}

	resp, got := call(t, "POST", url, strings.Replace(chatBody, `"content":"`+asked+`"`,
		`"content":[{"type":"text","text":"`+asked+`"}]`, 1)+
		`,"stream":true,"stream_options":{"include_usage":true}}`)
	if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("%s %s: %s", resp.Status, kind, got)
	}
	var content, reasoning, whole string
	chunks := strings.Split(strings.TrimSuffix(got, "\n\n"), "\n\n")
	for _, text := range chunks[:len(chunks)-1] {
		var chunk struct {
			Object  string
			Choices []struct {
				Delta struct {
					Role, Content string
					Reasoning     string `json:"reasoning_content"`
				}
				Finish *string `json:"finish_reason"`
			}
			Usage  *usage
			Answer json.RawMessage `json:"nl2sql"`
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(text, "data: ")), &chunk); err != nil ||
			chunk.Object != "chat.completion.chunk" {
			t.Fatalf("%v: %s", err, text)
		}
		if (chunk.Usage != nil) != (len(chunk.Choices) == 0) {
			t.Error(text)
		}
		for _, c := range chunk.Choices {
			content, reasoning = content+c.Delta.Content, reasoning+c.Delta.Reasoning
			if c.Finish != nil {
				whole = string(chunk.Answer)
			}
		}
	}
	if content != c.Message.Content || whole+"\n" != want || chunks[len(chunks)-1] != "data: [DONE]" ||
		!strings.Contains(reasoning, "writing SQL\nchecking\n") {
		t.Errorf("%s\n%s\n%s", content, reasoning, got)
	}
	_, got = call(t, "POST", url, chatBody+`,"stream":true}`)
	if !strings.HasSuffix(got, "}\n\ndata: [DONE]\n\n") ||
		!strings.Contains(got, `data: {"error":{"message":"step 1: `) {
		t.Error(got)
	}
}

// What is no question is refused as OpenAI's clients expect.
func TestChatRefuses(t *testing.T) {
	url := start(t, serverOf(t, replay())).URL + "/v1/chat/completions"
	for body, want := range map[string]string{
		`{"model":"gpt-5","messages":[{"role":"user","content":"x"}]}`:                              `"code":"model_not_found"`,
		`{"model":"nl2sql:no","messages":[{"role":"user","content":"x"}]}`:                          `"code":"unknown_database"`,
		`{"model":"nl2sql","messages":[]}`:                                                          `"code":"no_question"`,
		`{"model":"nl2sql","messages":[{"role":"assistant","content":"x"}]}`:                        `"code":"no_question"`,
		`{"model":"nl2sql","messages":[{"role":"user","content":[{"type":"image_url"}]}]}`:          `cannot be read: send text`,
		`{"model":"nl2sql","messages":[{"role":"user","content":7}]}`:                               `a text or a list of parts`,
		`{"model":"nl2sql","messages":[{"role":"user","content":"x"}],"temperature":3}`:             `from 0 to 2`,
		`{"model":"nl2sql","messages":[{"role":"user","content":"x"}],"n":2}`:                       `n must be 1: `,
		`{"model":"nl2sql","messages":[{"role":"user","content":"x"}],"n":"1"}`:                     `n must be 1: `,
		`{"model":"nl2sql","messages":[{"role":"user","content":"x"}],"stop":["x"]}`:                `stop must be empty`,
		`{"model":"nl2sql","messages":[{"role":"user","content":"x"}],"max_tokens":0}`:              `from 1 on`,
		`{"model":"nl2sql","messages":[{"role":"user","content":"x"}],"max_completion_tokens":"9"}`: `from 1 on`,
		`{"model":"nl2sql","messages":[{"role":"user","content":"x"}],"logit_bias":{"1":5}}`:        `logit_bias must be empty`,
		`{"model":"nl2sql","messages":[{"role":"user","content":"x"}],"tools":"x"}`:                 `tools must be a list`,
		`{"model":"nl2sql","messages":[{"role":"user","content":"x"}],"functions":{}}`:              `functions must be a list`,
		`{"model":"nl2sql","messages":[{"role":"user","content":"x"}],"seed":"x"}`:                  `seed cannot be`,
		`{"model":"nl2sql"`: `it ends too early`,
		`{"model":"nl2sql","messages":[{"role":"user","content":"x"}],"logprobs":true}`:               `logprobs must be false`,
		`{"model":"nl2sql","messages":[{"role":"user","content":"x"}],"modalities":["text","audio"]}`: `must be [\"text\"]`,
		`{"model":"nl2sql","messages":[{"role":"user","content":"x"}],"function_call":{"name":"f"}}`:  `no functions are called`,
		`{"model":"nl2sql","stream":true,"messages":[{"role":"user","content":""}]}`:                  `empty question`,
	} {
		if resp, got := call(t, "POST", url, body); resp.StatusCode < 400 || !strings.Contains(got, want) {
			t.Errorf("%s: %s %s, want %s", body, resp.Status, got, want)
		}
	}
}

// Of a long conversation the last messages are read: each question in it is read by the schema.
func TestChatBehind(t *testing.T) {
	said := func(role, text string) chatMessage { return chatMessage{role, json.RawMessage(strconv.Quote(text))} }
	messages := []chatMessage{said("user", asked), said("assistant", "```sql\n"+counted+"\n```")}
	for range 40 {
		messages = append(messages, said("user", "thanks"), said("assistant", "You are welcome."))
	}
	last := chatRequest{Messages: append(messages, said("user", "and in 2004?"))}
	must.Be(t, last.behind(nil).SQL == counted, "the answer before")
	last.Messages = append(messages, append(messages[2:], last.Messages[len(messages)])...)
	must.Be(t, last.behind(nil) == nil, "an answer of 160 messages before")
}

// What clients always send passes, in any of its forms; so does what says nothing to an answer.
func TestChatNeutral(t *testing.T) {
	var c chatRequest
	must.Do(t, json.Unmarshal([]byte(`{"n":1.0,"stop":[],"max_tokens":4096,"max_completion_tokens":null,"presence_penalty":0.0,
		"frequency_penalty":-0,"logit_bias":{},"logprobs":false,"top_logprobs":null,"tools":[{"type":"function"}],"functions":[],
		"tool_choice":"auto","function_call":"none","parallel_tool_calls":true,"response_format":{"type": "text"},
		"modalities":["text"],"user":"x","metadata":{},"store":false,"service_tier":"auto","seed":7}`), &c))
	must.Equal(t, c.notDone(), "")
	must.Equal(t, c.Seed, int64(7))
}

// The text says what a reader should know, and no cell, name or doubt is markup.
func TestChatText(t *testing.T) {
	rows := make([][]any, 60)
	for i := range rows {
		rows[i] = []any{"<img onerror=x>|\x1b"}
	}
	for _, tt := range []struct {
		name string
		ans  loop.Answer
		want string
	}{
		{"hostile", loop.Answer{SQL: "SELECT '```\x1b'", Result: &runner.Result{Columns: []string{"a"}, Rows: rows[:1]},
			How: loop.ByFinish, Confidence: 0.5, Doubts: []doubt.Doubt{{Text: "a <b> & c"}}},
			"```sql\nSELECT '` ` `\\x1b'\n```\n\n| a |\n| --- |\n| &lt;img onerror=x>\\|\\x1b |\n\n1 row.\n\n- Confidence: low (0.50).\n- Doubt: a &lt;b> &amp; c\n"},
		{"refused", loop.Answer{Refused: "no"}, "\n- No answer: no\n"},
		{"not run", loop.Answer{SQL: "SELECT 1", How: loop.ByDryRun},
			"```sql\nSELECT 1\n```\n\n- It was checked and not run.\n"},
	} {
		if diff := cmp.Diff(tt.want, strings.Join(chatText(answer.Answer{Answer: tt.ans}), "")); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
	long := loop.Answer{SQL: "SELECT 1", Result: &runner.Result{Columns: []string{"a"}, Rows: rows, Truncated: true}}
	text := strings.Join(chatText(answer.Answer{Answer: long}), "")
	if n := strings.Count(text, "&lt;img"); n != chatRows ||
		!strings.Contains(text, "60 rows shown, there are more, 50 of them here.") {
		t.Errorf("%d rows: %s", n, text)
	}
}

// Parts of a message are lines.
func TestParts(t *testing.T) {
	for content, want := range map[string]string{
		`"one"`: "one", `[{"type":"text","text":"one"}]`: "one", `[]`: "",
		`[{"type":"text","text":"one"},{"type":"text","text":"two"}]`: "one\ntwo",
	} {
		must.Equal(t, must.Get(chatMessage{Content: []byte(content)}.text())(t), want)
	}
}
