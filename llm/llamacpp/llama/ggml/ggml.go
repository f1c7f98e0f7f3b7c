//go:build cgo && llamacpp

// Package ggml compiles ggml's tensors, backends and files. Each C file includes those of the Go module.
package ggml

// #cgo CPPFLAGS: -DNDEBUG -DGGML_USE_CPU -DGGML_VERSION=0x0 -DGGML_COMMIT=0x0
// #cgo CXXFLAGS: -std=c++17
import "C"

import _ "nl2sql/llm/llamacpp/llama/cpu"
