// Package catalog finds the GGUF files that are on this machine already: in folders that the user names, in nl2sql's
// own cache, and where Ollama, LM Studio and the Hugging Face tools keep theirs. It opens no model and changes nothing.
package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"nl2sql/runner/files"
)

// File is a model that was found.
type File struct {
	Name    string // as Find takes it; of the form that its source uses
	Source  string // "folder", "nl2sql", "ollama", "lmstudio" or "huggingface"
	Path    string
	Problem string // why the file alone is not the model; "" if it is
}

// Own is the source of the files in nl2sql's cache.
const Own = "nl2sql"

// Places are the folders that are searched. An empty list leaves a source out.
type Places struct {
	Folders     []string // the user's, with what is below them; one that is missing is an error
	Own         []string // nl2sql's
	Ollama      []string // folders with manifests/ and blobs/
	LMStudio    []string // folders of publisher/repository/file
	HuggingFace []string // hubs, folders of models--owner--repository/
}

// DefaultPlaces are the folders that the environment names, or else each program's own. cache is nl2sql's cache folder.
func DefaultPlaces(cache string) Places {
	p := Places{Own: []string{filepath.Join(cache, "models")}}
	for _, dir := range filepath.SplitList(os.Getenv("NL2SQL_MODELS")) {
		if dir != "" {
			p.Folders = append(p.Folders, dir)
		}
	}
	home, err := os.UserHomeDir()
	under := func(parts ...string) []string {
		if err != nil {
			return nil
		}
		return []string{filepath.Join(append([]string{home}, parts...)...)}
	}
	if dir := os.Getenv("OLLAMA_MODELS"); dir != "" {
		p.Ollama = []string{dir}
	} else {
		// the latter is the service's on Linux
		p.Ollama = append(under(".ollama", "models"), "/usr/share/ollama/.ollama/models")
	}
	p.LMStudio = append(under(".lmstudio", "models"), under(".cache", "lm-studio", "models")...)
	for _, file := range under(".lmstudio-home-pointer") {
		if dir, err := files.Regular(file, 1<<16); err == nil {
			p.LMStudio = append(p.LMStudio, filepath.Join(strings.TrimSpace(string(dir)), "models"))
		}
	}
	switch hub, hf, xdg := os.Getenv("HF_HUB_CACHE"), os.Getenv("HF_HOME"), os.Getenv("XDG_CACHE_HOME"); {
	case hub != "":
		p.HuggingFace = []string{hub}
	case hf != "":
		p.HuggingFace = []string{filepath.Join(hf, "hub")}
	case xdg != "":
		p.HuggingFace = []string{filepath.Join(xdg, "huggingface", "hub")}
	default:
		p.HuggingFace = under(".cache", "huggingface", "hub")
	}
	return p
}

// Files lists what is there, source by source, by name. With an error, which joins what could not be read, it lists the
// rest.
func (p Places) Files(ctx context.Context) ([]File, error) {
	var s search
	for _, place := range []struct {
		source string
		dirs   []string
		look   func(ctx context.Context, source, dir string) error
	}{
		{"folder", p.Folders, s.folder},
		{Own, p.Own, present(s.folder)},
		{"ollama", p.Ollama, present(s.ollama)},
		{"lmstudio", p.LMStudio, present(s.lmStudio)},
		{"huggingface", p.HuggingFace, present(s.huggingFace)},
	} {
		from := len(s.files)
		for _, dir := range place.dirs {
			if err := place.look(ctx, place.source, dir); err != nil {
				s.errs = append(s.errs, err)
			}
		}
		slices.SortStableFunc(s.files[from:], func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	}
	return s.files, errors.Join(append(s.errs, ctx.Err())...)
}

// search collects what is found.
type search struct {
	files []File
	errs  []error
}

// add keeps a file unless the same was found before under the same name.
func (s *search) add(f File) {
	path := resolved(f.Path)
	if !slices.ContainsFunc(s.files, func(g File) bool { return g.Name == f.Name && resolved(g.Path) == path }) {
		s.files = append(s.files, f)
	}
}

// resolved follows links, as far as they lead somewhere.
func resolved(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}

// present makes a search find nothing where the folder is missing: not everybody has Ollama.
func present(look func(ctx context.Context, source, dir string) error) func(ctx context.Context, source,
	dir string) error {
	return func(ctx context.Context, source, dir string) error {
		if err := look(ctx, source, dir); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
}

// folder finds the GGUF files in a folder and below it. They are named by their path in it. What is below and cannot
// be read is an error, and the search goes on.
func (s *search) folder(ctx context.Context, source, dir string) error {
	root := resolved(dir) // WalkDir does not enter a link
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return fs.SkipAll // Files reports it
		case err != nil && path == root:
			return err
		case err != nil:
			s.errs = append(s.errs, err)
		case !d.IsDir() && isGGUF(path):
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			s.add(File{Name: stem(filepath.ToSlash(rel)), Source: source, Path: path})
		}
		return nil
	})
}

func isGGUF(path string) bool { return strings.EqualFold(filepath.Ext(path), ".gguf") }

// stem is a file's name without its extension.
func stem(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }

// lmStudio finds publisher/repository/file.gguf. People link whole repositories into the folder, which Glob follows.
func (s *search) lmStudio(_ context.Context, source, dir string) error {
	if _, err := os.ReadDir(dir); err != nil {
		return err
	}
	paths, err := fs.Glob(os.DirFS(dir), "*/*/*")
	if err != nil {
		return err
	}
	for _, rel := range paths {
		if isGGUF(rel) {
			s.add(File{Name: stem(rel), Source: source, Path: filepath.Join(dir, filepath.FromSlash(rel))})
		}
	}
	return nil
}

// huggingFace finds models--OWNER--REPOSITORY/snapshots/REVISION/FILE.gguf in a hub, whose files are links into blobs/.
// The revision that refs/main names goes first; an older one counts only for files that the first lacks.
// Source: huggingface_hub's guide "Understand caching".
func (s *search) huggingFace(ctx context.Context, source, dir string) error {
	repos, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, repo := range repos {
		name, isModel := strings.CutPrefix(repo.Name(), "models--")
		if !isModel || ctx.Err() != nil {
			continue
		}
		base := filepath.Join(dir, repo.Name())
		revisions, err := os.ReadDir(filepath.Join(base, "snapshots"))
		if err != nil {
			continue // nothing was downloaded yet
		}
		if main, err := files.Regular(filepath.Join(base, "refs", "main"), 1<<12); err == nil {
			isMain := func(d fs.DirEntry) bool { return d.Name() == strings.TrimSpace(string(main)) }
			if i := slices.IndexFunc(revisions, isMain); i > 0 {
				revisions[0], revisions[i] = revisions[i], revisions[0]
			}
		}
		var found search
		for _, rev := range revisions {
			var next search
			if err := next.folder(ctx, source, filepath.Join(base, "snapshots", rev.Name())); err != nil {
				s.errs = append(s.errs, err)
			}
			for _, f := range next.files {
				if !slices.ContainsFunc(found.files, func(g File) bool { return g.Name == f.Name }) {
					found.files = append(found.files, f)
				}
			}
			s.errs = append(s.errs, next.errs...)
		}
		for _, f := range found.files {
			f.Name = strings.ReplaceAll(name, "--", "/") + "/" + f.Name
			s.add(f)
		}
	}
	return nil
}

// manifest is what Ollama writes about a model. Source: the module's manifest package, v0.24.0.
type manifest struct {
	Layers []struct {
		MediaType string `json:"mediaType"`
		Digest    string `json:"digest"`
	} `json:"layers"`
}

var digest = regexp.MustCompile(`^sha256:([0-9a-f]{64})$`)

// ollama reads manifests/HOST/NAMESPACE/MODEL/TAG and names what they describe as Ollama does.
func (s *search) ollama(_ context.Context, source, dir string) error {
	root := filepath.Join(dir, "manifests")
	if _, err := os.ReadDir(root); err != nil {
		return err
	}
	paths, err := fs.Glob(os.DirFS(root), "*/*/*/*")
	if err != nil {
		return err
	}
	for _, rel := range paths {
		text, err := files.Regular(filepath.Join(root, filepath.FromSlash(rel)), 1<<20)
		if err != nil {
			s.errs = append(s.errs, err)
			continue
		}
		var m manifest
		if err := json.Unmarshal(text, &m); err != nil {
			s.errs = append(s.errs, fmt.Errorf("ollama's manifest %s: %w", rel, err))
			continue
		}
		f := File{Name: ollamaName(rel), Source: source}
		for _, l := range m.Layers {
			sum := digest.FindStringSubmatch(l.Digest)
			switch {
			case l.MediaType == "application/vnd.ollama.image.adapter":
				f.Problem = "brings an adapter, which has to be named: --model and --adapter take the files"
			case l.MediaType != "application/vnd.ollama.image.model":
			case sum == nil:
				s.errs = append(s.errs, fmt.Errorf("ollama's manifest %s: no digest %q", rel, l.Digest))
			default:
				f.Path = filepath.Join(dir, "blobs", "sha256-"+sum[1])
			}
		}
		if f.Path != "" { // else it runs in the cloud, or is no text model
			s.add(f)
		}
	}
	return nil
}

// ollamaName leaves out what Ollama takes for granted: its own host and the namespace library.
func ollamaName(rel string) string {
	part := strings.Split(rel, "/")
	name := part[2] + ":" + part[3]
	switch {
	case part[0] != "registry.ollama.ai":
		return part[0] + "/" + part[1] + "/" + name
	case part[1] != "library":
		return part[1] + "/" + name
	}
	return name
}
