package assets

import (
	"io/fs"
	"path"
	"testing"

	"nl2sql/scripts/must"
)

// What is built in unpacks to the file that its card names, and is small enough to travel with the program.
func TestAdapters(t *testing.T) {
	all := must.Get(Adapters())(t)
	bases := map[string]string{}
	for _, a := range all {
		must.Equal(t, bases[a.Base], "", a.Name, "are for one model")
		bases[a.Base] = a.Name
		file := must.Get(a.GGUF())(t)
		file[len(file)/2] ^= 1
		must.Be(t, !a.Is(file), a.Name, "another file passes for it")
		info, err := adapters.ReadFile("adapters/" + a.Name + "/adapter.gguf.zst")
		must.Be(t, err == nil && len(info) <= 18<<20, a.Name, len(info), "bytes", err, "at most 18 MiB")
	}
}

// Cards for readers and logs stay out of the program.
func TestAdapterFiles(t *testing.T) {
	must.Do(t, fs.WalkDir(adapters, ".", func(file string, d fs.DirEntry, err error) error {
		if name := path.Base(file); err == nil && !d.IsDir() && name != "adapter.json" && name != "adapter.gguf.zst" {
			t.Errorf("%s is built in", file)
		}
		return err
	}))
}
