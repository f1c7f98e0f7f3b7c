package llm

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Part is a piece of a prompt. In a special part the names of control tokens stand for the tokens; in any other part
// they are plain text, so that no question can end its own turn.
type Part struct {
	Text    string
	Special bool
}

// Template turns chat turns into the text that a family of models was trained on.
type Template struct {
	Name string // "llama3", "chatml", "mistral", …

	first   string          // comes before all turns
	bos     bool            // first holds the token that begins a text; if not, the vocabulary's own rule holds
	turns   map[string]turn // by role
	answer  string          // begins the answer
	control []string        // names of the tokens that structure a chat, beside those that first, turns and answer name
	system  string          // ChatML: the system text of a chat that has none
	trim    bool            // contents lose the white space around them
	fold    bool            // no system role: its text begins the first user turn
	joined  bool            // the system's turn lies in the first user turn, which it begins
	think   string          // follows answer where the template knows thoughts: an empty one
}

// turn is what stands around a message.
type turn struct{ open, end string }

// alike are turns that differ by the role's name alone, a %s.
func alike(open, end string) map[string]turn {
	turns := make(map[string]turn)
	for _, role := range []string{"system", "user", "assistant"} {
		turns[role] = turn{strings.ReplaceAll(open, "%s", role), end}
	}
	return turns
}

// families are the templates that are known, each by what only its own Jinja text holds, the first that fits. Source:
// the publishers' templates, and llama.cpp's llama-chat.cpp.
var families = []struct {
	marks []string
	Template
}{
	{[]string{"<|start_header_id|>"}, Template{
		Name: "llama3", first: "<|begin_of_text|>", bos: true, trim: true,
		turns:   alike("<|start_header_id|>%s<|end_header_id|>\n\n", "<|eot_id|>"),
		answer:  "<|start_header_id|>assistant<|end_header_id|>\n\n",
		control: []string{"<|end_of_text|>", "<|eom_id|>", "<|python_tag|>"},
	}},
	{[]string{"<|im_start|>", "<|im_sep|>"}, Template{
		Name: "phi4", turns: alike("<|im_start|>%s<|im_sep|>", "<|im_end|>"), answer: "<|im_start|>assistant<|im_sep|>",
		control: []string{"<|endoftext|>"}, think: noThought,
	}},
	{[]string{"<|im_start|>"}, Template{
		Name: "chatml", turns: alike("<|im_start|>%s\n", "<|im_end|>\n"), answer: "<|im_start|>assistant\n",
		control: []string{"<|endoftext|>"}, think: noThought,
	}},
	{[]string{"<start_of_turn>"}, Template{
		Name: "gemma", first: "<bos>", bos: true, trim: true, fold: true,
		turns: map[string]turn{
			"user": {"<start_of_turn>user\n", "<end_of_turn>\n"}, "assistant": {"<start_of_turn>model\n",
				"<end_of_turn>\n"},
		},
		answer: "<start_of_turn>model\n", control: []string{"<eos>"},
	}},
	{[]string{"[INST]", "[SYSTEM_PROMPT]"}, Template{
		Name: "mistral7", turns: map[string]turn{
			"system": {"[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]"}, "user": {"[INST]", "[/INST]"}, "assistant": {"", "</s>"},
		}, control: []string{"<s>", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_CALLS]", "[TOOL_RESULTS]",
			"[/TOOL_RESULTS]"},
	}},
	{[]string{"[INST]", "<<SYS>>"}, Template{
		Name: "llama2", trim: true, joined: true, turns: map[string]turn{
			"system": {"[INST] <<SYS>>\n", "\n<</SYS>>\n\n"}, "user": {"[INST] ", " [/INST]"},
			"assistant": {" ", " </s>"},
		}, control: []string{"<s>"},
	}},
	{[]string{"[INST]", " [/INST]"}, Template{
		Name: "mistral1", fold: true, trim: true, turns: map[string]turn{"user": {"[INST] ", " [/INST]"},
			"assistant": {" ", "</s>"}},
		control: []string{"<s>"},
	}},
	{[]string{`"[INST]"`}, Template{ // Tekken's tokens begin words, so that no space is wanted
		Name: "mistral3-tekken", fold: true, turns: map[string]turn{"user": {"[INST]", "[/INST]"},
			"assistant": {"", "</s>"}},
		control: []string{"<s>", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_CALLS]", "[TOOL_RESULTS]",
			"[/TOOL_RESULTS]"},
	}},
	{[]string{"[INST]"}, Template{
		Name: "mistral", fold: true, trim: true, turns: map[string]turn{"user": {"[INST] ", "[/INST]"},
			"assistant": {" ", "</s>"}},
		control: []string{"<s>", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_CALLS]", "[TOOL_RESULTS]",
			"[/TOOL_RESULTS]"},
	}},
	{[]string{"<|header_start|>"}, Template{
		Name: "llama4", first: "<|begin_of_text|>", bos: true, trim: true,
		turns:   alike("<|header_start|>%s<|header_end|>\n\n", "<|eot|>"),
		answer:  "<|header_start|>assistant<|header_end|>\n\n",
		control: []string{"<|end_of_text|>", "<|eom|>", "<|python_start|>", "<|python_end|>"},
	}},
	{[]string{"<|start_of_role|>"}, Template{
		Name: "granite", turns: alike("<|start_of_role|>%s<|end_of_role|>", "<|end_of_text|>\n"),
		answer: "<|start_of_role|>assistant<|end_of_role|>",
	}},
	{[]string{"<|start|>", "<|channel|>"}, Template{ // Harmony: the answer's channel leaves no room for thoughts
		Name: "gpt-oss", turns: map[string]turn{
			"system":    {"<|start|>developer<|message|># Instructions\n\n", "<|end|>"},
			"user":      {"<|start|>user<|message|>", "<|end|>"},
			"assistant": {"<|start|>assistant<|channel|>final<|message|>", "<|end|>"},
		}, answer: "<|start|>assistant<|channel|>final<|message|>",
		control: []string{"<|return|>", "<|call|>", "<|constrain|>", "<|startoftext|>", "<|endoftext|>"},
	}},
	{[]string{"[gMASK]<sop>"}, Template{
		Name: "glm4", first: "[gMASK]<sop>", bos: true, turns: alike("<|%s|>\n", ""), answer: "<|assistant|>\n",
		control: []string{"<|endoftext|>", "<|observation|>"}, think: "<think></think>\n",
	}},
	{[]string{"<|assistant|>", "<|end|>"}, Template{
		Name: "phi3", turns: alike("<|%s|>\n", "<|end|>\n"), answer: "<|assistant|>\n",
		control: []string{"<|endoftext|>"},
		think:   noThought,
	}},
	{[]string{"<|assistant|>", "<|user|>", "<|endoftext|>"}, Template{
		Name: "olmo", first: "<|endoftext|>", bos: true, turns: map[string]turn{
			"system": {"<|system|>\n", "\n"}, "user": {"<|user|>\n", "\n"}, "assistant": {"<|assistant|>\n",
				"<|endoftext|>\n"},
		}, answer: "<|assistant|>\n",
	}},
	{[]string{"<|assistant|>", "<|user|>"}, Template{
		Name: "falcon3", turns: alike("<|%s|>\n", "\n"), answer: "<|assistant|>\n",
		control: []string{"<|endoftext|>", "</s>"},
	}},
	{[]string{"<|START_OF_TURN_TOKEN|>", "<|USER_TOKEN|>"}, Template{
		Name: "command-r", first: "<BOS_TOKEN>", bos: true, trim: true, turns: map[string]turn{
			"system":    {"<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>", "<|END_OF_TURN_TOKEN|>"},
			"user":      {"<|START_OF_TURN_TOKEN|><|USER_TOKEN|>", "<|END_OF_TURN_TOKEN|>"},
			"assistant": {"<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>", "<|END_OF_TURN_TOKEN|>"},
		}, answer: "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>", control: []string{"<EOS_TOKEN>"},
	}},
	{[]string{"<｜Assistant｜>", "<｜User｜>"}, Template{
		Name: "deepseek3", first: "<｜begin▁of▁sentence｜>", bos: true, turns: map[string]turn{
			"system": {"", "\n\n"}, "user": {"<｜User｜>", ""}, "assistant": {"<｜Assistant｜>", "<｜end▁of▁sentence｜>"},
		}, answer: "<｜Assistant｜>", think: noThought,
	}},
	{[]string{"### Instruction:", "<|EOT|>"}, Template{
		Name: "deepseek-coder", turns: map[string]turn{
			"system": {"", "\n"}, "user": {"### Instruction:\n", "\n"}, "assistant": {"### Response:\n", "\n<|EOT|>\n"},
		}, answer: "### Response:\n",
	}},
	{[]string{"'Assistant: '", "'User: '"}, Template{
		Name: "deepseek2", turns: map[string]turn{
			"system": {"", "\n\n"}, "user": {"User: ", "\n\n"}, "assistant": {"Assistant: ", "<｜end▁of▁sentence｜>"},
		}, answer: "Assistant:", control: []string{"<｜begin▁of▁sentence｜>"},
	}},
	{[]string{"[|assistant|]", "[|endofturn|]"}, Template{
		Name: "exaone", trim: true, turns: map[string]turn{
			"system": {"[|system|]", "[|endofturn|]\n"}, "user": {"[|user|]", "\n"}, "assistant": {"[|assistant|]",
				"[|endofturn|]\n"},
		}, answer: "[|assistant|]", think: noThought,
	}},
	{[]string{"<seed:bos>"}, Template{
		Name: "seed-oss", turns: alike("<seed:bos>%s\n", "<seed:eos>"), answer: "<seed:bos>assistant\n",
	}},
}

// noThought is what models that think write when they do not.
const noThought = "<think>\n\n</think>\n\n"

// chatMLSystem finds the text that a ChatML template says when a chat brings no system turn.
var chatMLSystem = regexp.MustCompile(`<\|im_start\|>system(?:\\n|\n)([^'"{}<]+)<\|im_end\|>`)

// FindTemplate recognises the family of a model by its Jinja chat template, as a GGUF file holds it
// (tokenizer.chat_template). It fails for a template of another family, and for none: such a model does not chat.
func FindTemplate(jinja string) (Template, error) {
	if strings.TrimSpace(jinja) == "" {
		return Template{}, fmt.Errorf("no chat template: this is a base model, an instruct model is needed")
	}
	for _, f := range families {
		if slices.ContainsFunc(f.marks, func(mark string) bool { return !strings.Contains(jinja, mark) }) {
			continue
		}
		t := f.Template
		if m := chatMLSystem.FindStringSubmatch(jinja); t.Name == "chatml" && m != nil {
			t.system = m[1]
		}
		if !strings.Contains(jinja, "</think>") {
			t.think = ""
		}
		t.control = slices.Concat(t.control, t.names())
		return t, nil
	}
	shown := strings.Join(strings.Fields(jinja), " ")
	if len(shown) > 80 {
		shown = strings.ToValidUTF8(shown[:80], "") + "…"
	}
	var known []string
	for _, f := range families {
		known = append(known, f.Name)
	}
	return Template{}, fmt.Errorf("unknown chat template %q: nl2sql knows those of %s", shown,
		strings.Join(known, ", "))
}

// controlName is a name of a control token in a template.
var controlName = regexp.MustCompile(`<[^<>\s]+>|\[/?[A-Z_]+\]|\[\|\w+\|\]|\[gMASK\]`)

// names lists the control tokens that the template writes.
func (t Template) names() (names []string) {
	text := t.first + t.answer
	for _, role := range []string{"system", "user", "assistant"} {
		text += t.turns[role].open + t.turns[role].end
	}
	for _, name := range controlName.FindAllString(text, -1) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// controls are the names of the control tokens of every family, longest first.
var controls = func() (names []string) {
	for _, f := range families {
		for _, name := range slices.Concat(f.control, f.names()) {
			if len(name) > 3 && !slices.Contains(names, name) { // <s> is also HTML's
				names = append(names, name)
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return names
}()

// WithoutControl is a text for a server that writes the chat template itself and may take the name of a control token
// in a message for the token: each such name, of whatever family, gets a space behind its first letter.
func WithoutControl(text string) string {
	if !strings.ContainsAny(text, "<[") {
		return text
	}
	for _, name := range controls {
		if strings.Contains(text, name) {
			_, size := utf8.DecodeRuneInString(name)
			text = strings.ReplaceAll(text, name, name[:size]+" "+name[size:])
		}
	}
	return text
}

// BOS reports whether the parts begin with the token that begins a text; if not, the vocabulary's rule holds.
func (t Template) BOS() bool { return t.bos }

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
	b.special(t.first)
	for i, m := range msgs {
		content := strings.ToValidUTF8(m.Content, "\uFFFD")
		if t.trim {
			content = strings.TrimSpace(content)
		}
		turn := t.turns[m.Role]
		if !t.joined || i == 0 || msgs[i-1].Role != "system" {
			b.special(turn.open)
		}
		b.plain(content, t.control)
		b.special(turn.end)
	}
	b.special(t.answer + t.think)
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
