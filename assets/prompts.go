package assets

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"text/template"
)

//go:embed prompts
var prompts embed.FS

// Prompt returns template name of a prompt set: a file whose blocks are the messages.
func Prompt(set, name string) (*template.Template, error) {
	t, err := template.New(name).Option("missingkey=error").ParseFS(prompts, "prompts/"+set+"/"+name+".tmpl")
	if err != nil {
		return nil, fmt.Errorf("prompt %s/%s: %w", set, name, err)
	}
	return t, nil
}

// PromptHash is the SHA-256 of the file that [Prompt] reads.
func PromptHash(set, name string) (string, error) {
	text, err := prompts.ReadFile("prompts/" + set + "/" + name + ".tmpl")
	if err != nil {
		return "", fmt.Errorf("prompt %s/%s: %w", set, name, err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(text)), nil
}
