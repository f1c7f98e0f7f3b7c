package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"nl2sql/llm"
	"nl2sql/llm/llamacpp"
	"nl2sql/runner"
	"nl2sql/runner/render"
)

// gpuLayers is the value of --gpu-layers as the engine takes it, or less if it is wrong.
func (c *cli) gpuLayers() int {
	if c.GPU == "auto" {
		return llamacpp.AllThatFit
	}
	n, err := strconv.ParseUint(c.GPU, 10, 16)
	if err != nil {
		return llamacpp.AllThatFit - 1
	}
	return int(n)
}

// cudaPlaces are where the library for NVIDIA GPUs may lie: what NL2SQL_CUDA names, or else beside the program or in the
// cache folder.
func cudaPlaces() []string {
	if place := os.Getenv("NL2SQL_CUDA"); place != "" {
		return []string{place}
	}
	var places []string
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		places = append(places, filepath.Dir(self), filepath.Join(filepath.Dir(self), "lib"))
	}
	if cache, err := runner.CacheFolder(); err == nil {
		places = append(places, filepath.Join(cache, "cuda"))
	}
	return places
}

// warn returns what writes a warning of the engine.
func (con *console) warn(bar *progress) func(line string) {
	return func(line string) {
		bar.clear()
		fmt.Fprintf(con.err, "nl2sql: warning: %s\n", render.Visible(line))
	}
}

// gpuShare says how much of a model is estimated to fit into GPUs.
func gpuShare(g llm.GGUF, use llm.Use, gpus []llamacpp.GPU) string {
	return fmt.Sprintf("%d of %d layers", g.Offload(use, llamacpp.FreeMemory(gpus)), g.Layers+1)
}

// lookGPU tells of NVIDIA's driver, of GPUs, and of what the program lacks to use them.
func lookGPU(ctx context.Context, app *cli) finding {
	f := finding{What: "GPU", Status: optional}
	driver := "no NVIDIA driver"
	version, err := os.ReadFile("/proc/driver/nvidia/version")
	if err == nil {
		driver, _, _ = strings.Cut(string(version), "\n")
		driver = strings.TrimPrefix(driver, "NVRM version: ")
	}
	library, gpus, why := llamacpp.FindGPUs(cudaPlaces())
	found := []string{driver}
	for _, d := range gpus {
		found = append(found, fmt.Sprintf("%s, %s of %s free", d.Description, gigabytes(d.Free), gigabytes(d.Total)))
	}
	switch {
	case why == nil:
		f.Status = good
		if s, err := app.source(ctx); app.Model != "" && err == nil && s.file.Path != "" {
			found = append(found, gpuShare(s.file, app.use(), gpus)+" of the model fit, by estimate")
		}
	case library != "":
		found = append(found, why.Error())
		f.Do = "nothing: the CPU does; for a GPU, install NVIDIA's driver and CUDA's cuBLAS"
	default:
		found = append(found, why.Error())
		if f.Do = "nothing: the CPU does"; err == nil {
			f.Do = "make cuda builds the program for this GPU; a server with a GPU is used with --model openai:URL#NAME"
		}
	}
	f.Found = strings.Join(found, "; ")
	return f
}
