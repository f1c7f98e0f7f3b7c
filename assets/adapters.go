package assets

import (
	"crypto/sha256"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"

	"github.com/klauspost/compress/zstd"
)

//go:embed adapters/*/adapter.json adapters/*/adapter.gguf.zst
var adapters embed.FS

// Adapter is a LoRA that is built in. Beside it lie a card for readers and the log of its training, which are not.
type Adapter struct {
	Name    string `json:"-"`       // of its folder
	Base    string `json:"base"`    // SHA-256 of what llm.Fingerprint writes of the model that it was trained on
	Prompts string `json:"prompts"` // the prompt set that it was trained on
	SHA256  string `json:"sha256"`  // of the GGUF file
}

// Adapters are all of them, by their names.
func Adapters() ([]Adapter, error) {
	files, err := fs.Glob(adapters, "adapters/*/adapter.json")
	if err != nil {
		return nil, err
	}
	out := make([]Adapter, len(files))
	for i, file := range files {
		text, err := adapters.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &out[i])
		}
		if err != nil {
			return nil, fmt.Errorf("assets: %s: %w", file, err)
		}
		out[i].Name = path.Base(path.Dir(file))
	}
	return out, nil
}

// GGUF is the adapter's file.
func (a Adapter) GGUF() ([]byte, error) {
	packed, err := adapters.ReadFile("adapters/" + a.Name + "/adapter.gguf.zst")
	if err != nil {
		return nil, fmt.Errorf("assets: %w", err)
	}
	file, err := unpack(packed)
	if err == nil && !a.Is(file) {
		err = fmt.Errorf("is not the one that adapter.json names")
	}
	if err != nil {
		return nil, fmt.Errorf("assets: adapter %s: %w", a.Name, err)
	}
	return file, nil
}

// Is says whether a GGUF file is this adapter's, by its SHA-256.
func (a Adapter) Is(file []byte) bool { return fmt.Sprintf("%x", sha256.Sum256(file)) == a.SHA256 }

func unpack(packed []byte) ([]byte, error) {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.DecodeAll(packed, nil)
}
