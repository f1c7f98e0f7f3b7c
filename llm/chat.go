package llm

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Part is a piece of a prompt. In a special part the names of control tokens stand for the tokens; in any other part
// they are plain text, so that no question can end its own turn.
type Part struct {
	Text    string
	Special bool
}

// Template turns chat turns into the text that a family of models was trained on.
type Template struct {
	Name string // "llama3", "chatml" or "gemma"

	bos     string                   // written first; "" leaves it to the vocabulary's own rule
	control []string                 // names of the tokens that structure a chat
	open    func(role string) string // begins a turn
	end     string                   // ends a turn
	system  string                   // ChatML: the system text of a chat that has none
	trim    bool                     // contents lose the white space around them
	fold    bool                     // no system role: its text begins the first user turn
}

// families are the templates that are known, each by a control token that only its own Jinja text holds.
var families = []struct {
	mark string
	Template
}{
	{"<|start_header_id|>", Template{
		Name: "llama3", bos: "<|begin_of_text|>", trim: true, end: "<|eot_id|>",
		open:    func(role string) string { return "<|start_header_id|>" + role + "<|end_header_id|>\n\n" },
		control: []string{"<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|eom_id|>", "<|python_tag|>"},
	}},
	{"<|im_start|>", Template{
		Name: "chatml", end: "<|im_end|>\n",
		open:    func(role string) string { return "<|im_start|>" + role + "\n" },
		control: []string{"<|im_start|>", "<|im_end|>", "<|endoftext|>"},
	}},
	{"<start_of_turn>", Template{
		Name: "gemma", bos: "<bos>", trim: true, fold: true, end: "<end_of_turn>\n",
		open: func(role string) string {
			if role == "assistant" {
				role = "model"
			}
			return "<start_of_turn>" + role + "\n"
		},
		control: []string{"<bos>", "<eos>", "<start_of_turn>", "<end_of_turn>"},
	}},
}

// chatMLSystem finds the text that a ChatML template says when a chat brings no system turn.
var chatMLSystem = regexp.MustCompile(`<\|im_start\|>system(?:\\n|\n)([^'"{}<]+)<\|im_end\|>`)

// FindTemplate recognises the family of a model by its Jinja chat template, as a GGUF file holds it
// (tokenizer.chat_template). It fails for a template of another family, and for none: such a model does not chat.
func FindTemplate(jinja string) (Template, error) {
	if strings.TrimSpace(jinja) == "" {
		return Template{}, fmt.Errorf("no chat template: this is a base model, an instruct model is needed")
	}
	for _, f := range families {
		if strings.Contains(jinja, f.mark) {
			t := f.Template
			if m := chatMLSystem.FindStringSubmatch(jinja); t.Name == "chatml" && m != nil {
				t.system = m[1]
			}
			return t, nil
		}
	}
	shown := strings.Join(strings.Fields(jinja), " ")
	if len(shown) > 80 {
		shown = strings.ToValidUTF8(shown[:80], "") + "…"
	}
	return Template{}, fmt.Errorf("unknown chat template %q: nl2sql knows those of Llama 3, ChatML (Qwen, SmolLM) and Gemma", shown)
}

// BOS reports whether the parts begin with the token that begins a text; if not, the vocabulary's rule holds.
func (t Template) BOS() bool { return t.bos != "" }

// Parts writes the chat up to where the assistant's answer begins.
func (t Template) Parts(msgs []Message) ([]Part, error) {
	if len(msgs) == 0 {
		return nil, fmt.Errorf("no messages")
	}
	for i, m := range msgs {
		if m.Role != "user" && m.Role != "assistant" && (m.Role != "system" || i > 0) {
			return nil, fmt.Errorf("message %d has role %q: want user or assistant, or system first", i+1, m.Role)
		}
	}
	switch {
	case t.fold && msgs[0].Role == "system":
		rest := slices.Clone(msgs[1:])
		if len(rest) > 0 && rest[0].Role == "user" {
			rest[0].Content = strings.TrimSpace(msgs[0].Content) + "\n\n" + rest[0].Content
		} else {
			rest = append([]Message{{Role: "user", Content: msgs[0].Content}}, rest...)
		}
		msgs = rest
	case t.system != "" && msgs[0].Role != "system":
		msgs = append([]Message{{Role: "system", Content: t.system}}, msgs...)
	}
	var b parts
	b.special(t.bos)
	for _, m := range msgs {
		content := strings.ToValidUTF8(m.Content, "\uFFFD")
		if t.trim {
			content = strings.TrimSpace(content)
		}
		b.special(t.open(m.Role))
		b.plain(content, t.control)
		b.special(t.end)
	}
	b.special(t.open("assistant"))
	return b, nil
}

type parts []Part

// special adds text with control tokens; neighbours become one part, since a tokenizer may join what is beside.
func (p *parts) special(text string) {
	if n := len(*p); n > 0 && (*p)[n-1].Special {
		(*p)[n-1].Text += text
	} else if text != "" {
		*p = append(*p, Part{text, true})
	}
}

// plain adds text without control tokens. Some files list such tokens as ordinary words, which are found in plain
// text too; cutting their names after the first letter keeps them text there as well.
func (p *parts) plain(text string, control []string) {
	for text != "" {
		cut := len(text)
		for _, name := range control {
			if i := strings.Index(text[:min(len(text), cut+len(name)-1)], name); i >= 0 {
				cut = min(cut, i+1)
			}
		}
		*p = append(*p, Part{text[:cut], false})
		text = text[cut:]
	}
}
