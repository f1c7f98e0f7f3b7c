package cli

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/llm/lora"
	"nl2sql/runner"
)

// openAdapter checks an adapter against its base; a PEFT folder is converted into the cache.
func openAdapter(ctx context.Context, path string, base llm.GGUF) (llm.Adapter, error) {
	cache, err := runner.CacheFolder()
	if err != nil {
		return llm.Adapter{}, err
	}
	a, err := lora.Open(ctx, path, base, filepath.Join(cache, "adapters"))
	slog.Debug("adapter", "path", a.Path, "weights", len(a.Pairs))
	return a, err
}

// builtIn finds the built-in adapter of a model. Its Name is "" if there is none.
func builtIn(base llm.GGUF) (assets.Adapter, error) {
	all, err := assets.Adapters()
	if err != nil || base.Path == "" {
		return assets.Adapter{}, err
	}
	sum := sha256.New()
	if err := llm.Fingerprint(sum, base.Path); err != nil {
		return assets.Adapter{}, fmt.Errorf("open model: %w", brief(err))
	}
	for _, a := range all {
		if a.Base == fmt.Sprintf("%x", sum.Sum(nil)) {
			return a, nil
		}
	}
	return assets.Adapter{}, nil
}

// unpackAdapter writes a built-in adapter into the cache, unless it is there, and checks it against its base.
func unpackAdapter(ctx context.Context, a assets.Adapter, base llm.GGUF) (llm.Adapter, error) {
	cache, err := runner.CacheFolder()
	if err != nil {
		return llm.Adapter{}, err
	}
	path := filepath.Join(cache, "adapters", a.Name+"-"+a.SHA256[:16]+".gguf")
	if opened, err := llm.ReadAdapter(path, base); err == nil {
		return opened, nil
	}
	file, err := a.GGUF()
	if err != nil {
		return llm.Adapter{}, err
	}
	write := func(w io.Writer) error {
		_, err := w.Write(file)
		return err
	}
	if err := lora.WriteFile(ctx, path, write); err != nil {
		return llm.Adapter{}, fmt.Errorf("unpack the adapter: %w", brief(err))
	}
	return llm.ReadAdapter(path, base)
}

// promptSet is what --prompts means for the model: auto is what its built-in adapter was trained on, or default. Where the
// prompts are those of the built-in adapter, --adapter auto applies it; taught is false where the model is asked for more than SQL.
func (f *ModelFlags) promptSet(ctx context.Context, open *opened, prompts string, taught bool) (string, error) {
	s, err := f.source(ctx, open)
	if err != nil {
		return "", err
	}
	if f.Adapter == "auto" && taught {
		a, err := builtIn(s.file)
		if err != nil {
			return "", err
		}
		if a.Name != "" && (prompts == "auto" || prompts == a.Prompts) {
			f.found.adapter, err = unpackAdapter(ctx, a, s.file)
			return a.Prompts, err
		}
	}
	if prompts == "auto" {
		prompts = "default"
	}
	return prompts, nil
}
