package llamacpp

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"nl2sql/llm"
)

// Bytes on disk of the prefixes of one model, and of all.
const (
	diskFile = 256 << 20
	diskAll  = 1 << 30
)

// saved is where a model's prefixes lie between processes. The zero value keeps none.
type saved struct {
	folder string
	key    [32]byte
	log    func(string)
}

func (s saved) path() string { return s.file(".prefixes") }

// file is that of the model with another ending.
func (s saved) file(ending string) string {
	return filepath.Join(s.folder, fmt.Sprintf("%x%s", s.key[:12], ending))
}

func (s saved) say(err error) {
	if s.log != nil && err != nil {
		s.log(err.Error())
	}
}

// recall fills the tree with what an earlier process left for the same model, adapter, llama.cpp, processor features,
// GPUs, types and mode. Nothing found, or something damaged, is no error: prompts are read as if it were the first
// time.
func (m *Model) recall(model llm.Place, o Options) {
	if m.tree == nil || o.Prefixes == "" {
		return
	}
	sum := sha256.New()
	fmt.Fprintln(sum, Version(), Bits(), o.Fast, m.gpu)
	for _, s := range m.layout {
		fmt.Fprintln(sum, s.layers, s.rows)
	}
	for _, place := range []llm.Place{model, o.Adapter} {
		if place.Path == "" {
			continue
		}
		if err := place.Fingerprint(sum); err != nil {
			saved{log: o.Log}.say(fmt.Errorf("prefixes are not kept: %w", err))
			return
		}
	}
	m.saved = saved{folder: o.Prefixes, key: [32]byte(sum.Sum(nil)), log: o.Log}
	sound := func(state []byte) bool { return m.layout.finite(state, block) }
	if err := m.tree.Load(m.saved.path(), m.saved.key, sound); err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.saved.say(err)
	}
}

// remember saves the tree for the next process, if there is anything new.
func (m *Model) remember() {
	if m.tree == nil || m.saved.folder == "" || !m.tree.Changed() {
		return
	}
	err := os.MkdirAll(m.saved.folder, 0o700)
	if err == nil {
		err = m.tree.Save(m.saved.path(), m.saved.key, diskFile)
	}
	if err == nil {
		err = prune(m.saved.folder, diskAll)
	}
	if err != nil {
		m.saved.say(err)
	}
}

// prune removes the oldest files of a folder until the rest has at most limit bytes.
func prune(folder string, limit int64) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Compare(b.ModTime().UnixNano(),
			a.ModTime().UnixNano())
	})
	var errs []error
	for _, f := range files {
		if limit -= f.Size(); limit < 0 {
			errs = append(errs, os.Remove(filepath.Join(folder, f.Name())))
		}
	}
	return errors.Join(errs...)
}
