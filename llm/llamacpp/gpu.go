package llamacpp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"nl2sql/llm/llamacpp/engine"
)

// GPU is a device that layers can be put on.
type GPU = engine.GPU

// FreeMemory returns what each GPU has free, in bytes.
func FreeMemory(gpus []GPU) (free []int64) {
	for _, d := range gpus {
		free = append(free, d.Free)
	}
	return free
}

// GPULibrary returns the name of the library for NVIDIA GPUs that this program can use: that of its own version, since
// ggml does not notice when structures differ.
func GPULibrary() string { return "libggml-cuda-" + gpuVersion() + ".so" }

// gpuVersion names the Go module's version and llama.cpp's commit.
func gpuVersion() string { return ModuleVersion() + "-" + Version() }

// findLibrary looks for the library in places: folders, or the file itself.
func findLibrary(name string, places []string) (string, error) {
	for _, p := range places {
		path := filepath.Join(p, name)
		if st, err := os.Stat(p); err == nil && st.Mode().IsRegular() {
			if real, err := filepath.EvalSymlinks(p); err != nil || filepath.Base(real) != name {
				return "", fmt.Errorf("%s is not %s, which belongs to this program: make cuda builds it", p, name)
			}
			path = p
		}
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
			return filepath.Abs(path)
		}
	}
	return "", fmt.Errorf("no %s in %s: make cuda builds it", name, strings.Join(places, ", "))
}

// FindGPUs loads the library for NVIDIA GPUs, once, and lists what it finds. The error says in one line why there is
// none, ErrNoGPU among them; library is "" if none was found.
func FindGPUs(places []string) (library string, gpus []GPU, err error) {
	if !engine.CUDA {
		return "", nil, ErrNoGPU
	}
	e, err := engine.Open()
	if err != nil {
		return "", nil, err
	}
	if library, err = findLibrary(GPULibrary(), places); err != nil {
		return "", nil, err
	}
	gpus, err = e.GPUs(library, gpuVersion())
	return library, gpus, err
}
