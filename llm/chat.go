package llm

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Part is a piece of a prompt. In a special part the names of control tokens stand for the tokens; in any other part
// they are plain text, so that no question can end its own turn.
type Part struct {
	Text    string
	Special bool
}

// Template turns chat turns into the text that a family of models was trained on. Turns have what stands before and
// behind a message, by role.
type Template struct {
	Name    string // "llama3", "chatml", "mistral", …
	Marks   []string
	First   string // comes before all turns
	BOS     bool   // First holds the token that begins a text; if not, the vocabulary's own rule holds
	Turns   map[string][2]string
	Answer  string   // begins the answer
	Control []string // names of the tokens that structure a chat, beside those that First, Turns and Answer name
	System  string   // ChatML: the system text of a chat that has none
	Trim    bool     // contents lose the white space around them
	Fold    bool     // no system role: its text begins the first user turn
	Joined  bool     // the system's turn lies in the first user turn, which it begins
	Think   string   // follows Answer where the template knows thoughts: an empty one
}

//go:embed templates.yaml
var templates []byte

// families are the templates that are known, the first that fits; read when they are first asked for.
var families = sync.OnceValue(func() (all []Template) {
	if err := yaml.Load(templates, &all, yaml.WithKnownFields()); err != nil {
		panic(err) // of a file of ours, which every test reads
	}
	return all
})

// chatMLSystem finds the text that a ChatML template says when a chat brings no system turn.
var chatMLSystem = regexp.MustCompile(`<\|im_start\|>system(?:\\n|\n)([^'"{}<]+)<\|im_end\|>`)

// FindTemplate recognises the family of a model by its Jinja chat template, as a GGUF file holds it
// (tokenizer.chat_template). It fails for a template of another family, and for none: such a model does not chat.
func FindTemplate(jinja string) (Template, error) {
	if strings.TrimSpace(jinja) == "" {
		return Template{}, fmt.Errorf("no chat template: this is a base model, an instruct model is needed")
	}
	for _, t := range families() {
		if slices.ContainsFunc(t.Marks, func(mark string) bool { return !strings.Contains(jinja, mark) }) {
			continue
		}
		if m := chatMLSystem.FindStringSubmatch(jinja); t.Name == "chatml" && m != nil {
			t.System = m[1]
		}
		if !strings.Contains(jinja, "</think>") {
			t.Think = ""
		}
		t.Control = slices.Concat(t.Control, t.names())
		return t, nil
	}
	shown := strings.Join(strings.Fields(jinja), " ")
	if len(shown) > 80 {
		shown = strings.ToValidUTF8(shown[:80], "") + "…"
	}
	var known []string
	for _, f := range families() {
		known = append(known, f.Name)
	}
	return Template{}, fmt.Errorf("unknown chat template %q: nl2sql knows those of %s", shown,
		strings.Join(known, ", "))
}

// controlName is a name of a control token in a template.
var controlName = regexp.MustCompile(`<[^<>\s]+>|\[/?[A-Z_]+\]|\[\|\w+\|\]|\[gMASK\]`)

// names lists the control tokens that the template writes.
func (t Template) names() (names []string) {
	text := t.First + t.Answer
	for _, role := range []string{"system", "user", "assistant"} {
		text += t.Turns[role][0] + t.Turns[role][1]
	}
	for _, name := range controlName.FindAllString(text, -1) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// controls are the names of the control tokens of every family, longest first.
var controls = sync.OnceValue(func() (names []string) {
	for _, f := range families() {
		for _, name := range slices.Concat(f.Control, f.names()) {
			if len(name) > 3 && !slices.Contains(names, name) { // <s> is also HTML's
				names = append(names, name)
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return names
})

// WithoutControl is a text for a server that writes the chat template itself and may take the name of a control token
// in a message for the token: each such name, of whatever family, gets a space behind its first letter.
func WithoutControl(text string) string {
	if !strings.ContainsAny(text, "<[") {
		return text
	}
	for _, name := range controls() {
		if strings.Contains(text, name) {
			_, size := utf8.DecodeRuneInString(name)
			text = strings.ReplaceAll(text, name, name[:size]+" "+name[size:])
		}
	}
	return text
}

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
	case t.Fold && msgs[0].Role == "system":
		rest := slices.Clone(msgs[1:])
		if len(rest) > 0 && rest[0].Role == "user" {
			rest[0].Content = strings.TrimSpace(msgs[0].Content) + "\n\n" + rest[0].Content
		} else {
			rest = append([]Message{{Role: "user", Content: msgs[0].Content}}, rest...)
		}
		msgs = rest
	case t.System != "" && msgs[0].Role != "system":
		msgs = append([]Message{{Role: "system", Content: t.System}}, msgs...)
	}
	var b parts
	b.special(t.First)
	for i, m := range msgs {
		content := strings.ToValidUTF8(m.Content, "\uFFFD")
		if t.Trim {
			content = strings.TrimSpace(content)
		}
		turn := t.Turns[m.Role]
		if !t.Joined || i == 0 || msgs[i-1].Role != "system" {
			b.special(turn[0])
		}
		b.plain(content, t.Control)
		b.special(turn[1])
	}
	b.special(t.Answer + t.Think)
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
