package llamacpp

import (
	"errors"
	"os"

	"nl2sql/llm"
)

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
