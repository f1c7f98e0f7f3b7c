package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"nl2sql/runner/files"
)

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
