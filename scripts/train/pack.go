package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/llm/lora"
)

// packAdapter packs an adapter that train.py made into a folder of assets: the weights, and the card that names their
// base and pins their SHA-256.
func packAdapter(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("pack", flag.ExitOnError)
	base := f.String("base", "", "GGUF file that it was trained on")
	peft := f.String("peft", "", "folder that the training wrote")
	prompts := f.String("prompts", "typed", "prompt set that it was trained on")
	out := f.String("out", "", "folder to write")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *base == "" || *peft == "" || *out == "" {
		return errors.New("usage: pack -base MODEL.gguf -peft FOLDER -out assets/adapters/NAME")
	}
	return pack(ctx, *base, *peft, *prompts, *out)
}

func pack(ctx context.Context, basePath, peft, prompts, out string) error {
	base, err := llm.ReadGGUF(basePath)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "adapter-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	converted, err := lora.Open(ctx, peft, base, dir)
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
	card := assets.Adapter{
		Base: fmt.Sprintf("%x", sum.Sum(nil)), Prompts: prompts, SHA256: fmt.Sprintf("%x", sha256.Sum256(file)),
	}
	if same, err := isPacked(out, card); err != nil || same {
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
	text, err := json.Marshal(card)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "adapter.json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "adapter.gguf.zst"), packed, 0o644)
}

// isPacked says whether a folder has the adapter already: what is packed anew is other bytes, and git keeps them all.
func isPacked(out string, card assets.Adapter) (bool, error) {
	text, err := os.ReadFile(filepath.Join(out, "adapter.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	var there assets.Adapter
	if err := json.Unmarshal(text, &there); err != nil {
		return false, fmt.Errorf("adapter.json: %w", err)
	}
	if there != card {
		return false, nil
	}
	fmt.Printf("%s has this adapter already\n", out)
	return true, nil
}
