// Command adapter packs an adapter that scripts/train made into assets, beside its card and its log.
//
//	go run ./scripts/adapter -base MODEL.gguf -peft FOLDER -prompts typed -out assets/adapters/NAME
package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/llm/lora"
)

func main() {
	base := flag.String("base", "", "GGUF file that it was trained on")
	peft := flag.String("peft", "", "folder that the training wrote")
	prompts := flag.String("prompts", "typed", "prompt set that it was trained on")
	out := flag.String("out", "", "folder to write")
	flag.Parse()
	if err := pack(*base, *peft, *prompts, *out); err != nil {
		fmt.Fprintln(os.Stderr, "adapter:", err)
		os.Exit(1)
	}
}

func pack(basePath, peft, prompts, out string) error {
	base, err := llm.ReadGGUF(basePath)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "adapter-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	converted, err := lora.Open(context.Background(), peft, base, dir)
	if err != nil {
		return err
	}
	file, err := os.ReadFile(converted.Path)
	if err != nil {
		return err
	}
	sum := sha256.New()
	if err := llm.Fingerprint(sum, basePath); err != nil {
		return err
	}
	card, err := json.Marshal(assets.Adapter{Base: fmt.Sprintf("%x", sum.Sum(nil)), Prompts: prompts, SHA256: fmt.Sprintf("%x", sha256.Sum256(file))})
	if err != nil {
		return err
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	packed := w.EncodeAll(file, nil)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	fmt.Printf("%d weights, %d bytes, packed %d\n", len(converted.Pairs), len(file), len(packed))
	if err := os.WriteFile(filepath.Join(out, "adapter.json"), append(card, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "adapter.gguf.zst"), packed, 0o644)
}
