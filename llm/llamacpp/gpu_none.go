//go:build cgo && llamacpp && !cuda

package llamacpp

const gpuBuild = false

// loadGPUs and holdGPUs have nothing to do: this build has no support.
func loadGPUs(string) ([]GPU, error) { return nil, ErrNoGPU }
func holdGPUs(int) (release func())  { return func() {} }
