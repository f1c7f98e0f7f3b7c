//go:build !(cgo && llamacpp && cuda)

package engine

// CUDA says whether this build can use NVIDIA GPUs.
const CUDA = false
