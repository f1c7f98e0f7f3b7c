//go:build cgo && llamacpp && !cuda

package engine

import "errors"

// GPUs fails, and holdGPUs has nothing to do: this build has no support.
func (library) GPUs(string, string) ([]GPU, error) {
	return nil, errors.New("this build has no GPU support")
}
func holdGPUs(int) (release func()) { return func() {} }
