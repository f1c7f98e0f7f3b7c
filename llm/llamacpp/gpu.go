package llamacpp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"nl2sql/llm"
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

// offload decides how many layers go to GPUs. What the user asked for and does not get is a warning.
func offload(g llm.GGUF, o Options) (layers int, gpus []GPU) {
	if o.GPU == 0 {
		return 0, nil
	}
	_, gpus, err := FindGPUs(o.CUDA)
	if err == nil {
		if layers = min(o.GPU, g.Layers+1); o.GPU == AllThatFit {
			if layers = g.Offload(llm.Use{Context: o.Context, Parallel: max(o.Parallel, o.Together), KV: o.KV},
				FreeMemory(gpus)); layers == 0 {
				err = errors.New("no layer of this model fits into its free memory")
			}
		}
	}
	if err != nil {
		line := "no GPU is used: " + err.Error()
		_, without := os.Stat("/proc/driver/nvidia/version") // who has a driver and built for it expects it to be used
		if o.GPU > 0 || !errors.Is(err, ErrNoGPU) && without == nil {
			o.warn(line)
		} else if o.Log != nil {
			o.Log(line)
		}
		return 0, nil
	}
	return layers, gpus
}

// sequences is what AllThatFit of them means: with so many layers on GPUs that have so many bytes free.
func sequences(g llm.GGUF, layers int, free []int64, o Options) int {
	if layers <= g.Layers {
		return o.Together
	}
	n := g.Sequences(llm.Use{Context: o.Context, KV: o.KV}, free, maxParallel)
	return max(1, n/o.Together) * o.Together
}

func (o Options) warn(line string) {
	if o.Warn != nil {
		o.Warn(line)
	}
}
