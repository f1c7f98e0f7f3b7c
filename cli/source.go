package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"nl2sql/llm"
	"nl2sql/llm/catalog"
	"nl2sql/llm/llamacpp"
	"nl2sql/llm/lora"
	"nl2sql/llm/openai"
	"nl2sql/runner"
)

// source is what --model and --adapter name: a file with the adapter to apply, a model on a server, or scripted replies.
type source struct {
	file    llm.GGUF
	adapter llm.Adapter // no Path without --adapter
	remote  *openai.Model
	replay  *llm.Replay
}

// source looks at what --model and --adapter name, once, and loads no weights: what is wrong is told before a database
// is opened.
func (c *cli) source(ctx context.Context) (source, error) {
	if c.found == nil {
		s, err := c.findSource(ctx)
		if err != nil {
			return s, err
		}
		c.found = &s
	}
	return *c.found, nil
}

func (c *cli) findSource(ctx context.Context) (s source, err error) {
	if c.Model == "" {
		return s, errors.New("no model: get one with `make model`, or name one with --model or NL2SQL_MODEL (`nl2sql model list` shows what is here)")
	}
	url, remote := strings.CutPrefix(c.Model, "openai:")
	file, scripted := strings.CutPrefix(c.Model, "replay:")
	if c.Adapter != "" && (remote || scripted) {
		return s, errors.New("--adapter needs a GGUF model: a server applies adapters of its own, scripted replies none")
	}
	if remote {
		o, err := openai.Parse(url)
		if err != nil {
			return s, fmt.Errorf("model: %w", err)
		}
		o.Key, o.Parallel, o.PerMinute = os.Getenv("NL2SQL_API_KEY"), c.Parallel, c.Rate
		if s.remote, err = openai.Open(ctx, o); err != nil {
			return s, fmt.Errorf("model: %w", err)
		}
		c.closers = append(c.closers, s.remote.Close)
		return s, nil
	}
	if scripted {
		text, err := os.ReadFile(file)
		if err != nil {
			return s, fmt.Errorf("open model: %w", brief(err))
		}
		s.replay = llm.NewReplay(string(text))
		return s, nil
	}
	if s.file, err = c.readModel(ctx, c.Model); err == nil && c.Adapter != "" {
		s.adapter, err = c.openAdapter(ctx, s.file)
	}
	return s, err
}

// readModel reads the header of the file that a name or path means.
func (c *cli) readModel(ctx context.Context, name string) (llm.GGUF, error) {
	file, err := c.findModel(ctx, name)
	if err != nil {
		return llm.GGUF{}, err
	}
	return llm.ReadGGUF(file)
}

// findModel returns the path of a file, or of a model that model list shows.
func (c *cli) findModel(ctx context.Context, name string) (string, error) {
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	places, err := c.places()
	if err != nil {
		return "", err
	}
	f, err := places.Find(ctx, name)
	if errors.Is(err, catalog.ErrNotFound) && filepath.Ext(name) == ".gguf" {
		return name, nil // opening it says what is wrong
	}
	if err == nil {
		slog.Debug("model found", "name", f.Name, "source", f.Source, "path", f.Path)
	}
	return f.Path, err
}

// places are the folders where models are looked for.
func (c *cli) places() (catalog.Places, error) {
	cache, err := runner.CacheFolder()
	if err != nil {
		return catalog.Places{}, err
	}
	return catalog.DefaultPlaces(cache), nil
}

// openAdapter checks what --adapter names against its base; a PEFT folder is converted into the cache.
func (c *cli) openAdapter(ctx context.Context, base llm.GGUF) (llm.Adapter, error) {
	cache, err := runner.CacheFolder()
	if err != nil {
		return llm.Adapter{}, err
	}
	a, err := lora.Open(ctx, c.Adapter, base, filepath.Join(cache, "adapters"))
	slog.Debug("adapter", "path", a.Path, "weights", len(a.Pairs))
	return a, err
}

// ProvideModel opens the model, and only for commands whose Run asks for one.
func (c *cli) ProvideModel(ctx context.Context, con *console) (llm.Generator, error) {
	s, err := c.source(ctx)
	if err != nil {
		return nil, err
	}
	if s.replay != nil {
		return s.replay, nil
	}
	if s.remote != nil {
		return s.remote, nil
	}
	cache, err := runner.CacheFolder()
	if err != nil {
		return nil, err
	}
	bar := con.progress()
	defer bar.clear()
	o := c.engine(s, con, bar)
	o.Prefixes = filepath.Join(cache, "prefixes")
	m, err := llamacpp.Open(ctx, s.file.Path, o)
	if err != nil {
		return nil, err
	}
	c.closers = append(c.closers, m.Close)
	return m, nil
}

// engine is how the flags say that a model of a file is to be loaded, with progress shown on bar.
func (c *cli) engine(s source, con *console, bar *progress) llamacpp.Options {
	return llamacpp.Options{
		Context: c.Context, Threads: c.Threads, Parallel: c.Parallel, Fast: c.Fast, NoDraft: c.NoDraft, KV: c.KV, Adapter: s.adapter.Path,
		GPU: c.gpuLayers(), CUDA: cudaPlaces(), Warn: con.warn(bar),
		Progress: func(done float64) { bar.show("loading the model %3.0f %%", 100*done) },
		Log:      c.llamaLog(),
	}
}

// use is how the flags say that a model is to be run.
func (c *cli) use() llm.Use { return llm.Use{Context: c.Context, Parallel: c.Parallel, KV: c.KV} }

func (c *cli) llamaLog() func(string) {
	if !c.Verbose {
		return nil
	}
	return func(line string) { slog.Debug("llama.cpp: " + strings.TrimSpace(line)) }
}
