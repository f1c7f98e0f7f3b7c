package catalog

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

const (
	sumA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	sumB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

// layer is a line of a manifest.
func layer(kind, digest string) string {
	return `{"mediaType":"application/vnd.ollama.image.` + kind + `","digest":"` + digest + `","size":1}`
}

func manifestText(layers ...string) string {
	return `{"schemaVersion":2,"config":` + layer("json", "sha256:"+sumB) + `,"layers":[` +
		strings.Join(layers, ",") + `]}`
}

// home builds what the programs leave on a disk. A text that begins with "-> " is a link.
func home(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		var err error
		if target, link := strings.CutPrefix(text, "-> "); link {
			err = os.Symlink(target, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		must.Do(t, err)
	}
	return root
}

var everything = map[string]string{
	"mine/a/Tiny-1B-Instruct.Q4_K_M.gguf":    "x",
	"mine/notes.txt":                         "x",
	"mine/UPPER.GGUF":                        "x",
	"mine/again.gguf":                        "-> a/Tiny-1B-Instruct.Q4_K_M.gguf",
	"cache/models/coder-0.5b-q4_k_m.gguf":    "x",
	"cache/models/coder-0.5b-q4_k_m.gguf.ok": "x",

	".ollama/models/manifests/registry.ollama.ai/library/llama3/8b": manifestText(layer("model", "sha256:"+sumA),
		layer("template", "sha256:"+sumB)),
	".ollama/models/manifests/registry.ollama.ai/library/llama3/latest": manifestText(layer("model", "sha256:"+sumA)),
	".ollama/models/manifests/registry.ollama.ai/anna/sql/v2": manifestText(layer("model", "sha256:"+sumB),
		layer("adapter", "sha256:"+sumA)),
	".ollama/models/manifests/hf.co/owner/repo-GGUF/Q4_K_M":            manifestText(layer("model", "sha256:"+sumB)),
	".ollama/models/manifests/registry.ollama.ai/library/cloud/latest": manifestText(),
	".ollama/models/blobs/sha256-" + sumA:                              "x",
	".ollama/models/blobs/sha256-" + sumB:                              "x",

	".lmstudio/models/publisher/repo/coder-0.5b-q8_0.gguf": "x",
	".lmstudio/models/publisher/linked":                    "-> ../../../mine",
	".lmstudio-home-pointer":                               "/nowhere/else\n",

	".cache/huggingface/hub/models--Owner--Big-GGUF/blobs/1":                        "old",
	".cache/huggingface/hub/models--Owner--Big-GGUF/blobs/2":                        "new",
	".cache/huggingface/hub/models--Owner--Big-GGUF/refs/main":                      "rev2",
	".cache/huggingface/hub/models--Owner--Big-GGUF/snapshots/rev1/big-q4.gguf":     "-> ../../blobs/1",
	".cache/huggingface/hub/models--Owner--Big-GGUF/snapshots/rev1/gone-q4.gguf":    "-> ../../blobs/1",
	".cache/huggingface/hub/models--Owner--Big-GGUF/snapshots/rev2/big-q4.gguf":     "-> ../../blobs/2",
	".cache/huggingface/hub/models--Owner--Big-GGUF/snapshots/rev2/sub/big-q8.gguf": "-> ../../../blobs/2",
	".cache/huggingface/hub/models--Owner--Empty/refs/main":                         "rev",
	".cache/huggingface/hub/datasets--Owner--Data/snapshots/rev/x.gguf":             "x",
}

// set names the folders below root as the programs do.
func set(t *testing.T, root string) Places {
	t.Helper()
	for _, name := range []string{"OLLAMA_MODELS", "HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "NL2SQL_MODELS"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", root)
	t.Setenv("NL2SQL_MODELS", filepath.Join(root, "mine")+string(filepath.ListSeparator))
	return DefaultPlaces(filepath.Join(root, "cache"))
}

func TestFiles(t *testing.T) {
	root := home(t, everything)
	files := must.Get(set(t, root).Files(context.Background()))(t)
	for i := range files {
		files[i].Path = strings.TrimPrefix(files[i].Path, root+"/")
	}
	const hub, ollama = ".cache/huggingface/hub/models--Owner--Big-GGUF/snapshots/", ".ollama/models/blobs/sha256-"
	want := []File{
		{Name: "UPPER", Source: "folder", Path: "mine/UPPER.GGUF"},
		{Name: "a/Tiny-1B-Instruct.Q4_K_M", Source: "folder", Path: "mine/a/Tiny-1B-Instruct.Q4_K_M.gguf"},
		{Name: "again", Source: "folder", Path: "mine/again.gguf"},
		{Name: "coder-0.5b-q4_k_m", Source: "nl2sql", Path: "cache/models/coder-0.5b-q4_k_m.gguf"},
		{Name: "anna/sql:v2", Source: "ollama", Path: ollama + sumB,
			Problem: "brings an adapter, which has to be named: --model and --adapter take the files"},
		{Name: "hf.co/owner/repo-GGUF:Q4_K_M", Source: "ollama", Path: ollama + sumB},
		{Name: "llama3:8b", Source: "ollama", Path: ollama + sumA},
		{Name: "llama3:latest", Source: "ollama", Path: ollama + sumA},
		{Name: "publisher/linked/UPPER", Source: "lmstudio", Path: ".lmstudio/models/publisher/linked/UPPER.GGUF"},
		{Name: "publisher/linked/again", Source: "lmstudio", Path: ".lmstudio/models/publisher/linked/again.gguf"},
		{Name: "publisher/repo/coder-0.5b-q8_0", Source: "lmstudio",
			Path: ".lmstudio/models/publisher/repo/coder-0.5b-q8_0.gguf"},
		{Name: "Owner/Big-GGUF/big-q4", Source: "huggingface", Path: hub + "rev2/big-q4.gguf"},
		{Name: "Owner/Big-GGUF/gone-q4", Source: "huggingface", Path: hub + "rev1/gone-q4.gguf"},
		{Name: "Owner/Big-GGUF/sub/big-q8", Source: "huggingface", Path: hub + "rev2/sub/big-q8.gguf"},
	}
	must.Same(t, files, want)
}

func TestPlacesOfTheEnvironment(t *testing.T) {
	root := home(t, nil)
	t.Setenv("HOME", root)
	for _, tt := range []struct {
		env  map[string]string
		want Places
	}{
		{map[string]string{"OLLAMA_MODELS": "/o", "HF_HUB_CACHE": "/hub", "HF_HOME": "/hf"},
			Places{Ollama: []string{"/o"}, HuggingFace: []string{"/hub"}}},
		{map[string]string{"HF_HOME": "/hf", "XDG_CACHE_HOME": "/x"}, Places{HuggingFace: []string{"/hf/hub"}}},
		{map[string]string{"XDG_CACHE_HOME": "/x"}, Places{HuggingFace: []string{"/x/huggingface/hub"}}},
	} {
		for _, name := range []string{"OLLAMA_MODELS", "HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "NL2SQL_MODELS"} {
			t.Setenv(name, tt.env[name])
		}
		got := DefaultPlaces("/cache")
		tt.want.Own = []string{"/cache/models"}
		tt.want.LMStudio = []string{root + "/.lmstudio/models", root + "/.cache/lm-studio/models"}
		if tt.want.Ollama == nil {
			tt.want.Ollama = []string{root + "/.ollama/models", "/usr/share/ollama/.ollama/models"}
		}
		must.Same(t, got, tt.want, tt.env)
	}
}

func TestFind(t *testing.T) {
	root := home(t, everything)
	places := set(t, root)
	for _, tt := range []struct{ name, path, err string }{
		{name: "UPPER", path: "mine/UPPER.GGUF"},
		{name: "upper.gguf", path: "mine/UPPER.GGUF"},
		{name: "Tiny-1B-Instruct.Q4_K_M", path: "mine/a/Tiny-1B-Instruct.Q4_K_M.gguf"},
		{name: "tiny-1b", path: "mine/a/Tiny-1B-Instruct.Q4_K_M.gguf"},
		{name: "again", path: "mine/again.gguf"}, // three names, one file
		{name: "llama3", path: ".ollama/models/blobs/sha256-" + sumA},
		{name: "LLAMA3:8b", path: ".ollama/models/blobs/sha256-" + sumA},
		{name: "repo-gguf", path: ".ollama/models/blobs/sha256-" + sumB},
		{name: "Owner/Big-GGUF/big-q4",
			path: ".cache/huggingface/hub/models--Owner--Big-GGUF/snapshots/rev2/big-q4.gguf"},
		{name: "big-q8.gguf", path: ".cache/huggingface/hub/models--Owner--Big-GGUF/snapshots/rev2/sub/big-q8.gguf"},
		{name: "coder-0.5b-q8_0", path: ".lmstudio/models/publisher/repo/coder-0.5b-q8_0.gguf"},
		{name: "coder-0.5b", err: `model "coder-0.5b" can be coder-0.5b-q4_k_m or publisher/repo/coder-0.5b-q8_0: name one of the files, or more of the name`},
		{name: "sql:v2", err: "model anna/sql:v2 brings an adapter, which has to be named: --model and --adapter take the files"},
		{name: "zzz", err: "model \"zzz\": no such file, and no model of that name: `nl2sql model list` shows what there is"},
		{name: "codr-0.5b", err: "did you mean publisher/repo/coder-0.5b-q8_0 or coder-0.5b-q4_k_m?"},
		{name: "coder-7b-q4_k_m",
			err: `model "coder-7b-q4_k_m": no such file, and no model of that name: did you mean coder-0.5b-q4_k_m or `},
		{name: "", err: "no model of that name"},
		{name: "cod", err: "did you mean coder-0.5b-q4_k_m or publisher/repo/coder-0.5b-q8_0?"}, // no part up to a sign
	} {
		f, err := places.Find(context.Background(), tt.name)
		switch {
		case tt.err == "" && err != nil:
			t.Errorf("%q: %v", tt.name, err)
		case tt.err == "" && f.Path != filepath.Join(root, tt.path):
			t.Errorf("%q: %s, want %s", tt.name, f.Path, tt.path)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err) ||
			strings.Contains(err.Error(), "\n")):
			t.Errorf("%q: %v, want %s", tt.name, err, tt.err)
		}
	}
}

// What cannot be read is told, and hides nothing else.
func TestProblems(t *testing.T) {
	root := home(t, map[string]string{
		"mine/good.gguf": "x",
		".ollama/models/manifests/registry.ollama.ai/library/bad/latest": `{"layers":`,
		".ollama/models/manifests/registry.ollama.ai/library/evil/latest": manifestText(layer("model",
			"sha256:../../../etc/passwd")),
		".ollama/models/manifests/registry.ollama.ai/library/good/latest": manifestText(layer("model", "sha256:"+sumA)),
	})
	places := set(t, root)
	places.Folders = append(places.Folders, filepath.Join(root, "nowhere"))
	files, err := places.Files(context.Background())
	if len(files) != 2 || files[0].Name != "good" || files[1].Name != "good:latest" {
		t.Errorf("%+v", files)
	}
	for _, want := range []string{"bad/latest: unexpected end of JSON",
		`evil/latest: no digest "sha256:../../../etc/passwd"`, "nowhere: no such file"} {
		must.Says(t, err, want, "in it")
	}
	if _, err := places.Find(context.Background(), "lost"); !errors.Is(err, ErrNotFound) ||
		!strings.Contains(err.Error(), "nowhere: no such file") {
		t.Errorf("a name that may be in the folder that is missing: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := places.Find(ctx, "good"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestFreeMemory(t *testing.T) {
	dir := home(t, map[string]string{
		"meminfo":                "MemTotal: 9 kB\nMemAvailable:    2048 kB\n",
		"bare":                   "MemTotal: 9 kB\n",
		"limited/memory.max":     "1048576\n",
		"limited/memory.current": "48576\n",
		"free/memory.max":        "max\n",
		"free/memory.current":    "48576\n",
	})
	for _, tt := range []struct {
		meminfo, cgroup string
		want            int64
		ok              bool
	}{
		{"meminfo", "none", 2 << 20, true},
		{"meminfo", "free", 2 << 20, true},
		{"meminfo", "limited", 1e6, true},
		{"bare", "limited", 1e6, true},
		{"bare", "none", 0, false},
		{"none", "limited", 0, false},
	} {
		if got, ok := freeMemory(filepath.Join(dir, tt.meminfo), filepath.Join(dir, tt.cgroup)); got != tt.want ||
			ok != tt.ok {
			t.Errorf("%s, %s: %d, %v; want %d, %v", tt.meminfo, tt.cgroup, got, ok, tt.want, tt.ok)
		}
	}
}
